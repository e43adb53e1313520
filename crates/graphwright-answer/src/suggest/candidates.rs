//! Candidates: what is asked of well-connected things, in the words that answers use of relationships.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use graphwright_core::{names, text::identifier_words};
use graphwright_english::inflection::{is_participle, is_past, plural};
use graphwright_retrieve::{Direction, NodeIndex, RelationshipIndex, Topology};
use serde_json::Value as Json;

use crate::{
    answer::json,
    respond::{plural_verb, spoken, verb, with_article},
    schema::{Kind, Label, Schema},
};

/// The most facts of a pattern that are looked at.
const LOOKED_AT: usize = 2_000;
/// The most patterns, those with the most facts.
const PATTERNS: usize = 12;
/// The number of answers that a good question has: more than one, and few enough to read.
const GOOD_COUNT: usize = 3;
/// The most answers of a question.
const MOST_ANSWERS: usize = 12;
/// The most letters of a name, and of a value.
const LONGEST: usize = 40;

/// A question and what the graph holds of it.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) question: String,
    pub(super) expected: Expected,
}

/// What an answer must have.
#[derive(Debug)]
pub(super) enum Expected {
    /// Exactly these entities, by their ids.
    Entities(BTreeSet<String>),
    /// Exactly this value.
    Value(Json),
    /// A path.
    Path,
}

/// Returns candidates of all kinds by turns, the most common facts first.
pub(super) fn candidates(topology: &Topology, schema: &Schema) -> Vec<Candidate> {
    let maker = Maker { topology, schema };
    let patterns = maker.patterns();
    let mut kinds = [
        patterns.iter().filter_map(|pattern| maker.lookup(pattern)).collect::<Vec<_>>(),
        maker.two_hops(&patterns),
        patterns.iter().filter_map(|pattern| maker.property(pattern)).collect(),
        maker.connections(&patterns),
        patterns.iter().filter_map(|pattern| maker.count(pattern)).collect(),
        patterns.iter().filter_map(|pattern| maker.forward(pattern)).collect(),
    ]
    .map(Vec::into_iter);
    let mut mixed = Vec::new();
    loop {
        let before = mixed.len();
        mixed.extend(kinds.iter_mut().filter_map(Iterator::next));
        if mixed.len() == before {
            return mixed;
        }
    }
}

/// Facts of one type between two types, with the start and the end that are best to ask for.
#[derive(Debug)]
struct Pattern {
    from: Label,
    kind: Kind,
    to: Label,
    start: NodeIndex,
    end: NodeIndex,
}

#[derive(Clone, Copy)]
struct Maker<'a> {
    topology: &'a Topology,
    schema: &'a Schema,
}

impl Maker<'_> {
    fn patterns(self) -> Vec<Pattern> {
        let found = self.schema.patterns_by_count().into_iter().take(PATTERNS);
        found.filter_map(|(from, kind, to)| self.pattern(from, kind, to)).collect()
    }

    fn pattern(self, from: Label, kind: Kind, to: Label) -> Option<Pattern> {
        let facts: Vec<(NodeIndex, NodeIndex)> = self
            .topology
            .relationships_of_type(self.schema.kind(kind))
            .filter(|fact| self.topology.is_fact(*fact))
            .map(|fact| self.topology.ends(fact))
            .filter(|(start, end)| self.is(*start, from) && self.is(*end, to))
            .take(LOOKED_AT)
            .collect();
        let best = |end: fn(&(NodeIndex, NodeIndex)) -> NodeIndex| {
            let mut counts: BTreeMap<NodeIndex, usize> = BTreeMap::new();
            for fact in &facts {
                *counts.entry(end(fact)).or_default() += 1;
            }
            let named = counts.into_iter().filter(|(node, _)| self.is_well_named(*node));
            named
                .min_by_key(|(node, count)| (count.abs_diff(GOOD_COUNT), self.name(*node)))
                .map(|(node, _)| node)
        };
        Some(Pattern { from, kind, to, start: best(|fact| fact.0)?, end: best(|fact| fact.1)? })
    }

    /// "Which service depends on money-types?"
    fn lookup(self, pattern: &Pattern) -> Option<Candidate> {
        let question =
            format!("Which {} {} {}?", self.noun(pattern.from), self.verb(pattern), self.name(pattern.end));
        let found = self.starts(pattern, pattern.end);
        Some(Candidate { question, expected: self.entities(&found)? })
    }

    /// "What does ledger depend on?"
    fn forward(self, pattern: &Pattern) -> Option<Candidate> {
        let (name, verb) = (self.name(pattern.start), self.verb(pattern));
        let question = match verb.strip_prefix("is ") {
            Some(rest) => format!("What is {name} {rest}?"),
            None => format!("What does {name} {}?", plural_verb(&verb)),
        };
        let kind = self.schema.kind(pattern.kind);
        let facts = self.facts(pattern.start, Direction::Outgoing, kind);
        let found = facts.into_iter().map(|fact| self.topology.ends(fact).1).collect();
        Some(Candidate { question, expected: self.entities(&found)? })
    }

    /// "How many services depend on money-types?"
    fn count(self, pattern: &Pattern) -> Option<Candidate> {
        let count = self.starts(pattern, pattern.end).len();
        let (nouns, verbs) = (plural(&self.noun(pattern.from)), plural_verb(&self.verb(pattern)));
        let question = format!("How many {nouns} {verbs} {}?", self.name(pattern.end));
        (count > 1).then(|| Candidate { question, expected: Expected::Value(count.into()) })
    }

    /// "What is the language of ledger?"
    fn property(self, pattern: &Pattern) -> Option<Candidate> {
        let node = self.topology.node(pattern.start);
        let (name, value) = node.properties.iter().find(|(name, value)| {
            let is_own = names::is_reserved(name)
                || [names::NAME, names::ALIASES, names::DESCRIPTION].contains(&name.as_str());
            let text = crate::answer::display(value);
            !is_own && is_noun(name) && !text.is_empty() && text.chars().count() <= LONGEST
        })?;
        let question = format!("What is the {} of {}?", spoken(name), node.display_name());
        Some(Candidate { question, expected: Expected::Value(json(value)) })
    }

    /// "Which team owns a service that depends on money-types?"
    fn two_hops(self, patterns: &[Pattern]) -> Vec<Candidate> {
        let pairs = patterns.iter().flat_map(|first| patterns.iter().map(move |second| (first, second)));
        let joined = pairs.filter(|(first, second)| first.to == second.from && first.kind != second.kind);
        joined.filter_map(|(first, second)| self.two_hop(first, second)).collect()
    }

    fn two_hop(self, first: &Pattern, second: &Pattern) -> Option<Candidate> {
        let middle = self.starts(second, second.end);
        let found = middle.into_iter().flat_map(|node| self.starts(first, node)).collect();
        let question = format!(
            "Which {} {} {} that {} {}?",
            self.noun(first.from),
            self.verb(first),
            with_article(&self.noun(first.to)),
            self.verb(second),
            self.name(second.end)
        );
        Some(Candidate { question, expected: self.entities(&found)? })
    }

    /// "What connects ledger and Payments?"
    fn connections(self, patterns: &[Pattern]) -> Vec<Candidate> {
        let mut ends = patterns.iter().map(|pattern| pattern.start).collect::<Vec<_>>();
        ends.dedup();
        let question = |pair: &[NodeIndex]| match pair {
            [one, other] if one != other => {
                Some(format!("What connects {} and {}?", self.name(*one), self.name(*other)))
            }
            _ => None,
        };
        let questions = ends.windows(2).filter_map(question);
        questions.map(|question| Candidate { question, expected: Expected::Path }).collect()
    }

    /// The things of the pattern's first type from which facts of its type lead to a node.
    fn starts(self, pattern: &Pattern, end: NodeIndex) -> HashSet<NodeIndex> {
        let facts = self.facts(end, Direction::Incoming, self.schema.kind(pattern.kind));
        let starts = facts.into_iter().map(|fact| self.topology.ends(fact).0);
        starts.filter(|start| self.is(*start, pattern.from)).collect()
    }

    fn facts(self, node: NodeIndex, direction: Direction, kind: &str) -> Vec<RelationshipIndex> {
        let steps = self.topology.steps(node, direction).map(|step| step.relationship);
        steps
            .filter(|fact| self.topology.is_fact(*fact) && &*self.topology.edge(*fact).kind == kind)
            .take(LOOKED_AT)
            .collect()
    }

    fn entities(self, found: &HashSet<NodeIndex>) -> Option<Expected> {
        let ids = || found.iter().map(|node| self.topology.node(*node).id().to_owned()).collect();
        (1..=MOST_ANSWERS).contains(&found.len()).then(|| Expected::Entities(ids()))
    }

    fn is(self, node: NodeIndex, label: Label) -> bool {
        self.schema.label_of(node) == Some(label)
    }

    fn is_well_named(self, node: NodeIndex) -> bool {
        let name = self.topology.node(node).display_name();
        name.chars().count() <= LONGEST
            && name.chars().any(char::is_alphabetic)
            && !name.contains(['\n', '?', '"'])
    }

    fn name(self, node: NodeIndex) -> String {
        self.topology.node(node).display_name().to_owned()
    }

    fn noun(self, label: Label) -> String {
        spoken(self.schema.label(label))
    }

    fn verb(self, pattern: &Pattern) -> String {
        verb(self.schema.kind(pattern.kind))
    }
}

/// Tells whether "the … of" reads well with a property's name: not with `completed` or `arrives`.
fn is_noun(property: &str) -> bool {
    let words = identifier_words(property);
    words.last().is_some_and(|word| !is_participle(word) && !is_past(word) && !word.ends_with('s'))
}
