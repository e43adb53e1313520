//! What can be found: entities and documents, passages, facts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Hit, HitKind, stems::Language};
use crate::validity::Interval;

/// Hash of a text or an entry. Equal hashes stand for equal content.
pub(super) type Hash = [u8; 16];

/// A node, passage or fact that can be found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// What is shown of it.
    pub(super) shown: Shown,
    /// What is only filtered and searched by.
    pub(super) facets: Facets,
}

/// What is shown of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shown {
    pub(super) kind: HitKind,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) document: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<String>,
    pub(super) text: String,
    /// Where the text begins in that of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<usize>,
}

/// What an entry is filtered, stemmed and linked by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Facets {
    pub(super) labels: Vec<String>,
    /// Identifiers of the documents that hold or state it.
    pub(super) documents: Vec<String>,
    /// Names and values of its properties, a pair for each item of a list.
    pub(super) properties: Vec<(String, String)>,
    /// The days on which it is so; all if `None`.
    pub(super) validity: Option<Interval>,
    pub(super) language: Language,
    /// Keys of the names in a passage, for links to others.
    pub(super) names: BTreeSet<String>,
    /// Those of them that head it.
    pub(super) headings: BTreeSet<String>,
}

impl Entry {
    /// Returns the text for the embedder.
    pub(super) fn embedded_text(&self) -> String {
        self.shown.embedded_text()
    }

    /// Returns the hash of the text for the embedder.
    pub(super) fn text_hash(&self) -> Hash {
        hash([self.embedded_text().as_str()])
    }

    /// Returns a number by which passages of one document are told, in any segment.
    pub(super) fn document_number(&self) -> Option<u64> {
        let document = self.shown.document.as_ref().filter(|_| self.shown.kind == HitKind::Chunk)?;
        hash([document.as_str()]).first_chunk().copied().map(u64::from_le_bytes)
    }

    /// Returns the hash of the identifier and the kind.
    pub(super) fn key(&self) -> Hash {
        hash([self.shown.kind.name(), &self.shown.id])
    }

    /// Returns the hash of all that an index holds of the entry.
    pub(super) fn hash(&self) -> Hash {
        let Shown { kind, id, name, label, document, page, from, to, text, start } = &self.shown;
        let Facets { labels, documents, properties, validity, language, names, headings } = &self.facets;
        let page = page.map(|page| page.to_string()).unwrap_or_default();
        let start = start.map(|start| start.to_string()).unwrap_or_default();
        let validity = format!("{validity:?}");
        let given = [document, from, to].map(|text| text.as_deref().unwrap_or_default());
        let single = [kind.name(), id, name, label, text, &page, &start, &validity, language.code()];
        let pairs = properties.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        let labels = labels.iter().map(String::as_str);
        let lists = labels.chain(["\0"]).chain(documents.iter().map(String::as_str));
        let links = ["\0"].into_iter().chain(names.iter().map(String::as_str)).chain(["\0"]);
        let links = links.chain(headings.iter().map(String::as_str));
        hash(single.into_iter().chain(given).chain(lists).chain(pairs).chain(links))
    }
}

impl Shown {
    fn embedded_text(&self) -> String {
        format!("{}\n{}", self.name, self.text)
    }

    pub(super) fn into_hit(self, score: f32, why: String) -> Hit {
        let Self { kind, id, name, label, document, page, from, to, text, start } = self;
        let end = start.map(|start| start + text.len());
        let (score, relevance, chain) = (f64::from(score), None, Vec::new());
        Hit {
            kind,
            id,
            name,
            label,
            document,
            page,
            from,
            to,
            text,
            start,
            end,
            score,
            relevance,
            why,
            chain,
        }
    }
}

fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> Hash {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // Lengths keep neighbouring texts apart: "ab", "c" must differ from "a", "bc".
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut hash = Hash::default();
    hasher.finalize_xof().fill(&mut hash);
    hash
}
