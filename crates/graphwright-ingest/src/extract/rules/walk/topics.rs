//! What records, run-in titles and sentences are about.

use super::{Entity, Flat, Sentence, UnitKind, Walk};
use crate::extract::rules::{
    clauses::Reader,
    collect::Status,
    fragments, grammar, names,
    tokens::{self, Token},
};

impl Walk<'_> {
    /// A record in lines names its own subject: `Public title: CORVANE-1`, or `Trial: CORVANE-1` before other fields.
    pub(super) fn record_subject(&mut self, text: &Flat) {
        let fields: Vec<(&str, &str)> = text.text.lines().filter_map(|line| line.split_once(':')).collect();
        if fields.len() < 2 {
            return;
        }
        let keys: Vec<String> = fields.iter().map(|(key, _)| key.trim().to_owned()).collect();
        let topic = self.context.topic().cloned();
        let Some((entity, key)) = self.named_by_fields(&fields, &keys) else { return };
        if topic.is_some_and(|topic| {
            self.lexicon.vocabulary.keys.meaning_for(self.lexicon.vocabulary, key, topic.kind).is_some()
        }) {
            return;
        }
        if let Some(at) = text.text.find(entity.name.as_str()) {
            self.collector.mention(&entity, text.span(at..at + entity.name.len()));
        }
        self.context.note(&entity);
        self.context.section = Some(entity);
    }

    /// The thing that fields name, with the key of the name: the first field, or the one for the property of the name.
    fn named_by_fields<'f>(&self, fields: &[(&'f str, &str)], keys: &[String]) -> Option<(Entity, &'f str)> {
        let vocabulary = self.lexicon.vocabulary;
        let kind = self.kind_of_keys(keys, 2).or(self.listed_kind())?;
        let own = fields.iter().enumerate().find(|(at, (key, _))| {
            let words = names::parts(key);
            vocabulary.types[kind].name_words.contains(&words)
                || *at == 0 && vocabulary.kinds_named(&tokens::tokenise(key.trim())) == [kind]
        });
        let (_, (key, value)) = own?;
        let entity = self.entity_named(value, &[kind], true)?;
        Some((entity, key))
    }

    /// A sentence that is nothing but a name (`2. Library Lift.`) says what the rest of the paragraph is about.
    pub(super) fn run_in(&mut self, flat: &Flat, tokens: &[Token]) -> bool {
        let is_mark = |token: &&Token| token.punctuation || token.is_number();
        let start = tokens.iter().take_while(is_mark).count();
        let end = tokens.len() - tokens[start..].iter().rev().take_while(|token| token.punctuation).count();
        if start >= end || end - start > 8 || end == tokens.len() {
            return false;
        }
        let range = tokens[start].start..tokens[end - 1].end;
        let marked =
            flat.marks.iter().any(|mark| mark.range.start <= range.start && mark.range.end >= range.end);
        let Some(entity) = self.entity_named(&flat.text[range.clone()], &[], marked) else { return false };
        self.collector.mention(&entity, flat.span(range));
        self.context.note(&entity);
        self.context.subjects = vec![entity.clone()];
        self.context.last = vec![entity.clone()];
        self.context.item = Some(entity);
        true
    }

    /// The subjects of a sentence, for the pronouns of the next; `None` when it names nothing.
    pub(super) fn subjects_of(sentence: &Sentence<'_>, reader: &Reader<'_, '_>) -> Option<Vec<Entity>> {
        let unit = crate::extract::rules::clauses::first_name(sentence)?;
        if fragments::lacks_subject(sentence, unit)
            && let Some(topic) = reader.context.topic()
        {
            return Some(vec![topic.clone()]);
        }
        let all: Vec<usize> = (0..reader.lexicon.vocabulary.types.len()).collect();
        let mut found: Vec<Entity> = match &sentence.units[unit].kind {
            UnitKind::Name(mention) => reader.known(&sentence.mentions[*mention]).into_iter().collect(),
            _ => reader
                .resolve(sentence, &crate::extract::rules::slots::Term::Stand(unit), &all, unit)
                .into_iter()
                .map(|(entity, _)| entity)
                .collect(),
        };
        if found.is_empty() {
            return Some(found);
        }
        // `A and B use …`: both are subjects.
        let mut at = unit + 1;
        while matches!(sentence.word(at), "," | "and" | "&") {
            at += 1;
            if let Some(mention) = sentence.name_at(at)
                && let Some(entity) = reader.known(&sentence.mentions[mention])
            {
                found.push(entity);
                at += 1;
            }
        }
        Some(found)
    }

    /// The things that a title speaks of without being their name: `Results of TIDELINE`.
    pub(super) fn spoken_of(&mut self, text: &Flat) -> Vec<Entity> {
        let tokens = tokens::tokenise(&text.text);
        let sentence = Sentence::new(self.lexicon, text, &tokens);
        let span = text.span(sentence.range());
        let reader = Reader {
            lexicon: self.lexicon,
            context: &self.context,
            collector: &mut self.collector,
            span,
            base: Status::Fact,
        };
        sentence.mentions.iter().filter_map(|mention| reader.known(mention)).collect()
    }
}

/// The name that a sentence says its subject has beside its own: `It is sold under the name X`, `X is known as Y`.
pub(super) fn other_name(sentence: &Sentence<'_>) -> Option<String> {
    let word = |unit: Option<usize>| unit.map_or("", |unit| sentence.word(unit));
    let named = (2..sentence.units.len()).find_map(|unit| {
        let mention = &sentence.mentions[sentence.name_at(unit)?];
        let before = |steps: usize| word(unit.checked_sub(steps));
        let names = before(1) == "name" && before(2) == "the" && before(3) == "under"
            || before(1) == "of" && before(2) == "name" && before(4) == "under"
            || before(1) == "as" && before(2) == "known";
        (names && mention.is_unknown()).then(|| mention.name.clone())
    });
    let denied = sentence.tokens.iter().any(|token| grammar::is_negation(&token.lower));
    named.filter(|_| !denied)
}
