//! Collects relationships for a snapshot.

use std::io;

use graphwright_core::{Properties, Relationship, names};

use super::{form::TIMED, tables::Pending};
use crate::{
    mapped::{Numbered, put_properties, put_text},
    validity::{Interval, interval},
};

/// The weight of a relationship that has none.
const DEFAULT_WEIGHT: f64 = 0.5;

/// The most nodes, and the most relationships: their numbers have 32 bits, and types one bit less.
pub(super) const MOST: usize = u32::MAX as usize - 1;

/// Relationships with what is written of them.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub(super) pending: Vec<Pending>,
    pub(super) records: Vec<u8>,
    /// Intervals by position in `pending`.
    pub(super) intervals: Vec<(u32, Interval)>,
    pub(super) kinds: Numbered,
    pub(super) keys: Numbered,
    pub(super) unusable_weights: usize,
}

impl Edges {
    /// Adds a relationship between the nodes at two positions.
    pub(super) fn add(&mut self, (start, end): (u32, u32), relationship: &Relationship) -> io::Result<()> {
        let position = self.pending.len();
        if position >= MOST {
            return Err(io::Error::other(format!("a snapshot holds at most {MOST} relationships")));
        }
        let Relationship { element_id, properties, .. } = relationship;
        let timed = interval(properties);
        let kind = self.kinds.number(&relationship.kind);
        if kind >= TIMED {
            return Err(io::Error::other(format!("a snapshot holds at most {TIMED} relationship types")));
        }
        let weight = self.weight(properties);
        let begin = self.records.len();
        put_text(&mut self.records, element_id.as_str());
        put_properties(&mut self.records, properties, &mut self.keys);
        let record = (begin as u64, (self.records.len() - begin) as u32);
        let kind = if timed.is_some() { kind | TIMED } else { kind };
        self.pending.push(Pending { start, end, kind, weight, record });
        self.intervals.extend(timed.map(|interval| (position as u32, interval)));
        Ok(())
    }

    fn weight(&mut self, properties: &Properties) -> f64 {
        let Some(value) = properties.get(names::WEIGHT) else { return DEFAULT_WEIGHT };
        match value.as_float() {
            Some(weight) if weight > 0.0 && weight <= 1.0 => weight,
            Some(weight) if weight > 1.0 => {
                self.unusable_weights += 1;
                1.0
            }
            _ => {
                self.unusable_weights += 1;
                DEFAULT_WEIGHT
            }
        }
    }
}
