//! Nouns for the ends of relationships: `owner`, `dependency`, `author`.

use graphwright_english::derivation;

use super::{Compiler, Cue, NounCue, Role, Shape};
use crate::facts::inflection;

impl Compiler<'_> {
    /// Adds a noun for one end of the relationship, and the passive of the verb it comes from.
    pub(in crate::facts) fn add_noun(&mut self, words: &[String], role: Role, key_only: bool) {
        let mut singular = words.to_vec();
        if let Some(last) = singular.last_mut() {
            *last = inflection::singular(last).into_owned();
        }
        let noun = self.noun(role, key_only);
        self.vocabulary.nouns.insert(&singular, noun);
        let [only] = singular.as_slice() else { return };
        for base in derivation::verbs_of_agent(only) {
            let known = self.vocabulary.heads.get(&base).is_some_and(|heads| {
                heads.iter().any(|(cue, _)| self.vocabulary.cues[*cue].relation == self.relation)
            });
            if !known {
                let state = self.is_state(&base);
                let given = vec![base.clone()];
                let index = self.push(Shape::Verb, &[], role == Role::To, !state, &given);
                for (surface, form) in inflection::forms(&base) {
                    if surface != *only {
                        self.add_head(surface, index, form);
                    }
                }
            }
        }
    }

    /// Which end of the relationship a noun names, and whether that is sure.
    pub(super) fn role_of(&self, words: &[String]) -> (Role, bool) {
        let Some(last) = words.last() else { return (Role::To, false) };
        let noun = inflection::singular(last).into_owned();
        // `blend` where a cue is `is a blend of`.
        if let Some(cue) = self.own_predicate(&noun) {
            return (if cue.inverse { Role::To } else { Role::From }, true);
        }
        let relation = &self.vocabulary.relations[self.relation];
        let names = |kinds: &[usize]| {
            kinds.iter().any(|kind| {
                self.vocabulary.types[*kind].words.iter().any(|phrase| phrase.last() == Some(&noun))
            })
        };
        match (names(&relation.from), names(&relation.to)) {
            (true, false) => return (Role::From, true),
            (false, true) => return (Role::To, true),
            _ => {}
        }
        let human = |kinds: &[usize]| kinds.iter().all(|kind| self.vocabulary.types[*kind].human);
        if names_person(&noun) && human(&relation.from) != human(&relation.to) {
            return (if human(&relation.from) { Role::From } else { Role::To }, true);
        }
        let distinct = !relation.from.iter().any(|kind| relation.to.contains(kind));
        let own = derivation::verbs_of_agent(&noun);
        for base in &own {
            for (cue, _) in self.vocabulary.heads.get(base).into_iter().flatten() {
                let cue = &self.vocabulary.cues[*cue];
                if cue.relation == self.relation {
                    return (if cue.inverse { Role::To } else { Role::From }, true);
                }
            }
        }
        if noun.ends_with("ent") || noun.ends_with("ant") {
            for (cue, _) in self.vocabulary.heads.get(&noun[..noun.len() - 3]).into_iter().flatten() {
                let cue = &self.vocabulary.cues[*cue];
                if cue.relation == self.relation {
                    return (if cue.inverse { Role::To } else { Role::From }, true);
                }
            }
        }
        (Role::To, distinct || !own.is_empty() || noun.ends_with("ency"))
    }

    /// Whether the relationship tells of events, so that where they were held is where they took place.
    pub(super) fn is_of_events(&self) -> bool {
        let relation = &self.vocabulary.relations[self.relation];
        relation.from.iter().all(|kind| self.vocabulary.types[*kind].event)
    }

    /// The relationship's own cue `is the NOUN of`.
    pub(super) fn own_predicate(&self, noun: &str) -> Option<&Cue> {
        let cues = self.vocabulary.predicates.get(noun)?.iter().map(|cue| &self.vocabulary.cues[*cue]);
        cues.into_iter()
            .find(|cue| cue.relation == self.relation && matches!(cue.tail.as_slice(), [of] if of == "of"))
    }

    pub(super) fn noun(&self, role: Role, key_only: bool) -> NounCue {
        NounCue { relation: self.relation, role, key_only }
    }
}

/// Whether a noun names somebody by what they do.
fn names_person(noun: &str) -> bool {
    ["er", "or", "ist", "ian", "man", "woman", "person", "ant", "ee"]
        .iter()
        .any(|ending| noun.ends_with(ending))
        && noun.len() > 4
        || matches!(
            noun,
            "head"
                | "chair"
                | "lead"
                | "boss"
                | "chief"
                | "president"
                | "coach"
                | "captain"
                | "student"
                | "pupil"
                | "apprentice"
                | "contact"
                | "resident"
                | "delegate"
                | "heir"
                | "agent"
                | "host"
        )
}

graphwright_english::word_class! {
    /// Words for types of events.
    pub(in crate::facts) is_event:
    "exhibition" "show" "meeting" "conference" "festival" "race" "match" "game" "event" "concert" "election" "hearing"
    "incident" "outage" "accident" "expedition" "battle" "workshop" "fair" "tournament" "competition" "performance"
    "voyage" "excavation" "inspection" "visit" "flight" "auction" "ceremony" "trial"
}
