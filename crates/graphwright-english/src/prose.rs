//! Splits running text into words, numbers and punctuation, and finds where its sentences end.

use crate::{inflection, words};

/// A word, number or punctuation mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// First byte in the block's text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The token in lower case, with straight apostrophes.
    pub lower: String,
    /// The token in the singular, if that is another word.
    pub singular: Option<String>,
    /// Whether it is a punctuation mark.
    pub punctuation: bool,
    /// Whether its first letter is a capital.
    pub capital: bool,
    /// Whether it has at least two letters, all of them capitals.
    pub capitals: bool,
    /// Whether white space precedes it.
    pub spaced: bool,
}

impl Token {
    /// Tells whether it is a word of letters, digits or both.
    pub fn is_word(&self) -> bool {
        !self.punctuation && !self.lower.starts_with('\'')
    }

    /// Tells whether it is the word, or its plural.
    pub fn is(&self, word: &str) -> bool {
        self.lower == word || self.singular.as_deref() == Some(word)
    }

    /// Tells whether it begins with a digit.
    pub fn is_number(&self) -> bool {
        self.lower.starts_with(|letter: char| letter.is_ascii_digit())
    }

    /// Tells whether it ends a possessor: `'s`, or the apostrophe of `teams'`.
    pub fn is_possessive_mark(&self) -> bool {
        self.lower == "'s" || (self.lower == "'" && !self.spaced)
    }
}

/// Splits a text into tokens. Identifiers, versions, addresses and hyphenated words stay whole.
pub fn tokenise(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let mut position = 0;
    let mut spaced = true;
    while let Some(first) = text[position..].chars().next() {
        if first.is_whitespace() {
            position += first.len_utf8();
            spaced = true;
            continue;
        }
        let rest = &text[position..];
        let length = if rest.starts_with("http://") || rest.starts_with("https://") {
            rest.find(|letter: char| letter.is_whitespace() || matches!(letter, ')' | ']' | '>' | '"'))
                .unwrap_or(rest.len())
        } else if is_word_letter(first)
            || (first == '.' && rest[1..].starts_with(|next: char| next.is_alphabetic()) && spaced)
        {
            word_length(rest)
        } else if matches!(first, '\'' | '’') && possessive_length(rest) > 0 && !spaced {
            possessive_length(rest)
        } else {
            first.len_utf8()
        };
        let piece = &rest[..length];
        let word = is_word_letter(first) || length > first.len_utf8();
        let lower = piece.to_lowercase().replace('’', "'");
        let singular = inflection::is_plural(&lower).then(|| inflection::singular(&lower).into_owned());
        tokens.push(Token {
            start: position,
            end: position + length,
            lower,
            singular,
            punctuation: !word && !matches!(first, '\'' | '’') && !is_symbol(first),
            capital: first.is_uppercase(),
            capitals: piece.chars().filter(|letter| letter.is_uppercase()).count() > 1
                && !piece.chars().any(char::is_lowercase),
            spaced,
        });
        position += length;
        spaced = false;
    }
    pair_single_quotes(&mut tokens);
    tokens
}

/// Turns single quotes around a few words into quotation marks: `'Falcon'`, `‘Falcon's Nest’`.
/// Apostrophes stay.
fn pair_single_quotes(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(close) = closing_quote(tokens, at) {
            for (quote, mark) in [(at, "“"), (close, "”")] {
                mark.clone_into(&mut tokens[quote].lower);
                tokens[quote].punctuation = true;
            }
            at = close;
        }
        at += 1;
    }
}

/// Finds the single quote that closes the one at a token.
fn closing_quote(tokens: &[Token], at: usize) -> Option<usize> {
    let opens = matches!(tokens[at].lower.as_str(), "'" | "‘")
        && (tokens[at].spaced || at == 0 || tokens[at - 1].punctuation)
        && tokens.get(at + 1).is_some_and(|next| !next.spaced && next.is_word());
    if !opens {
        return None;
    }
    (at + 2..tokens.len()).take(10).find(|close| {
        let ends = |next: &Token| next.spaced || next.punctuation || next.lower == "'s";
        tokens[*close].lower == "'" && !tokens[*close].spaced && tokens.get(close + 1).is_none_or(ends)
    })
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_symbol(letter: char) -> bool {
    matches!(letter, '&' | '$' | '€' | '£' | '%' | '+')
}

/// Returns the length of `'s`, `'ll`, `'re`, `'d` or `'ve` after a word.
fn possessive_length(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1).take_while(|(_, letter)| letter.is_alphabetic());
    let end = letters.clone().last().map_or(0, |(at, letter)| at + letter.len_utf8());
    let tail: String = letters.by_ref().map(|(_, letter)| letter.to_ascii_lowercase()).collect();
    if matches!(tail.as_str(), "s" | "ll" | "re" | "d" | "ve") { end } else { 0 }
}

fn word_length(rest: &str) -> usize {
    let letters: Vec<(usize, char)> = rest.char_indices().take(200).collect();
    let mut at = 1;
    while at < letters.len() {
        let letter = letters[at].1;
        let next = letters.get(at + 1).map(|(_, next)| *next);
        let previous = letters[at - 1].1;
        let goes_on = is_word_letter(letter)
            || match letter {
                '-' | '‑' | '.' | '/' | '_' | '&' | '@' => next.is_some_and(is_word_letter),
                '\'' | '’' => {
                    next.is_some_and(char::is_alphabetic) && possessive_length(&rest[letters[at].0..]) == 0
                }
                ',' | ':' => previous.is_ascii_digit() && digits_follow(&letters[at + 1..], letter),
                '+' | '#' => at <= 2 && previous.is_alphabetic() || previous == '+',
                _ => false,
            };
        if !goes_on {
            break;
        }
        at += 1;
    }
    letters.get(at).map_or_else(
        || letters.last().map_or(0, |(start, letter)| start + letter.len_utf8()),
        |(start, _)| *start,
    )
}

/// Tells whether a group of three digits follows a comma, or two digits follow a colon.
fn digits_follow(rest: &[(usize, char)], separator: char) -> bool {
    let wanted = if separator == ',' { 3 } else { 2 };
    let digits = rest.iter().take_while(|(_, letter)| letter.is_ascii_digit()).count();
    digits == wanted
}

/// Splits tokens into sentences, as ranges of tokens. `breaks` are byte positions where a sentence
/// ends in any case.
pub fn sentences(tokens: &[Token], breaks: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut breaks = breaks.iter().copied().peekable();
    for index in 0..tokens.len() {
        let broken = std::iter::from_fn(|| breaks.next_if(|at| *at <= tokens[index].start)).count() > 0;
        if broken && index > start {
            found.push(start..index);
            start = index;
        }
        let closes =
            |next: &&Token| !next.spaced && (is_closing(next) || matches!(next.lower.as_str(), "'" | "’"));
        let end = index + 1 + tokens[index + 1..].iter().take_while(closes).count();
        if ends_sentence(tokens, index) && end > start {
            found.push(start..end);
            start = end;
        }
    }
    if start < tokens.len() {
        found.push(start..tokens.len());
    }
    found
}

fn is_closing(token: &Token) -> bool {
    matches!(token.lower.as_str(), "\"" | "”" | ")")
}

fn ends_sentence(tokens: &[Token], index: usize) -> bool {
    let (mark, rest) = (&tokens[index].lower, &tokens[index + 1..]);
    if mark != "." {
        return matches!(mark.as_str(), "!" | "?" | ";");
    }
    let mut behind = rest.iter().skip_while(|next| is_closing(next) || next.lower == "*");
    let Some(next) = behind.next() else { return true };
    if !rest[0].spaced && !is_closing(&rest[0]) {
        return false;
    }
    let Some(previous) = index.checked_sub(1).map(|at| &tokens[at]) else { return true };
    let lower = previous.lower.as_str();
    let starter = words::is_closed(&next.lower) && next.capital;
    if words::is_abbreviation(lower) && !is_word_before(lower, next) {
        return words::may_end_sentence(lower) && starter;
    }
    if next.is_number() && matches!(lower, "b" | "d" | "c") {
        // `(b. 1880)`
        return false;
    }
    if lower.chars().count() == 1 && previous.capital {
        // `B. Raised by X`: a class and what is said of the thing, not initials.
        let raised_by = |by: &Token| {
            inflection::is_own_participle(&next.lower) && words::is_preposition(&by.lower) && !by.capital
        };
        // `A. Compact plant for the border`: a letter between full stops, and a phrase.
        let alone = index >= 2 && tokens[index - 2].lower == ".";
        let is_phrase = |after: &Token| {
            let no_name = after.is_word() && !after.capital && !after.is_number();
            let said_of = words::is_closed(&after.lower)
                || words::is_likely_verb(&after.lower)
                || inflection::is_own_past(&after.lower);
            alone && no_name && !said_of
        };
        let after = behind.next().filter(|_| next.capital);
        return starter || after.is_some_and(|after| raised_by(after) || is_phrase(after));
    }
    // `auth-lib is old. checkout uses it.`: also a word in small letters begins a sentence.
    next.capital
        || next.is_number()
        || next.punctuation
        || !next.lower.is_ascii()
        || next.spaced && next.is_word()
}

/// Tells whether an abbreviation is a word before this one, so that its full stop ends a sentence. `No.` and `max.` are
/// abbreviations only before a number, `Mar.` and `Sun.` before a small letter.
fn is_word_before(abbreviation: &str, next: &Token) -> bool {
    match abbreviation {
        "no" | "min" | "max" | "ed" | "v" => !next.is_number(),
        "may" | "mar" | "sun" => next.capital,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokenise(text).iter().map(|token| &text[token.start..token.end]).collect()
    }

    fn split(text: &str) -> Vec<&str> {
        let tokens = tokenise(text);
        sentences(&tokens, &[])
            .into_iter()
            .map(|range| &text[tokens[range.start].start..tokens[range.end - 1].end])
            .collect()
    }

    #[test]
    fn identifiers_versions_and_addresses_stay_whole() {
        assert_eq!(
            words("auth-lib-v2 needs C++ 1.2.3, see https://a.b/c."),
            ["auth-lib-v2", "needs", "C++", "1.2.3", ",", "see", "https://a.b/c."]
        );
        assert_eq!(words("Team A's 1,200 teams' R&D"), ["Team", "A", "'s", "1,200", "teams", "'", "R&D"]);
        assert_eq!(words("it doesn’t work"), ["it", "doesn’t", "work"]);
    }

    #[test]
    fn single_quotes_around_words_are_quotation_marks() {
        let quoted = |text: &str| -> Vec<String> {
            let marks = tokenise(text).into_iter().filter(|token| token.punctuation);
            marks.map(|token| token.lower).collect()
        };
        assert_eq!(quoted("The tug 'Nell's Pride' (once ‘Bess’)"), ["“", "”", "(", "“", "”", ")"]);
        assert!(quoted("the teams' plans and the firms' offers in the '90s").is_empty());
    }

    #[test]
    fn abbreviations_do_not_end_sentences() {
        assert_eq!(
            split("Dr. Jane Roe works at Acme Inc. in Rome. It is big."),
            ["Dr. Jane Roe works at Acme Inc. in Rome.", "It is big."]
        );
        assert_eq!(split("Use v2.1 now. Then J. Smith left."), ["Use v2.1 now.", "Then J. Smith left."]);
        assert_eq!(
            split("It was sold to Acme Corp. The price is unknown."),
            ["It was sold to Acme Corp.", "The price is unknown."]
        );
    }
}
