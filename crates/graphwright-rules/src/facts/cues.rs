//! Cue phrases: from the words of the ontology to patterns of English.

mod nouns;

pub(super) use self::nouns::is_event;
use graphwright_english::derivation;
use graphwright_ontology::{Ontology, RelationshipType};

use super::{
    inflection::{self, Form},
    vocabulary::{self, Vocabulary},
    words,
};

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

/// Compiles the cues of all relationship types into the vocabulary.
pub(super) fn compile(vocabulary: &mut Vocabulary, ontology: &Ontology) {
    for (relation, (name, definition)) in ontology.relationships.iter().enumerate() {
        let mut compiler = Compiler { vocabulary, relation };
        for cue in &definition.cues {
            compiler.add_phrase(&plain_words(cue), false);
        }
        for cue in &definition.inverse_cues {
            compiler.add_phrase(&plain_words(cue), true);
        }
        compiler.add_name(name);
        compiler.add_synonyms(definition);
        compiler.add_description(definition, ontology);
    }
}

fn plain_words(phrase: &str) -> Vec<String> {
    super::prose::tokenise(phrase)
        .into_iter()
        .filter(|token| !token.punctuation)
        .map(|token| token.lower)
        .collect()
}

pub(super) struct Compiler<'a> {
    pub(super) vocabulary: &'a mut Vocabulary,
    pub(super) relation: usize,
}

impl Compiler<'_> {
    fn add_name(&mut self, name: &str) {
        let mut words = vocabulary::words(name);
        if words.first().is_some_and(|word| word == "is") && words.len() > 1 {
            words.remove(0);
        }
        if words.len() > 1 && matches!(words[0].as_str(), "has" | "have") {
            self.add_noun(&words[1..], Role::To, false);
            return;
        }
        let [.., last] = words.as_slice() else { return };
        let verb = is_verb_like(&words);
        if !verb && !words::is_preposition(last) && !inflection::is_own_participle(&words[0]) {
            self.add_noun(&words, Role::To, false);
            self.derive(&words);
            return;
        }
        self.add_phrase(&words, false);
        if verb && let Some(bare) = self.without_end(&words) {
            self.add_phrase(&bare, false);
        }
    }

    /// The words of a name without the word for the type that it ends in: `SERVES_IN_UNIT` of units is `serves in`.
    pub(super) fn without_end(&self, words: &[String]) -> Option<Vec<String>> {
        let relation = &self.vocabulary.relations[self.relation];
        let phrases = relation.to.iter().flat_map(|kind| &self.vocabulary.types[*kind].words);
        phrases
            .filter_map(|phrase| words.strip_suffix(phrase.as_slice()))
            .find(|rest| rest.len() > 1 && rest.last().is_some_and(|last| words::is_preposition(last)))
            .map(<[String]>::to_vec)
    }

    fn add_synonyms(&mut self, definition: &RelationshipType) {
        for synonym in &definition.synonyms {
            let words = plain_words(synonym);
            let [first, ..] = words.as_slice() else { continue };
            let phrase = words.last().is_some_and(|last| words::is_preposition(last))
                || words::is_be(first)
                || (words.len() == 1
                    && first.ends_with('s')
                    && words::is_likely_verb(first)
                    && !first.ends_with("ss"));
            if phrase {
                self.add_phrase(&words, false);
            } else {
                let (role, sure) = self.role_of(&words);
                self.add_noun(&words, role, !sure);
            }
        }
    }

    /// Learns the verbs of a description of somebody: "Who wrote or edited the book."
    fn add_doer(&mut self, tokens: &[super::prose::Token]) {
        if tokens.first().is_none_or(|token| token.lower != "who") {
            return;
        }
        let verbs: Vec<String> = tokens[1..]
            .iter()
            .take_while(|token| !words::is_determiner(&token.lower))
            .filter(|token| !matches!(token.lower.as_str(), "or" | "and" | ","))
            .map(|token| token.lower.clone())
            .collect();
        let object = tokens.iter().position(|token| words::is_determiner(&token.lower)).map(|at| at + 1);
        let kinds = object.and_then(|at| self.vocabulary.type_words.find(tokens, at)).map(|(_, kinds)| kinds);
        let relation = &self.vocabulary.relations[self.relation];
        let of_start = kinds.is_some_and(|kinds| kinds.iter().any(|kind| relation.from.contains(kind)));
        let plain = verbs.iter().all(|verb| inflection::is_own_past(verb) || words::is_likely_verb(verb));
        let human = relation.to.iter().all(|kind| self.vocabulary.types[*kind].human);
        if of_start && plain && human && (1..=3).contains(&verbs.len()) {
            for verb in verbs {
                self.add_verb(&[verb], true);
            }
        }
    }

    /// Learns the verb of a description such as "A team owns the service".
    fn add_description(&mut self, definition: &RelationshipType, ontology: &Ontology) {
        let tokens = super::prose::tokenise(&definition.description);
        self.add_doer(&tokens);
        if !definition.cues.is_empty() || !definition.inverse_cues.is_empty() {
            return;
        }
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if let Some((length, kinds)) = self.vocabulary.type_words.find(&tokens, at) {
                found.push((at, at + length, *kinds[0]));
                at += length;
            } else {
                at += 1;
            }
        }
        let _ = ontology;
        let relation = &self.vocabulary.relations[self.relation];
        let [(_, first_end, first), (second_start, _, second), ..] = found.as_slice() else { return };
        let forward = relation.from.contains(first) && relation.to.contains(second);
        let backward = relation.to.contains(first) && relation.from.contains(second);
        if first == second || forward == backward {
            return;
        }
        let mut words: Vec<String> =
            tokens[*first_end..*second_start].iter().map(|token| token.lower.clone()).collect();
        while words.last().is_some_and(|word| words::is_determiner(word)) {
            words.pop();
        }
        while words.first().is_some_and(|word| matches!(word.as_str(), "that" | "which" | "who")) {
            words.remove(0);
        }
        let plain = words.iter().all(|word| word.chars().all(char::is_alphabetic) && !words::is_modal(word));
        let verb =
            words.first().is_some_and(|word| words::is_be(word) || (word.ends_with('s') && word.len() > 3));
        let copula_only = words.len() == 1 && words::is_be(&words[0]);
        if plain && verb && !copula_only && (1..=3).contains(&words.len()) {
            self.add_phrase(&words, backward);
        }
    }

    /// Adds a phrase that stands between start and end, or between end and start if `inverse`.
    pub(super) fn add_phrase(&mut self, words: &[String], inverse: bool) {
        let mut words = words.to_vec();
        while words.last().is_some_and(|word| matches!(word.as_str(), "the" | "a" | "an")) {
            words.pop();
        }
        while words.first().is_some_and(|word| words::is_relative(word)) {
            words.remove(0);
        }
        let Some(first) = words.first().cloned() else { return };
        if words::is_be(&first) && words.len() > 1 {
            let rest = words[1..].to_vec();
            if inflection::is_own_participle(&rest[0]) {
                self.add_participle(&rest, inverse);
            } else {
                self.add_predicate(&rest, inverse);
            }
        } else if words::is_have(&first) && words.len() == 2 {
            let role = if inverse { Role::From } else { Role::To };
            self.add_noun(&words[1..], role, false);
        } else if inflection::is_own_participle(&first) && words.len() > 1 {
            self.add_participle(&words, inverse);
        } else if is_verb_like(&words) {
            self.add_verb(&words, inverse);
        } else if words.len() == 1 {
            let (role, _) = self.role_of(&words);
            let role = if inverse { opposite(role) } else { role };
            self.add_noun(&words, role, false);
            if derivation::verbs_of_agent(&first).is_empty() {
                self.add_verb(&words, inverse);
            }
        } else {
            self.add_predicate(&words, inverse);
        }
    }

    fn add_participle(&mut self, words: &[String], inverse: bool) {
        let (first, last) = (&words[0], &words[words.len() - 1]);
        if last == "by" {
            // `owned by` is the passive of `owns` the other way round.
            let mut active = vec![first.clone()];
            active.extend_from_slice(&words[1..words.len() - 1]);
            self.push_verb(&active, !inverse, words);
            return;
        }
        let state = inflection::bases(first).iter().any(|base| words::is_state(base));
        let index = self.push(Shape::Participle, &words[1..], inverse, !state, words);
        for base in inflection::bases(first) {
            for (surface, form) in inflection::forms(&base) {
                if form.has(Form::PARTICIPLE) || form.has(Form::PAST) {
                    self.add_head(surface, index, form);
                }
            }
        }
    }

    fn add_verb(&mut self, words: &[String], inverse: bool) {
        self.push_verb(words, inverse, words);
    }

    fn push_verb(&mut self, words: &[String], inverse: bool, given: &[String]) {
        let first = &words[0];
        let bases = inflection::bases(first);
        // `carried out` is done once, though `carry` goes on.
        let phrasal =
            words.get(1).is_some_and(|word| matches!(word.as_str(), "out" | "up" | "over" | "off" | "down"));
        let state = !phrasal && bases.iter().any(|base| self.is_state(base));
        let past_given = !first.ends_with("ing")
            && given.last().is_none_or(|last| last != "by")
            && inflection::forms(&bases[0]).iter().any(|(surface, form)| {
                surface == first && form.has(Form::PAST) && !form.has(Form::BASE) && !form.has(Form::THIRD)
            });
        let index = self.push(Shape::Verb, &words[1..], inverse, past_given || !state, given);
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
        let words = match words {
            [first, rest @ ..]
                if matches!(first.as_str(), "a" | "an" | "the" | "one") && !rest.is_empty() =>
            {
                rest
            }
            all => all,
        };
        let index = self.push(Shape::Predicate, &words[1..], inverse, false, words);
        self.vocabulary
            .predicates
            .entry(inflection::singular(&words[0]).into_owned())
            .or_default()
            .push(index);
        if let [noun @ .., preposition] = words
            && preposition == "of"
            && !noun.is_empty()
            && noun.len() <= 3
            && !words::is_preposition(&noun[0])
        {
            let role = if inverse { Role::To } else { Role::From };
            self.add_noun(noun, role, false);
        }
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

    fn add_head(&mut self, surface: String, cue: usize, form: Form) {
        let heads = self.vocabulary.heads.entry(surface).or_default();
        match heads.iter_mut().find(|(known, _)| *known == cue) {
            Some((_, forms)) => *forms = *forms | form,
            None => heads.push((cue, form)),
        }
    }
}

fn opposite(role: Role) -> Role {
    match role {
        Role::From => Role::To,
        Role::To => Role::From,
    }
}

/// Whether a phrase begins with a verb.
fn is_verb_like(words: &[String]) -> bool {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    if words.len() > 1 && last == "of" && !first.ends_with('s') {
        return matches!(first.as_str(), "consist" | "make" | "take" | "dispose");
    }
    let third = first.ends_with('s') && !first.ends_with("ss") && !first.ends_with("us") && first.len() > 2;
    let irregular_past = inflection::bases(first)[0] != *first && !first.ends_with('s');
    third || irregular_past || first.ends_with("ing") || words::is_likely_verb(first)
}
