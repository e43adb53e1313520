//! Gathers entities and facts into an extraction, each once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use graphwright_core::{Span, Value};
use graphwright_documents::extraction::{
    DropReason, ExtractedEntity, ExtractedFact, ExtractedProperty, Extraction,
};

use super::{context::Entity, vocabulary::Vocabulary};

/// Whether the text says that something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// It is so.
    Fact,
    /// It is not.
    Negated,
    /// It was, will be, or might be so.
    NotCurrent,
}

impl Status {
    /// Why it is dropped; `None` for a fact.
    pub(super) fn drop_reason(self) -> Option<DropReason> {
        match self {
            Self::Fact => None,
            Self::Negated => Some(DropReason::Negated),
            Self::NotCurrent => Some(DropReason::NotCurrent),
        }
    }
}

/// A name that a document introduces.
#[derive(Debug)]
pub(super) struct Named {
    /// Index of its type in the vocabulary.
    pub(super) kind: usize,
    pub(super) name: String,
    /// Whether the text gives the type other than by a place in a statement.
    pub(super) certain: bool,
    /// Other names that the text gives it.
    pub(super) others: Vec<String>,
    /// Values by which records refer to it, by column.
    pub(super) keys: BTreeMap<String, BTreeSet<String>>,
}

/// Gathers what was read.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    vocabulary: &'a Vocabulary,
    places: HashMap<Entity, usize>,
    facts: HashMap<(usize, usize, usize, Span), usize>,
    denied: Vec<(usize, usize, usize, Span)>,
    /// The names that the text gives entities beside their own.
    other_names: HashMap<usize, Vec<String>>,
    keys: HashMap<Entity, BTreeMap<String, BTreeSet<String>>>,
    extraction: Extraction,
}

impl<'a> Collector<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary) -> Self {
        Self {
            vocabulary,
            places: HashMap::new(),
            facts: HashMap::new(),
            denied: Vec::new(),
            other_names: HashMap::new(),
            keys: HashMap::new(),
            extraction: Extraction::default(),
        }
    }

    /// The index of an entity, with a place where it stands.
    pub(super) fn mention(&mut self, entity: &Entity, span: Span) -> usize {
        let index = self.entity(entity);
        let mentions = &mut self.extraction.entities[index].mentions;
        if !mentions.contains(&span) {
            mentions.push(span);
        }
        index
    }

    fn entity(&mut self, entity: &Entity) -> usize {
        if let Some(index) = self.places.get(entity) {
            return *index;
        }
        let index = self.extraction.entities.len();
        self.places.insert(entity.clone(), index);
        self.extraction.entities.push(ExtractedEntity {
            kind: self.vocabulary.types[entity.kind].label.clone(),
            name: entity.name.clone(),
            ..ExtractedEntity::default()
        });
        index
    }

    /// Adds another name of an entity.
    pub(super) fn alias(&mut self, entity: &Entity, alias: &str) {
        let index = self.entity(entity);
        let found = &mut self.extraction.entities[index];
        if found.name != alias && !found.aliases.iter().any(|known| known == alias) {
            found.aliases.push(alias.to_owned());
        }
    }

    /// Adds a fact, or counts why it is none.
    #[expect(clippy::too_many_arguments, reason = "all that a fact has")]
    pub(super) fn fact(
        &mut self,
        relation: usize,
        from: &Entity,
        to: &Entity,
        status: Status,
        confidence: f64,
        span: Span,
        properties: BTreeMap<String, Value>,
    ) {
        let definition = &self.vocabulary.relations[relation];
        let what = || format!("{} {} {}", from.name, definition.name, to.name);
        if from == to || !definition.from.contains(&from.kind) || !definition.to.contains(&to.kind) {
            self.extraction.drop_item(DropReason::WrongEnds, span, what);
            return;
        }
        if let Some(reason) = status.drop_reason() {
            self.extraction.drop_item(reason, span, what);
            let (from, to) = (self.entity(from), self.entity(to));
            self.denied.push((relation, from, to, span));
            return;
        }
        let (from, to) = (self.entity(from), self.entity(to));
        if let Some(index) = self.facts.get(&(relation, from, to, span)) {
            let known = &mut self.extraction.facts[*index];
            known.confidence = known.confidence.max(confidence);
            known.properties.extend(properties);
            return;
        }
        self.facts.insert((relation, from, to, span), self.extraction.facts.len());
        self.extraction.facts.push(ExtractedFact {
            kind: definition.name.clone(),
            from,
            to,
            properties,
            confidence,
            span,
        });
    }

    /// Adds a property, or counts why it is none.
    pub(super) fn property(
        &mut self,
        entity: &Entity,
        property: usize,
        value: Value,
        status: Status,
        confidence: f64,
        span: Span,
    ) {
        let definition = &self.vocabulary.properties[property];
        if definition.owner != entity.kind {
            return;
        }
        if let Some(reason) = status.drop_reason() {
            self.extraction.drop_item(reason, span, || format!("{}.{}", entity.name, definition.name));
            return;
        }
        let index = self.entity(entity);
        let properties = &mut self.extraction.entities[index].properties;
        let same = |known: &&mut ExtractedProperty| {
            known.name == definition.name && known.value == value && known.span == span
        };
        if let Some(known) = properties.iter_mut().find(same) {
            known.confidence = known.confidence.max(confidence);
            return;
        }
        properties.push(ExtractedProperty { name: definition.name.clone(), value, confidence, span });
    }

    /// Adds a name that the text itself gives an entity: `X (syn. Y)`.
    pub(super) fn other_name(&mut self, entity: &Entity, name: &str) {
        self.alias(entity, name);
        let index = self.entity(entity);
        self.other_names.entry(index).or_default().push(name.to_owned());
    }

    /// Adds a value by which records refer to an entity.
    pub(super) fn key(&mut self, entity: &Entity, column: &str, value: &str) {
        let columns = self.keys.entry(entity.clone()).or_default();
        columns.entry(column.to_owned()).or_default().insert(value.to_owned());
    }

    /// How many facts were read or denied so far.
    pub(super) fn count(&self) -> usize {
        self.extraction.facts.len() + self.denied.len()
    }

    /// Counts something that was dropped.
    pub(super) fn drop(&mut self, reason: DropReason, span: Span, what: impl FnOnce() -> String) {
        self.extraction.drop_item(reason, span, what);
    }

    /// The names of what the extraction has.
    pub(super) fn names(mut self) -> Vec<Named> {
        let vocabulary = self.vocabulary;
        let mut certain = HashSet::new();
        let mut others = HashMap::new();
        let mut keys = std::mem::take(&mut self.keys);
        for (index, found) in self.extraction.entities.iter().enumerate() {
            let own = (found.kind.clone(), found.name.clone());
            if !found.mentions.is_empty() || !found.properties.is_empty() {
                certain.insert(own.clone());
            }
            others.extend(self.other_names.remove(&index).map(|names| (own, names)));
        }
        let named = self.finish().entities.into_iter().filter_map(|entity| {
            let kind = vocabulary.kind(&entity.kind)?;
            let own = (entity.kind, entity.name);
            let (certain, others) = (certain.contains(&own), others.remove(&own).unwrap_or_default());
            let keys = keys.remove(&Entity { kind, name: own.1.clone() }).unwrap_or_default();
            Some(Named { kind, name: own.1, certain, others, keys })
        });
        named.collect()
    }

    /// The extraction: entities that are mentioned, and what is said of them.
    pub(super) fn finish(mut self) -> Extraction {
        // The same sentence cannot both state and deny: where two readings differ, the denial wins.
        let denied = std::mem::take(&mut self.denied);
        let names: Vec<String> =
            self.vocabulary.relations.iter().map(|relation| relation.name.clone()).collect();
        self.extraction.facts.retain(|fact| {
            !denied.iter().any(|(relation, from, to, span)| {
                names[*relation] == fact.kind && *from == fact.from && *to == fact.to && *span == fact.span
            })
        });
        let extraction = &mut self.extraction;
        for fact in &extraction.facts {
            for end in [fact.from, fact.to] {
                let mentions = &mut extraction.entities[end].mentions;
                if mentions.is_empty() {
                    mentions.push(fact.span);
                }
            }
        }
        for entity in &mut extraction.entities {
            if entity.mentions.is_empty() && !entity.properties.is_empty() {
                entity.mentions.push(entity.properties[0].span);
            }
            entity.mentions.sort_unstable();
        }
        let kept: Vec<bool> = extraction.entities.iter().map(|entity| !entity.mentions.is_empty()).collect();
        let mut places = vec![0; kept.len()];
        let mut next = 0;
        for (index, keep) in kept.iter().enumerate() {
            places[index] = next;
            next += usize::from(*keep);
        }
        let mut flags = kept.iter();
        extraction.entities.retain(|_| flags.next().copied().unwrap_or(false));
        for fact in &mut extraction.facts {
            fact.from = places[fact.from];
            fact.to = places[fact.to];
        }
        self.extraction
    }
}
