//! Word pieces as BERT's lower-case models cut them.
//!
//! The method is that of Wu et al. 2016, "Google's neural machine translation system", section 4.1.
//! It borrows the vocabulary, so that loading it does not copy 28,000 strings.

use std::collections::HashMap;

use tokenizers::{
    NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer,
    normalizers::BertNormalizer, pre_tokenizers::bert::BertPreTokenizer,
};

/// The longest word that is cut (BERT's limit). A longer one counts as unknown.
const LONGEST_WORD: usize = 100;

/// BERT's white space. Other ASCII control characters vanish without parting words.
const SPACES: [char; 4] = [' ', '\t', '\n', '\r'];

#[derive(Debug)]
pub(super) struct WordPieces<'a> {
    /// The pieces that begin a word.
    first: HashMap<&'a str, usize>,
    /// The pieces that continue a word, without their `##`.
    following: HashMap<&'a str, usize>,
}

impl<'a> WordPieces<'a> {
    /// Reads a vocabulary of one piece a line. The number of the line is the number of the piece.
    pub(super) fn new(vocabulary: &'a str) -> Self {
        // Room for the 28,000 pieces of the built-in vocabulary, so that the maps need not grow.
        let mut first = HashMap::with_capacity(24 * 1024);
        let mut following = HashMap::with_capacity(8 * 1024);
        for (number, piece) in vocabulary.lines().enumerate() {
            match piece.strip_prefix("##").filter(|rest| !rest.is_empty()) {
                Some(rest) => following.insert(rest, number),
                None => first.insert(piece, number),
            };
        }
        Self { first, following }
    }

    pub(super) fn len(&self) -> usize {
        self.first.len() + self.following.len()
    }

    /// Visits the numbers of the pieces of a text, in order. Words that cannot be cut are left out.
    pub(super) fn visit(&self, text: &str, mut visit: impl FnMut(usize)) {
        let mut pieces = Vec::new();
        let mut cut = |word: &str| {
            if self.cut(word, &mut pieces) {
                pieces.iter().copied().for_each(&mut visit);
            }
        };
        let mut lower = String::new();
        for word in text.split(SPACES) {
            if word.is_ascii() {
                visit_ascii(word, &mut lower, &mut cut);
            } else {
                visit_unicode(word, &mut cut);
            }
        }
    }

    /// Cuts a word from left to right, the longest piece first. Returns false if some rest fits no
    /// piece.
    fn cut(&self, word: &str, pieces: &mut Vec<usize>) -> bool {
        pieces.clear();
        if word.chars().nth(LONGEST_WORD).is_some() {
            return false;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let known = if pieces.is_empty() { &self.first } else { &self.following };
            let ends = rest.char_indices().rev().map(|(start, letter)| start + letter.len_utf8());
            let Some((end, piece)) = ends.into_iter().find_map(|end| Some((end, *known.get(&rest[..end])?)))
            else {
                return false;
            };
            pieces.push(piece);
            rest = &rest[end..];
        }
        true
    }
}

/// Visits the words of ASCII text: the common case, without the offsets that the general one keeps.
fn visit_ascii(word: &str, lower: &mut String, visit: &mut impl FnMut(&str)) {
    lower.clear();
    lower.extend(
        word.chars().filter(|letter| !letter.is_ascii_control()).map(|letter| letter.to_ascii_lowercase()),
    );
    let mut start = 0;
    for (at, letter) in lower.char_indices().filter(|(_, letter)| letter.is_ascii_punctuation()) {
        visit(&lower[start..at]);
        start = at + letter.len_utf8();
        visit(&lower[at..start]);
    }
    visit(&lower[start..]);
}

fn visit_unicode(word: &str, visit: &mut impl FnMut(&str)) {
    let mut normalised = NormalizedString::from(word);
    let mut splits = PreTokenizedString::from("");
    let split = BertNormalizer::default().normalize(&mut normalised).and_then(|()| {
        splits = PreTokenizedString::from(normalised.get());
        BertPreTokenizer.pre_tokenize(&mut splits)
    });
    if split.is_ok() {
        for (part, _, _) in splits.get_splits(OffsetReferential::Normalized, OffsetType::Byte) {
            visit(part);
        }
    }
}
