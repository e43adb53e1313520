//! Finds what makes a plan slow, and what helps.

use graphwright_core::{Plan, schema::Target};
use graphwright_cypher::Lookup;
use serde::Serialize;

/// The part of the plan's database hits from which an operator counts as having many.
const MANY_HITS: f64 = 0.25;

/// What was found at an operator of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// Reads everything of its kind.
    Scan,
    /// Combines each row of one side with each row of the other.
    CartesianProduct,
    /// Takes all rows before it gives the first.
    Eager,
    /// Has at least a quarter of all database hits.
    ManyHits,
    /// No index serves what the query looks up.
    MissingIndex,
}

/// A reason why a plan is slow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The operator, counted from 1 in the order of [`Plan::operators`]. `None` if the plan does
    /// not show it.
    pub operator: Option<usize>,
    /// A message for people.
    pub message: String,
    /// An index that would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<MissingIndex>,
}

/// An index that queries could use and the store does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingIndex {
    /// The label or relationship type.
    pub target: Target,
    /// The property.
    pub property: String,
}

impl From<&Lookup> for MissingIndex {
    fn from(lookup: &Lookup) -> Self {
        Self { target: lookup.target.clone(), property: lookup.property.clone() }
    }
}

/// Finds what makes a plan slow. `missing` are the look-ups of its query that no index serves.
pub(crate) fn findings(plan: &Plan, missing: &[Lookup]) -> Vec<Finding> {
    let operators = plan.operators();
    let hits = |plan: &Plan| plan.db_hits.unwrap_or(0) as f64;
    let all_hits: f64 = operators.iter().map(|(_, operator)| hits(operator)).sum();
    let mut found = Vec::new();
    let mut told = Vec::new();
    for (number, (_, operator)) in (1..).zip(&operators) {
        let add = |kind, message: String, index| Finding { kind, operator: Some(number), message, index };
        if let Some(scanned) = scanned(operator) {
            let here = missing.iter().filter(|lookup| scanned.includes(&lookup.target)).collect::<Vec<_>>();
            let message = scanned.to_string();
            if here.is_empty() {
                found.push(add(FindingKind::Scan, message.clone(), None));
            }
            for lookup in here {
                found.push(add(
                    FindingKind::Scan,
                    format!("{message}; an index on {} would serve", lookup.property),
                    Some(lookup.into()),
                ));
                told.push(lookup);
            }
        } else if operator.operator == "CartesianProduct" {
            let message = "puts each row of one side with each row of the other: connect the patterns, if they belong together";
            found.push(add(FindingKind::CartesianProduct, message.to_owned(), None));
        } else if operator.operator == "Eager" {
            let message = "takes all rows before it gives the first, so that what is written does not change what is read";
            found.push(add(FindingKind::Eager, message.to_owned(), None));
        }
        if all_hits > 0.0 && hits(operator) >= all_hits * MANY_HITS {
            let share = hits(operator) / all_hits * 100.0;
            found.push(add(FindingKind::ManyHits, format!("has {share:.0} % of the database hits"), None));
        }
    }
    let untold = missing.iter().filter(|lookup| !told.contains(lookup));
    found.extend(untold.map(|lookup| Finding {
        kind: FindingKind::MissingIndex,
        operator: None,
        message: format!(
            "{} are looked up by {}, and no index serves that",
            all_of(&lookup.target),
            lookup.property
        ),
        index: Some(lookup.into()),
    }));
    found
}

/// What a scan reads.
#[derive(Debug, PartialEq)]
enum Scanned {
    AllNodes,
    AllRelationships,
    Labels(Vec<String>),
    Types(Vec<String>),
}

impl Scanned {
    fn includes(&self, target: &Target) -> bool {
        match (self, target) {
            (Self::Labels(names), Target::Label(name))
            | (Self::Types(names), Target::RelationshipType(name)) => names.contains(name),
            _ => false,
        }
    }
}

impl std::fmt::Display for Scanned {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AllNodes => formatter.write_str("reads all nodes: a label in the pattern would narrow it"),
            Self::AllRelationships => {
                formatter.write_str("reads all relationships: a type in the pattern would narrow it")
            }
            Self::Labels(names) => write!(formatter, "reads all nodes labelled {}", names.join(" or ")),
            Self::Types(names) => write!(formatter, "reads all relationships of type {}", names.join(" or ")),
        }
    }
}

fn all_of(target: &Target) -> String {
    match target {
        Target::Label(label) => format!("nodes labelled {label}"),
        Target::RelationshipType(kind) => format!("relationships of type {kind}"),
    }
}

/// Tells what an operator of Neo4j scans. The
/// [names](https://neo4j.com/docs/cypher-manual/current/planning-and-tuning/operators/) may begin
/// with `Directed`, `Undirected`, `Union`, `Intersection`, `Subtraction` or `Partitioned`.
fn scanned(operator: &Plan) -> Option<Scanned> {
    let name = operator.operator.as_str();
    let details = operator.details.as_deref().unwrap_or_default();
    if name.ends_with("AllNodesScan") {
        Some(Scanned::AllNodes)
    } else if name.ends_with("AllRelationshipsScan") {
        Some(Scanned::AllRelationships)
    } else if name.ends_with("ByLabelScan") || name.ends_with("ByLabelsScan") {
        Some(Scanned::Labels(names(details.split_once(':')?.1)))
    } else if name.ends_with("RelationshipTypeScan") || name.ends_with("RelationshipTypesScan") {
        let within = details.split_once('[')?.1.split_once(':')?.1;
        Some(Scanned::Types(names(within.split(']').next().unwrap_or(within))))
    } else {
        None
    }
}

/// Splits `A|B`, `A&B` or `A:B`, with or without back-ticks.
fn names(text: &str) -> Vec<String> {
    let names = text.split(['|', '&', ':', '!']).map(str::trim);
    names.filter(|name| !name.is_empty()).map(|name| name.trim_matches('`').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operator(name: &str, details: &str, db_hits: u64) -> Plan {
        Plan {
            operator: name.to_owned(),
            details: Some(details.to_owned()),
            db_hits: Some(db_hits),
            ..Plan::default()
        }
    }

    fn lookup(target: Target, property: &str) -> Lookup {
        Lookup { target, property: property.to_owned() }
    }

    #[test]
    fn a_scan_says_which_index_would_serve() {
        let scan = operator("NodeByLabelScan", "p:Person", 90);
        let plan = Plan { children: vec![scan], ..operator("Filter", "p.name = $name", 10) };
        let missing = [lookup(Target::Label("Person".to_owned()), "name")];
        let found = findings(&plan, &missing);
        let shown: Vec<_> = found
            .iter()
            .map(|found| {
                (found.operator, found.kind, found.index.as_ref().map(|index| index.property.as_str()))
            })
            .collect();
        assert_eq!(
            shown,
            [(Some(2), FindingKind::Scan, Some("name")), (Some(2), FindingKind::ManyHits, None),]
        );
    }

    #[test]
    fn what_the_plan_does_not_show_is_found_in_the_query() {
        let kind = Target::RelationshipType("OWNS IT".to_owned());
        let found = findings(&operator("Match", ":A", 0), &[lookup(kind.clone(), "since")]);
        assert_eq!(found.len(), 1);
        let index = found[0].index.as_ref().unwrap();
        assert_eq!(*index, MissingIndex { target: kind, property: "since".to_owned() });
    }

    #[test]
    fn scans_are_known_by_their_names() {
        let read = |name: &str, details: &str| scanned(&operator(name, details, 0));
        let labels =
            |names: &[&str]| Some(Scanned::Labels(names.iter().map(|&name| name.to_owned()).collect()));
        assert_eq!(read("AllNodesScan", "n"), Some(Scanned::AllNodes));
        assert_eq!(read("NodeByLabelScan", "n:`My Label`"), labels(&["My Label"]));
        assert_eq!(read("UnionNodeByLabelsScan", "n:A|B"), labels(&["A", "B"]));
        assert_eq!(
            read("DirectedRelationshipTypeScan", "(a)-[r:KNOWS]->(b)"),
            Some(Scanned::Types(vec!["KNOWS".to_owned()]))
        );
        assert_eq!(read("UndirectedAllRelationshipsScan", "(a)-[r]-(b)"), Some(Scanned::AllRelationships));
        assert_eq!(read("NodeIndexSeek", "RANGE INDEX p:Person(name) WHERE name = $name"), None);
    }
}
