//! Verbs and predicates: `X depends on Y`, `Y is owned by X`, `X, written in Y,`, `X is part of Y`.

use graphwright_english::parse::Tag;

use super::{Reader, Statement};
use crate::facts::{
    cues::{Cue, Shape},
    inflection::Form,
    tree::{SentenceTree, Subject},
    words,
};

/// A cue at a word, with what stands left and right of it when it is read forwards.
struct Match<'c> {
    cue: &'c Cue,
    head: usize,
    left: Vec<Subject>,
    right: Vec<Subject>,
}

impl Reader<'_, '_> {
    /// What the verbs and predicates of a sentence state.
    pub(super) fn verbal(&self, sentence: &SentenceTree<'_>) -> Vec<Statement> {
        let mut found: Vec<Match<'_>> = Vec::new();
        for word in (0..sentence.len()).filter(|word| !sentence.in_name(*word)) {
            found.extend(self.verbs_at(sentence, word));
            found.extend(self.predicates_at(sentence, word));
        }
        let longest = |one: &&Match<'_>| {
            !found.iter().any(|other| {
                other.head == one.head
                    && other.cue.tail.len() > one.cue.tail.len()
                    && other.cue.relation != one.cue.relation
                    && other.right.iter().any(|right| one.right.contains(right))
            })
        };
        let statement = |found: &Match<'_>| {
            let lasting = found.cue.past_holds || words::is_lasting_noun(&found.cue.words[0]);
            let status = sentence.status(found.head, lasting);
            let (from, to) = (found.left.clone(), found.right.clone());
            let (from, to) = if found.cue.inverse { (to, from) } else { (from, to) };
            Statement { relation: found.cue.relation, from, to, status }
        };
        found.iter().filter(longest).map(statement).collect()
    }

    fn verbs_at(&self, sentence: &SentenceTree<'_>, verb: usize) -> Vec<Match<'_>> {
        let vocabulary = self.lexicon.vocabulary;
        let Some(heads) = vocabulary.heads.get(sentence.lower(verb)) else { return Vec::new() };
        let tag = sentence.tree().tag(verb);
        let adjectival = tag == Tag::Adj && sentence.subject(verb).is_some();
        if !sentence.is_verb(verb) && !adjectival {
            return Vec::new();
        }
        let passive = sentence.is_passive(verb) || adjectival;
        let subject: Vec<Subject> = sentence.subject(verb).into_iter().collect();
        let words = |words: Vec<usize>| words.into_iter().map(Subject::Word).collect::<Vec<_>>();
        let mut found = Vec::new();
        for (index, form) in heads {
            let cue = &vocabulary.cues[*index];
            let participle = form.has(Form::PARTICIPLE) || form.has(Form::PAST);
            let (left, right) = match cue.shape {
                Shape::Participle if passive && participle => {
                    (subject.clone(), words(sentence.complements(verb, &cue.tail)))
                }
                // `X merged with Y`: what is told as a state may also be told as a deed.
                Shape::Participle if participle && sentence.tree().child(verb, "obj").is_none() => {
                    (subject.clone(), words(sentence.complements(verb, &cue.tail)))
                }
                Shape::Verb if passive => {
                    let done = if cue.tail.is_empty() {
                        subject.clone()
                    } else {
                        words(sentence.complements(verb, &cue.tail))
                    };
                    let stranded = done.is_empty() && Self::strands(sentence, verb, &cue.tail);
                    (words(sentence.agents(verb)), if stranded { subject.clone() } else { done })
                }
                Shape::Verb => (subject.clone(), words(sentence.complements(verb, &cue.tail))),
                _ => continue,
            };
            if !left.is_empty() && !right.is_empty() {
                found.push(Match { cue, head: verb, left, right });
            }
        }
        found
    }

    /// `X is relied on by Y`: the words behind the verb have lost what they lead to, which is the subject.
    fn strands(sentence: &SentenceTree<'_>, verb: usize, tail: &[String]) -> bool {
        tail.iter().all(|wanted| sentence.tree().children(verb).any(|child| sentence.lower(child) == wanted))
    }

    fn predicates_at(&self, sentence: &SentenceTree<'_>, word: usize) -> Vec<Match<'_>> {
        let vocabulary = self.lexicon.vocabulary;
        let tree = sentence.tree();
        let mut found = Vec::new();
        let spellings = [sentence.lower(word), tree.lemma(word)];
        for spelling in spellings.iter().take(if spellings[0] == spellings[1] { 1 } else { 2 }) {
            for index in vocabulary.predicates.get(*spelling).into_iter().flatten() {
                let cue = &vocabulary.cues[*index];
                let matched = if words::is_preposition(&cue.words[0]) {
                    Self::prepositional(sentence, word, cue)
                } else {
                    Self::predicative(sentence, word, cue)
                };
                found.extend(matched);
            }
        }
        found
    }

    /// `X is part of Y`, `X, part of Y,`, `X serves as part of Y`.
    fn predicative<'c>(sentence: &SentenceTree<'_>, word: usize, cue: &'c Cue) -> Option<Match<'c>> {
        let subject = Self::predicated(sentence, word)?;
        let right = sentence.complements(word, &cue.tail).into_iter().map(Subject::Word).collect::<Vec<_>>();
        (!right.is_empty() && !cue.tail.is_empty()).then(|| Match {
            cue,
            head: word,
            left: vec![subject],
            right,
        })
    }

    /// What a noun or adjective is said of.
    pub(super) fn predicated(sentence: &SentenceTree<'_>, word: usize) -> Option<Subject> {
        let tree = sentence.tree();
        if tree.child(word, "cop").is_some() {
            return sentence.subject(word);
        }
        let head = tree.head(word);
        match sentence.base_relation(word) {
            "root" => sentence.subject(word),
            // `X bought Y, a bank`: what stands nearer may be meant.
            "appos" => head
                .filter(|head| !(head + 1..word).any(|word| sentence.name(word).is_some()))
                .map(Subject::Word),
            "amod" | "acl" => head.map(Subject::Word),
            "conj" => Self::predicated(sentence, head?),
            "xcomp" => sentence.subject(head?),
            // `serves as the owner of`
            "obl" if sentence.has_joint(word, &["as"]) => {
                let head = head?;
                tree.child(head, "obj").map(Subject::Word).or_else(|| sentence.subject(head))
            }
            _ => None,
        }
    }

    /// `X is in Y`, `X is on top of Y`: the preposition hangs on what is behind it.
    fn prepositional<'c>(sentence: &SentenceTree<'_>, joint: usize, cue: &'c Cue) -> Option<Match<'c>> {
        let tree = sentence.tree();
        let noun = tree.head(joint).filter(|_| tree.is(joint, "case"))?;
        let left = if tree.child(noun, "cop").is_some() {
            sentence.subject(noun)?
        } else {
            let beside = sentence.base_relation(noun) == "nmod";
            Subject::Word(tree.head(noun).filter(|_| beside)?)
        };
        let right = match cue.words.as_slice() {
            [_] => vec![noun],
            [_, second, ..] if sentence.lower(noun) == second => sentence.complements(noun, &cue.words[2..]),
            _ => return None,
        };
        let right: Vec<Subject> = right.into_iter().map(Subject::Word).collect();
        (!right.is_empty()).then(|| Match { cue, head: noun, left: vec![left], right })
    }
}
