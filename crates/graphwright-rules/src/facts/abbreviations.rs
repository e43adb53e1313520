//! Abbreviations of the ontology's words: `introd. 1874` for `introduced 1874`, `Res. rust` for `resists rust`.

use super::{
    inflection,
    prose::{self, Token},
    vocabulary::Vocabulary,
    words,
};

/// Splits text into tokens, with the ontology's words in the place of their abbreviations.
pub(super) fn tokenise(vocabulary: &Vocabulary, text: &str) -> Vec<Token> {
    let tokens = prose::tokenise(text);
    if !(0..tokens.len()).any(|at| is_abbreviated(&tokens, at)) {
        return tokens;
    }
    let mut full = Vec::with_capacity(tokens.len() + 4);
    let mut at = 0;
    while at < tokens.len() {
        let words =
            if is_abbreviated(&tokens, at) { spelled_out(vocabulary, &tokens, at) } else { Vec::new() };
        if words.is_empty() {
            full.push(tokens[at].clone());
            at += 1;
            continue;
        }
        for word in words {
            let singular = inflection::is_plural(&word).then(|| inflection::singular(&word).into_owned());
            full.push(Token { lower: word, singular, end: tokens[at + 1].end, ..tokens[at].clone() });
        }
        at += 2;
    }
    full
}

/// Whether a word with a full stop opens a part of a sentence, so that it may be an abbreviation.
fn is_abbreviated(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let opens = at == 0 || tokens[at - 1].punctuation;
    let dotted = tokens.get(at + 1).is_some_and(|next| next.lower == "." && !next.spaced);
    let goes_on = tokens.get(at + 2).is_some_and(|next| next.spaced && next.is_word());
    let plain = token.lower.bytes().all(|byte| byte.is_ascii_lowercase());
    opens
        && dotted
        && goes_on
        && plain
        && (3..=8).contains(&token.lower.len())
        && !words::is_closed(&token.lower)
        && !words::is_abbreviation(&token.lower)
        && !words::is_likely_verb(&token.lower)
}

/// The words of the ontology that an abbreviation stands for, where only one word and its kin begin so.
fn spelled_out(vocabulary: &Vocabulary, tokens: &[Token], at: usize) -> Vec<String> {
    let short = &tokens[at].lower;
    let begins = |words: &[String]| {
        words.first().is_some_and(|word| word.starts_with(short.as_str()) && word.len() > short.len() + 1)
    };
    let cues = vocabulary.cues.iter().map(|cue| {
        let start = usize::from(cue.words.len() > 1 && words::is_be(&cue.words[0]));
        &cue.words[start..]
    });
    let properties = vocabulary.properties.iter().flat_map(|property| &property.phrases).map(Vec::as_slice);
    let mut phrases: Vec<&[String]> = cues.chain(properties).filter(|words| begins(words)).collect();
    phrases.sort_by_key(|words| (words.len(), words[0].len()));
    let Some(first) = phrases.first() else { return Vec::new() };
    let stem = &first[0][..short.len() + 2];
    if !phrases.iter().all(|words| words[0].starts_with(stem)) {
        return Vec::new();
    }
    let next = &tokens[at + 2];
    let longer = phrases.iter().find(|words| words[0] == first[0] && words.len() > 1);
    // `introd. Smith 1937`: the preposition of the phrase is left out.
    let whole = longer.filter(|words| {
        (next.capital || first.len() > 1) && !next.is_number() && !words[1..].contains(&next.lower)
    });
    whole.map_or_else(|| vec![first[0].clone()], |words| words.to_vec())
}
