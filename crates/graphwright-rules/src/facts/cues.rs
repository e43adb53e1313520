//! Cue phrases: from the words of the ontology to patterns of English.

mod nouns;

use graphwright_english::derivation;
use graphwright_ontology::{Form, Ontology, Phrase};

use super::{inflection, vocabulary::Vocabulary, words};

/// How a cue stands in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A verb: `X depends on Y`; with a passive: `Y is used by X`.
    Verb,
    /// A participle with a preposition: `X is written in Y`, `X, written in Y,`.
    Participle,
    /// Anything else after a form of *be*, or in apposition: `X is part of Y`.
    Predicate,
}

/// A cue phrase.
#[derive(Clone, Debug)]
pub(super) struct Cue {
    pub(super) relation: usize,
    /// Whether the relationship starts at what stands right of the phrase.
    pub(super) inverse: bool,
    pub(super) shape: Shape,
    /// The words after the first.
    pub(super) tail: Vec<String>,
    /// Whether the simple past says that it still is so.
    pub(super) past_holds: bool,
    /// All words as given, for keys of fields.
    pub(super) words: Vec<String>,
}

/// The end of a relationship that a noun names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    From,
    To,
}

/// A noun that names one end of a relationship: `owner`, `dependency`, `author`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NounCue {
    pub(super) relation: usize,
    pub(super) role: Role,
    /// Only as the key of a field, not in sentences.
    pub(super) key_only: bool,
}

/// Compiles the phrases of all relationship types into the vocabulary.
pub(super) fn compile(vocabulary: &mut Vocabulary, ontology: &Ontology) {
    for (relation, name) in ontology.relationships.keys().enumerate() {
        let mut compiler = Compiler { vocabulary, relation };
        for phrase in ontology.phrases(name) {
            compiler.add(&phrase);
        }
    }
}

pub(super) struct Compiler<'a> {
    pub(super) vocabulary: &'a mut Vocabulary,
    pub(super) relation: usize,
}

impl Compiler<'_> {
    fn add(&mut self, phrase: &Phrase) {
        let (words, inverse) = (phrase.all_words(), !phrase.subject_is_start);
        let role = if inverse { Role::To } else { Role::From };
        match phrase.form {
            Form::Verb => self.add_verb(&words, inverse),
            Form::Passive => self.add_passive(&words, inverse),
            Form::Participle => self.add_participle(&words, inverse),
            Form::Noun if phrase.is_sure && phrase.preposition.is_none() => {
                self.add_noun(&words, role, false);
            }
            Form::Noun if phrase.preposition.is_none() => self.add_either_end(&words),
            Form::Noun | Form::Predicate => self.add_predicate(&words, inverse),
        }
        if phrase.form == Form::Noun && phrase.preposition.as_deref() == Some("of") {
            self.add_noun(&phrase.words, role, false);
        }
    }

    /// A noun that may stand for either end: the types of the names around it tell which, where the ends differ in type.
    fn add_either_end(&mut self, words: &[String]) {
        let relation = &self.vocabulary.relations[self.relation];
        let distinct = !relation.from.iter().any(|kind| relation.to.contains(kind));
        self.add_noun(words, Role::To, !distinct);
        if distinct {
            self.add_noun(words, Role::From, false);
        }
    }

    /// Whether the simple past of a verb says that the matter is over, in this relationship: a film that was directed
    /// by someone still is.
    fn is_state(&self, base: &str) -> bool {
        let of_works = || {
            let relation = &self.vocabulary.relations[self.relation];
            relation.from.iter().chain(&relation.to).any(|kind| self.vocabulary.types[*kind].work)
        };
        words::is_state(base) && !(base == "direct" && of_works())
    }

    fn add_participle(&mut self, words: &[String], inverse: bool) {
        let first = &words[0];
        let state = inflection::bases(first).iter().any(|base| words::is_state(base));
        let index = self.push(Shape::Participle, &words[1..], inverse, !state, words);
        for base in inflection::bases(first) {
            for (surface, form) in inflection::forms(&base) {
                if form.has(inflection::Form::PARTICIPLE) || form.has(inflection::Form::PAST) {
                    self.add_head(surface, index, form);
                }
            }
        }
    }

    fn add_verb(&mut self, words: &[String], inverse: bool) {
        let first = &words[0];
        let past = !first.ends_with("ing")
            && inflection::forms(&inflection::bases(first)[0]).iter().any(|(surface, form)| {
                surface == first
                    && form.has(inflection::Form::PAST)
                    && !form.has(inflection::Form::BASE)
                    && !form.has(inflection::Form::THIRD)
            });
        self.push_verb(words, inverse, past, words);
    }

    /// `owned by` is `owns` the other way round.
    fn add_passive(&mut self, words: &[String], inverse: bool) {
        let mut given = words.to_vec();
        given.push("by".to_owned());
        self.push_verb(words, inverse, false, &given);
    }

    fn push_verb(&mut self, words: &[String], inverse: bool, past_holds: bool, given: &[String]) {
        let first = &words[0];
        let bases = inflection::bases(first);
        // `carried out` is done once, though `carry` goes on.
        let phrasal =
            words.get(1).is_some_and(|word| matches!(word.as_str(), "out" | "up" | "over" | "off" | "down"));
        let state = !phrasal && bases.iter().any(|base| self.is_state(base));
        let index = self.push(Shape::Verb, &words[1..], inverse, past_holds || !state, given);
        for base in &bases {
            for (surface, form) in inflection::forms(base) {
                self.add_head(surface, index, form);
            }
        }
        if words.len() == 1 {
            let role = if inverse { Role::To } else { Role::From };
            for base in &bases {
                for agent in derivation::agents(base) {
                    let noun = self.noun(role, false);
                    self.vocabulary.nouns.insert(&[agent], noun);
                }
            }
        }
        let tail_allows = words.len() == 1 || (words.len() == 2 && words::is_preposition(&words[1]));
        if tail_allows {
            for base in &bases {
                for noun in derivation::nominalisations(base) {
                    self.vocabulary.doings.entry(noun.clone()).or_default().push(index);
                    if words.len() == 2 && noun.ends_with("ency") {
                        let role = if inverse { Role::From } else { Role::To };
                        let cue = self.noun(role, false);
                        self.vocabulary.nouns.insert(&[noun], cue);
                    }
                }
            }
            if words.len() == 2 {
                for base in &bases {
                    for adjective in [format!("{base}ent"), format!("{base}ant")] {
                        let given = [adjective, words[1].clone()];
                        let index = self.push(Shape::Predicate, &given[1..], inverse, false, &given);
                        self.vocabulary.predicates.entry(given[0].clone()).or_default().push(index);
                    }
                }
            }
        }
    }

    fn add_predicate(&mut self, words: &[String], inverse: bool) {
        let index = self.push(Shape::Predicate, &words[1..], inverse, false, words);
        let head = inflection::singular(&words[0]).into_owned();
        self.vocabulary.predicates.entry(head).or_default().push(index);
    }

    fn push(
        &mut self,
        shape: Shape,
        tail: &[String],
        inverse: bool,
        past_holds: bool,
        words: &[String],
    ) -> usize {
        let same = |cue: &Cue| {
            cue.relation == self.relation
                && cue.words == words
                && cue.shape == shape
                && cue.inverse == inverse
        };
        if let Some(index) = self.vocabulary.cues.iter().position(same) {
            return index;
        }
        let past_holds = past_holds || self.is_of_events();
        self.vocabulary.cues.push(Cue {
            relation: self.relation,
            inverse,
            shape,
            tail: tail.to_vec(),
            past_holds,
            words: words.to_vec(),
        });
        self.vocabulary.cues.len() - 1
    }

    fn add_head(&mut self, surface: String, cue: usize, form: inflection::Form) {
        let heads = self.vocabulary.heads.entry(surface).or_default();
        match heads.iter_mut().find(|(known, _)| *known == cue) {
            Some((_, forms)) => *forms = *forms | form,
            None => heads.push((cue, form)),
        }
    }
}
