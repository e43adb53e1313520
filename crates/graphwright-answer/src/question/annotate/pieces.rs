//! What a span of words may mean.

use std::collections::HashSet;

use graphwright_core::Value;
use graphwright_english::dates::Days;
use graphwright_retrieve::NodeIndex;

use crate::{
    lexicon::{Reading, Shape},
    question::plan::Order,
    schema::{Label, Property, Schema},
};

/// How a number or date is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Equal, or within.
    Is,
    /// Less, or before.
    Below,
    /// At most, or until.
    AtMost,
    /// More, or after.
    Above,
    /// At least, or since.
    AtLeast,
}

/// What a span of words means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Type(Vec<Label>),
    Entity(Vec<(NodeIndex, f64)>),
    /// The entities of whose names the words are a part, beside the word for their type.
    Called(Vec<NodeIndex>),
    Relation(Shape, Vec<Reading>),
    /// A connection of no particular kind.
    Vague,
    /// A verb that the graph does not know, between things of which it only says that one has the other.
    Having(Vec<Reading>),
    /// People and groups, or places, whatever their type.
    Someone(Place),
    /// Anything, of which a clause says more (`something that uses it`).
    Something,
    Property(Vec<Property>),
    Value(Vec<(Property, Value)>),
    Time(Compare, Days),
    /// A month of any year, from 1.
    Month(i8),
    /// The year in which one of these entities has its date.
    SameYear(Vec<NodeIndex>),
    /// `More` or `fewer` before what is counted, where `than` and a name follow.
    More(Compare),
    /// Nothing that another span does not say: `than any other film` behind `more`.
    Silent,
    /// A further preposition of the verb at that place: `at` of `played for Brazil at Atlanta`.
    Continued(usize, Vec<Reading>),
    /// A number, and the properties that its words measure (`deeper than 14 metres`).
    Quantity(Compare, f64, Vec<Property>),
    /// How many times something is done: `more than once`, `three times`.
    Times(Compare, f64),
    /// A number from one to another, both included.
    Between(f64, f64),
    /// The value of one of these entities, of which the words may name the property (`older than Ada`, `before Top Gun`).
    Than(Compare, Vec<NodeIndex>, Vec<Property>),
    /// Of `most` and `latest`, the most comes first, of `fewest` and `earliest` the least.
    Extreme(Order, Measure),
    /// `share`, `in common`, `same`.
    Shared,
}

/// What `who`, `people` and `where` want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Who,
    People,
    Where,
}

impl Place {
    /// The types that it may be.
    pub(crate) fn labels(self, schema: &Schema) -> &HashSet<Label> {
        match self {
            Self::Who => &schema.actors,
            Self::People => &schema.people,
            Self::Where => &schema.places,
        }
    }
}

/// By what a superlative ranks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Measure {
    /// By how many there are of what follows.
    Number,
    /// By date.
    Date,
    /// By one of these properties.
    Properties(Vec<Property>),
    /// By the property named beside it.
    Beside,
}

/// A span of words with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) first: usize,
    /// One past the last word.
    pub(crate) end: usize,
    pub(crate) piece: Piece,
    pub(crate) weight: f64,
    /// Whether it says what a document is about, which was looked for.
    pub(crate) is_subject: bool,
}

impl Span {
    pub(super) fn new(first: usize, end: usize, piece: Piece, weight: f64) -> Self {
        Self { first, end, piece, weight, is_subject: false }
    }

    /// Tells whether a word is one of it.
    pub(crate) fn has(&self, at: usize) -> bool {
        self.first <= at && at < self.end
    }

    pub(crate) fn is_entity(&self) -> bool {
        matches!(self.piece, Piece::Entity(_))
    }
}

/// A question cut into spans.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segmentation {
    pub(crate) spans: Vec<Span>,
    /// Words with a meaning that no span explains.
    pub(crate) unexplained: Vec<usize>,
    /// Words without an explanation that the answer does not depend on.
    pub(crate) passed: Vec<usize>,
    /// Explained share of the words that carry meaning, weighted by how well.
    pub(crate) coverage: f64,
    pub(super) score: f64,
}
