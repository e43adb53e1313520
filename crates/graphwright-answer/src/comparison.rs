//! Answers that compare two numbers, each found by a question of its own.

use crate::{
    Answer, Answerer,
    evaluate::number,
    evidence::Wanted,
    interpret::{Interpretation, Outcome},
    limits::Limits,
    question::{Form, Sides, plan::Projection, sides},
};

/// The least score of a reading that guesses a relationship and yet is compared: a wrong `No` costs more than none.
const SURE: f64 = 0.8;

impl Answerer {
    /// Answers a question by several, each for a part of it: it compares two numbers, or asks for several values.
    pub(crate) fn answer_by_parts(
        &self,
        answer: &mut Answer,
        read: &Interpretation,
        limits: Limits,
    ) -> Option<Wanted> {
        self.compare(answer, read, limits).or_else(|| self.give_several(answer, read, limits))
    }

    /// Answers a question whether one number is greater than another, where the graph has both.
    fn compare(&self, answer: &mut Answer, read: &Interpretation, limits: Limits) -> Option<Wanted> {
        if read.head.form != Form::Truth {
            return None;
        }
        let numbers = |sides: Sides| {
            let [one, other] = sides.questions.each_ref().map(|question| self.number_asked(question, limits));
            Some((sides, one?, other?))
        };
        let (sides, (one, first), (other, second)) = sides(&answer.question).into_iter().find_map(numbers)?;
        // That there are none of either says more of the reading than of them.
        if first == 0.0 && second == 0.0 {
            return None;
        }
        let is_so = if sides.more { first > second } else { first < second };
        let mut wanted = Wanted::default();
        for outcome in [&one, &other] {
            self.put(answer, outcome, &mut wanted);
        }
        answer.answer = format!("{}: {}", if is_so { "Yes" } else { "No" }, answer.answer);
        answer.values = vec![is_so.into()];
        let [one, other] = &sides.questions;
        answer.steps.push(format!("Compared the answers to “{one}?” and “{other}?”."));
        Some(wanted)
    }

    /// The only reading of a question by which the graph has a number for all that it says, with that number.
    fn number_asked(&self, question: &str, limits: Limits) -> Option<(Outcome, f64)> {
        let outcome = self.only_outcome(question, limits)?;
        let is_sure = outcome.plan.guessed == 0 || outcome.score >= SURE;
        let found = match outcome.plan.projection {
            Projection::Number => Some(outcome.matches.len() as f64),
            Projection::Values(_) | Projection::JoinValue(..) => match outcome.values.as_slice() {
                [(_, value, _)] => number(value),
                _ => None,
            },
            _ => outcome.aggregate.as_ref().and_then(number),
        };
        let found = found.filter(|_| is_sure)?;
        Some((outcome, found))
    }

    /// The only outcome of a question, by a reading that uses all its words.
    pub(crate) fn only_outcome(&self, question: &str, limits: Limits) -> Option<Outcome> {
        let mut read = self.interpreter.interpret(question, &self.topology, limits, &[]);
        let is_explained = read.segmentations.first()?.unexplained.is_empty();
        let outcome = read.outcomes.pop().filter(|_| read.outcomes.is_empty() && is_explained)?;
        outcome.plan.unused.is_empty().then_some(outcome)
    }
}
