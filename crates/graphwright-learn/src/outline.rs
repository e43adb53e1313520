//! A meaning by the names of the schema, for those who run it or put it into words.

use graphwright_core::Value;

use crate::{
    meaning::{Asked, Meaning},
    schema::{Schema, Way},
};

/// A thing of a meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlinedThing<'a> {
    /// Its label.
    pub label: &'a str,
    /// The number of the thing that it is joined to, the type of relationship, and the way from that thing to this one.
    pub before: Option<(usize, &'a str, Way)>,
    /// Properties with the values that they must have.
    pub conditions: Vec<(&'a str, &'a Value)>,
}

/// What is asked of the first thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlinedAsked<'a> {
    /// Which they are.
    Entities,
    /// How many they are.
    Count,
    /// Their values of a property.
    Values(&'a str),
}

/// A meaning by names.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline<'a> {
    /// The things; the first is asked for.
    pub things: Vec<OutlinedThing<'a>>,
    /// What is asked of it.
    pub asked: OutlinedAsked<'a>,
    /// The property by which only the first is wanted, and whether that is the greatest.
    pub rank: Option<(&'a str, bool)>,
}

impl Meaning {
    /// Returns the meaning by the names of the schema that it was read with.
    pub fn outline<'a>(&'a self, schema: &'a Schema) -> Outline<'a> {
        let property = |at: u16| schema.properties[usize::from(at)].as_str();
        let things = self.things.iter().map(|thing| OutlinedThing {
            label: &schema.labels[usize::from(thing.label)],
            before: thing.before.map(|(before, step)| {
                let step = schema.at(step);
                (before, schema.kinds[usize::from(step.kind)].as_str(), step.way)
            }),
            conditions: thing.conditions.iter().map(|one| (property(one.property), &one.value)).collect(),
        });
        let asked = match self.asked {
            Asked::Entities => OutlinedAsked::Entities,
            Asked::Count => OutlinedAsked::Count,
            Asked::Values(asked) => OutlinedAsked::Values(property(asked)),
        };
        let rank = self.rank.map(|rank| (property(rank.property), rank.descending));
        Outline { things: things.collect(), asked, rank }
    }
}
