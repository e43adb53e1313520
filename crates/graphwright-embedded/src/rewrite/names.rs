//! Renames properties and labels to the names under which the engine keeps them, and parameters to
//! names that it reads.

use graphwright_core::Value;
use graphwright_cypher::syntax::{
    tree::{
        BinaryOperator, Expression, ExpressionKind, LabelExpression, LabelKind, Literal, Name,
        ProjectedEntry, Query, RelationshipPattern, UnaryOperator,
    },
    visit::{VisitMut, walk_expression_mut, walk_labels_mut, walk_relationship_mut},
};

use super::{
    Context,
    reserved::{LABELS, PROPERTIES, VECTOR_MARK, label_to_engine, property_to_engine},
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Names(context).visit_query(query);
}

struct Names<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Names<'_, '_> {
    fn visit_relationship(&mut self, relationship: &mut RelationshipPattern) {
        // Types of relationships keep their names; `visit_labels` would rename them as labels.
        let types = relationship.types.take();
        walk_relationship_mut(self, relationship);
        relationship.types = types;
    }

    fn visit_labels(&mut self, labels: &mut LabelExpression) {
        if let LabelKind::Name(name) = &mut labels.kind {
            name.text = (*label_to_engine(&name.text)).into();
        }
        walk_labels_mut(self, labels);
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        walk_expression_mut(self, expression);
        match &mut expression.kind {
            ExpressionKind::Parameter(name) => self.parameter(name),
            ExpressionKind::Property { key, .. } => rename(key),
            ExpressionKind::Map(entries) => entries.iter_mut().for_each(|(key, _)| rename(key)),
            ExpressionKind::MapProjection { items, .. } => items.iter_mut().for_each(projected),
            ExpressionKind::Index { index, .. } => self.lookup(index),
            ExpressionKind::Call(call) => match (call.name.as_slice(), call.arguments.as_slice()) {
                ([name], [of]) if name.text.eq_ignore_ascii_case("keys") => {
                    let own = strings(&PROPERTIES);
                    let each = self.0.fresh();
                    let listed = cypher!(
                        "[each IN keys($of) WHERE NOT each IN $own AND NOT each STARTS WITH $mark | CASE \
                         WHEN each =~ $names THEN substring(each, 0, size(each) - 1) ELSE each END]",
                        each = &each,
                        of = of,
                        own = own,
                        mark = VECTOR_MARK,
                        names = &*format!("({})_+", PROPERTIES.join("|")),
                    );
                    expression.kind = listed.kind;
                }
                ([name], [of]) if name.text.eq_ignore_ascii_case("labels") => {
                    let each = self.0.fresh();
                    let own = strings(&LABELS);
                    let listed = cypher!(
                        "[each IN labels($of) WHERE NOT each IN $own | CASE \
                         WHEN each =~ $names THEN substring(each, 0, size(each) - 1) ELSE each END]",
                        each = &each,
                        of = of,
                        own = own,
                        names = &*format!("({})_+", LABELS.join("|")),
                    );
                    expression.kind = listed.kind;
                }
                _ => {}
            },
            _ => {}
        }
    }
}

fn rename(key: &mut Name) {
    key.text = (*property_to_engine(&key.text)).into();
}

/// Rewrites `n {name}` as `n {name: name}`, which the engine reads.
fn projected(item: &mut ProjectedEntry) {
    match item {
        ProjectedEntry::Property(key) | ProjectedEntry::Entry(key, _) => rename(key),
        ProjectedEntry::Variable(variable) => {
            let mut key = variable.clone();
            rename(&mut key);
            *item = ProjectedEntry::Entry(key, (&*variable).part());
        }
        ProjectedEntry::All => {}
    }
}

fn strings(names: &[&str]) -> Expression {
    Expression::new(ExpressionKind::List(names.iter().map(|&name| name.part()).collect()))
}

impl Names<'_, '_> {
    /// Renames a parameter. The engine reads only plain names of parameters.
    fn parameter(&mut self, name: &mut Name) {
        if !name.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            let given = self.0.rewritten.parameters.get(&*name.text).cloned();
            self.0.pass(name, given);
        }
    }

    /// Rewrites `n[key]`, whose key may be known only when the query runs.
    fn lookup(&mut self, index: &mut Expression) {
        if is_place(index) {
            return;
        }
        match &mut index.kind {
            ExpressionKind::Literal(Literal::String(key)) => *key = (*property_to_engine(key)).into(),
            ExpressionKind::Literal(_) => {}
            ExpressionKind::Parameter(name) => {
                if let Some(Value::String(key)) = self.0.rewritten.parameters.get(&*name.text) {
                    let key = Value::from(property_to_engine(key).into_owned());
                    self.0.pass(name, Some(key));
                }
            }
            _ => {
                let key = cypher!(
                    "CASE WHEN toString($key) =~ $names THEN $key + '_' ELSE $key END",
                    key = &*index,
                    names = &*format!("({})_*", PROPERTIES.join("|")),
                );
                index.kind = key.kind;
            }
        }
    }
}

/// Tells whether an index is a position in a list, as far as its text shows.
fn is_place(index: &Expression) -> bool {
    use BinaryOperator::{Add, Divide, Modulo, Multiply, Subtract};
    match &index.kind {
        ExpressionKind::Literal(Literal::Integer(_))
        | ExpressionKind::Index { .. }
        | ExpressionKind::Slice { .. }
        | ExpressionKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, .. }
        | ExpressionKind::Binary { operator: Subtract | Multiply | Divide | Modulo, .. } => true,
        ExpressionKind::Binary { operator: Add, left, right } => is_place(left) || is_place(right),
        ExpressionKind::Call(call) => matches!(
            call.name.as_slice(),
            [name] if ["size", "length"].iter().any(|known| name.text.eq_ignore_ascii_case(known))
        ),
        _ => false,
    }
}
