//! Thoughts that a model writes into its text, between `<think>` and `</think>`.

/// The marks that begin thoughts. They count at the beginning of a line only: elsewhere the model
/// speaks of them.
const OPENING: [&str; 2] = ["<think>", "<thinking>"];
/// The marks that end thoughts. They count anywhere, as chat templates may have written the
/// beginning into the prompt.
const CLOSING: [&str; 2] = ["</think>", "</thinking>"];

/// A piece of what came, told apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Text(String),
    Thought(String),
    /// All text so far was thoughts, whose beginning was not marked.
    AllWasThought,
}

/// Tells thoughts and text apart while they come in.
#[derive(Debug, Default)]
pub(super) struct ThoughtFilter {
    /// What may be the beginning of a mark, or is held back.
    pending: String,
    thinking: bool,
    /// Whether blank space is dropped, as after a mark.
    trims: bool,
    /// Whether something other than blank space was passed on as text.
    spoke: bool,
    /// Whether the text that was passed on ends within a line.
    in_line: bool,
    /// Whether text is held back until it is known that no thoughts end in it.
    hold: bool,
}

impl ThoughtFilter {
    pub(super) fn new(hold: bool) -> Self {
        Self { hold, ..Self::default() }
    }

    /// Takes the next piece, and returns what is certain.
    pub(super) fn hear(&mut self, new: &str) -> Vec<Heard> {
        self.pending.push_str(new);
        let mut heard = Vec::new();
        while let Some((start, mark)) = self.next_mark() {
            let before = self.pending[..start].to_owned();
            self.pending.drain(..start + mark.len());
            let opens = OPENING.contains(&mark);
            if !opens && !self.thinking {
                heard.push(Heard::AllWasThought);
                (self.spoke, self.thinking) = (false, true);
            }
            // Blank space before thoughts belongs to nothing.
            if self.thinking || self.spoke || !before.trim().is_empty() {
                self.pass(before, &mut heard);
            }
            self.thinking = opens;
            self.hold &= opens;
            self.trims = true;
        }
        if !self.waits() {
            let certain = self.pending.len() - self.unfinished_mark();
            let rest = self.pending.split_off(certain);
            let certain = std::mem::replace(&mut self.pending, rest);
            self.pass(certain, &mut heard);
        }
        heard
    }

    /// Returns what was held back.
    pub(super) fn end(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        let rest = std::mem::take(&mut self.pending);
        self.pass(rest, &mut heard);
        heard
    }

    fn pass(&mut self, text: String, heard: &mut Vec<Heard>) {
        let text = if self.trims { text.trim_start().to_owned() } else { text };
        if text.is_empty() {
            return;
        }
        self.trims = false;
        if self.thinking {
            heard.push(Heard::Thought(text));
        } else {
            self.spoke |= !text.trim().is_empty();
            self.in_line = !text.ends_with('\n');
            heard.push(Heard::Text(text));
        }
    }

    /// Returns whether nothing is certain yet: blank space may stand before a mark.
    fn waits(&self) -> bool {
        let begun = self.pending.trim_start();
        let may_open = OPENING.iter().any(|mark| mark.starts_with(begun));
        self.hold || (!self.spoke && !self.thinking && may_open)
    }

    /// Returns the first mark that counts, and where it is.
    fn next_mark(&self) -> Option<(usize, &'static str)> {
        let closing = CLOSING.iter().filter_map(|mark| Some((self.pending.find(mark)?, *mark)));
        let opening =
            OPENING.iter().flat_map(|mark| self.pending.match_indices(mark).map(|(start, _)| (start, *mark)));
        let opening = opening.filter(|(start, _)| !self.thinking && self.begins_line(*start));
        closing.chain(opening).min_by_key(|(start, _)| *start)
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.pending[..at].trim_end_matches([' ', '\t']);
        if before.is_empty() { !self.in_line || !self.spoke } else { before.ends_with('\n') }
    }

    /// Returns the length of the end that may become a mark.
    fn unfinished_mark(&self) -> usize {
        let marks = OPENING.iter().chain(&CLOSING);
        let begins =
            |mark: &&str| (1..mark.len()).rev().find(|length| self.pending.ends_with(&mark[..*length]));
        marks.filter_map(begins).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is heard of a text that comes in pieces of so many characters: thoughts and text.
    fn apart(text: &str, size: usize, hold: bool) -> (String, String) {
        let mut filter = ThoughtFilter::new(hold);
        let letters: Vec<char> = text.chars().collect();
        let mut heard: Vec<Heard> =
            letters.chunks(size).flat_map(|piece| filter.hear(&piece.iter().collect::<String>())).collect();
        heard.extend(filter.end());
        let (mut thoughts, mut said) = (String::new(), String::new());
        for piece in heard {
            match piece {
                Heard::Text(text) => said.push_str(&text),
                Heard::Thought(text) => thoughts.push_str(&text),
                Heard::AllWasThought => thoughts.push_str(&std::mem::take(&mut said)),
            }
        }
        (thoughts, said)
    }

    #[test]
    fn thoughts_are_told_from_text_however_it_is_cut_into_pieces() {
        for (text, thoughts, said) in [
            ("<think>\nA? B.\n</think>\n\nIt is B.", "A? B.\n", "It is B."),
            ("\n<thinking>x</thinking>y", "x", "y"),
            ("It is B.", "", "It is B."),
            ("  indented", "", "  indented"),
            ("A, or\nB.\n</think>\n\nB.", "A, or\nB.\n", "B."),
            ("One.\n<think>hm</think>\nTwo.", "hm", "One.\nTwo."),
            ("The mark `<think>` begins it, 1 < 2.", "", "The mark `<think>` begins it, 1 < 2."),
            ("<think>never ends", "never ends", ""),
            ("a </thin", "", "a </thin"),
            ("\n", "", "\n"),
        ] {
            for size in [1, 2, 5, 100] {
                for hold in [false, true] {
                    let expected = (thoughts.to_owned(), said.to_owned());
                    assert_eq!(apart(text, size, hold), expected, "{text:?} by {size}, {hold}");
                }
            }
        }
    }

    #[test]
    fn what_is_held_is_not_passed_on_before_its_thoughts_end() {
        let mut filter = ThoughtFilter::new(true);
        assert_eq!(filter.hear("A, or B."), []);
        let heard = filter.hear("</think> B.");
        let thoughts =
            [Heard::AllWasThought, Heard::Thought("A, or B.".to_owned()), Heard::Text("B.".to_owned())];
        assert_eq!(heard, thoughts);
    }
}
