//! Answers that give several values of the same thing: `the latitude and longitude of X`.

use std::ops::Range;

use graphwright_english::questions::word;

use crate::{
    Answer, Answerer,
    evidence::Wanted,
    interpret::{Interpretation, Outcome},
    limits::Limits,
    question::{Form, Piece, plan::Projection},
};

impl Answerer {
    /// Answers a question for several properties, each by a question of its own, where all are of the same things.
    pub(crate) fn give_several(
        &self,
        answer: &mut Answer,
        read: &Interpretation,
        limits: Limits,
    ) -> Option<Wanted> {
        let listed = listed_properties(read)?;
        let question = answer.question.clone();
        let asked = |at: usize| {
            let (first, last) = (listed.first()?, listed.last()?);
            let text = |range: Range<usize>| match range.len() {
                0 => "",
                _ => &question[read.tokens[range.start].start..read.tokens[range.end - 1].end],
            };
            let parts = [text(0..first.start), text(listed[at].clone()), text(last.end..read.tokens.len())];
            let outcome = self.only_outcome(&parts.join(" "), limits)?;
            matches!(outcome.plan.projection, Projection::Values(_)).then_some(outcome)
        };
        let outcomes: Vec<Outcome> = (0..listed.len()).map(asked).collect::<Option<_>>()?;
        let nodes = |outcome: &Outcome| -> Vec<_> { outcome.values.iter().map(|(node, ..)| *node).collect() };
        if outcomes[1..].iter().any(|outcome| nodes(outcome) != nodes(&outcomes[0])) {
            return None;
        }
        let mut wanted = Wanted::default();
        for outcome in &outcomes {
            self.put(answer, outcome, &mut wanted);
        }
        Some(wanted)
    }
}

/// The words of each of several properties in a row, with `and` between the last two, if nothing else is asked for.
fn listed_properties(read: &Interpretation) -> Option<Vec<Range<usize>>> {
    if read.head.form != Form::Which {
        return None;
    }
    let spans = &read.segmentations.first()?.spans;
    let named = spans.iter().filter(|span| matches!(span.piece, Piece::Property(_)));
    let listed: Vec<Range<usize>> = named.map(|span| span.first..span.end).collect();
    let mut gaps = listed.windows(2).map(|pair| pair[0].end..pair[1].start).peekable();
    gaps.peek()?;
    let mut said = false;
    let joins = gaps.all(|gap| {
        said |= gap.clone().any(|at| word(&read.tokens, at) == "and");
        gap.into_iter().all(|at| matches!(word(&read.tokens, at), "and" | "the" | "its" | "their"))
    });
    (joins && said).then_some(listed)
}
