//! Gathers what the model says of each passage, and checks every item against the ontology and the
//! text.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{Chunk, Document, Span};
use graphwright_documents::extraction::{
    ExtractedEntity, ExtractedFact, ExtractedProperty, KnownEntities, KnownEntity,
};
use graphwright_llm::Usage;
use graphwright_ontology::{DataType, Ontology, PropertyType};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value as Json;

use super::{
    DropReason, Extraction,
    locate::{find_name, find_quotation, sentences, sentences_around},
    reply::{EntityItem, FactItem, PropertyItem, Reading, Status},
};

/// Maximum length of a name in bytes. Longer ones are sentences.
const LONGEST_NAME: usize = 200;

pub(super) struct Gathering<'a> {
    document: &'a Document,
    ontology: &'a Ontology,
    known: HashMap<String, Vec<&'a KnownEntity>>,
    threshold: f64,
    extraction: Extraction,
    /// Index of each entity, by type and folded name.
    index: HashMap<(String, String), usize>,
}

/// An entity that occurs in a passage.
struct OccurringEntity {
    kind: String,
    name: String,
    /// Names under which it may occur, the model's first.
    names: Vec<String>,
    mentions: Vec<Span>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(
        document: &'a Document,
        ontology: &'a Ontology,
        known: &'a KnownEntities,
        threshold: f64,
    ) -> Self {
        let mut by_name: HashMap<String, Vec<&KnownEntity>> = HashMap::new();
        for entity in known.entities.iter() {
            for name in std::iter::once(&entity.name).chain(&entity.aliases) {
                by_name.entry(fold(name)).or_default().push(entity);
            }
        }
        let extraction = Extraction::default();
        Self { document, ontology, known: by_name, threshold, extraction, index: HashMap::new() }
    }

    pub(super) fn add(&mut self, chunk: &Chunk, reading: Reading, usage: Usage) {
        self.extraction.usage += usage;
        if reading.malformed > 0 {
            *self.extraction.dropped.entry(DropReason::Malformed).or_default() += reading.malformed;
        }
        // Facts name their entities; if a fact gives no type, the entity list of the reply may.
        let types: HashMap<String, String> =
            reading.entities.iter().map(|item| (fold(&item.name), item.kind.clone())).collect();
        for item in reading.entities {
            if let Err(reason) = self.add_entity(chunk, &item) {
                self.extraction.drop_item(reason, chunk.span, || format!("{} ({})", item.name, item.kind));
            }
        }
        for item in reading.facts {
            if let Err(reason) = self.add_fact(chunk, &item, &types) {
                let what = || format!("{} {} {}", item.from, item.kind, item.to);
                self.extraction.drop_item(reason, chunk.span, what);
            }
        }
    }

    pub(super) fn finish(mut self) -> Extraction {
        for entity in &mut self.extraction.entities {
            entity.mentions.sort_unstable();
            entity.mentions.dedup();
            entity.aliases.sort_unstable();
            entity.aliases.dedup();
        }
        self.extraction
    }

    fn add_entity(&mut self, chunk: &Chunk, item: &EntityItem) -> Result<(), DropReason> {
        let found = self.find(chunk, &item.name, &item.kind)?;
        let kind = found.kind.clone();
        let aliases = item.aliases.iter().flatten().cloned();
        let aliases = aliases.filter(|alias| is_name(alias) && !find_name(&chunk.text, alias).is_empty());
        let names: Vec<String> = found.names.iter().cloned().chain(aliases.clone()).collect();
        let own = fold(&found.name);
        let aliases: Vec<String> = aliases.filter(|alias| fold(alias) != own).collect();
        let index = self.entity(found);
        self.extraction.entities[index].aliases.extend(aliases);
        for property in item.properties.iter().flatten() {
            match self.read_property(chunk, &kind, &names, property) {
                Ok(Some(property)) => {
                    let properties = &mut self.extraction.entities[index].properties;
                    if !properties.contains(&property) {
                        properties.push(property);
                    }
                }
                Ok(None) => {}
                Err(reason) => {
                    let what = || format!("a property of {}: {property}", item.name);
                    self.extraction.drop_item(reason, chunk.span, what);
                }
            }
        }
        Ok(())
    }

    fn add_fact(
        &mut self,
        chunk: &Chunk,
        item: &FactItem,
        types: &HashMap<String, String>,
    ) -> Result<(), DropReason> {
        let ontology = self.ontology;
        let (kind, relationship) =
            lookup(&ontology.relationships, &item.kind).ok_or(DropReason::UnknownRelationship)?;
        match item.status {
            Some(Status::Denied) => return Err(DropReason::Negated),
            Some(Status::NotCurrent) => return Err(DropReason::NotCurrent),
            Some(Status::Holds) | None => {}
        }
        let confidence = self.confidence(item.confidence)?;
        let type_of = |name: &str, said: Option<&String>| {
            said.or_else(|| types.get(&fold(name))).cloned().ok_or(DropReason::Malformed)
        };
        let from = self.find(chunk, &item.from, &type_of(&item.from, item.from_type.as_ref())?)?;
        let to = self.find(chunk, &item.to, &type_of(&item.to, item.to_type.as_ref())?)?;
        let fits = |ends: &[String], label: &str| ends.is_empty() || ends.iter().any(|end| end == label);
        if !fits(&relationship.from, &from.kind) || !fits(&relationship.to, &to.kind) {
            return Err(DropReason::WrongEnds);
        }
        let evidence = item.evidence.as_deref().unwrap_or_default();
        let span = evidence_span(chunk, evidence, [&from.names, &to.names]).ok_or(DropReason::NotInText)?;
        let properties = self.read_fact_properties(item, &relationship.properties, span);
        let (from, to) = (self.entity(from), self.entity(to));
        let fact = ExtractedFact { kind: kind.clone(), from, to, properties, confidence, span };
        if !self.extraction.facts.contains(&fact) {
            self.extraction.facts.push(fact);
        }
        Ok(())
    }

    fn read_fact_properties(
        &mut self,
        item: &FactItem,
        types: &IndexMap<String, PropertyType>,
        span: Span,
    ) -> BTreeMap<String, graphwright_core::Value> {
        let mut properties = BTreeMap::new();
        for property in item.properties.iter().flatten() {
            let read =
                PropertyItem::deserialize(property).map_err(|_| DropReason::Malformed).and_then(|property| {
                    let (name, kind) = lookup(types, &property.name).ok_or(DropReason::UnknownProperty)?;
                    Ok((name.clone(), read_value(kind, &property.value)?))
                });
            match read {
                Ok((name, value)) => {
                    properties.insert(name, value);
                }
                Err(reason) => {
                    let what = || format!("a property of {} {} {}", item.from, item.kind, item.to);
                    self.extraction.drop_item(reason, span, what);
                }
            }
        }
        properties
    }

    /// Checks a property. Returns `None` for the property that is the name itself.
    fn read_property(
        &self,
        chunk: &Chunk,
        label: &str,
        names: &[String],
        item: &Json,
    ) -> Result<Option<ExtractedProperty>, DropReason> {
        let item = PropertyItem::deserialize(item).map_err(|_| DropReason::Malformed)?;
        let node = self.ontology.nodes.get(label).ok_or(DropReason::UnknownType)?;
        if item.name == node.key.as_deref().unwrap_or("name") {
            return Ok(None);
        }
        let (name, kind) = lookup(&node.properties, &item.name).ok_or(DropReason::UnknownProperty)?;
        let confidence = self.confidence(item.confidence)?;
        let value = read_value(kind, &item.value)?;
        let written = item.value.as_str().map_or_else(|| item.value.to_string(), str::to_owned);
        // Free text must be the document's own words; other values can be written in many ways.
        if kind.kind == DataType::String
            && kind.values.is_empty()
            && find_quotation(&chunk.text, &written).is_none()
        {
            return Err(DropReason::NotInText);
        }
        let evidence = item.evidence.unwrap_or_default();
        let values = [written];
        let span = evidence_span(chunk, &evidence, [names, &values]).ok_or(DropReason::NotInText)?;
        Ok(Some(ExtractedProperty { name: name.clone(), value, confidence, span }))
    }

    /// Checks a confidence. A missing one counts as 1.0, like other statements without doubt.
    fn confidence(&self, said: Option<f64>) -> Result<f64, DropReason> {
        let confidence = said.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&confidence) {
            return Err(DropReason::Malformed);
        }
        if confidence < self.threshold { Err(DropReason::LowConfidence) } else { Ok(confidence) }
    }

    /// Checks that an entity has a type of the ontology and occurs in the text.
    ///
    /// If a known entity is meant, its name is used.
    fn find(&self, chunk: &Chunk, name: &str, kind: &str) -> Result<OccurringEntity, DropReason> {
        if !is_name(name) {
            return Err(DropReason::Malformed);
        }
        let (label, _) = lookup(&self.ontology.nodes, kind).ok_or(DropReason::UnknownType)?;
        let name = name.trim();
        let same_name = self.known.get(&fold(name)).map(Vec::as_slice).unwrap_or_default();
        let known = same_name.iter().find(|entity| entity.kind == *label);
        let own = known.map_or(name, |known| known.name.as_str());
        let mut names = vec![name.to_owned()];
        names.extend(
            known.iter().flat_map(|known| std::iter::once(&known.name).chain(&known.aliases)).cloned(),
        );
        let mut mentions: Vec<Span> = names.iter().flat_map(|name| find_name(&chunk.text, name)).collect();
        for mention in &mut mentions {
            *mention = in_document(chunk, *mention);
        }
        if mentions.is_empty() {
            mentions.extend(self.find_before(chunk, &names));
        }
        if mentions.is_empty() {
            return Err(DropReason::NotInText);
        }
        Ok(OccurringEntity { kind: label.clone(), name: own.to_owned(), names, mentions })
    }

    /// Finds the last mention before a passage, which may speak of what a heading or an earlier
    /// passage named.
    fn find_before(&self, chunk: &Chunk, names: &[String]) -> Option<Span> {
        let before = self.document.text.get(..chunk.span.start)?;
        names.iter().filter_map(|name| find_name(before, name).pop()).max()
    }

    fn entity(&mut self, found: OccurringEntity) -> usize {
        let key = (found.kind.clone(), fold(&found.name));
        let entities = &mut self.extraction.entities;
        let index = *self.index.entry(key).or_insert_with(|| {
            let (kind, name) = (found.kind, found.name);
            entities.push(ExtractedEntity { kind, name, ..ExtractedEntity::default() });
            entities.len() - 1
        });
        entities[index].mentions.extend(found.mentions);
        index
    }
}

/// Finds a name or type of the ontology, ignoring case, spaces, hyphens and underscores.
fn lookup<'a, T>(types: &'a IndexMap<String, T>, name: &str) -> Option<(&'a String, &'a T)> {
    types.get_key_value(name).or_else(|| types.iter().find(|(known, _)| fold(known) == fold(name)))
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME && name.chars().any(char::is_alphanumeric)
}

fn read_value(kind: &PropertyType, value: &Json) -> Result<graphwright_core::Value, DropReason> {
    let read = match value {
        Json::String(text) => kind.parse_value(text),
        value => kind.kind.parse_json(value).and_then(|value| kind.accept(&value)),
    };
    read.ok_or(DropReason::BadValue)
}

fn in_document(chunk: &Chunk, span: Span) -> Span {
    Span::new(chunk.span.start + span.start, chunk.span.start + span.end)
}

/// Finds the range that states something about two things, each under one of its names.
///
/// If the quotation lacks one of them, it is widened to whole sentences and must then hold at least
/// one, since a pronoun may stand for the other. If the quotation does not occur in the text, a
/// sentence that holds both is used.
fn evidence_span<const N: usize>(chunk: &Chunk, quotation: &str, things: [&[String]; N]) -> Option<Span> {
    let text = &chunk.text;
    let held = |span: Span| {
        let inside = &text[span.range()];
        things.iter().filter(|names| names.iter().any(|name| !find_name(inside, name).is_empty())).count()
    };
    let quoted = find_quotation(text, quotation).and_then(|quoted| {
        if held(quoted) == N {
            return Some(quoted);
        }
        let wide = sentences_around(text, quoted);
        (held(wide) > 0).then_some(wide)
    });
    let span = quoted.or_else(|| sentences(text).into_iter().find(|sentence| held(*sentence) == N))?;
    Some(in_document(chunk, span))
}
