//! Names the words of a question that its reading does not use: without them the answer may be one to something else.

use std::collections::HashSet;

use graphwright_english::{
    inflection,
    questions::{Token, tokenize},
    words,
};

use crate::{
    Answer, AnswerStatus, Answerer,
    interpret::{Interpretation, Outcome},
    question::{
        Form,
        plan::{Holder, Join, Plan, Projection, Ranking, changes_meaning},
    },
    respond,
    schema::Schema,
};

impl Answerer {
    /// Puts the words that the chosen readings do not use above the answer, and what was passed over among its steps.
    pub(crate) fn tell_unused(&self, answer: &mut Answer, read: &Interpretation) {
        let best = read.segmentations.first();
        let is_passed = |at: usize| best.is_some_and(|best| best.passed.contains(&at));
        let tokens = read.tokens.iter().enumerate();
        let passed = tokens.filter(|(at, token)| words::is_harmless(&token.lower) || is_passed(*at));
        let passed: Vec<&Token> = passed.map(|(_, token)| token).collect();
        let step = format!("Passed over: {}.", quoted(&passed));
        if !passed.is_empty() && !answer.steps.contains(&step) {
            answer.steps.push(step);
        }
        if !matches!(answer.status, AnswerStatus::Answered | AnswerStatus::Ambiguous) {
            return;
        }
        let passages = answer.passages.iter().flat_map(|passage| tokenize(&passage.text));
        let stated: HashSet<String> = passages.map(|token| token.stem).collect();
        let schema = &self.interpreter.schema;
        let mut told: Vec<usize> = Vec::new();
        for outcome in &read.outcomes {
            let is_told = |at: &&usize| {
                let token = &read.tokens[**at];
                changes_meaning(&token.lower)
                    || !(stated.contains(&token.stem) || says_nothing(&read.tokens, **at, outcome, schema))
            };
            told.extend(outcome.plan.unused.iter().filter(is_told));
        }
        if read.head.form == Form::Connection && read.outcomes.is_empty() {
            told.extend(self.way(read).unused);
        }
        told.sort_unstable();
        told.dedup();
        if told.is_empty() {
            return;
        }
        if answer.status == AnswerStatus::Answered {
            answer.status = AnswerStatus::Partial;
        }
        let told: Vec<&Token> = told.into_iter().map(|at| &read.tokens[at]).collect();
        answer.answer = format!("Not used: {}. Without that:\n{}", quoted(&told), answer.answer);
    }
}

/// Whether a word adds nothing to what a reading looks for: a verb that says only that things have to do with each other or that
/// something is somewhere, the verb around a value that is asked for, a unit, or a word of the names that the schema has for it.
fn says_nothing(tokens: &[Token], at: usize, outcome: &Outcome, schema: &Schema) -> bool {
    let token = &tokens[at];
    // Behind an article is no verb: `took the place`.
    let is_noun = at.checked_sub(1).is_some_and(|before| words::is_article(&tokens[before].lower));
    let is_value = matches!(outcome.plan.projection, Projection::Values(_) | Projection::JoinValue(..));
    let base_is = |wanted: fn(&str) -> bool| {
        !is_noun && inflection::bases(&token.lower).iter().any(|base| wanted(base))
    };
    base_is(words::is_vague_verb)
        || base_is(words::is_having)
        || words::is_unit(&token.lower)
        || base_is(words::is_locating)
        || (is_value && base_is(words::is_common_verb))
        || names_of(&outcome.plan, schema).contains(&token.stem)
}

/// The stems in the names of the types, properties and relationships of a plan.
pub(crate) fn names_of(plan: &Plan, schema: &Schema) -> HashSet<String> {
    let asked = match &plan.projection {
        Projection::Values(properties) | Projection::Aggregate(_, properties) => properties.as_slice(),
        _ => &[],
    };
    let filtered = plan.variables.iter().flat_map(|variable| &variable.filters);
    let ranked = plan.variables.iter().flat_map(|variable| match &variable.ranking {
        Some(Ranking::Property(properties, _) | Ranking::Held(Holder::Variable(_, properties), ..)) => {
            properties.as_slice()
        }
        _ => &[],
    });
    let properties = filtered.flat_map(|filter| &filter.properties).chain(asked).chain(ranked);
    let properties = properties.map(|&property| schema.property(property).name.as_str());
    let labels = plan.variables.iter().flat_map(|variable| variable.labels.iter().flatten());
    let labels = labels.map(|&label| schema.label(label));
    let kinds = plan.joins.iter().flat_map(Join::kinds).map(|(kind, _)| schema.kind(kind));
    let held = match &plan.projection {
        Projection::JoinValue(_, names) | Projection::JoinAggregate(_, _, names) => names.as_slice(),
        _ => &[],
    };
    let held = plan.joins.iter().filter_map(|join| join.test.as_ref()).flat_map(|own| &own.names).chain(held);
    let names = properties.chain(labels).chain(kinds).chain(held.map(String::as_str)).map(respond::spoken);
    names.flat_map(|name| tokenize(&name)).map(|token| token.stem).collect()
}

pub(crate) fn quoted(words: &[&Token]) -> String {
    respond::list(&words.iter().map(|word| format!("\"{}\"", word.text)).collect::<Vec<_>>())
}
