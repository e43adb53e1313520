//! What to look for in the graph: variables with constraints, joined into a tree.

use graphwright_core::Value;
use graphwright_english::{dates::Days, words};
use graphwright_retrieve::NodeIndex;

use super::annotate::Compare;
use crate::schema::{Kind, Label, Property};

/// A condition on a property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// One of these stored values.
    OneOf(Vec<Value>),
    /// A date.
    Time(Compare, Days),
    /// A number.
    Number(Compare, f64),
    /// A number from one to another, both included.
    Between(f64, f64),
    /// A date in a month of any year, from 1.
    Month(i8),
    /// A date in the same year as that of one of these entities.
    SameYear(Vec<NodeIndex>),
    /// A value that compares so with that of one of these entities (`released before Top Gun`).
    Than(Compare, Vec<NodeIndex>),
    /// Any value; for truth values, true.
    Present,
}

impl Test {
    /// Whether it is of a day or a span of days.
    pub(crate) fn is_date(&self) -> bool {
        matches!(self, Self::Time(..) | Self::Month(_) | Self::SameYear(_))
    }
}

/// A condition on an entity: one of the properties passes the test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) properties: Vec<Property>,
    pub(crate) test: Test,
    pub(crate) negated: bool,
    /// Word position.
    pub(crate) at: usize,
}

/// How many of the things at the other end of a relationship are meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Quantifier {
    /// So many.
    Count(Compare, f64),
    /// From so many to so many, both included.
    Range(f64, f64),
    /// A number that compares so with that of [`Variable::compared`] (`more films than Ada`).
    Than(Compare),
    /// Every one (`supplies all competitors`).
    All,
    /// No others (`supplies only competitors`).
    Only,
    /// None.
    No,
}

/// Words of names, and the entities of whose names they are, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Called {
    pub(crate) words: String,
    pub(crate) nodes: Vec<NodeIndex>,
}

/// Something to be found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Variable {
    /// Its possible types; any when `None`.
    pub(crate) labels: Option<Vec<Label>>,
    /// The entities that the question names here.
    pub(crate) entities: Option<Vec<NodeIndex>>,
    /// Its name has these words.
    pub(crate) called: Option<Called>,
    /// The entities are different ones of the same name, not several named together.
    pub(crate) alternatives: bool,
    /// How many of its matches must be there, seen from the next thing that the question speaks of; at least one when `None`.
    pub(crate) quantifier: Option<Quantifier>,
    /// With whose number of matches that of the thing before is compared.
    pub(crate) compared: Vec<NodeIndex>,
    /// The question does not speak of it; it only stands between others.
    pub(crate) between: bool,
    pub(crate) filters: Vec<Filter>,
    /// Entities that the question leaves out.
    pub(crate) excluded: Vec<NodeIndex>,
    /// Only the first by this ranking.
    pub(crate) ranking: Option<Ranking>,
    /// Word position, for proximity and for the order of evidence.
    pub(crate) at: usize,
}

/// A relationship between two variables.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Join {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) kind: Kind,
    /// Goes from `left` to `right`.
    pub(crate) forward: bool,
    /// What may hold in its place (`wrote or directed`).
    pub(crate) others: Vec<Other>,
    pub(crate) negated: bool,
    /// The most steps: 1 for the relationship itself, more where the question wants any number.
    pub(crate) hops: usize,
    /// What the relationship itself must have.
    pub(crate) test: Option<JoinTest>,
}

impl Join {
    /// A relationship of a kind from one variable to another.
    pub(crate) fn new(left: usize, kind: Kind, right: usize) -> Self {
        Self { left, right, kind, forward: true, others: Vec::new(), negated: false, hops: 1, test: None }
    }

    /// Lists the relationships of which one is enough, and whether each goes from `left` to `right`.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (Kind, bool)> + '_ {
        let others = self.others.iter().map(|other| (other.kind, other.along == self.forward));
        std::iter::once((self.kind, self.forward)).chain(others)
    }

    /// What is joined to a variable, and whether the relationship leads there.
    pub(crate) fn from(&self, variable: usize) -> Option<(usize, bool)> {
        match (self.left == variable, self.right == variable) {
            (true, _) => Some((self.right, self.forward)),
            (_, true) => Some((self.left, !self.forward)),
            _ => None,
        }
    }

    fn move_end(&mut self, from: usize, to: usize) {
        for end in [&mut self.left, &mut self.right] {
            *end = if *end == from { to } else { *end };
        }
    }
}

/// A relationship that is as good as another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Other {
    pub(crate) kind: Kind,
    /// Whether it leads from the same end.
    pub(crate) along: bool,
}

/// A condition on a relationship: one of these properties of its own passes the test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JoinTest {
    pub(crate) names: Vec<String>,
    pub(crate) test: Test,
}

/// What a question claims of everything of a kind (`are all services written in Go`): that it meets one part of the plan beside all
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// What is spoken of.
    pub(crate) variable: usize,
    pub(crate) part: Part,
}

/// A part of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A relationship, by its position.
    Join(usize),
    /// A condition of what is spoken of, by its position.
    Filter(usize),
}

/// What of the matches is the answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Projection {
    /// The entities.
    Entities,
    /// How many they are.
    Number,
    /// How many of that variable there are for each of the entities.
    NumberForEach(usize),
    /// How many of the entities there are for each value of the first of these properties that they have.
    NumberForEachValue(Vec<Property>, Option<Order>),
    /// Their values of the first of these properties that they have.
    Values(Vec<Property>),
    /// How many relationships there are with that position among the joins.
    Relationships(usize),
    /// A property of the relationship with that position among the joins.
    JoinValue(usize, Vec<String>),
    /// A number made of their values of the first of these properties that they have.
    Aggregate(Aggregate, Vec<Property>),
    /// A number made of the values of a property of relationships, of which the position among the joins is given.
    JoinAggregate(Aggregate, usize, Vec<String>),
    /// How many of that variable there are for one of the entities on average.
    AverageNumber(usize),
    /// Whether there are any.
    Truth,
}

/// How several numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Average,
    Greatest,
    Least,
    /// How many there are in lists.
    Length,
}

/// Whether a word that a reading does not use must be told: without it other things are meant.
pub(crate) fn changes_meaning(word: &str) -> bool {
    // Of `or`, only that between verbs is not used.
    words::is_operator(word) || word == "or"
}

/// Which of what is ranked is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Whether the most or latest comes first.
    pub(crate) most: bool,
    /// Which one, counted from 1; those of one rank stand together.
    pub(crate) place: usize,
    /// How many from there on, and those that are equal to the last.
    pub(crate) count: usize,
}

impl Order {
    /// The first by this order.
    pub(crate) fn first(most: bool) -> Self {
        Self { most, place: 1, count: 1 }
    }

    /// The least and the greatest of some numbers that are meant; `None` where there are not so many ranks.
    pub(crate) fn bounds(self, numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
        let mut ranks: Vec<f64> = numbers.collect();
        ranks.sort_by(f64::total_cmp);
        if self.most {
            ranks.reverse();
        }
        let mut different = ranks.clone();
        different.dedup();
        let first = different.get(self.place - 1).copied()?;
        let from = ranks.iter().position(|other| other.total_cmp(&first).is_eq())?;
        let last = ranks.get(from + self.count - 1).or(ranks.last()).copied()?;
        Some((first.min(last), first.max(last)))
    }
}

/// A ranking of the matches of which the first are the answer, or those at another place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ranking {
    /// By a property.
    Property(Vec<Property>, Order),
    /// By how many matches another variable has.
    Number(usize, Order),
    /// By what is made of the values of others that it is joined to.
    Held(Holder, Aggregate, Order),
}

/// What has the values by which something else is ranked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Holder {
    /// Another variable, in the first of these properties.
    Variable(usize, Vec<Property>),
    /// The relationship with that position among the joins, in the first of these properties.
    Join(usize, Vec<String>),
}

impl Ranking {
    /// Which of what is ranked is meant.
    pub(crate) fn order_mut(&mut self) -> &mut Order {
        match self {
            Self::Property(_, order) | Self::Number(_, order) | Self::Held(.., order) => order,
        }
    }
}

impl Plan {
    /// The plan for all that a claim speaks of, whether the claim holds of it or not.
    pub(crate) fn without(&self, claim: Claim) -> Self {
        let mut plan = Self { claim: None, ..self.clone() };
        match claim.part {
            Part::Join(join) => {
                plan.joins.remove(join);
            }
            Part::Filter(filter) => {
                plan.variables[claim.variable].filters.remove(filter);
            }
        }
        plan
    }

    /// The same, where one thing between need not be joined to all that are named, but each has its own: `airlines with
    /// flights to A and B`. `None` if there is no such thing.
    pub(crate) fn with_one_for_each(&self) -> Option<Self> {
        let joins_of = |variable| Some((variable, self.joins_to_named(variable)?));
        let (between, (towards, named)) = (0..self.variables.len()).find_map(joins_of)?;
        let mut plan = self.clone();
        for &join in &named[1..] {
            let copy = plan.variables.len();
            plan.variables.push(plan.variables[between].clone());
            let mut link = plan.joins[towards].clone();
            link.move_end(between, copy);
            plan.joins.push(link);
            plan.joins[join].move_end(between, copy);
        }
        Some(plan)
    }

    /// The join of a thing between with what else is looked for, and those by which it is joined in one way to several that
    /// are named.
    fn joins_to_named(&self, variable: usize) -> Option<(usize, Vec<usize>)> {
        let own = &self.variables[variable];
        if variable == self.answer || own.entities.is_some() || own.between || own.quantifier.is_some() {
            return None;
        }
        let way = |join: usize| self.joins[join].from(variable);
        let joins = (0..self.joins.len()).filter(|join| way(*join).is_some());
        let is_named =
            |join: &usize| way(*join).is_some_and(|(other, _)| self.variables[other].entities.is_some());
        let (named, others): (Vec<usize>, Vec<usize>) = joins.partition(is_named);
        let [towards] = others.as_slice() else { return None };
        let said = |join: usize| way(join).map(|(_, forward)| (self.joins[join].kind, forward));
        let alike = named.len() > 1 && named.iter().all(|join| said(*join) == said(named[0]));
        alike.then_some((*towards, named))
    }

    /// Whether a word says that something is not meant, or not so, or only the first of what is meant.
    pub(crate) fn leaves_out(&self) -> bool {
        let variables = self.variables.iter();
        self.joins.iter().any(|join| join.negated)
            || variables.into_iter().any(|variable| {
                variable.quantifier.is_some()
                    || variable.ranking.is_some()
                    || !variable.excluded.is_empty()
                    || variable.filters.iter().any(|filter| filter.negated)
            })
    }
}

/// A reading of the question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) variables: Vec<Variable>,
    pub(crate) joins: Vec<Join>,
    pub(crate) answer: usize,
    pub(crate) projection: Projection,
    /// How well it fits the words, from 0 to 1.
    pub(crate) score: f64,
    /// Words with a meaning that it does not use, in order.
    pub(crate) unused: Vec<usize>,
    /// Hops that no word of the question stands for.
    pub(crate) guessed: usize,
    /// What `Truth` is about, where it is about everything of a kind.
    pub(crate) claim: Option<Claim>,
    /// Variables that must not be the same entity.
    pub(crate) different: Vec<(usize, usize)>,
}
