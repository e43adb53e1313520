//! What the net sees of a word: its row among known words, and buckets of its affixes and shape.
//!
//! `tools/parser/features.py` does the same; the recorded trees of the tests bear it out.

use std::collections::HashMap;

/// The number of rows that affixes and shapes share.
pub(super) const BUCKETS: usize = 8192;
/// Row of all words that training did not keep.
const UNKNOWN: usize = 0;
/// Row of the root, which stands before the first word.
pub(super) const ROOT: usize = 1;
const FIRST_WORD: usize = 2;
const LONGEST_AFFIX: usize = 4;

/// The rows of known words.
#[derive(Debug)]
pub(super) struct Words {
    rows: HashMap<Box<str>, usize>,
}

impl Words {
    /// Reads one word a line.
    pub(super) fn read(lines: &str) -> Self {
        let rows = lines.split_terminator('\n').zip(FIRST_WORD..);
        Self { rows: rows.map(|(word, row)| (word.into(), row)).collect() }
    }

    /// Returns the number of rows that the table of words must have.
    pub(super) fn rows(&self) -> usize {
        self.rows.len() + FIRST_WORD
    }

    /// Returns the row of a word that [`normal`] gave.
    pub(super) fn row(&self, normal: &str) -> usize {
        self.rows.get(normal).copied().unwrap_or(UNKNOWN)
    }
}

/// Returns a word in small letters with straight quotes and each digit as 0.
///
/// Letter by letter, so that no rule of context (as for the Greek sigma) applies.
pub(super) fn normal(form: &str) -> String {
    form.chars()
        .map(straight)
        .flat_map(|letter| if letter.is_ascii_digit() { '0'.to_lowercase() } else { letter.to_lowercase() })
        .collect()
}

/// Returns the typewriter's quote for a typographic one, and other letters as they are.
pub(super) fn straight(letter: char) -> char {
    match letter {
        '’' | '‘' | '`' => '\'',
        '“' | '”' => '"',
        other => other,
    }
}

/// Returns X, x and 0 for letters and digits, other characters themselves; no run is longer than two.
fn shape(form: &str) -> String {
    let mut shape = String::with_capacity(form.len());
    let (mut last, mut before) = (None, None);
    for letter in form.chars() {
        let mark = match letter {
            '0'..='9' => '0',
            letter if letter.is_uppercase() => 'X',
            letter if letter.is_lowercase() => 'x',
            letter => letter,
        };
        if last != Some(mark) || before != Some(mark) {
            shape.push(mark);
            (before, last) = (last, Some(mark));
        }
    }
    shape
}

/// Calls a function with the bucket of each feature of a word.
pub(super) fn visit_buckets(form: &str, normal: &str, name: bool, mut visit: impl FnMut(usize)) {
    visit(bucket(b'w', normal));
    visit(bucket(b's', &shape(form)));
    let prefixes = normal.char_indices().map(|(start, letter)| start + letter.len_utf8());
    for end in prefixes.take(LONGEST_AFFIX) {
        visit(bucket(b'p', &normal[..end]));
    }
    for (start, _) in normal.char_indices().rev().take(LONGEST_AFFIX) {
        visit(bucket(b'e', &normal[start..]));
    }
    if name {
        visit(bucket(b'n', ""));
    }
}

/// Hashes a feature: FNV-1a of 32 bits over its kind and text, folded.
fn bucket(kind: u8, text: &str) -> usize {
    let bytes = std::iter::once(kind).chain(text.bytes());
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 13)) as usize % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_capitals_and_quotes_do_not_tell_words_apart() {
        assert_eq!(normal("Don’t"), "don't");
        assert_eq!(normal("v2.17"), "v0.00");
        assert_eq!(normal("ΟΔΟΣ"), "οδοσ", "letter by letter: no final sigma");
    }

    #[test]
    fn shapes_shorten_runs() {
        assert_eq!(shape("Payments"), "Xxx");
        assert_eq!(shape("PaymentAPI-v12"), "XxxXX-x00");
        assert_eq!(shape("New York"), "Xxx Xxx");
        assert_eq!(shape("🙂🙂🙂"), "🙂🙂");
    }

    #[test]
    fn short_words_have_fewer_affixes() {
        let count = |form: &str, name| {
            let mut count = 0;
            visit_buckets(form, &normal(form), name, |_| count += 1);
            count
        };
        assert_eq!(count("a", false), 4);
        assert_eq!(count("über", false), 10);
        assert_eq!(count("services", true), 11);
    }
}
