//! The tool `count_and_sample`.

use std::collections::BTreeMap;

use graphwright_answer::AnswerPath;
use graphwright_core::{Properties, names};
use graphwright_retrieve::{NodeIndex, RelationshipIndex, Topology, in_words, one_item, properties_json};
use serde_json::{Value, json};

use super::{
    GraphSnapshot,
    lines::bounded,
    naming::{describe, entity, known},
};
use crate::{ToolError, ToolOutput};

/// The largest number of property values whose counts are shown.
const MOST_VALUES: usize = 20;

/// The conditions of a count.
pub(super) struct Sampling<'a> {
    pub(super) property: Option<&'a str>,
    pub(super) value: Option<&'a Value>,
    pub(super) limit: usize,
}

/// The nodes of a label, or the relationships of a type.
enum Elements {
    Nodes(Vec<NodeIndex>),
    Relationships(Vec<RelationshipIndex>),
}

/// Counts the elements of a label or relationship type, and shows some of them.
pub(super) fn count(
    graph: &GraphSnapshot,
    kind: &str,
    sampling: &Sampling<'_>,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let labels = topology.labels().map(|(label, _)| label).filter(|label| !names::is_reserved(label));
    let kinds = topology.relationship_types().map(|(kind, _)| kind);
    let all: Vec<&str> = labels.chain(kinds).collect();
    let name = known("label or relationship type", kind, all.iter().copied())?;
    let nodes = topology.nodes_with_label(name);
    let elements = if nodes.len() == 0 {
        Elements::Relationships(topology.relationships_of_type(name).collect())
    } else {
        Elements::Nodes(nodes.collect())
    };
    let total = elements.len();
    let mut text = format!("{total} {name}\n");
    let mut structured = json!({"type": name, "count": total});
    let mut chosen = elements;
    if let Some(property) = sampling.property {
        let property = known_property(topology, name, &chosen, property)?;
        let values = chosen.values(topology, &property);
        if let Some(value) = sampling.value {
            let wanted = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            chosen = chosen.with_value(topology, &property, &wanted);
            text.push_str(&format!("{} of them with {property} = {wanted}\n", chosen.len()));
            structured["matching"] = chosen.len().into();
        } else {
            let without = total - values.values().sum::<usize>();
            text.push_str(&format!("{property}: {}; without: {without}\n", most_frequent(&values)));
            structured["values"] = json!(values);
            structured["without"] = without.into();
        }
    }
    let (lines, samples) = chosen.samples(topology, sampling.limit);
    if !lines.is_empty() {
        text.push_str("For example:\n");
        text.push_str(&bounded(lines, budget));
    }
    structured["samples"] = samples;
    Ok(ToolOutput { text, structured: Some(structured) })
}

/// Writes the most frequent values with their counts, such as
/// `Go (5), Python (3), and 2 other values`.
fn most_frequent(values: &BTreeMap<String, usize>) -> String {
    let mut counted: Vec<(&String, &usize)> = values.iter().collect();
    counted.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    let shown = counted.iter().take(MOST_VALUES).map(|(value, count)| format!("{value} ({count})"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match counted.len().saturating_sub(MOST_VALUES) {
        0 => shown,
        more => format!("{shown}, and {more} other values"),
    }
}

impl Elements {
    fn len(&self) -> usize {
        match self {
            Self::Nodes(nodes) => nodes.len(),
            Self::Relationships(relationships) => relationships.len(),
        }
    }

    fn properties<'a>(&'a self, topology: &'a Topology) -> Box<dyn Iterator<Item = &'a Properties> + 'a> {
        match self {
            Self::Nodes(nodes) => Box::new(nodes.iter().map(|node| &topology.node(*node).properties)),
            Self::Relationships(relationships) => {
                Box::new(relationships.iter().map(|found| &topology.edge(*found).properties))
            }
        }
    }

    /// Counts how often each value of a property occurs.
    fn values(&self, topology: &Topology, property: &str) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for value in self.properties(topology).filter_map(|properties| properties.get(property)) {
            *counts.entry(in_words(value)).or_default() += 1;
        }
        counts
    }

    /// Keeps the elements whose property has a value, ignoring case. In a list, any item may match.
    fn with_value(self, topology: &Topology, property: &str, wanted: &str) -> Self {
        let has = |properties: &Properties| {
            let value = properties.get(property);
            let is_it = |value| in_words(value).eq_ignore_ascii_case(wanted);
            value.is_some_and(|value| match value.as_list() {
                Some(items) => items.iter().any(is_it),
                None => is_it(value),
            })
        };
        match self {
            Self::Nodes(mut nodes) => {
                nodes.retain(|node| has(&topology.node(*node).properties));
                Self::Nodes(nodes)
            }
            Self::Relationships(mut relationships) => {
                relationships.retain(|found| has(&topology.edge(*found).properties));
                Self::Relationships(relationships)
            }
        }
    }

    /// Returns the first elements, as lines for the model and as JSON for programs.
    fn samples(&self, topology: &Topology, limit: usize) -> (Vec<String>, Value) {
        match self {
            Self::Nodes(nodes) => {
                let nodes = || nodes.iter().take(limit).copied();
                let lines = nodes().map(|node| {
                    let properties = properties_json(&topology.node(node).properties);
                    let properties = if properties.is_empty() {
                        String::new()
                    } else {
                        format!(": {}", json!(properties))
                    };
                    format!("- {}{properties}", describe(topology, node))
                });
                let found = nodes().map(|node| {
                    let mut found = entity(topology, node, 1.0);
                    found["properties"] = json!(properties_json(&topology.node(node).properties));
                    found
                });
                (lines.collect(), found.collect())
            }
            Self::Relationships(relationships) => {
                let ends = |found: RelationshipIndex| {
                    let edge = topology.edge(found);
                    let name = |node| topology.node(node).display_name();
                    one_item(&format!("- {} —{}→ {}", name(edge.start), edge.kind, name(edge.end)))
                };
                let path = |found: RelationshipIndex| {
                    let edge = topology.edge(found);
                    let step =
                        graphwright_retrieve::Step { relationship: found, node: edge.end, forward: true };
                    json!(AnswerPath::from_walk(topology, edge.start, &[step]))
                };
                let found = || relationships.iter().take(limit).copied();
                (found().map(ends).collect(), found().map(path).collect())
            }
        }
    }
}

/// Finds a property by name among those that the elements have.
fn known_property(
    topology: &Topology,
    kind: &str,
    elements: &Elements,
    asked: &str,
) -> Result<String, ToolError> {
    let mut all: Vec<&str> = elements
        .properties(topology)
        .flat_map(Properties::keys)
        .map(String::as_str)
        .filter(|name| !names::is_reserved(name))
        .collect();
    all.sort_unstable();
    all.dedup();
    Ok(known(&format!("property of {kind} named"), asked, all.into_iter())?.to_owned())
}
