//! Nouns for the ends of relationships: `owner`, `dependency`, `author`.

use graphwright_english::derivation;

use super::{Compiler, NounCue, Role, Shape};
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

    /// Whether the relationship tells of events, so that where they were held is where they took place.
    pub(super) fn is_of_events(&self) -> bool {
        let relation = &self.vocabulary.relations[self.relation];
        relation.from.iter().all(|kind| self.vocabulary.types[*kind].event)
    }

    pub(super) fn noun(&self, role: Role, key_only: bool) -> NounCue {
        NounCue { relation: self.relation, role, key_only }
    }
}
