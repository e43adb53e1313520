//! The types that the words beside names say.

use super::{
    inflection,
    mentions::{Lexicon, Mention, text_of},
    names,
    prose::Token,
    words,
};

/// Takes up words for types that stand directly beside the name: `the payment service Falcon`, `Falcon library`.
pub(super) fn add_beside(lexicon: Lexicon<'_>, tokens: &[Token], mention: &mut Mention, text: &str) {
    let vocabulary = lexicon.vocabulary;
    let fits = |kind: usize, mention: &Mention| {
        mention.hits.is_empty()
            || mention.hits.iter().any(|hit| lexicon.gazetteer.entries[hit.entry].kind == kind)
    };
    let parts = names::parts(&mention.name);
    if mention.hits.is_empty() {
        for kind in 0..vocabulary.types.len() {
            let bare = vocabulary.strip_type_words(kind, &parts);
            // `Drug Safety` is no drug.
            let compound = parts.ends_with(bare)
                && bare
                    .iter()
                    .all(|part| part.chars().all(char::is_alphabetic) && lexicon.small_words.contains(part));
            let own = bare.len() < parts.len() && !bare.is_empty() && !compound && !names_maker(&parts, bare);
            if own && !mention.kinds.contains(&kind) {
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
        // `a Kotlin service` has another name.
        if mention.hits.is_empty() && is_indefinite(tokens, mention.tokens.start) {
            return;
        }
        if singular && fitting.is_empty() {
            mention.tokens.end = end + length;
            mention.name =
                text_of(text, tokens, &mention.tokens).split_whitespace().collect::<Vec<_>>().join(" ");
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
    if mention.is_unknown() && mention.sure {
        mention.kinds.extend(explained_kind(lexicon, tokens, &mention.tokens));
    }
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

/// Whether a name stands in a phrase that begins with `a` or `an`.
fn is_indefinite(tokens: &[Token], name: usize) -> bool {
    let adjective = |token: &Token| token.is_word() && !token.capital && !words::is_closed(&token.lower);
    let article = tokens[..name].iter().rev().find(|token| !adjective(token));
    article.is_some_and(|article| matches!(article.lower.as_str(), "a" | "an"))
}

/// `its quiet lake, X, …`: the type of the noun that a name between commas explains.
fn explained_kind(lexicon: Lexicon<'_>, tokens: &[Token], name: &std::ops::Range<usize>) -> Option<usize> {
    let comma = name.start.checked_sub(1).filter(|comma| tokens[*comma].lower == ",")?;
    let noun = comma.checked_sub(1)?;
    let closes = tokens.get(name.end).is_none_or(|token| matches!(token.lower.as_str(), "," | "."));
    let (_, kinds) = lexicon.vocabulary.type_words.find(tokens, noun)?;
    let [kind] = kinds.as_slice() else { return None };
    let owned = (noun.saturating_sub(3)..noun).any(|at| words::is_possessive(&tokens[at].lower));
    (closes && owned && tokens[noun].singular.is_none()).then_some(**kind)
}

/// Whether the word for a type at the end of a name is of what its bearer makes or has: `Kestrel Films`, `Alder Books`.
fn names_maker(parts: &[String], bare: &[String]) -> bool {
    let last = parts.last().map_or("", String::as_str);
    parts.starts_with(bare)
        && (matches!(
            last,
            "film" | "book" | "movie" | "picture" | "music" | "game" | "wine" | "stock" | "software" | "art"
        ) || inflection::is_plural(last) && last != "series")
}

/// `the services A, B and C`, `grapes such as A and B`, `A and B services`, `A and B are services`: one word for many.
pub(super) fn add_of_lists(lexicon: Lexicon<'_>, tokens: &[Token], mentions: &mut [Mention]) {
    let mut first = 0;
    while first < mentions.len() {
        let mut last = first;
        while mentions
            .get(last + 1)
            .is_some_and(|next| joined(tokens, mentions[last].tokens.end, next.tokens.start))
        {
            last += 1;
        }
        let start = mentions[first].tokens.start;
        let end = mentions[last].tokens.end;
        let kinds = place_before(lexicon, tokens, start)
            .or_else(|| plural_before(lexicon, tokens, start))
            .or_else(|| (last > first).then(|| plural_after(lexicon, tokens, end)).flatten());
        if let Some(kinds) = kinds {
            for mention in
                mentions[first..=last].iter_mut().filter(|mention| mention.is_unknown() && mention.sure)
            {
                mention.kinds.clone_from(&kinds);
            }
        }
        first = last + 1;
    }
}

/// Whether only commas and coordinators stand between two names.
fn joined(tokens: &[Token], from: usize, to: usize) -> bool {
    from < to
        && to - from <= 2
        && tokens[from..to].iter().all(|token| matches!(token.lower.as_str(), "," | "and" | "&" | "or"))
}

/// The types of a plural that ends at a position.
fn plural_ending(lexicon: Lexicon<'_>, tokens: &[Token], end: usize) -> Option<Vec<usize>> {
    tokens.get(end.checked_sub(1)?)?.singular.as_ref()?;
    (1..=3.min(end)).find_map(|length| {
        let (found, kinds) = lexicon.vocabulary.type_words.find(tokens, end - length)?;
        (found == length).then(|| kinds.into_iter().copied().collect())
    })
}

fn plural_before(lexicon: Lexicon<'_>, tokens: &[Token], start: usize) -> Option<Vec<usize>> {
    let word = |back: usize| start.checked_sub(back).map_or("", |at| tokens[at].lower.as_str());
    let end = match (word(2), word(1)) {
        ("such", "as") => start - 2,
        (_, "including" | "namely") => start - 1,
        _ => start,
    };
    let end = if end < start && end > 0 && tokens[end - 1].lower == "," { end - 1 } else { end };
    plural_ending(lexicon, tokens, end)
}

fn plural_after(lexicon: Lexicon<'_>, tokens: &[Token], end: usize) -> Option<Vec<usize>> {
    if tokens.get(end).is_some_and(|token| token.is_word() && !words::is_closed(&token.lower)) {
        let (length, _) = lexicon.vocabulary.type_words.find(tokens, end)?;
        return plural_ending(lexicon, tokens, end + length);
    }
    if !tokens.get(end).is_some_and(|token| matches!(token.lower.as_str(), "are" | "were")) {
        return None;
    }
    // `are both small Go services`: up to the plural, past adjectives.
    let start = end + 1;
    (start..tokens.len().min(start + 5))
        .take_while(|at| {
            let word = tokens[*at].lower.as_str();
            tokens[*at].is_word()
                && !word.ends_with("ed")
                && (!words::is_closed(word) || matches!(word, "both" | "all" | "the" | "our"))
        })
        .find_map(|at| {
            let (length, _) = lexicon.vocabulary.type_words.find(tokens, at)?;
            let next = tokens.get(at + length);
            let head = next.is_none_or(|next| next.punctuation || words::is_closed(&next.lower));
            plural_ending(lexicon, tokens, at + length).filter(|_| head)
        })
}

/// `the city of X`, `the villages of X and Y`: the types of a word for a place before `of`.
fn place_before(lexicon: Lexicon<'_>, tokens: &[Token], start: usize) -> Option<Vec<usize>> {
    let of = start.checked_sub(1).filter(|at| tokens[*at].lower == "of")?;
    let noun = of.checked_sub(1)?;
    if !is_place_noun(tokens[noun].singular.as_ref().unwrap_or(&tokens[noun].lower)) {
        return None;
    }
    let (length, kinds) = lexicon.vocabulary.type_words.find(tokens, noun)?;
    (length == 1).then(|| kinds.into_iter().copied().collect())
}

/// Nouns before `of` and the name of what they are: `the village of Harth`.
pub(super) fn is_place_noun(word: &str) -> bool {
    matches!(
        word,
        "city"
            | "town"
            | "village"
            | "hamlet"
            | "port"
            | "county"
            | "district"
            | "borough"
            | "parish"
            | "municipality"
            | "commune"
            | "province"
            | "region"
            | "state"
            | "country"
            | "kingdom"
            | "republic"
            | "island"
            | "isle"
            | "bay"
            | "gulf"
            | "lake"
            | "ward"
            | "suburb"
    )
}
