//! Names that leave out the maker's name in front: `Tide Table` for `Kestrel Tide Table`.

use std::collections::{BTreeMap, BTreeSet};

use super::{Group, form};

/// A word in front of so many names is the name of a maker or a family.
const FAMILY: usize = 5;
/// The long form stands in at least this share of the documents that have the short one.
const BESIDE: f64 = 0.8;

/// Makes a name without the word in front another form of the name with it, where the documents that use the short one
/// nearly all use the long one too.
pub(super) fn join(groups: &mut BTreeMap<String, Group>) {
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    for group in groups.values() {
        if let Some((front, _)) = group.text.split_once(' ') {
            *families.entry(front.to_owned()).or_default() += 1;
        }
    }
    let is_family = |front: &str| families.get(front).is_some_and(|count| *count >= FAMILY);
    let mut longer: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (key, group) in groups.iter() {
        let Some((front, rest)) = group.text.split_once(' ').filter(|(front, _)| is_family(front)) else {
            continue;
        };
        let short = form(rest);
        if groups.contains_key(&short) && groups.contains_key(&form(front)) {
            longer.entry(short).or_default().insert(key.clone());
        }
    }
    for (short, long) in longer {
        let [long] = long.iter().collect::<Vec<_>>()[..] else { continue };
        let (Some(one), Some(other)) = (groups.get(&short), groups.get(long)) else { continue };
        let beside = one.uses.documents.intersection(&other.uses.documents).count();
        let abbreviation = !one.text.contains(' ') && one.text.chars().all(|letter| !letter.is_lowercase());
        if abbreviation || (beside as f64) < BESIDE * one.uses.documents.len() as f64 {
            continue;
        }
        if let Some(one) = groups.remove(&short)
            && let Some(other) = groups.get_mut(long)
        {
            other.aliases.insert(one.text);
            other.aliases.extend(one.aliases);
            other.uses.add(one.uses);
        }
    }
}
