//! The measures of Text2KGBench (Mihindukulasooriya et al., ISWC 2023, section 4), as its
//! evaluation script computes them.
//!
//! Precision, recall and F1 are computed for each sentence and averaged over all sentences. A
//! sentence without a stated triple counts 0. Triples are equal if they are so in lower case
//! without spaces and underscores. A stated triple is left out of precision if no gold triple of
//! its sentence has its relation, because the gold of a sentence is incomplete. `strict_precision`
//! is ours and leaves none out.

use std::{collections::BTreeSet, ops::AddAssign};

use rust_stemmers::{Algorithm, Stemmer};

/// Subject, relation and object.
pub(crate) type Triple = (String, String, String);

/// Measures of one sentence, or their sums or means over many; each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measures {
    pub(crate) precision: f64,
    pub(crate) strict_precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
    /// Share of stated triples whose relation the ontology has; 1 if nothing is stated.
    pub(crate) conformance: f64,
    /// Share of stated triples whose subject is from neither the sentence nor the ontology; then
    /// for relation and object.
    pub(crate) subject_hallucination: f64,
    pub(crate) relation_hallucination: f64,
    pub(crate) object_hallucination: f64,
}

impl Measures {
    /// Returns the mean over items; zeros if there are none.
    pub(crate) fn mean(items: &[Self]) -> Self {
        let mut sum = Self::default();
        for item in items {
            sum += *item;
        }
        let count = items.len().max(1) as f64;
        for value in sum.values_mut() {
            *value /= count;
        }
        sum
    }

    fn values_mut(&mut self) -> [&mut f64; 8] {
        [
            &mut self.precision,
            &mut self.strict_precision,
            &mut self.recall,
            &mut self.f1,
            &mut self.conformance,
            &mut self.subject_hallucination,
            &mut self.relation_hallucination,
            &mut self.object_hallucination,
        ]
    }
}

impl AddAssign for Measures {
    fn add_assign(&mut self, mut other: Self) {
        for (sum, value) in self.values_mut().into_iter().zip(other.values_mut()) {
            *sum += *value;
        }
    }
}

/// Scores sentences against one ontology.
pub(crate) struct Scorer {
    relations: BTreeSet<String>,
    concepts: String,
    stemmer: Stemmer,
}

impl Scorer {
    /// Creates a scorer from the labels of the ontology's concepts and relations.
    pub(crate) fn new(concepts: &[String], relations: &[String]) -> Self {
        Self {
            relations: relations.iter().map(|label| underscored(label)).collect(),
            concepts: concepts.join(" "),
            stemmer: Stemmer::create(Algorithm::English),
        }
    }

    /// Scores one sentence by the stated and the gold triples.
    pub(crate) fn score(&self, sentence: &str, stated: &[Triple], gold_triples: &[Triple]) -> Measures {
        let all: BTreeSet<_> = stated.iter().map(key).collect();
        let gold: BTreeSet<_> = gold_triples.iter().map(key).collect();
        let spoken_of: BTreeSet<_> =
            gold_triples.iter().map(|(_, relation, _)| underscored(relation)).collect();
        let in_question = stated.iter().filter(|(_, relation, _)| spoken_of.contains(&underscored(relation)));
        let in_question: BTreeSet<_> = in_question.map(key).collect();
        let right = in_question.intersection(&gold).count();
        let precision = share(right, in_question.len());
        let recall = share(right, gold.len());
        let sum = precision + recall;
        let conforming =
            stated.iter().filter(|(_, relation, _)| self.relations.contains(&underscored(relation))).count();
        let conformance = if stated.is_empty() { 1.0 } else { share(conforming, stated.len()) };
        let text = self.stems(&format!("{sentence} {}", self.concepts));
        let absent = |part: fn(&Triple) -> &str| {
            let missing = |triple: &&Triple| !text.contains(&self.stems_of_name(part(triple)));
            share(stated.iter().filter(missing).count(), stated.len())
        };
        Measures {
            precision,
            strict_precision: share(right, all.len()),
            recall,
            f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 },
            conformance,
            subject_hallucination: absent(|triple| &triple.0),
            relation_hallucination: 1.0 - conformance,
            object_hallucination: absent(|triple| &triple.2),
        }
    }

    /// Returns the stems of a name. The gold writes a year as its first day, so that day counts as
    /// no words.
    fn stems_of_name(&self, name: &str) -> String {
        self.stems(name).replace("01januari", "")
    }

    /// Returns the stems of all words, joined without spaces.
    fn stems(&self, text: &str) -> String {
        text.to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric())
            .map(|word| self.stemmer.stem(word))
            .collect()
    }
}

fn key((subject, relation, object): &Triple) -> Triple {
    (normal(subject), normal(relation), normal(object))
}

/// Normalises a relation as the benchmark does: unlike triples, relations are compared with
/// capitals.
///
/// Two labels of its ontologies end in a space, which its script takes for `_`; we drop it.
fn underscored(relation: &str) -> String {
    relation.trim_matches([' ', '_']).replace(' ', "_")
}

/// Returns the stated triples that are not in the gold. With swapped arguments, returns those that
/// were missed.
pub(crate) fn wrong<'a>(stated: &'a [Triple], gold: &[Triple]) -> Vec<&'a Triple> {
    let gold: BTreeSet<_> = gold.iter().map(key).collect();
    stated.iter().filter(|triple| !gold.contains(&key(triple))).collect()
}

/// Normalises a text: lower case, without spaces and underscores.
fn normal(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::{Measures, Scorer, Triple};

    fn triple(subject: &str, relation: &str, object: &str) -> Triple {
        (subject.to_owned(), relation.to_owned(), object.to_owned())
    }

    fn scorer() -> Scorer {
        Scorer::new(&["ship".to_owned()], &["commanded by".to_owned(), "home port".to_owned()])
    }

    #[test]
    fn a_relation_that_the_gold_does_not_speak_of_costs_no_precision_but_strict() {
        let gold = [triple("Aurora", "commanded by", "Ann Lee"), triple("Aurora", "commanded by", "Bo Ek")];
        let stated = [triple("aurora", "commanded_by", "AnnLee"), triple("Aurora", "home port", "Oslo")];
        let score = scorer().score("Aurora of Oslo was commanded by Ann Lee.", &stated, &gold);
        let shown = format!("{:.2} {:.2} {:.2}", score.precision, score.strict_precision, score.recall);
        assert_eq!(shown, "1.00 0.50 0.50");
        assert!((score.f1 - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn what_neither_sentence_nor_ontology_has_is_hallucinated() {
        let stated =
            [triple("Auroras", "commanded by", "ship"), triple("Borea", "sunk by", "01 January 1917")];
        let score = scorer().score("Aurora was commanded in 1917.", &stated, &[]);
        let hallucinated =
            [score.subject_hallucination, score.relation_hallucination, score.object_hallucination];
        assert_eq!(format!("{:.2} {hallucinated:.2?}", score.conformance), "0.50 [0.50, 0.50, 0.00]");
    }

    #[test]
    fn nothing_stated_conforms_and_finds_nothing() {
        let gold = [triple("Aurora", "home port", "Oslo")];
        let score = scorer().score("Aurora is from Oslo.", &[], &gold);
        assert_eq!(score, Measures { conformance: 1.0, ..Measures::default() });
    }
}
