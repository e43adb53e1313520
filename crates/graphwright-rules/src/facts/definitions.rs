//! Types that the text itself gives: `X is a service that …`, `X, a Go library, …`.

use super::{
    blocks::Block,
    mentions::Lexicon,
    names,
    prose::{self, Token},
    words,
};

/// The type that the first sentences below a heading give to what it names.
pub(super) fn defined_kind(lexicon: Lexicon<'_>, name: &str, rest: &[Block]) -> Option<usize> {
    let text = rest.iter().take(6).find_map(|block| match block {
        Block::Paragraph(text) => Some(text),
        _ => None,
    })?;
    let tokens = prose::tokenise(&text.text);
    let first = prose::sentences(&tokens, &text.breaks).into_iter().next()?;
    let tokens = &tokens[first];
    let wanted = names::parts(name);
    for at in 0..tokens.len().min(40) {
        let copula = tokens[at].lower == "is" || tokens[at].lower == "was";
        let comma = tokens[at].lower == ",";
        if !(copula || comma) {
            continue;
        }
        let before: Vec<String> = tokens[..at].iter().flat_map(|token| names::parts(&token.lower)).collect();
        let named = before.ends_with(&wanted)
            || (copula
                && before.len() <= wanted.len() + 4
                && before.windows(wanted.len().max(1)).any(|window| window == wanted))
            || (copula && at <= 2 && matches!(tokens[0].lower.as_str(), "it" | "this"));
        if named && let Some(kind) = kind_of_phrase(lexicon, tokens, at + 1) {
            return Some(kind);
        }
    }
    None
}

/// The head of a noun phrase in small letters: its last word before anything that ends it.
pub(super) fn head_of_phrase(tokens: &[Token], start: usize) -> Option<&Token> {
    tokens
        .get(start..)?
        .iter()
        .take(7)
        .take_while(|token| token.is_word() && !words::is_closed(&token.lower))
        .filter(|token| !token.capital)
        .last()
}

/// The type of a noun phrase with an article: the type word at its head.
pub(super) fn kind_of_phrase(lexicon: Lexicon<'_>, tokens: &[Token], start: usize) -> Option<usize> {
    let article = tokens.get(start)?;
    if !matches!(article.lower.as_str(), "a" | "an" | "the" | "one" | "our") {
        return None;
    }
    let mut at = start + 1;
    let mut found = None;
    let mut found_end = 0;
    let possessive = |token: &Token| token.is_possessive_mark();
    while let Some(token) = tokens.get(at) {
        if token.punctuation && token.lower != "-" && token.lower != "\"" {
            // `a small, fast library`: a comma between adjectives goes on only before a type word is found.
            if token.lower == "," && found.is_none() && at - start < 4 {
                at += 1;
                continue;
            }
            break;
        }
        if at > found_end && found.is_some() && !possessive(token) {
            let stops = words::is_closed(&token.lower)
                || words::is_likely_verb(&token.lower)
                || words::is_auxiliary(&token.lower)
                || lexicon.vocabulary.heads.contains_key(&token.lower)
                || token.lower.ends_with("ed")
                || token.lower.ends_with("ing")
                || token.is_number();
            if stops {
                break;
            }
        }
        if at >= found_end
            && found.is_some()
            && at == found_end
            && !words::is_closed(&token.lower)
            && !possessive(token)
            && !words::is_likely_verb(&token.lower)
            && !lexicon.vocabulary.heads.contains_key(&token.lower)
            && !token.lower.ends_with("ed")
            && !token.lower.ends_with("ing")
            && !token.is_number()
            && lexicon.vocabulary.type_words.find(tokens, at).is_none()
        {
            // The type word was only a modifier: `a service level`.
            found = None;
        }
        if (words::is_preposition(&token.lower)
            || words::is_relative(&token.lower)
            || words::is_auxiliary(&token.lower))
            && !possessive(token)
        {
            if token.lower == "of"
                && found.is_none()
                && matches!(tokens[at - 1].lower.as_str(), "kind" | "type" | "one")
            {
                at += 1;
                continue;
            }
            break;
        }
        if let Some((length, kinds)) = lexicon.vocabulary.type_words.find(tokens, at) {
            found = if kinds.len() == 1 { Some(*kinds[0]) } else { found };
            found_end = at + length;
            at += length;
            continue;
        }
        if at - start > 9 {
            break;
        }
        at += 1;
    }
    found
}
