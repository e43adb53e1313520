//! Judges answers of agents by the graph and by what their tools returned.

use graphwright_answer::{AnswerCheck, Answerer, CheckedBlocks, Citable};

use crate::agent::review::{Draft, Review, Shown};

/// Judges answers about one graph.
#[derive(Debug)]
pub(super) struct GraphReview {
    answerer: Answerer,
}

impl GraphReview {
    pub(super) fn new(answerer: Answerer) -> Self {
        Self { answerer }
    }

    fn check(&self, draft: &Draft<'_>) -> AnswerCheck<'_> {
        self.answerer.check(draft.question, draft.evidence.clone())
    }
}

impl Review for GraphReview {
    fn objection(&self, draft: &Draft<'_>) -> Option<String> {
        if self.is_talk(draft) {
            return None;
        }
        let checked = self.check(draft).check(draft.text);
        checked.repair_prompt().filter(|_| !checked.is_refusal)
    }

    fn merged(&self, draft: &Draft<'_>, reply: &str) -> String {
        let check = self.check(draft);
        check.check(draft.text).repaired(reply, &check).text
    }

    fn is_talk(&self, draft: &Draft<'_>) -> bool {
        self.answerer.is_talk(draft.question, draft.text)
    }

    fn stream<'a>(&'a self, question: &'a str, evidence: Vec<Citable>) -> Box<dyn Shown + 'a> {
        Box::new(Blocks { blocks: CheckedBlocks::default(), check: self.answerer.check(question, evidence) })
    }
}

struct Blocks<'a> {
    blocks: CheckedBlocks,
    check: AnswerCheck<'a>,
}

impl Shown for Blocks<'_> {
    fn push(&mut self, piece: &str) -> Option<String> {
        self.blocks.push(piece, &self.check)
    }

    fn restart(&mut self) {
        self.blocks.restart();
    }
}
