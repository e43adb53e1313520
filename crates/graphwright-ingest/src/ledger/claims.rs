//! What one document says.

use std::collections::BTreeMap;

use graphwright_core::{NodeKey, Properties, Span, Value};

/// A fact without who states it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FactKey {
    pub kind: String,
    pub from: NodeKey,
    pub to: NodeKey,
}

/// What one document says, by the keys that it uses itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DocumentClaims {
    pub entities: BTreeMap<NodeKey, EntityClaims>,
    /// The statements of each fact, in the order of the text.
    pub facts: BTreeMap<FactKey, Vec<Support>>,
}

/// What one document says of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EntityClaims {
    /// Where it is mentioned, by chunk.
    pub mentions: BTreeMap<String, MentionPlace>,
    pub properties: Vec<PropertyClaim>,
}

/// The mentions of an entity in one chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MentionPlace {
    pub spans: Vec<Span>,
    /// What the document calls the entity, the name to use first; kept with its first mention.
    pub names: Vec<String>,
}

/// A value that a document gives a property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PropertyClaim {
    pub name: String,
    pub value: Value,
    pub confidence: f64,
    pub chunk: String,
    pub span: Span,
    pub recorded_at: Value,
}

/// One statement of a fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Support {
    pub chunk: String,
    pub span: Span,
    pub confidence: f64,
    /// The fact's properties as stated here.
    pub stated: Properties,
    pub recorded_at: Value,
}

impl EntityClaims {
    /// What the document calls the entity, the name to use first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.mentions.values().flat_map(|place| &place.names).map(String::as_str)
    }
}

impl DocumentClaims {
    pub(crate) fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.facts.is_empty()
    }

    /// What was said before in the same words keeps the time at which it was recorded.
    pub(super) fn keep_times_of(&mut self, before: &Self) {
        for (key, claims) in &mut self.entities {
            let Some(old) = before.entities.get(key) else { continue };
            for claim in &mut claims.properties {
                if let Some(known) = old.properties.iter().find(|known| known.says_the_same(claim)) {
                    claim.recorded_at = known.recorded_at.clone();
                }
            }
        }
        for (key, supports) in &mut self.facts {
            // A fact is recorded once, however its statements move.
            let Some(first) = before.facts.get(key).and_then(|old| old.first()) else { continue };
            for support in supports {
                support.recorded_at = first.recorded_at.clone();
            }
        }
    }
}

impl PropertyClaim {
    fn says_the_same(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl DocumentClaims {
    /// Brings statements into the order of the text, so that claims read from a store equal those written.
    pub(crate) fn sort(&mut self) {
        for claims in self.entities.values_mut() {
            claims.properties.sort_by(|left, right| {
                (left.span, &left.name)
                    .cmp(&(right.span, &right.name))
                    .then_with(|| left.value.order(&right.value))
            });
        }
        for supports in self.facts.values_mut() {
            supports.sort_by_key(|support| support.span);
        }
    }
}
