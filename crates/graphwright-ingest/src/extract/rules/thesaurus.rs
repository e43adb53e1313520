//! Common English ways to say the same of two things, so that an ontology need not list them all.

use super::{
    cues::{Compiler, Shape},
    inflect,
    vocabulary::Vocabulary,
};

/// Groups of phrases that say the same; `~` marks the ones that stand the other way round.
const GROUPS: &[&[&str]] = &[
    &["owns", "possesses", "is the owner of", "~belongs to"],
    &[
        "manages",
        "leads",
        "heads",
        "directs",
        "oversees",
        "supervises",
        "is in charge of",
        "is responsible for",
    ],
    &["leads", "heads", "~is led by", "is the head of"],
    &["maintains", "looks after", "takes care of", "is responsible for"],
    &["operates", "runs"],
    &["employs", "~works for", "~works at", "~is employed by", "~is employed at"],
    &["uses", "utilises", "utilizes", "makes use of", "relies on", "depends on"],
    &[
        "depends on",
        "relies on",
        "requires",
        "needs",
        "is dependent on",
        "is reliant on",
        "is built on",
        "is built on top of",
    ],
    &[
        "contains",
        "includes",
        "comprises",
        "consists of",
        "is composed of",
        "is made up of",
        "~is part of",
        "~forms part of",
    ],
    &["is part of", "belongs to", "forms part of", "is a part of", "is included in"],
    &[
        "is located in",
        "is based in",
        "is situated in",
        "is headquartered in",
        "stands in",
        "lies in",
        "sits in",
    ],
    &["is located at", "is based at", "is situated at", "is housed at", "is housed in"],
    &["is stored in", "is kept in", "is held in", "is housed in"],
    &["produces", "manufactures", "makes"],
    &["acquired", "bought", "purchased", "took over"],
    &["founded", "established", "set up", "co-founded"],
    &["wrote", "authored", "is the author of", "co-authored"],
    &["created", "made"],
    &["painted", "is the painter of"],
    &["supplies", "delivers to", "is a supplier to", "is the supplier of"],
    &["supplied by", "delivered by", "provided by"],
    &["causes", "leads to", "results in", "brings about", "gives rise to"],
    &["treats", "is used to treat", "is used for the treatment of", "is indicated for", "is prescribed for"],
    &["is a member of", "belongs to", "is on", "sits on", "serves on"],
    &["studied at", "graduated from", "attended"],
    &["replaces", "supersedes", "takes the place of", "is the successor of", "is the successor to"],
    &["funds", "finances", "is funding", "pays for"],
    &["funded by", "financed by", "paid for by", "supported by a grant from"],
    &["sponsors", "funds"],
    &["participates in", "takes part in", "is a participant in"],
    &["connects to", "links to", "is connected to", "is linked to"],
    &["reports to", "answers to"],
    &["carries", "transports"],
    &["teaches", "is the teacher of", "gives"],
    &["affects", "has an effect on", "impacts"],
    &["collaborates with", "cooperates with", "works with", "works together with", "partners with"],
    &["serves", "calls at"],
    &["hosts", "houses"],
    &["married", "is married to"],
    &["governs", "regulates"],
    &["exhibited at", "shown at", "displayed at", "on display at", "on view at"],
    &["exhibited in", "shown in", "displayed in", "on display in", "on view in"],
    &["represents", "acts for", "appears for"],
    &["cites", "refers to", "makes reference to"],
    &["ships to", "delivers to"],
    &["written in", "implemented in", "coded in"],
    &["runs on", "is deployed on", "is hosted on"],
    &["develops", "builds"],
];

/// What makes two phrases the same: the base of the verb, the words after it, and whether it is a passive.
type Sense = (String, Vec<String>, bool);

fn sense(words: &[String]) -> Option<Sense> {
    let words: Vec<String> =
        words.iter().filter(|word| !matches!(word.as_str(), "a" | "an" | "the")).cloned().collect();
    let words = match words.split_first()? {
        (first, rest) if super::grammar::is_be(first) && !rest.is_empty() => rest.to_vec(),
        _ => words,
    };
    let (first, rest) = words.split_first()?;
    let base = if inflect::is_participle(first) || first.ends_with('s') || first.ends_with("ing") {
        inflect::bases(first).into_iter().next()?
    } else {
        inflect::bases(first).into_iter().next().unwrap_or_else(|| first.clone())
    };
    match rest.split_last() {
        Some((last, middle)) if last == "by" && inflect::is_participle(first) => {
            Some((base, middle.to_vec(), true))
        }
        _ => Some((base, rest.to_vec(), false)),
    }
}

fn split(phrase: &str) -> (Vec<String>, bool) {
    let (text, inverse) = phrase.strip_prefix('~').map_or((phrase, false), |text| (text, true));
    (text.split(' ').map(str::to_owned).collect(), inverse)
}

/// Adds to each relationship type the phrases of the groups that one of its own cues belongs to, unless another
/// relationship type between the same types claims the phrase.
pub(super) fn extend(vocabulary: &mut Vocabulary) {
    let mut own: Vec<(usize, Sense, bool)> = Vec::new();
    for cue in &vocabulary.cues {
        if let Some((base, tail, passive)) = sense(&cue.words) {
            // The cue's direction is stored for the active reading of a passive.
            let inverse = if cue.shape == Shape::Verb && passive { !cue.inverse } else { cue.inverse };
            own.push((cue.relation, (base, tail, passive), inverse));
        }
    }
    let mut additions: Vec<(usize, Vec<String>, bool, Sense)> = Vec::new();
    for group in GROUPS {
        let members: Vec<(Vec<String>, bool, Sense)> = group
            .iter()
            .filter_map(|phrase| {
                let (words, inverse) = split(phrase);
                sense(&words).map(|sense| (words, inverse, sense))
            })
            .collect();
        for (relation, of, inverse) in &own {
            let Some((_, turned, _)) = members.iter().find(|(_, _, member)| same(member, of)) else {
                continue;
            };
            let flip = *turned
                != (*inverse
                    != (of.2
                        != members
                            .iter()
                            .find(|(_, _, member)| same(member, of))
                            .is_some_and(|(_, _, member)| member.2)));
            for (words, other, sense) in &members {
                additions.push((*relation, words.clone(), *other != flip, sense.clone()));
            }
        }
    }
    for (relation, words, inverse, sense) in &additions {
        let claimed = own.iter().any(|(other, of, _)| other != relation && same(of, sense))
            || additions.iter().any(|(other, _, _, of)| {
                other != relation && same(of, sense) && meet(vocabulary, *relation, *other)
            });
        let known = own.iter().any(|(other, of, _)| other == relation && same(of, sense));
        if !claimed && !known {
            Compiler { vocabulary, relation: *relation, general: true }.add_phrase(words, *inverse);
        }
    }
}

/// Whether two senses are the same verb with the same words after it, in active or passive.
fn same(one: &Sense, other: &Sense) -> bool {
    one.0 == other.0 && one.1 == other.1
}

/// Whether two relationship types may hold between the same types.
fn meet(vocabulary: &Vocabulary, one: usize, other: usize) -> bool {
    let (one, other) = (&vocabulary.relations[one], &vocabulary.relations[other]);
    let share = |left: &[usize], right: &[usize]| left.iter().any(|kind| right.contains(kind));
    (share(&one.from, &other.from) && share(&one.to, &other.to))
        || (share(&one.from, &other.to) && share(&one.to, &other.from))
}
