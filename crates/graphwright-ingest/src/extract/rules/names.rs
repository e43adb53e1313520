//! Names: how they are compared, and the dictionary of known ones.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::{tokens::Token, vocabulary::Vocabulary};

/// How surely a piece of text is a known name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Only where the sentence has a place for a name of this type: a part of the name, or a common word.
    Weak,
    /// Wherever it stands.
    Full,
}

/// A known entity found in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// Index in [`Gazetteer::entries`].
    pub(super) entry: usize,
    pub(super) strength: Strength,
}

/// A known entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Index of its type in the vocabulary.
    pub(super) kind: usize,
    pub(super) name: String,
}

/// All known names.
#[derive(Debug, Default)]
pub(super) struct Gazetteer {
    pub(super) entries: Vec<Entry>,
    words: HashMap<String, u32>,
    edges: HashMap<(u32, u32), u32>,
    ends: HashMap<u32, Vec<(usize, Variant)>>,
    nodes: u32,
    /// Types most of whose names are written in small letters.
    pub(super) lower_case: HashSet<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    /// The whole name, not a part of it.
    whole: bool,
    /// Written with a capital first letter.
    capital: bool,
    /// Short and all capitals.
    acronym: bool,
    /// One plain word.
    single: bool,
}

/// The words by which a name is compared: small letters and digits, without accents; `&` is `and`.
pub(super) fn parts(name: &str) -> Vec<String> {
    let folded: String = if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        name.nfkd()
            .filter(|letter| !unicode_normalization::char::is_combining_mark(*letter))
            .collect::<String>()
            .to_lowercase()
    };
    let folded = if folded.contains('&') { folded.replace('&', " and ") } else { folded };
    folded
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#'))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A name as one comparable string.
pub(super) fn key(name: &str) -> String {
    parts(name).join(" ")
}

/// The one spelling of the ending of a company's name; `None` for other words.
fn legal_form(word: &str) -> Option<&'static str> {
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

impl Gazetteer {
    /// A dictionary of entities: type index, name, other names.
    pub(super) fn new<'a>(
        vocabulary: &Vocabulary,
        entities: impl IntoIterator<Item = (usize, &'a str, &'a [String])>,
    ) -> Self {
        let mut gazetteer = Self::default();
        let mut places: HashMap<(usize, String), usize> = HashMap::new();
        let mut lower: HashMap<usize, (usize, usize)> = HashMap::new();
        let entities: Vec<(usize, &str, &[String])> = entities.into_iter().collect();
        let full = full_names(vocabulary, &entities);
        for (kind, name, aliases) in entities {
            if let Some(whole) = full_name_of(vocabulary, &full, kind, name) {
                let own = (kind, plain_key(vocabulary, kind, whole));
                let entry = *places.entry(own).or_insert_with(|| {
                    gazetteer.entries.push(Entry { kind, name: whole.to_owned() });
                    gazetteer.entries.len() - 1
                });
                gazetteer.insert(vocabulary, entry, whole);
                gazetteer.insert(vocabulary, entry, name);
                continue;
            }
            let own = (kind, plain_key(vocabulary, kind, name));
            let entry = *places.entry(own).or_insert_with(|| {
                gazetteer.entries.push(Entry { kind, name: name.to_owned() });
                gazetteer.entries.len() - 1
            });
            let counts = lower.entry(kind).or_default();
            counts.0 += usize::from(!name.chars().any(|letter| {
                letter.is_uppercase() || letter.is_ascii_digit() || letter == '-' || letter == '_'
            }));
            counts.1 += 1;
            gazetteer.insert(vocabulary, entry, name);
            for alias in aliases {
                gazetteer.insert(vocabulary, entry, alias);
            }
        }
        gazetteer.lower_case = lower
            .into_iter()
            .filter(|(_, (small, all))| *small >= 2 && small * 2 >= *all)
            .map(|(kind, _)| kind)
            .collect();
        gazetteer
    }

    fn insert(&mut self, vocabulary: &Vocabulary, entry: usize, name: &str) {
        let parts = parts(name);
        if parts.is_empty() || name.len() > 200 {
            return;
        }
        let kind = self.entries[entry].kind;
        self.add(entry, &parts, name, true);
        let mut bare: &[String] = &parts;
        if bare.len() > 1 && matches!(bare[0].as_str(), "the" | "a" | "an") {
            bare = &bare[1..];
            self.add(entry, bare, name, true);
        }
        if bare.len() > 1 && bare[0].chars().count() > 1 && super::grammar::is_honorific(&bare[0]) {
            bare = &bare[1..];
            self.add(entry, bare, name, true);
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
        if bare.len() > 1 && name.len() > 6 {
            self.add(entry, &[bare.concat()], name, true);
        }
        let stripped = vocabulary.strip_type_words(kind, bare);
        if stripped.len() < bare.len() && !stripped.is_empty() {
            let generic =
                stripped.len() == 1 && (super::grammar::is_closed(&stripped[0]) || stripped[0].len() < 3);
            if !generic {
                self.add(entry, stripped, name, false);
            }
        }
        if vocabulary.types[kind].human
            && bare.len() > 1
            && bare.iter().all(|part| part.chars().all(char::is_alphabetic))
        {
            self.add(entry, &bare[bare.len() - 1..], name, false);
            let initial: String = bare[0].chars().take(1).collect();
            self.add(entry, &[initial, bare[bare.len() - 1].clone()], name, true);
        }
    }

    fn add(&mut self, entry: usize, parts: &[String], name: &str, whole: bool) {
        let mut node = 0;
        for part in parts {
            let next_word = self.words.len() as u32;
            let word = *self.words.entry(part.clone()).or_insert(next_word);
            node = *self.edges.entry((node, word)).or_insert_with(|| {
                self.nodes += 1;
                self.nodes
            });
        }
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

    /// The longest known name that starts at a token: how many tokens it takes and what it may be.
    pub(super) fn find(&self, tokens: &[Token], at: usize) -> Option<(usize, Vec<Hit>)> {
        let mut node = 0;
        let mut best = None;
        let mut index = at;
        while let Some(token) = tokens.get(index) {
            let skips = token.punctuation
                && matches!(token.lower.as_str(), "." | "-" | "‐" | "/")
                && !token.spaced
                && index > at;
            if !skips {
                let own = if token.lower == "'s" { vec!["s".to_owned()] } else { token_parts(&token.lower) };
                if own.is_empty() {
                    break;
                }
                let mut reached = Some(node);
                for part in &own {
                    reached = reached.and_then(|node| self.step(node, part));
                }
                let Some(reached) = reached else { break };
                node = reached;
                if let Some(ends) = self.ends.get(&node) {
                    let hits = Self::judge(ends, &tokens[at..=index]);
                    if !hits.is_empty() {
                        best = Some((index + 1 - at, hits));
                    }
                }
            }
            index += 1;
        }
        best
    }

    /// The known entities whose name is exactly this text.
    pub(super) fn lookup(&self, name: &str) -> Vec<usize> {
        let words = parts(name);
        let found = self.lookup_parts(&words);
        match words.split_first() {
            // `Dr Roe` where the name is known without the title.
            Some((title, rest))
                if found.is_empty() && !rest.is_empty() && super::grammar::is_honorific(title) =>
            {
                self.lookup_parts(rest)
            }
            _ => found,
        }
    }

    fn lookup_parts(&self, words: &[String]) -> Vec<usize> {
        let mut node = 0;
        for part in words {
            match self.step(node, part) {
                Some(next) => node = next,
                None => return Vec::new(),
            }
        }
        let Some(ends) = self.ends.get(&node) else { return Vec::new() };
        let mut found: Vec<usize> =
            ends.iter().filter(|(_, variant)| variant.whole).map(|(entry, _)| *entry).collect();
        if found.is_empty() {
            found = ends.iter().map(|(entry, _)| *entry).collect();
        }
        found
    }

    fn step(&self, node: u32, part: &str) -> Option<u32> {
        let word = self.words.get(part)?;
        self.edges.get(&(node, *word)).copied()
    }

    fn judge(ends: &[(usize, Variant)], tokens: &[Token]) -> Vec<Hit> {
        let first = &tokens[0];
        let mut hits = Vec::new();
        for (entry, variant) in ends {
            let capital = first.capital || tokens.iter().any(|token| token.capital);
            let identifier =
                first.lower.contains(['-', '_']) || first.lower.bytes().any(|byte| byte.is_ascii_digit());
            if variant.acronym && tokens.len() == 1 && !capital {
                continue;
            }
            let strength = if !variant.whole {
                Strength::Weak
            } else if !variant.single || identifier || tokens.len() > 1 || (capital && variant.capital) {
                Strength::Full
            } else {
                Strength::Weak
            };
            hits.push(Hit { entry: *entry, strength });
        }
        if hits.iter().any(|hit| ends.iter().any(|(entry, variant)| *entry == hit.entry && variant.whole)) {
            hits.retain(|hit| ends.iter().any(|(entry, variant)| *entry == hit.entry && variant.whole));
        }
        hits
    }
}

/// The whole names of people by type and surname.
type FullNames<'a> = HashMap<(usize, String), Vec<&'a str>>;

fn full_names<'a>(vocabulary: &Vocabulary, entities: &[(usize, &'a str, &[String])]) -> FullNames<'a> {
    let mut full = FullNames::new();
    for (kind, name, _) in entities {
        let words = parts(name);
        if vocabulary.types[*kind].human
            && words.len() > 1
            && words[0].chars().count() > 1
            && !super::grammar::is_honorific(&words[0])
        {
            let known = full.entry((*kind, words[words.len() - 1].clone())).or_default();
            if !known.contains(name) {
                known.push(name);
            }
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
    let words = parts(name);
    let titled = words.len() > 1 && super::grammar::is_honorific(&words[0]);
    let bare = if titled { &words[1..] } else { &words[..] };
    let (last, first) = bare.split_last()?;
    // An initial, or a first name cut short (`Tom` for `Thomas`); a whole other name is another person.
    let shortened = |part: &String| matches!(part.chars().count(), 1 | 3 | 4);
    if !titled && !first.iter().all(shortened) {
        return None;
    }
    let candidates = full.get(&(kind, last.clone()))?;
    let fitting: Vec<&&str> = candidates
        .iter()
        .filter(|whole| {
            let whole = parts(whole);
            // Two letters more at least: `Ann` and `Anna` are two names.
            let cut = !titled && first.iter().any(|part| part.chars().count() > 1);
            if cut && whole[0].chars().count() < first[0].chars().count() + 2 {
                return false;
            }
            first.first().is_none_or(|one| whole[0].starts_with(one.as_str()))
        })
        .collect();
    match fitting.as_slice() {
        [only] => Some(**only),
        _ => None,
    }
}

/// The parts of a token in small letters.
fn token_parts(lower: &str) -> Vec<String> {
    if lower.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return vec![lower.to_owned()];
    }
    parts(lower)
}

/// A name without its type words: `Checkout Service` and `checkout-service` are one service.
fn plain_key(vocabulary: &Vocabulary, kind: usize, name: &str) -> String {
    let parts = parts(name);
    let bare = if parts.len() > 1 && parts[0] == "the" { &parts[1..] } else { &parts[..] };
    let bare = vocabulary.strip_type_words(kind, bare);
    bare.join(" ")
}
