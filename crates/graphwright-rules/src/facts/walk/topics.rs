//! What records, run-in titles and sentences are about.

use super::{BlockText, Entity, Meaning, Section, Sentence, Walk, fields::Field};
use crate::facts::{
    collect::Status,
    names,
    prose::{self, Token},
    reader::Reader,
    words,
};

impl Walk<'_> {
    /// A record in lines names its own subject: `Public title: CORVANE-1`, or `Trial: CORVANE-1` before other fields.
    pub(super) fn record_subject(&mut self, text: &BlockText) {
        let mut start = 0;
        let mut fields = Vec::new();
        for line in text.text.split_inclusive('\n') {
            if let Some((key, _)) = line.split_once(':') {
                let value = text.trim(start + key.len() + 1..start + line.len());
                fields.push((key.trim().to_owned(), text.part(value)));
            }
            start += line.len();
        }
        self.own_record(&fields);
    }

    /// What follows is about the thing that fields name, if they are its own and not of what stands above.
    pub(super) fn own_record(&mut self, fields: &[(String, BlockText)]) {
        if fields.len() < 2 {
            return;
        }
        let vocabulary = self.lexicon.vocabulary;
        let keys: Vec<String> = fields.iter().map(|(key, _)| key.clone()).collect();
        let Some((entity, at, by_name)) = self.named_by_fields(fields, &keys) else { return };
        let (key, value) = &fields[at];
        let span = value.span(0..value.text.len());
        if let Some(topic) = self.context.topic().cloned() {
            if self.speak_of_topic(&topic, &entity, key, &keys) {
                return;
            }
            if topic != entity
                && let Some(meaning @ Meaning::Relation { .. }) =
                    vocabulary.keys.meaning_for(vocabulary, key, topic.kind)
            {
                self.field_value(&topic, &Field { key, meaning, value, span }, 0.9, self.base());
            }
        }
        self.collector.mention(&entity, span);
        self.context.note(&entity);
        self.context.section = Some(entity.clone());
        let only = self.sections.len() < 2;
        if by_name && only && matches!(self.section(), Section::Entity(_) | Section::Other) {
            if let Some((_, section)) = self.sections.last_mut() {
                *section = Section::Entity(entity.clone());
            }
            self.context.page = Some(entity);
        }
    }

    /// Whether fields speak of the topic rather than of the thing that one of them names: the topic has such a field, and
    /// no fewer of the others than the thing has.
    pub(super) fn speak_of_topic(&self, topic: &Entity, named: &Entity, key: &str, keys: &[String]) -> bool {
        let vocabulary = self.lexicon.vocabulary;
        let means = |key: &str, kind: usize| vocabulary.keys.meaning_for(vocabulary, key, kind).is_some();
        let known = |kind: usize| keys.iter().filter(|other| *other != key && means(other, kind)).count();
        means(key, topic.kind) && known(topic.kind) >= known(named.kind)
    }

    /// The thing that fields name, with the place of the field and whether that is for the property of the name; else it is
    /// the first field.
    fn named_by_fields(
        &self,
        fields: &[(String, BlockText)],
        keys: &[String],
    ) -> Option<(Entity, usize, bool)> {
        let vocabulary = self.lexicon.vocabulary;
        let kind = self.kind_of_keys(keys, 2).or(self.listed_kind())?;
        let is_name = |key: &str| vocabulary.types[kind].name_words.contains(&names::parts(key));
        let is_type = |key: &str| vocabulary.kinds_named(&prose::tokenise(key)) == [kind];
        let at = (0..keys.len()).find(|&at| is_name(&keys[at]) || at == 0 && is_type(&keys[at]))?;
        let entity = self.entity_named(fields[at].1.trimmed(), &[kind], true)?;
        Some((entity, at, is_name(&keys[at])))
    }

    /// A sentence that is nothing but a name (`2. Bus Shelter.`) says what the rest of the paragraph is about.
    pub(super) fn run_in(&mut self, flat: &BlockText, tokens: &[Token]) -> bool {
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

    /// The things that a title speaks of without being their name: `Results of TIDELINE`.
    pub(super) fn spoken_of(&mut self, text: &BlockText) -> Vec<Entity> {
        let tokens = prose::tokenise(&text.text);
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
    let denied = sentence.tokens.iter().any(|token| words::is_negation(&token.lower));
    named.filter(|_| !denied)
}
