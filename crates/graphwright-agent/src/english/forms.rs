//! Inflection and derivation: which written forms belong to one word.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use rust_stemmers::{Algorithm, Stemmer};

/// Stem of the base form (Porter 2, after irregular forms are brought to their base).
pub(crate) fn stem(word: &str) -> String {
    let base = IRREGULAR.bases.get(word).map_or(word, String::as_str);
    if base.chars().any(|letter| letter.is_ascii_digit()) {
        return base.to_owned();
    }
    STEMMER.stem(base).into_owned()
}

/// Whether the form may be a past participle (`owned`, `written`).
pub(crate) fn is_participle(word: &str) -> bool {
    (word.len() > 3 && word.ends_with("ed")) || IRREGULAR.participles.contains(word)
}

/// Whether the form may be the past of a verb (`owned`, `wrote`).
pub(crate) fn is_past(word: &str) -> bool {
    (word.len() > 3 && word.ends_with("ed")) || IRREGULAR.pasts.contains(word)
}

/// What a noun made from a verb stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derivation {
    /// The one that does it: `owner`.
    Agent,
    /// The one it is done to: `employee`.
    Patient,
    /// The act, or what comes of it: `dependency`, `approval`.
    Act,
}

const SUFFIXES: [(&str, Derivation); 26] = [
    ("ership", Derivation::Act),
    ("ization", Derivation::Act),
    ("isation", Derivation::Act),
    ("ication", Derivation::Act),
    ("iption", Derivation::Act),
    ("ation", Derivation::Act),
    ("ition", Derivation::Act),
    ("ment", Derivation::Act),
    ("ance", Derivation::Act),
    ("ence", Derivation::Act),
    ("ency", Derivation::Act),
    ("ancy", Derivation::Act),
    ("sion", Derivation::Act),
    ("ion", Derivation::Act),
    ("ure", Derivation::Act),
    ("ery", Derivation::Act),
    ("ant", Derivation::Agent),
    ("ent", Derivation::Agent),
    ("ist", Derivation::Agent),
    ("ian", Derivation::Agent),
    ("er", Derivation::Agent),
    ("or", Derivation::Agent),
    ("ee", Derivation::Patient),
    ("al", Derivation::Act),
    ("y", Derivation::Act),
    ("t", Derivation::Act),
];

/// The roots that a noun may be derived from, with what the noun then stands for: `owner` → (`own`, agent).
pub(crate) fn derivations(word: &str) -> Vec<(String, Derivation)> {
    let singular = singular(word);
    let mut found = Vec::new();
    for (suffix, derivation) in SUFFIXES {
        let Some(root) = singular.strip_suffix(suffix) else { continue };
        if root.len() < 3 {
            continue;
        }
        for candidate in [root.to_owned(), format!("{root}e"), format!("{root}y"), format!("{root}ate")] {
            found.push((stem(&candidate), derivation));
        }
        if let Some(shorter) = undouble(root) {
            found.push((stem(shorter), derivation));
        }
        if let Some(stem_with_y) = root.strip_suffix('i') {
            found.push((stem(&format!("{stem_with_y}y")), derivation));
        }
        if suffix == "iption" {
            found.push((stem(&format!("{root}ibe")), derivation));
        }
    }
    found
}

fn undouble(root: &str) -> Option<&str> {
    let mut letters = root.chars().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    (last == before).then(|| &root[..root.len() - last.len_utf8()])
}

/// The singular of a regular plural.
pub(crate) fn singular(word: &str) -> String {
    if let Some(base) = IRREGULAR.bases.get(word) {
        return base.clone();
    }
    if let Some(root) = word.strip_suffix("ies").filter(|root| root.len() > 2) {
        return format!("{root}y");
    }
    if let Some(root) = word.strip_suffix("es")
        && ["s", "x", "z", "ch", "sh"].iter().any(|end| root.ends_with(end))
    {
        return root.to_owned();
    }
    match word.strip_suffix('s') {
        Some(root) if root.len() > 2 && !root.ends_with(['s', 'u', 'i']) => root.to_owned(),
        _ => word.to_owned(),
    }
}

/// The plural of a noun phrase: its last word gets the ending.
pub(crate) fn plural(phrase: &str) -> String {
    let (head, last) = phrase.rsplit_once(' ').map_or(("", phrase), |(head, last)| (head, last));
    let last = match IRREGULAR.plurals.get(last) {
        Some(plural) => plural.clone(),
        None if ["s", "x", "z", "ch", "sh"].iter().any(|end| last.ends_with(end)) => format!("{last}es"),
        None => match last.strip_suffix('y') {
            Some(root) if !root.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{root}ies"),
            _ => format!("{last}s"),
        },
    };
    if head.is_empty() { last } else { format!("{head} {last}") }
}

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

#[derive(Default)]
struct Irregular {
    bases: HashMap<String, String>,
    pasts: HashSet<String>,
    participles: HashSet<String>,
    plurals: HashMap<String, String>,
}

static IRREGULAR: LazyLock<Irregular> = LazyLock::new(|| {
    let mut irregular = Irregular::default();
    let mut verbs = true;
    for line in include_str!("../data/irregular_forms.txt").lines() {
        if line.starts_with('[') {
            verbs = line == "[verbs]";
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [base, forms @ ..] = words.as_slice() else { continue };
        if base.starts_with('#') {
            continue;
        }
        for form in forms.iter().filter(|form| *form != base) {
            irregular.bases.entry((*form).to_owned()).or_insert_with(|| (*base).to_owned());
        }
        match forms {
            [past, participle, ..] if verbs => {
                irregular.pasts.insert((*past).to_owned());
                irregular.participles.insert((*participle).to_owned());
            }
            [plural, ..] if !verbs => {
                irregular.plurals.insert((*base).to_owned(), (*plural).to_owned());
            }
            _ => {}
        }
    }
    irregular
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_share_a_stem() {
        for (left, right) in
            [("owns", "owned"), ("wrote", "writes"), ("people", "person"), ("companies", "company")]
        {
            assert_eq!(stem(left), stem(right), "{left} {right}");
        }
    }

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
            ("prescription", "prescribe", Derivation::Act),
            ("approval", "approve", Derivation::Act),
        ] {
            assert!(derivations(noun).contains(&(stem(verb), derivation)), "{noun}");
        }
    }

    #[test]
    fn plurals() {
        assert_eq!(plural("security issue"), "security issues");
        assert_eq!(plural("library"), "libraries");
        assert_eq!(plural("person"), "people");
        assert_eq!(singular("statuses"), "status");
    }
}
