//! Inflection and derivation: the written forms that belong to one word.

use crate::inflection;
pub use crate::inflection::{bases, is_participle, is_past, plural, singular};

/// Returns the stem of a word's base form: irregular forms are brought to their base, then Porter 2
/// applies.
pub fn stem(word: &str) -> String {
    let noun = singular(word);
    let base = inflection::irregular_base(word).unwrap_or(&noun);
    if base.chars().any(|letter| letter.is_ascii_digit()) {
        return base.to_owned();
    }
    inflection::stem(base).into_owned()
}

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

/// Lists the roots that a noun may be derived from, with what the noun then stands for: `owner` →
/// (`own`, agent).
pub fn derivations(word: &str) -> Vec<(String, Derivation)> {
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
}
