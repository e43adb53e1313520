//! The numbered evidence that goes to a model, within a budget of tokens.

use graphwright_core::text::quotable;
use graphwright_llm::estimate_tokens;
use graphwright_retrieve::Passage;

use crate::{answer::AnswerPath, check::Citable};

/// Tokens that a piece costs beside its text, for its number and the end of its line.
const TOKENS_OF_A_LINE: u64 = 4;
/// When not all evidence fits, the budget divided by this is left for a summary of the rest.
const PART_FOR_SUMMARY: u64 = 6;

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    text: String,
    tokens: u64,
    /// What the piece rests on. A summary rests on all that it cites.
    sources: Vec<Source>,
}

/// What a piece of evidence rests on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Fact(AnswerPath),
    Passage(Passage),
    /// What the graph says of one entity.
    Entity,
}

impl Item {
    fn evidence(&self) -> Citable {
        let path = |source: &Source| match source {
            Source::Fact(path) => Some(path.clone()),
            Source::Passage(_) | Source::Entity => None,
        };
        let paths = self.sources.iter().filter_map(path).collect();
        Citable { text: self.text.clone(), paths, failed: false }
    }
}

/// Pieces of evidence, the most telling first.
#[derive(Debug, Default)]
pub(crate) struct Dossier {
    budget: u64,
    tokens: u64,
    items: Vec<Item>,
    /// Pieces that the budget has no room for.
    rest: Vec<Item>,
}

impl Dossier {
    pub(crate) fn new(budget: u64) -> Self {
        Self { budget, ..Self::default() }
    }

    pub(crate) fn fact(&mut self, path: &AnswerPath) {
        self.add(crate::connection::draw(path), vec![Source::Fact(path.clone())]);
    }

    pub(crate) fn passage(&mut self, passage: &Passage) {
        let text = format!("({}) {}", passage.document, passage.text.trim());
        self.add(text, vec![Source::Passage(passage.clone())]);
    }

    pub(crate) fn entity(&mut self, description: String) {
        self.add(description, vec![Source::Entity]);
    }

    fn add(&mut self, text: String, sources: Vec<Source>) {
        if self.items.iter().chain(&self.rest).any(|item| item.text == text) {
            return;
        }
        let tokens = estimate_tokens(&text) + TOKENS_OF_A_LINE;
        let item = Item { text, tokens, sources };
        if self.tokens + tokens > self.budget {
            self.rest.push(item);
        } else {
            self.tokens += tokens;
            self.items.push(item);
        }
    }

    /// Counts the pieces that did not fit.
    pub(crate) fn cut(&self) -> usize {
        self.rest.len()
    }

    /// Makes room for a summary. Returns the texts to summarise: as much of the rest as fits into
    /// one request of the budget's size.
    pub(crate) fn make_room(&mut self) -> Vec<Citable> {
        let most = self.budget - self.budget / PART_FOR_SUMMARY;
        let mut moved = Vec::new();
        while self.tokens > most
            && let Some(last) = self.items.pop()
        {
            self.tokens -= last.tokens;
            moved.push(last);
        }
        // The moved pieces tell more than the rest, so they go before it.
        self.rest.splice(0..0, moved.into_iter().rev());
        let mut tokens = 0;
        let fitting = self.rest.iter().take_while(|item| {
            tokens += item.tokens;
            tokens <= self.budget
        });
        fitting.map(Item::evidence).collect()
    }

    /// Puts a summary in the place of the first `of` pieces of the rest. It rests on the pieces
    /// that it cites, counted from 1. Returns whether it fits.
    pub(crate) fn summarise(&mut self, summary: &str, of: usize, cited: &[usize]) -> bool {
        let text = format!("(Summary of {of} more pieces) {summary}");
        let tokens = estimate_tokens(&text) + TOKENS_OF_A_LINE;
        if self.tokens + tokens > self.budget {
            return false;
        }
        // The check lets through only numbers of pieces that there are.
        let sources = cited.iter().flat_map(|number| self.rest[number - 1].sources.clone()).collect();
        self.items.push(Item { text, tokens, sources });
        self.tokens += tokens;
        self.rest.drain(..of);
        true
    }

    /// Returns the texts of the pieces, in the order of their numbers.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.items.iter().map(|item| item.text.as_str()).collect()
    }

    /// Returns the pieces as a text that cites them is checked against them.
    pub(crate) fn evidence(&self) -> Vec<Citable> {
        self.items.iter().map(Item::evidence).collect()
    }

    /// Returns what a piece rests on, given its number from 1.
    pub(crate) fn sources(&self, number: usize) -> &[Source] {
        self.items.get(number.wrapping_sub(1)).map_or(&[], |item| &item.sources)
    }

    /// Writes the prompt: the evidence and the question.
    pub(crate) fn prompt(&self, question: &str) -> String {
        let mut text = numbered(&self.texts());
        if !self.rest.is_empty() {
            text.push_str(&format!("({} more pieces did not fit.)\n", self.rest.len()));
        }
        format!("{text}\nQuestion: {question}\n")
    }
}

/// Numbers pieces of evidence, one per line.
pub(crate) fn numbered(texts: &[&str]) -> String {
    let mut text = String::from("Evidence:\n");
    for (number, piece) in texts.iter().enumerate() {
        text.push_str(&format!("[{}] {}\n", number + 1, quotable(piece).replace('\n', " ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dossier() -> Dossier {
        let mut dossier = Dossier::new(200);
        for number in 0..50 {
            dossier.entity(format!("service number {number} has a long description of what it does"));
        }
        dossier
    }

    #[test]
    fn the_budget_cuts_and_counts() {
        let dossier = dossier();
        assert!(dossier.cut() > 0 && dossier.items.len() + dossier.cut() == 50);
        assert!(dossier.prompt("?").contains("more pieces did not fit"));
    }

    #[test]
    fn a_piece_is_one_line_whatever_its_document_calls_a_line() {
        for line_break in ["\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let piece = format!("It is open.{line_break}[2] It is closed.");
            assert_eq!(
                numbered(&[&piece]),
                "Evidence:\n[1] It is open. [2] It is closed.\n",
                "{line_break:?}"
            );
        }
        assert_eq!(numbered(&["\u{1b}[2J"]), "Evidence:\n[1] \\u{1b}[2J\n");
    }

    #[test]
    fn a_summary_stands_for_what_was_cut() {
        let mut dossier = dossier();
        let before = dossier.cut();
        let shown = dossier.make_room().len();
        assert!(shown > 1 && dossier.cut() > before, "some more give way");
        assert!(dossier.summarise("service number 20 does much.", shown, &[1, 2]));
        assert_eq!(dossier.items.len() - 1 + dossier.cut() + shown, 50);
        assert_eq!(dossier.sources(dossier.items.len()).len(), 2);
        assert!(dossier.tokens <= 200);
        assert!(!dossier.summarise(&"far too long ".repeat(200), 1, &[]), "what does not fit is refused");
    }
}
