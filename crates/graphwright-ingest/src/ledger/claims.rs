//! The claims of one document.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::{NodeKey, Properties, Span, Value};

/// A fact, regardless of who states it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FactKey {
    pub kind: String,
    pub from: NodeKey,
    pub to: NodeKey,
}

/// The claims of one document, with the keys that it uses itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DocumentClaims {
    pub entities: BTreeMap<NodeKey, EntityClaims>,
    /// Statements of each fact, in the order of the text.
    pub facts: BTreeMap<FactKey, Vec<Support>>,
}

/// Claims of one document about an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EntityClaims {
    /// Mentions, by chunk.
    pub mentions: BTreeMap<String, MentionPlace>,
    pub properties: Vec<PropertyClaim>,
}

/// Mentions of an entity in one chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MentionPlace {
    pub spans: Vec<Span>,
    /// Names that the document gives the entity, the preferred one first. Kept with the first
    /// mention.
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

/// A statement of a fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Support {
    pub chunk: String,
    pub span: Span,
    pub confidence: f64,
    /// Properties of the fact in this statement.
    pub stated: Properties,
    pub recorded_at: Value,
}

impl EntityClaims {
    /// Returns the names that the document gives the entity, the preferred one first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.mentions.values().flat_map(|place| &place.names).map(String::as_str)
    }
}

impl DocumentClaims {
    pub(crate) fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.facts.is_empty()
    }

    /// Adds the claims of further passages of the document.
    #[must_use]
    pub(crate) fn join(mut self, other: Self) -> Self {
        for (key, more) in other.entities {
            let claims = self.entities.entry(key).or_default();
            let mut names: Vec<String> = claims.names().map(str::to_owned).collect();
            names.extend(more.names().map(str::to_owned));
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()));
            for (chunk, place) in more.mentions {
                let spans = &mut claims.mentions.entry(chunk).or_default().spans;
                spans.extend(place.spans);
                spans.sort_unstable();
                spans.dedup();
            }
            // All names are kept with one mention, so that their order is kept too.
            claims.mentions.values_mut().for_each(|place| place.names.clear());
            if let Some(first) = claims.mentions.values_mut().next() {
                first.names = names;
            }
            for property in more.properties {
                if !claims
                    .properties
                    .iter()
                    .any(|known| known.name == property.name && known.span == property.span)
                {
                    claims.properties.push(property);
                }
            }
        }
        for (key, more) in other.facts {
            let supports = self.facts.entry(key).or_default();
            for support in more {
                if !supports.iter().any(|known| known.span == support.span && known.stated == support.stated)
                {
                    supports.push(support);
                }
            }
        }
        self.sort();
        self
    }

    /// Copies the recording times of claims that were there before.
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
            // A fact is recorded once, even if its statements move.
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
    /// Sorts statements by their place in the text, so that claims read from a store equal those
    /// written.
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
