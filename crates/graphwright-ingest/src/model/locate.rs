//! Finds names and quotations in a text by the words under which names are compared.

use std::collections::HashSet;

use graphwright_core::Span;
use graphwright_documents::extraction::KnownEntity;
use graphwright_english::{
    names::{self, Token},
    prose,
};

/// Share of a quotation's words that a sentence must hold, in their order, to be what was paraphrased.
const LEAST_SHARED: f64 = 0.6;

/// Number of further names that a text may have inside a name.
const MOST_INSIDE: usize = 3;

/// A text with its words.
#[derive(Debug)]
pub(super) struct Words<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Each word once, for names that cannot occur.
    different: HashSet<String>,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let tokens = names::tokens(text);
        let different = tokens.iter().map(|token| token.text.clone()).collect();
        Self { text, tokens, different }
    }

    /// Returns all places where a name occurs as whole words.
    ///
    /// Case, spaces, hyphens, underscores and marks of emphasis between words do not count; other punctuation must not
    /// stand between words unless the name has some.
    pub(super) fn find_name(&self, name: &str) -> Vec<Span> {
        let wanted = names::tokens(name);
        let spans = self.find_exactly(&wanted);
        if spans.is_empty() { self.find_variant(&wanted).into_iter().collect() } else { spans }
    }

    /// Returns whether a name occurs, its words written as they are there.
    pub(super) fn has_exactly(&self, name: &str) -> bool {
        !self.find_exactly(&names::tokens(name)).is_empty()
    }

    fn find_exactly(&self, wanted: &[Token]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        if !wanted.iter().all(|token| self.different.contains(&token.text)) {
            return spans;
        }
        let free = wanted.iter().any(|token| token.after_punctuation);
        for (start, window) in self.windows(wanted) {
            let joined =
                window.windows(2).all(|pair| free || is_joint(&self.text[pair[0].end..pair[1].start]));
            let (first, last) = (start, window[window.len() - 1].end);
            if joined && spans.last().is_none_or(|before| before.end <= first) {
                spans.push(Span::new(first, last));
            }
        }
        spans
    }

    /// Finds a name that the text writes apart or together in another way (`racewalker`), or with more names inside it
    /// (`Jack Wilshere` in `Jack Andrew Garry Wilshere`).
    fn find_variant(&self, wanted: &[Token]) -> Option<Span> {
        let letters: String = wanted.iter().map(|token| token.text.as_str()).collect();
        let (first, last) = (wanted.first()?, wanted.last()?);
        (0..self.tokens.len()).find_map(|start| {
            let rest = &self.tokens[start..];
            if !letters.starts_with(rest[0].text.as_str()) {
                return None;
            }
            let mut together = String::new();
            let squashed = rest.iter().take(wanted.len() + 2).position(|token| {
                together.push_str(&token.text);
                together == letters
            });
            let within = || {
                let fits = wanted.len() > 1 && rest[0].text == first.text && self.is_capital(&rest[0]);
                let run = rest
                    .iter()
                    .skip(1)
                    .take_while(|token| self.is_capital(token) && !token.after_punctuation);
                let run: Vec<&Token> = run.take(wanted.len() + MOST_INSIDE - 1).collect();
                let end = run.iter().rposition(|token| token.text == last.text).filter(|_| fits)?;
                let mut inside = run[..=end].iter();
                wanted[1..].iter().all(|word| inside.any(|token| token.text == word.text)).then_some(end + 1)
            };
            let end = squashed
                .filter(|end| rest[1..=*end].iter().all(|token| !token.after_punctuation))
                .or_else(within)?;
            Some(Span::new(rest[0].start, rest[end].end))
        })
    }

    fn is_capital(&self, token: &Token) -> bool {
        self.text[token.start..].chars().next().is_some_and(char::is_uppercase)
    }

    /// Finds a quotation by its words, whatever stands between them. Where it leaves something out (`…`), its parts must
    /// come in order.
    pub(super) fn find_quotation(&self, quotation: &str) -> Option<Span> {
        let parts = quotation.split("...").flat_map(|part| part.split('…'));
        let parts: Vec<Vec<Token>> = parts.map(names::tokens).filter(|part| !part.is_empty()).collect();
        let mut found: Option<Span> = None;
        for part in &parts {
            let after = found.map_or(0, |span| span.end);
            let (start, window) = self.windows(part).find(|(start, _)| *start >= after)?;
            let end = window[window.len() - 1].end;
            found = Some(Span::new(found.map_or(start, |span| span.start), end));
        }
        found
    }

    /// Finds the sentence that a quotation paraphrases: the one that holds most of its words in their order.
    pub(super) fn find_paraphrase(&self, quotation: &str, sentences: &[Span]) -> Option<Span> {
        let wanted = names::tokens(quotation);
        let least = (wanted.len() as f64 * LEAST_SHARED).ceil() as usize;
        let shared = |sentence: &Span| {
            let inside =
                self.tokens.iter().filter(|token| token.start >= sentence.start && token.end <= sentence.end);
            longest_common(&wanted, &inside.collect::<Vec<_>>())
        };
        let best = sentences
            .iter()
            .map(|sentence| (shared(sentence), *sentence))
            .max_by_key(|(shared, _)| *shared)?;
        (wanted.len() >= 3 && best.0 >= least).then_some(best.1)
    }

    /// Returns where these words stand one after the other, with the byte at which they begin.
    fn windows<'w>(&'w self, wanted: &'w [Token]) -> impl Iterator<Item = (usize, &'w [Token])> {
        let fits =
            move |window: &&[Token]| window.iter().zip(wanted).all(|(word, wanted)| word.text == wanted.text);
        let length = wanted.len().max(1);
        self.tokens
            .windows(length)
            .filter(move |window| !wanted.is_empty() && fits(window))
            .map(|window| (window[0].start, window))
    }
}

/// Returns whether what stands between two words leaves them one name.
fn is_joint(between: &str) -> bool {
    let plain = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                '-' | '_' | '*' | '`' | '\\' | '/' | '&' | '\'' | '’' | 's' | '\u{2010}'..='\u{2013}'
            )
    };
    between == "." || between.chars().all(plain)
}

fn longest_common(left: &[Token], right: &[&Token]) -> usize {
    let mut row = vec![0_usize; right.len() + 1];
    for wanted in left {
        let mut diagonal = 0;
        for (index, token) in right.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if token.text == wanted.text { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Returns whether an entity occurs in a text under any of its names.
pub(super) fn mentions(words: &Words<'_>, entity: &KnownEntity) -> bool {
    std::iter::once(&entity.name).chain(&entity.aliases).any(|name| words.has_exactly(name))
}

/// Splits a text into sentences. A line that begins an item, a heading or a row of a table begins a sentence, and so does
/// the line after an empty one.
pub(super) fn sentences(text: &str) -> Vec<Span> {
    let mut breaks: Vec<usize> = Vec::new();
    for (at, letter) in text.char_indices() {
        let rest = &text[at + letter.len_utf8()..];
        let line = letter == '\n'
            && (rest.trim_start_matches([' ', '\t']).starts_with(['\n', '\r', '-', '*', '#', '|', '+', '>'])
                || begins_numbered(rest));
        if line || letter == '。' {
            breaks.push(at + letter.len_utf8());
        }
    }
    let tokens = prose::tokenise(text);
    let starts = prose::sentences(&tokens, &breaks)
        .into_iter()
        .filter_map(|range| Some(tokens.get(range.start)?.start));
    let mut bounds: Vec<usize> = starts.chain(breaks.iter().copied()).chain([0, text.len()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let trimmed = bounds.windows(2).map(|pair| trim(text, Span::new(pair[0], pair[1])));
    let mut spans: Vec<Span> = Vec::new();
    for span in trimmed.filter(|span| text[span.range()].contains(char::is_alphanumeric)) {
        // A number alone is the one of an item; a semicolon ends no sentence.
        let goes_on = |span: &Span| {
            let before = &text[span.range()];
            before.ends_with(';') || !before.contains(char::is_alphabetic)
        };
        match spans.last_mut() {
            Some(before) if goes_on(before) && !text[before.end..span.start].contains('\n') => {
                before.end = span.end;
            }
            _ => spans.push(span),
        }
    }
    spans
}

/// Returns whether a line begins as an item of a numbered list does.
fn begins_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches([' ', '\t']);
    let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    after.len() < rest.len() && after.starts_with(['.', ')'])
}

fn trim(text: &str, span: Span) -> Span {
    let inside = &text[span.range()];
    let start = span.start + (inside.len() - inside.trim_start().len());
    Span::new(start, start + inside.trim().len())
}
