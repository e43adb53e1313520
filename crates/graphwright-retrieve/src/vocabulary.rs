//! What questions are read by: the words of names and values, and what types have and connect.
//!
//! It is made by reading the whole graph once, and lies beside the snapshot: reading a question then costs the same for a
//! small graph and a large one.

mod collect;
mod entry;
mod summary;
#[cfg(test)]
mod tests;
mod written;

use std::path::{Path, PathBuf};

use graphwright_core::{Node, Value, names};

use self::{collect::Collected, written::Written};
use crate::{NodeIndex, Topology};

pub use summary::{Content, Pattern, PropertySummary, Summary};

/// The words of a graph.
///
/// ```
/// use std::collections::BTreeMap;
/// use graphwright_core::{ElementId, Node, Value};
/// use graphwright_retrieve::{Topology, Vocabulary};
///
/// let properties = [("name".into(), Value::from("Ada Lovelace")), ("field".into(), "Mathematics".into())];
/// let ada = Node { element_id: ElementId::new("1"), labels: vec!["Person".into()], properties: properties.into() };
/// let vocabulary = Vocabulary::build(&Topology::from_parts("v1", vec![ada], vec![]));
/// assert_eq!(vocabulary.named("adalovelace").len(), 1);
/// assert_eq!(vocabulary.values("mathematics").next(), Some(("field", "Mathematics")));
/// ```
#[derive(Debug)]
pub struct Vocabulary {
    written: Written,
    folder: PathBuf,
}

impl Vocabulary {
    /// Collects the words of a graph in memory.
    pub fn build(topology: &Topology) -> Self {
        Self { written: Written::in_memory(Collected::of(topology)), folder: PathBuf::from("memory") }
    }

    /// Opens the words that lie in the folder of a snapshot, or collects and writes them there. Where the folder cannot be
    /// written, they are in memory, with a warning.
    pub fn open_or_build(folder: &Path, topology: &Topology) -> Self {
        match Written::open(folder, &topology.fingerprint()) {
            Some(written) => Self { written, folder: folder.to_owned() },
            None => Self::build_in(folder, topology),
        }
    }

    /// Collects the words of a graph anew, and writes them into the folder of its snapshot.
    pub fn build_in(folder: &Path, topology: &Topology) -> Self {
        let mut collected = Collected::of(topology);
        let written = Written::write(folder, &topology.fingerprint(), &mut collected);
        let written = written.unwrap_or_else(|error| {
            tracing::warn!("{error}; the words of the graph are collected in memory");
            Written::in_memory(collected)
        });
        Self { written, folder: folder.to_owned() }
    }

    /// Says what was found not to be as it was written, if something was. Such parts read as nothing.
    pub fn damage(&self) -> Option<&str> {
        self.written.damage()
    }

    /// Returns where it lies; `memory` without files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what the types of entities have and connect.
    pub fn summary(&self) -> &Summary {
        &self.written.about.summary
    }

    /// Returns the number of different names.
    pub fn name_count(&self) -> usize {
        self.written.about.names
    }

    /// Returns the most words that a name has.
    pub fn longest_name(&self) -> usize {
        self.written.about.longest_name
    }

    /// Returns the most words that a value has.
    pub fn longest_value(&self) -> usize {
        self.written.about.longest_value
    }

    /// Returns the entities with a name of this [phrase key](graphwright_english::questions::phrase_key), in their order.
    pub fn named(&self, key: &str) -> impl ExactSizeIterator<Item = NodeIndex> + '_ {
        self.written.found(entry::NAME, key).iter().map(|(node, _)| NodeIndex::at(node))
    }

    /// Returns the entities with a word in small letters in a name, in their order, each with the number of words of that name.
    pub fn with_word(&self, word: &str) -> WithWord<'_> {
        WithWord(self.written.found(entry::WORD, word))
    }

    /// Returns the properties and values that have a phrase key.
    pub fn values(&self, key: &str) -> impl Iterator<Item = (&str, &str)> {
        self.values_in(self.written.found(entry::VALUE, key))
    }

    /// Returns the properties and values that have the stems of some words: values in small letters, which may stand in
    /// another form.
    pub fn values_by_stems(&self, stems: &str) -> impl Iterator<Item = (&str, &str)> {
        self.values_in(self.written.found(entry::STEMS, stems))
    }

    /// Returns the properties and values of several words that begin with this one, which has a capital letter there:
    /// `BOMBARDIER INC`.
    pub fn values_beginning_with(&self, word: &str) -> impl Iterator<Item = (&str, &str)> {
        self.values_in(self.written.found(entry::BEGINNING, word))
    }

    fn values_in<'a>(&'a self, found: written::Found<'a>) -> impl Iterator<Item = (&'a str, &'a str)> {
        found.iter().filter_map(|(number, _)| self.written.value(number))
    }
}

/// The entities that have a word in a name.
#[derive(Clone, Copy, Debug)]
pub struct WithWord<'a>(written::Found<'a>);

impl<'a> WithWord<'a> {
    /// Returns the number of entities.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entities in their order, each with the number of words of the name.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (NodeIndex, u8)> + use<'a> {
        self.0.iter().map(|(node, length)| (NodeIndex::at(node), length))
    }

    /// Returns the number of words of the name of an entity, if it is among them. Costs a binary search.
    pub fn length(&self, node: NodeIndex) -> Option<u8> {
        self.0.length(node.position() as u32)
    }
}

/// Returns the names by which questions call an entity: what it is shown as, titles, full names and aliases.
pub fn names_of(node: &Node) -> impl Iterator<Item = &str> {
    let further = node.properties.iter().flat_map(|(property, value)| {
        let title = matches!(property.as_str(), "title" | "full_name" | "fullName");
        let aliases = if property == names::ALIASES { value.as_list().unwrap_or_default() } else { &[] };
        value.as_str().filter(|_| title).into_iter().chain(aliases.iter().filter_map(Value::as_str))
    });
    std::iter::once(node.display_name()).chain(further)
}
