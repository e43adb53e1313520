//! The names of a graph: of its entities and documents.

mod written;

use std::path::{Path, PathBuf};

use graphwright_core::{Value, names};

use self::written::{Collected, WrittenNames};
use crate::{Candidate, NodeIndex, Result, RetrieveError, Role, Topology, dictionary};

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
#[derive(Debug)]
pub struct NameIndex {
    names: WrittenNames,
    /// Where the files lie; `memory` without files.
    folder: PathBuf,
}

impl NameIndex {
    /// Collects the names in a graph.
    pub fn build(topology: &Topology) -> Self {
        Self { names: WrittenNames::in_memory(&collect(topology)), folder: PathBuf::from("memory") }
    }

    /// Opens the names beside the snapshot of the graph in a folder. Makes them if they are not those of the snapshot, or are
    /// found damaged.
    pub fn open_or_build(folder: &Path, topology: &Topology) -> Self {
        match WrittenNames::open(folder, &topology.fingerprint()) {
            Some(names) => Self { names, folder: folder.to_owned() },
            None => Self::build_in(folder, topology),
        }
    }

    /// Makes the names beside the snapshot of the graph in a folder anew; in memory where the folder cannot be written.
    pub fn build_in(folder: &Path, topology: &Topology) -> Self {
        let collected = collect(topology);
        let written = WrittenNames::write(folder, &topology.fingerprint(), &collected);
        let names = written.unwrap_or_else(|error| {
            tracing::warn!("{error}; the names of the graph are collected in memory");
            WrittenNames::in_memory(&collected)
        });
        Self { names, folder: folder.to_owned() }
    }

    /// Says what was found not to be as it was written, if something was. Such names are not found.
    pub fn damage(&self) -> Option<&str> {
        self.names.damage()
    }

    /// Fails if something was found not to be as it was written.
    ///
    /// # Errors
    /// [`RetrieveError::DamagedTopology`].
    pub fn require_whole(&self) -> Result<()> {
        self.damage().map_or(Ok(()), |message| {
            Err(RetrieveError::DamagedTopology { path: self.folder.clone(), message: message.to_owned() })
        })
    }

    /// The nodes that a text names with certainty, best first.
    pub fn find(&self, text: &str) -> Vec<Candidate<NodeIndex>> {
        dictionary::find(&self.names, text)
    }

    /// The nodes that a text may mean, best first ([`NameDictionary::suggest`](crate::NameDictionary::suggest)).
    pub fn suggest(&self, text: &str, limit: usize) -> Vec<Candidate<NodeIndex>> {
        dictionary::suggest(&self.names, text, limit)
    }
}

/// Lists the names of a graph.
fn collect(topology: &Topology) -> Collected {
    let mut collected = Collected::default();
    for index in topology.nodes() {
        if !matches!(topology.role(index), Role::Entity | Role::Document) {
            continue;
        }
        let node = topology.read_node(index);
        let name = node.name();
        if let Some(name) = name {
            collected.add(name, index, false);
        }
        for (property, value) in &node.properties {
            if property == names::ALIASES || is_naming(property) {
                for text in texts(value).filter(|&text| Some(text) != name) {
                    collected.add(text, index, true);
                }
            }
        }
    }
    collected
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
