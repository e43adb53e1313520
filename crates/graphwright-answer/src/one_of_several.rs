//! Answers that may be one of several: the question asks for several things, and prose tells of one.

use crate::{
    Answer, AnswerStatus, Answerer, Result, closed_world,
    graph_answer::{add_passages, shown},
    interpret::Interpretation,
    question::plan::Projection,
    quote::asks_for_several,
};

/// What is said below the only thing that was found, where several are asked for.
const MAY_BE_MORE: &str = "Only one was found in what was read; the documents may tell of more.";

impl Answerer {
    /// Says that an answer may be a part of one where prose tells the graph of one thing, and several are asked for; and adds
    /// the passages that a search finds.
    pub(crate) async fn tell_one_of_several(&self, answer: &mut Answer, read: &Interpretation) -> Result<()> {
        if self.may_be_one_of_several(answer, read) {
            answer.status = AnswerStatus::Partial;
            answer.add_remark(MAY_BE_MORE);
            let found = self.find_passages(&answer.question, &mut answer.steps).await?;
            add_passages(&mut answer.passages, shown(found));
        }
        Ok(())
    }

    fn may_be_one_of_several(&self, answer: &Answer, read: &Interpretation) -> bool {
        let [outcome] = read.outcomes.as_slice() else { return false };
        let asks = match outcome.plan.projection {
            Projection::Entities => asks_for_several(&answer.question),
            Projection::Number => true,
            _ => false,
        };
        // What stands in a field or a table is taken at its word.
        let mut facts = answer.paths.iter().flat_map(|path| &path.relationships);
        answer.status == AnswerStatus::Answered
            && asks
            && outcome.matches.len() == 1
            && facts.any(|fact| fact.confidence < 1.0)
            && !closed_world::is_closed(&outcome.plan, &self.topology, &self.interpreter.schema)
    }
}
