//! Names in a sentence: known ones, and what looks like one.

use std::{collections::HashSet, ops::Range};

use super::{
    grammar,
    names::{Gazetteer, Hit, Strength},
    text::{Flat, MarkKind},
    tokens::Token,
    vocabulary::Vocabulary,
};

/// A name as it stands in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    /// Tokens of the name.
    pub(super) tokens: Range<usize>,
    /// The text of the name.
    pub(super) name: String,
    /// The known entities that it may be.
    pub(super) hits: Vec<Hit>,
    /// The types that words beside it say.
    pub(super) kinds: Vec<usize>,
    /// Whether it is a name by its form, whatever stands around it.
    pub(super) sure: bool,
}

impl Mention {
    /// Whether it may count as a mention of a known entity without a place in a pattern.
    pub(super) fn is_plain(&self) -> bool {
        self.hits.iter().any(|hit| hit.strength == Strength::Full) || !self.kinds.is_empty()
    }
}

/// What is read the same way in every sentence of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexicon<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) gazetteer: &'a Gazetteer,
    /// Words that the document also writes in small letters: at the start of a sentence they are no names.
    pub(super) small_words: &'a HashSet<String>,
}

/// Finds the names in a sentence, in order and apart from each other.
pub(super) fn find(lexicon: Lexicon<'_>, flat: &Flat, tokens: &[Token]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let found = marked(lexicon, flat, tokens, at).or_else(|| known_or_proper(lexicon, flat, tokens, at));
        match found {
            Some(mut mention) => {
                at = mention.tokens.end;
                add_type_words(lexicon, tokens, &mut mention, &flat.text);
                at = at.max(mention.tokens.end);
                mentions.push(mention);
            }
            None => at += 1,
        }
    }
    mentions
}

fn text_of<'a>(text: &'a str, tokens: &[Token], range: &Range<usize>) -> &'a str {
    &text[tokens[range.start].start..tokens[range.end - 1].end]
}

/// A bold, linked, quoted or code span that holds a name and nothing else.
fn marked(lexicon: Lexicon<'_>, flat: &Flat, tokens: &[Token], at: usize) -> Option<Mention> {
    let first = &tokens[at];
    if let Some(mark) =
        flat.marks.iter().find(|mark| mark.range.start == first.start && mark.kind != MarkKind::Struck)
    {
        let count = tokens[at..].iter().take_while(|token| token.end <= mark.range.end).count();
        let mention = name_in(lexicon, flat, tokens, at..at + count, mark.kind == MarkKind::Code);
        if mention.is_some() {
            return mention;
        }
    }
    if matches!(first.lower.as_str(), "\"" | "“" | "«" | "„") {
        let length = tokens[at + 1..]
            .iter()
            .take(9)
            .position(|token| matches!(token.lower.as_str(), "\"" | "”" | "»" | "“"))?;
        let inner = at + 1..at + 1 + length;
        let capitalised = tokens.get(inner.start).is_some_and(|token| token.capital);
        if capitalised {
            return name_in(lexicon, flat, tokens, inner, false);
        }
    }
    None
}

fn name_in(
    lexicon: Lexicon<'_>,
    flat: &Flat,
    tokens: &[Token],
    range: Range<usize>,
    code: bool,
) -> Option<Mention> {
    if range.is_empty() || range.len() > 8 {
        return None;
    }
    let text = text_of(&flat.text, tokens, &range);
    let hits: Vec<Hit> = lexicon
        .gazetteer
        .lookup(text)
        .into_iter()
        .map(|entry| Hit { entry, strength: Strength::Full })
        .collect();
    let inside = &tokens[range.clone()];
    let shape = if code {
        inside.len() == 1
            && text.chars().any(char::is_alphabetic)
            && !text.contains(['(', '=', '{', '<', '/', '$', '@'])
    } else {
        let capital = inside[0].capital || is_identifier(text);
        let clause = inside.iter().any(|token| {
            matches!(token.lower.as_str(), ":" | "." | "?" | "!" | ";")
                && token.end != inside[inside.len() - 1].end
                || grammar::is_auxiliary(&token.lower)
        });
        let last = &inside[inside.len() - 1];
        let closed =
            inside.len() == 1 && (grammar::is_closed(&last.lower) || grammar::is_generic_noun(&last.lower));
        let labels = last.punctuation && !matches!(last.lower.as_str(), ")" | "!" | "?");
        capital && !clause && !labels && !closed && !is_meaningful_key(lexicon, text)
    };
    let plain_number = inside.iter().all(|token| token.is_number() || token.punctuation);
    if hits.is_empty() && (!shape || plain_number || looks_like_date(inside)) {
        return None;
    }
    Some(Mention { name: text.to_owned(), tokens: range, hits, kinds: Vec::new(), sure: true })
}

/// Whether a text is itself a word of the ontology (`Owner`, `Depends on`).
fn is_meaningful_key(lexicon: Lexicon<'_>, text: &str) -> bool {
    !lexicon.vocabulary.keys.meanings(text).is_empty()
}

fn known_or_proper(lexicon: Lexicon<'_>, flat: &Flat, tokens: &[Token], at: usize) -> Option<Mention> {
    let token = &tokens[at];
    if !token.is_word() {
        return None;
    }
    if let Some(mention) = titled(lexicon, flat, tokens, at) {
        return Some(mention);
    }
    let known = lexicon.gazetteer.find(tokens, at);
    let proper = proper_run(lexicon, &flat.text, tokens, at);
    match (known, proper) {
        (Some((length, hits)), proper) => {
            let whole = hits.iter().any(|hit| hit.strength == Strength::Full);
            if let Some(run) = proper.filter(|run| run.end > at + length)
                && is_longer_name(lexicon, tokens, at + length, run.end)
                && !lexicon.vocabulary.heads.contains_key(&tokens[at + length].lower)
            {
                return Some(unknown(&flat.text, tokens, run, true));
            }
            if followed_by_number(tokens, at + length) && whole {
                let run = at..at + length + 1;
                return Some(unknown(&flat.text, tokens, run, true));
            }
            let range = at..at + length;
            let name = text_of(&flat.text, tokens, &range).to_owned();
            Some(Mention { tokens: range, name, hits, kinds: Vec::new(), sure: whole })
        }
        (None, Some(run))
            if lexicon
                .vocabulary
                .allowed_values
                .find(tokens, at)
                .is_some_and(|(length, _)| length >= run.len()) =>
        {
            None
        }
        (None, Some(run)) => {
            let single = run.len() == 1;
            let first_word = at == 0
                || tokens[at - 1].punctuation && tokens[at - 1].lower != "," && tokens[at - 1].lower != "(";
            let doubtful = single
                && !is_identifier(text_of(&flat.text, tokens, &run))
                && first_word
                && (lexicon.small_words.contains(&token.lower)
                    || grammar::is_adverbial(&token.lower)
                    || token.lower.ends_with("ing")
                    || token.lower.ends_with("ed")
                    || token.singular.is_some());
            let meaningful = single && is_meaningful_key(lexicon, text_of(&flat.text, tokens, &run));
            (!doubtful && !meaningful).then(|| unknown(&flat.text, tokens, run, true))
        }
        (None, None) => None,
    }
}

/// A known name with a title before it that the name as known does not have: `Dr. Jane Roe`.
fn titled(lexicon: Lexicon<'_>, flat: &Flat, tokens: &[Token], at: usize) -> Option<Mention> {
    if !grammar::is_honorific(&tokens[at].lower)
        || !tokens[at].capital
        || lexicon.gazetteer.find(tokens, at).is_some()
    {
        return None;
    }
    let start = if tokens.get(at + 1)?.lower == "." { at + 2 } else { at + 1 };
    let (length, hits) = lexicon.gazetteer.find(tokens, start)?;
    let run = proper_run(lexicon, &flat.text, tokens, start)?;
    if run.end > start + length {
        return None;
    }
    let hits = hits.into_iter().map(|hit| Hit { strength: Strength::Full, ..hit }).collect();
    let range = at..start + length;
    Some(Mention {
        name: text_of(&flat.text, tokens, &range).to_owned(),
        tokens: range,
        hits,
        kinds: Vec::new(),
        sure: true,
    })
}

fn unknown(text: &str, tokens: &[Token], tokens_range: Range<usize>, sure: bool) -> Mention {
    let name = text_of(text, tokens, &tokens_range).to_owned();
    Mention { tokens: tokens_range, name, hits: Vec::new(), kinds: Vec::new(), sure }
}

/// Whether capitalised words after a known name belong to it: not when they start another known name or are type words.
fn is_longer_name(lexicon: Lexicon<'_>, tokens: &[Token], from: usize, to: usize) -> bool {
    tokens[from].lower != "of"
        && lexicon.gazetteer.find(tokens, from).is_none()
        && lexicon.vocabulary.type_words.find(tokens, from).is_none()
        && !grammar::is_class_noun(&tokens[from].lower)
        && tokens[from..to].iter().any(|token| token.capital)
}

/// `auth-lib v2`, `Falcon 9`: another thing than the one without the number.
fn followed_by_number(tokens: &[Token], at: usize) -> bool {
    let Some(next) = tokens.get(at) else { return false };
    let version = next.lower.len() <= 4
        && next.lower.starts_with('v')
        && next.lower[1..].starts_with(|letter: char| letter.is_ascii_digit());
    next.spaced && version
}

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

fn looks_like_date(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| grammar::is_month(&token.lower))
        && tokens
            .iter()
            .all(|token| token.is_number() || token.punctuation || grammar::is_month(&token.lower))
}

#[expect(clippy::if_same_then_else, reason = "each branch is a rule of its own")]
/// The longest run of tokens at a position that is written as a proper name.
fn proper_run(lexicon: Lexicon<'_>, text: &str, tokens: &[Token], at: usize) -> Option<Range<usize>> {
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
    let sentence_start = at == 0;
    if grammar::is_closed(&first.lower)
        && !(shown.len() > 1 && shown.chars().all(|letter| !letter.is_lowercase()) && !sentence_start)
    {
        return None;
    }
    let mut end = at + 1;
    while let Some(next) = tokens.get(end) {
        let shown = &text[next.start..next.end];
        let previous = &tokens[end - 1];
        if next.lower == "."
            && !next.spaced
            && (previous.lower.chars().count() == 1 || grammar::is_honorific(&previous.lower))
            && tokens.get(end + 1).is_some_and(|after| after.capital)
        {
            end += 1;
        } else if next.is_word() && next.capital && !is_sentence_word(next) && previous.lower != ":" {
            end += 1;
        } else if next.is_word() && is_identifier(shown) && next.spaced && !next.lower.starts_with('v') {
            end += 1;
        } else if next.is_number()
            && next.spaced
            && next.lower.len() <= 10
            && next.lower.contains(['/', '-'])
            && !next.lower.contains(char::is_alphabetic)
        {
            end += 1;
            break;
        } else if next.is_number()
            && next.spaced
            && next.lower.len() <= 3
            && next.lower.bytes().all(|byte| byte.is_ascii_digit())
            && !tokens.get(end + 1).is_some_and(|after| {
                after.is_word()
                    && !after.capital
                    && !grammar::is_closed(&after.lower)
                    && !grammar::is_likely_verb(&after.lower)
            })
        {
            end += 1;
            break;
        } else if is_connector(&next.lower)
            && tokens
                .get(end + 1)
                .is_some_and(|after| after.capital && after.is_word() && !grammar::is_closed(&after.lower))
            && !lexicon.vocabulary.nouns_contain(previous)
            && !grammar::is_generic_noun(&previous.lower)
        {
            end += 2;
        } else if next.lower == "of"
            && tokens.get(end + 1).is_some_and(|after| after.lower == "the")
            && tokens.get(end + 2).is_some_and(|after| after.capital && after.is_word())
            && !lexicon.vocabulary.nouns_contain(previous)
        {
            end += 3;
        } else if next.is_possessive_mark()
            && lexicon.vocabulary.type_words.find(tokens, end + 1).is_some()
            && tokens.get(end + 1).is_some_and(|after| after.capital)
        {
            end += 2;
        } else {
            break;
        }
    }
    while end > at + 1 && (tokens[end - 1].punctuation || is_connector(&tokens[end - 1].lower)) {
        end -= 1;
    }
    let only_month = end == at + 1
        && (grammar::is_month(&first.lower)
            || grammar::is_generic_noun(&first.lower)
            || grammar::is_number_word(&first.lower));
    let generic_type = end == at + 1
        && lexicon.vocabulary.type_words.find(tokens, at).is_some()
        && (sentence_start || first.singular.is_some());
    let roman_or_single = end == at + 1 && shown.chars().count() == 1;
    let date = looks_like_date(&tokens[at..end]);
    let quarter = end == at + 1
        && first.lower.len() == 2
        && first.lower.starts_with('q')
        && first.lower.ends_with(|letter: char| letter.is_ascii_digit());
    (!only_month && !generic_type && !roman_or_single && !date && !quarter).then_some(at..end)
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
            | "la"
            | "du"
            | "del"
            | "di"
            | "da"
            | "dos"
            | "le"
            | "al"
            | "bin"
            | "&"
    )
}

/// Takes up words for types that stand directly beside the name: `the payment service Falcon`, `Falcon library`.
fn add_type_words(lexicon: Lexicon<'_>, tokens: &[Token], mention: &mut Mention, text: &str) {
    let vocabulary = lexicon.vocabulary;
    let fits = |kind: usize, mention: &Mention| {
        mention.hits.is_empty()
            || mention.hits.iter().any(|hit| lexicon.gazetteer.entries[hit.entry].kind == kind)
    };
    let parts = super::names::parts(&mention.name);
    if mention.hits.is_empty() {
        for kind in 0..vocabulary.types.len() {
            let bare = vocabulary.strip_type_words(kind, &parts);
            if bare.len() < parts.len() && !bare.is_empty() && !mention.kinds.contains(&kind) {
                mention.kinds.push(kind);
            }
        }
    }
    let end = mention.tokens.end;
    if let Some((length, kinds)) =
        vocabulary.type_words.find(tokens, end).filter(|_| tokens[end].spaced && !tokens[end].punctuation)
    {
        let singular =
            tokens[end + length - 1].singular.is_none() || tokens[end + length - 1].lower.ends_with("ss");
        let fitting: Vec<usize> =
            kinds.iter().map(|kind| **kind).filter(|kind| fits(*kind, mention)).collect();
        if singular && fitting.is_empty() {
            mention.tokens.end = end + length;
            mention.name = text_of(text, tokens, &mention.tokens).to_owned();
            mention.hits.clear();
            mention.kinds = kinds.into_iter().copied().collect();
            mention.sure = tokens[mention.tokens.start].capital;
            return;
        }
        if singular {
            mention.kinds.extend(fitting);
            mention.sure = true;
            return;
        }
    }
    let start = mention.tokens.start;
    for length in 1..=3.min(start) {
        if let Some((found, kinds)) = vocabulary.type_words.find(tokens, start - length)
            && found == length
            && tokens[start].spaced
        {
            let singular = tokens[start - 1].singular.is_none();
            let fitting: Vec<usize> =
                kinds.into_iter().copied().filter(|kind| fits(*kind, mention)).collect();
            if singular && !fitting.is_empty() && (mention.sure || !mention.hits.is_empty()) {
                mention.kinds.extend(fitting);
                mention.sure = true;
            }
        }
    }
}

impl Vocabulary {
    /// Whether a word is a noun for one end of a relationship (`owner`), so that `of` after it starts another name.
    fn nouns_contain(&self, token: &Token) -> bool {
        self.nouns.find(std::slice::from_ref(token), 0).is_some()
    }
}
