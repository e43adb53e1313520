//! Keeps the claims of every document, and derives the graph from them.
//!
//! A claim names entities as its document does, by *original* keys. A merge maps an original key to
//! the entity that stands for it ([`Ledger::canonical`]). So a merge moves claims, and undoing it
//! moves them back, whatever was ingested in between. The graph's entities, mentions and facts are
//! a pure function of the claims ([`project`]). A change of a document is written as the difference
//! between two projections.

mod claims;
mod homonyms;
mod load;
mod project;
mod projection;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graphwright_core::{NodeKey, text::identifier_words};

pub(crate) use claims::{DocumentClaims, EntityClaims, FactKey, MentionPlace, PropertyClaim, Support};
pub(crate) use load::{HEADINGS, StoredDocument, load, load_documents};
pub(crate) use projection::{Delta, Projection};

use graphwright_ontology::Ontology;

/// The claims of all documents.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    claims: BTreeMap<String, DocumentClaims>,
    /// Documents that make claims about an entity, with the key that each of them uses.
    by_entity: HashMap<NodeKey, BTreeSet<(String, NodeKey)>>,
    /// Documents that state a fact, with the ends as each of them names them.
    by_fact: HashMap<FactKey, BTreeSet<(String, FactKey)>>,
    merges: HashMap<NodeKey, NodeKey>,
    /// Aliases from the ontology, by entity.
    aliases: HashMap<NodeKey, Vec<String>>,
    /// Name of the property that names an entity, by type; only for types where it is not `name`.
    key_properties: HashMap<String, String>,
    /// Words that name a type, by type.
    type_words: HashMap<String, BTreeSet<String>>,
    /// Types of entities and relationships of which the ontology has `description` as a property of its own.
    described: BTreeSet<String>,
    /// Properties that have one value, by type.
    single_valued: HashMap<String, BTreeSet<String>>,
}

/// Numbers of entities and facts by type.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) entities: BTreeMap<String, u64>,
    pub(crate) facts: BTreeMap<String, u64>,
}

/// Parts of the graph that a change affects.
#[derive(Debug, Default)]
struct Affected {
    entities: BTreeSet<NodeKey>,
    mentions: BTreeSet<(String, NodeKey)>,
    facts: BTreeSet<FactKey>,
}

impl Ledger {
    /// Copies from the ontology what the projection of entities needs.
    pub(crate) fn set_ontology(&mut self, ontology: &Ontology) {
        self.aliases.clear();
        self.key_properties.clear();
        self.type_words.clear();
        self.single_valued = homonyms::single_valued(ontology);
        let nodes = ontology.nodes.iter().map(|(label, node)| (label, &node.properties));
        let relationships = ontology.relationships.iter().map(|(kind, own)| (kind, &own.properties));
        let described = nodes.chain(relationships);
        let described = described.filter(|(_, own)| own.contains_key(graphwright_core::names::DESCRIPTION));
        self.described = described.map(|(name, _)| name.clone()).collect();
        for (label, node) in &ontology.nodes {
            for (name, aliases) in &node.aliases {
                self.aliases.insert(crate::resolve::entity_key(label, name), aliases.clone());
            }
            let words = node.synonyms.iter().chain([label]).flat_map(|word| words_of(word));
            self.type_words.insert(label.clone(), words.collect());
            if let Some(key) = node.key.as_deref().filter(|key| *key != graphwright_core::names::NAME) {
                self.key_properties.insert(label.clone(), key.to_owned());
            }
        }
    }

    /// Returns the claims of a document.
    pub(crate) fn claims_of(&self, document: &str) -> Option<&DocumentClaims> {
        self.claims.get(document)
    }

    /// Returns the entity that stands for a key.
    pub(crate) fn canonical<'a>(&'a self, key: &'a NodeKey) -> &'a NodeKey {
        let mut key = key;
        // A chain is at most as long as there are merges, so a cycle cannot loop forever.
        for _ in 0..=self.merges.len() {
            match self.merges.get(key) {
                Some(next) => key = next,
                None => break,
            }
        }
        key
    }

    /// Returns whether an entity of this name was merged into another.
    pub(crate) fn is_merged(&self, kind: &str, name: &str) -> bool {
        self.merges.contains_key(&crate::resolve::entity_key(kind, name))
    }

    fn canonical_fact(&self, fact: &FactKey) -> FactKey {
        FactKey {
            kind: fact.kind.clone(),
            from: self.canonical(&fact.from).clone(),
            to: self.canonical(&fact.to).clone(),
        }
    }

    /// Returns the words that name a type, such as `backend` and `service`.
    pub(crate) fn words_for(&self, label: &str) -> BTreeSet<String> {
        self.type_words.get(label).cloned().unwrap_or_default()
    }

    /// Returns all entities that documents make claims about, in no particular order.
    pub(crate) fn entities(&self) -> impl Iterator<Item = &NodeKey> {
        self.by_entity.keys()
    }

    /// Counts entities and facts.
    pub(crate) fn sizes(&self) -> Sizes {
        let mut sizes = Sizes::default();
        for entity in self.by_entity.keys() {
            *sizes.entities.entry(entity.label.clone()).or_default() += 1;
        }
        for fact in self.by_fact.keys() {
            let number = self.project_fact(fact).relationships.len() as u64;
            *sizes.facts.entry(fact.kind.clone()).or_default() += number;
        }
        sizes
    }

    /// Replaces the claims of a document. Empty claims remove the document.
    pub(crate) fn replace(&mut self, document: &str, mut claims: DocumentClaims) -> Delta {
        if let Some(before) = self.claims.get(document) {
            claims.keep_times_of(before);
        }
        let mut affected = Affected::default();
        for claims in self.claims.get(document).into_iter().chain([&claims]) {
            for original in claims.entities.keys() {
                affected.entities.insert(self.canonical(original).clone());
                affected.mentions.insert((document.to_owned(), original.clone()));
            }
            affected.facts.extend(claims.facts.keys().map(|fact| self.canonical_fact(fact)));
        }
        let before = self.project(&affected);
        self.remove(document);
        self.insert(document, claims);
        Delta { before, after: self.project(&affected) }
    }

    /// Merges `merged` into `kept`. Both must be canonical.
    pub(crate) fn merge(&mut self, kept: &NodeKey, merged: &NodeKey) -> Delta {
        self.regroup(&[kept.clone(), merged.clone()], |ledger| {
            ledger.merges.insert(merged.clone(), kept.clone());
        })
    }

    /// Undoes the merge of `merged`.
    pub(crate) fn unmerge(&mut self, merged: &NodeKey) -> Delta {
        let kept = self.canonical(merged).clone();
        self.regroup(&[kept, merged.clone()], |ledger| {
            ledger.merges.remove(merged);
        })
    }

    /// Changes the merges and returns the difference that follows for the claims about `entities`.
    fn regroup(&mut self, entities: &[NodeKey], change: impl FnOnce(&mut Self)) -> Delta {
        let documents: BTreeSet<String> = entities
            .iter()
            .filter_map(|entity| self.by_entity.get(entity))
            .flatten()
            .map(|(document, _)| document.clone())
            .collect();
        let before_affected = self.affected_by(&documents, entities);
        let before = self.project(&before_affected);
        // The indexes hold canonical keys, so claims leave them before the merges change.
        let taken: Vec<(String, DocumentClaims)> = documents
            .iter()
            .filter_map(|document| Some((document.clone(), self.remove(document)?)))
            .collect();
        change(self);
        for (document, claims) in taken {
            self.insert(&document, claims);
        }
        // Asked again: the same claims stand under other keys now.
        let after_affected = self.affected_by(&documents, entities);
        Delta { before, after: self.project(&after_affected) }
    }

    /// Returns what the claims of `documents` say about `entities`, and about the entities that
    /// stand for them now.
    fn affected_by(&self, documents: &BTreeSet<String>, entities: &[NodeKey]) -> Affected {
        let wanted: BTreeSet<&NodeKey> =
            entities.iter().chain(entities.iter().map(|entity| self.canonical(entity))).collect();
        let mut affected = Affected::default();
        for (document, claims) in documents.iter().filter_map(|document| self.claims.get_key_value(document))
        {
            for original in claims.entities.keys() {
                let canonical = self.canonical(original);
                if wanted.contains(canonical) {
                    affected.entities.insert(canonical.clone());
                    affected.mentions.insert((document.clone(), original.clone()));
                }
            }
            let facts = claims.facts.keys().map(|fact| self.canonical_fact(fact));
            affected
                .facts
                .extend(facts.filter(|fact| wanted.contains(&fact.from) || wanted.contains(&fact.to)));
        }
        affected
    }

    fn insert(&mut self, document: &str, claims: DocumentClaims) {
        for original in claims.entities.keys() {
            let entry = (document.to_owned(), original.clone());
            self.by_entity.entry(self.canonical(original).clone()).or_default().insert(entry);
        }
        for fact in claims.facts.keys() {
            let entry = (document.to_owned(), fact.clone());
            self.by_fact.entry(self.canonical_fact(fact)).or_default().insert(entry);
        }
        if !claims.is_empty() {
            self.claims.insert(document.to_owned(), claims);
        }
    }

    fn remove(&mut self, document: &str) -> Option<DocumentClaims> {
        let claims = self.claims.remove(document)?;
        for original in claims.entities.keys() {
            let canonical = self.canonical(original).clone();
            if let Some(entries) = self.by_entity.get_mut(&canonical) {
                entries.remove(&(document.to_owned(), original.clone()));
                if entries.is_empty() {
                    self.by_entity.remove(&canonical);
                }
            }
        }
        for fact in claims.facts.keys() {
            let canonical = self.canonical_fact(fact);
            if let Some(entries) = self.by_fact.get_mut(&canonical) {
                entries.remove(&(document.to_owned(), fact.clone()));
                if entries.is_empty() {
                    self.by_fact.remove(&canonical);
                }
            }
        }
        Some(claims)
    }
}

/// Returns the words of a type's name or synonym in lower case: `BackendService` has two. The whole
/// name is one of them.
fn words_of(name: &str) -> Vec<String> {
    identifier_words(name).into_iter().chain([name.to_lowercase()]).collect()
}
