//! Entries: what stands below a heading or in bold at the start of a paragraph and is told of there.

use std::collections::BTreeMap;

use graphwright_core::Span;

use super::{BlockText, Entity, Section, Walk};
use crate::facts::{abbreviations, collect::Status, notes, survey, values};

impl Walk<'_> {
    /// Notes a thing that has an entry of its own here: under `Bicycles` it is a bicycle.
    pub(super) fn entry(&mut self, entity: &Entity, status: Status, span: Span) {
        let status = status.max(self.base());
        for (_, section) in &self.sections {
            if let Section::Value(allowed) = section {
                let definition = &self.lexicon.vocabulary.properties[allowed.property].definition;
                let value = values::from_json(&definition.values[allowed.value]);
                self.collector.property(entity, allowed.property, value, status, 0.9, span);
            }
        }
    }

    /// A paragraph that opens with a name in bold tells of it.
    pub(super) fn bold_lead(&mut self, text: &BlockText) {
        let start = text.trim(0..text.text.len()).start;
        let strong = |mark: &&crate::facts::text::Mark| {
            mark.kind == crate::facts::text::MarkKind::Strong && mark.range.start == start
        };
        let Some(range) = text.marks.iter().find(strong).map(|mark| mark.range.clone()) else { return };
        let shown = text.text[range.clone()].trim_end_matches([':', '.']);
        let named = self.entity_named(shown, &[], true).or_else(|| {
            let kind = self.listed_kind()?;
            self.entity_named(shown, &[kind], true)
        });
        let Some(entity) = named.filter(|_| range.end < text.text.len()) else { return };
        let span = text.span(range.clone());
        self.collector.mention(&entity, span);
        self.entry(&entity, Status::Fact, span);
        self.read_other_names(&entity, text, range.end);
        self.context.note(&entity);
        self.context.item = Some(entity);
    }

    /// Notes what else a text calls the thing whose name ends at a position.
    pub(super) fn read_other_names(&mut self, entity: &Entity, text: &BlockText, end: usize) {
        let tokens = abbreviations::tokenise(self.lexicon.vocabulary, &text.text);
        let at = tokens.iter().position(|token| token.start >= end).unwrap_or(tokens.len());
        for name in survey::other_names(self.lexicon, &text.text, &tokens, at) {
            self.collector.other_name(entity, &name);
        }
    }

    /// `1881  X` below the title of a thing: the only relationship between the two that is possible.
    pub(super) fn dated_entry(&mut self, text: &BlockText) -> bool {
        let Some((year, _)) = text.text.split_once("  ").filter(|(year, _)| notes::is_year(year)) else {
            return false;
        };
        let Some(topic) = self.context.section.clone() else { return false };
        let rest = text.part(text.trim(year.len()..text.text.len()));
        let Some((entity, status, None)) = self
            .leading_name(&rest)
            .map(|(entity, status, rest)| (entity, status, rest.filter(|_| status == Status::Fact)))
        else {
            return false;
        };
        let Some((relation, inverse)) = self.lexicon.vocabulary.only_relation(topic.kind, entity.kind) else {
            return false;
        };
        let (from, to) = if inverse { (&entity, &topic) } else { (&topic, &entity) };
        let span = text.span(text.trim(0..text.text.len()));
        let status = status.max(self.base());
        self.collector.fact(relation, from, to, status, 0.8, span, BTreeMap::new());
        true
    }
}
