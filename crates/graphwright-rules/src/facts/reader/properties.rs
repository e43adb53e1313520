//! Values of properties: `the capacity of X is 200`, `X has 450 beds`, `founded in 1911`, `a deprecated library`.

use graphwright_core::Value;
use graphwright_english::parse::Tag;
use graphwright_ontology::DataType;

use super::{Reader, nouns::Holder};
use crate::facts::{
    collect::Status,
    inflection, lives,
    tree::{SentenceTree, Subject},
    values, words,
};

impl Reader<'_, '_> {
    /// Reads the properties that a sentence gives.
    pub(super) fn read_properties(&mut self, sentence: &SentenceTree<'_>) {
        self.read_lives(sentence);
        let vocabulary = self.lexicon.vocabulary;
        let tokens = sentence.sentence.tokens;
        for at in 0..tokens.len() {
            let Some(word) = sentence.word_of(at).filter(|word| !sentence.in_name(*word)) else { continue };
            if let Some((length, found)) = vocabulary.property_words.find(tokens, at) {
                for property in found.into_iter().copied() {
                    self.read_property(sentence, at, at + length, property);
                }
            }
            if let Some((length, found)) = vocabulary.allowed_values_at(tokens, at) {
                let last = at + length - 1;
                for allowed in found {
                    let value = &vocabulary.properties[allowed.property].definition.values[allowed.value];
                    if is_written_as(sentence.sentence.text(at..last + 1), value) {
                        self.read_adjective(sentence, last, allowed.property, &values::from_json(value));
                    }
                }
            }
            let compound = tokens[at].lower.contains('-');
            for property in (0..vocabulary.properties.len()).filter(|_| compound) {
                if let Some(value) = self.compound(sentence.sentence, at, property) {
                    self.read_adjective(sentence, at, property, &value);
                }
            }
            for property in vocabulary.event_verbs.get(sentence.lower(word)).into_iter().flatten() {
                self.read_event(sentence, word, *property);
            }
        }
    }

    /// A value where a word for its property stands.
    fn read_property(&mut self, sentence: &SentenceTree<'_>, start: usize, end: usize, property: usize) {
        let Some(noun) = sentence.word_of(end - 1) else { return };
        let definition = &self.lexicon.vocabulary.properties[property].definition;
        let tag = sentence.tree().tag(noun);
        let phrase_start = sentence.word_of(start).unwrap_or(noun);
        if definition.kind == DataType::Boolean {
            self.read_truth(sentence, noun, property);
        } else if tag == Tag::Verb || sentence.tree().tag(phrase_start) == Tag::Verb {
            self.read_verb(sentence, phrase_start, end, property);
        } else {
            self.read_noun(sentence, noun, start, end, property);
        }
    }

    /// `written in Go`, `costs £3m`: what is behind the verb is the value.
    fn read_verb(&mut self, sentence: &SentenceTree<'_>, verb: usize, end: usize, property: usize) {
        let participle = inflection::is_own_participle(sentence.lower(verb));
        let free = participle || !self.is_numeric(property);
        let Some((value, _)) = self.value_at(sentence.sentence, end, property, free) else { return };
        let Some(subject) = sentence.subject(verb) else { return };
        let status = sentence.status(verb, participle);
        self.give(sentence, &Holder { holders: vec![subject], status }, property, &value);
    }

    /// `a capacity of 200`, `its capacity is 200`, `200 beds`, `tier 1`.
    fn read_noun(
        &mut self,
        sentence: &SentenceTree<'_>,
        noun: usize,
        start: usize,
        end: usize,
        property: usize,
    ) {
        let beside = self.value_beside(sentence, noun, start, end, property);
        if let Some(value) = beside {
            let said =
                matches!(sentence.tree().tag(noun), Tag::Adj).then(|| Self::described_by(sentence, noun));
            let holder = said.flatten().or_else(|| Self::haver(sentence, noun));
            let holder = holder.or_else(|| Self::holder(sentence, noun, &[]));
            let holder = holder.or_else(|| Self::described_by(sentence, noun));
            let holder = holder.or_else(|| Self::complemented(sentence, noun));
            if let Some(holder) = holder {
                self.give(sentence, &holder, property, &value);
            }
            return;
        }
        let Some((value, status)) = self.value_stated(sentence, noun, property) else { return };
        if let Some(mut holder) = Self::holder(sentence, noun, &[]) {
            holder.status = holder.status.max(status);
            self.give(sentence, &holder, property, &value);
        }
    }

    /// The value that stands with a noun: before it, after it, or after `of`.
    fn value_beside(
        &self,
        sentence: &SentenceTree<'_>,
        noun: usize,
        start: usize,
        end: usize,
        property: usize,
    ) -> Option<Value> {
        let tokens = sentence.sentence;
        let closed = !self.lexicon.vocabulary.properties[property].definition.values.is_empty();
        let counted = self.is_numeric(property) || closed;
        if let Some((value, _)) = self.value_before(tokens, start, property).filter(|_| counted) {
            return Some(value);
        }
        if let Some((value, _)) = self.value_at(tokens, end, property, false).filter(|_| counted) {
            return Some(value);
        }
        let mut of = sentence.children(noun, &["nmod"]).filter(|child| sentence.has_joint(*child, &["of"]));
        of.find_map(|child| self.value_within(sentence, child, property))
    }

    /// `the capacity of X is 200`, `takings rose to 4,100`: the value that the noun is said to be.
    fn value_stated(
        &self,
        sentence: &SentenceTree<'_>,
        noun: usize,
        property: usize,
    ) -> Option<(Value, Status)> {
        let tree = sentence.tree();
        if !tree.is(noun, "nsubj") {
            return None;
        }
        let head = tree.head(noun)?;
        let once = self.told_once(property);
        if let Some(copula) = tree.child(head, "cop") {
            let (value, _) = self.value_at(sentence.sentence, sentence.token(copula) + 1, property, true)?;
            return Some((value, sentence.status(head, once)));
        }
        if !words::is_amounting(tree.lemma(head)) {
            return None;
        }
        let mut reached = sentence.children(head, &["obj", "obl", "xcomp", "nummod"]);
        let value = reached.find_map(|child| self.value_within(sentence, child, property))?;
        Some((value, sentence.status(head, true)))
    }

    /// The value that a phrase begins with, behind its preposition.
    fn value_within(&self, sentence: &SentenceTree<'_>, head: usize, property: usize) -> Option<Value> {
        let span = sentence.tree().span(head);
        let joints: Vec<usize> = sentence.joints(head).collect();
        let first = span.into_iter().find(|word| !joints.contains(word))?;
        self.value_at(sentence.sentence, sentence.token(first), property, true).map(|(value, _)| value)
    }

    /// A value that stands as an adjective or predicate: `a deprecated library`, `X is deprecated`, `the 900-seat X`.
    fn read_adjective(&mut self, sentence: &SentenceTree<'_>, token: usize, property: usize, value: &Value) {
        let Some(word) = sentence.word_of(token).filter(|word| !sentence.in_name(*word)) else { return };
        let holder = Self::described_by(sentence, word).or_else(|| Self::complemented(sentence, word));
        if let Some(holder) = holder {
            self.give(sentence, &holder, property, value);
        }
    }

    /// What an adjective or a noun before another tells of.
    fn described_by(sentence: &SentenceTree<'_>, word: usize) -> Option<Holder> {
        let tree = sentence.tree();
        let head = tree.head(word);
        let modifies = matches!(sentence.base_relation(word), "amod" | "compound" | "nummod" | "nmod");
        if let Some(head) = head.filter(|_| modifies && tree.child(word, "cop").is_none()) {
            let thing = Self::thing(sentence, head)?;
            let predicate = tree.path(head).find(|word| sentence.is_predicate(*word));
            let own = predicate.filter(|predicate| *predicate == head);
            let status = own.map_or(Status::Fact, |predicate| sentence.status(predicate, false));
            return Some(Holder { holders: vec![thing], status });
        }
        let holder = Self::predicated(sentence, word)?;
        let done = sentence.tree().tag(word) == Tag::Verb;
        Some(Holder { holders: vec![holder], status: sentence.status(word, done) })
    }

    /// `X is written in Go`, `X lies at an elevation of 340 m`: what is behind a verb tells of its subject.
    fn complemented(sentence: &SentenceTree<'_>, word: usize) -> Option<Holder> {
        let verb = sentence.tree().head(word).filter(|head| sentence.is_predicate(*head))?;
        let behind = matches!(sentence.base_relation(word), "obl" | "xcomp" | "nmod")
            && !sentence.has_joint(word, &["from", "by", "for", "against", "before", "until"]);
        // `X is active in energy, Y in retail`: behind another name it is not told of the subject.
        let next = (verb + 1..word).all(|between| sentence.name(between).is_none());
        let subject = sentence.subject(verb).filter(|_| behind && next)?;
        Some(Holder { holders: vec![subject], status: sentence.status(verb, sentence.is_passive(verb)) })
    }

    /// `X has a lift`, `X is deprecated`.
    fn read_truth(&mut self, sentence: &SentenceTree<'_>, noun: usize, property: usize) {
        let adjective = matches!(sentence.tree().tag(noun), Tag::Adj | Tag::Verb);
        let described = || adjective.then(|| Self::described_by(sentence, noun)).flatten();
        let Some(mut holder) = Self::haver(sentence, noun).or_else(described) else { return };
        let truth = holder.status != Status::Negated;
        holder.status = if truth { holder.status } else { Status::Fact };
        self.give(sentence, &holder, property, &Value::Boolean(truth));
    }

    /// `X was founded in 1911`, `X, opened on 4 May 1878,`: the date behind a verb.
    fn read_event(&mut self, sentence: &SentenceTree<'_>, verb: usize, property: usize) {
        let times = sentence.children(verb, &["obl", "nummod", "nmod"]);
        let time = times.filter(|child| {
            sentence.joints(*child).next().is_none()
                || sentence.has_joint(*child, &["in", "on", "since", "from", "around", "about"])
        });
        let stated = |child: &usize| {
            sentence.listed(*child).first().is_some_and(|(_, status)| *status == Status::Fact)
        };
        let value = time.filter(stated).find_map(|child| {
            let first = sentence
                .tree()
                .span(child)
                .find(|word| !sentence.joints(child).any(|joint| joint == *word))?;
            let mut tokens = sentence.token(first)..sentence.sentence.tokens.len();
            if self.is_numeric(property) {
                // `in May 1878`: of a date only the year.
                let year = tokens
                    .find(|token| crate::facts::notes::is_year(&sentence.sentence.tokens[*token].lower))?;
                let inside = sentence.word_of(year).is_some_and(|word| sentence.tree().is_below(word, child));
                return self.value_at(sentence.sentence, year, property, false).filter(|_| inside);
            }
            self.value_at(sentence.sentence, tokens.start, property, false)
        });
        let Some((value, _)) = value else { return };
        let subject = sentence.subject(verb);
        let done = sentence.complements(verb, &[]).into_iter().map(Subject::Word);
        let holders: Vec<Subject> =
            if sentence.is_passive(verb) || sentence.tree().child(verb, "obj").is_none() {
                subject.into_iter().collect()
            } else {
                done.collect()
            };
        self.give(sentence, &Holder { holders, status: sentence.status(verb, true) }, property, &value);
    }

    /// Whether what was told of a property in the past is so still: dates, and what is paid or counted once.
    fn told_once(&self, property: usize) -> bool {
        let entry = &self.lexicon.vocabulary.properties[property];
        matches!(entry.definition.kind, DataType::Date | DataType::DateTime)
            || self.is_numeric(property)
            || self.lexicon.vocabulary.types[entry.owner].event
    }

    /// `Ada Holm (1880–1951)`: the years of a life beside a name.
    fn read_lives(&mut self, sentence: &SentenceTree<'_>) {
        let tokens = sentence.sentence.tokens;
        for mention in &sentence.sentence.mentions {
            let open = mention.tokens.end;
            if tokens.get(open).is_none_or(|token| token.lower != "(") {
                continue;
            }
            let Some(length) = tokens[open..].iter().take(24).position(|token| token.lower == ")") else {
                continue;
            };
            let Some(life) = lives::read(sentence.sentence.text(open + 1..open + length)) else { continue };
            let Some(entity) = self.known(mention) else { continue };
            let properties = self.lexicon.vocabulary.life_dates(entity.kind);
            for (property, year) in properties.into_iter().flatten().zip([Some(life.0), life.1]) {
                if let Some(year) = year {
                    self.collector.property(
                        &entity,
                        property,
                        Value::Integer(year),
                        self.base,
                        1.0,
                        self.span,
                    );
                }
            }
        }
    }

    /// Gives a value to all that a holder stands for.
    fn give(&mut self, sentence: &SentenceTree<'_>, holder: &Holder, property: usize, value: &Value) {
        let owner = [self.lexicon.vocabulary.properties[property].owner];
        for (entity, end) in self.ends(sentence, &holder.holders, &owner) {
            // A name of no known type does not become a thing by a property alone.
            if end.is_guessed() {
                continue;
            }
            let status = holder.status.max(end.status).max(self.base);
            self.collector.property(&entity, property, value.clone(), status, end.sure, self.span);
        }
    }
}

/// A short value such as `Go` must be written as the ontology writes it.
fn is_written_as(text: &str, value: &serde_json::Value) -> bool {
    let shown = value.as_str().unwrap_or("");
    !shown.starts_with(char::is_uppercase) || text.starts_with(char::is_uppercase) || shown.len() > 5
}
