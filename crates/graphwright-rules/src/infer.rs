//! A first ontology, read off the documents.
//!
//! Names are what writers use as proper names (module `names`): words that are capitalised inside sentences nearly always,
//! identifiers in code, and what abbreviations stand for. Common nouns that the documents mark as terms, abbreviate or give
//! as the object of a name's verb are a `Concept`. A name's type comes from the column it stands in, from statements ("X is
//! a managed service"), from the heading above a list of sections, or from the last word that many names share
//! ("… Gateway"); what has none is a `Term`. Descriptions of images and directives of documentation tools are not read.
//!
//! Relationship types are the verbs that stand after several names and between pairs of them, in the present tense ("X
//! supports Y", "X is hosted on Y"); they start from names, never from concepts. Left out are modal and negated phrases,
//! which state no fact; verbs that relate no two things ("allows"); and verbs that mostly tell the reader what to do, since
//! such documents hardly say it of things. Everything is counted over the whole corpus, and what is rare is left out: at
//! least twice in a small corpus (up to 20 documents), three times in a larger one.
//!
//! The types are closed: a document gives them no other names than those listed, but for types that files of records give.
//! The result is meant to be read and corrected by a person; without correction it serves as a start.

mod bases;
mod common_words;
mod names;
mod objects;
mod pages;
mod records;
mod sheets;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod verbs;

use std::collections::{BTreeMap, BTreeSet};

use graphwright_documents::ParsedDocument;
use graphwright_english::{
    inflection::{is_plural, plural, singular},
    names::name_key as normalise,
};
use graphwright_ontology::{NodeType, Ontology, PropertyType, RelationshipType};
use names::Name;
use records::RecordType;

/// The type of names that show no other.
const TERM: &str = "Term";
/// The type of common nouns that the documents single out. No relationship starts from them.
const NOTION: &str = "Concept";
/// At most so many names; the most frequent are kept.
const MOST_NAMES: usize = 2_000;
/// A description gives so many examples.
const EXAMPLES: usize = 3;
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
/// let ontology = graphwright_rules::infer([&document.into()]);
/// assert!(ontology.nodes["Term"].aliases.contains_key("Kestrel"));
/// ```
pub fn infer<'a>(documents: impl IntoIterator<Item = &'a ParsedDocument>) -> Ontology {
    let documents: Vec<&ParsedDocument> = documents.into_iter().collect();
    let least = if documents.len() <= 20 { 2 } else { 3 };
    let texts: Vec<text::Text> = documents.iter().map(|document| text::read(document)).collect();
    let tables = documents.iter().zip(&texts).flat_map(|(document, text)| records::tables_of(document, text));
    let tables: Vec<records::Table> = tables.collect();
    let bases = bases::Bases::of(&texts);
    let nouns = types::common_nouns(&texts);
    let mut found = names::find(&texts, &bases, &nouns, least);
    found.extend(objects::find(&texts, &found, &bases, &nouns));
    add_numbers(&mut found);
    let (of_pages, pages) = pages::sheets_of(&documents, least);
    let is_page = |document: &ParsedDocument| pages.contains(document.source.as_str());
    let mut sheets: Vec<sheets::Sheet> =
        documents.iter().flat_map(|document| sheets::sheets_of(document, is_page(document))).collect();
    sheets::drop_shared_start(&mut sheets);
    sheets.extend(of_pages);
    let mut record_types = sheets::types_of(&sheets, &found);
    record_types.extend(records::types_of(&tables, &found));
    found.truncate(MOST_NAMES);
    let kinds = types::assign(&texts, &found, &nouns, least, MOST_TYPES);

    let mut ontology = Ontology { name: "inferred".to_owned(), ..Ontology::default() };
    for record_type in &record_types {
        record_type.add_to(&mut ontology);
    }
    let in_records: BTreeMap<String, (String, String)> = ontology
        .nodes
        .iter()
        .flat_map(|(label, node)| node.aliases.keys().map(move |name| (label, name)))
        .map(|(label, name)| (normalise(name), (label.clone(), name.clone())))
        .collect();
    for (name, kind) in found.iter().zip(&kinds) {
        let kind = if name.notion { NOTION } else { kind.as_deref().unwrap_or(TERM) };
        let (label, text) = match in_records.get(&normalise(&name.text)) {
            Some((label, text)) => (label.as_str(), text),
            None => (kind, &name.text),
        };
        let node = node_type(&mut ontology, label);
        let aliases = name.aliases.iter().filter(|alias| !in_records.contains_key(&normalise(alias)));
        node.aliases.entry(text.clone()).or_default().extend(aliases.cloned());
    }
    add_verbs(&mut ontology, &texts, &bases);
    let pages = record_types.iter().filter(|found| found.pages.is_some()).map(|found| found.label.clone());
    pages::add_links(&mut ontology, &pages.collect());
    let open: BTreeSet<String> = record_types.iter().flat_map(RecordType::open_labels).collect();
    for (label, node) in &mut ontology.nodes {
        // The first names are those of tables, then the most frequent ones.
        node.description = describe(label, node.aliases.keys().take(EXAMPLES));
        // All that the texts name is listed; what else is capitalised there is none. A file of records may go on.
        node.closed = !open.contains(label);
        node.aliases.sort_keys();
    }
    ontology.nodes.sort_keys();
    ontology.relationships.sort_keys();
    ontology
}

/// Gives each common noun its other number: texts speak of one and of several.
fn add_numbers(names: &mut [Name]) {
    let taken: BTreeSet<String> = names
        .iter()
        .flat_map(|name| name.aliases.iter().chain([&name.text]))
        .map(|name| name.to_lowercase())
        .collect();
    for name in names.iter_mut().filter(|name| name.notion) {
        let (before, last) = name.text.rsplit_once([' ', '-']).unwrap_or(("", &name.text));
        let other = if is_plural(last) { singular(last).into_owned() } else { plural(last) };
        let other = format!("{before}{}{other}", &name.text[before.len()..name.text.len() - last.len()]);
        if !taken.contains(&other.to_lowercase()) {
            name.aliases.insert(other);
        }
    }
}

/// `A gateway, such as North Gate, South Gate and West Gate.`
fn describe<'n>(label: &str, names: impl Iterator<Item = &'n String>) -> String {
    let noun = match label {
        TERM => "Something that the documents name".to_owned(),
        NOTION => "A notion that the documents single out".to_owned(),
        _ => {
            let words = types::in_words(label);
            let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" };
            format!("{article} {words}")
        }
    };
    let names: Vec<&str> = names.map(String::as_str).collect();
    match names.split_last() {
        None => format!("{noun}."),
        Some((only, [])) => format!("{noun}, such as {only}."),
        Some((last, others)) => format!("{noun}, such as {} and {last}.", others.join(", ")),
    }
}

/// The type, made if it is not there yet.
fn node_type<'o>(ontology: &'o mut Ontology, label: &str) -> &'o mut NodeType {
    ontology.nodes.entry(label.to_owned()).or_insert_with(|| {
        let name = PropertyType { required: true, ..PropertyType::default() };
        NodeType { properties: [("name".to_owned(), name)].into_iter().collect(), ..NodeType::default() }
    })
}

fn add_verbs(ontology: &mut Ontology, texts: &[text::Text], bases: &bases::Bases) {
    let names: BTreeMap<String, String> = ontology
        .nodes
        .iter()
        .flat_map(|(label, node)| {
            let all = node.aliases.iter().flat_map(|(name, aliases)| std::iter::once(name).chain(aliases));
            all.map(move |name| (name.clone(), label.clone()))
        })
        .collect();
    for verb in verbs::find(texts, &names, NOTION, bases) {
        let entry = ontology.relationships.entry(verb.kind).or_insert_with(|| RelationshipType {
            description: verb.description,
            ..RelationshipType::default()
        });
        merge_into(&mut entry.from, verb.from);
        merge_into(&mut entry.to, verb.to);
        // What a verb takes may be anything that is named.
        let general = [TERM, NOTION].map(str::to_owned).into_iter();
        merge_into(&mut entry.to, general.filter(|label| ontology.nodes.contains_key(label)).collect());
        merge_into(&mut entry.cues, verb.cues);
        merge_into(&mut entry.inverse_cues, verb.inverse_cues);
    }
}

fn merge_into(list: &mut Vec<String>, more: BTreeSet<String>) {
    list.extend(more);
    list.sort();
    list.dedup();
}
