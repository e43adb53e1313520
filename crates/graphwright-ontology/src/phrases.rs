//! How relationships are said: their names, cues and synonyms, compiled into phrases. Documents and questions are read by the
//! same phrases.

use graphwright_core::text::identifier_words;
use graphwright_english::{
    derivation::{Derivation, derivations},
    inflection, prose, words,
};

use crate::{Ontology, RelationshipType};

/// How a phrase stands in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `X depends on Y`.
    Verb,
    /// The participle of a verb with an agent: `Y is owned by X`.
    Passive,
    /// A participle with a preposition: `X is written in Y`, `X, written in Y,`.
    Participle,
    /// Anything else after a form of *be*, or in apposition: `X is part of Y`.
    Predicate,
    /// A noun for one end: `the owner of Y`.
    Noun,
}

/// Where a phrase comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The ontology gives it between two ends.
    Cue,
    /// The name of the relationship type.
    Name,
    /// The name without the word for the type that it ends in: `BELONGS_TO_PARTY` is also `belongs to`.
    PartOfName,
    /// A synonym.
    Synonym,
}

/// One way in which a relationship is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// How it stands in a sentence.
    pub form: Form,
    /// Its words in small letters, the first of which is found first; without articles, helping verbs, `by` and the preposition
    /// at the end. Never empty.
    pub words: Vec<String>,
    /// The preposition at its end.
    pub preposition: Option<String>,
    /// Whether the subject of its verb in the active voice, or what the noun stands for, is where the relationship starts.
    pub subject_is_start: bool,
    /// Whether that is said, or follows from its words; a noun may else stand for either end.
    pub is_sure: bool,
    /// Where it comes from.
    pub origin: Origin,
}

impl Ontology {
    /// The phrases for relationships of a type, the ontology's own first; those of the name alone for a type that the ontology
    /// does not have.
    pub fn phrases(&self, relationship: &str) -> Vec<Phrase> {
        let unknown = RelationshipType::default();
        let known = self.relationships.get(relationship).unwrap_or(&unknown);
        let cues = known.cues.iter().filter_map(|cue| Phrase::read(words_of(cue), true, Origin::Cue));
        let inverse =
            known.inverse_cues.iter().filter_map(|cue| Phrase::read(words_of(cue), false, Origin::Cue));
        let mut found: Vec<Phrase> = cues.chain(inverse).collect();
        found.extend(self.phrases_of_name(relationship, known));
        for synonym in &known.synonyms {
            found.extend(self.phrase_of_synonym(words_of(synonym), known, &found));
        }
        found
    }

    fn phrases_of_name(&self, name: &str, known: &RelationshipType) -> Vec<Phrase> {
        let words = identifier_words(name);
        let Some(last) = words.last() else { return Vec::new() };
        let begins = words::is_be(&words[0]) || words::is_have(&words[0]);
        let said = begins || begins_with_verb(&words) || inflection::is_own_participle(&words[0]);
        if !said && !words::is_preposition(last) {
            return vec![Phrase::noun(words, false, true, Origin::Name)];
        }
        let middle = words.iter().rposition(|word| words::is_preposition(word)).filter(|at| *at > 0);
        let part = middle.filter(|at| self.is_type_word(&words[at + 1..].join(" "), &known.to));
        let part = part.and_then(|at| Phrase::read(words[..=at].to_vec(), true, Origin::PartOfName));
        Phrase::read(words, true, Origin::Name).into_iter().chain(part).collect()
    }

    fn phrase_of_synonym(
        &self,
        words: Vec<String>,
        known: &RelationshipType,
        others: &[Phrase],
    ) -> Option<Phrase> {
        let (first, last) = (words.first()?, words.last()?);
        let third = first.ends_with('s') && !first.ends_with("ss") && words::is_likely_verb(first);
        if words::is_preposition(last) || words::is_be(first) || words.len() == 1 && third {
            return Phrase::read(words, true, Origin::Synonym);
        }
        let start = self.names_start(&words, known, others);
        Some(Phrase::noun(words, start.unwrap_or(false), start.is_some(), Origin::Synonym))
    }

    /// Whether a noun names where relationships of a type start rather than where they end: by the words for the types of the ends,
    /// by a verb or noun of the relationship's own that it has or comes from. `None` if nothing tells.
    fn names_start(&self, noun: &[String], known: &RelationshipType, others: &[Phrase]) -> Option<bool> {
        let (whole, last) = (noun.join(" "), noun.last()?);
        match (self.is_type_word(&whole, &known.from), self.is_type_word(&whole, &known.to)) {
            (true, false) => return Some(true),
            (false, true) => return Some(false),
            _ => {}
        }
        let singular = inflection::singular(last);
        let nouns = others.iter().filter(|other| other.form == Form::Noun);
        let same =
            |other: &&Phrase| other.words.last().is_some_and(|word| inflection::singular(word) == singular);
        if let Some(other) = nouns.into_iter().find(same) {
            return Some(other.subject_is_start);
        }
        let derived = derivations(last);
        others.iter().filter(|other| other.words.len() == 1).find_map(|other| {
            let stem = inflection::base_stem(&other.words[0]);
            let (_, derivation) = derived.iter().find(|(root, _)| *root == stem)?;
            Some((*derivation == Derivation::Agent) == other.subject_is_start)
        })
    }

    /// Whether a noun is a word for one of some types, or ends in one.
    fn is_type_word(&self, noun: &str, labels: &[String]) -> bool {
        let wanted = inflection::singular(noun);
        labels.iter().any(|label| {
            let synonyms = self.nodes.get(label).map_or(&[][..], |node| &node.synonyms);
            let own = identifier_words(label).join(" ");
            synonyms.iter().chain([&own]).any(|name| {
                let name = name.to_lowercase();
                wanted == name || wanted.ends_with(&format!(" {name}"))
            })
        })
    }
}

impl Phrase {
    /// All its words, with the preposition.
    pub fn all_words(&self) -> Vec<String> {
        self.words.iter().chain(&self.preposition).cloned().collect()
    }

    fn noun(words: Vec<String>, subject_is_start: bool, is_sure: bool, origin: Origin) -> Self {
        Self { form: Form::Noun, words, preposition: None, subject_is_start, is_sure, origin }
    }

    /// Reads what stands between a subject and an object. `None` if it has no word of its own.
    fn read(mut words: Vec<String>, subject_is_start: bool, origin: Origin) -> Option<Self> {
        let of = |words: &[String], class: fn(&str) -> bool| words.iter().any(|word| class(word));
        if words.first().is_some_and(|word| words::is_relative(word)) {
            words.remove(0);
        }
        let (be, have) = (words::is_auxiliary(words.first()?), words::is_have(&words[0]));
        let article = of(&words, words::is_article);
        words.retain(|word| {
            let helps = words::is_auxiliary(word) && word != "done" && !words::is_negation(word);
            !helps && !words::is_plain_determiner(word)
        });
        let head = words.first()?.clone();
        let bare = words.len() == 1 && !may_be_verb(&head) && !words::is_preposition(&head);
        if words.len() == 1 && have || bare && !be {
            return Some(Self::noun(words, !subject_is_start, true, origin));
        }
        let by = words[1..].iter().any(|word| word == "by");
        let participle =
            inflection::is_own_participle(&head) || (be || by) && inflection::is_participle(&head);
        let passive = participle && (by || be && words.len() == 1);
        let verb = begins_with_verb(&words);
        let ends = words.len() > 1 && words.last().is_some_and(|last| words::is_preposition(last));
        let preposition = ends.then(|| words.pop()).flatten().filter(|_| !passive);
        if passive {
            words.retain(|word| word != "by");
        }
        let form = match preposition.as_deref() {
            _ if passive => Form::Passive,
            _ if participle && (preposition.is_some() || words.len() > 1) => Form::Participle,
            _ if be && article => Form::Noun,
            Some("of") if !verb => Form::Noun,
            _ if verb && !be => Form::Verb,
            _ => Form::Predicate,
        };
        let subject_is_start = subject_is_start != passive;
        Some(Self { form, words, preposition, subject_is_start, is_sure: true, origin })
    }
}

fn words_of(phrase: &str) -> Vec<String> {
    let tokens = prose::tokenise(phrase).into_iter().filter(|token| !token.punctuation);
    tokens.map(|token| token.lower).collect()
}

/// Whether a phrase begins with a verb: `depends on`, `wrote`, not `owner of`.
fn begins_with_verb(words: &[String]) -> bool {
    let [first, .., last] = words else { return words.first().is_some_and(|only| may_be_verb(only)) };
    match last.as_str() {
        "of" if !first.ends_with('s') => matches!(first.as_str(), "consist" | "make" | "take" | "dispose"),
        _ => may_be_verb(first),
    }
}

/// Whether a word that begins a phrase may be a verb.
fn may_be_verb(word: &str) -> bool {
    let third = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && word.len() > 2;
    let irregular_past = inflection::bases(word)[0] != *word && !word.ends_with('s');
    third || irregular_past || word.ends_with("ing") || words::is_likely_verb(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONTOLOGY: &str = "
nodes: {Company: {synonyms: [firm]}, Person: {}, Party: {}}
relationships:
  OWNED_BY: {from: [Company], to: [Company], cues: [is owned by, belongs to], inverse_cues: [is the owner of], synonyms: [owner]}
  BELONGS_TO_PARTY: {from: [Person], to: [Party], synonyms: [party]}
  WRITTEN_IN: {from: [Company], to: [Party], cues: [is written in, part of, has dependency]}
  EXCLUDES: {from: [Company], to: [Company], cues: [excludes, cannot be combined with]}
";

    /// A phrase in one line: its form, its words, and `<` where its subject is where the relationship ends.
    fn shown(relationship: &str) -> Vec<String> {
        let ontology: Ontology = serde_saphyr::from_str(ONTOLOGY).unwrap();
        let line = |phrase: Phrase| {
            let turned = if phrase.subject_is_start { "" } else { "<" };
            format!("{turned}{:?} {}", phrase.form, phrase.all_words().join(" "))
        };
        ontology.phrases(relationship).into_iter().map(line).collect()
    }

    #[test]
    fn cues_are_read_in_their_voice_and_direction() {
        let own = ["<Passive owned", "Verb belongs to", "<Noun owner of", "<Passive owned", "<Noun owner"];
        assert_eq!(shown("OWNED_BY"), own);
        let written = ["Participle written in", "Noun part of", "<Noun dependency", "Participle written in"];
        assert_eq!(shown("WRITTEN_IN"), written);
    }

    #[test]
    fn a_negation_in_a_cue_is_part_of_it() {
        assert_eq!(shown("EXCLUDES"), ["Verb excludes", "Predicate cannot combined with", "Verb excludes"]);
    }

    #[test]
    fn names_are_also_said_without_the_word_for_their_end() {
        assert_eq!(shown("BELONGS_TO_PARTY"), ["Verb belongs to party", "Verb belongs to", "<Noun party"]);
        assert_eq!(
            shown("CHIEF_EXECUTIVE"),
            ["<Noun chief executive"],
            "a type that the ontology does not have"
        );
    }
}
