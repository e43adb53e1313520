//! What a sentence says of two things: who is said to stand in which relation to whom, and whether it is denied.

use graphwright_english::{inflection, parse::Tag, words};

use super::sentence::{Mention, Sentence};
use crate::lexicon::{Spot, Voice};

/// Relations that lead from a word of a name or list to its head.
const INNER: [&str; 4] = ["conj", "compound", "appos", "flat"];

/// Somebody is said to stand in a relation to something.
#[derive(Debug)]
pub(super) struct Claim<'s> {
    pub(super) subject: &'s Mention,
    pub(super) object: &'s Mention,
    /// The verb, or the noun or adjective that is the predicate, as a token of the tree.
    pub(super) predicate: usize,
    pub(super) negated: bool,
    pub(super) voice: Voice,
    /// Whether something is done to the object: it is no thing in, for or with which the subject does something.
    pub(super) direct: bool,
}

/// What a name is to a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Subject,
    Object,
}

struct Part<'s> {
    mention: &'s Mention,
    /// The token that is the name.
    token: usize,
    /// The head of the phrase that the name stands in.
    head: usize,
    predicate: usize,
    role: Role,
}

impl Sentence {
    /// Lists what the sentence says of pairs of names.
    pub(super) fn claims(&self) -> Vec<Claim<'_>> {
        let parts = self.parts();
        let mut claims = Vec::new();
        for object in parts.iter().filter(|part| part.role == Role::Object) {
            for subject in self.subjects(&parts, object.predicate) {
                if subject.mention.ids == object.mention.ids {
                    continue;
                }
                let denied = [subject, object].iter().any(|part| self.is_denied(part.token));
                claims.push(Claim {
                    subject: subject.mention,
                    object: object.mention,
                    predicate: object.predicate,
                    negated: self.is_negated(object.predicate) != denied,
                    voice: self.voice(object.predicate, object.head),
                    direct: self.is_direct(object),
                });
            }
        }
        for pair in self.mentions.windows(2) {
            let is_of_pair = |claim: &Claim<'_>| {
                let ends = [&claim.subject.range, &claim.object.range];
                ends.contains(&&pair[0].range) && ends.contains(&&pair[1].range)
            };
            if !claims.iter().any(is_of_pair) {
                claims.extend(self.claim_between(&pair[0], &pair[1]));
            }
        }
        claims
    }

    /// Reads a few words between two names by their order, where the tree does not join them.
    fn claim_between<'s>(&'s self, subject: &'s Mention, object: &'s Mention) -> Option<Claim<'s>> {
        /// The most words between two names that are read by their order.
        const MOST: usize = 5;
        let between = subject.range.end..object.range.start;
        let tokens: Vec<usize> = (0..self.tokens.len())
            .filter(|token| between.contains(&self.tokens[*token].range.start))
            .collect();
        let lower: Vec<String> = tokens.iter().map(|token| self.lower(*token)).collect();
        let plain = |word: &String| word.chars().all(|letter| letter.is_alphabetic() || letter == '\'');
        let joined = lower.iter().any(|word| words::is_coordinator(word));
        if subject.ids == object.ids || joined || tokens.len() > MOST || !lower.iter().all(plain) {
            return None;
        }
        let content = |word: &str| {
            !words::is_closed(word)
                && !words::is_adverbial(word)
                && !words::is_negation(word)
                && word != "longer"
        };
        let mut predicates = tokens.iter().zip(&lower).filter(|(_, word)| content(word));
        let (predicate, _) = predicates.next().filter(|_| predicates.next().is_none())?;
        let negated =
            lower.iter().any(|word| words::is_negation(word) || matches!(word.as_str(), "no" | "longer"));
        let by = lower.last().is_some_and(|last| last == "by");
        let passive = by && lower.iter().any(|word| words::is_be(word));
        let direct = lower.last().is_some_and(|last| !words::is_preposition(last)) || passive;
        Some(Claim { subject, object, predicate: *predicate, negated, voice: Voice { passive, by }, direct })
    }

    /// Where to look for the phrase of a relationship: at the predicate.
    pub(super) fn spot(&self, claim: &Claim<'_>) -> Option<Spot<'_>> {
        let start = self.tokens.get(claim.predicate)?.range.start;
        let at = self.words.iter().position(|word| word.start == start)?;
        let is_noun = self.tree.tag(claim.predicate) == Tag::Noun;
        Some(Spot { tokens: &self.words, at, voice: claim.voice, fronted: None, is_noun, counted: false })
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for token in 0..self.tokens.len() {
            let Some(mention) =
                self.mention_at(token).filter(|mention| mention.range.end == self.tokens[token].range.end)
            else {
                continue;
            };
            let head = self.phrase_head(token);
            let mut add = |predicate, role| parts.push(Part { mention, token, head, predicate, role });
            if let Some(above) = self.tree.head(head) {
                if self.tree.is(head, "nsubj") || self.tree.is(head, "csubj") {
                    add(above, Role::Subject);
                } else if ["obj", "iobj", "obl", "nmod", "xcomp", "vocative", "dep"]
                    .iter()
                    .any(|relation| self.tree.is(head, relation))
                {
                    add(above, Role::Object);
                }
            }
            for child in self.tree.children(head) {
                // `The owner of Y is X`, `X, the owner of Y`, `X directed by Y`, `X, which owns Y`
                let noun = self.tree.tag(child) == Tag::Noun;
                let equal = self.tree.is(child, "nsubj") && self.tree.child(head, "cop").is_some();
                if noun && (equal || self.tree.is(child, "appos"))
                    || self.tree.is(child, "acl") && self.is_about_head(child)
                {
                    add(child, Role::Subject);
                }
            }
        }
        parts
    }

    /// The head of the list or the longer name that a name stands in.
    fn phrase_head(&self, token: usize) -> usize {
        let mut at = token;
        while let Some(above) = self.tree.head(at) {
            let is_nominal =
                matches!(self.tree.tag(above), Tag::Noun | Tag::Propn | Tag::Num | Tag::X | Tag::Adj);
            if !is_nominal || !INNER.iter().any(|relation| self.tree.is(at, relation)) {
                break;
            }
            at = above;
        }
        at
    }

    /// Whether the noun that a clause describes is its subject: a participle, or a relative pronoun as subject.
    fn is_about_head(&self, clause: usize) -> bool {
        match self.tree.child(clause, "nsubj") {
            Some(subject) => matches!(self.lower(subject).as_str(), "who" | "which" | "that"),
            None => self.tree.relation(clause) == "acl",
        }
    }

    /// Names that are the subject of a predicate, or of the one that it goes on from.
    fn subjects<'p, 's>(&'s self, parts: &'p [Part<'s>], predicate: usize) -> Vec<&'p Part<'s>> {
        let mut at = predicate;
        loop {
            let own: Vec<&Part<'_>> =
                parts.iter().filter(|part| part.role == Role::Subject && part.predicate == at).collect();
            // A verb with a subject of its own does not go on with another's.
            if !own.is_empty() || self.tree.child(at, "nsubj").is_some() {
                return own;
            }
            let goes_on =
                ["conj", "xcomp", "advcl", "obj", "obl"].iter().any(|relation| self.tree.is(at, relation));
            // `One of the owners of Y` is an owner of Y.
            let one_of = |above: &usize| self.tree.is(at, "nmod") && self.lower(*above) == "one";
            match self.tree.head(at).filter(|above| goes_on || one_of(above)) {
                Some(above) => at = above,
                None => return Vec::new(),
            }
        }
    }

    fn is_direct(&self, object: &Part<'_>) -> bool {
        let relations = ["obj", "iobj", "vocative", "dep"];
        let is_object = self.is_participle(object.predicate)
            || relations.iter().any(|relation| self.tree.is(object.head, relation));
        is_object && !self.has_preposition(object.head)
            || self.voice(object.predicate, object.head) == Voice { passive: true, by: true }
    }

    fn has_preposition(&self, object: usize) -> bool {
        self.tree.child(object, "case").is_some_and(|case| !self.tree.lemma(case).starts_with('\''))
    }

    /// Whether a predicate is a participle that describes a noun.
    fn is_participle(&self, predicate: usize) -> bool {
        self.tree.relation(predicate) == "acl" && inflection::is_participle(&self.lower(predicate))
    }

    fn voice(&self, predicate: usize, object: usize) -> Voice {
        let passive = self.tree.child(predicate, "aux:pass").is_some();
        // What describes a noun and has an object is no participle, but the verb of a sentence without one.
        let participle = self.is_participle(predicate) && self.has_preposition(object);
        let by =
            self.tree.children(object).any(|child| self.tree.is(child, "case") && self.lower(child) == "by");
        Voice { passive: passive || participle, by }
    }

    /// Whether a predicate is denied, by itself or by what stands above it.
    fn is_negated(&self, predicate: usize) -> bool {
        let mut negated = self.is_denied(predicate);
        let mut at = predicate;
        while let Some(above) = self.tree.head(at) {
            let goes_on =
                ["xcomp", "ccomp", "csubj", "obj", "obl"].iter().any(|relation| self.tree.is(at, relation));
            // `neither owns … nor runs …`
            let or = self.tree.is(at, "conj")
                && self.tree.children(at).any(|child| matches!(self.lower(child).as_str(), "or" | "nor"));
            if !goes_on && !or {
                break;
            }
            negated |= self.is_denied(above) || goes_on && words::denies(self.tree.lemma(above));
            at = above;
        }
        negated
            || self.tree.children(predicate).any(|child| {
                let argument = ["nsubj", "obj", "expl"].iter().any(|relation| self.tree.is(child, relation));
                argument && self.mention_at(child).is_none() && self.is_denied(child)
            })
    }

    /// Whether a name is said not to be meant: `Ada, not Bob, owns it`.
    pub(super) fn is_excluded(&self, mention: &Mention) -> bool {
        (0..self.tokens.len()).any(|token| self.mention_at(token) == Some(mention) && self.is_denied(token))
    }

    /// Whether a word has a `not`, a `no` or a `no longer` of its own.
    fn is_denied(&self, token: usize) -> bool {
        self.tree.children(token).any(|child| {
            let lower = self.lower(child);
            let longer = lower == "longer" && self.tree.children(child).any(|no| self.lower(no) == "no");
            let only = self.tree.children(child).any(|only| self.lower(only) == "only")
                || self.tokens.get(child + 1).is_some_and(|next| next.text.eq_ignore_ascii_case("only"));
            let denies = ["advmod", "det", "cc", "aux", "discourse"]
                .iter()
                .any(|relation| self.tree.is(child, relation))
                && (words::is_negation(&lower) || lower == "no");
            longer || denies && !only
        })
    }
}
