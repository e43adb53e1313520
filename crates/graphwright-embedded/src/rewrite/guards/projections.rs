//! Guards `x {.name, other: 1}`. The engine takes it only of nodes that a pattern binds, and gives
//! null for all else.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, ProjectedEntry};

use super::{
    Guard, Kind, Part, Scope,
    checks::{fails, is, refuses},
    cypher,
};
use crate::rewrite::make::property;

impl Guard<'_, '_> {
    pub(super) fn projection(&mut self, expression: &mut Expression, scope: &Scope) -> Kind {
        let ExpressionKind::MapProjection { base, items } = &mut expression.kind else {
            return Kind::Unknown;
        };
        for item in items.iter_mut() {
            if let ProjectedEntry::Entry(_, value) = item {
                self.expression(value, scope);
            }
        }
        let kind = scope.get(base).unwrap_or_default().own;
        let value = (&*base).part();
        let entries: Option<Vec<_>> = items
            .iter()
            .map(|item| match item {
                ProjectedEntry::Property(key) => Some((key.clone(), property(&value, key))),
                ProjectedEntry::Entry(key, entry) => Some((key.clone(), entry.clone())),
                ProjectedEntry::All | ProjectedEntry::Variable(_) => None,
            })
            .collect();
        let made = match entries {
            Some(entries) => Expression::new(ExpressionKind::Map(entries)),
            None if items.len() == 1 => cypher!("properties($value)", value = &value),
            None => refuses("`.*` beside other entries, of what no pattern binds as a node"),
        };
        let made = cypher!(
            "CASE WHEN $fits THEN $made WHEN $value IS NOT NULL THEN $fail END",
            fits = is(&value, &["NODE", "RELATIONSHIP", "MAP"]),
            made = made,
            value = &value,
            fail = fails("a map is made of a node, a relationship or a map"),
        );
        let is_all = items.iter().any(|item| matches!(item, ProjectedEntry::All));
        expression.kind = match kind {
            Kind::Node | Kind::Unknown if is_all => {
                cypher!("coalesce($projected, $made)", projected = &*expression, made = made).kind
            }
            _ => made.kind,
        };
        Kind::Map
    }
}
