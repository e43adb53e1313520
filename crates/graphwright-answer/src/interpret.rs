//! Chooses how to read a question: the plan that explains most of its words and that the graph can
//! answer.

mod said;

use std::{collections::HashSet, sync::Arc};

use graphwright_core::Value;
use graphwright_english::{
    questions::{Token, tokenize},
    words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{NodeIndex, RelationshipIndex, Topology, Vocabulary};

use self::said::{is_other_than, relations_said, verbs_left_out};
use crate::{
    answer,
    called::Called,
    closed_world,
    evaluate::{self, Evaluation, Match},
    lexicon::{Lexicon, Reading},
    limits::Limits,
    question::{
        self, Annotator, Form, Head, Piece, Segmentation, assemble,
        plan::{Aggregate, Claim, Part, Plan, Projection, Quantifier, Test, Variable},
    },
    schema::{Label, Schema},
};

/// What is known of a graph for reading questions.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub(crate) schema: Schema,
    pub(crate) lexicon: Lexicon,
    pub(crate) called: Called,
}

/// A node, its value, and the relationship that has the value, if one does.
pub(crate) type Valued = (NodeIndex, Value, Option<RelationshipIndex>);

/// The outcome of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) plan: Plan,
    pub(crate) matches: Vec<Match>,
    pub(crate) values: Vec<Valued>,
    pub(crate) truth: Option<bool>,
    /// The number computed from the values.
    pub(crate) aggregate: Option<Value>,
    /// How many there are for each entity or value.
    pub(crate) groups: Vec<(Value, usize)>,
    /// Of what a claim about everything of a kind does not hold.
    pub(crate) exceptions: Vec<NodeIndex>,
    /// Whether the graph is known to hold all that the plan looks for, or holds what denies the claim.
    pub(crate) closed: bool,
    pub(crate) score: f64,
}

impl Outcome {
    /// Returns what makes two outcomes equal as answers.
    fn signature(&self) -> (Vec<NodeIndex>, Vec<String>, Option<bool>) {
        let values = self.values.iter().map(|(_, value, _)| value).chain(&self.aggregate);
        let groups =
            self.groups.iter().map(|(value, number)| format!("{}: {number}", answer::display(value)));
        let values = values.map(answer::display).chain(groups).collect();
        // What was looked at besides, and has no value, is no part of the answer.
        let nodes = if matches!(self.plan.projection, Projection::Values(_)) {
            self.values.iter().map(|(node, ..)| *node).collect()
        } else {
            self.matches.iter().map(|found| found.node).collect()
        };
        (nodes, values, self.truth)
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self.plan.projection {
            Projection::Values(_) | Projection::JoinValue(..) | Projection::Relationships(_) => {
                self.values.is_empty()
            }
            Projection::Aggregate(..) | Projection::JoinAggregate(..) | Projection::AverageNumber(_) => {
                self.aggregate.is_none()
            }
            Projection::NumberForEach(_) | Projection::NumberForEachValue(..) => self.groups.is_empty(),
            Projection::Truth => self.truth == Some(false) || self.is_only_unsaid(),
            _ => self.matches.is_empty(),
        }
    }

    /// Tells whether it is so only as far as the graph lacks something that may be there.
    fn is_only_unsaid(&self) -> bool {
        !self.closed && closed_world::rests_on_lack(&self.plan)
    }

    /// Tells whether `No` or `0` is an answer: the graph would know.
    fn is_denial(&self) -> bool {
        self.closed && matches!(self.plan.projection, Projection::Truth | Projection::Number)
    }
}

/// A question with the ways to read it.
#[derive(Debug)]
pub(crate) struct Interpretation {
    pub(crate) tokens: Vec<Token>,
    pub(crate) head: Head,
    pub(crate) segmentations: Vec<Segmentation>,
    /// The best reading first. There are several if others are as good and answer differently.
    pub(crate) outcomes: Vec<Outcome>,
    /// The best reading for which the graph has nothing, if it is better than all readings for
    /// which the graph has something.
    pub(crate) nothing: Option<Outcome>,
    /// Why the question was not read through. There are no outcomes then.
    pub(crate) given_up: Option<String>,
}

impl Interpretation {
    /// A question that was not read through.
    fn given_up(tokens: Vec<Token>, reason: String) -> Self {
        Self {
            head: question::read(&tokens),
            tokens,
            segmentations: Vec::new(),
            outcomes: Vec::new(),
            nothing: None,
            given_up: Some(reason),
        }
    }
}

/// The most words of a question that is read: the work grows faster than their number.
const MOST_WORDS: usize = 200;
/// What is left of the score of a reading in which each of several that are named has its own thing between.
const APART: f64 = 0.6;
/// The least score of a reading that is taken.
const LEAST_SCORE: f64 = 0.36;
/// A word that more names have is not taken for one of them.
const MOST_NAMED: usize = 20;
/// The most plans that are run.
const MOST_PLANS: usize = 60;
/// The score relative to a better reading without an answer, from which a reading with an answer is
/// preferred.
const WITH_ANSWER: f64 = 0.75;
/// Like [`WITH_ANSWER`], for a reading that gives a value. It is lower because the verb around a
/// property (`sails under a flag`) matters less.
const WITH_VALUE: f64 = 0.62;
/// Like [`WITH_ANSWER`], for a reading that guesses where the better one does not.
const WITH_GUESSED_ANSWER: f64 = 0.85;
/// The score relative to the best reading, from which a reading counts as equally good.
const AS_GOOD: f64 = 0.985;

impl Interpreter {
    pub(crate) fn new(topology: &Topology, vocabulary: &Arc<Vocabulary>, ontology: &Ontology) -> Self {
        let schema = Schema::read(topology, vocabulary.summary(), ontology);
        let lexicon = Lexicon::build(topology, vocabulary, &schema, ontology);
        let called = Called::read(&schema, ontology);
        Self { schema, lexicon, called }
    }

    /// Reads a question and runs its best readings. `near` are the documents in which a search for it finds passages.
    ///
    /// Gives up if it has too many words, or when the time is over.
    pub(crate) fn interpret(
        &self,
        question: &str,
        topology: &Topology,
        limits: Limits,
        near: &[NodeIndex],
    ) -> Interpretation {
        let tokens = question::arranged(question);
        if tokens.len() > MOST_WORDS {
            let reason = format!(
                "The question was not read: it has {} words, and at most {MOST_WORDS} are read. Ask for less at once.",
                tokens.len()
            );
            return Interpretation::given_up(tokens, reason);
        }
        self.read(&Annotator::new(&self.lexicon, &self.schema, &tokens).near(near), topology, limits)
    }

    pub(crate) fn read(
        &self,
        annotator: &Annotator<'_>,
        topology: &Topology,
        limits: Limits,
    ) -> Interpretation {
        let tokens = annotator.tokens;
        let head = annotator.head;
        let segmentations = annotator.segment();
        let mut plans: Vec<Plan> = Vec::new();
        for segmentation in &segmentations {
            if is_about(head, tokens, segmentation) {
                continue;
            }
            let said = if head.form == Form::Truth {
                relations_said(segmentation, &segmentations, tokens)
            } else {
                Vec::new()
            };
            let unsaid = verbs_left_out(segmentation, &segmentations);
            for plan in assemble(annotator, segmentation, &self.schema, limits) {
                if plan.guessed > 0 && (is_other_than(&plan, &said) || self.contradicts(&plan, &unsaid)) {
                    continue;
                }
                let apart = plan.with_one_for_each().map(|apart| Plan { score: plan.score * APART, ..apart });
                for plan in std::iter::once(plan).chain(apart).flat_map(alternatives) {
                    if !plans.iter().any(|other| same(other, &plan) && other.score >= plan.score) {
                        plans.push(plan);
                    }
                }
            }
        }
        plans
            .sort_by(|left, right| right.score.total_cmp(&left.score).then(left.guessed.cmp(&right.guessed)));
        plans.truncate(MOST_PLANS);
        let (outcomes, nothing) = self.choose(&plans, head, tokens, topology, limits);
        // Also where there are outcomes: better readings may be missing.
        if limits.is_over() {
            return Interpretation::given_up(tokens.to_vec(), limits.reason());
        }
        Interpretation { tokens: tokens.to_vec(), head, segmentations, outcomes, nothing, given_up: None }
    }

    /// Tells whether a plan guesses what the question says in so many words.
    ///
    /// That is so if the question's verb was left out and the plan guesses the relationship of this
    /// verb. As the verb itself was not used, the guess then runs against its direction.
    fn contradicts(&self, plan: &Plan, unsaid: &[&Reading]) -> bool {
        unsaid.iter().any(|reading| {
            self.schema.is_same_at_both_ends(reading.kind)
                && plan.joins.iter().any(|join| join.kind == reading.kind)
        })
    }

    fn choose(
        &self,
        plans: &[Plan],
        head: Head,
        tokens: &[Token],
        topology: &Topology,
        limits: Limits,
    ) -> (Vec<Outcome>, Option<Outcome>) {
        let mut chosen: Vec<Outcome> = Vec::new();
        let mut nothing: Option<Outcome> = None;
        let counts = head.form == Form::Count;
        for plan in plans {
            let best = chosen.first().map_or(0.0, |outcome| outcome.score);
            let bar = nothing.as_ref().map_or(0.0, |outcome| {
                let guesses = plan.guessed > 0 && outcome.plan.guessed == 0;
                let value = matches!(plan.projection, Projection::Values(_) | Projection::JoinValue(..));
                outcome.score
                    * match (guesses, value) {
                        (true, _) => WITH_GUESSED_ANSWER,
                        (false, true) => WITH_VALUE,
                        (false, false) => WITH_ANSWER,
                    }
            });
            if plan.score < LEAST_SCORE
                || plan.score < best * AS_GOOD
                || limits.is_over()
                || (chosen.is_empty() && plan.score < bar)
            {
                // Plans come best first.
                break;
            }
            let outcome = self.run(plan, topology, limits);
            // No part of what is asked is enough for `No`.
            let denies_part =
                outcome.truth == Some(false) && (!plan.unused.is_empty() || has_unsaid_end(plan));
            let is_no_number = counts && !has_number(&outcome);
            // Of two that are compared, one has no number.
            let lacks_one = outcome.truth.is_some() && outcome.groups.len() == 1;
            let is_a_name = outcome.is_empty() && self.names_another(plan, tokens, topology);
            if denies_part
                || is_no_number
                || lacks_one
                || is_a_name
                || repeats_question(&outcome, tokens, topology)
            {
                continue;
            }
            if outcome.is_empty() {
                nothing.get_or_insert(outcome);
                continue;
            }
            if !chosen.iter().any(|other| other.signature() == outcome.signature()) {
                chosen.push(outcome);
            }
        }
        if let Some(outcome) = nothing.take_if(|outcome| chosen.is_empty() && outcome.is_denial()) {
            chosen.push(outcome);
        }
        (chosen, nothing)
    }

    /// Whether a value that only other things have is a name as well: `Luxembourg` may be a province rather than what others are called.
    fn names_another(&self, plan: &Plan, tokens: &[Token], topology: &Topology) -> bool {
        let filters = plan.variables.iter().flat_map(|variable| &variable.filters);
        let mut values = filters.filter(|filter| matches!(filter.test, Test::OneOf(_)));
        let is_named = values.any(|value| {
            let word = tokens.get(value.at..=value.at).unwrap_or_default();
            !word.is_empty() && !self.lexicon.names.with_words(word, MOST_NAMED).is_empty()
        });
        is_named && evaluate::has_value_of_others(plan, false, topology, &self.schema)
    }

    /// The plan, in which what is looked for is of the types only of what was found.
    fn narrowed(&self, plan: &Plan, found: &[NodeIndex]) -> Plan {
        let mut plan = plan.clone();
        if let Some(labels) = plan.variables.get_mut(plan.answer).and_then(|asked| asked.labels.as_mut()) {
            let is_found =
                |label: &Label| found.iter().any(|&node| self.schema.label_of(node) == Some(*label));
            let kept: Vec<Label> = labels.iter().copied().filter(is_found).collect();
            if !kept.is_empty() {
                *labels = kept;
            }
        }
        plan
    }

    pub(crate) fn run(&self, plan: &Plan, topology: &Topology, limits: Limits) -> Outcome {
        let (evaluation, found) = Evaluation::run(plan, topology, &self.schema, limits);
        let found = if evaluate::has_value_of_others(plan, true, topology, &self.schema) {
            Vec::new()
        } else {
            without_named(plan, found)
        };
        let matches: Vec<Match> = found.iter().map(|&node| evaluation.prove(node)).collect();
        let mut values = Vec::new();
        let mut truth = None;
        match &plan.projection {
            Projection::Values(properties) | Projection::Aggregate(_, properties) => {
                for &node in &found {
                    let own = &topology.node(node).properties;
                    let value =
                        properties.iter().find_map(|&property| own.get(&self.schema.property(property).name));
                    values.extend(value.map(|value| (node, value.clone(), None)));
                }
            }
            Projection::JoinValue(join, names) | Projection::JoinAggregate(_, join, names) => {
                for (node, relationship, value) in evaluation.join_values(*join, names) {
                    values.push((node, value, Some(relationship)));
                }
            }
            Projection::Relationships(join) => {
                for (node, relationship) in evaluation.relationships(*join) {
                    values.push((node, Value::Integer(1), Some(relationship)));
                }
            }
            Projection::Truth => truth = Some(!found.is_empty()),
            Projection::NumberForEach(_)
            | Projection::NumberForEachValue(..)
            | Projection::AverageNumber(_)
            | Projection::Entities
            | Projection::Number => {}
        }
        let groups = self.groups(plan, &evaluation, &found, topology);
        let aggregate = match plan.projection {
            Projection::Aggregate(how, _) | Projection::JoinAggregate(how, ..) => aggregate(how, &mut values),
            Projection::Relationships(_) => Some(Value::Integer(values.len() as i64)),
            Projection::AverageNumber(counted) => evaluation.average_number(&found, counted),
            _ => None,
        };
        let mut outcome = Outcome {
            plan: self.narrowed(plan, &found),
            matches,
            values,
            truth,
            aggregate,
            groups,
            exceptions: Vec::new(),
            closed: false,
            score: plan.score,
        };
        if let Some(claim) = plan.claim {
            self.judge(&mut outcome, claim, topology, limits);
        }
        outcome.closed = outcome.closed
            || closed_world::compares_numbers(plan)
            || outcome.is_empty() && closed_world::is_closed(plan, topology, &self.schema);
        outcome
    }

    /// Compares what meets a claim with all that it speaks of. A stored value other than the claimed one denies it.
    fn judge(&self, outcome: &mut Outcome, claim: Claim, topology: &Topology, limits: Limits) {
        let whole = outcome.plan.without(claim);
        let (_, all) = Evaluation::run(&whole, topology, &self.schema, limits);
        let holds = |node: &NodeIndex| outcome.matches.iter().any(|found| found.node == *node);
        let exceptions: Vec<NodeIndex> = all.iter().copied().filter(|node| !holds(node)).collect();
        outcome.truth = Some(!all.is_empty() && exceptions.is_empty());
        if let Part::Filter(number) = claim.part {
            let filter = &outcome.plan.variables[claim.variable].filters[number];
            let value_of = |&node: &NodeIndex| {
                let own = &topology.node(node).properties;
                let mut names =
                    filter.properties.iter().map(|&property| &self.schema.property(property).name);
                names.find_map(|name| own.get(name)).map(|value| (node, value.clone(), None))
            };
            outcome.values = exceptions.iter().filter_map(value_of).collect();
            outcome.closed = !outcome.values.is_empty();
        }
        outcome.exceptions = exceptions;
    }

    /// How many there are for each of what was found, or for each of its values, in their order.
    fn groups(
        &self,
        plan: &Plan,
        evaluation: &Evaluation<'_>,
        found: &[NodeIndex],
        topology: &Topology,
    ) -> Vec<(Value, usize)> {
        match &plan.projection {
            Projection::NumberForEach(counted) => {
                let name = |node: NodeIndex| Value::from(topology.node(node).display_name());
                let number = |node: NodeIndex| evaluation.count(plan.answer, node, *counted);
                found.iter().map(|&node| (name(node), number(node))).collect()
            }
            Projection::NumberForEachValue(properties, order) => {
                let mut groups: Vec<(Value, usize)> = Vec::new();
                for &node in found {
                    let own = &topology.node(node).properties;
                    let mut held = properties.iter().map(|&property| &self.schema.property(property).name);
                    let Some(value) = held.find_map(|name| own.get(name)) else { continue };
                    match groups.iter_mut().find(|(known, _)| known == value) {
                        Some((_, number)) => *number += 1,
                        None => groups.push((value.clone(), 1)),
                    }
                }
                let numbers = groups.iter().map(|(_, number)| *number as f64);
                if let Some((low, high)) = order.and_then(|order| order.bounds(numbers)) {
                    groups.retain(|(_, number)| (low..=high).contains(&(*number as f64)));
                    groups.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
                }
                groups
            }
            Projection::Truth => numbers_compared(plan, evaluation, topology),
            _ => Vec::new(),
        }
    }
}

/// Of a truth that compares numbers, these: that of what is spoken of first.
fn numbers_compared(plan: &Plan, evaluation: &Evaluation<'_>, topology: &Topology) -> Vec<(Value, usize)> {
    let is_compared = |variable: &Variable| matches!(variable.quantifier, Some(Quantifier::Than(_)));
    let Some(counted) = plan.variables.iter().position(is_compared) else { return Vec::new() };
    let own = plan.variables[plan.answer].entities.iter().flatten();
    let own = own.map(|&node| (node, evaluation.count(plan.answer, node, counted)));
    let all = own.chain(evaluation.numbers_compared(plan.answer, counted));
    all.map(|(node, number)| (Value::from(topology.node(node).display_name()), number)).collect()
}

/// Computes the sum or average of the values that are numbers. Other values are left out.
fn aggregate(how: Aggregate, values: &mut Vec<Valued>) -> Option<Value> {
    if how == Aggregate::Length {
        let length = |value: &Value| value.as_list().map_or(1, <[Value]>::len) as f64;
        let lengths: Vec<f64> = values.iter().map(|(_, value, _)| length(value)).collect();
        return evaluate::aggregated(how, &lengths);
    }
    values.retain(|(_, value, _)| evaluate::number(value).is_some());
    let numbers: Vec<f64> = values.iter().filter_map(|(_, value, _)| evaluate::number(value)).collect();
    evaluate::aggregated(how, &numbers)
}

/// Tells whether the values that were found may tell how many there are.
fn has_number(outcome: &Outcome) -> bool {
    let says_number = |word: &str| {
        word.contains(|sign: char| sign.is_ascii_digit()) || words::number(&word.to_lowercase()).is_some()
    };
    let is_number = |(_, value, _): &Valued| answer::display(value).split_whitespace().any(says_number);
    !matches!(outcome.plan.projection, Projection::Values(_))
        || outcome.values.is_empty()
        || outcome.values.iter().any(is_number)
}

/// Tells whether what was found is only what the words of its name say: `Who did Timo Glock drive for` does not ask for him.
fn repeats_question(outcome: &Outcome, tokens: &[Token], topology: &Topology) -> bool {
    let asked = &outcome.plan.variables[outcome.plan.answer];
    let has_value = asked.filters.iter().any(|filter| matches!(filter.test, Test::OneOf(_)));
    let is_said = |word: String| tokens.iter().any(|token| token.lower == word);
    let is_repeated = |found: &Match| {
        let name = topology.node(found.node).display_name().to_lowercase();
        name.split_whitespace().count() > 1 && tokenize(&name).into_iter().all(|word| is_said(word.lower))
    };
    outcome.plan.projection == Projection::Entities
        && asked.entities.is_none()
        && has_value
        && !outcome.matches.is_empty()
        && outcome.matches.iter().all(is_repeated)
}

/// Tells whether a plan ends at something of which the question does not speak: `Do I need flour to make bread`.
fn has_unsaid_end(plan: &Plan) -> bool {
    let is_end =
        |number| plan.joins.iter().filter(|join| join.left == number || join.right == number).count() == 1;
    plan.variables
        .iter()
        .enumerate()
        .any(|(number, variable)| variable.between && variable.filters.is_empty() && is_end(number))
}

/// Removes the named entities from what was found: `Which objects depict the place that X shows`
/// asks for others than X.
fn without_named(plan: &Plan, found: Vec<NodeIndex>) -> Vec<NodeIndex> {
    let others = plan.variables.iter().enumerate().filter(|(number, _)| *number != plan.answer);
    let named: HashSet<NodeIndex> =
        others.filter_map(|(_, variable)| variable.entities.as_ref()).flatten().copied().collect();
    let rest: Vec<NodeIndex> = found.iter().copied().filter(|node| !named.contains(node)).collect();
    if rest.is_empty() || plan.joins.len() < 2 { found } else { rest }
}

/// Tells whether the best segmentation of the question leaves words without a meaning.
pub(crate) fn has_unexplained(read: &Interpretation) -> bool {
    read.segmentations.first().is_some_and(|segmentation| !segmentation.unexplained.is_empty())
}

/// Tells whether a question only names a thing: `what is X`, not `how far did X get`.
pub(crate) fn is_about(head: Head, tokens: &[Token], segmentation: &Segmentation) -> bool {
    if head.form == Form::About {
        // `Tell me about the service that uses it` says which service, `about the service ledger` is about what it names.
        return segmentation.spans.iter().all(|span| matches!(span.piece, Piece::Entity(_) | Piece::Type(_)));
    }
    matches!(head.form, Form::Which)
        && !head.asks_how(tokens)
        && segmentation.spans.len() == 1
        && matches!(segmentation.spans[0].piece, Piece::Entity(_))
        && segmentation.unexplained.is_empty()
}

/// Makes one plan for each entity if several share a name.
fn alternatives(plan: Plan) -> Vec<Plan> {
    let several = plan.variables.iter().position(|variable| {
        variable.alternatives
            && variable.entities.as_ref().is_some_and(|nodes| (2..=8).contains(&nodes.len()))
    });
    let Some(variable) = several else { return vec![plan] };
    let nodes = plan.variables[variable].entities.clone().unwrap_or_default();
    let mut plans = Vec::new();
    for node in nodes {
        let mut one = plan.clone();
        one.variables[variable].entities = Some(vec![node]);
        plans.extend(alternatives(one));
    }
    plans
}

fn same(left: &Plan, right: &Plan) -> bool {
    left.variables == right.variables
        && left.joins == right.joins
        && left.answer == right.answer
        && left.projection == right.projection
}

/// Lists the documents that the best reading means by what they are about, with the words that say it.
pub(crate) fn meant_by_subject(question: &str, read: &Interpretation) -> Vec<(String, NodeIndex)> {
    let Some(best) = read.outcomes.first() else { return Vec::new() };
    let variables = best.plan.variables.iter().filter_map(|variable| variable.entities.as_deref());
    let used: HashSet<NodeIndex> =
        variables.filter_map(|nodes| <[_; 1]>::try_from(nodes).ok()).flatten().collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for span in read.segmentations.iter().flat_map(|segmentation| &segmentation.spans) {
        let Piece::Entity(nodes) = &span.piece else { continue };
        // The best way to mean it comes first; it may be by its name.
        let [(node, _)] = nodes.as_slice() else { continue };
        if used.contains(node) && seen.insert(*node) && span.is_subject {
            let (first, last) = (&read.tokens[span.first], &read.tokens[span.end - 1]);
            found.push((question.get(first.start..last.end).unwrap_or_default().to_owned(), *node));
        }
    }
    found
}

/// Lists the entities that the best segmentations of a question name, best first.
pub(crate) fn named_entities(segmentations: &[Segmentation]) -> Vec<(NodeIndex, f64)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for span in segmentations.first().map_or(&[][..], |segmentation| &segmentation.spans) {
        if let Piece::Entity(nodes) = &span.piece {
            for (node, score) in nodes {
                if seen.insert(*node) {
                    found.push((*node, score * span.weight.min(1.0)));
                }
            }
        }
    }
    found
}
