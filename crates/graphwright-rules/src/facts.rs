//! The extractor that needs no model: it reads documents by the words of the ontology and English grammar.
//!
//! A document becomes blocks (headings, paragraphs, items, tables), these become sentences, fields and records;
//! names are found in a dictionary of what is known and by how they are written; cue phrases relate the names
//! before and after them. What is denied, over, planned or supposed is counted, not stated.

mod abbreviations;
mod collect;
mod context;
mod cues;
mod definitions;
mod keys;
mod kinds;
mod lives;
mod mentions;
mod names;
mod notes;
mod people;
mod proper;
mod reader;
mod references;
mod survey;
mod tree;
mod units;
mod values;
mod vocabulary;
mod walk;

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use graphwright_core::Chunk;
use graphwright_documents::{
    DocumentError, Extraction, Extractor, ParsedDocument, Result,
    blocks::{self, text},
    extraction::{KnownEntities, KnownEntity},
};
use graphwright_english::{inflection, parse::Parser, prose, words};
use graphwright_ontology::Ontology;

use self::{
    names::{Gazetteer, Given},
    tree::Parses,
    vocabulary::Vocabulary,
    walk::{KeyColumn, Pages},
};

/// The model-free extractor.
///
/// ```
/// use graphwright_core::{Document, document::TextFormat};
/// use graphwright_documents::{Extractor, ParsedDocument, extraction::KnownEntities};
/// use graphwright_ontology::Ontology;
/// use graphwright_rules::RulesExtractor;
///
/// let ontology: Ontology = serde_saphyr::from_str(
///     "nodes: {Service: {}, Library: {}}\n\
///      relationships: {DEPENDS_ON: {from: [Service], to: [Library]}}",
/// ).unwrap();
/// let document = ParsedDocument::from(Document {
///     id: "1".into(), source: "a.md".into(), title: "a".into(), format: TextFormat::Markdown,
///     text: "The Checkout service depends on the library Falcon. It does not depend on Kestrel.".into(),
///     hash: String::new(), metadata: Default::default(),
/// });
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let rules = RulesExtractor::default();
/// let known = KnownEntities { entities: rules.survey(&document, &ontology).await.unwrap().into() };
/// let found = rules.extract(&document, &[], &ontology, &known).await.unwrap();
/// assert_eq!(found.facts.len(), 1);
/// assert_eq!(found.entities[found.facts[0].to].name, "Falcon");
/// # });
/// ```
#[derive(Debug, Default)]
pub struct RulesExtractor {
    compiled: Mutex<Option<Arc<Compiled>>>,
    /// The parses of documents that were surveyed and not yet read, by their identifiers.
    kept: Mutex<Kept>,
}

/// Parses by document, and how many sentences they are of.
#[derive(Debug, Default)]
struct Kept {
    parses: HashMap<String, Parses>,
    sentences: usize,
}

/// The most sentences whose parses are kept from the survey to the extraction, below 100 MB. Others are parsed again.
const MOST_KEPT: usize = 20_000;

fn parser() -> Result<&'static Parser> {
    Parser::builtin().map_err(|error| DocumentError::Parser { message: error.to_string() })
}

/// What is compiled once for all documents of a run.
#[derive(Debug)]
struct Compiled {
    ontology: Ontology,
    vocabulary: Arc<Vocabulary>,
    /// The names of the ontology's aliases.
    aliases: Arc<Gazetteer>,
    known: KnownEntities,
    gazetteer: Arc<Gazetteer>,
    keys: Vec<KeyColumn>,
    pages: Pages,
}

impl RulesExtractor {
    fn keep(&self, document: &ParsedDocument, parses: Parses) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.sentences + parses.len() <= MOST_KEPT {
            kept.sentences += parses.len();
            let before = kept.parses.insert(document.id.clone(), parses);
            kept.sentences -= before.map_or(0, |before| before.len());
        }
    }

    fn take(&self, document: &ParsedDocument) -> Option<Parses> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let parses = kept.parses.remove(&document.id)?;
        kept.sentences -= parses.len();
        Some(parses)
    }

    /// The compiled words and names; compiled anew only when they changed since the last document.
    fn compile(&self, ontology: &Ontology, known: Option<&KnownEntities>) -> Arc<Compiled> {
        let mut slot = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let current = slot.as_ref().filter(|compiled| compiled.ontology == *ontology);
        if let Some(compiled) = current
            && known.is_none_or(|known| compiled.known == *known)
        {
            return Arc::clone(compiled);
        }
        let (vocabulary, aliases) = if let Some(compiled) = current {
            (Arc::clone(&compiled.vocabulary), Arc::clone(&compiled.aliases))
        } else {
            let vocabulary = Vocabulary::new(ontology);
            let aliases = Gazetteer::new(&vocabulary, alias_entries(ontology));
            (Arc::new(vocabulary), Arc::new(aliases))
        };
        let known = known.cloned().unwrap_or_default();
        let entries = known.entities.iter().filter_map(|entity| {
            Some(Given {
                kind: vocabulary.kind(&entity.kind)?,
                name: &entity.name,
                aliases: &entity.aliases,
                inferred: entity.inferred,
            })
        });
        let gazetteer = Arc::new(Gazetteer::new(&vocabulary, alias_entries(ontology).chain(entries)));
        let keys = key_columns(&vocabulary, &known);
        let pages = Pages::new(&keys);
        let ontology = ontology.clone();
        let compiled = Arc::new(Compiled { ontology, vocabulary, aliases, known, gazetteer, keys, pages });
        *slot = Some(Arc::clone(&compiled));
        compiled
    }
}

/// What identifies the known entities in records, by type and column.
fn key_columns(vocabulary: &Vocabulary, known: &KnownEntities) -> Vec<KeyColumn> {
    let mut columns: BTreeMap<(usize, &str), HashMap<String, String>> = BTreeMap::new();
    for entity in known.entities.iter() {
        let Some(kind) = vocabulary.kind(&entity.kind) else { continue };
        for (column, values) in &entity.keys {
            let names = values.iter().map(|value| (value.clone(), entity.name.clone()));
            columns.entry((kind, column)).or_default().extend(names);
        }
    }
    let column =
        |((kind, column), names): ((usize, &str), _)| KeyColumn { kind, column: column.to_owned(), names };
    columns.into_iter().map(column).collect()
}

fn alias_entries(ontology: &Ontology) -> impl Iterator<Item = Given<'_>> {
    ontology.nodes.values().enumerate().flat_map(|(kind, node)| {
        node.aliases.iter().map(move |(name, aliases)| Given { kind, name, aliases, inferred: false })
    })
}

#[async_trait]
impl Extractor for RulesExtractor {
    fn identity(&self) -> String {
        "rules-19".to_owned()
    }

    async fn survey(&self, document: &ParsedDocument, ontology: &Ontology) -> Result<Vec<KnownEntity>> {
        let compiled = self.compile(ontology, None);
        let mut parses = Parses::new(parser()?);
        let found = survey::read(document, &compiled.vocabulary, &compiled.aliases, &mut parses);
        self.keep(document, parses);
        Ok(found)
    }

    async fn extract(
        &self,
        document: &ParsedDocument,
        _chunks: &[Chunk],
        ontology: &Ontology,
        known: &KnownEntities,
    ) -> Result<Extraction> {
        let compiled = self.compile(ontology, Some(known));
        let mut parses = match self.take(document) {
            Some(parses) => parses,
            None => Parses::new(parser()?),
        };
        let Compiled { vocabulary, gazetteer, keys, pages, .. } = &*compiled;
        Ok(walk::read(document, walk::Known { vocabulary, gazetteer, keys, pages }, &mut parses))
    }
}
