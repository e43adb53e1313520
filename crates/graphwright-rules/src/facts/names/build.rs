//! The dictionary of known names: which entities there are, and all ways to write their names.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Entry, Gazetteer, Variant, parts};
use crate::facts::{vocabulary::Vocabulary, words};

/// An entity that is known before text is read.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct Given<'a> {
    /// Index of its type in the vocabulary.
    pub(in crate::facts) kind: usize,
    pub(in crate::facts) name: &'a str,
    pub(in crate::facts) aliases: &'a [String],
    /// Whether its type was only concluded from the place that the name takes in a statement.
    pub(in crate::facts) inferred: bool,
}

impl Gazetteer {
    /// A dictionary of entities.
    pub(in crate::facts) fn new<'a>(
        vocabulary: &Vocabulary,
        entities: impl IntoIterator<Item = Given<'a>>,
    ) -> Self {
        let mut gazetteer = Self::default();
        let mut places = HashMap::new();
        let entities: Vec<Given<'_>> = entities.into_iter().collect();
        let full = full_names(vocabulary, &entities);
        let owners = owners_of_aliases(&entities);
        for given in entities.iter().filter(|given| !given.inferred) {
            let owner = owners.get(&(given.kind, super::key(given.name))).copied().flatten();
            let given = Given { name: owner.unwrap_or(given.name), ..*given };
            gazetteer.add_entity(vocabulary, &full, &mut places, &given);
        }
        let certain = gazetteer.entries.len();
        let mut inferred: Vec<&Given<'_>> = entities.iter().filter(|given| given.inferred).collect();
        // What has other names first: one of them may come alone.
        inferred.sort_by_key(|given| given.aliases.is_empty());
        for given in inferred {
            let better = gazetteer.known_better(given, certain).or_else(|| gazetteer.known_alias(given));
            if let Some(entry) = better {
                if gazetteer.entries[entry].kind == given.kind {
                    gazetteer.insert(vocabulary, &full, entry, given.name);
                }
                continue;
            }
            gazetteer.add_entity(vocabulary, &full, &mut places, given);
        }
        gazetteer.drop_ambiguous_parts(vocabulary);
        gazetteer
    }

    /// Where several other names begin with the words, they are no short form: `Acme` is not `Acme App` beside `Acme Notify` and
    /// `Acme Chat`.
    fn drop_ambiguous_parts(&mut self, vocabulary: &Vocabulary) {
        for (node, ends) in &mut self.ends {
            let Some(longer) = self.longer.get(node).filter(|longer| longer.len() > 2) else { continue };
            let human = |entry: usize| vocabulary.types[self.entries[entry].kind].human;
            ends.retain(|(entry, variant)| variant.whole || human(*entry) || !longer.contains(entry));
        }
    }

    fn add_entity(
        &mut self,
        vocabulary: &Vocabulary,
        full: &FullNames<'_>,
        places: &mut HashMap<(usize, String), usize>,
        given: &Given<'_>,
    ) {
        let whole = full_name_of(vocabulary, full, given.kind, given.name);
        let name = whole.unwrap_or(given.name);
        let own = (given.kind, plain_key(vocabulary, full, given.kind, name));
        let entry = *places.entry(own).or_insert_with(|| {
            self.entries.push(Entry { kind: given.kind, name: name.to_owned(), inferred: given.inferred });
            self.entries.len() - 1
        });
        if is_fuller(name, &self.entries[entry].name) {
            name.clone_into(&mut self.entries[entry].name);
        }
        self.insert(vocabulary, full, entry, name);
        if whole.is_some() {
            self.insert(vocabulary, full, entry, given.name);
            return;
        }
        for alias in given.aliases {
            self.insert(vocabulary, full, entry, alias);
        }
    }

    /// The entity that overrules one whose type was only concluded: of the same name. The first `certain` entries are those whose
    /// type is not concluded.
    fn known_better(&self, given: &Given<'_>, certain: usize) -> Option<usize> {
        let words = parts(given.name);
        let article = words.len() > 1 && matches!(words[0].as_str(), "the" | "a" | "an");
        let words = if article && self.same(&words, certain).is_empty() { &words[1..] } else { &words[..] };
        let same = self.same(words, certain);
        <[usize; 1]>::try_from(same).ok().map(|[only]| only)
    }

    /// The only entity of the type that has the name for one of its own.
    fn known_alias(&self, given: &Given<'_>) -> Option<usize> {
        let same = self.same(&parts(given.name), usize::MAX);
        let mut same = same.into_iter().filter(|entry| self.entries[*entry].kind == given.kind);
        same.next().filter(|_| given.aliases.is_empty() && same.next().is_none())
    }

    /// The first `certain` entries of which some words are a whole name.
    fn same(&self, words: &[String], certain: usize) -> Vec<usize> {
        let ends = self.walk(words).and_then(|node| self.ends.get(&node));
        let whole = ends.into_iter().flatten().filter(|(entry, variant)| variant.whole && *entry < certain);
        whole.map(|(entry, _)| *entry).collect()
    }

    fn insert(&mut self, vocabulary: &Vocabulary, full: &FullNames<'_>, entry: usize, name: &str) {
        let parts = parts(name);
        if parts.is_empty() || name.len() > 200 {
            return;
        }
        let kind = self.entries[entry].kind;
        self.add(entry, &parts, name, true);
        self.add_beginnings(vocabulary, entry, &parts);
        let mut bare: &[String] = &parts;
        if bare.len() > 1 && matches!(bare[0].as_str(), "the" | "a" | "an") {
            bare = &bare[1..];
            self.add(entry, bare, name, true);
        }
        let untitled = if vocabulary.types[kind].human { without_title(bare).0 } else { bare };
        if untitled.len() < bare.len() {
            bare = untitled;
            // `Miss Roe` without the title is no more than a surname.
            self.add(entry, bare, name, bare.len() > 1);
        }
        if let [.., last] = bare
            && bare.len() > 1
            && let Some(form) = legal_form(last)
        {
            let stem = &bare[..bare.len() - 1];
            for other in ["inc", "incorporated", "corp", "corporation", "ltd", "limited", "co", "company"] {
                if legal_form(other) == Some(form) {
                    let mut spelled = stem.to_vec();
                    spelled.push(other.to_owned());
                    self.add(entry, &spelled, name, true);
                }
            }
            self.add(entry, stem, name, true);
        }
        if bare.len() > 1 && (name.len() > 6 || is_numbered(bare)) {
            self.add(entry, &[bare.concat()], name, true);
        }
        let stripped = full.without_type_words(vocabulary, kind, bare);
        if stripped.len() < bare.len() && !stripped.is_empty() {
            let generic = stripped.len() == 1 && (words::is_closed(&stripped[0]) || stripped[0].len() < 3);
            if !generic {
                self.add(entry, stripped, name, false);
            }
        }
        if vocabulary.types[kind].human {
            self.add_surname(entry, bare, name);
        }
    }

    /// The surname, which may be hyphenated, alone and with an initial.
    fn add_surname(&mut self, entry: usize, bare: &[String], name: &str) {
        let last = name.split_whitespace().next_back().map_or(1, |word| parts(word).len());
        let Some(first) = bare.first().filter(|_| bare.len() > last) else { return };
        if !bare.iter().all(|part| part.chars().all(char::is_alphabetic)) {
            return;
        }
        let surname = &bare[bare.len() - last..];
        let mut short: Vec<String> = vec![first.chars().take(1).collect()];
        short.extend_from_slice(surname);
        self.add(entry, surname, name, false);
        self.add(entry, &short, name, true);
    }

    /// The beginnings by which a longer name of a thing may be meant: `Royal Infirmary` of `Royal Infirmary of Leeds`.
    fn add_beginnings(&mut self, vocabulary: &Vocabulary, entry: usize, parts: &[String]) {
        let parts = if parts[0] == "the" { &parts[1..] } else { parts };
        let plain = |part: &String| part.chars().all(char::is_alphabetic);
        if vocabulary.types[self.entries[entry].kind].human || !parts.iter().all(plain) {
            return;
        }
        for length in 1..parts.len() {
            let last = &parts[length - 1];
            if parts[0].len() < 3 || words::is_closed(last) || last == "and" {
                continue;
            }
            let node = self.reach(&parts[..length]);
            let longer = self.longer.entry(node).or_default();
            if !longer.contains(&entry) {
                longer.push(entry);
            }
        }
    }

    fn add(&mut self, entry: usize, parts: &[String], name: &str, whole: bool) {
        let node = self.reach(parts);
        let letters = name.chars().filter(|letter| letter.is_alphabetic());
        let variant = Variant {
            whole,
            capital: name.chars().any(char::is_uppercase),
            acronym: name.len() <= 6
                && letters.clone().count() > 1
                && letters.clone().all(char::is_uppercase),
            single: parts.len() == 1
                && !name.contains(['-', '_', '.'])
                && !name.chars().any(|letter| letter.is_ascii_digit()),
        };
        let ends = self.ends.entry(node).or_default();
        if !ends.iter().any(|(known, other)| *known == entry && other.whole == whole) {
            ends.push((entry, variant));
        }
    }

    /// The node of some words, made if it is not there.
    fn reach(&mut self, parts: &[String]) -> u32 {
        let mut node = 0;
        for part in parts {
            let next_word = self.words.len() as u32;
            let word = *self.words.entry(part.clone()).or_insert(next_word);
            node = *self.edges.entry((node, word)).or_insert_with(|| {
                self.nodes += 1;
                self.nodes
            });
        }
        node
    }
}

/// The entities that other names belong to, by type and name; `None` where several have it.
fn owners_of_aliases<'a>(entities: &[Given<'a>]) -> HashMap<(usize, String), Option<&'a str>> {
    let mut owners = HashMap::new();
    for given in entities.iter().filter(|given| !given.inferred) {
        for alias in given.aliases {
            let owner = owners.entry((given.kind, super::key(alias))).or_insert(Some(given.name));
            *owner = owner.filter(|owner| super::key(owner) == super::key(given.name));
        }
    }
    owners
}

/// The one spelling of the ending of a company's name; `None` for other words.
pub(in crate::facts) fn legal_form(word: &str) -> Option<&'static str> {
    Some(match word {
        "inc" | "incorporated" => "inc",
        "corp" | "corporation" => "corp",
        "ltd" | "limited" => "ltd",
        "co" | "company" => "co",
        "llc" => "llc",
        "plc" => "plc",
        "gmbh" => "gmbh",
        "ag" => "ag",
        "sa" => "sa",
        "bv" => "bv",
        "llp" => "llp",
        "lp" => "lp",
        _ => return None,
    })
}

/// What all names together tell of each.
#[derive(Debug, Default)]
struct FullNames<'a> {
    /// The whole names of people by type and surname.
    of_people: HashMap<(usize, String), Vec<&'a str>>,
    /// Words that are who makes things, as key.
    makers: HashSet<String>,
    /// By type, its words that tell things apart: `city` and `county` where there are `Dodge City` and `Dodge County`.
    telling: HashSet<(usize, Vec<String>)>,
}

impl FullNames<'_> {
    /// A name's words without the words for its type, unless these tell it from another of that type.
    fn without_type_words<'w>(
        &self,
        vocabulary: &Vocabulary,
        kind: usize,
        words: &'w [String],
    ) -> &'w [String] {
        let bare = vocabulary.strip_type_words(kind, words);
        let telling = type_words(words, bare);
        if self.telling.contains(&(kind, telling.to_vec())) { words } else { bare }
    }
}

/// The words that a name has and its bare form has not.
fn type_words<'w>(words: &'w [String], bare: &[String]) -> &'w [String] {
    if words.starts_with(bare) { &words[bare.len()..] } else { &words[..words.len() - bare.len()] }
}

/// The words for types that stand beside the same words in several names.
fn telling(vocabulary: &Vocabulary, entities: &[Given<'_>]) -> HashSet<(usize, Vec<String>)> {
    let mut named: HashMap<(usize, Vec<String>), BTreeSet<Vec<String>>> = HashMap::new();
    for given in entities {
        let words = parts(given.name);
        let bare = vocabulary.strip_type_words(given.kind, &words);
        if !bare.is_empty() && bare.len() < words.len() {
            let own = type_words(&words, bare).to_vec();
            named.entry((given.kind, bare.to_vec())).or_default().insert(own);
        }
    }
    let several = named.into_iter().filter(|(_, own)| own.len() > 1);
    several.flat_map(|((kind, _), own)| own.into_iter().map(move |own| (kind, own))).collect()
}

/// The words of a person's name, each as it is compared: a hyphenated surname is one.
fn person_words(name: &str) -> Vec<String> {
    name.split_whitespace().map(super::key).filter(|word| !word.is_empty()).collect()
}

/// The words of a person's name without titles before it (`Dr`, `Lord Justice`, `District Judge`) and letters after it (`QC`),
/// and whether there were some.
fn without_title(words: &[String]) -> (&[String], bool) {
    let before = words.iter().take(3).rposition(|word| words::is_honorific(word)).map_or(0, |last| last + 1);
    let after = words.iter().rev().take_while(|word| words::is_post_nominal(word)).count();
    if before + after >= words.len() {
        return (words, false);
    }
    (&words[before..words.len() - after], before + after > 0)
}

fn full_names<'a>(vocabulary: &Vocabulary, entities: &[Given<'a>]) -> FullNames<'a> {
    let (makers, telling) = (makers(vocabulary, entities), telling(vocabulary, entities));
    let mut full = FullNames { of_people: HashMap::new(), makers, telling };
    for Given { kind, name, .. } in entities.iter().filter(|given| vocabulary.types[given.kind].human) {
        let words = person_words(name);
        let (bare, titled) = without_title(&words);
        if bare.len() < 2 || bare[0].chars().count() == 1 {
            continue;
        }
        let known: &mut Vec<&str> = full.of_people.entry((*kind, bare[bare.len() - 1].clone())).or_default();
        // Of `Dr Jane Roe` and `Jane Roe` the plain name is the whole one.
        match known.iter_mut().find(|other| without_title(&person_words(other)).0 == bare) {
            Some(same) if !titled => *same = name,
            Some(_) => {}
            None => known.push(name),
        }
    }
    full
}

/// The only whole name that a surname, a name with initials, or one with a title stands for.
fn full_name_of<'a>(
    vocabulary: &Vocabulary,
    full: &FullNames<'a>,
    kind: usize,
    name: &str,
) -> Option<&'a str> {
    if !vocabulary.types[kind].human {
        return None;
    }
    let words = person_words(name);
    let (bare, titled) = without_title(&words);
    let (last, first) = bare.split_last()?;
    // An initial, or a first name cut short (`Tom` for `Thomas`); a whole other name is another person.
    let shortened = |part: &String| matches!(part.chars().count(), 1 | 3 | 4);
    if !titled && !first.iter().all(shortened) {
        return None;
    }
    let candidates = full.of_people.get(&(kind, last.clone()))?;
    let fitting: Vec<&&str> = candidates
        .iter()
        .filter(|whole| {
            let whole = person_words(whole);
            let (whole, _) = without_title(&whole);
            // Two letters more at least: `Ann` and `Anna` are two names.
            let cut = !titled && first.iter().any(|part| part.chars().count() > 1);
            if cut && whole[0].chars().count() < first[0].chars().count() + 2 {
                return false;
            }
            first.first().is_none_or(|one| whole[0].starts_with(one.as_str()))
        })
        .collect();
    // `Pat Roe` and `Patrick Roe` are one: the longer name is the whole one.
    let longest = fitting.iter().max_by_key(|whole| whole.len())?;
    let first_of = |whole: &str| without_title(&person_words(whole)).0.first().cloned().unwrap_or_default();
    let one = fitting.iter().all(|whole| first_of(longest).starts_with(&first_of(whole)));
    Some(**longest).filter(|whole| one && *whole != name)
}

/// Whether a name is another one with words for its type, written as part of it: `Reed Valley Line` for `Reed Valley`.
fn is_fuller(name: &str, other: &str) -> bool {
    name.strip_prefix(other).is_some_and(|rest| {
        rest.starts_with(' ') && rest.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
    })
}

/// A name without its type words: `Checkout Service` and `checkout-service` are one service.
/// Not so `Acme App` beside `Acme Chat`, `Acme Notify` and `Acme Mail`, where `Acme` is who makes them.
fn plain_key(vocabulary: &Vocabulary, full: &FullNames<'_>, kind: usize, name: &str) -> String {
    let parts = parts(name);
    let whole = if parts.len() > 1 && parts[0] == "the" { &parts[1..] } else { &parts[..] };
    let bare = full.without_type_words(vocabulary, kind, whole).join(" ");
    if full.makers.contains(&bare) { whole.join(" ") } else { bare }
}

/// The words that so many names and more begin with, each with another word that is none for a type, are who makes the things.
const MADE: usize = 3;

fn makers(vocabulary: &Vocabulary, entities: &[Given<'_>]) -> HashSet<String> {
    let mut made: HashMap<String, BTreeSet<String>> = HashMap::new();
    for given in entities {
        let words = parts(given.name);
        for at in 1..words.len().min(4) {
            if !vocabulary.is_type_word(&words[at]) {
                made.entry(words[..at].join(" ")).or_default().insert(words[at].clone());
            }
        }
    }
    made.retain(|_, next| next.len() >= MADE);
    made.into_keys().collect()
}

/// Whether words are letters and a number: `RFC 42`, which is written `RFC42` as well.
fn is_numbered(words: &[String]) -> bool {
    matches!(words, [name, number] if name.len() > 1
        && name.bytes().all(|letter| letter.is_ascii_alphabetic())
        && number.bytes().all(|letter| letter.is_ascii_digit()))
}
