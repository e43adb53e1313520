//! Validates an extraction against the ontology and turns it into claims.
//!
//! What violates the ontology is dropped and counted, or kept aside.

use std::collections::BTreeMap;

use graphwright_core::{Chunk, Document, NodeKey, Properties, Span, Value, names, text::shorten};
use graphwright_documents::extraction::{
    DropReason, Dropped, ExtractedEntity, ExtractedFact, ExtractedProperty, Extraction,
};
use graphwright_english::names::name_key;
use graphwright_ontology::{DataType, Ontology, PropertyType};

use crate::{
    DroppedItem,
    ledger::{DocumentClaims, EntityClaims, FactKey, Projection, PropertyClaim, Support},
    resolve::Resolver,
};

/// Result of validating an extraction.
#[derive(Debug, Default)]
pub(crate) struct Validated {
    pub claims: DocumentClaims,
    pub dropped: BTreeMap<DropReason, u64>,
    pub invalid: Vec<Invalid>,
    /// What the extractor itself dropped, as far as it is listed.
    pub unread: Vec<Invalid>,
}

/// An extracted item that violates the ontology.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Invalid {
    pub reason: DropReason,
    /// Description of the item for people.
    pub what: String,
    pub span: Span,
}

impl Invalid {
    /// The item as the report lists it.
    pub(crate) fn listed(&self, document: &str) -> DroppedItem {
        DroppedItem {
            document: document.to_owned(),
            reason: self.reason,
            what: shorten(&self.what, 200),
            start: self.span.start,
            end: self.span.end,
        }
    }
}

/// Returns whether an extraction names types that the ontology does not have.
pub(crate) fn names_other_types(extraction: &Extraction, ontology: &Ontology) -> bool {
    extraction.entities.iter().any(|entity| !ontology.nodes.contains_key(&entity.kind))
        || extraction.facts.iter().any(|fact| !ontology.relationships.contains_key(&fact.kind))
}

/// Validates the extractions of one document.
#[derive(Debug)]
pub(crate) struct Validator<'a> {
    pub document: &'a Document,
    pub chunks: &'a [Chunk],
    pub ontology: &'a Ontology,
    pub resolver: &'a Resolver,
    /// Minimum confidence of facts and properties.
    pub threshold: f64,
    pub now: Value,
}

impl Validator<'_> {
    pub(crate) fn validate(&self, extraction: Extraction) -> Validated {
        let mut validated = Validated { dropped: extraction.dropped, ..Validated::default() };
        let unread = extraction.dropped_items.into_iter();
        validated.unread =
            unread.map(|Dropped { reason, what, span }| Invalid { reason, what, span }).collect();
        let keys: Vec<Result<NodeKey, DropReason>> = extraction
            .entities
            .iter()
            .map(|entity| {
                let key = self.take_entity(entity, &mut validated);
                if let Err(reason) = key {
                    let span = entity.mentions.first().copied().unwrap_or_default();
                    validated.drop(reason, format!("{} ({})", entity.name, entity.kind), span);
                }
                key
            })
            .collect();
        for fact in &extraction.facts {
            if let Err(reason) = self.take_fact(fact, &keys, &mut validated) {
                let name = |index: usize| extraction.entities.get(index).map_or("?", |entity| &entity.name);
                let what = format!("{} {} {}", name(fact.from), fact.kind, name(fact.to));
                validated.drop(reason, what, fact.span);
            }
        }
        validated.claims.sort();
        validated
    }

    fn take_entity(
        &self,
        entity: &ExtractedEntity,
        validated: &mut Validated,
    ) -> Result<NodeKey, DropReason> {
        let node = self.ontology.nodes.get(&entity.kind).ok_or(DropReason::UnknownType)?;
        if name_key(&entity.name).is_empty() {
            return Err(DropReason::Malformed);
        }
        let mut spans: Vec<Span> =
            entity.mentions.iter().copied().filter(|span| self.is_inside(*span)).collect();
        spans.sort();
        let first = *spans.first().ok_or(DropReason::NotInText)?;
        let key = self.resolver.resolve(&entity.kind, &entity.name);
        if node.closed && self.resolver.known_name(&key).is_none() {
            return Err(DropReason::Unlisted);
        }
        let claims = validated.claims.entities.entry(key.clone()).or_default();
        self.add_mentions(claims, &spans);
        let known = self.resolver.known_name(&key);
        let all =
            known.into_iter().chain([entity.name.as_str()]).chain(entity.aliases.iter().map(String::as_str));
        add_names(claims, &self.chunk_at(first).id, all);
        for property in &entity.properties {
            // What the ontology takes for the name may be a key beside it: `S-099` of a stadium.
            let named = || property.value.as_str() == Some(entity.name.as_str());
            let naming =
                property.name == names::NAME || node.key.as_deref() == Some(&property.name) && named();
            if naming {
                continue;
            }
            match self.take_property(property, node.properties.get(&property.name)) {
                Ok(claim) => {
                    let claims = validated.claims.entities.entry(key.clone()).or_default();
                    if !claims
                        .properties
                        .iter()
                        .any(|known| known.name == claim.name && known.span == claim.span)
                    {
                        claims.properties.push(claim);
                    }
                }
                Err(reason) => {
                    let what = format!("{}.{} = {}", entity.name, property.name, shown(&property.value));
                    validated.drop(reason, what, property.span);
                }
            }
        }
        Ok(key)
    }

    fn add_mentions(&self, claims: &mut EntityClaims, spans: &[Span]) {
        for span in spans {
            let place = claims.mentions.entry(self.chunk_at(*span).id.clone()).or_default();
            if let Err(position) = place.spans.binary_search(span) {
                place.spans.insert(position, *span);
            }
        }
    }

    fn take_property(
        &self,
        property: &ExtractedProperty,
        kind: Option<&PropertyType>,
    ) -> Result<PropertyClaim, DropReason> {
        let free = PropertyType::default();
        let described = property.name == names::DESCRIPTION;
        let kind = kind.or(described.then_some(&free)).ok_or(DropReason::UnknownProperty)?;
        if property.confidence.is_nan() || property.confidence < self.threshold {
            return Err(DropReason::LowConfidence);
        }
        if !self.is_inside(property.span) {
            return Err(DropReason::NotInText);
        }
        Ok(PropertyClaim {
            name: property.name.clone(),
            value: kind.accept(&property.value).ok_or(DropReason::BadValue)?,
            confidence: property.confidence.min(1.0),
            chunk: self.chunk_at(property.span).id.clone(),
            span: property.span,
            recorded_at: self.now.clone(),
        })
    }

    fn take_fact(
        &self,
        fact: &ExtractedFact,
        keys: &[Result<NodeKey, DropReason>],
        validated: &mut Validated,
    ) -> Result<(), DropReason> {
        let kind = self.ontology.relationships.get(&fact.kind).ok_or(DropReason::UnknownRelationship)?;
        let end = |index: usize| keys.get(index).cloned().unwrap_or(Err(DropReason::Malformed));
        let (from, to) = (end(fact.from)?, end(fact.to)?);
        let allowed = |labels: &[String], key: &NodeKey| labels.is_empty() || labels.contains(&key.label);
        if !allowed(&kind.from, &from) || !allowed(&kind.to, &to) {
            return Err(DropReason::WrongEnds);
        }
        if fact.confidence.is_nan() || fact.confidence < self.threshold {
            return Err(DropReason::LowConfidence);
        }
        if !self.is_inside(fact.span) {
            return Err(DropReason::NotInText);
        }
        if from == to {
            return Err(DropReason::Malformed);
        }
        let mut stated = Properties::new();
        for (name, value) in &fact.properties {
            match accept_stated(name, value, kind.properties.get(name)) {
                Ok(value) => drop(stated.insert(name.clone(), value)),
                Err(reason) => {
                    let what = format!("{}.{name} = {}", fact.kind, shown(value));
                    validated.drop(reason, what, fact.span);
                }
            }
        }
        let support = Support {
            chunk: self.chunk_at(fact.span).id.clone(),
            span: fact.span,
            confidence: fact.confidence.min(1.0),
            stated,
            recorded_at: self.now.clone(),
        };
        let key = FactKey { kind: fact.kind.clone(), from, to };
        let supports = validated.claims.facts.entry(key).or_default();
        match supports.iter_mut().find(|known| known.span == support.span && known.stated == support.stated) {
            Some(known) => known.confidence = known.confidence.max(support.confidence),
            None => supports.push(support),
        }
        Ok(())
    }

    fn is_inside(&self, span: Span) -> bool {
        span.start < span.end && self.document.text.get(span.range()).is_some()
    }

    /// Returns the chunk in which a range begins.
    fn chunk_at(&self, span: Span) -> &Chunk {
        // Passages cover the whole text, so a text that has ranges has at least one.
        let after = self.chunks.partition_point(|chunk| chunk.span.start <= span.start);
        &self.chunks[after.saturating_sub(1)]
    }
}

fn add_names<'n>(claims: &mut EntityClaims, chunk: &str, names: impl Iterator<Item = &'n str>) {
    let mut known: Vec<String> = claims.names().map(str::to_owned).collect();
    // All names are kept with one mention, so that their order is kept too.
    let holder = claims.mentions.iter().find(|(_, place)| !place.names.is_empty());
    let holder = holder.map_or_else(|| chunk.to_owned(), |(chunk, _)| chunk.clone());
    for name in names.map(str::trim).filter(|name| !name.is_empty()) {
        if !known.iter().any(|other| other == name) {
            known.push(name.to_owned());
        }
    }
    claims.mentions.entry(holder).or_default().names = known;
}

/// A value as its JSON form writes it.
fn shown(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A description in the words of a model, which may not know an end.
fn described(text: &str) -> Value {
    Value::from(shorten(text.trim(), 300))
}

fn accept_stated(name: &str, value: &Value, kind: Option<&PropertyType>) -> Result<Value, DropReason> {
    let moment = || DataType::Date.accept(value).or_else(|| DataType::DateTime.accept(value));
    let accepted = match kind {
        Some(kind) => kind.accept(value),
        None if name == names::VALID_FROM || name == names::VALID_TO => moment(),
        None if name == names::STATUS => {
            let known = |text: &&str| [names::ENDED, names::PLANNED].contains(text);
            value.as_str().filter(known).map(Value::from)
        }
        None if name == names::DESCRIPTION => value.as_str().map(described),
        None => return Err(DropReason::UnknownProperty),
    };
    accepted.ok_or(DropReason::BadValue)
}

impl Validated {
    fn drop(&mut self, reason: DropReason, what: String, span: Span) {
        *self.dropped.entry(reason).or_default() += 1;
        self.invalid.push(Invalid { reason, what, span });
    }
}

/// Projects invalid items as nodes that belong to the document.
pub(crate) fn project_invalid(document: &str, invalid: &[Invalid]) -> Projection {
    let mut projection = Projection::default();
    for (index, item) in invalid.iter().enumerate() {
        let key = NodeKey::new(names::INVALID, format!("{document}!{index}"));
        let reason = serde_json::to_value(item.reason).ok().and_then(|json| json.as_str().map(str::to_owned));
        let properties = Properties::from([
            ("document".to_owned(), document.into()),
            ("reason".to_owned(), reason.unwrap_or_default().into()),
            ("what".to_owned(), item.what.as_str().into()),
            ("start".to_owned(), item.span.start.into()),
            ("end".to_owned(), item.span.end.into()),
        ]);
        let hangs_on = crate::lexical::part_of(key.clone(), document);
        projection.node(key, &[], properties);
        projection.relationship(hangs_on, Properties::new());
    }
    projection
}
