//! Relationship types: verbs that stand between names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use aho_corasick::{AhoCorasick, MatchKind};

use super::{
    names::is_function_word,
    text::{Text, words},
};

/// A verb between names.
#[derive(Debug, Default)]
pub(super) struct Verb {
    pub description: String,
    pub from: BTreeSet<String>,
    pub to: BTreeSet<String>,
    pub cues: BTreeSet<String>,
    pub inverse_cues: BTreeSet<String>,
    pairs: BTreeSet<(String, String)>,
}

/// Prepositions that belong to the verb before them.
const PARTICLES: [&str; 7] = ["on", "with", "to", "from", "in", "into", "by"];
/// Words between the verb and the second name that do not change what is said.
const SKIPPED: [&str; 9] = ["a", "an", "the", "its", "their", "your", "only", "also", "both"];
/// Words in `s` that are no verbs in the third person.
const NO_VERBS: [&str; 14] = [
    "is",
    "was",
    "as",
    "its",
    "this",
    "thus",
    "plus",
    "versus",
    "across",
    "towards",
    "always",
    "besides",
    "perhaps",
    "sometimes",
];

/// A verb counts when it stands between so many different pairs of names.
const LEAST_PAIRS: usize = 2;

/// The verbs that stand between names, by relationship type. `names` are names with their labels.
pub(super) fn find(texts: &[Text], names: &BTreeMap<String, String>) -> BTreeMap<String, Verb> {
    let patterns: Vec<&String> = names.keys().collect();
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns);
    let Some(matcher) = built.ok().filter(|_| !patterns.is_empty()) else { return BTreeMap::new() };
    let bases = bases_of(texts);
    let mut verbs: BTreeMap<String, Verb> = BTreeMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let found = matcher.find_iter(block).filter(|found| {
            let before = block[..found.start()].chars().next_back();
            let after = block[found.end()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        });
        let found: Vec<_> = found.collect();
        for pair in found.windows(2) {
            let Some(cue) = read_cue(&block[pair[0].end()..pair[1].start()], &bases) else { continue };
            let (left, right) = (patterns[pair[0].pattern()], patterns[pair[1].pattern()]);
            if left == right {
                continue;
            }
            let (from, to) = if cue.inverse { (right, left) } else { (left, right) };
            let verb = verbs.entry(cue.kind).or_default();
            verb.description = format!("{from} {} {to}, as the documents say.", cue.active);
            verb.from.insert(names[from].clone());
            verb.to.insert(names[to].clone());
            verb.pairs.insert((from.clone(), to.clone()));
            if cue.inverse {
                verb.inverse_cues.insert(cue.text)
            } else {
                verb.cues.insert(cue.text)
            };
        }
    }
    verbs.retain(|_, verb| verb.pairs.len() >= LEAST_PAIRS);
    verbs
}

struct Cue {
    text: String,
    kind: String,
    /// The verb as it reads from start to end.
    active: String,
    inverse: bool,
}

/// Reads what stands between two names as a verb in the present: `uses`, `depends on`, `is hosted on`, `is used by`.
fn read_cue(between: &str, bases: &HashSet<String>) -> Option<Cue> {
    let plain = |character: char| character.is_alphabetic() || character == ' ' || character == '-';
    if !between.starts_with(' ') || !between.ends_with(' ') || !between.chars().all(plain) {
        return None;
    }
    let all: Vec<&str> = between.split_whitespace().collect();
    let words: Vec<&str> =
        all.iter().copied().filter(|word| !SKIPPED.contains(word) && !word.ends_with("ly")).collect();
    match words.as_slice() {
        [verb] => third_person(verb, bases).map(|base| active(verb, &base, None)),
        [verb, particle] if PARTICLES.contains(particle) => {
            third_person(verb, bases).map(|base| active(verb, &base, Some(particle)))
        }
        [be @ ("is" | "are"), participle, particle]
            if PARTICLES.contains(particle) && participle.len() > 4 =>
        {
            let base = base_of_participle(participle, bases)?;
            let text = format!("{be} {participle} {particle}");
            if *particle == "by" {
                let verb = in_third_person(&base);
                let kind = verb.to_uppercase();
                return Some(Cue { text, kind, active: verb, inverse: true });
            }
            let active = format!("is {participle} {particle}");
            let kind = format!("{participle}_{particle}").to_uppercase();
            Some(Cue { text, kind, active, inverse: false })
        }
        _ => None,
    }
}

fn active(verb: &str, base: &str, particle: Option<&str>) -> Cue {
    let text = particle.map_or_else(|| verb.to_owned(), |particle| format!("{verb} {particle}"));
    let third = in_third_person(base);
    let kind =
        particle.map_or_else(|| third.clone(), |particle| format!("{third}_{particle}")).to_uppercase();
    Cue { active: text.clone(), text, kind, inverse: false }
}

/// The base of a verb in the third person, if the corpus uses the base as a verb.
fn third_person(word: &str, bases: &HashSet<String>) -> Option<String> {
    if NO_VERBS.contains(&word) || word.chars().any(char::is_uppercase) {
        return None;
    }
    let stems = [
        word.strip_suffix("ies").map(|stem| format!("{stem}y")),
        word.strip_suffix("es").map(str::to_owned),
        word.strip_suffix('s').map(str::to_owned),
    ];
    if word == "has" {
        return Some("have".to_owned());
    }
    stems.into_iter().flatten().find(|stem| stem.len() > 1 && bases.contains(stem))
}

fn base_of_participle(word: &str, bases: &HashSet<String>) -> Option<String> {
    let stem = word.strip_suffix("ed")?;
    let doubled = stem.len() > 2 && stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
    let shortened = doubled.then(|| stem[..stem.len() - 1].to_owned());
    let in_y = stem.strip_suffix('i').map(|stem| format!("{stem}y"));
    let candidates = [Some(stem.to_owned()), Some(format!("{stem}e")), shortened, in_y];
    candidates.into_iter().flatten().find(|base| bases.contains(base))
}

fn in_third_person(base: &str) -> String {
    if base == "have" {
        return "has".to_owned();
    }
    match base.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        Some(stem) => format!("{stem}ies"),
        None if base.ends_with(['s', 'x', 'z']) || base.ends_with("ch") || base.ends_with("sh") => {
            format!("{base}es")
        }
        None => format!("{base}s"),
    }
}

/// Words that the corpus uses as the base of a verb (after `to`, a modal verb or a pronoun) more often than as a noun
/// (after an article, a possessive or a preposition).
fn bases_of(texts: &[Text]) -> HashSet<String> {
    const BEFORE_VERBS: [&str; 12] =
        ["to", "can", "will", "should", "must", "may", "might", "could", "would", "you", "they", "we"];
    const BEFORE_NOUNS: [&str; 17] = [
        "the", "a", "an", "your", "its", "their", "this", "that", "each", "every", "any", "of", "for", "in",
        "from", "and", "no",
    ];
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        for pair in words(block).windows(2).filter(|pair| pair[1].joins) {
            let word = pair[1].text;
            if is_function_word(word) && word != "use" || !word.chars().all(char::is_lowercase) {
                continue;
            }
            if BEFORE_VERBS.contains(&pair[0].text) {
                counts.entry(word.to_owned()).or_default().0 += 1;
            } else if BEFORE_NOUNS.contains(&pair[0].text) {
                counts.entry(word.to_owned()).or_default().1 += 1;
            }
        }
    }
    // Verbs so common that a small corpus may use them in one form only.
    let common = [
        "use", "depend", "run", "own", "provide", "support", "contain", "require", "call", "need", "include",
    ];
    let verbs = counts.into_iter().filter(|(_, (verb, noun))| verb > noun).map(|(word, _)| word);
    verbs.chain(common.map(str::to_owned)).collect()
}
