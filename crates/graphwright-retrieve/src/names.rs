//! Indexes the names in a graph: entities, documents, and property values.

use std::collections::BTreeMap;

use graphwright_core::{Value, names};

use crate::{Candidate, Lexicon, NodeIndex, Role, TextMatch, Topology};

/// Maximum length of a property value, in characters, that people may name. Longer ones are texts.
const LONGEST_VALUE: usize = 60;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameTarget {
    /// A node.
    Node(NodeIndex),
    /// A value of a property; see [`NameIndex::value`].
    Value(ValueIndex),
}

/// Index of a property value in its [`NameIndex`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueIndex(u32);

/// A value that a property of a label has in the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyValue {
    /// Label of the nodes.
    pub label: String,
    /// Name of the property.
    pub property: String,
    /// The value.
    pub value: String,
    /// Nodes that have the value.
    pub nodes: Vec<NodeIndex>,
}

/// An index of all names in a graph.
///
/// Names are: the property `name`, or `title` if there is no `name`; every text property whose own
/// name ends in one of these; the `aliases`; and short text values of the other properties of
/// entities.
///
/// ```
/// use graphwright_core::{ElementId, Node, Properties};
/// use graphwright_retrieve::{NameIndex, Topology, TopologyOptions};
///
/// let service = Node {
///     element_id: ElementId::new("1"),
///     labels: vec!["Service".into()],
///     properties: Properties::from([
///         ("name".into(), "auth-service".into()),
///         ("language".into(), "Go".into()),
///     ]),
/// };
/// let topology = Topology::from_parts("v1", vec![service], vec![], &TopologyOptions::default());
/// let names = NameIndex::build(&topology);
/// assert_eq!(names.find_nodes("Auth Service")[0].0, topology.node_by_id("1").unwrap());
/// assert_eq!(names.values()[0].property, "language");
/// ```
#[derive(Debug, Default)]
pub struct NameIndex {
    lexicon: Lexicon<NameTarget>,
    values: Vec<PropertyValue>,
}

impl NameIndex {
    /// Indexes the names in a graph.
    pub fn build(topology: &Topology) -> Self {
        let mut lexicon = Lexicon::new();
        let mut values: BTreeMap<(&str, &str, &str), Vec<NodeIndex>> = BTreeMap::new();
        for index in topology.nodes() {
            let role = topology.role(index);
            if !matches!(role, Role::Entity | Role::Document) {
                continue;
            }
            let node = topology.node(index);
            let name = node.name();
            if let Some(name) = name {
                lexicon.insert(name, NameTarget::Node(index));
            }
            for (property, value) in &node.properties {
                let named = property == names::ALIASES || is_naming(property);
                for text in texts(value).filter(|&text| Some(text) != name || !named) {
                    if named {
                        lexicon.insert_alias(text, NameTarget::Node(index));
                    } else if role == Role::Entity && is_value(property, text) {
                        values.entry((node.kind(), property, text)).or_default().push(index);
                    }
                }
            }
        }
        let values: Vec<PropertyValue> = values
            .into_iter()
            .map(|((label, property, value), nodes)| PropertyValue {
                label: label.to_owned(),
                property: property.to_owned(),
                value: value.to_owned(),
                nodes,
            })
            .collect();
        for (position, value) in values.iter().enumerate() {
            lexicon.insert(&value.value, NameTarget::Value(ValueIndex(position as u32)));
        }
        Self { lexicon, values }
    }

    /// Returns a property value.
    ///
    /// # Panics
    /// If the index belongs to another [`NameIndex`].
    pub fn value(&self, value: ValueIndex) -> &PropertyValue {
        &self.values[value.0 as usize]
    }

    /// Returns all property values, sorted by label, property and value.
    pub fn values(&self) -> &[PropertyValue] {
        &self.values
    }

    /// Returns what a text names with certainty, best first.
    pub fn find(&self, text: &str) -> Vec<Candidate<NameTarget>> {
        self.lexicon.find(text)
    }

    /// Returns the nodes that a text names with certainty, best first.
    pub fn find_nodes(&self, text: &str) -> Vec<(NodeIndex, Candidate<NameTarget>)> {
        let nodes = self.lexicon.find(text).into_iter().filter_map(|candidate| match candidate.target {
            NameTarget::Node(node) => Some((node, candidate)),
            NameTarget::Value(_) => None,
        });
        nodes.collect()
    }

    /// Returns what a text may mean, best first; see [`Lexicon::suggest`].
    pub fn suggest(&self, text: &str, limit: usize) -> Vec<Candidate<NameTarget>> {
        self.lexicon.suggest(text, limit)
    }

    /// Finds all places in a text that name something; see [`Lexicon::scan`].
    pub fn scan(&self, text: &str) -> Vec<TextMatch<NameTarget>> {
        self.lexicon.scan(text)
    }
}

fn is_naming(property: &str) -> bool {
    let lower = property.to_ascii_lowercase();
    lower.ends_with("name") || lower.ends_with("title")
}

/// Returns whether a value is short and not one of our own notes.
fn is_value(property: &str, text: &str) -> bool {
    !names::is_reserved(property) && text.chars().nth(LONGEST_VALUE).is_none()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_list().unwrap_or_default();
    value.as_str().into_iter().chain(list.iter().filter_map(Value::as_str))
}

#[cfg(test)]
mod tests {
    use graphwright_core::{ElementId, Node};

    use super::*;
    use crate::{
        Agreement, TopologyOptions,
        fixture::{at, node, properties},
    };

    #[test]
    fn names_aliases_and_values_are_found() {
        let mut auth = node("Service:auth-service");
        auth.properties.insert("aliases".into(), vec!["Login"].into());
        auth.properties.insert("language".into(), "Go".into());
        let mut pay = node("Service:pay");
        pay.properties.insert("language".into(), "Go".into());
        let chunk = node("Chunk:auth-service 0");
        let topology = Topology::from_parts("1", vec![auth, pay, chunk], vec![], &TopologyOptions::default());
        let index = NameIndex::build(&topology);
        let auth = at(&topology, "auth-service");

        let found = index.find_nodes("Auth Service");
        assert_eq!((found.len(), found[0].0, found[0].1.agreement), (1, auth, Agreement::Name));
        assert_eq!(index.find_nodes("login")[0].1.agreement, Agreement::Alias);

        let text = "Is the auth service written in Go?";
        let matches = index.scan(text);
        let spans: Vec<&str> = matches.iter().map(|found| &text[found.start..found.end]).collect();
        assert_eq!(spans, ["auth service", "Go"]);
        let NameTarget::Value(value) = matches[1].candidates[0].target else { panic!("a value") };
        let value = index.value(value);
        assert_eq!(
            (value.label.as_str(), value.property.as_str(), value.nodes.len()),
            ("Service", "language", 2)
        );
    }

    #[test]
    fn a_name_is_one_also_when_it_is_the_identifier_and_an_identifier_alone_is_none() {
        let named = |id: &str, properties| Node {
            element_id: ElementId::new(id),
            labels: vec!["Service".into()],
            properties,
        };
        let same = named("ledger", properties(&[("name", "ledger".into())]));
        let titled = named("n2", properties(&[("title", "Billing".into())]));
        let full = named("n3", properties(&[("fullName", "Main Gateway".into())]));
        let nodes = vec![same, titled, full];
        let topology = Topology::from_parts("1", nodes, vec![], &TopologyOptions::default());
        let index = NameIndex::build(&topology);
        for (name, id) in [("Ledger", "ledger"), ("billing", "n2"), ("main gateway", "n3")] {
            assert_eq!(index.find_nodes(name)[0].0, at(&topology, id), "{name}");
        }
        assert!(index.find("n3").is_empty());
    }
}
