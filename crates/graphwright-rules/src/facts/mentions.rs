//! Names in a sentence: known ones, and what looks like one.

use std::{collections::HashSet, ops::Range};

use super::{
    kinds,
    names::{Gazetteer, Hit, Strength},
    people, proper,
    prose::Token,
    text::{BlockText, MarkKind},
    vocabulary::Vocabulary,
    words,
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
    /// Whether a capitalised `The` stands before it.
    pub(super) article: bool,
}

impl Mention {
    /// The name of a new thing of a type: titles of works keep their article.
    pub(super) fn new_name(&self, vocabulary: &Vocabulary, kind: usize) -> String {
        if vocabulary.types[kind].human {
            return people::without_home(&self.name).to_owned();
        }
        if self.article && vocabulary.types[kind].work {
            return format!("The {}", self.name);
        }
        self.name.clone()
    }

    /// Whether neither the name nor the words beside it say what it is.
    pub(super) fn is_unknown(&self) -> bool {
        self.kinds.is_empty() && !self.is_known()
    }

    /// Whether it is a known name or a part of one, and not only the beginning of one.
    fn is_known(&self) -> bool {
        self.hits.iter().any(|hit| hit.strength > Strength::Beginning)
    }

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
pub(super) fn find(lexicon: Lexicon<'_>, flat: &BlockText, tokens: &[Token]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut at = 0;
    let title = proper::title(tokens);
    while at < tokens.len() {
        let found = marked(lexicon, flat, tokens, at)
            .or_else(|| opening(lexicon, &flat.text, tokens, at, title.as_ref()))
            .or_else(|| known_or_proper(lexicon, flat, tokens, at))
            .filter(|mention| mention.is_known() || !lexicon.vocabulary.names_nothing(&mention.name))
            .filter(|mention| !is_in_path(&flat.text, tokens, &mention.tokens))
            .filter(|mention| !proper::describes_origin(tokens, &mention.tokens));
        match found {
            Some(mut mention) => {
                let before = mention.tokens.start.checked_sub(1).map(|before| &tokens[before]);
                mention.article = before.is_some_and(|before| before.capital && before.lower == "the");
                at = mention.tokens.end;
                kinds::add_beside(lexicon, tokens, &mut mention, &flat.text);
                at = at.max(mention.tokens.end);
                mentions.push(mention);
            }
            None => at += 1,
        }
    }
    people::share_surnames(lexicon, tokens, &mut mentions);
    kinds::add_of_lists(lexicon, tokens, &mut mentions);
    mentions
}

pub(super) fn text_of<'a>(text: &'a str, tokens: &[Token], range: &Range<usize>) -> &'a str {
    &text[tokens[range.start].start..tokens[range.end - 1].end]
}

/// A bold, linked, quoted or code span that holds a name and nothing else.
fn marked(lexicon: Lexicon<'_>, flat: &BlockText, tokens: &[Token], at: usize) -> Option<Mention> {
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
    flat: &BlockText,
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
        let capital = inside[0].capital || proper::is_identifier(text);
        let clause = inside.iter().any(|token| {
            matches!(token.lower.as_str(), ":" | "." | "?" | "!" | ";")
                && token.end != inside[inside.len() - 1].end
                || words::is_auxiliary(&token.lower)
        });
        let last = &inside[inside.len() - 1];
        let closed =
            inside.len() == 1 && (words::is_closed(&last.lower) || words::is_generic_noun(&last.lower));
        let labels = last.punctuation && !matches!(last.lower.as_str(), ")" | "!" | "?")
            || last.lower == "?" && words::is_question_word(&inside[0].lower);
        let order = (words::is_likely_verb(&inside[0].lower) || inside[0].lower.ends_with("ing"))
            && inside[1..]
                .iter()
                .any(|token| token.is_word() && !token.capital && !words::is_closed(&token.lower));
        capital && !clause && !labels && !closed && !order && !is_meaningful_key(lexicon, text)
    };
    let plain_number = inside.iter().all(|token| token.is_number() || token.punctuation);
    if hits.is_empty() && (!shape || plain_number || proper::looks_like_date(inside)) {
        return None;
    }
    Some(Mention {
        name: text.to_owned(),
        tokens: range,
        hits,
        kinds: Vec::new(),
        article: false,
        sure: true,
    })
}

/// Whether words are a part of an identifier of a program: `core` in `core::ffi`.
fn is_in_path(text: &str, tokens: &[Token], words: &Range<usize>) -> bool {
    text[..tokens[words.start].start].ends_with("::") || text[tokens[words.end - 1].end..].starts_with("::")
}

/// Whether a text is itself a word of the ontology (`Owner`, `Depends on`).
fn is_meaningful_key(lexicon: Lexicon<'_>, text: &str) -> bool {
    !lexicon.vocabulary.keys.meanings(text).is_empty()
}

fn known_or_proper(lexicon: Lexicon<'_>, flat: &BlockText, tokens: &[Token], at: usize) -> Option<Mention> {
    let token = &tokens[at];
    if !token.is_word() {
        return None;
    }
    if let Some(mention) = titled(lexicon, flat, tokens, at) {
        return Some(mention);
    }
    let known = lexicon.gazetteer.find(tokens, at);
    let beginning = lexicon.gazetteer.find_beginning(tokens, at).filter(|(length, _)| {
        known.as_ref().is_none_or(|(known, _)| length > known) && tokens[at..at + length].iter().any(is_and)
    });
    let known = beginning.or(known);
    let proper = proper::run(lexicon, &flat.text, tokens, at);
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
            Some(Mention { tokens: range, name, hits, kinds: Vec::new(), article: false, sure: whole })
        }
        (None, Some(run))
            if lexicon
                .vocabulary
                .allowed_values_at(tokens, at)
                .is_some_and(|(length, _)| length >= run.len()) =>
        {
            None
        }
        (None, Some(run)) => {
            let first_word = at == 0
                || tokens[at - 1].punctuation && tokens[at - 1].lower != "," && tokens[at - 1].lower != "(";
            // `Assign RBAC`: an order, whose verb is no part of the name.
            // `Uses Falcon.`: the verb of a sentence without a subject.
            let verb =
                token.lower.ends_with(['s', 'd']) && lexicon.vocabulary.heads.contains_key(&token.lower);
            if first_word && (is_order(lexicon, tokens, &run) || verb && run.len() > 1) {
                return None;
            }
            if let Some((length, hits)) = lexicon.gazetteer.find_beginning(tokens, at)
                && at + length >= run.end
            {
                let range = at..at + length;
                let name = text_of(&flat.text, tokens, &range).to_owned();
                return Some(Mention {
                    tokens: range,
                    name,
                    hits,
                    kinds: Vec::new(),
                    article: false,
                    sure: true,
                });
            }
            let single = run.len() == 1;
            let doubtful = single
                && !proper::is_identifier(text_of(&flat.text, tokens, &run))
                && first_word
                && (lexicon.small_words.contains(&token.lower)
                    || words::is_adverbial(&token.lower)
                    || token.lower.ends_with("ing")
                    || token.lower.ends_with("ed")
                    || super::inflection::is_own_participle(&token.lower)
                    || token.singular.is_some());
            let meaningful = single && is_meaningful_key(lexicon, text_of(&flat.text, tokens, &run));
            (!doubtful && !meaningful).then(|| unknown(&flat.text, tokens, run, true))
        }
        (None, None) => None,
    }
}

/// Whether a sentence begins with a verb in the imperative: no finite verb follows the capitals.
fn is_order(lexicon: Lexicon<'_>, tokens: &[Token], run: &Range<usize>) -> bool {
    let first = &tokens[run.start];
    let subject = tokens.get(run.end).is_some_and(|next| {
        // `Use shared addresses`: a participle after a verb belongs to its object.
        let verb = words::is_likely_verb(&next.lower) && next.lower.ends_with(['s', 'd'])
            || lexicon.vocabulary.heads.contains_key(&next.lower);
        words::is_auxiliary(&next.lower)
            || verb && (run.len() > 1 || !next.lower.ends_with('d'))
            || next.is_possessive_mark()
            || matches!(next.lower.as_str(), "," | "(" | ":" | "—" | "–")
    });
    words::is_likely_verb(&first.lower)
        && !first.lower.ends_with(['s', 'd'])
        && !subject
        && lexicon.vocabulary.type_words.find(tokens, run.start).is_none()
}

/// The name that the sentence opens with, unless a part of it is known.
fn opening(
    lexicon: Lexicon<'_>,
    text: &str,
    tokens: &[Token],
    at: usize,
    title: Option<&Range<usize>>,
) -> Option<Mention> {
    let title = title.filter(|title| title.start == at)?;
    let name = text_of(text, tokens, title);
    let found = lexicon.gazetteer.lookup(name);
    let part = lexicon.gazetteer.find(tokens, at).is_some_and(|(length, hits)| {
        let certain =
            |hit: &Hit| hit.strength == Strength::Full && !lexicon.gazetteer.entries[hit.entry].inferred;
        length < title.len() && hits.iter().any(certain)
    });
    let run = proper::run(lexicon, text, tokens, at);
    if found.is_empty() && (part || run.is_some_and(|run| run.end >= title.end && run.len() > 1)) {
        return None;
    }
    let hits = found.into_iter().map(|entry| Hit { entry, strength: Strength::Full }).collect();
    Some(Mention {
        name: name.to_owned(),
        tokens: title.clone(),
        hits,
        kinds: Vec::new(),
        article: false,
        sure: true,
    })
}

/// A known name with a title before it that the name as known does not have: `Dr. Jane Roe`.
fn titled(lexicon: Lexicon<'_>, flat: &BlockText, tokens: &[Token], at: usize) -> Option<Mention> {
    if !words::is_honorific(&tokens[at].lower)
        || !tokens[at].capital
        || lexicon.gazetteer.find(tokens, at).is_some()
    {
        return None;
    }
    let start = if tokens.get(at + 1)?.lower == "." { at + 2 } else { at + 1 };
    let (length, hits) = lexicon.gazetteer.find(tokens, start)?;
    let run = proper::run(lexicon, &flat.text, tokens, start)?;
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
        article: false,
        sure: true,
    })
}

fn is_and(token: &Token) -> bool {
    matches!(token.lower.as_str(), "and" | "&")
}

fn unknown(text: &str, tokens: &[Token], tokens_range: Range<usize>, sure: bool) -> Mention {
    // A name may go on in the next line.
    let name = text_of(text, tokens, &tokens_range).split_whitespace().collect::<Vec<_>>().join(" ");
    Mention { tokens: tokens_range, name, hits: Vec::new(), kinds: Vec::new(), article: false, sure }
}

/// Whether capitalised words after a known name belong to it: not when they start another known name or are type words.
fn is_longer_name(lexicon: Lexicon<'_>, tokens: &[Token], from: usize, to: usize) -> bool {
    tokens[from].lower != "of"
        && lexicon.gazetteer.find(tokens, from).is_none()
        && lexicon.vocabulary.type_words.find(tokens, from).is_none()
        && !words::is_class_noun(&tokens[from].lower)
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
