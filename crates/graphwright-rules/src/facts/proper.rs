//! How proper names are written: capitals, the small words within them, numbers, initials and titles.

use std::ops::Range;

use graphwright_english::dates;

use super::{mentions::Lexicon, prose::Token, vocabulary::Vocabulary, words};

/// Whether a word is written as an identifier: with digits, underscores or capitals within.
pub(super) fn is_identifier(text: &str) -> bool {
    let letters = text.chars().any(char::is_alphabetic);
    let digits = text.chars().any(|letter| letter.is_ascii_digit());
    let starts_with_digit = text.starts_with(|letter: char| letter.is_ascii_digit());
    let humps =
        text.chars().zip(text.chars().skip(1)).any(|(one, two)| one.is_lowercase() && two.is_uppercase());
    letters
        && !text.contains(char::is_whitespace)
        && ((digits && !starts_with_digit) || text.contains('_') || humps)
}

/// Whether tokens are a date and nothing else.
pub(super) fn looks_like_date(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| dates::is_month(&token.lower))
        && tokens.iter().all(|token| token.is_number() || token.punctuation || dates::is_month(&token.lower))
}

/// The longest run of tokens at a position that is written as a proper name.
pub(super) fn run(lexicon: Lexicon<'_>, text: &str, tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let first = &tokens[at];
    let shown = &text[first.start..first.end];
    if shown.starts_with("http") || shown.contains("://") || shown.len() > 60 {
        return None;
    }
    if !first.capital {
        let version = first.lower.starts_with('v')
            && first.lower[1..].chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let quarter = first.lower.len() == 2 && first.lower.starts_with('q');
        return (is_identifier(shown) && !version && !quarter && first.lower.len() > 2).then_some(at..at + 1);
    }
    let all_capitals = shown.len() > 1 && shown.chars().all(|letter| !letter.is_lowercase());
    if words::is_closed(&first.lower) && (!all_capitals || at == 0) || at == 0 && first.lower == "dear" {
        return None;
    }
    let mut end = at + 1;
    while let Some((length, ends)) = continuation(lexicon, text, tokens, at, end) {
        end += length;
        if ends {
            break;
        }
    }
    while end > at + 1 && (tokens[end - 1].punctuation || is_connector(&tokens[end - 1].lower)) {
        end -= 1;
    }
    is_name(lexicon, shown, tokens, at..end).then_some(at..end)
}

/// How many tokens go on with the name that began at `start`, and whether it ends with them.
fn continuation(
    lexicon: Lexicon<'_>,
    text: &str,
    tokens: &[Token],
    start: usize,
    at: usize,
) -> Option<(usize, bool)> {
    let next = tokens.get(at)?;
    let previous = &tokens[at - 1];
    let capital_at = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.capital && token.is_word() && !words::is_closed(&token.lower))
    };
    let initial = next.lower == "."
        && !next.spaced
        && (previous.lower.chars().count() == 1 || words::is_honorific(&previous.lower))
        && tokens.get(at + 1).is_some_and(|after| after.capital);
    // A line below a name may begin with a small word: `Harrow Mills\nTo be sold.`
    let sentence = words::is_preposition(&next.lower)
        && tokens.get(at + 1).is_some_and(|after| after.is_word() && !after.capital);
    let word =
        next.is_word() && next.capital && !is_sentence_word(next) && !sentence && previous.lower != ":";
    let identifier = next.is_word()
        && next.spaced
        && is_identifier(&text[next.start..next.end])
        && !next.lower.starts_with('v');
    if initial || word || identifier {
        return Some((1, false));
    }
    if is_serial(next) || is_numeral(tokens, at) || is_year_of_name(tokens, at) {
        return Some((1, true));
    }
    let noun_of_end = lexicon.vocabulary.nouns_contain(previous) || words::is_generic_noun(&previous.lower);
    if is_connector(&next.lower) && capital_at(at + 1) && !noun_of_end {
        return Some((2, false));
    }
    // `Doe v Finch & Sons`, `Doe v. Finch`, `Doe v the Crown`: the parties to a case.
    if words::is_against(&next.lower) {
        let skipped =
            tokens[at + 1..].iter().take(2).take_while(|token| matches!(token.lower.as_str(), "." | "the"));
        let skipped = skipped.count();
        if capital_at(at + 1 + skipped) {
            return Some((2 + skipped, false));
        }
    }
    if next.lower == "of"
        && !lexicon.vocabulary.nouns_contain(previous)
        && is(tokens, at + 1, "the")
        && capital_at(at + 2)
    {
        return Some((3, false));
    }
    // `the play Castle in the Fog`: a work is named after the word for it.
    let link =
        matches!(next.lower.as_str(), "in" | "on" | "at" | "to" | "for" | "from" | "and" | "with" | "by");
    if link
        && matches!(tokens.get(at + 1)?.lower.as_str(), "the" | "a" | "an")
        && capital_at(at + 2)
        && follows_work(lexicon, tokens, start)
    {
        return Some((3, false));
    }
    // `the Roads and Bridges Tribunal`: an article and a singular word for a type hold two words together.
    if matches!(next.lower.as_str(), "and" | "&")
        && at == start + 1
        && start > 0
        && tokens[start - 1].lower == "the"
        && capital_at(at + 1)
        && lexicon.gazetteer.find(tokens, start).is_none()
    {
        let rest = tokens[at + 1..].iter().take_while(|token| token.is_word() && token.capital).count();
        let last = at + rest;
        if rest > 1
            && tokens[last].singular.is_none()
            && lexicon.vocabulary.type_words.find(tokens, last).is_some()
        {
            return Some((rest + 1, true));
        }
    }
    // `Institute for Alpine Research`, `Society for the Protection of Birds`, `Ministry of Health and Welfare`.
    let institution = tokens[start..at].iter().any(|token| is_institution(&token.lower));
    if institution && matches!(next.lower.as_str(), "for" | "on") && is_institution(&previous.lower) {
        if capital_at(at + 1) {
            return Some((2, false));
        }
        if is(tokens, at + 1, "the") && capital_at(at + 2) {
            return Some((3, false));
        }
    }
    let possessed = next.is_possessive_mark()
        && lexicon.vocabulary.type_words.find(tokens, at + 1).is_some()
        && capital_at(at + 1);
    possessed.then_some((2, false))
}

/// Whether the word before a position is one for works with titles.
fn follows_work(lexicon: Lexicon<'_>, tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    lexicon.vocabulary.type_words.find(&tokens[..at], before).is_some_and(|(_, kinds)| {
        tokens[before].singular.is_none() && kinds.iter().any(|kind| lexicon.vocabulary.types[**kind].work)
    })
}

fn is(tokens: &[Token], at: usize, word: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.lower == word)
}

/// `12/2021`, `4-17`: the number of a file after its name.
fn is_serial(token: &Token) -> bool {
    token.is_number()
        && token.spaced
        && token.lower.len() <= 10
        && token.lower.contains(['/', '-'])
        && !token.lower.contains(char::is_alphabetic)
}

/// `Falcon 9`, but not `Falcon 9 times`.
fn is_numeral(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    token.is_number()
        && token.spaced
        && token.lower.len() <= 3
        && token.lower.bytes().all(|byte| byte.is_ascii_digit())
        && !tokens.get(at + 1).is_some_and(|after| {
            after.is_word()
                && !after.capital
                && !words::is_closed(&after.lower)
                && !words::is_likely_verb(&after.lower)
        })
}

/// `Markets Act 1952`, `Fishing Regulations 2012`: the year belongs to the name.
fn is_year_of_name(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let year =
        token.spaced && token.lower.len() == 4 && token.lower.bytes().all(|byte| byte.is_ascii_digit());
    year && tokens[at - 1].capital && words::is_enactment(&tokens[at - 1].lower)
}

/// Whether a run is more than a month, a word for a type or anything else that is capitalised without being a name.
fn is_name(lexicon: Lexicon<'_>, shown: &str, tokens: &[Token], run: Range<usize>) -> bool {
    let first = &tokens[run.start];
    if looks_like_date(&tokens[run.clone()]) {
        return false;
    }
    if run.len() > 1 {
        return !describes_type(lexicon, tokens, run);
    }
    let generic = dates::is_month(&first.lower)
        || words::is_generic_noun(&first.lower)
        || words::is_number_word(&first.lower);
    let type_word = lexicon.vocabulary.type_words.find(tokens, run.start).is_some()
        && (run.start == 0 || first.singular.is_some());
    let quarter = first.lower.len() == 2
        && first.lower.starts_with('q')
        && first.lower.ends_with(|letter: char| letter.is_ascii_digit());
    !generic && !type_word && !quarter && shown.chars().count() > 1
}

/// Whether a run says of which sort a thing of a type is, by the allowed values of its properties: `Draft Decision`.
fn describes_type(lexicon: Lexicon<'_>, tokens: &[Token], run: Range<usize>) -> bool {
    let vocabulary = lexicon.vocabulary;
    let Some((mut at, _)) = vocabulary.allowed_values.find(tokens, run.start) else { return false };
    at += run.start;
    while let Some((length, _)) = vocabulary.allowed_values.find(tokens, at).filter(|_| at < run.end) {
        at += length;
    }
    at < run.end && vocabulary.type_words.find(tokens, at).is_some_and(|(length, _)| at + length == run.end)
}

/// Capitalised words in the middle of a run that are not part of a name.
fn is_sentence_word(token: &Token) -> bool {
    matches!(
        token.lower.as_str(),
        "the" | "a" | "an" | "it" | "this" | "that" | "is" | "are" | "was" | "and" | "i"
    )
}

fn is_connector(word: &str) -> bool {
    matches!(
        word,
        "of" | "de"
            | "van"
            | "von"
            | "der"
            | "den"
            | "la"
            | "las"
            | "los"
            | "du"
            | "des"
            | "del"
            | "della"
            | "di"
            | "da"
            | "do"
            | "dos"
            | "le"
            | "al"
            | "el"
            | "ibn"
            | "bin"
            | "bint"
            | "ben"
            | "zu"
            | "af"
            | "og"
            | "och"
            | "und"
            | "et"
            | "y"
            | "e"
            | "&"
    )
}

/// Words after which `for …` and `on …` belong to a name.
pub(super) fn is_institution(word: &str) -> bool {
    matches!(
        word,
        "institute"
            | "institution"
            | "centre"
            | "center"
            | "society"
            | "association"
            | "department"
            | "ministry"
            | "office"
            | "agency"
            | "council"
            | "committee"
            | "commission"
            | "board"
            | "bureau"
            | "foundation"
            | "fund"
            | "trust"
            | "school"
            | "academy"
            | "college"
            | "faculty"
            | "laboratory"
            | "authority"
            | "campaign"
            | "alliance"
            | "coalition"
            | "network"
            | "partnership"
            | "programme"
            | "program"
            | "group"
            | "museum"
            | "hospital"
            | "convention"
            | "act"
            | "directorate"
            | "service"
            | "union"
            | "league"
            | "federation"
            | "prize"
            | "award"
            | "conference"
            | "minister"
            | "secretary"
            | "director"
    )
}

/// The name that a sentence opens with when it is the subject of a singular verb, small words and marks included:
/// `Castle in the Sky is a film`, `Jack and the Witch was written by …`. The range is without an opening `The`.
pub(super) fn title(tokens: &[Token]) -> Option<Range<usize>> {
    let first = tokens.first()?;
    let start = usize::from(first.lower == "the");
    if !tokens.get(start)?.capital {
        return None;
    }
    let (end, loose) = title_end(tokens, start)?;
    let verb = after_inserted(tokens, end)?;
    let singular = matches!(tokens.get(verb)?.lower.as_str(), "is" | "was" | "has");
    let defines = tokens
        .get(verb + 1)
        .is_some_and(|token| matches!(token.lower.as_str(), "a" | "an" | "the" | "one" | "another"));
    let contents = tokens[start..end].iter().filter(|token| token.capital || token.is_number()).count();
    let opener = tokens[start].lower.as_str();
    let opens = if matches!(opener, "a" | "an") {
        contents > 2
    } else if opener.ends_with("ly") {
        defines && contents > 1
    } else if words::is_closed(opener) || words::is_adverbial(opener) {
        // `Who Saw the Fox is a play`, `My Last Summer was a novel`; a preposition is in front of the subject.
        defines && contents > 2 && !words::is_preposition(opener) && !words::is_adverb(opener)
    } else {
        true
    };
    (opens && end - start <= 14 && singular && (defines || !loose)).then_some(start..end)
}

/// One past the last word that a title may have, and whether a preposition joins its parts.
fn title_end(tokens: &[Token], start: usize) -> Option<(usize, bool)> {
    let mut end = start + 1;
    let mut loose = false;
    while let Some(token) = tokens.get(end) {
        let next_capital = |at: usize| tokens.get(at).is_some_and(|next| next.capital || next.is_number());
        let is_content = token.is_word() && (token.capital || token.is_number());
        let is_mark = matches!(token.lower.as_str(), ":" | "!" | "?" | "-" | "–" | "." | "&" | "'s")
            && next_capital(end + 1);
        if is_content || is_mark {
            end += 1;
            continue;
        }
        let inner = tokens[end..].iter().take_while(|token| is_inner_word(&token.lower)).count();
        if !(1..=3).contains(&inner) || !next_capital(end + inner) {
            break;
        }
        loose |= inner == 1 && !matches!(token.lower.as_str(), "of" | "and" | "the" | "a" | "an");
        end += inner;
    }
    (end > start).then_some((end, loose))
}

/// Past a bracket and `, also known as …,` after a name.
fn after_inserted(tokens: &[Token], at: usize) -> Option<usize> {
    let mut at = at;
    if is(tokens, at, "(") {
        at += tokens[at..].iter().take(30).position(|token| token.lower == ")")? + 1;
    }
    if is(tokens, at, ",") {
        let also = tokens.get(at + 1)?;
        if !matches!(
            also.lower.as_str(),
            "also" | "known" | "formerly" | "originally" | "titled" | "literally" | "or" | "released"
        ) {
            return None;
        }
        at += 1 + tokens[at + 1..].iter().take(20).position(|token| token.lower == ",")? + 1;
    }
    Some(at)
}

/// Small words within titles.
fn is_inner_word(word: &str) -> bool {
    matches!(
        word,
        "of" | "and"
            | "the"
            | "a"
            | "an"
            | "in"
            | "on"
            | "at"
            | "to"
            | "for"
            | "from"
            | "with"
            | "by"
            | "or"
            | "my"
            | "our"
            | "his"
            | "her"
    ) || is_connector(word)
}

/// `Belgian`, `British-German`, `Hindi-language` before the noun that it describes: the last word of a run is such an adjective.
pub(super) fn describes_origin(tokens: &[Token], run: &Range<usize>) -> bool {
    let last = &tokens[run.end - 1];
    let describes =
        last.lower.ends_with("-language") || last.lower.split('-').all(words::is_adjective_of_origin);
    let noun = tokens.get(run.end).is_some_and(|next| {
        let verb = words::is_likely_verb(&next.lower) && next.lower.ends_with(['s', 'd']);
        let other = verb || words::is_closed(&next.lower) || words::is_adverbial(&next.lower);
        next.is_word() && next.spaced && !next.capital && !other
    });
    describes && noun
}

impl Vocabulary {
    /// Whether a word is a noun for one end of a relationship (`owner`), so that `of` after it starts another name.
    fn nouns_contain(&self, token: &Token) -> bool {
        self.nouns.find(std::slice::from_ref(token), 0).is_some()
    }
}
