//! A first ontology, read off the documents.
//!
//! Names are what writers mark as such: words that are capitalised inside sentences, again and again; spelled-out
//! abbreviations; short bold terms and code spans that recur; cells of tables and columns. A name's type comes from the
//! column it stands in, from statements ("X is a managed service"), from the heading above a list of sections, or from
//! the last word that many names share ("… Gateway"); what has none is a `Term`. Relationship types are the verbs that
//! stand between two pairs of names at least, in the present tense ("X uses Y", "X is hosted on Y"); modal and negated
//! phrases are left out, since they state no fact. Everything is counted over the whole corpus, and what is rare is left
//! out: at least twice in a small corpus (up to 20 documents), three times in a larger one.
//!
//! The result is meant to be read and corrected by a person; without correction it serves as a permissive start.

mod names;
mod records;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod verbs;

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::Document;

use crate::{
    Ontology,
    ontology::{NodeType, PropertyType, RelationshipType},
    resolve::normalise,
};
use names::Name;
use records::RecordType;

/// The type of names that show no other.
const TERM: &str = "Term";
/// At most so many names; the most frequent are kept.
const MOST_NAMES: usize = 2_000;
/// At most so many types beside those of tables.
const MOST_TYPES: usize = 24;

/// Proposes an ontology for documents.
///
/// ```
/// use graphwright_core::{Document, Properties, document::TextFormat};
///
/// let text = "The job runs on Kestrel. We saw Kestrel fail. Kestrel is a message broker.";
/// let document = Document {
///     id: "a".into(), source: "a".into(), title: "A".into(), text: text.into(),
///     format: TextFormat::Plain, hash: String::new(), metadata: Properties::new(),
/// };
/// let ontology = graphwright_ingest::infer([&document]);
/// assert!(ontology.nodes["Term"].aliases.contains_key("Kestrel"));
/// ```
pub fn infer<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Ontology {
    let documents: Vec<&Document> = documents.into_iter().collect();
    let least = if documents.len() <= 20 { 2 } else { 3 };
    let texts: Vec<text::Text> = documents.iter().map(|document| text::read(document)).collect();
    let tables = documents.iter().zip(&texts).flat_map(|(document, text)| records::tables_of(document, text));
    let tables: Vec<records::Table> = tables.collect();
    let mut found = names::find(&texts, least);
    let record_types = records::types_of(&tables, &found);
    let in_records: BTreeSet<String> =
        record_types.iter().flat_map(RecordType::names).map(normalise).collect();
    found.retain(|name| !in_records.contains(&normalise(&name.text)));
    found.truncate(MOST_NAMES);
    let kinds = types::assign(&texts, &found, least, MOST_TYPES);

    let mut ontology = Ontology { name: "inferred".to_owned(), ..Ontology::default() };
    for record_type in &record_types {
        record_type.add_to(&mut ontology);
    }
    for (name, kind) in found.iter().zip(&kinds) {
        add_name(&mut ontology, kind.as_deref().unwrap_or(TERM), name);
    }
    add_verbs(&mut ontology, &texts);
    ontology.nodes.sort_keys();
    ontology.relationships.sort_keys();
    ontology.nodes.values_mut().for_each(|node| node.aliases.sort_keys());
    ontology
}

fn add_name(ontology: &mut Ontology, label: &str, name: &Name) {
    let node = node_type(ontology, label);
    let aliases = node.aliases.entry(name.text.clone()).or_default();
    aliases.extend(name.aliases.iter().cloned());
}

/// The type, made if it is not there yet.
fn node_type<'o>(ontology: &'o mut Ontology, label: &str) -> &'o mut NodeType {
    ontology.nodes.entry(label.to_owned()).or_insert_with(|| {
        let description = match label {
            TERM => "Something that the documents name.".to_owned(),
            _ => format!("Something that the documents call a {}.", types::in_words(label)),
        };
        let name = PropertyType { required: true, ..PropertyType::default() };
        NodeType {
            description,
            properties: [("name".to_owned(), name)].into_iter().collect(),
            ..NodeType::default()
        }
    })
}

fn add_verbs(ontology: &mut Ontology, texts: &[text::Text]) {
    let names: BTreeMap<String, String> = ontology
        .nodes
        .iter()
        .flat_map(|(label, node)| {
            let all = node.aliases.iter().flat_map(|(name, aliases)| std::iter::once(name).chain(aliases));
            all.map(move |name| (name.clone(), label.clone()))
        })
        .collect();
    for (kind, verb) in verbs::find(texts, &names) {
        let entry = ontology.relationships.entry(kind).or_insert_with(|| RelationshipType {
            description: verb.description.clone(),
            ..RelationshipType::default()
        });
        merge_into(&mut entry.from, verb.from);
        merge_into(&mut entry.to, verb.to);
        merge_into(&mut entry.cues, verb.cues);
        merge_into(&mut entry.inverse_cues, verb.inverse_cues);
    }
}

fn merge_into(list: &mut Vec<String>, more: BTreeSet<String>) {
    list.extend(more);
    list.sort();
    list.dedup();
}
