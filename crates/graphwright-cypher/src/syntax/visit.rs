//! Visitors: passes over the syntax tree.
//!
//! A pass implements [`Visit`] or [`VisitMut`] and overrides the methods of the nodes that it
//! needs. An overriding method calls the `walk_…` function of its node to continue into the
//! children, which are visited in the order in which they are written.
//!
//! ```
//! use graphwright_cypher::syntax::{
//!     parse,
//!     tree::{Expression, ExpressionKind},
//!     visit::{Visit, walk_expression},
//! };
//!
//! #[derive(Default)]
//! struct Parameters(Vec<String>);
//!
//! impl Visit for Parameters {
//!     fn visit_expression(&mut self, expression: &Expression) {
//!         if let ExpressionKind::Parameter(name) = &expression.kind {
//!             self.0.push(name.text.to_string());
//!         }
//!         walk_expression(self, expression);
//!     }
//! }
//!
//! let parsed = parse("MATCH (n {id: $id}) RETURN n LIMIT $limit");
//! let mut found = Parameters::default();
//! found.visit_tree(&parsed.tree);
//! assert_eq!(found.0, ["id", "limit"]);
//! ```

mod walk;

pub use walk::{mutable::*, shared::*};
