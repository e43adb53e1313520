//! Nouns made from verbs, and the verbs that they are made from. `data/derivation.txt` has the endings.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    data,
    inflection::{base_stem, doubled, singular},
    words,
};

/// What a noun made from a verb stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// The one that does it: `owner`.
    Agent,
    /// The one to which it is done: `employee`.
    Patient,
    /// The act, or its result: `dependency`, `approval`.
    Act,
}

#[derive(Default)]
struct Table {
    /// Endings, each with what may stand in their place, where that is special.
    endings: Vec<(&'static str, Option<&'static str>, Derivation)>,
    common: Vec<&'static str>,
    /// Nouns of an act by their verb.
    irregular: HashMap<&'static str, &'static str>,
    same: Vec<&'static str>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (section, line) in data::lines(include_str!("../data/derivation.txt")) {
        let mut add = |derivation| {
            for ending in line.split(' ') {
                let (ending, replaced) = ending.split_once('=').map_or((ending, None), |(a, b)| (a, Some(b)));
                table.endings.push((ending, replaced, derivation));
            }
        };
        match section {
            "act" => add(Derivation::Act),
            "agent" => add(Derivation::Agent),
            "patient" => add(Derivation::Patient),
            "common" => table.common.extend(line.split(' ')),
            "same" => table.same.extend(line.split(' ')),
            _ => table.irregular.extend(line.split_once(' ')),
        }
    }
    table
});

/// Lists the stems of words that a noun may be derived from, with what the noun then stands for: `owner` → (`own`, agent).
pub fn derivations(noun: &str) -> Vec<(String, Derivation)> {
    let noun = singular(noun);
    let mut found = Vec::new();
    for &(ending, replaced, derivation) in &TABLE.endings {
        let Some(root) = root(&noun, ending) else { continue };
        let mut words = match replaced {
            Some(replaced) => vec![format!("{root}{replaced}")],
            None => words_of_root(root),
        };
        words.extend(["y", "ate"].map(|ending| format!("{root}{ending}")));
        found.extend(words.iter().map(|word| (base_stem(word), derivation)));
    }
    found
}

/// Lists words that may name who does what a verb says: `own` → `owner`.
pub fn agents(verb: &str) -> Vec<String> {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let mut found = vec![format!("{stem}er"), format!("{stem}or")];
    found.extend(doubled(verb).map(|stem| format!("{stem}er")));
    found.extend(verb.strip_suffix('y').map(|stem| format!("{stem}ier")));
    found.extend(TABLE.same.contains(&verb).then(|| verb.to_owned()));
    found
}

/// Lists the verbs that an agent noun may come from: `director` → `direct`, `composer` → `compose`.
pub fn verbs_of_agent(noun: &str) -> Vec<String> {
    let root = root(noun, "er").or_else(|| root(noun, "or"));
    root.map_or_else(Vec::new, words_of_root)
}

/// Lists the verbs whose act a noun may name: `completion` → `complete`, `birth` → `bear`.
pub fn verbs_of_act(noun: &str) -> Vec<String> {
    let irregular = TABLE.irregular.iter().filter(|(_, act)| **act == noun);
    let mut found: Vec<String> = irregular.map(|(verb, _)| (*verb).to_owned()).collect();
    for &(ending, replaced, _) in TABLE.endings.iter().filter(|(_, _, what)| *what == Derivation::Act) {
        let Some(root) = root(noun, ending) else { continue };
        found.extend(
            replaced.map_or_else(|| words_of_root(root), |replaced| vec![format!("{root}{replaced}")]),
        );
        found.push(format!("{root}ate"));
    }
    found.retain(|verb| words::is_likely_verb(verb));
    found
}

/// Lists the nouns that may name the act itself: `depend` → `dependency`, `acquire` → `acquisition`.
pub fn nominalisations(verb: &str) -> Vec<String> {
    let stem = verb.strip_suffix('e');
    let mut found = vec![verb.to_owned()];
    for root in [Some(verb), stem].into_iter().flatten() {
        found.extend(TABLE.common.iter().map(|ending| format!("{root}{ending}")));
    }
    found.extend(verb.strip_suffix('y').map(|stem| format!("{stem}iance")));
    found.extend(TABLE.irregular.get(verb).map(|noun| (*noun).to_owned()));
    found
}

/// What stands before an ending, if it may be a word.
fn root<'w>(word: &'w str, ending: &str) -> Option<&'w str> {
    word.strip_suffix(ending).filter(|root| root.len() > 2)
}

/// A root as it stands, and as its word is written alone: `direct`, `compos` → `compose`, `plann` → `plan`, `suppli` →
/// `supply`.
pub(crate) fn words_of_root(root: &str) -> Vec<String> {
    let mut letters = root.chars().rev();
    let last = letters.next();
    let twice = last.filter(|_| last == letters.next());
    let mut found = vec![root.to_owned(), format!("{root}e")];
    found.extend(twice.map(|last| root[..root.len() - last.len_utf8()].to_owned()));
    found.extend(root.strip_suffix('i').map(|root| format!("{root}y")));
    found
}

/// Tells whether a phrase names people, or what does something: `assistant manager`, `player`.
pub fn names_people(phrase: &str) -> bool {
    let head = phrase.rsplit(' ').next().unwrap_or_default();
    words::is_person_noun(head) || verbs_of_agent(head).iter().any(|verb| words::is_likely_verb(verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_lead_back_to_their_verbs() {
        for (noun, verb, derivation) in [
            ("owners", "own", Derivation::Agent),
            ("dependencies", "depend", Derivation::Act),
            ("deprecation", "deprecate", Derivation::Act),
            ("employee", "employ", Derivation::Patient),
            ("supplier", "supply", Derivation::Agent),
            ("director", "direct", Derivation::Agent),
            ("writer", "write", Derivation::Agent),
            ("planner", "plan", Derivation::Agent),
            ("prescription", "prescribe", Derivation::Act),
            ("approval", "approve", Derivation::Act),
        ] {
            assert!(derivations(noun).contains(&(base_stem(verb), derivation)), "{noun}");
        }
        assert!(verbs_of_agent("director").contains(&"direct".to_owned()));
        assert!(verbs_of_agent("composer").contains(&"compose".to_owned()));
        assert!(verbs_of_agent("captain").is_empty() && derivations("cat").is_empty());
    }

    #[test]
    fn verbs_lead_to_their_nouns() {
        for (verb, noun) in [("depend", "dependency"), ("manage", "management"), ("acquire", "acquisition")] {
            assert!(nominalisations(verb).contains(&noun.to_owned()), "{verb}");
            assert!(verbs_of_act(noun).contains(&verb.to_owned()), "{noun}");
        }
        for (verb, noun) in [("supply", "supplier"), ("run", "runner"), ("coach", "coach")] {
            assert!(agents(verb).contains(&noun.to_owned()), "{verb}");
        }
    }
}
