//! Names of a statement that the evidence does not have.

use std::collections::HashSet;

use graphwright_english::{
    inflection::base_stem,
    parse::Tag,
    questions::{Token, tokenize},
    words,
};

use super::{graph::Graph, piece::Piece, sentence::Sentence};

/// The words of what a statement may take names from: the cited evidence and the question.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashSet<String>,
    /// All words in order, in lower case.
    sequence: Vec<String>,
    /// Initials of two to five words in a row.
    acronyms: HashSet<String>,
}

impl Vocabulary {
    pub(super) fn add(&mut self, tokens: &[Token]) {
        for token in tokens {
            self.words.insert(token.lower.clone());
            self.words.insert(token.stem.clone());
            self.sequence.push(token.lower.clone());
        }
        for length in 2..=5 {
            for span in tokens.windows(length) {
                self.acronyms.insert(span.iter().filter_map(|token| token.lower.chars().next()).collect());
            }
        }
    }

    fn has_word(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        self.words.contains(&lower) || self.words.contains(&base_stem(&lower))
    }

    /// Tells whether a word stands here, or all its parts do: `auth-lib` where there is `auth lib`.
    fn has(&self, word: &str) -> bool {
        let is_acronym = word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
        let letters: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let mut parts = tokenize(word).into_iter().filter(|part| !part.is_possessive()).peekable();
        self.has_word(word)
            || self.has_word(&letters)
            || is_acronym && self.acronyms.contains(&letters.to_lowercase())
            || parts.peek().is_some() && parts.all(|part| self.has_word(&part.lower))
    }

    fn has_sequence(&self, words: &[Token]) -> bool {
        let words: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
        self.sequence.windows(words.len().max(1)).any(|span| span == words)
    }
}

/// A name of a statement, word by word.
struct Name {
    words: Vec<String>,
    /// Whether all its words are adjectives, as `English`.
    adjective: bool,
}

impl Name {
    fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Most of its words stand there, or its initials do.
    fn stands_in(&self, vocabulary: &Vocabulary) -> bool {
        let known = self.words.iter().filter(|word| vocabulary.has(word)).count();
        let initials: String = self.words.iter().filter_map(|word| word.chars().next()).collect();
        known * 2 >= self.words.len() && (known == self.words.len() || self.words.len() > 2)
            || self.words.len() > 1
                && !words::is_closed(&initials.to_lowercase())
                && vocabulary.has_word(&initials)
    }
}

/// The names of a sentence that neither the evidence nor the question has.
///
/// A name that the graph knows counts in any case of its letters. Another name is told by its capitals, or as an identifier.
pub(super) fn missing(
    sentence: &Sentence,
    cited: &[&Piece],
    vocabulary: &Vocabulary,
    graph: Option<Graph<'_>>,
) -> Vec<String> {
    let mut missing = missing_of_graph(sentence, cited, vocabulary);
    if !missing.is_empty() {
        return missing;
    }
    let names = names_by_shape(sentence, graph);
    missing.extend(names.iter().filter(|name| !name.stands_in(vocabulary)).map(Name::text));
    missing
}

fn missing_of_graph(sentence: &Sentence, cited: &[&Piece], vocabulary: &Vocabulary) -> Vec<String> {
    let absent = sentence.mentions.iter().filter(|mention| {
        let words: Vec<Token> =
            sentence.words.iter().filter(|word| mention.range.contains(&word.start)).cloned().collect();
        let told = cited.iter().any(|piece| mention.ids.iter().any(|id| piece.names(id)));
        !told
            && !sentence.is_excluded(mention)
            && !vocabulary.has_sequence(&words)
            && !words.iter().all(|word| vocabulary.has(&word.text))
    });
    absent.map(|mention| sentence.text[mention.range.clone()].to_owned()).collect()
}

/// Names that are not the graph's: words with a capital inside a sentence, and identifiers.
fn names_by_shape(sentence: &Sentence, graph: Option<Graph<'_>>) -> Vec<Name> {
    let label_end = label_end(sentence);
    let mut names: Vec<Name> = Vec::new();
    let mut last = None;
    for (at, token) in sentence.tokens.iter().enumerate() {
        let text = token.text.trim_end_matches('.');
        let adjective = sentence.tree.tag(at) == Tag::Adj;
        if sentence.mention_at(at).is_some()
            || is_defined(sentence, at)
            || at < label_end
            || !is_name(sentence, at, graph)
        {
            continue;
        }
        match names.last_mut() {
            Some(name) if at > 0 && last == Some(at - 1) => {
                name.words.push(text.to_owned());
                name.adjective &= adjective;
            }
            _ => names.push(Name { words: vec![text.to_owned()], adjective }),
        }
        last = Some(at);
    }
    names.retain(|name| !(name.adjective && name.words.len() == 1));
    names
}

/// Tells whether a word stands alone in brackets behind what it is short for: `titanium dioxide (TiO2)`.
fn is_defined(sentence: &Sentence, at: usize) -> bool {
    let text =
        |at: Option<usize>| at.and_then(|at| sentence.tokens.get(at)).map_or("", |token| token.text.as_str());
    let behind_word = text(at.checked_sub(2)).ends_with(char::is_alphanumeric);
    behind_word && text(at.checked_sub(1)) == "(" && text(at.checked_add(1)) == ")"
}

/// Where a label such as `Main Owner:` before the statement ends.
fn label_end(sentence: &Sentence) -> usize {
    /// The most words of a label.
    const LONGEST: usize = 6;
    let colon = sentence
        .tokens
        .iter()
        .take(LONGEST + 1)
        .position(|token| matches!(token.text.as_str(), ":" | "–" | "—"));
    colon.map_or(0, |colon| colon + 1)
}

fn is_name(sentence: &Sentence, at: usize, graph: Option<Graph<'_>>) -> bool {
    let text = sentence.tokens[at].text.as_str();
    let lower = sentence.lower(at);
    let stem = base_stem(&lower);
    if graph.is_some_and(|graph| graph.is_term(&stem)) || words::is_closed(&lower) || words::is_filler(&lower)
    {
        return false;
    }
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let has_digit = text.contains(|letter: char| letter.is_ascii_digit());
    let inner_capital = text.chars().skip(1).any(char::is_uppercase) && text.contains(char::is_lowercase);
    let starts_with_letter = text.starts_with(char::is_alphabetic);
    if letters > 1 && starts_with_letter && (has_digit || inner_capital || text.contains('_')) {
        return true;
    }
    if !text.starts_with(char::is_uppercase) || text.chars().count() < 2 {
        return false;
    }
    if graphwright_english::dates::is_calendar_name(&lower) {
        return false;
    }
    sentence.tree.tag(at) == Tag::Propn || !begins(sentence, at)
}

/// Tells whether a word begins a sentence, a quotation or a bracket, so that its capital says nothing.
fn begins(sentence: &Sentence, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| sentence.tokens[before].text.as_str());
    before.is_none_or(|before| {
        matches!(before, ":" | ";" | "\"" | "“" | "'" | "-" | "–" | "—" | "|" | "." | "?" | "!")
    })
}
