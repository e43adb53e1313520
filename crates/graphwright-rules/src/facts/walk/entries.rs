//! Entries: what stands below a heading or in bold at the start of a paragraph and is told of there.

use graphwright_core::Span;

use super::{BlockText, Entity, Section, Walk};
use crate::facts::{abbreviations, collect::Status, survey, values};

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
}
