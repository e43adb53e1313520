//! Lists: names with what is said of them, fields, values of the section's field, and ends of a sentence.

use graphwright_core::Span;

use super::{Block, Entity, Meaning, Section, Walk, could_say_something, fields};
use crate::facts::{
    collect::Status,
    keys, notes,
    prose::{self, Token},
    reader::Reader,
    references,
    text::{BlockText, Mark, MarkKind},
    tree::SentenceTree,
    units::Sentence,
    words,
};

/// An item that goes on with the sentence before its list has a name among so many words.
const LEAD: usize = 6;

/// How names are set off from the text around them.
const MARKS_OF_NAMES: [MarkKind; 3] = [MarkKind::Strong, MarkKind::Code, MarkKind::Link];

/// Whether the first mark in a text joins a name and a value: `Port Lorne: Nora Keel`, `Port Lorne – Nora Keel`.
fn is_pair(text: &BlockText) -> bool {
    let first = text.text.find([':', '—', '–', ',', '(', ';', '.']);
    first.is_some_and(|at| text.text[at..].starts_with([':', '—', '–']))
}

impl Walk<'_> {
    /// An item of a list: a name with what is said of it, a field, a value of the section's field, or a sentence.
    pub(super) fn item(&mut self, text: &BlockText) {
        self.context.start_paragraph();
        if text.is_wholly(&[MarkKind::Struck]) {
            return;
        }
        let prose = self.take_fields(text);
        if prose.is_empty() {
            return;
        }
        if let Some(intro) = self.intro.clone()
            && self.introduced(&intro, text)
        {
            return;
        }
        for part in &prose {
            let Some((entity, status, rest)) = self.leading_name(part) else {
                self.prose(part);
                continue;
            };
            let span = part.span(part.trim(0..part.text.len()));
            self.entry(&entity, status, span);
            self.section_value(&entity, status, span);
            // Under what the thing above has, an item is such a thing, and what follows says more of it: `onions: 400 g`.
            let is_pair = || status == Status::Fact && self.section_relation().is_none() && is_pair(part);
            if let Some(value) = rest.as_ref().filter(|_| is_pair())
                && self.heading_value(&entity, value, span)
            {
                continue;
            }
            let kept = self.context.item.replace(entity.clone());
            self.context.note(&entity);
            if status == Status::Fact
                && let Some(rest) = rest
            {
                for part in &self.take_fields(&rest) {
                    self.prose(part);
                }
            }
            self.context.item = kept;
        }
    }

    /// Whether a text says the beginning of what the items below it may say.
    pub(super) fn introduces(&self, text: &BlockText) -> bool {
        let tokens = prose::tokenise(&text.text);
        let says = || could_say_something(self.lexicon, &Sentence::new(self.lexicon, text, &tokens), false);
        self.parsed && text.trimmed().ends_with(':') && says()
    }

    /// Reads an item as the end of the sentence that introduces its list.
    fn introduced(&mut self, intro: &BlockText, item: &BlockText) -> bool {
        let tokens = prose::tokenise(&item.text);
        let begins = Sentence::new(self.lexicon, item, &tokens[..tokens.len().min(LEAD)]);
        // `It is used by:` goes on with the item; `These are used by A:` names its subject there.
        !begins.mentions.is_empty()
            && [" ", ": "].into_iter().any(|joint| self.introduced_with(joint, intro, item, &begins))
    }

    fn introduced_with(
        &mut self,
        joint: &str,
        intro: &BlockText,
        item: &BlockText,
        begins: &Sentence<'_>,
    ) -> bool {
        let mut joined = BlockText::default();
        let lead = intro.trim(0..intro.text.len());
        let start = intro.text[..lead.end].rfind(". ").map_or(lead.start, |at| at + 2);
        let head = intro.part(start..lead.end - 1);
        let length = head.text.len();
        let source = head.span(0..length);
        joined.push(&head.text, source.range());
        joined.marks.extend(head.marks.iter().cloned());
        joined.push(joint, source.end..source.end);
        let shift = joined.text.len();
        let length = item.text.len();
        let source = item.span(0..length);
        // The capital with which an item begins is none within a sentence; that of an acronym is.
        let mut letters = item.text.chars();
        let first = letters.next().filter(char::is_ascii_uppercase);
        let first = first.filter(|_| !letters.next().is_some_and(char::is_uppercase));
        let named = begins.mentions.first().is_some_and(|mention| mention.tokens.start == 0);
        match first.filter(|_| !named && joint == " ") {
            Some(first) => {
                let lower = format!("{}{}", first.to_ascii_lowercase(), &item.text[1..]);
                joined.push(&lower, source.range());
            }
            None => joined.push(&item.text, source.range()),
        }
        joined.marks.extend(
            item.marks.iter().map(|mark| Mark {
                range: mark.range.start + shift..mark.range.end + shift,
                kind: mark.kind,
            }),
        );
        let tokens = prose::tokenise(&joined.text);
        let first = prose::sentences(&tokens, &[]).into_iter().next();
        let Some(range) = first.filter(|range| tokens[range.end - 1].end > shift) else { return false };
        let mut sentence = Sentence::new(self.lexicon, &joined, &tokens[range]);
        references::resolve(&mut sentence, &self.context, self.lexicon.vocabulary);
        let Some(parse) = self.parses.of(&[Some(&sentence)]).pop().flatten() else { return false };
        let head_span = head.span(0..head.text.len());
        let item_span = item.span(item.trim(0..item.text.len()));
        let span = Span::new(head_span.start.min(item_span.start), item_span.end.max(head_span.end));
        let before = self.collector.count();
        let base = self.base();
        let mut reader = Reader {
            lexicon: self.lexicon,
            context: &self.context,
            collector: &mut self.collector,
            span,
            base,
        };
        reader.read_relations(&SentenceTree::new(&sentence, &parse));
        self.collector.count() > before
    }

    /// `Port Lorne: Nora Keel` under `Station managers`: the heading says what the item gives of the thing that it names.
    fn heading_value(&mut self, entity: &Entity, value: &BlockText, span: Span) -> bool {
        let heading = self.heading.clone();
        let vocabulary = self.lexicon.vocabulary;
        let meaning = vocabulary.keys.meaning_for(vocabulary, &heading, entity.kind);
        let Some(meaning) = meaning.filter(|meaning| !matches!(meaning, Meaning::Kind(_))) else {
            return false;
        };
        if value.text.contains(". ") || value.text.len() > 80 {
            return false;
        }
        let base = self.base();
        self.field_value(entity, &fields::Field { key: &heading, meaning, value, span }, 0.9, base);
        true
    }

    /// Whether each item up to the next heading names something. Where one is a sentence, others that look like names may be
    /// short ones.
    pub(super) fn lists_names(&self, rest: &[Block]) -> bool {
        let section = rest.iter().take_while(|block| !matches!(block, Block::Heading { .. }));
        let mut items = section.filter_map(|block| match block {
            Block::Item { text } => Some(text),
            _ => None,
        });
        self.section_relation().is_none()
            || items.all(|text| self.named_by_item(text, &prose::tokenise(&text.text)).is_some())
    }

    /// The name that an item begins with, when it is a name and what is said of it.
    fn leading_name(&mut self, text: &BlockText) -> Option<(Entity, Status, Option<BlockText>)> {
        let tokens = prose::tokenise(&text.text);
        let count = tokens.len();
        let (entity, separator, end) = self.named_by_item(text, &tokens)?;
        let range = tokens[0].start..tokens[end - 1].end;
        let is_known = || !self.lexicon.gazetteer.lookup(&entity.name).is_empty();
        let is_marked = || text.part(range.clone()).is_wholly(&MARKS_OF_NAMES);
        if !(self.lists_names || is_marked() || is_known()) {
            return None;
        }
        self.read_other_names(&entity, text, range.end);
        self.collector.mention(&entity, text.span(range));
        let mut status = Status::Fact;
        let mut rest_start = end;
        if separator.is_some_and(|at| tokens[at].lower == "(") {
            let close = tokens.iter().position(|token| token.lower == ")").unwrap_or(count - 1);
            status = notes::status(tokens[end + 1..close].iter().map(|token| token.lower.as_str()));
            // What a bracket says of the name is read with the rest.
            if close + 1 >= count || tokens[close + 1..].iter().all(|token| token.punctuation) {
                rest_start = end;
            }
        }
        let rest = tokens.get(rest_start + 1).map(|token| text.part(token.start..text.text.len()));
        Some((entity, status, rest))
    }

    /// What an item names first, with the token behind that which parts it from the rest, and the end of the name.
    fn named_by_item(&self, text: &BlockText, tokens: &[Token]) -> Option<(Entity, Option<usize>, usize)> {
        let count = tokens.len();
        let allowed = self.item_kinds();
        let separator = tokens.iter().position(|token| {
            matches!(token.lower.as_str(), "—" | "–" | ":" | "(" | "," | ";")
                || (token.lower == "-" && token.spaced)
        });
        let end = separator.unwrap_or(if tokens.last().is_some_and(|token| token.lower == ".") {
            count - 1
        } else {
            count
        });
        if end == 0 || end > 9 {
            return None;
        }
        // `The claimant, X, …` is a sentence.
        let described = words::is_determiner(&tokens[0].lower)
            && tokens.get(1).is_some_and(|token| token.is_word() && !token.capital);
        if described {
            return None;
        }
        let range = tokens[0].start..tokens[end - 1].end;
        let shown = text.text[range.clone()].trim();
        if self.lexicon.vocabulary.names_nothing(shown) {
            return None;
        }
        let entity = self.entity_named(shown, &allowed, text.part(range).is_wholly(&MARKS_OF_NAMES))?;
        Some((entity, separator, end))
    }

    /// The types that a bare name in a list may have here.
    pub(super) fn item_kinds(&self) -> Vec<usize> {
        if let Some(kind) = self.kind_listed_by(self.section()) {
            return vec![kind];
        }
        if let Some((relation, inverse, _)) = self.section_relation() {
            let relation = &self.lexicon.vocabulary.relations[relation];
            return if inverse { relation.from.clone() } else { relation.to.clone() };
        }
        Vec::new()
    }

    /// The relationship of the thing above that the section's title names.
    fn section_relation(&self) -> Option<(usize, bool, Entity)> {
        let Section::Key(_) = self.section() else { return None };
        let topic = self.context.section.as_ref().or(self.context.page.as_ref())?.clone();
        let Section::Key(meanings) = self.section() else { return None };
        meanings.iter().find_map(|meaning| match keys::fit(self.lexicon.vocabulary, *meaning, topic.kind)? {
            Meaning::Relation { relation, inverse } => Some((relation, inverse, topic.clone())),
            _ => None,
        })
    }

    /// Relates a name in a list to the thing above, if the section's title says how.
    pub(super) fn section_value(&mut self, entity: &Entity, status: Status, span: Span) {
        let Some((relation, inverse, topic)) = self.section_relation() else { return };
        let (from, to) = if inverse { (entity, &topic) } else { (&topic, entity) };
        let status = status.max(self.base());
        self.collector.fact(relation, from, to, status, 0.9, span, std::collections::BTreeMap::new());
    }
}
