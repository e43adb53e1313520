//! Relationship types: verbs that stand between names.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, Match, MatchKind};

use super::{
    bases::{self, Bases},
    common_words::{PARTICLES, is_function_word},
    text::{Text, words},
};

/// A verb between names.
#[derive(Debug, Default)]
pub(super) struct Verb {
    pub kind: String,
    pub description: String,
    pub from: BTreeSet<String>,
    pub to: BTreeSet<String>,
    pub cues: BTreeSet<String>,
    pub inverse_cues: BTreeSet<String>,
    /// Whether it was met in the active voice.
    active: bool,
    pairs: BTreeSet<(String, String)>,
    /// The names that it stands after, whatever follows.
    subjects: BTreeSet<String>,
}

/// Words between the verb and the second name that do not change what is said.
const SKIPPED: [&str; 9] = ["a", "an", "the", "its", "their", "your", "only", "also", "both"];
/// Prepositions after which a name is not the subject of the verb that follows it.
const BEFORE_OTHERS: [&str; 12] =
    ["of", "in", "on", "with", "to", "for", "from", "by", "at", "as", "like", "between"];
/// Whether a word begins a phrase of its own.
pub(super) fn is_preposition(word: &str) -> bool {
    PARTICLES.contains(&word)
        || BEFORE_OTHERS.contains(&word)
        || matches!(
            word,
            "across" | "within" | "without" | "during" | "against" | "over" | "under" | "via" | "per"
        )
}

/// Verbs that relate no two things: what follows them goes on to do or be something, or is nothing by itself; and one
/// whose participle is a preposition.
const VAGUE: [&str; 25] = [
    "allow", "appear", "ask", "become", "cause", "do", "enable", "force", "get", "give", "have", "help",
    "include", "keep", "let", "make", "mean", "permit", "remain", "say", "see", "seem", "show", "take",
    "want",
];

/// A verb counts when it stands between so many different pairs of names, or between one and after so many names.
const LEAST_PAIRS: usize = 2;
const LEAST_SUBJECTS: usize = 3;

/// The verbs that stand between names. `names` are names with their labels; `object` is the label of what no relationship
/// starts from.
pub(super) fn find(
    texts: &[Text],
    names: &BTreeMap<String, String>,
    object: &str,
    bases: &Bases,
) -> Vec<Verb> {
    let patterns: Vec<&String> = names.keys().collect();
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns);
    let Some(matcher) = built.ok().filter(|_| !patterns.is_empty()) else { return Vec::new() };
    let mut verbs: BTreeMap<(String, Option<String>), Verb> = BTreeMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let found: Vec<Match> = matcher.find_iter(block).filter(|found| is_whole(block, *found)).collect();
        let words = if found.is_empty() { Vec::new() } else { words(block) };
        for name in found.iter().filter(|name| !is_other(block, **name)) {
            let rest = words.partition_point(|word| word.start < name.end());
            let subject = patterns[name.pattern()];
            if let Some((verb, _)) = bases.after(subject, &words[rest..]).filter(|_| names[subject] != object)
            {
                verbs.entry(verb).or_default().subjects.insert(subject.clone());
            }
        }
        for pair in found.windows(2) {
            let (left, right) = (patterns[pair[0].pattern()], patterns[pair[1].pattern()]);
            if left == right || is_other(block, pair[0]) || describes(block, pair[1], bases) {
                continue;
            }
            let Some(cue) = read_cue(&block[pair[0].end()..pair[1].start()], bases) else { continue };
            let (from, to) = if cue.inverse { (right, left) } else { (left, right) };
            if names[from] == object {
                continue;
            }
            verbs.entry((cue.base.clone(), cue.particle.clone())).or_default().add(cue, (from, to), names);
        }
    }
    verbs.retain(|(base, _), verb| {
        let often = verb.pairs.len() >= LEAST_PAIRS
            || !verb.pairs.is_empty() && verb.subjects.len() >= LEAST_SUBJECTS;
        often && !bases.is_order(base)
    });
    let with_subjects = |mut verb: Verb| {
        verb.from.extend(verb.subjects.iter().map(|subject| names[subject].clone()));
        verb
    };
    verbs.into_values().map(with_subjects).collect()
}

impl Verb {
    fn add(&mut self, cue: Cue, (from, to): (&str, &str), names: &BTreeMap<String, String>) {
        let active = cue.inverse || !cue.passive;
        if self.kind.is_empty() || active && !self.active {
            let words = cue.verb.split(' ').filter(|word| !matches!(*word, "is" | "a" | "an" | "the"));
            self.kind = words.collect::<Vec<_>>().join("_").to_uppercase();
            self.description = format!("As in: {from} {} {to}.", cue.verb);
            self.active = active;
        }
        self.from.insert(names[from].clone());
        self.to.insert(names[to].clone());
        self.pairs.insert((from.to_owned(), to.to_owned()));
        let cues = if cue.inverse { &mut self.inverse_cues } else { &mut self.cues };
        cues.insert(cue.text);
    }
}

pub(super) fn is_whole(block: &str, found: Match) -> bool {
    let before = block[..found.start()].chars().next_back();
    let after = block[found.end()..].chars().next();
    let inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    !before.is_some_and(inner) && !after.is_some_and(inner)
}

/// Whether a name is in a phrase of its own before the verb: `the cost of Kestrel exceeds …`.
fn is_other(block: &str, found: Match) -> bool {
    let before = block[..found.start()].split_whitespace().rev().find(|word| !SKIPPED.contains(word));
    before.is_some_and(|word| BEFORE_OTHERS.contains(&word))
}

/// Whether a name only describes the noun after it: `uses Kestrel topics`.
fn describes(block: &str, found: Match, bases: &Bases) -> bool {
    let rest = &block[found.end()..];
    let Some(word) = rest.strip_prefix(' ').and_then(|rest| rest.split_whitespace().next()) else {
        return rest.starts_with("'s") || rest.starts_with("’s");
    };
    let word = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    super::names::is_noun_after(word, bases)
}

struct Cue {
    text: String,
    base: String,
    particle: Option<String>,
    /// The verb as it reads from start to end.
    verb: String,
    passive: bool,
    inverse: bool,
}

/// Reads what stands between two names as a verb in the present: `uses`, `depends on`, `is hosted on`, `is used by`.
/// After the verb a few words may describe the second name, or be the first of a list with it.
fn read_cue(between: &str, bases: &Bases) -> Option<Cue> {
    let between = between.strip_prefix(')').unwrap_or(between);
    let plain = |character: char| character.is_alphabetic() || matches!(character, ' ' | '-' | ',');
    if !between.starts_with(' ') || !between.ends_with(' ') || !between.chars().all(plain) {
        return None;
    }
    let all = between.split_whitespace();
    let words: Vec<&str> = all.filter(|word| !SKIPPED.contains(word) && !word.ends_with("ly")).collect();
    let (first, rest) = words.split_first()?;
    let cue = match (*first, rest) {
        ("is", [noun, "of"]) if !noun.ends_with("ed") => {
            let text = without_article(between);
            let (base, particle) = ((*noun).to_owned(), Some("of".to_owned()));
            Cue { verb: text.clone(), text, base, particle, passive: false, inverse: false }
        }
        ("is" | "are", [participle, particle, rest @ ..])
            if PARTICLES.contains(particle) && participle.len() > 3 && is_description(rest) =>
        {
            let base = bases.of_participle(participle)?;
            let text = format!("{first} {participle} {particle}");
            if *particle == "by" {
                let verb = bases::in_third_person(&base);
                Cue { text, base, particle: None, verb, passive: true, inverse: true }
            } else {
                let verb = format!("is {participle} {particle}");
                let particle = Some((*particle).to_owned());
                Cue { text, base, particle, verb, passive: true, inverse: false }
            }
        }
        (verb, [particle, rest @ ..]) if PARTICLES.contains(particle) && is_description(rest) => {
            active(verb, bases.third_person(verb)?, Some(particle))
        }
        (verb, rest) if is_description(rest) => active(verb, bases.third_person(verb)?, None),
        _ => return None,
    };
    (!VAGUE.contains(&cue.base.as_str()) && !is_function_word(&cue.base) || cue.base == "use").then_some(cue)
}

/// Whether words may stand between a verb and a name that is its object.
fn is_description(words: &[&str]) -> bool {
    let fits = |word: &&str| {
        let word = word.trim_end_matches(',');
        word == "and" || !is_function_word(word) && !BEFORE_OTHERS.contains(&word)
    };
    words.len() <= 5 && words.iter().all(fits)
}

/// `is a part of` before `the`.
fn without_article(between: &str) -> String {
    let words: Vec<&str> = between.split_whitespace().collect();
    let end = words.iter().rposition(|word| *word == "of").map_or(words.len(), |at| at + 1);
    words[..end].join(" ")
}

fn active(verb: &str, base: String, particle: Option<&str>) -> Cue {
    let text = particle.map_or_else(|| verb.to_owned(), |particle| format!("{verb} {particle}"));
    let third = bases::in_third_person(&base);
    let verb = particle.map_or_else(|| third.clone(), |particle| format!("{third} {particle}"));
    Cue { text, base, particle: particle.map(str::to_owned), verb, passive: false, inverse: false }
}
