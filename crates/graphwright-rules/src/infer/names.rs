//! Names: what writers use as proper names.
//!
//! Candidates are runs of capitalised words inside sentences, identifiers in code spans and links, and spelled-out
//! abbreviations. A candidate is a name when the documents use it as one: in capitals nearly always, rarely after `a`,
//! `each` or another word that counts things of a kind, and on its own rather than only in front of a noun. Common nouns
//! that the documents mark as terms or give an abbreviation are notions: worth an entity, but of no type of things.

mod abbreviations;
mod candidates;
mod short_forms;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use abbreviations::Abbreviation;
use graphwright_english::{inflection::singular, names::name_key as normalise};
use uses::Uses;

use super::{bases::Bases, text::Text};
pub(super) use uses::{COUNTING, is_noun_after};

/// A name with the other forms that the documents use for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub text: String,
    pub aliases: BTreeSet<String>,
    /// How often it stands in the texts.
    pub count: usize,
    /// Whether it is a common noun that the documents single out, as `operating system (OS)`.
    pub notion: bool,
}

/// A name is written in capitals in more than this share of its places.
const MOSTLY: f64 = 0.8;
/// A name stands after a word that counts things in at most this share of its places.
const RARELY: f64 = 0.15;

/// The names of a corpus, the most frequent first.
pub(super) fn find(texts: &[Text], bases: &Bases, nouns: &HashSet<String>, least: usize) -> Vec<Name> {
    let (abbreviations, ambiguous) = abbreviations::find(texts);
    let written = candidates::find(texts, least);
    let mut terms = candidates::terms(texts, nouns);
    terms.retain(|term, _| !is_order(term, bases));
    let spelled = abbreviations.iter().flat_map(|found| [&found.long, &found.short]);
    let uses = uses::scan(texts, written.iter().chain(terms.keys()).chain(spelled), bases);
    let mut groups = group(uses);
    groups.retain(|form, _| !ambiguous.contains(form));
    join_abbreviations(&mut groups, &abbreviations);
    for (term, count) in &terms {
        if let Some(group) = groups.get_mut(&form(term)) {
            group.marked += count;
        }
    }
    groups
        .retain(|_, group| (group.is_notion(least) || group.is_name(least)) && !is_order(&group.text, bases));
    short_forms::join(&mut groups);
    let mut names: Vec<Name> = groups
        .into_values()
        .map(|group| {
            let notion = !group.is_name(least);
            Name {
                count: group.uses.capital + group.uses.small,
                notion,
                text: group.plain.filter(|_| notion).unwrap_or(group.text),
                aliases: group.aliases,
            }
        })
        .collect();
    let mut owners: HashMap<String, usize> = HashMap::new();
    for spelling in names.iter().flat_map(|name| name.aliases.iter().chain([&name.text])) {
        *owners.entry(spelling.to_lowercase()).or_default() += 1;
    }
    for name in &mut names {
        // The same letters may stand for several things; then they are nobody's name.
        name.aliases.retain(|alias| owners.get(&alias.to_lowercase()) == Some(&1));
    }
    names.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.text.cmp(&right.text)));
    names
}

/// The forms of one name, and how the documents use them.
#[derive(Debug, Default)]
struct Group {
    text: String,
    /// How the documents write it as a common noun.
    plain: Option<String>,
    aliases: BTreeSet<String>,
    uses: Uses,
    /// How often the documents mark it as a term.
    marked: usize,
    /// Whether the documents give it an abbreviation.
    abbreviated: bool,
}

impl Group {
    /// Whether it is a common noun that the documents single out.
    fn is_notion(&self, least: usize) -> bool {
        let all = self.uses.capital + self.uses.small;
        // A term lives in sentences; what is only a link or a heading is a title.
        let used = self.abbreviated || all >= 3 * self.marked.max(least) || self.uses.capital >= least;
        used && all >= least && self.text.contains([' ', '-'])
    }

    /// Whether the documents use the group as a proper name.
    fn is_name(&self, least: usize) -> bool {
        let uses = &self.uses;
        let all = uses.capital + uses.small;
        let adjective = ["an", "ish", "ese", "ic"].iter().any(|ending| self.text.ends_with(ending));
        uses.capital >= least
            && uses.capital as f64 > MOSTLY * all as f64
            && (uses.indefinite < 2 && uses.indefinite < uses.heads || uses.indefinite as f64 <= RARELY * uses.heads as f64)
            // An adjective of origin never stands alone.
            && (uses.heads > 0 || !adjective)
    }
}

/// Joins the numbers of each noun.
fn group(uses: HashMap<String, Uses>) -> BTreeMap<String, Group> {
    let mut sorted: Vec<(String, Uses)> = uses.into_iter().collect();
    sorted.sort_by(|left, right| right.1.capital.cmp(&left.1.capital).then_with(|| left.0.cmp(&right.0)));
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for (lower, uses) in sorted {
        let text = uses.best().unwrap_or(&lower).to_owned();
        let group = groups.entry(form(&text)).or_default();
        if group.text.is_empty() {
            group.text = text;
            group.plain = uses.best_plain().map(str::to_owned);
        } else if normalise(&group.text) != normalise(&text) {
            // Another number of the noun is another form of the name.
            group.aliases.insert(text);
        }
        group.uses.add(uses);
    }
    groups
}

/// Gives abbreviations to what they stand for.
fn join_abbreviations(groups: &mut BTreeMap<String, Group>, abbreviations: &[Abbreviation]) {
    for Abbreviation { long, short } in abbreviations {
        let (long_form, short_form) = (form(long), form(short));
        if long_form == short_form || !groups.contains_key(&long_form) {
            continue;
        }
        let own = groups.remove(&short_form).unwrap_or_default();
        let Some(group) = groups.get_mut(&long_form) else { continue };
        let small = group.uses.small > group.uses.capital;
        if group.aliases.insert(short.clone()) {
            group.aliases.extend(own.aliases);
        }
        group.abbreviated = true;
        group.uses.add(own.uses);
        if small && group.uses.definite * 2 >= group.uses.heads {
            // One such thing: `the vessel traffic service (VTS)`.
            group.uses.capital += std::mem::take(&mut group.uses.small);
        } else if small {
            // Its abbreviation is in capitals, as all are.
            group.uses.small += std::mem::take(&mut group.uses.capital);
        }
    }
}

/// Whether a phrase begins with a verb: `Configure Kestrel`.
fn is_order(text: &str, bases: &Bases) -> bool {
    let first = text.split(' ').next().filter(|first| *first != text);
    first.is_some_and(|first| bases.contains(&first.to_lowercase()) && !uses::has_inner_capital(first))
}

/// What the forms of a name have in common: its words, the last in the singular.
fn form(name: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or(name);
    if is_plural_acronym(last) {
        return normalise(&name[..name.len() - 1]);
    }
    if last.chars().all(|letter| !letter.is_lowercase()) {
        return normalise(name);
    }
    let words = normalise(name);
    match words.rsplit_once(' ') {
        Some((before, last)) => format!("{before} {}", singular(last)),
        None => words,
    }
}

/// `VMs`, but not `DNS`.
fn is_plural_acronym(word: &str) -> bool {
    word.strip_suffix('s').is_some_and(|letters| {
        letters.chars().count() > 1
            && letters.chars().all(|letter| letter.is_uppercase() || letter.is_numeric())
    })
}
