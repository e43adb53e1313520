//! Tokens and sentences for the parser, from those of [`prose`].
//!
//! The parser learnt from a treebank that takes "don't" for two words and "..." for one; this is where tokens of prose become
//! such words. Hyphenated words stay whole, since names of software are among them.

use std::{collections::VecDeque, ops::Range};

use super::Token;
use crate::{
    prose::{self, Token as Word},
    words,
};

/// Splits a text into sentences of tokens. `names` are the ranges of known names, in bytes, in their order and apart: each becomes one
/// token. `breaks` are byte positions where a sentence ends in any case.
///
/// ```
/// use graphwright_english::parse::split;
///
/// let text = "New York Bank can't reach auth-lib. Who can?";
/// let sentences = split::sentences(text, &[0..13], &[]);
/// let words: Vec<&str> = sentences[0].iter().map(|token| token.text.as_str()).collect();
/// assert_eq!(words, ["New York Bank", "ca", "n't", "reach", "auth-lib", "."]);
/// assert_eq!(sentences.len(), 2);
/// ```
pub fn sentences(text: &str, names: &[Range<usize>], breaks: &[usize]) -> Vec<Vec<Token>> {
    split(text, names, breaks, false)
}

/// Splits a text as [`sentences`] does, and words at hyphens and slashes too, as the treebank does. For measures on its text.
pub fn treebank_sentences(text: &str, breaks: &[usize]) -> Vec<Vec<Token>> {
    split(text, &[], breaks, true)
}

fn split(text: &str, names: &[Range<usize>], breaks: &[usize], compounds: bool) -> Vec<Vec<Token>> {
    let words = prose::tokenise(text);
    let mut found: Vec<Vec<Token>> = Vec::new();
    for sentence in prose::sentences(&words, breaks) {
        let words = &words[sentence];
        let start = words[0].start;
        let cuts_name = within(names, start..start + 1).iter().any(|name| name.start < start);
        let marks_alone = !words[0].spaced && words.iter().all(|word| word.punctuation);
        let goes_on = cuts_name || (marks_alone && breaks.binary_search(&start).is_err());
        let mut ranges = joined(text, words);
        if compounds {
            ranges = ranges.into_iter().flat_map(|range| apart(text, range)).collect();
        }
        let tokens = ranges.into_iter().map(|range| Token::new(&text[range.clone()], range));
        match found.last_mut() {
            Some(last) if goes_on => last.extend(tokens),
            _ => found.push(tokens.collect()),
        }
    }
    for sentence in &mut found {
        join_marks(text, sentence);
        join_names(text, sentence, names);
    }
    found
}

/// The names that share letters with a range.
fn within(names: &[Range<usize>], range: Range<usize>) -> &[Range<usize>] {
    let first = names.partition_point(|name| name.end <= range.start);
    let rest = &names[first..];
    &rest[..rest.partition_point(|name| name.start < range.end)]
}

/// Ranges of the words of a sentence: contractions in parts, abbreviations with their full stops.
fn joined(text: &str, words: &[Word]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let previous = at.checked_sub(1).map(|before| &words[before]);
        let last = !words[at + 1..].iter().any(Word::is_word);
        match (previous, ranges.last_mut()) {
            (Some(previous), Some(range))
                if word.lower == "." && !word.spaced && keeps_stop(previous, last) =>
            {
                range.end = word.end;
            }
            _ => ranges.extend(parts(text, word)),
        }
    }
    ranges
}

/// Tells whether a full stop belongs to the word before it.
fn keeps_stop(word: &Word, last: bool) -> bool {
    let lower = word.lower.as_str();
    let letter = word.capital && lower.chars().count() == 1;
    let initials =
        lower.contains('.') && lower.split('.').all(|part| part.chars().count() == 1 && !word.is_number());
    let known = words::is_abbreviation(lower) || words::is_inner_abbreviation(lower);
    initials || (letter && !last) || (known && !(last && words::is_word_too(lower)))
}

/// Cuts contractions, units off their numbers, and what ends a sentence off an address.
fn parts(text: &str, word: &Word) -> Vec<Range<usize>> {
    let lower = word.lower.as_str();
    let letters = |count| {
        text[word.start..word.end].char_indices().nth_back(count).map(|(start, _)| word.start + start)
    };
    let address_with_stop = lower.starts_with("http") && lower.ends_with(['.', ',', '\'']);
    let cut = if lower.ends_with("n't") && lower.len() > 3 {
        letters(2)
    } else if words::is_joined_by_two(lower) || (lower.ends_with("'m") && lower.len() > 2) {
        letters(1)
    } else if words::is_joined_by_one(lower) || address_with_stop {
        letters(0)
    } else if words::is_joined_pair(lower) {
        Some(word.start + 3)
    } else if word.is_number() {
        let unit = lower
            .trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | ':'));
        words::is_unit(unit).then(|| word.end - unit.len())
    } else {
        None
    };
    let whole = word.start..word.end;
    match cut.filter(|at| *at > word.start && text.is_char_boundary(*at)) {
        Some(at) => vec![whole.start..at, at..whole.end],
        None => vec![whole],
    }
}

/// Cuts a word at hyphens and slashes, but not telephone numbers, dates, addresses, names of files, and words with a prefix.
fn apart(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let word = &text[range.clone()];
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_range = word.split_once('-').is_some_and(|(from, to)| {
        digits(from) && digits(to) && (from.len().max(to.len()) <= 2 || (from.len(), to.len()) == (4, 4))
    });
    let is_date =
        word.matches(['-', '/']).count() >= 2 && digits(&word[..1]) && digits(&word[word.len() - 1..]);
    let whole = word.contains(['@', '_', '#', ':'])
        || word.starts_with("www.")
        || word.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty() && !end.contains(['-', '/']))
        || !word.chars().any(char::is_alphabetic)
        || is_date;
    if whole && !is_range {
        return vec![range];
    }
    let mut ranges = Vec::new();
    let mut start = range.start;
    for (at, mark) in word.match_indices(['-', '/']) {
        let at = range.start + at;
        let before = text[start..at].to_lowercase();
        if before.is_empty() || at + 1 == range.end || (mark == "-" && words::is_prefix(&before)) {
            continue;
        }
        ranges.extend([start..at, at..at + 1]);
        start = at + 1;
    }
    ranges.push(start..range.end);
    ranges
}

/// Makes one token of each run of marks: "...", "!!", "--", ":-)".
fn join_marks(text: &str, tokens: &mut Vec<Token>) {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens.drain(..) {
        match joined.last_mut() {
            Some(last) if last.range.end == token.range.start && makes_one(last, &token) => {
                last.range.end = token.range.end;
                text[last.range.clone()].clone_into(&mut last.text);
            }
            _ => joined.push(token),
        }
    }
    *tokens = joined;
}

fn makes_one(last: &Token, next: &Token) -> bool {
    let together = format!("{}{}", last.text, next.text).to_lowercase();
    let all = |marks: &[char]| together.chars().all(|letter| marks.contains(&letter));
    let runs: [&[char]; 14] = [
        &['.', '!', '?'],
        &['-', '='],
        &['*'],
        &['~'],
        &['_'],
        &['+'],
        &['<'],
        &['>'],
        &['\''],
        &['$'],
        &['^'],
        &['/'],
        &['\\'],
        &['['],
    ];
    // `'67`: a year without its century.
    let year = together.strip_prefix(['\'', '’']);
    let year = year.is_some_and(|year| year.len() == 2 && year.bytes().all(|byte| byte.is_ascii_digit()));
    runs.into_iter().any(all) || year || words::is_face(&together) || matches!(together.as_str(), ":-" | ";-")
}

/// Makes one token of each known name. What stands in a token beside the name becomes a token by itself.
fn join_names(text: &str, tokens: &mut Vec<Token>, names: &[Range<usize>]) {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
    let sentence = first.range.start..last.range.end;
    let names = within(names, sentence.clone());
    if names.is_empty() {
        return;
    }
    let piece = |range: Range<usize>, name| {
        let text = text.get(range.clone()).filter(|text| !text.is_empty())?;
        Some(Token { text: text.to_owned(), range, name })
    };
    let mut rest = VecDeque::from(std::mem::take(tokens));
    for name in names.iter().filter(|name| sentence.start <= name.start && name.end <= sentence.end) {
        let overlaps = tokens.last().is_some_and(|last| last.range.end > name.start);
        let Some(whole) = piece(name.clone(), true).filter(|_| !overlaps) else { continue };
        let before = rest.partition_point(|token| token.range.end <= name.start);
        tokens.extend(rest.drain(..before));
        let met = rest.partition_point(|token| token.range.start < name.end);
        let ends = rest.get(met.wrapping_sub(1)).map(|last| last.range.end);
        let (Some(first), Some(end)) = (rest.front().map(|first| first.range.start), ends) else { continue };
        rest.drain(..met);
        tokens.extend(piece(first..name.start.max(first), false));
        tokens.push(whole);
        if let Some(tail) = piece(name.end..end.max(name.end), false) {
            rest.push_front(tail);
        }
    }
    tokens.extend(rest);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str, names: &[Range<usize>]) -> Vec<Vec<String>> {
        let sentences = sentences(text, names, &[]);
        sentences.into_iter().map(|tokens| tokens.into_iter().map(|token| token.text).collect()).collect()
    }

    #[test]
    fn contractions_part_and_marks_join() {
        assert_eq!(words("I'm sure it doesn’t.", &[]), [["I", "'m", "sure", "it", "does", "n’t", "."]]);
        assert_eq!(
            words("We cannot... Really?!", &[]),
            [vec!["We", "can", "not", "..."], vec!["Really", "?!"]]
        );
        assert_eq!(words("at 5pm in the U.S. :)", &[]), [["at", "5", "pm", "in", "the", "U.S.", ":)"]]);
    }

    #[test]
    fn full_stops_belong_to_abbreviations_and_initials() {
        assert_eq!(
            words("Dr. J. Roe of Acme Inc. left.", &[]),
            [["Dr.", "J.", "Roe", "of", "Acme", "Inc.", "left", "."]]
        );
        assert_eq!(words("He said no.", &[]), [["He", "said", "no", "."]]);
    }

    #[test]
    fn names_are_one_token_each() {
        let text = "The auth lib's owner, St. John. Inc, and pre-auth/lib2.";
        let names = [4..12, 22..35, 45..53];
        let words = words(text, &names);
        assert_eq!(
            words,
            [[
                "The",
                "auth lib",
                "'s",
                "owner",
                ",",
                "St. John. Inc",
                ",",
                "and",
                "pre-",
                "auth/lib",
                "2",
                "."
            ]]
        );
        let marked = sentences(text, &names, &[]);
        assert_eq!(marked[0].iter().filter(|token| token.name).count(), 3);
    }

    #[test]
    fn one_word_may_hold_two_names() {
        assert_eq!(
            words("It is fraud/auth-lib.", &[6..11, 12..20]),
            [["It", "is", "fraud", "/", "auth-lib", "."]]
        );
    }

    #[test]
    fn unsound_names_are_left_out() {
        assert_eq!(words("New York Bank", &[0..8, 4..13]), [["New York", "Bank"]]);
        assert_eq!(words("Über us", &[1..3, 5..5, 6..99]), [["Über", "us"]]);
        assert!(words("", &[0..3, 3..4]).is_empty());
    }

    #[test]
    fn compounds_part_for_measures_alone() {
        let parted: Vec<_> = treebank_sentences("A well-known e-mail and/or 713-646-3393", &[])[0]
            .iter()
            .map(|token| token.text.clone())
            .collect();
        assert_eq!(parted, ["A", "well", "-", "known", "e-mail", "and", "/", "or", "713-646-3393"]);
        assert_eq!(words("A well-known thing", &[]), [["A", "well-known", "thing"]]);
    }

    proptest! {
        #[test]
        fn tokens_follow_each_other_and_leave_nothing_out(
            text in "([a-zA-Z0-9 .!?'’/\\-$&@_,:é🙂\n]|n't|'s|Dr\\.|\\.\\.\\.|https?://){0,60}",
            bounds in proptest::collection::vec(0..200_usize, 0..8),
            compounds: bool,
        ) {
            let names: Vec<Range<usize>> = bounds.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            let mut end = 0;
            for token in split(&text, &names, &[], compounds).iter().flatten() {
                prop_assert!(text[end..token.range.start].trim().is_empty(), "{:?} in {:?}", token, text);
                prop_assert_eq!(&text[token.range.clone()], token.text.as_str());
                prop_assert!(!token.text.is_empty());
                end = token.range.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}
