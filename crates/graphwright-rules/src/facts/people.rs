//! What says that a name is one of a person.

use super::{
    definitions,
    mentions::{Lexicon, Mention},
    names::{self, Hit, Strength},
    proper,
    prose::Token,
    values,
    vocabulary::{self, Vocabulary},
    words,
};

/// Whether a description begins with somebody: `A private person who …`. A member may be a firm.
fn describes_person(description: &str) -> bool {
    let words = vocabulary::words(description);
    let head = words.iter().take(5).take_while(|word| !words::is_preposition(word) && *word != "that");
    // `A person, firm or public body`.
    if head.clone().any(|word| word == "or") {
        return false;
    }
    head.filter(|word| *word != "member").any(|word| words::is_human(word.trim_end_matches([',', '.'])))
}

/// Whether things of a type are people: by the heads of its names, or of its description (`A person who …`).
pub(super) fn is_human(names: &[Vec<String>], description: &str) -> bool {
    let is_person = |word: &String| words::is_human(word);
    let heads: Vec<&String> = names.iter().filter_map(|name| name.last()).collect();
    if let [own, others @ ..] = heads.as_slice() {
        let of_other_things = words::is_class_noun(own);
        let by_calling = words::is_person_noun(own) && !is_trade(own);
        if is_person(own) || by_calling || !of_other_things && others.iter().any(|head| is_person(head)) {
            return true;
        }
    }
    describes_person(description)
}

/// Whether a noun for people is often used of firms.
fn is_trade(word: &str) -> bool {
    matches!(
        word,
        "dealer"
            | "builder"
            | "trader"
            | "producer"
            | "brewer"
            | "baker"
            | "merchant"
            | "butcher"
            | "parent"
            | "programmer"
    )
}

/// The only type of people that an ontology has.
pub(super) fn only_type(vocabulary: &Vocabulary) -> Option<usize> {
    let mut people = vocabulary.types.iter().enumerate().filter(|(_, kind)| kind.human).map(|(kind, _)| kind);
    people.next().filter(|_| people.next().is_none())
}

/// The type of a name that is one of a person: by a title, what follows it (`, a banker`, `was a sculptor`), or the
/// years of a life.
pub(super) fn kind_of(
    lexicon: Lexicon<'_>,
    text: &str,
    tokens: &[Token],
    mention: &Mention,
) -> Option<usize> {
    let kind = only_type(lexicon.vocabulary)?;
    let form = is_person_name(lexicon, &mention.name);
    if form == Some(false) {
        return None;
    }
    let first = &tokens[mention.tokens.start];
    let titled = mention.tokens.len() > 1 && is_personal_title(&first.lower);
    (titled || form == Some(true) && is_described(text, tokens, mention.tokens.end)).then_some(kind)
}

/// Titles that only people have; `Captain` may begin the name of a place.
fn is_personal_title(word: &str) -> bool {
    matches!(
        word,
        "dr" | "mr"
            | "mrs"
            | "ms"
            | "miss"
            | "mx"
            | "prof"
            | "professor"
            | "sir"
            | "dame"
            | "cllr"
            | "councillor"
    )
}

/// Whether what follows a name speaks of a person.
fn is_described(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(mark) = tokens.get(at) else { return false };
    let after = if mark.lower == "(" {
        let Some(length) = tokens[at..].iter().position(|token| token.lower == ")") else { return false };
        let note = &text[tokens[at].start..tokens[at + length].end];
        let life = values::year_range(note.trim_matches(['(', ')'])).is_some_and(|(from, to)| to - from > 20);
        if life || tokens.get(at + 1).is_some_and(|token| matches!(token.lower.as_str(), "born" | "b")) {
            return true;
        }
        at + length + 1
    } else {
        at
    };
    let Some(mark) = tokens.get(after) else { return false };
    let article = tokens.get(after + 1).is_some_and(|token| words::is_determiner(&token.lower));
    let opens = match mark.lower.as_str() {
        "is" | "was" => article,
        "," | "(" | "—" | "–" => true,
        _ => false,
    };
    if !opens {
        return false;
    }
    if tokens.get(after + 1).is_some_and(|token| token.lower == "who") {
        return true;
    }
    let start = after + 1 + usize::from(article);
    definitions::head_of_phrase(tokens, start).is_some_and(|head| words::is_person_noun(&head.lower))
}

/// `Ann and Bo Ek`: who is named before `and` by a first name alone has the surname of who is named after it.
pub(super) fn share_surnames(lexicon: Lexicon<'_>, tokens: &[Token], mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let (before, after) = mentions.split_at_mut(at);
        let (Some(one), Some(other)) = (before.last_mut(), after.first()) else { continue };
        let joined = other.tokens.start == one.tokens.end + 1
            && matches!(tokens[one.tokens.end].lower.as_str(), "and" | "&");
        let alone = one.tokens.len() == 1 && one.kinds.is_empty();
        if !joined || !alone || !tokens[one.tokens.start].capital {
            continue;
        }
        let of_human = |kind: usize| lexicon.vocabulary.types[kind].human;
        let known = other.hits.iter().any(|hit| of_human(lexicon.gazetteer.entries[hit.entry].kind))
            || other.kinds.iter().any(|kind| of_human(*kind));
        let words: Vec<&str> = other.name.split_whitespace().collect();
        let [_, .., last] = words.as_slice() else { continue };
        let name = format!("{} {last}", one.name);
        let found = lexicon.gazetteer.lookup(&name);
        let found: Vec<usize> =
            found.into_iter().filter(|entry| of_human(lexicon.gazetteer.entries[*entry].kind)).collect();
        let of_first_name = |hit: &Hit| {
            let entry = &lexicon.gazetteer.entries[hit.entry];
            entry.inferred && of_human(entry.kind)
        };
        if found.is_empty()
            && !(known
                && one.hits.iter().all(of_first_name)
                && is_person_name(lexicon, &other.name) == Some(true))
        {
            continue;
        }
        one.hits = found.into_iter().map(|entry| Hit { entry, strength: Strength::Full }).collect();
        one.name = name;
    }
}

/// A person's name without where he or she belongs: `Mei Lanfen of the Institute`.
pub(super) fn without_home(name: &str) -> &str {
    let cut =
        [" of ", " in ", " at ", " from ", " for ", " and "].iter().filter_map(|word| name.find(word)).min();
    match cut.map(|at| &name[..at]) {
        Some(bare) if bare.contains(' ') => bare,
        _ => name,
    }
}

/// Whether a name is by its form one of a person; `None` when the form does not say.
pub(super) fn is_person_name(lexicon: Lexicon<'_>, name: &str) -> Option<bool> {
    let bare = without_home(name);
    if bare != name && is_person_name(lexicon, bare) == Some(true) {
        return Some(true);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let (first, last) = (words.first()?, words.last()?);
    let plain = |word: &str| word.trim_end_matches('.').to_lowercase();
    if words.len() > 1 && words::is_honorific(&plain(first)) {
        return Some(true);
    }
    let last = plain(last);
    let joins = words.iter().any(|word| matches!(*word, "&" | "of" | "for" | "and" | "the"));
    if joins
        || name.chars().any(|letter| letter.is_ascii_digit())
        || words.len() > 1 && (words::is_class_noun(&last) || proper::is_institution(&last))
        || names::legal_form(&last).is_some()
    {
        return Some(false);
    }
    let capitals = words.iter().all(|word| is_capitalised(word));
    let shouted = words.iter().any(|word| word.len() > 2 && !word.chars().any(char::is_lowercase));
    let common = last.ends_with(['s']) || last.ends_with("ing") || lexicon.small_words.contains(&last);
    ((2..=3).contains(&words.len()) && capitals && !shouted && !common).then_some(true)
}

fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '.' | '-' | '\'' | '’'))
}

/// Whether a name is two or three capitalised words of letters.
pub(super) fn is_spelled_as_person(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    (2..=3).contains(&words.len()) && words.iter().all(|word| is_capitalised(word))
}

/// Whether a text may be what a person is called on some site: `@ada-roe`, `k82cn`.
pub(super) fn is_handle(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let bare = text.strip_prefix('@').unwrap_or(text);
    bare.chars().all(plain) && bare.starts_with(char::is_alphanumeric) && bare.contains(char::is_alphabetic)
}

/// Which of some types a new name may be of: its form decides between people and other things.
pub(super) fn types_for(lexicon: Lexicon<'_>, name: &str, allowed: &[usize]) -> Vec<usize> {
    let is_human = |kind: usize| lexicon.vocabulary.types[kind].human;
    let titled = name
        .split_whitespace()
        .next()
        .is_some_and(|first| words::is_honorific(&first.trim_end_matches('.').to_lowercase()));
    match is_person_name(lexicon, name) {
        // What looks like a person's name may well be another's, where nothing else is possible.
        Some(true) if !titled && allowed.iter().all(|kind| !is_human(*kind)) => allowed.to_vec(),
        Some(person) => allowed.iter().copied().filter(|kind| is_human(*kind) == person).collect(),
        None => allowed.to_vec(),
    }
}
