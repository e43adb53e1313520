//! Finds names and quotations in a text, ignoring case, spacing and markup.

use graphwright_core::Span;
use graphwright_documents::extraction::KnownEntity;

/// Returns all places where a name occurs as whole words.
///
/// Between its words, spaces, hyphens, underscores and marks of emphasis are equivalent. The words
/// must be equal except for case.
pub(super) fn find_name(text: &str, name: &str) -> Vec<Span> {
    let words: Vec<String> =
        name.split(is_joint).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let mut spans = Vec::new();
    if words.is_empty() {
        return spans;
    }
    let mut after = 0;
    for (start, _) in text.char_indices() {
        if start < after || text[..start].chars().next_back().is_some_and(continues_word) {
            continue;
        }
        if let Some(end) = match_words(text, start, &words) {
            spans.push(Span::new(start, end));
            after = end;
        }
    }
    spans
}

fn is_joint(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '*' | '`' | '\u{2010}'..='\u{2013}')
}

/// Returns whether a character continues a word. `C` occurs neither in `C++` nor in `C#`.
fn continues_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '+' | '#')
}

fn match_words(text: &str, start: usize, words: &[String]) -> Option<usize> {
    let mut at = start;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            let joint = text[at..].find(|letter| !is_joint(letter))?;
            if joint == 0 {
                return None;
            }
            at += joint;
        }
        at += match_prefix(&text[at..], word)?;
    }
    let open = text[at..].chars().next().is_some_and(continues_word);
    (!open).then_some(at)
}

/// Returns the length of the prefix of `text` that equals `word` except for case.
fn match_prefix(text: &str, word: &str) -> Option<usize> {
    let mut wanted = word.chars();
    let mut length = 0;
    let mut letters = text.chars();
    while !wanted.as_str().is_empty() {
        let letter = letters.next()?;
        for lower in letter.to_lowercase() {
            if wanted.next() != Some(lower) {
                return None;
            }
        }
        length += letter.len_utf8();
    }
    Some(length)
}

/// Returns whether an entity occurs in the text under any of its names.
pub(super) fn mentions(text: &str, entity: &KnownEntity) -> bool {
    let names = std::iter::once(&entity.name).chain(&entity.aliases);
    names.into_iter().any(|name| !find_name(text, name).is_empty())
}

/// Finds a quotation by its letters and digits, whatever stands between the words.
pub(super) fn find_quotation(text: &str, quotation: &str) -> Option<Span> {
    let (words, wanted) = (words(text), words(quotation));
    if wanted.is_empty() {
        return None;
    }
    let found = words
        .windows(wanted.len())
        .find(|window| window.iter().zip(&wanted).all(|((_, word), (_, wanted))| word == wanted))?;
    let ((first, _), (last, _)) = (found.first()?, found.last()?);
    Some(Span::new(first.start, last.end))
}

fn words(text: &str) -> Vec<(Span, String)> {
    let mut words: Vec<(Span, String)> = Vec::new();
    let mut open = false;
    for (start, letter) in text.char_indices() {
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        let end = start + letter.len_utf8();
        match words.last_mut().filter(|_| open) {
            Some((span, word)) => {
                span.end = end;
                word.extend(letter.to_lowercase());
            }
            None => words.push((Span::new(start, end), letter.to_lowercase().collect())),
        }
        open = true;
    }
    words
}

/// Widens a range to whole sentences, without white space at the ends.
///
/// A line break ends a sentence only if an empty line, a list item, a heading or a table row
/// follows.
pub(super) fn sentences_around(text: &str, span: Span) -> Span {
    let bounds = sentence_bounds(text);
    let start = bounds.iter().copied().filter(|bound| *bound <= span.start).max().unwrap_or(0);
    let end = bounds.into_iter().filter(|bound| *bound >= span.end).min().unwrap_or(text.len());
    trim(text, Span::new(start, end))
}

/// Splits a text into sentences.
pub(super) fn sentences(text: &str) -> Vec<Span> {
    let mut bounds = sentence_bounds(text);
    bounds.push(text.len());
    bounds
        .windows(2)
        .map(|pair| trim(text, Span::new(pair[0], pair[1])))
        .filter(|span| span.start < span.end)
        .collect()
}

fn sentence_bounds(text: &str) -> Vec<usize> {
    let mut bounds = vec![0];
    for (at, letter) in text.char_indices() {
        let after = at + letter.len_utf8();
        let rest = &text[after..];
        let ends = match letter {
            '.' | '!' | '?' | '。' => rest.starts_with(char::is_whitespace),
            '\n' => {
                rest.trim_start_matches([' ', '\t']).starts_with(['\n', '-', '*', '#', '|', '+', '>'])
                    || rest.is_empty()
            }
            _ => false,
        };
        if ends {
            bounds.push(after);
        }
    }
    bounds
}

fn trim(text: &str, span: Span) -> Span {
    let inside = &text[span.range()];
    let start = span.start + (inside.len() - inside.trim_start().len());
    Span::new(start, start + inside.trim().len())
}
