//! The names of an ontology, found as models write them.

use std::collections::{BTreeSet, HashMap};

use graphwright_english::names::tokens;
use graphwright_ontology::{Ontology, RelationshipType};
use indexmap::IndexMap;

/// Names of types, with their other words.
pub(super) struct Vocabulary<'a> {
    ontology: &'a Ontology,
    nodes: HashMap<String, &'a String>,
    /// `None` where two types share the words.
    relationships: HashMap<String, Option<&'a String>>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(ontology: &'a Ontology) -> Self {
        let mut nodes = HashMap::new();
        for (label, node) in &ontology.nodes {
            for synonym in &node.synonyms {
                nodes.entry(fold(synonym)).or_insert(label);
            }
        }
        // A label goes over the synonyms of others.
        nodes.extend(ontology.nodes.keys().map(|label| (fold(label), label)));
        let mut relationships: HashMap<String, Option<&String>> = HashMap::new();
        for (kind, relationship) in &ontology.relationships {
            for word in relationship.synonyms.iter().chain(&relationship.cues) {
                let known = relationships.entry(fold(word)).or_insert(Some(kind));
                *known = known.filter(|known| *known == kind);
            }
        }
        relationships.extend(ontology.relationships.keys().map(|kind| (fold(kind), Some(kind))));
        Self { ontology, nodes, relationships }
    }

    /// Returns the type of entity with this label or synonym.
    pub(super) fn node(&self, said: &str) -> Option<&'a String> {
        self.nodes.get(&fold(said)).copied()
    }

    /// Returns whether words are those of a type, or end in the last of them (`film` of `AnimatedFilm`).
    pub(super) fn names_type(&self, words: &str) -> bool {
        let last = |label: &str| label.rfind(char::is_uppercase).map(|at| label[at..].to_lowercase());
        self.node(words).is_some()
            || self
                .ontology
                .nodes
                .keys()
                .filter_map(|label| last(label))
                .any(|last| last == words.to_lowercase())
    }

    /// Returns the relationship type with this name, synonym or phrase; else the only one all of whose words are among
    /// those said (`film_award_received` is `AWARD_RECEIVED`).
    pub(super) fn relationship(&self, said: &str) -> Option<(&'a String, &'a RelationshipType)> {
        let kind = match self.relationships.get(&fold(said)) {
            Some(kind) => (*kind)?,
            None => within(said, self.ontology.relationships.keys().chain(self.all_properties()))?,
        };
        self.ontology.relationships.get_key_value(kind)
    }

    /// Returns the property of a type with this name, or the only one all of whose words are among those said.
    pub(super) fn property(&self, label: &str, said: &str) -> Option<&'a str> {
        let properties = &self.ontology.nodes.get(label)?.properties;
        if let Some((name, _)) = lookup(properties, said) {
            return Some(name);
        }
        let words = |(name, property): (&'a String, &'a graphwright_ontology::PropertyType)| {
            property.synonyms.iter().any(|synonym| fold(synonym) == fold(said)).then_some(name)
        };
        let found = properties.iter().find_map(words);
        found.or_else(|| within(said, properties.keys())).map(String::as_str)
    }

    /// Returns the first type that has a property with this name.
    pub(super) fn owner(&self, property: &str) -> Option<&'a String> {
        self.ontology.nodes.keys().find(|label| self.property(label, property).is_some())
    }

    fn all_properties(&self) -> impl Iterator<Item = &'a String> {
        self.ontology.nodes.values().flat_map(|node| node.properties.keys())
    }
}

/// Returns the name with the most words of which each is among the words said; `None` if there is none, or two.
fn within<'a>(said: &str, names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let words =
        |name: &str| -> BTreeSet<String> { tokens(name).into_iter().map(|token| token.text).collect() };
    let said = words(said);
    let mut fitting: Vec<(usize, &String)> = names
        .filter_map(|name| {
            let own = words(name);
            (!own.is_empty() && own.is_subset(&said)).then_some((own.len(), name))
        })
        .collect();
    fitting.sort_by_key(|(words, name)| (std::cmp::Reverse(*words), *name));
    fitting.dedup();
    match fitting.as_slice() {
        [(_, name)] => Some(*name),
        [(most, name), (next, _), ..] if most > next => Some(*name),
        _ => None,
    }
}

/// Finds a name of the ontology, whatever joins its words and in any case.
pub(super) fn lookup<'a, T>(types: &'a IndexMap<String, T>, name: &str) -> Option<(&'a String, &'a T)> {
    types.get_key_value(name).or_else(|| types.iter().find(|(known, _)| fold(known) == fold(name)))
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '-' | '_' | '\\'))
        .flat_map(char::to_lowercase)
        .collect()
}
