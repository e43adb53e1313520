//! The names of a graph: of its entities and documents.

use graphwright_core::{Value, names};

use crate::{Candidate, NameDictionary, NodeIndex, Role, Topology};

/// An index of all names in a graph.
///
/// Names are the property `name`, else `title`, and every text property whose own name ends in one of these; and the
/// `aliases`.
///
/// ```
/// use graphwright_core::{ElementId, Node, Properties};
/// use graphwright_retrieve::{NameIndex, Topology};
///
/// let service = Node {
///     element_id: ElementId::new("1"),
///     labels: vec!["Service".into()],
///     properties: Properties::from([
///         ("name".into(), "auth-service".into()),
///         ("language".into(), "Go".into()),
///     ]),
/// };
/// let topology = Topology::from_parts("v1", vec![service], vec![]);
/// let names = NameIndex::build(&topology);
/// assert_eq!(names.find("Auth Service")[0].target, topology.node_by_id("1").unwrap());
/// ```
#[derive(Debug, Default)]
pub struct NameIndex {
    dictionary: NameDictionary<NodeIndex>,
}

impl NameIndex {
    /// Indexes the names in a graph.
    pub fn build(topology: &Topology) -> Self {
        let mut dictionary = NameDictionary::new();
        for index in topology.nodes() {
            let role = topology.role(index);
            if !matches!(role, Role::Entity | Role::Document) {
                continue;
            }
            let node = topology.node(index);
            let name = node.name();
            if let Some(name) = name {
                dictionary.insert(name, index);
            }
            for (property, value) in &node.properties {
                let named = property == names::ALIASES || is_naming(property);
                if named {
                    for text in texts(value).filter(|&text| Some(text) != name) {
                        dictionary.insert_alias(text, index);
                    }
                }
            }
        }
        Self { dictionary }
    }

    /// The nodes that a text names with certainty, best first.
    pub fn find(&self, text: &str) -> Vec<Candidate<NodeIndex>> {
        self.dictionary.find(text)
    }

    /// The nodes that a text may mean, best first ([`NameDictionary::suggest`]).
    pub fn suggest(&self, text: &str, limit: usize) -> Vec<Candidate<NodeIndex>> {
        self.dictionary.suggest(text, limit)
    }
}

fn is_naming(property: &str) -> bool {
    let lower = property.to_ascii_lowercase();
    lower.ends_with("name") || lower.ends_with("title")
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
        Agreement,
        fixture::{at, node, properties},
    };

    #[test]
    fn names_and_aliases_are_found() {
        let mut auth = node("Service:auth-service");
        auth.properties.insert("aliases".into(), vec!["Login"].into());
        auth.properties.insert("language".into(), "Go".into());
        let mut pay = node("Service:pay");
        pay.properties.insert("language".into(), "Go".into());
        let chunk = node("Chunk:auth-service 0");
        let topology = Topology::from_parts("1", vec![auth, pay, chunk], vec![]);
        let index = NameIndex::build(&topology);
        let auth = at(&topology, "auth-service");

        let found = index.find("Auth Service");
        assert_eq!((found.len(), found[0].target, found[0].agreement), (1, auth, Agreement::Name));
        assert_eq!(index.find("login")[0].agreement, Agreement::Alias);
        assert!(index.find("Go").is_empty());
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
        let topology = Topology::from_parts("1", nodes, vec![]);
        let index = NameIndex::build(&topology);
        for (name, id) in [("Ledger", "ledger"), ("billing", "n2"), ("main gateway", "n3")] {
            assert_eq!(index.find(name)[0].target, at(&topology, id), "{name}");
        }
        assert!(index.find("n3").is_empty());
    }
}
