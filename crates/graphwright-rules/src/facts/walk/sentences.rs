//! Sentences in their order: parsed together, then read one after another, since each says what the next may point at.

use std::sync::Arc;

use super::{Block, BlockText, Entity, Sentence, UnitKind, Walk, topics};
use crate::facts::{
    abbreviations,
    mentions::Mention,
    names,
    prose::{self, Token},
    reader::{self, Reader},
    references,
    text::MarkKind,
    tree::{Parse, SentenceTree},
};

impl Walk<'_> {
    /// Parses the sentences of a document, many at once.
    pub(super) fn parse_ahead(&mut self, blocks: &[Block]) {
        if !self.parsed {
            return;
        }
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Paragraph(text) | Block::Item { text } => Some(text),
            _ => None,
        });
        let split = |text: &BlockText| abbreviations::tokenise(self.lexicon.vocabulary, &text.text);
        let texts: Vec<(&BlockText, Vec<Token>)> = texts.map(|text| (text, split(text))).collect();
        let sentences = texts.iter().flat_map(|(text, tokens)| self.sentences(text, tokens));
        let worth = sentences.filter(|sentence| reader::could_say_something(self.lexicon, sentence, true));
        let worth: Vec<Sentence<'_>> = worth.collect();
        self.parses.of(&worth.iter().map(Some).collect::<Vec<_>>());
    }

    /// Reads sentences.
    pub(super) fn prose(&mut self, flat: &BlockText) {
        let tokens = abbreviations::tokenise(self.lexicon.vocabulary, &flat.text);
        let sentences = self.sentences(flat, &tokens);
        let parses = self.parse(&sentences);
        for (sentence, parse) in sentences.into_iter().zip(&parses) {
            self.sentence(sentence, parse.as_deref());
        }
    }

    fn sentences<'s>(&self, flat: &'s BlockText, tokens: &'s [Token]) -> Vec<Sentence<'s>> {
        let ranges = prose::sentences(tokens, &flat.breaks).into_iter();
        ranges.map(|range| Sentence::new(self.lexicon, flat, &tokens[range])).collect()
    }

    /// Parses the sentences that could say something, and those that say what a pronoun of the next stands for.
    fn parse(&mut self, sentences: &[Sentence<'_>]) -> Vec<Option<Arc<Parse>>> {
        let topic = self.context.topic().is_some();
        let worth: Vec<bool> = sentences
            .iter()
            .map(|sentence| reader::could_say_something(self.lexicon, sentence, topic))
            .collect();
        let points = |sentence: &Sentence<'_>| {
            sentence.units.iter().any(|unit| matches!(unit.kind, UnitKind::Pronoun | UnitKind::Described(_)))
        };
        let wanted = sentences.iter().enumerate().map(|(at, sentence)| {
            let next = sentences.get(at + 1).is_some_and(|next| worth[at + 1] && points(next));
            (self.parsed && (worth[at] || next && !sentence.mentions.is_empty())).then_some(sentence)
        });
        self.parses.of(&wanted.collect::<Vec<_>>())
    }

    fn sentence(&mut self, mut sentence: Sentence<'_>, parse: Option<&Parse>) {
        if self.run_in(sentence.flat, sentence.tokens) {
            return;
        }
        references::resolve(&mut sentence, &self.context, self.lexicon.vocabulary);
        let range = sentence.range();
        let struck = sentence.flat.marks.iter().any(|mark| {
            mark.kind == MarkKind::Struck && mark.range.start <= range.start && mark.range.end >= range.end
        });
        if !struck {
            self.read_sentence(&sentence, parse);
        }
    }

    fn read_sentence(&mut self, sentence: &Sentence<'_>, parse: Option<&Parse>) {
        let tree = parse.map(|parse| SentenceTree::new(sentence, parse));
        let base = self.base();
        let mut reader = Reader {
            lexicon: self.lexicon,
            context: &self.context,
            collector: &mut self.collector,
            span: sentence.flat.span(sentence.range()),
            base,
        };
        let mut subjects = None;
        if let Some(tree) = tree {
            reader.read(&tree);
            subjects = reader.told_of(&tree);
        }
        let mut named = Vec::new();
        for (index, unit) in sentence.units.iter().enumerate() {
            if let UnitKind::Name(mention) = unit.kind
                && let Some(entity) = reader.known(&sentence.mentions[mention])
            {
                let role = references::role_of(sentence, reader.lexicon.vocabulary, index);
                named.push((entity, mention, references::noun_of(sentence, index), role));
            }
        }
        let renamed = subjects.as_deref().and_then(|subjects| match subjects {
            [only] => Some((only.clone(), topics::other_name(sentence)?)),
            _ => None,
        });
        if let Some((entity, name)) = renamed {
            self.collector.other_name(&entity, &name);
        }
        self.context.last.clear();
        for (entity, mention, noun, role) in named {
            self.note_mention(sentence, &entity, mention);
            if let Some(role) = role {
                self.context.pointers.give_role(&entity, &role);
            }
            if let Some(noun) = noun {
                self.context.pointers.describe(&entity, &noun);
            }
            if !self.context.last.contains(&entity) {
                self.context.last.push(entity);
            }
        }
        if let Some(subjects) = subjects {
            self.context.subjects = subjects;
        }
    }

    fn note_mention(&mut self, sentence: &Sentence<'_>, entity: &Entity, mention: usize) {
        let Mention { tokens, name, .. } = &sentence.mentions[mention];
        let range = sentence.tokens[tokens.start].start..sentence.tokens[tokens.end - 1].end;
        self.collector.mention(entity, sentence.flat.span(range));
        if names::key(name) != names::key(&entity.name) {
            let whole = self.lexicon.gazetteer.lookup_whole(name).len() == 1;
            if whole && name.len() > 2 {
                self.collector.alias(entity, name);
            }
        }
        self.context.note(entity);
    }
}
