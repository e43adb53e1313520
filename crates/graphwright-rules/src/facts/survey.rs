//! The names that a document introduces: by headings, tables, lists, type words, definitions and abbreviations.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_documents::{ParsedDocument, extraction::KnownEntity};

use super::{
    abbreviations,
    blocks::Block,
    collect::Named,
    definitions,
    mentions::{self, Lexicon, Mention},
    names::{Gazetteer, Given},
    people, proper,
    prose::{self, Token},
    text::BlockText,
    tree::Parses,
    vocabulary::Vocabulary,
    walk, words,
};

/// Names with their types and other names.
type Found = BTreeMap<(usize, String), BTreeSet<String>>;

/// Reads the names that a document introduces.
pub(super) fn read(
    document: &ParsedDocument,
    vocabulary: &Vocabulary,
    aliases: &Gazetteer,
    parses: &mut Parses,
) -> Vec<KnownEntity> {
    let small_words = walk::small_words(&document.text);
    let lexicon = Lexicon { vocabulary, gazetteer: aliases, small_words: &small_words };
    let mut found = Found::new();
    for block in &**document.blocks() {
        match block {
            Block::Paragraph(text) | Block::Item { text } if document.may_be_english() => {
                read_prose(lexicon, text, &mut found);
            }
            Block::Table(table) => {
                for row in &table.rows {
                    for cell in row.cells.iter().filter(|cell| cell.text.len() > 60) {
                        read_prose(lexicon, cell, &mut found);
                    }
                }
            }
            _ => {}
        }
    }
    found.retain(|(_, name), _| !vocabulary.names_nothing(name));
    let mut abbreviations: Vec<(String, String)> = Vec::new();
    find_abbreviations(&document.text, &mut abbreviations);
    let (mut inferred, mut keys) = (BTreeSet::new(), BTreeMap::new());
    let mut named = first_pass(document, vocabulary, aliases, &found, parses);
    named.sort_by_key(|named| !named.certain);
    let mut written: BTreeSet<(usize, String)> =
        found.keys().map(|(kind, name)| (*kind, super::names::key(name))).collect();
    for Named { kind, name, certain, others, keys: own } in named {
        if !certain && !found.contains_key(&(kind, name.clone())) {
            if is_beginning(kind, &name, &written) {
                continue;
            }
            inferred.insert((kind, name.clone()));
        }
        written.insert((kind, super::names::key(&name)));
        keys.insert((kind, name.clone()), own);
        found.entry((kind, name)).or_default().extend(others);
    }
    for (long, short) in &abbreviations {
        for kind in 0..vocabulary.types.len() {
            let (long, short) = ((kind, long.clone()), (kind, short.clone()));
            if !found.contains_key(&long) && found.contains_key(&short) {
                // Only the short name stood in a place that says its type.
                if inferred.remove(&short) {
                    inferred.insert(long.clone());
                }
                found.insert(long.clone(), BTreeSet::new());
            }
            if found.contains_key(&long) {
                found.remove(&short);
                inferred.remove(&short);
            }
        }
    }
    for ((_, name), others) in &mut found {
        for (long, short) in &abbreviations {
            if super::names::key(long) == super::names::key(name) {
                others.insert(short.clone());
            } else if super::names::key(short) == super::names::key(name) {
                others.insert(long.clone());
            }
        }
    }
    found
        .into_iter()
        .map(|((kind, name), aliases)| KnownEntity {
            kind: vocabulary.types[kind].label.clone(),
            inferred: inferred.contains(&(kind, name.clone())),
            keys: keys.remove(&(kind, name.clone())).unwrap_or_default(),
            name,
            aliases: aliases.into_iter().collect(),
        })
        .collect()
}

/// Whether only one of the names as they are compared goes on where a name of its type ends: `Ostrel` beside `Ostrel Pharma`.
fn is_beginning(kind: usize, name: &str, written: &BTreeSet<(usize, String)>) -> bool {
    let beginning = format!("{} ", super::names::key(name));
    let longer = written.range((kind, beginning.clone())..);
    longer.take_while(|(of, name)| *of == kind && name.starts_with(&beginning)).take(2).count() == 1
}

/// The entities that headings, tables, lists and names in facts give.
fn first_pass(
    document: &ParsedDocument,
    vocabulary: &Vocabulary,
    aliases: &Gazetteer,
    found: &Found,
    parses: &mut Parses,
) -> Vec<Named> {
    let introduced: Vec<(usize, &str, Vec<String>)> = found
        .iter()
        .map(|((kind, name), others)| (*kind, name.as_str(), others.iter().cloned().collect()))
        .collect();
    let of_ontology = aliases.entries.iter().map(|entry| Given {
        kind: entry.kind,
        name: &entry.name,
        aliases: &[],
        inferred: false,
    });
    let of_text =
        introduced.iter().map(|(kind, name, aliases)| Given { kind: *kind, name, aliases, inferred: false });
    let gazetteer = Gazetteer::new(vocabulary, of_ontology.chain(of_text));
    let known = walk::Known { vocabulary, gazetteer: &gazetteer, keys: &[], pages: &walk::Pages::default() };
    walk::names(document, known, parses)
}

fn read_prose(lexicon: Lexicon<'_>, text: &BlockText, found: &mut Found) {
    let tokens = abbreviations::tokenise(lexicon.vocabulary, &text.text);
    for range in prose::sentences(&tokens, &text.breaks) {
        let tokens = &tokens[range];
        if tokens.len() > 150 {
            continue;
        }
        for mention in mentions::find(lexicon, text, tokens) {
            let kind = kind_of_mention(lexicon, tokens, &mention);
            let unknown = mention.sure && mention.is_unknown();
            let person = || unknown.then(|| people::kind_of(lexicon, &text.text, tokens, &mention)).flatten();
            if let Some(kind) = kind.or_else(person) {
                found
                    .entry((kind, mention.new_name(lexicon.vocabulary, kind)))
                    .or_default()
                    .extend(other_names(lexicon, &text.text, tokens, mention.tokens.end));
            }
        }
    }
}

/// The type that the words around an unknown name give it.
fn kind_of_mention(lexicon: Lexicon<'_>, tokens: &[Token], mention: &Mention) -> Option<usize> {
    if !mention.hits.is_empty() || !mention.sure {
        return None;
    }
    if let [only] = mention.kinds.as_slice() {
        return Some(*only);
    }
    if mention.kinds.len() > 1 && mention.kinds.iter().all(|kind| *kind == mention.kinds[0]) {
        return Some(mention.kinds[0]);
    }
    let mut at = mention.tokens.end;
    if tokens.get(at).is_some_and(|token| token.lower == "(") {
        at = tokens[at..].iter().position(|token| token.lower == ")").map_or(at, |close| at + close + 1);
    }
    let next = tokens.get(at)?;
    let negated = tokens.get(at + 1).is_some_and(|token| words::is_negation(&token.lower));
    if negated {
        return None;
    }
    // A name inside a prepositional phrase is not what a definition defines.
    let preposition =
        mention.tokens.start > 0 && words::is_preposition(&tokens[mention.tokens.start - 1].lower);
    match next.lower.as_str() {
        "is" | "was" if !preposition => definitions::kind_of_phrase(lexicon, tokens, at + 1),
        "," | "—" | "–" | ":" | "(" => {
            let start = at + 1;
            tokens
                .get(start)
                .filter(|token| matches!(token.lower.as_str(), "a" | "an" | "the" | "our" | "one"))?;
            definitions::kind_of_phrase(lexicon, tokens, start)
        }
        _ => None,
    }
}

/// Other names that the text gives right after a name: `(OMS)`, `also known as …`, `hereafter …`.
pub(super) fn other_names(lexicon: Lexicon<'_>, text: &str, tokens: &[Token], end: usize) -> Vec<String> {
    let mut others = Vec::new();
    let mut at = end;
    while tokens.get(at).is_some_and(|token| matches!(token.lower.as_str(), "," | "(" | "”" | "\""))
        || tokens.get(at).is_some_and(|token| {
            lexicon.vocabulary.type_words.find(tokens, at).is_some() && !token.punctuation
        })
    {
        at += 1;
    }
    let rest: Vec<&str> =
        tokens[at.min(tokens.len())..].iter().take(4).map(|token| token.lower.as_str()).collect();
    let skip = match rest.as_slice() {
        ["also" | "otherwise" | "better" | "commonly", "known" | "called", "as", ..] => 3,
        ["also", "called", ..] | ["known", "as", ..] | ["or", "simply", ..] => 2,
        [
            "syn" | "synonym" | "alias" | "aka" | "a.k.a" | "hereafter" | "hereinafter" | "abbreviated"
            | "nicknamed",
            ..,
        ] => 1,
        _ => return others,
    };
    let mut start = at + skip;
    while tokens.get(start).is_some_and(|token| {
        matches!(token.lower.as_str(), "the" | "\"" | "“" | "'" | "‘" | "as" | "." | "simply" | ",")
    }) {
        start += 1;
    }
    let end = tokens[start.min(tokens.len())..]
        .iter()
        .position(|token| {
            token.punctuation || !token.capital && !token.is_number() && !proper::is_identifier(&token.lower)
        })
        .map_or(tokens.len(), |length| start + length);
    if end > start && end - start <= 4 {
        others.push(text[tokens[start].start..tokens[end - 1].end].to_owned());
    }
    others
}

/// The most bytes in brackets that may be initials, or spell initials out.
const MOST_IN_BRACKETS: usize = 80;
/// How many bytes before brackets are looked at.
const MOST_BEFORE_BRACKETS: usize = 500;

/// `Order Management System (OMS)`: a name whose initials a bracket repeats, in either order.
fn find_abbreviations(text: &str, found: &mut Vec<(String, String)>) {
    for (at, _) in text.match_indices('(') {
        let reach = text.floor_char_boundary(at + MOST_IN_BRACKETS + 1);
        let Some(length) = text[at..reach].find(')') else { continue };
        let inside = text[at + 1..at + length].trim().trim_matches(['"', '“', '”', '*', '`', '\'']);
        let inside = inside.split(['"', '“']).next_back().unwrap_or(inside);
        let from = text.ceil_char_boundary(at.saturating_sub(MOST_BEFORE_BRACKETS));
        let before: Vec<&str> = text[from..at]
            .trim_end()
            .rsplit(|letter: char| letter.is_whitespace())
            .take(12)
            .take_while(|word| !word.is_empty())
            .collect();
        let before: Vec<&str> =
            before.iter().rev().map(|word| word.trim_matches(['*', '`', '"', '“', '”', '[', ']'])).collect();
        if is_acronym(inside) {
            if let Some(long) = words_for(&before, inside) {
                found.push((long, inside.to_owned()));
            }
        } else if let Some(last) = before.last().filter(|last| is_acronym(last)) {
            let words: Vec<&str> = inside.split_whitespace().collect();
            if words_for(&words, last).is_some_and(|long| long.split(' ').count() == words.len()) {
                found.push((inside.to_owned(), (*last).to_owned()));
            }
        }
    }
}

/// Whether one of two names is the initials of the other.
pub(super) fn is_short_for(one: &str, other: &str) -> bool {
    let short_for = |short: &str, long: &str| {
        is_acronym(short)
            && long.contains(' ')
            && words_for(&long.split_whitespace().collect::<Vec<_>>(), short)
                .is_some_and(|found| found == long)
    };
    short_for(one, other) || short_for(other, one)
}

fn is_acronym(text: &str) -> bool {
    let capitals = text.chars().filter(|letter| letter.is_uppercase()).count();
    (2..=8).contains(&text.chars().count())
        && capitals >= 2
        && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '&' | '-'))
}

/// The last words whose initials, small connecting words aside, are the acronym's letters; the very last may be left out of
/// it, as in `Ashford & District Tramway (A&D)`.
fn words_for(words: &[&str], acronym: &str) -> Option<String> {
    let (last, shorter) = words.split_last()?;
    let whole = || {
        let capital = last.chars().next().is_some_and(char::is_uppercase);
        initials_of(shorter, acronym).filter(|_| capital).map(|long| format!("{long} {last}"))
    };
    initials_of(words, acronym).or_else(whole)
}

/// The last words whose initials, small connecting words aside, are the acronym's letters.
fn initials_of(words: &[&str], acronym: &str) -> Option<String> {
    let letters: Vec<char> =
        acronym.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect();
    for start in (0..words.len()).rev() {
        let initials: Vec<char> = words[start..]
            .iter()
            .flat_map(|word| word.split('-'))
            .filter(|word| !matches!(*word, "of" | "and" | "the" | "for" | "in" | "&" | "on" | "to"))
            .filter_map(|word| word.chars().next())
            .flat_map(char::to_lowercase)
            .collect();
        if initials == letters && words[start].chars().next().is_some_and(char::is_uppercase) {
            return Some(words[start..].join(" "));
        }
        if initials.len() > letters.len() {
            break;
        }
    }
    None
}
