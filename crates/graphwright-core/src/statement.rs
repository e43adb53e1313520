//! Query text, kept apart from its parameters.

use std::{borrow::Cow, fmt};

use crate::{Properties, Value};

/// A query that a store runs: Cypher text and, apart from it, parameters.
///
/// There are three ways to get one, so that no text made at run time reaches a store unchecked:
/// [`Statement::fixed`] takes text that was written in source code; the safe builder and the gate
/// of `graphwright-cypher` make the others.
///
/// ```
/// use graphwright_core::Statement;
///
/// let statement = Statement::fixed("MATCH (n {name: $name}) RETURN n").with("name", "Ada");
/// assert_eq!(statement.text(), "MATCH (n {name: $name}) RETURN n");
/// ```
///
/// Text that is made at run time does not compile as the text of a fixed statement,
///
/// ```compile_fail,E0597
/// let name = "Ada".to_owned();
/// let text = format!("MATCH (n {{name: '{name}'}}) RETURN n");
/// let statement = graphwright_core::Statement::fixed(&text);
/// ```
///
/// nor by a conversion,
///
/// ```compile_fail,E0277
/// let text = "MATCH (n) RETURN n".to_owned();
/// let statement = graphwright_core::Statement::from(text);
/// ```
///
/// nor as a field of the struct.
///
/// ```compile_fail,E0451
/// let text = std::borrow::Cow::from("MATCH (n) RETURN n".to_owned());
/// let statement = graphwright_core::Statement { text, parameters: Default::default() };
/// ```
#[derive(Clone, PartialEq)]
pub struct Statement {
    text: Cow<'static, str>,
    parameters: Properties,
    untrusted: bool,
}

impl Statement {
    /// Creates a statement whose text stands in source code. [`with`](Self::with) adds values.
    pub fn fixed(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), parameters: Properties::new(), untrusted: false }
    }

    /// Creates a statement from text that a person or a model wrote.
    ///
    /// Only the gate of `graphwright-cypher` calls this, after it has checked the text, and a worker
    /// to which such a statement was sent; `cargo xtask layers` sees to that.
    #[doc(hidden)]
    pub fn from_checked_text(text: String) -> Self {
        Self { text: Cow::Owned(text), parameters: Properties::new(), untrusted: true }
    }

    /// Creates a statement from text that code put together.
    ///
    /// Only the builder of `graphwright-cypher` calls this; `cargo xtask layers` sees to that.
    #[doc(hidden)]
    pub fn from_built_text(text: String) -> Self {
        Self { text: Cow::Owned(text), parameters: Properties::new(), untrusted: false }
    }

    /// Sets a parameter (`$name` in the text).
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Sets several parameters.
    #[must_use]
    pub fn with_all(mut self, parameters: Properties) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Returns whether a person or a model wrote the text. The gate has seen that it does no harm,
    /// but not what it costs.
    pub fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns the query text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the parameters by name, without `$`.
    pub fn parameters(&self) -> &Properties {
        &self.parameters
    }
}

impl fmt::Debug for Statement {
    /// Shows the text and the names of the parameters. Values may be private.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Statement")
            .field("text", &self.text)
            .field("parameters", &self.parameters.keys())
            .field("untrusted", &self.untrusted)
            .finish()
    }
}
