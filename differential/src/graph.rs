//! The graphs on which queries run.

mod literal;

use graphwright_core::{Properties, Value};
use serde::{Deserialize, Serialize};

pub(crate) use literal::literal;
use literal::members;

use crate::random::Random;

/// A small graph. Every node has a unique number in `i`, and every relationship one in `e`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The relationships.
    pub relationships: Vec<GraphRelationship>,
}

/// A node of a [`Graph`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphNode {
    /// The labels.
    pub labels: Vec<String>,
    /// The properties.
    pub properties: Properties,
}

/// A relationship of a [`Graph`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphRelationship {
    /// The index of the node where it starts.
    pub from: usize,
    /// The index of the node where it ends.
    pub to: usize,
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The properties.
    pub properties: Properties,
}

pub(crate) const LABELS: [&str; 4] = ["A", "B", "C", "D"];
pub(crate) const TYPES: [&str; 3] = ["R", "S", "T"];

/// The texts of properties.
pub(crate) const TEXTS: [&str; 8] = ["ab", "abc", "b", "Ab", "", "x y", "é", "bcd"];

impl Graph {
    /// Creates a random graph with parallel relationships, self-loops, nodes with several labels or
    /// none, and missing and mixed properties.
    pub(crate) fn random(random: &mut Random, nodes: usize, relationships: usize) -> Self {
        let mut graph = Self::default();
        for number in 0..nodes {
            graph.nodes.push(node(random, number));
        }
        for number in 0..relationships {
            let from = random.below(nodes);
            let mut to = random.below(nodes);
            if random.chance(6) {
                to = from;
            }
            let mut made = relationship(random, from, to, number);
            if let Some(last) = graph.relationships.last()
                && random.chance(15)
            {
                made.from = last.from;
                made.to = last.to;
                if random.chance(60) {
                    made.kind.clone_from(&last.kind);
                }
            }
            graph.relationships.push(made);
        }
        graph
    }

    /// Returns the statement that creates the graph, or `None` if it is empty.
    pub(crate) fn statement(&self) -> Option<String> {
        let nodes = self.nodes.iter().enumerate().map(|(place, node)| {
            let labels: String = node.labels.iter().map(|label| format!(":{label}")).collect();
            format!("(n{place}{labels} {})", members(&node.properties))
        });
        let relationships = self.relationships.iter().map(|relationship| {
            let GraphRelationship { from, to, kind, properties } = relationship;
            format!("(n{from})-[:{kind} {}]->(n{to})", members(properties))
        });
        let parts: Vec<_> = nodes.chain(relationships).collect();
        (!parts.is_empty()).then(|| format!("CREATE {}", parts.join(",\n")))
    }

    /// Returns all graphs without one relationship, one node with its relationships, one label or
    /// one property.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for place in 0..self.nodes.len() {
            found.push(self.without_node(place));
        }
        for place in 0..self.relationships.len() {
            let mut graph = self.clone();
            graph.relationships.remove(place);
            found.push(graph);
        }
        for place in 0..self.nodes.len() {
            for name in self.nodes[place].properties.keys() {
                let mut graph = self.clone();
                graph.nodes[place].properties.remove(name);
                found.push(graph);
            }
            for label in 0..self.nodes[place].labels.len() {
                let mut graph = self.clone();
                graph.nodes[place].labels.remove(label);
                found.push(graph);
            }
        }
        for place in 0..self.relationships.len() {
            for name in self.relationships[place].properties.keys() {
                let mut graph = self.clone();
                graph.relationships[place].properties.remove(name);
                found.push(graph);
            }
        }
        found
    }

    fn without_node(&self, place: usize) -> Self {
        let mut graph = self.clone();
        graph.nodes.remove(place);
        graph.relationships.retain(|relationship| relationship.from != place && relationship.to != place);
        for relationship in &mut graph.relationships {
            relationship.from -= usize::from(relationship.from > place);
            relationship.to -= usize::from(relationship.to > place);
        }
        graph
    }

    /// Returns the relationships at a node, each with the node at its other end and whether it
    /// leads away.
    pub(crate) fn at(&self, node: usize) -> Vec<(usize, usize, bool)> {
        let ends = self.relationships.iter().enumerate();
        ends.flat_map(|(place, relationship)| {
            let out = (relationship.from == node).then_some((place, relationship.to, true));
            let back = (relationship.to == node && relationship.from != node).then_some((
                place,
                relationship.from,
                false,
            ));
            out.into_iter().chain(back)
        })
        .collect()
    }
}

fn node(random: &mut Random, number: usize) -> GraphNode {
    let mut labels: Vec<String> = Vec::new();
    let wanted = [1, 1, 1, 2, 2, 3, 0][random.below(7)];
    while labels.len() < wanted {
        let label = random.word(&LABELS).to_owned();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    // Each store reorders labels in its own way, unless they are given sorted.
    labels.sort_unstable();
    let mut properties = Properties::from([("i".to_owned(), Value::from(number))]);
    let mut put = |random: &mut Random, percent, name: &str, value: Value| {
        if random.chance(percent) {
            properties.insert(name.to_owned(), value);
        }
    };
    let text = random.word(&TEXTS);
    put(random, 80, "s", Value::from(text));
    let integer = random.below(6);
    put(random, 75, "v", Value::from(integer));
    let number = [0.5, 1.5, 2.5, -1.25][random.below(4)];
    put(random, 65, "f", Value::from(number));
    let truth = random.chance(50);
    put(random, 60, "t", Value::from(truth));
    let date = date(random);
    put(random, 60, "d", Value::from(date));
    let time = date.at(random.below(24) as i8, random.below(60) as i8, 0, 0);
    put(random, 40, "dt", Value::from(time));
    let integers: Vec<_> = (0..random.below(4)).map(|_| random.below(6)).collect();
    put(random, 60, "l", Value::from(integers));
    let texts: Vec<_> = (0..random.below(4)).map(|_| random.word(&TEXTS)).collect();
    put(random, 45, "ls", Value::from(texts));
    let mixed = mixed(random);
    put(random, 70, "m", mixed);
    let name = random.word(&["Ann", "Bob", "Cid", "ann"]);
    put(random, 70, "name", Value::from(name));
    let kind = random.word(&TYPES);
    put(random, 40, "type", Value::from(kind));
    GraphNode { labels, properties }
}

fn relationship(random: &mut Random, from: usize, to: usize, number: usize) -> GraphRelationship {
    let mut properties = Properties::from([("e".to_owned(), Value::from(number))]);
    if random.chance(75) {
        properties.insert("w".to_owned(), Value::from(random.below(5)));
    }
    if random.chance(50) {
        properties.insert("k".to_owned(), Value::from(random.word(&TEXTS)));
    }
    if random.chance(30) {
        properties.insert("since".to_owned(), Value::from(date(random)));
    }
    GraphRelationship { from, to, kind: random.word(&TYPES).to_owned(), properties }
}

fn date(random: &mut Random) -> jiff::civil::Date {
    jiff::civil::date(2018 + random.below(4) as i16, 1 + random.below(12) as i8, 1 + random.below(28) as i8)
}

fn mixed(random: &mut Random) -> Value {
    match random.below(7) {
        0 => Value::from(random.below(4)),
        1 => Value::from(random.below(4) as f64 + 0.5),
        2 => Value::from(random.word(&TEXTS)),
        3 => Value::from(random.chance(50)),
        4 => Value::from(date(random)),
        5 => Value::from(vec![random.below(3), random.below(3)]),
        _ => Value::from("1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_graph_has_what_queries_should_meet() {
        let graph = Graph::random(&mut Random::new(7, 0), 40, 120);
        let pairs = |graph: &Graph| graph.relationships.iter().map(|r| (r.from, r.to)).collect::<Vec<_>>();
        let ends = pairs(&graph);
        assert!(ends.iter().any(|(from, to)| from == to), "self-loops");
        assert!(ends.iter().enumerate().any(|(place, pair)| ends[..place].contains(pair)), "parallel");
        assert!(graph.nodes.iter().any(|node| node.labels.len() > 1), "several labels");
        assert!(graph.nodes.iter().any(|node| node.labels.is_empty()), "no label");
        let kinds: std::collections::BTreeSet<_> =
            graph.nodes.iter().filter_map(|node| node.properties.get("m")).map(Value::type_name).collect();
        assert!(kinds.len() > 3, "mixed types: {kinds:?}");
    }

    #[test]
    fn taking_a_node_away_keeps_the_ends_of_the_others() {
        let graph = Graph::random(&mut Random::new(7, 1), 6, 12);
        let ends = |graph: &Graph, relationship: &GraphRelationship| {
            [relationship.from, relationship.to].map(|end| graph.nodes[end].properties.clone())
        };
        for place in 0..graph.nodes.len() {
            let smaller = graph.without_node(place);
            assert_eq!(smaller.nodes.len(), 5);
            for relationship in &smaller.relationships {
                let number = &relationship.properties["e"];
                let before = graph.relationships.iter().find(|other| other.properties["e"] == *number);
                let before = before.map(|before| ends(&graph, before));
                assert_eq!(before, Some(ends(&smaller, relationship)));
            }
        }
    }
}
