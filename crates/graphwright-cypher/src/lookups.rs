//! Lookups: the properties by which a query finds nodes and relationships, which an index could
//! serve.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::schema::Target;

use crate::{
    case::Case,
    syntax::{
        parse,
        tree::{
            BinaryOperator, Clause, ClauseKind, ComparisonOperator, Expression, ExpressionKind,
            LabelExpression, LabelKind, Name, NodePattern, Projection, RelationshipPattern, SubqueryBody,
        },
        visit::{Visit, walk_clause, walk_expression, walk_node, walk_projection, walk_relationship},
    },
};

/// A property by which a query looks up the nodes of a label or the relationships of a type. Values
/// are not included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lookup {
    /// The label or type.
    pub target: Target,
    /// The compared property.
    pub property: String,
}

/// Returns the properties that a query compares where it matches, by `=`, `<`, `>`, `IN` or `STARTS
/// WITH`. A property index can serve these.
///
/// Elements without a label or type have no index and are left out. The result is empty if the text
/// is not Cypher.
///
/// ```
/// use graphwright_core::schema::Target;
/// use graphwright_cypher::lookups;
///
/// let text = "MATCH (p:Person {name: $name})-->(c:Company) WHERE c.founded > 1990 RETURN c.size";
/// let found = lookups(text);
/// let found: Vec<_> = found.into_iter().map(|lookup| (lookup.target, lookup.property)).collect();
/// let label = |name: &str| Target::Label(name.to_owned());
/// assert_eq!(found, [
///     (label("Company"), "founded".to_owned()),
///     (label("Person"), "name".to_owned()),
/// ]);
/// ```
pub fn lookups(text: &str) -> BTreeSet<Lookup> {
    read(text, LookupCollector::default())
}

/// Returns the properties that a query compares where it matches, by any operator and with or
/// without their case. The query may have their values wrong. Otherwise this works like
/// [`lookups`].
pub fn comparisons(text: &str) -> BTreeSet<Lookup> {
    read(text, LookupCollector { reads: Reads::Compared, ..LookupCollector::default() })
}

/// Returns the properties by which a query orders its rows, the greatest first. Those are the orders that begin with the rows
/// without the property. Otherwise this works like [`lookups`].
///
/// ```
/// use graphwright_cypher::descending;
///
/// let text = "MATCH (m:Movie)<--(p:Person) RETURN m.year AS year, p.name ORDER BY year DESC, p.name";
/// let found: Vec<_> = descending(text).into_iter().map(|lookup| lookup.property).collect();
/// assert_eq!(found, ["year"]);
/// ```
pub fn descending(text: &str) -> BTreeSet<Lookup> {
    read(text, LookupCollector { reads: Reads::Ordered, ..LookupCollector::default() })
}

fn read(text: &str, mut collector: LookupCollector) -> BTreeSet<Lookup> {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() {
        collector.visit_tree(&parsed.tree);
    }
    collector.found
}

/// What of a query is collected.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Reads {
    /// The comparisons that an index can serve.
    #[default]
    Indexed,
    /// All comparisons.
    Compared,
    /// What rows are ordered by, the greatest first.
    Ordered,
}

/// A visitor that collects the lookups of a query.
#[derive(Default)]
struct LookupCollector {
    reads: Reads,
    /// The labels or types of each variable.
    targets: BTreeMap<Box<str>, BTreeSet<Target>>,
    found: BTreeSet<Lookup>,
    /// Whether the part being read is a matched pattern, and whether it is a condition of one.
    in_pattern: bool,
    in_condition: bool,
}

impl LookupCollector {
    fn within(&mut self, pattern: bool, condition: bool, read: impl FnOnce(&mut Self)) {
        let outer = (self.in_pattern, self.in_condition);
        (self.in_pattern, self.in_condition) = (pattern, condition);
        read(self);
        (self.in_pattern, self.in_condition) = outer;
    }

    fn element(
        &mut self,
        variable: Option<&Name>,
        names: Option<&LabelExpression>,
        properties: Option<&Expression>,
        target: fn(String) -> Target,
    ) {
        if !self.in_pattern {
            return;
        }
        // A negated label, or one made from an expression, names no label to look in.
        let Some(names) = names.and_then(named) else { return };
        let targets: BTreeSet<_> = names.into_iter().map(|name| target(name.to_owned())).collect();
        if self.reads != Reads::Ordered
            && let Some(ExpressionKind::Map(entries)) = properties.map(|properties| &properties.kind)
        {
            for (key, _) in entries {
                self.add(&targets, key);
            }
        }
        if let Some(variable) = variable {
            self.targets.entry(variable.text.clone()).or_default().extend(targets);
        }
    }

    /// Adds `variable.property` as an operand of a comparison.
    fn compared(&mut self, expression: &Expression) {
        let expression = match Case::from_expression(expression).filter(|_| self.reads == Reads::Compared) {
            Some((_, property)) => property,
            None => expression,
        };
        if let ExpressionKind::Property { base, key } = &expression.kind
            && let ExpressionKind::Variable(variable) = &base.kind
            && let Some(targets) = self.targets.get(&variable.text)
        {
            self.add(&targets.clone(), key);
        }
    }

    fn add(&mut self, targets: &BTreeSet<Target>, property: &Name) {
        for target in targets {
            self.found.insert(Lookup { target: target.clone(), property: property.text.to_string() });
        }
    }
}

impl Visit for LookupCollector {
    fn visit_clause(&mut self, clause: &Clause) {
        let (pattern, condition) = match clause.kind {
            ClauseKind::Match(_) => (true, true),
            ClauseKind::Merge(_) => (true, false),
            _ => (false, false),
        };
        self.within(pattern, condition, |collector| walk_clause(collector, clause));
    }

    fn visit_node(&mut self, node: &NodePattern) {
        self.element(node.variable.as_ref(), node.labels.as_ref(), node.properties.as_deref(), Target::Label);
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, found: &RelationshipPattern) {
        let properties = found.properties.as_deref();
        self.element(found.variable.as_ref(), found.types.as_ref(), properties, Target::RelationshipType);
        walk_relationship(self, found);
    }

    fn visit_projection(&mut self, projection: &Projection) {
        walk_projection(self, projection);
        if self.reads != Reads::Ordered {
            return;
        }
        for item in projection.page.order.iter().filter(|item| item.descending) {
            self.compared(item.value(&projection.items));
        }
    }

    fn visit_expression(&mut self, expression: &Expression) {
        if self.in_condition && self.reads != Reads::Ordered {
            match &expression.kind {
                ExpressionKind::Comparison { first, rest } => {
                    let mut left = &**first;
                    for (operator, right) in rest {
                        if *operator != ComparisonOperator::NotEqual {
                            self.compared(left);
                            self.compared(right);
                        }
                        left = right;
                    }
                }
                ExpressionKind::Binary {
                    operator: BinaryOperator::In | BinaryOperator::StartsWith,
                    left,
                    ..
                } => self.compared(left),
                ExpressionKind::Binary {
                    operator: BinaryOperator::Contains | BinaryOperator::EndsWith,
                    left,
                    ..
                } if self.reads == Reads::Compared => self.compared(left),
                _ => {}
            }
        }
        // `EXISTS { (a)-->(b) }` matches its pattern without a MATCH.
        let in_bare_pattern = matches!(
            &expression.kind,
            ExpressionKind::Subquery(subquery) if matches!(subquery.body, SubqueryBody::Patterns { .. })
        );
        let (pattern, condition) = (self.in_pattern || in_bare_pattern, self.in_condition || in_bare_pattern);
        self.within(pattern, condition, |collector| walk_expression(collector, expression));
    }
}

/// Returns the names of a label expression that only joins names.
fn named(labels: &LabelExpression) -> Option<Vec<&str>> {
    match &labels.kind {
        LabelKind::Name(name) => Some(vec![&*name.text]),
        LabelKind::And(parts) | LabelKind::Or(parts) | LabelKind::Colons(parts) => {
            parts.iter().map(named).collect::<Option<Vec<_>>>().map(|names| names.concat())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        named_all(&lookups(text))
    }

    fn named_all(found: &BTreeSet<Lookup>) -> String {
        let shown = found.iter().map(|lookup| match &lookup.target {
            Target::Label(label) => format!("(:{label}).{}", lookup.property),
            Target::RelationshipType(kind) => format!("[:{kind}].{}", lookup.property),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comparisons_that_an_index_serves_are_found() {
        assert_eq!(
            shown("MATCH (n:A) WHERE n.x = 1 AND 2 < n.y AND n.z IN [1] RETURN n"),
            "(:A).x (:A).y (:A).z"
        );
        assert_eq!(shown("MATCH (n:A) WHERE n.`full name` STARTS WITH 'x' RETURN n"), "(:A).full name");
        assert_eq!(shown("MATCH ()-[r:R {since: 1}]->(:B WHERE true) RETURN r"), "[:R].since");
        assert_eq!(shown("MATCH (n:A|B {x: 1}) RETURN n"), "(:A).x (:B).x");
        assert_eq!(shown("MERGE (n:A {x: 1}) ON CREATE SET n.y = 2"), "(:A).x");
    }

    #[test]
    fn what_no_index_serves_is_left_out() {
        for text in [
            "MATCH (n:A) RETURN n.x = 1",
            "MATCH (n {x: 1}) RETURN n",
            "MATCH (n:!A {x: 1}) RETURN n",
            "MATCH (n:A) WHERE toLower(n.x) = 'a' RETURN n",
            "MATCH (n:A) WHERE n.x <> 1 OR n.x CONTAINS 'a' RETURN n",
            "MATCH (n:A) WITH n WHERE n.x = 1 RETURN n",
            "CREATE (n:A {x: 1})",
            "MATCH (n:A {x: ",
        ] {
            assert_eq!(shown(text), "", "{text}");
        }
    }

    #[test]
    fn comparisons_that_no_index_serves_are_found_where_they_are_asked_for() {
        let text = "MATCH (n:A)-[r:R]->() WHERE toLower(n.x) = 'a' AND n.y CONTAINS 'b' AND toUpper(r.z) ENDS WITH 'C' RETURN n";
        assert_eq!(named_all(&comparisons(text)), "(:A).x (:A).y [:R].z");
    }

    #[test]
    fn subqueries_are_read_too() {
        let text = "MATCH (n:A) WHERE EXISTS { (n)-->(b:B {x: 1}) } AND COUNT { MATCH (c:C) WHERE c.y > 1 } > 2 RETURN n";
        assert_eq!(shown(text), "(:B).x (:C).y");
    }
}
