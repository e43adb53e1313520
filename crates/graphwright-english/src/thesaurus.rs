//! Words that people use for one another in any field.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{data, derivation::words_of_root, inflection::base_stem as stem, words};

/// The endings of adjectives of origin, each with what may stand in its place.
const ORIGIN_ENDINGS: [(&str, &[&str]); 4] =
    [("n", &["", "s"]), ("an", &["", "o"]), ("ian", &["", "y", "a", "e"]), ("ese", &["", "a", "e"])];

/// A phrase that may stand for another.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Stems of its words, such as `["depend", "on"]`.
    pub words: Vec<String>,
    /// Whether its subject is the object of the other phrase: `belong to` for `own`.
    pub converse: bool,
}

/// Lists the phrases that may stand for a verb, or for one with its noun (`take part`), as stems with a space between.
pub fn verb_neighbours(stem: &str) -> &'static [Neighbour] {
    THESAURUS.verbs.get(stem).map_or(&[], Vec::as_slice)
}

/// Lists the stems of words that may stand for a noun.
pub fn noun_neighbours(stem: &str) -> &'static [Neighbour] {
    THESAURUS.nouns.get(stem).map_or(&[], Vec::as_slice)
}

/// Lists the stems of nouns that an adjective measures: `old` → `age`.
pub fn measures(stem: &str) -> &'static [Neighbour] {
    THESAURUS.adjectives.get(stem).map_or(&[], Vec::as_slice)
}

/// Lists the adjectives that measure a noun: `age` → `old`.
pub fn adjectives_of(noun: &str) -> impl Iterator<Item = &'static str> {
    let noun = stem(noun);
    let measured = move |adjective: &&&str| {
        measures(&stem(adjective)).iter().any(|measured| measured.words == [noun.as_str()])
    };
    THESAURUS.written.iter().filter(measured).copied()
}

/// Lists words that may be the place of an adjective of origin: `european` → `europe`, `italian` → `italy`. Most of them are none.
///
/// ```
/// use graphwright_english::thesaurus::places_of_origin;
///
/// let is_place = |adjective, place: &str| places_of_origin(adjective).iter().any(|found| found == place);
/// assert!(is_place("african", "africa") && is_place("italian", "italy") && is_place("german", "germany"));
/// assert!(places_of_origin("station").iter().all(|place| place != "station"));
/// ```
pub fn places_of_origin(adjective: &str) -> Vec<String> {
    let irregular = THESAURUS.origins.get(adjective).into_iter().flatten();
    let mut found: Vec<String> = irregular.map(|place| place.replace('_', " ")).collect();
    for (ending, others) in ORIGIN_ENDINGS {
        if let Some(root) = adjective.strip_suffix(ending).filter(|root| root.len() > 2) {
            found.extend(others.iter().map(|other| format!("{root}{other}")));
        }
    }
    found
}

/// Lists words that may be the adjective of origin of a place: `finland` → `finnish`, `new zealand` → `new zealander`. Most of them
/// are none.
///
/// ```
/// use graphwright_english::thesaurus::adjectives_of_origin;
///
/// let is_of = |place, adjective: &str| adjectives_of_origin(place).iter().any(|found| found == adjective);
/// assert!(is_of("finland", "finnish") && is_of("brazil", "brazilian") && is_of("south africa", "south african"));
/// assert!(!is_of("finland", "finland"));
/// ```
pub fn adjectives_of_origin(place: &str) -> Vec<String> {
    let is_of = |places: &Vec<&str>| places.iter().any(|other| other.replace('_', " ") == place);
    let irregular = THESAURUS.origins.iter().filter(|(_, places)| is_of(places));
    let mut found: Vec<String> = irregular.map(|(adjective, _)| adjective.replace('_', " ")).collect();
    found.sort_unstable();
    for (ending, others) in ORIGIN_ENDINGS {
        let roots = others.iter().filter_map(|other| place.strip_suffix(other));
        found.extend(roots.filter(|root| root.len() > 2).map(|root| format!("{root}{ending}")));
    }
    found
}

/// Reads a comparative (`er`) or superlative (`est`): the adjective for much of what it measures, and whether it says that there is
/// more of that.
///
/// ```
/// use graphwright_english::thesaurus::graded;
///
/// assert_eq!(graded("heavier", "er"), Some(("heavy".to_owned(), true)));
/// assert_eq!(graded("shortest", "est"), Some(("long".to_owned(), false)));
/// ```
pub fn graded(word: &str, ending: &str) -> Option<(String, bool)> {
    let root = word.strip_suffix(ending).filter(|root| root.len() > 2)?;
    let adjectives = words_of_root(root);
    let opposite = adjectives.iter().find_map(|adjective| THESAURUS.opposites.get(adjective.as_str()));
    if let Some(opposite) = opposite {
        return Some(((*opposite).to_owned(), false));
    }
    let known = adjectives.into_iter().find(|adjective| THESAURUS.written.contains(adjective.as_str()));
    Some((known.unwrap_or_else(|| root.to_owned()), true))
}

type Groups = HashMap<String, Vec<Neighbour>>;

#[derive(Default)]
struct Thesaurus {
    verbs: Groups,
    nouns: Groups,
    adjectives: Groups,
    /// The adjectives as they are written.
    written: HashSet<&'static str>,
    /// Adjectives for much by those for little.
    opposites: HashMap<&'static str, &'static str>,
    /// Places by what is of them.
    origins: HashMap<&'static str, Vec<&'static str>>,
}

static THESAURUS: LazyLock<Thesaurus> = LazyLock::new(|| {
    let mut thesaurus = Thesaurus::default();
    for (section, line) in data::lines(include_str!("../data/thesaurus.txt")) {
        if section == "opposites" {
            thesaurus.opposites.extend(line.split_once(' ').map(|(much, little)| (little, much)));
            continue;
        }
        if section == "origins" {
            let (adjective, places) = line.split_once(' ').unwrap_or((line, ""));
            thesaurus.origins.insert(adjective, places.split(' ').collect());
            continue;
        }
        let group: Vec<Neighbour> = line.split_whitespace().map(read).collect();
        match section {
            "adjectives" => {
                thesaurus.written.extend(line.split(' ').next());
                let key = group[0].words.join(" ");
                thesaurus.adjectives.entry(key).or_default().extend_from_slice(&group[1..]);
            }
            "nouns" => add(&mut thesaurus.nouns, &group, &group),
            _ => add(&mut thesaurus.verbs, &group, &group),
        }
    }
    thesaurus
});

/// Reads a phrase. `<` marks the converse of the words behind it.
fn read(phrase: &str) -> Neighbour {
    let plain = phrase.trim_start_matches('<');
    Neighbour { words: plain.split('_').map(stem).collect(), converse: plain.len() < phrase.len() }
}

fn add(groups: &mut Groups, words: &[Neighbour], neighbours: &[Neighbour]) {
    for word in words {
        let entry = groups.entry(key(&word.words)).or_default();
        for neighbour in neighbours.iter().filter(|neighbour| *neighbour != word) {
            let converse = neighbour.converse != word.converse;
            let relative = Neighbour { words: neighbour.words.clone(), converse };
            if !entry.contains(&relative) {
                entry.push(relative);
            }
        }
    }
}

/// The word by which a phrase is found: `charge` for `in charge of`. A verb with its noun is found by both words: taking is not
/// taking part.
fn key(phrase: &[String]) -> String {
    let mut content = phrase.iter().filter(|part| !words::is_preposition(part)).map(String::as_str);
    let first = content.next().unwrap_or(&phrase[0]);
    match content.next().filter(|_| words::list("light_verb").iter().any(|verb| stem(verb) == first)) {
        Some(noun) => format!("{first} {noun}"),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(neighbours: &[Neighbour], word: &str, converse: bool) -> bool {
        neighbours.iter().any(|neighbour| neighbour.words[0] == stem(word) && neighbour.converse == converse)
    }

    #[test]
    fn groups_work_both_ways() {
        assert!(has(verb_neighbours(&stem("maintains")), "own", false));
        assert!(has(verb_neighbours(&stem("owns")), "belong", true));
        assert!(has(noun_neighbours(&stem("films")), "movie", false));
        assert!(has(verb_neighbours("take part"), "participate", false));
        assert!(!has(verb_neighbours("take"), "participate", false));
        assert!(has(measures("old"), "age", false));
        assert!(measures("age").is_empty());
        assert!(adjectives_of("height").any(|adjective| adjective == "tall"));
    }
}
