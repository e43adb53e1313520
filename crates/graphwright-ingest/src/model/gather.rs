//! Gathers what the model says of each window, and checks every item against the ontology and the text.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{Document, Span, Value, names};
use graphwright_documents::extraction::{
    ExtractedEntity, ExtractedFact, ExtractedProperty, KnownEntities, KnownEntity,
};
use graphwright_english::names::name_key;
use graphwright_ontology::{DataType, Ontology, PropertyType, RelationshipType};
use indexmap::IndexMap;
use serde_json::Value as Json;

use super::{
    DropReason, Extraction,
    evidence::Place,
    reply::{EntityItem, FactItem, PropertyItem, Reading, Status},
    subject::{self, Meant},
    vocabulary::{Vocabulary, lookup},
    window::Window,
};
use crate::type_names::{may_be_label, may_be_relationship, pascal_case, upper_snake_case};

/// Maximum length of a name in bytes. Longer ones are sentences.
const LONGEST_NAME: usize = 200;

pub(super) struct Gathering<'a> {
    document: &'a Document,
    ontology: &'a Ontology,
    vocabulary: Vocabulary<'a>,
    known: HashMap<String, Vec<&'a KnownEntity>>,
    threshold: f64,
    /// Whether types that the ontology does not have are kept.
    open: bool,
    extraction: Extraction,
    /// Index of each entity, by type and key of its name.
    index: HashMap<(String, String), usize>,
}

/// An entity that occurs in a window.
struct OccurringEntity {
    kind: String,
    name: String,
    /// Names under which it may occur, the model's first.
    names: Vec<String>,
    mentions: Vec<Span>,
}

/// A reply with the text that it is about.
struct Told<'r, 'w> {
    place: Place<'w>,
    entities: &'r [EntityItem],
}

impl<'r> Told<'r, '_> {
    /// Returns the entity that a fact means by an identifier or name.
    fn entity(&self, said: &str) -> Option<&'r EntityItem> {
        let by_id = |item: &&EntityItem| item.id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(said));
        let by_name = |item: &&EntityItem| name_key(&item.name) == name_key(said);
        self.entities.iter().find(by_id).or_else(|| self.entities.iter().find(by_name))
    }
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
                by_name.entry(name_key(name)).or_default().push(entity);
            }
        }
        Self {
            document,
            ontology,
            vocabulary: Vocabulary::new(ontology),
            known: by_name,
            threshold,
            open: false,
            extraction: Extraction::default(),
            index: HashMap::new(),
        }
    }

    pub(super) fn open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    pub(super) fn add(&mut self, window: &Window<'_>, reading: &Reading) {
        if !reading.faults.is_empty() {
            for fault in &reading.faults {
                self.extraction.drop_item(DropReason::Malformed, window.span(), || fault.clone());
            }
        }
        let told = Told { place: Place::new(window), entities: &reading.entities };
        for item in &reading.entities {
            if let Err(reason) = self.add_entity(&told, item) {
                self.extraction.drop_item(reason, window.span(), || format!("{} ({})", item.name, item.kind));
            }
        }
        for item in &reading.facts {
            if let Err(reason) = self.add_fact(&told, item) {
                let name = |said: &str| told.entity(said).map_or(said, |entity| &entity.name).to_owned();
                let what = || format!("{} {} {}", name(&item.from), item.kind, name(&item.to));
                self.extraction.drop_item(reason, window.span(), what);
            }
        }
    }

    /// Notes passages that could not be read.
    pub(super) fn incomplete(&mut self, window: &Window<'_>, reason: &str) {
        for chunk in window.chunks() {
            self.extraction.incomplete.insert(chunk.index, reason.to_owned());
        }
    }

    /// Lists the facts and properties found so far that lie in a window, for a further look at it.
    pub(super) fn found_in(&self, window: &Window<'_>) -> String {
        let inside = |span: Span| window.span().start <= span.start && span.end <= window.span().end;
        let entities = &self.extraction.entities;
        let facts = self.extraction.facts.iter().filter(|fact| inside(fact.span));
        let facts = facts
            .map(|fact| format!("{} {} {}\n", entities[fact.from].name, fact.kind, entities[fact.to].name));
        let properties = entities.iter().flat_map(|entity| {
            let own = entity.properties.iter().filter(|property| inside(property.span));
            own.map(|property| format!("{}.{}\n", entity.name, property.name))
        });
        facts.chain(properties).collect()
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

    fn add_entity(&mut self, told: &Told<'_, '_>, item: &EntityItem) -> Result<(), DropReason> {
        let found = self.find(told, &item.name, &item.kind)?;
        let kind = found.kind.clone();
        let own = name_key(&found.name);
        let aliases = item.aliases.iter().filter(|alias| is_name(alias) && told.place.has(alias));
        let mut names = found.names.clone();
        names.extend(aliases.clone().cloned());
        let aliases: Vec<String> = aliases.filter(|alias| name_key(alias) != own).cloned().collect();
        let index = self.entity(found);
        self.extraction.entities[index].aliases.extend(aliases);
        for property in &item.properties {
            if let Err(reason) = self.add_property(told, index, &kind, &names, property) {
                let what = || format!("a property of {}: {} {}", item.name, property.name, property.value);
                self.extraction.drop_item(reason, told.place.span(), what);
            }
        }
        Ok(())
    }

    fn add_property(
        &mut self,
        told: &Told<'_, '_>,
        index: usize,
        kind: &str,
        names: &[String],
        item: &PropertyItem,
    ) -> Result<(), DropReason> {
        // What is a relationship of the type is often written as its property.
        if self.property_type(kind, &item.name).is_none()
            && self.vocabulary.relationship(&item.name).is_some()
        {
            let fact = FactItem {
                from: names.first().cloned().unwrap_or_default(),
                from_type: Some(kind.to_owned()),
                kind: item.name.clone(),
                to: item.value.as_str().unwrap_or_default().to_owned(),
                evidence: item.evidence.clone(),
                confidence: item.confidence,
                ..FactItem::default()
            };
            return self.add_fact(told, &fact);
        }
        let Some(property) = self.read_property(told, kind, names, item)? else { return Ok(()) };
        let properties = &mut self.extraction.entities[index].properties;
        if !properties.contains(&property) {
            properties.push(property);
        }
        Ok(())
    }

    fn property_type(&self, kind: &str, name: &str) -> Option<(&'a String, &'a PropertyType)> {
        lookup(&self.ontology.nodes.get(kind)?.properties, name)
    }

    fn add_fact(&mut self, told: &Told<'_, '_>, item: &FactItem) -> Result<(), DropReason> {
        let unlisted = RelationshipType::default();
        let (kind, relationship) = match self.vocabulary.relationship(&item.kind) {
            Some((kind, relationship)) => (kind.clone(), relationship),
            None => match self.add_fact_as_property(told, item) {
                Err(DropReason::UnknownRelationship) if self.open => {
                    let kind = upper_snake_case(&item.kind);
                    let kind = Some(kind).filter(|kind| may_be_relationship(kind));
                    (kind.ok_or(DropReason::UnknownRelationship)?, &unlisted)
                }
                added => return added,
            },
        };
        let status = match item.status {
            Status::Denied => return Err(DropReason::Negated),
            Status::Possible => return Err(DropReason::NotCurrent),
            Status::Holds => None,
            Status::Ended => Some(names::ENDED),
            Status::Planned => Some(names::PLANNED),
        };
        let confidence = self.confidence(item.confidence)?;
        let mut from = self.end(told, &item.from, item.from_type.as_deref(), &relationship.from)?;
        let mut to = self.end(told, &item.to, item.to_type.as_deref(), &relationship.to)?;
        let fits = |ends: &[String], label: &str| ends.is_empty() || ends.iter().any(|end| end == label);
        let fit = |from: &str, to: &str| fits(&relationship.from, from) && fits(&relationship.to, to);
        if !fit(&from.kind, &to.kind) {
            if !fit(&to.kind, &from.kind) {
                return Err(DropReason::WrongEnds);
            }
            // Its types tell which way a fact goes that was written the other way round.
            std::mem::swap(&mut from, &mut to);
        }
        // One name is two things only where the reply lists both.
        let listed = |said: &str| told.entity(said).map(std::ptr::from_ref);
        let two =
            from.kind != to.kind && listed(&item.from).is_some() && listed(&item.from) != listed(&item.to);
        if name_key(&from.name) == name_key(&to.name) && !two {
            return Err(DropReason::Malformed);
        }
        let span =
            told.place.evidence(&item.evidence, &[&from.names, &to.names]).ok_or(DropReason::NotInText)?;
        let mut properties = self.read_fact_properties(item, &relationship.properties, span);
        if let Some(status) = status {
            if relationship.properties.contains_key(names::STATUS) {
                return Err(DropReason::NotCurrent);
            }
            properties.insert(names::STATUS.to_owned(), status.into());
        }
        let (from, to) = (self.entity(from), self.entity(to));
        let fact = ExtractedFact { kind, from, to, properties, confidence, span };
        let same = |known: &ExtractedFact| {
            (&known.kind, known.from, known.to, &known.properties, known.span)
                == (&fact.kind, from, to, &fact.properties, span)
        };
        if !self.extraction.facts.iter().any(same) {
            self.extraction.facts.push(fact);
        }
        Ok(())
    }

    /// Reads a fact whose type is a property of its start as that property.
    fn add_fact_as_property(&mut self, told: &Told<'_, '_>, item: &FactItem) -> Result<(), DropReason> {
        if matches!(item.status, Status::Denied) {
            return Err(DropReason::Negated);
        }
        let start = told.entity(&item.from);
        let said = item.from_type.as_deref().or(start.map(|start| start.kind.as_str()));
        let kind = match said.and_then(|said| self.vocabulary.node(said)) {
            Some(kind) => kind,
            None => self.vocabulary.owner(&item.kind).ok_or(DropReason::UnknownRelationship)?,
        };
        let name = self.vocabulary.property(kind, &item.kind).ok_or(DropReason::UnknownRelationship)?;
        let from = self.find(told, start.map_or(&item.from, |start| &start.name), kind)?;
        let names = from.names.clone();
        let value = told.entity(&item.to).map_or(&item.to, |to| &to.name).clone();
        let property = PropertyItem {
            name: name.to_owned(),
            value: Json::String(value),
            evidence: item.evidence.clone(),
            confidence: item.confidence,
        };
        let Some(property) = self.read_property(told, kind, &names, &property)? else { return Ok(()) };
        let index = self.entity(from);
        let properties = &mut self.extraction.entities[index].properties;
        if !properties.contains(&property) {
            properties.push(property);
        }
        Ok(())
    }

    /// Finds one end of a fact: its type is the one that is said, else the one that the relationship has there.
    fn end(
        &self,
        told: &Told<'_, '_>,
        said: &str,
        kind: Option<&str>,
        ends: &[String],
    ) -> Result<OccurringEntity, DropReason> {
        let item = told.entity(said);
        let name = item.map_or(said, |item| item.name.as_str());
        if let Some(kind) = kind.or(item.map(|item| item.kind.as_str())) {
            return self.find(told, name, kind);
        }
        let known = self.known.get(&name_key(name)).into_iter().flatten();
        let known = known.map(|entity| &entity.kind).find(|kind| ends.contains(kind));
        self.find(told, name, known.or(ends.first()).ok_or(DropReason::Malformed)?)
    }

    fn read_fact_properties(
        &mut self,
        item: &FactItem,
        types: &IndexMap<String, PropertyType>,
        span: Span,
    ) -> BTreeMap<String, Value> {
        let mut properties = BTreeMap::new();
        for property in &item.properties {
            match read_fact_property(types, property) {
                Ok((name, value)) => {
                    properties.insert(name, value);
                }
                Err(reason) => {
                    let what = || {
                        format!("a property of {} {} {}: {}", item.from, item.kind, item.to, property.name)
                    };
                    self.extraction.drop_item(reason, span, what);
                }
            }
        }
        properties
    }

    /// Checks a property. Returns `None` for the property that is the name itself.
    fn read_property(
        &self,
        told: &Told<'_, '_>,
        label: &str,
        names: &[String],
        item: &PropertyItem,
    ) -> Result<Option<ExtractedProperty>, DropReason> {
        let node = self.ontology.nodes.get(label).ok_or(DropReason::UnknownType)?;
        if item.name == node.key.as_deref().unwrap_or(names::NAME) {
            return Ok(None);
        }
        let described = PropertyType::default();
        let (name, kind) = match self.property_type(label, &item.name) {
            Some((name, kind)) => (name.clone(), kind),
            None if item.name == names::DESCRIPTION => (item.name.clone(), &described),
            None => return Err(DropReason::UnknownProperty),
        };
        let confidence = self.confidence(item.confidence)?;
        let value = read_value(kind, &item.value)?;
        let written = item.value.as_str().map_or_else(|| item.value.to_string(), str::to_owned);
        // Free text must be the document's own words; other values can be written in many ways, and a description is in
        // words of the model's.
        let free = kind.kind == DataType::String && kind.values.is_empty();
        if free && name != names::DESCRIPTION && !told.place.quotes(&written) {
            return Err(DropReason::NotInText);
        }
        // A text seldom writes a day as it is written here, but it has the year.
        let year = match &value {
            Value::Date(date) => Some(date.year().to_string()),
            _ => None,
        };
        if year.as_ref().is_some_and(|year| !told.place.has(year) && !told.place.quotes(&written)) {
            return Err(DropReason::NotInText);
        }
        let values: Vec<String> = std::iter::once(written).chain(year).collect();
        let span = told.place.evidence(&item.evidence, &[names, &values]).ok_or(DropReason::NotInText)?;
        Ok(Some(ExtractedProperty { name, value, confidence, span }))
    }

    /// Checks a confidence. A missing one counts as 1.0, like other statements without doubt.
    fn confidence(&self, said: Option<f64>) -> Result<f64, DropReason> {
        let confidence = said.unwrap_or(1.0);
        if confidence < self.threshold { Err(DropReason::LowConfidence) } else { Ok(confidence) }
    }

    /// Checks that an entity has a type of the ontology and occurs in the text.
    ///
    /// If a known entity is meant, its name is used; else the text's spelling.
    fn find(&self, told: &Told<'_, '_>, name: &str, kind: &str) -> Result<OccurringEntity, DropReason> {
        let name = name.trim();
        let label = self.label(kind).ok_or(DropReason::UnknownType)?;
        if !is_name(name) {
            return Err(DropReason::Malformed);
        }
        let of_type = |name: &str| {
            let same_name = self.known.get(&name_key(name)).into_iter().flatten().copied();
            same_name.filter(|entity| entity.kind == label)
        };
        let title = &self.document.title;
        let (name, known) =
            match subject::meant(name, subject::subject(title, of_type(title)), &self.vocabulary) {
                Meant::Name(name) => (name, of_type(name).next()),
                Meant::Subject(known) => (known.name.as_str(), Some(known)),
                Meant::Nothing => return Err(DropReason::Malformed),
            };
        let mut names = vec![name.to_owned()];
        names.extend(
            known.iter().flat_map(|known| std::iter::once(&known.name).chain(&known.aliases)).cloned(),
        );
        let mut mentions: Vec<Span> = names.iter().flat_map(|name| told.place.mentions(name)).collect();
        if mentions.is_empty() {
            mentions.extend(told.place.mention_elsewhere(&names));
        }
        let first = mentions.iter().min().ok_or(DropReason::NotInText)?;
        let own = match known {
            Some(known) => known.name.clone(),
            None => spelling(&self.document.text, name, *first),
        };
        Ok(OccurringEntity { kind: label, name: own, names, mentions })
    }

    /// Returns the type that a model says: one of the ontology, or another where that may come in.
    fn label(&self, said: &str) -> Option<String> {
        let known = self.vocabulary.node(said).cloned();
        known.or_else(|| Some(pascal_case(said)).filter(|label| self.open && may_be_label(label)))
    }

    fn entity(&mut self, found: OccurringEntity) -> usize {
        let key = (found.kind.clone(), name_key(&found.name));
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

fn read_fact_property(
    types: &IndexMap<String, PropertyType>,
    item: &PropertyItem,
) -> Result<(String, Value), DropReason> {
    if let Some((name, kind)) = lookup(types, &item.name) {
        return Ok((name.clone(), read_value(kind, &item.value)?));
    }
    let own = match item.name.to_lowercase().as_str() {
        names::VALID_FROM | names::VALID_TO => {
            PropertyType { kind: DataType::Date, ..PropertyType::default() }
        }
        names::DESCRIPTION => PropertyType::default(),
        _ => return Err(DropReason::UnknownProperty),
    };
    Ok((item.name.to_lowercase(), read_value(&own, &item.value)?))
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME && name.chars().any(char::is_alphanumeric)
}

/// Returns a name as the text writes it: as the model does where the text does so anywhere, else as where it is first.
fn spelling(text: &str, name: &str, first: Span) -> String {
    let written = text.get(first.range()).unwrap_or(name);
    if written == name || text.contains(name) || name_key(written) != name_key(name) {
        return name.to_owned();
    }
    let plain: String = written.chars().filter(|letter| !matches!(letter, '*' | '`' | '\\')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read_value(kind: &PropertyType, value: &Json) -> Result<Value, DropReason> {
    let read = match value {
        Json::String(text) => kind.parse_value(text.trim()),
        // A number may be written where a text is asked for, and the other way round.
        value => kind
            .kind
            .parse_json(value)
            .and_then(|value| kind.accept(&value))
            .or_else(|| value.is_number().then(|| kind.parse_value(&value.to_string())).flatten()),
    };
    read.ok_or(DropReason::BadValue)
}
