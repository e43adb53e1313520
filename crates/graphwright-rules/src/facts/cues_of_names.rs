//! What the name of a relationship says beyond its own words: `screenwriter` is who wrote, `production company` who
//! produced, `filming location` where it was filmed.

use graphwright_english::derivation;

use super::{
    cues::{Compiler, Role},
    inflection::{self, Form},
    words,
};

/// Nouns for a doing whose verb is not formed by a rule.
const DOINGS: &[(&str, &str)] = &[
    ("publication", "publish"),
    ("birth", "bear"),
    ("death", "die"),
    ("burial", "bury"),
    ("acquisition", "acquire"),
    ("foundation", "found"),
    ("residence", "reside"),
    ("residency", "reside"),
    ("service", "serve"),
    ("delivery", "deliver"),
    ("discovery", "discover"),
    ("sale", "sell"),
    ("loss", "lose"),
];

/// The verb that a noun for a doing comes from: `production` → `produce`, `filming` → `film`.
pub(super) fn verb_of_doing(noun: &str) -> Option<String> {
    if let Some((_, verb)) = DOINGS.iter().find(|(doing, _)| *doing == noun) {
        return Some((*verb).to_owned());
    }
    if noun.ends_with("ing") {
        return inflection::bases(noun).into_iter().next();
    }
    let stems = ["ition", "ation", "ion", "ment", "al", "ance", "ence", "ship", "ure"]
        .iter()
        .filter_map(|ending| noun.strip_suffix(ending).filter(|stem| stem.len() > 2));
    stems
        .flat_map(|stem| [stem.to_owned(), format!("{stem}e"), format!("{stem}ate")])
        .chain([noun.to_owned()])
        .find(|verb| words::is_likely_verb(verb))
}

/// The agent noun at the end of a compound: `screenwriter` → `writer`.
fn agent_in_compound(noun: &str) -> Option<&str> {
    (3..noun.len().saturating_sub(4)).filter_map(|at| noun.get(at..)).find(|agent| {
        derivation::verbs_of_agent(agent).iter().any(|verb| verb.len() > 2 && words::is_likely_verb(verb))
    })
}

impl Compiler<'_> {
    /// Whether the simple past of a verb says that the matter is over, in this relationship: a film that was directed
    /// by someone still is.
    pub(super) fn is_state(&self, base: &str) -> bool {
        let of_works = || {
            let relation = &self.vocabulary.relations[self.relation];
            relation.from.iter().chain(&relation.to).any(|kind| self.vocabulary.types[*kind].work)
        };
        words::is_state(base) && !(base == "direct" && of_works())
    }

    /// Adds what follows from the form of a relationship's name.
    pub(super) fn derive(&mut self, words: &[String]) {
        match words {
            [only] => {
                if let Some(agent) = agent_in_compound(only) {
                    let verbs = derivation::verbs_of_agent(agent);
                    let known = verbs.into_iter().find(|verb| words::is_likely_verb(verb));
                    self.add_done(known.as_deref(), "by");
                }
            }
            [doing, place] if matches!(place.as_str(), "location" | "place" | "site" | "venue") => {
                let verb = verb_of_doing(doing);
                for preposition in ["in", "at"] {
                    self.add_done(verb.as_deref(), preposition);
                }
            }
            [doing, end] if self.names_end(end) => {
                let verb = verb_of_doing(doing);
                self.add_done(verb.as_deref(), "by");
            }
            [group, member] if member == "member" || member == "members" => {
                self.add_noun(std::slice::from_ref(group), Role::To, false);
            }
            [_, participle] if inflection::is_own_participle(participle) => {
                let base = inflection::bases(participle).into_iter().next().unwrap_or_default();
                self.add_phrase(&[base], false);
            }
            _ => {
                if let Some(bare) = self.without_end(words) {
                    self.add_phrase(&bare, false);
                }
            }
        }
    }

    /// Whether a word is one for a type that the relationship ends at, or ends one.
    fn names_end(&self, word: &str) -> bool {
        let ends = &self.vocabulary.relations[self.relation].to;
        let noun = inflection::singular(word).into_owned();
        ends.iter()
            .flat_map(|kind| &self.vocabulary.types[*kind].words)
            .any(|phrase| phrase.last() == Some(&noun))
    }

    /// Adds the participle of a verb with a preposition: `produced by`, `filmed in`.
    fn add_done(&mut self, verb: Option<&str>, preposition: &str) {
        let Some(verb) = verb else { return };
        let participle = inflection::forms(verb)
            .into_iter()
            .find(|(_, form)| form.has(Form::PARTICIPLE))
            .map(|(surface, _)| surface);
        if let Some(participle) = participle {
            self.add_phrase(&[participle, preposition.to_owned()], false);
        }
    }
}
