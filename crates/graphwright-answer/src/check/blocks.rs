//! An answer that is shown while it is written, block by block, once each block is checked.

use super::{AnswerCheck, CheckedText};

/// Takes a text piece by piece, and gives back the blocks that the evidence bears out.
///
/// From the first block on that has a fault, nothing is given back: it is for [`rest`](Self::rest) to show what became of it. So it is
/// with all of a text that a judge is to see.
///
/// ```
/// use graphwright_answer::{AnswerCheck, CheckedBlocks, Citable};
///
/// let evidence = vec![Citable::from("Ada -OWNS-> ledger")];
/// let check = AnswerCheck::new("Who owns ledger?", evidence);
/// let mut blocks = CheckedBlocks::default();
/// assert_eq!(blocks.push("Ada owns", &check), None);
/// assert_eq!(blocks.push(" ledger [1].\n\nBob ", &check).as_deref(), Some("Ada owns ledger [1].\n\n"));
/// assert_eq!(blocks.push("sings [1].\n\n", &check), None);
/// assert_eq!(blocks.rest("Ada owns ledger [1].\n\nAda does [1]."), "Ada does [1].");
/// ```
#[derive(Debug, Default)]
pub struct CheckedBlocks {
    text: String,
    /// How much of the text was looked at.
    seen: usize,
    shown: String,
    held: bool,
}

impl CheckedBlocks {
    /// Adds a piece of the text. Returns what can be shown now.
    pub fn push(&mut self, piece: &str, check: &AnswerCheck<'_>) -> Option<String> {
        self.text.push_str(piece);
        // What a model thinks is for nobody, and it may stand before what it says.
        let hidden = self.text.trim_start().starts_with('<');
        let mut ready = String::new();
        while !self.held
            && !hidden
            && !check.has_judge()
            && let Some(length) = block_end(&self.text[self.seen..])
        {
            let block = &self.text[self.seen..self.seen + length];
            let checked = check.check(block);
            if checked.is_refusal || checked.faults().next().is_some() {
                self.held = true;
                break;
            }
            let is_repeated = self.shown.get(self.seen..self.seen + length) == Some(block);
            ready.push_str(if is_repeated { "" } else { block });
            self.seen += length;
        }
        self.shown.push_str(&ready);
        (!ready.is_empty()).then_some(ready)
    }

    /// Begins again, with a text that takes the place of the one so far. Blocks that were shown already are not shown again.
    pub fn restart(&mut self) {
        self.text.clear();
        self.seen = 0;
        self.held = false;
    }

    /// Tells whether the answer begins with what was shown.
    pub fn agree_with(&self, answer: &str) -> bool {
        answer.starts_with(self.shown.trim())
    }

    /// Returns what remains to be shown of the answer; all of it if it does not begin with what was shown.
    pub fn rest<'t>(&self, answer: &'t str) -> &'t str {
        let rest = answer.strip_prefix(self.shown.trim());
        rest.map_or(answer, |rest| if self.shown.is_empty() { rest } else { rest.trim_start_matches('\n') })
    }
}

/// Where the first block of a text ends: behind an empty line that stands in no fence and follows no lead.
fn block_end(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("\n\n") {
        let end = from + at + 2;
        let block = &text[..end];
        let in_fence = block.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
        let said = block.trim_end_matches(['\n', ' ', '*']);
        if !in_fence && !said.ends_with(':') && !said.is_empty() {
            return Some(end);
        }
        from = end;
    }
    None
}

impl CheckedText {
    /// Returns the text as people see it: with marks behind what is not borne out or, strictly, without it.
    pub fn shown(&self, strict: bool) -> String {
        if strict { self.supported() } else { self.marked() }
    }
}
