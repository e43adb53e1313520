//! Nouns for an end of a relationship, and for what is done: `the owner of X is Y`, `X's owner, Y`, `X's dependency on Y`.

use graphwright_english::parse::Tag;

use super::{Reader, Statement};
use crate::facts::{
    collect::Status,
    cues::{NounCue, Role},
    tree::{SentenceTree, Subject},
    words,
};

/// Whose something is, and whether that is said to be so.
pub(super) struct Holder {
    pub(super) holders: Vec<Subject>,
    pub(super) status: Status,
}

impl Reader<'_, '_> {
    /// What the nouns of a sentence state.
    pub(super) fn nominal(&self, sentence: &SentenceTree<'_>) -> Vec<Statement> {
        let tokens = sentence.sentence.tokens;
        let mut found = Vec::new();
        for at in 0..tokens.len() {
            if let Some((length, nouns)) = self.lexicon.vocabulary.nouns.find(tokens, at)
                && let Some(word) = sentence.word_of(at + length - 1)
                && !sentence.in_name(word)
                && sentence.is_nominal(word)
            {
                for noun in nouns.into_iter().filter(|noun| !noun.key_only) {
                    found.extend(Self::borne(sentence, word, *noun));
                }
            }
            if let Some(word) = sentence.word_of(at).filter(|word| !sentence.in_name(*word)) {
                found.extend(self.doings(sentence, word));
            }
        }
        found
    }

    /// `the owner of X is Y`: the noun says what Y is to X.
    fn borne(sentence: &SentenceTree<'_>, noun: usize, cue: NounCue) -> Option<Statement> {
        let bearers = Self::bearers(sentence, noun);
        if bearers.is_empty() {
            return None;
        }
        let holder = Self::holder(sentence, noun, &bearers)?;
        let former = sentence.tree().children(noun).any(|child| {
            sentence.base_relation(child) == "amod" && words::is_former_adjective(sentence.lower(child))
        });
        let own = if former { Status::NotCurrent } else { Status::Fact };
        let (from, to) = match cue.role {
            Role::To => (holder.holders, bearers),
            Role::From => (bearers, holder.holders),
        };
        let predicate = sentence.tree().path(noun).find(|word| sentence.is_predicate(*word));
        let lasting = words::is_lasting_noun(sentence.lower(noun));
        let around = predicate.map_or(Status::Fact, |predicate| sentence.status(predicate, lasting));
        Some(Statement { relation: cue.relation, from, to, status: own.max(holder.status).max(around) })
    }

    /// Who or what a noun is said of: `Y is the owner`, `the owner is Y`, `the owner, Y`, `Y, the owner`, `owner Y`.
    fn bearers(sentence: &SentenceTree<'_>, noun: usize) -> Vec<Subject> {
        let tree = sentence.tree();
        let named = |word: &usize| sentence.name(*word).is_some();
        if let Some(head) = tree.head(noun) {
            match sentence.base_relation(noun) {
                "nsubj" if tree.child(head, "cop").is_some() && sentence.is_nominal(head) => {
                    return vec![Subject::Word(head)];
                }
                // `The owners are: A, B`, `the owners include A and B`.
                "nsubj"
                    if matches!(tree.lemma(head), "include" | "be" | "comprise" | "remain" | "become") =>
                {
                    let named = sentence.children(head, &["obj", "xcomp", "obl"]).map(Subject::Word);
                    return named.take(1).collect();
                }
                "compound" | "appos" | "flat" if named(&head) => {
                    // `Ann, Bo and Cy, the owner`: one is, and the nearest.
                    let one = sentence.lower(noun) == tree.lemma(noun);
                    let listed = sentence.listed(head).into_iter().map(|(word, _)| word);
                    let nearest = listed.filter(|word| one && *word < noun).max();
                    return vec![Subject::Word(nearest.unwrap_or(head))];
                }
                _ => {}
            }
        }
        let beside = sentence.children(noun, &["appos", "flat", "compound", "parataxis"]);
        let beside: Vec<usize> = beside.filter(|child| *child > noun && named(child)).collect();
        if !beside.is_empty() {
            return beside.into_iter().map(Subject::Word).collect();
        }
        match Self::predicated(sentence, noun) {
            Some(Subject::Word(word)) if word != noun => vec![Subject::Word(word)],
            _ => Vec::new(),
        }
    }

    /// Whose a thing is: `X's W`, `the W of X`, `X has a W`, `X with a W`; `the W` on a page on X.
    pub(super) fn holder(sentence: &SentenceTree<'_>, noun: usize, but: &[Subject]) -> Option<Holder> {
        let tree = sentence.tree();
        let words = |words: Vec<usize>| {
            let holders: Vec<Subject> =
                words.into_iter().map(Subject::Word).filter(|word| !but.contains(word)).collect();
            (!holders.is_empty()).then_some(Holder { holders, status: Status::Fact })
        };
        let possessor = tree.children(noun).find(|child| tree.relation(*child) == "nmod:poss");
        if let Some(possessor) = possessor {
            return words(vec![sentence.antecedent(possessor).unwrap_or(possessor)]);
        }
        let of = sentence.children(noun, &["nmod", "obl"]);
        let of: Vec<usize> = of
            .filter(|child| {
                sentence.has_joint(*child, &["of", "for", "at", "in", "to"]) && tree.tag(*child) != Tag::Num
            })
            .map(|child| sentence.antecedent(child).unwrap_or(child))
            .take(1)
            .collect();
        if let Some(found) = words(of) {
            return Some(found);
        }
        let compound = sentence
            .children(noun, &["compound"])
            .filter(|child| *child < noun && sentence.name(*child).is_some());
        if let Some(found) = words(compound.collect()) {
            return Some(found);
        }
        Self::haver(sentence, noun).or_else(|| {
            let definite = sentence.children(noun, &["det"]).any(|child| sentence.lower(child) == "the");
            let leads = sentence.base_relation(noun) == "nsubj" || tree.head(noun).is_none();
            (leads && (definite || tree.head(noun).is_none()))
                .then(|| Holder { holders: vec![Subject::Topic], status: Status::Fact })
        })
    }

    /// `X has a W`, `X with a W`, `X is a thing of W`.
    pub(super) fn haver(sentence: &SentenceTree<'_>, noun: usize) -> Option<Holder> {
        let tree = sentence.tree();
        let head = tree.head(noun)?;
        match sentence.base_relation(noun) {
            "obj" | "obl" if words::is_having(tree.lemma(head)) => {
                let subject = sentence.subject(head)?;
                let none = sentence
                    .children(noun, &["det"])
                    .any(|child| matches!(sentence.lower(child), "no" | "neither"));
                let own = if none { Status::Negated } else { Status::Fact };
                Some(Holder { holders: vec![subject], status: own.max(sentence.status(head, false)) })
            }
            "nmod" | "obl" if sentence.has_joint(noun, &["with", "of", "without"]) => {
                let own = if sentence.has_joint(noun, &["without"]) { Status::Negated } else { Status::Fact };
                let around = if sentence.is_verb(head) { sentence.status(head, false) } else { Status::Fact };
                let thing = Self::thing(sentence, head)?;
                Some(Holder { holders: vec![thing], status: own.max(around) })
            }
            "conj" => Self::haver(sentence, head),
            _ => None,
        }
    }

    /// What a word with something beside it is about: of a verb its subject, else the word.
    pub(super) fn thing(sentence: &SentenceTree<'_>, word: usize) -> Option<Subject> {
        if sentence.is_verb(word) { sentence.subject(word) } else { Some(Subject::Word(word)) }
    }

    /// `X's dependency on Y`, `the acquisition of Y by X`: a noun for what a verb tells.
    fn doings(&self, sentence: &SentenceTree<'_>, noun: usize) -> Vec<Statement> {
        let vocabulary = self.lexicon.vocabulary;
        let tree = sentence.tree();
        if sentence.is_verb(noun) {
            return Vec::new();
        }
        let Some(cues) =
            vocabulary.doings.get(sentence.lower(noun)).or_else(|| vocabulary.doings.get(tree.lemma(noun)))
        else {
            return Vec::new();
        };
        let led_by = |preposition: &str| -> Vec<Subject> {
            let all = sentence.children(noun, &["nmod", "obl"]);
            all.filter(|child| sentence.joints(*child).any(|joint| sentence.lower(joint) == preposition))
                .map(Subject::Word)
                .collect()
        };
        let predicate = tree.path(noun).find(|word| sentence.is_predicate(*word));
        let around = predicate.map_or(Status::Fact, |predicate| {
            let planned =
                words::is_plan(sentence.lower(predicate)) || words::is_denial(sentence.lower(predicate));
            let own = if planned { Status::NotCurrent } else { Status::Fact };
            own.max(sentence.status(predicate, true))
        });
        let mut found = Vec::new();
        for cue in cues.iter().map(|index| &vocabulary.cues[*index]) {
            let done = match cue.tail.as_slice() {
                [] => led_by("of"),
                [preposition] => led_by(preposition),
                _ => continue,
            };
            let mut doers = led_by("by");
            if doers.is_empty() {
                let owner = tree.children(noun).find(|child| tree.relation(*child) == "nmod:poss");
                let holder = owner.map(|owner| vec![Subject::Word(owner)]);
                let of = (!cue.tail.is_empty()).then(|| led_by("of")).filter(|of| !of.is_empty());
                let haver = || Self::haver(sentence, noun).filter(|holder| holder.status == Status::Fact);
                doers = holder.or(of).or_else(|| haver().map(|holder| holder.holders)).unwrap_or_default();
            }
            let (from, to) = if cue.inverse { (done, doers) } else { (doers, done) };
            found.push(Statement { relation: cue.relation, from, to, status: around });
        }
        found
    }
}
