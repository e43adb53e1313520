//! Sets of labels or types by number, and the search for the nearest name.

use std::rc::Rc;

/// The share of letters above which differing names are taken to be other words.
const MOST_DIFFERENT: f64 = 0.34;

/// The length below which names differ by chance.
const SHORTEST: usize = 3;

/// The labels of which a node has at least one, or the types of which a relationship has one. Cheap
/// to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Any name is possible.
    Any,
    /// The query names them.
    Written(Rc<[u16]>),
    /// The connected elements leave only these.
    Inferred(Rc<[u16]>),
}

impl Names {
    /// Returns the numbers of the names, if they are known.
    pub(super) fn known(&self) -> Option<&[u16]> {
        match self {
            Self::Any => None,
            Self::Written(names) | Self::Inferred(names) => Some(names),
        }
    }

    /// Returns whether the name is possible.
    pub(super) fn may_be(&self, name: u16) -> bool {
        self.known().is_none_or(|names| names.contains(&name))
    }

    /// Adds names that the query writes. A node may have several labels, so both sets count.
    pub(super) fn add(&mut self, more: Self) {
        match (&mut *self, more) {
            (Self::Written(names), Self::Written(more)) => {
                let new: Vec<u16> = more.iter().copied().filter(|name| !names.contains(name)).collect();
                if !new.is_empty() {
                    *names = names.iter().copied().chain(new).collect();
                }
            }
            (_, Self::Any) => {}
            (_, more) => *self = more,
        }
    }

    /// Keeps the possible names, unless the query writes the names itself.
    pub(super) fn narrow(&mut self, possible: impl Iterator<Item = u16>) {
        if matches!(self, Self::Written(_)) {
            return;
        }
        let mut left: Vec<u16> = possible.filter(|&name| self.may_be(name)).collect();
        left.sort_unstable();
        left.dedup();
        if !left.is_empty() {
            *self = Self::Inferred(left.into());
        }
    }
}

/// The nearest name to a wanted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nearest<'n> {
    pub(super) name: &'n str,
    /// Whether no other name is as near.
    pub(super) alone: bool,
    /// Whether only case, separators or a plural `s` differ.
    pub(super) same: bool,
}

/// Returns the name with the nearest spelling: equal but for case, separators and a plural `s`, or
/// with few other letters.
pub(super) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<Nearest<'n>> {
    let wanted_letters = letters(wanted);
    let mut best: Option<(usize, &str)> = None;
    let mut alone = true;
    for name in names {
        let candidate = letters(name);
        let Some(distance) = distance(&wanted_letters, &candidate) else { continue };
        match best {
            Some((least, kept)) if distance > least || kept == name => {}
            Some((least, _)) if distance == least => alone = false,
            _ => {
                best = Some((distance, name));
                alone = true;
            }
        }
    }
    let (distance, name) = best?;
    // Digits make other names: `Q1` is no misspelled `Q2`.
    let alone = alone && (distance == 0 || digits(wanted) == digits(name));
    Some(Nearest { name, alone, same: distance == 0 })
}

/// Returns the number of letters by which two names differ, if they may be the same word.
fn distance(one: &str, other: &str) -> Option<usize> {
    if one == other || singular(one) == singular(other) {
        return Some(0);
    }
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    // The difference in length alone rules out most names without comparing letters.
    let most = (longer as f64 * MOST_DIFFERENT) as usize;
    if shorter < SHORTEST || longer - shorter > most {
        return None;
    }
    let distance = strsim::osa_distance(one, other);
    (distance <= most.min(3)).then_some(distance)
}

/// Returns a name without case and separators.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn singular(name: &str) -> &str {
    match name.strip_suffix('s') {
        Some(stem) if stem.len() >= SHORTEST => stem,
        _ => name,
    }
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'n>(wanted: &str, names: &[&'n str]) -> Option<(&'n str, bool)> {
        nearest(wanted, names.iter().copied()).map(|nearest| (nearest.name, nearest.alone))
    }

    #[test]
    fn case_separators_and_plurals_make_no_other_name() {
        assert_eq!(found("movies", &["Movie", "Mode"]), Some(("Movie", true)));
        assert_eq!(found("ActedIn", &["ACTED_IN", "DIRECTED"]), Some(("ACTED_IN", true)));
        assert_eq!(found("date_of_birth", &["dateOfBirth", "dateOfDeath"]), Some(("dateOfBirth", true)));
    }

    #[test]
    fn few_other_letters_are_a_misspelling() {
        assert_eq!(found("Persn", &["Person", "Movie"]), Some(("Person", true)));
        assert_eq!(found("Film", &["Movie"]), None);
        assert_eq!(found("tale", &["tile", "tall"]), Some(("tile", false)));
        assert_eq!(found("Q1", &["Q2"]), None);
        assert_eq!(found("quarter1", &["quarter2"]), Some(("quarter2", false)));
    }
}
