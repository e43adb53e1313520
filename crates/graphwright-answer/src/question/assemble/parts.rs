//! Things, what joins them, and conditions.

use graphwright_retrieve::NodeIndex;

use crate::{
    lexicon::Reading,
    question::{
        Piece, Span,
        annotate::Place,
        plan::{Called, Order, Other, Quantifier},
    },
    schema::{Content, Kind, Label, Property, Schema},
};

/// What tells the members of a class.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    /// A value that they have.
    Value,
    /// What they are joined to so.
    Node(Kind, NodeIndex),
}

/// A thing that the question speaks of.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) labels: Option<Vec<Label>>,
    /// Named entities; more than one list when several are named together.
    pub(super) members: Vec<Vec<NodeIndex>>,
    /// Several named entities must all be joined, not any of them.
    pub(super) all: bool,
    pub(super) asker: bool,
    pub(super) who: Option<Place>,
    pub(super) quality: f64,
    pub(super) quantifier: Option<Quantifier>,
    /// The words that say how many times something is done to it, from one to another.
    pub(super) times: Option<(usize, usize)>,
    /// With whose number its own is compared.
    pub(super) compared: Vec<NodeIndex>,
    pub(super) excluded: bool,
    /// Others than those that the question names.
    pub(super) other: bool,
    /// Where a word says that it is the one that is meant beside it (`their own film`, `the same film`).
    pub(super) own: Option<usize>,
    /// It only stands between others, of which each may have its own.
    pub(super) passed: bool,
    /// `Is X a Y`: the type is what is asked.
    pub(super) kind_asked: bool,
    /// Its name has these words (`stops on Mill Street`).
    pub(super) called: Option<Called>,
    /// What is called as a class is stands for it (`the epochs`).
    pub(super) class: Option<Class>,
    /// The question speaks of it only by a property or a value that it has.
    pub(super) implied: bool,
}

impl Thing {
    /// Anything, at these words.
    pub(super) fn new(first: usize, end: usize) -> Self {
        Self {
            first,
            end,
            labels: None,
            members: Vec::new(),
            all: true,
            asker: false,
            who: None,
            quality: 1.0,
            quantifier: None,
            times: None,
            compared: Vec::new(),
            excluded: false,
            other: false,
            own: None,
            passed: false,
            kind_asked: false,
            called: None,
            class: None,
            implied: false,
        }
    }
}

/// A word that joins things.
#[derive(Clone, Debug, Default)]
pub(super) struct Link {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) readings: Vec<Reading>,
    pub(super) vague: bool,
    pub(super) shared: bool,
    /// A verb that the graph does not know.
    pub(super) having: bool,
    /// The thing that the word itself stands for (`owner`).
    pub(super) own: Option<usize>,
    /// The noun is a verb too, and so stands for what is done (`border`) rather than for a thing.
    pub(super) is_act: bool,
    pub(super) negated: bool,
    /// The word that denies it.
    pub(super) denied_by: Option<usize>,
    /// Where the verb stands of which it is a further preposition.
    pub(super) verb: Option<usize>,
    /// What further verbs say, of which one is enough (`wrote or directed`).
    pub(super) others: Vec<Vec<Reading>>,
    /// How many times it is done, where what it is done to is missing beside it.
    pub(super) times: Option<Quantifier>,
    /// A thing of which there are most or fewest is missing beside it (`the most used library`).
    pub(super) extreme: Option<Order>,
}

/// One relationship between two things, as a reading of the question has it.
#[derive(Clone, Debug)]
pub(super) struct Tie {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) kind: Kind,
    /// Whether it leads from left to right.
    pub(super) forward: bool,
    pub(super) weight: f64,
    pub(super) negated: bool,
    /// What may hold in its place.
    pub(super) others: Vec<Other>,
}

impl Link {
    /// What the word says of two things, by one of its readings.
    pub(super) fn tie(&self, reading: &Reading, (left, right): (usize, usize), weight: f64) -> Tie {
        let other = |readings: &Vec<Reading>| {
            let best = readings.iter().max_by(|left, right| left.weight.total_cmp(&right.weight))?;
            Some(Other { kind: best.kind, along: best.subject_is_start == reading.subject_is_start })
        };
        Tie {
            left,
            right,
            kind: reading.kind,
            forward: reading.subject_is_start,
            weight,
            negated: self.negated,
            others: self.others.iter().filter_map(other).collect(),
        }
    }
}

/// A word for a property of relationships, or for its value.
#[derive(Clone, Debug)]
pub(super) struct HeldProperty {
    pub(super) first: usize,
    /// The kinds of relationship that have it.
    pub(super) kinds: Vec<Kind>,
    /// Whether something that the question speaks of may have it too.
    pub(super) of_things: bool,
    /// Whether it is a value of the property.
    pub(super) is_value: bool,
}

/// A condition with its place.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) span: Span,
    pub(super) negated: bool,
}

impl Condition {
    /// The properties that it names, if it is nothing but their name.
    pub(super) fn properties(&self) -> Option<&[Property]> {
        match &self.span.piece {
            Piece::Property(properties) => Some(properties),
            _ => None,
        }
    }

    /// The properties that it names, or whose values it is.
    pub(super) fn properties_or_of_values(&self) -> Option<Vec<Property>> {
        match &self.span.piece {
            Piece::Property(properties) => Some(properties.clone()),
            Piece::Value(values) => Some(values.iter().map(|(property, _)| *property).collect()),
            _ => None,
        }
    }

    /// Whether it is said of things like an adjective: a value, or what is true of them.
    pub(super) fn is_of_kind(&self, schema: &Schema) -> bool {
        let is_truth = |property: &Property| schema.property(*property).content == Content::Truth;
        match &self.span.piece {
            Piece::Value(_) => true,
            Piece::Property(properties) => properties.iter().any(is_truth),
            _ => false,
        }
    }
}
