//! Reads a document from top to bottom: blocks to sentences, fields, items and tables, with what each stands under.

mod entries;
mod fields;
mod heading_words;
mod headings;
mod links;
mod page;
mod sentences;
mod tables;
mod topics;

pub(super) use links::Pages;
pub(super) use tables::KeyColumn;

use std::{collections::HashSet, sync::Arc};

use graphwright_core::Span;
use graphwright_documents::{Extraction, ParsedDocument, headings::RecurringHeadings};

use super::{
    blocks::Block,
    collect::{Collector, Named, Status},
    context::{Context, Entity},
    keys::Meaning,
    mentions::Lexicon,
    names::Gazetteer,
    people,
    prose::{self, Token},
    reader::{Reader, could_say_something},
    references,
    text::BlockText,
    tree::{Parses, SentenceTree},
    units::{Sentence, UnitKind},
    vocabulary::{AllowedValue, Vocabulary},
};

/// What the title of a section says of what stands in it.
#[derive(Clone, Debug, PartialEq)]
enum Section {
    /// It is about this thing.
    Entity(Entity),
    /// It lists things of this type.
    Kind(usize),
    /// It gives values of this field of the thing above.
    Key(Vec<Meaning>),
    /// The things that it lists have this value of a property.
    Value(AllowedValue),
    /// What stands there is over, planned or rejected.
    NotFact,
    /// Nothing.
    Other,
}

/// Reads a document.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    lexicon: Lexicon<'a>,
    context: Context,
    collector: Collector<'a>,
    sections: Vec<(u8, Section)>,
    /// The innermost heading.
    heading: String,
    /// The type that the page's path says its subject is of.
    path_kind: Option<usize>,
    /// The sentence that introduces the list below it.
    intro: Option<BlockText>,
    /// Blocks of the document.
    blocks: Arc<[Block]>,
    title_read: bool,
    /// The document itself, where it is an entity.
    page: Option<Entity>,
    /// Where the document was read from.
    source: String,
    /// The header of the table under way.
    header: Vec<String>,
    /// What identifies things that records elsewhere tell of.
    keys: &'a [KeyColumn],
    pages: &'a Pages,
    /// Headings that other documents have too.
    recurring: RecurringHeadings,
    /// Whether its sentences are in the language of the parser.
    parsed: bool,
    parses: &'a mut Parses,
}

/// An item that goes on with the sentence before its list has a name among so many words.
const LEAD: usize = 6;

/// Whether the first mark in a text joins a name and a value: `Port Lorne: Nora Keel`, `Port Lorne – Nora Keel`.
fn is_pair(text: &BlockText) -> bool {
    let first = text.text.find([':', '—', '–', ',', '(', ';', '.']);
    first.is_some_and(|at| text.text[at..].starts_with([':', '—', '–']))
}

/// What is known of all documents before one is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) gazetteer: &'a Gazetteer,
    /// What identifies things that records elsewhere tell of.
    pub(super) keys: &'a [KeyColumn],
    pub(super) pages: &'a Pages,
}

/// Reads all entities and facts of a document.
pub(super) fn read(document: &ParsedDocument, known: Known<'_>, parses: &mut Parses) -> Extraction {
    collect(document, known, &small_words(&document.text), parses).finish()
}

/// Reads all names of a document.
pub(super) fn names(document: &ParsedDocument, known: Known<'_>, parses: &mut Parses) -> Vec<Named> {
    collect(document, known, &small_words(&document.text), parses).names()
}

fn collect<'a>(
    document: &ParsedDocument,
    known: Known<'a>,
    small_words: &'a HashSet<String>,
    parses: &'a mut Parses,
) -> Collector<'a> {
    let Known { vocabulary, gazetteer, keys, pages } = known;
    let lexicon = Lexicon { vocabulary, gazetteer, small_words };
    let mut walk = Walk {
        lexicon,
        context: Context::default(),
        collector: Collector::new(vocabulary),
        sections: Vec::new(),
        heading: String::new(),
        path_kind: headings::kind_of_path(vocabulary, &document.source),
        intro: None,
        blocks: Arc::clone(document.blocks()),
        title_read: false,
        page: None,
        source: document.source.clone(),
        header: Vec::new(),
        keys,
        pages,
        parsed: document.may_be_english(),
        parses,
        recurring: document.recurring_headings().clone(),
    };
    let blocks = std::mem::take(&mut walk.blocks);
    walk.parse_ahead(&blocks);
    let read = walk.open_page(document, &blocks);
    for (index, block) in blocks.iter().enumerate().filter(|(index, _)| !read.contains(index)) {
        walk.block(block, &blocks[index + 1..]);
    }
    walk.read_links(document);
    walk.collector
}

/// The words that a text writes in small letters.
pub(super) fn small_words(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        if word.len() > 2 && word.starts_with(char::is_lowercase) && !found.contains(word) {
            found.insert(word.to_owned());
        }
    }
    found
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, rest: &[Block]) {
        match block {
            Block::Heading { level, text, .. } => {
                self.intro = None;
                self.heading(*level, text, rest);
            }
            Block::Paragraph(text) => {
                self.context.start_paragraph();
                self.bold_lead(text);
                self.record_subject(text);
                let prose = self.take_fields(text);
                for part in &prose {
                    self.prose(part);
                }
                self.intro = self.introduces(text).then(|| text.clone());
            }
            Block::Item { text } => self.item(text),
            Block::Table(table) => {
                self.intro = None;
                self.table(table);
            }
            Block::Field { key, value, .. } => self.front_field(key, value, rest),
        }
    }

    /// Whether facts below the open sections are none.
    fn base(&self) -> Status {
        if self.sections.iter().any(|(_, section)| *section == Section::NotFact) {
            Status::NotCurrent
        } else {
            Status::Fact
        }
    }

    /// What the innermost section says.
    fn section(&self) -> &Section {
        self.sections.last().map_or(&Section::Other, |(_, section)| section)
    }

    /// The type of things that the sections list.
    fn listed_kind(&self) -> Option<usize> {
        self.sections.iter().rev().find_map(|(_, section)| self.kind_listed_by(section))
    }

    /// The type of things that a section lists.
    fn kind_listed_by(&self, section: &Section) -> Option<usize> {
        match section {
            Section::Kind(kind) => Some(*kind),
            Section::Value(allowed) => Some(self.lexicon.vocabulary.properties[allowed.property].owner),
            _ => None,
        }
    }

    /// An item of a list: a name with what is said of it, a field, a value of the section's field, or a sentence.
    fn item(&mut self, text: &BlockText) {
        self.context.start_paragraph();
        if text.is_wholly(&[super::text::MarkKind::Struck]) {
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
            if let Some(value) = rest.as_ref().filter(|_| status == Status::Fact && is_pair(part))
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
    fn introduces(&self, text: &BlockText) -> bool {
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
        joined.marks.extend(item.marks.iter().map(|mark| super::text::Mark {
            range: mark.range.start + shift..mark.range.end + shift,
            kind: mark.kind,
        }));
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

    /// The name that an item begins with, when it is a name and what is said of it.
    fn leading_name(&mut self, text: &BlockText) -> Option<(Entity, Status, Option<BlockText>)> {
        let tokens = prose::tokenise(&text.text);
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
        let described = super::words::is_determiner(&tokens[0].lower)
            && tokens.get(1).is_some_and(|token| token.is_word() && !token.capital);
        if described {
            return None;
        }
        let range = tokens[0].start..tokens[end - 1].end;
        let shown = text.text[range.clone()].trim();
        if self.lexicon.vocabulary.names_nothing(shown) {
            return None;
        }
        let entity = self.entity_named(
            shown,
            &allowed,
            text.part(range.clone()).is_wholly(&[
                super::text::MarkKind::Strong,
                super::text::MarkKind::Code,
                super::text::MarkKind::Link,
            ]),
        )?;
        self.read_other_names(&entity, text, range.end);
        self.collector.mention(&entity, text.span(range));
        let mut status = Status::Fact;
        let mut rest_start = end;
        if separator.is_some_and(|at| tokens[at].lower == "(") {
            let close = tokens.iter().position(|token| token.lower == ")").unwrap_or(count - 1);
            status = super::notes::status(tokens[end + 1..close].iter().map(|token| token.lower.as_str()));
            // What a bracket says of the name is read with the rest.
            if close + 1 >= count || tokens[close + 1..].iter().all(|token| token.punctuation) {
                rest_start = end;
            }
        }
        let rest = tokens.get(rest_start + 1).map(|token| text.part(token.start..text.text.len()));
        Some((entity, status, rest))
    }

    /// The types that a bare name in a list may have here.
    fn item_kinds(&self) -> Vec<usize> {
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
        meanings.iter().find_map(|meaning| {
            match super::keys::fit(self.lexicon.vocabulary, *meaning, topic.kind)? {
                Meaning::Relation { relation, inverse } => Some((relation, inverse, topic.clone())),
                _ => None,
            }
        })
    }

    /// Relates a name in a list to the thing above, if the section's title says how.
    fn section_value(&mut self, entity: &Entity, status: Status, span: Span) {
        let Some((relation, inverse, topic)) = self.section_relation() else { return };
        let (from, to) = if inverse { (entity, &topic) } else { (&topic, entity) };
        let status = status.max(self.base());
        self.collector.fact(relation, from, to, status, 0.9, span, std::collections::BTreeMap::new());
    }

    /// The entity that a piece of text names as a whole: known, or of the only possible type.
    fn entity_named(&self, text: &str, allowed: &[usize], marked: bool) -> Option<Entity> {
        let text =
            text.trim().trim_matches(['*', '`', '"', '“', '”']).trim().trim_end_matches(['.', ',', ';']);
        let text = super::names::unquoted(text);
        if text.is_empty() || text.len() > 100 || super::words::is_no_value(&text.to_lowercase()) {
            return None;
        }
        let gazetteer = self.lexicon.gazetteer;
        let found = gazetteer.lookup(text);
        let fitting: Vec<usize> = found
            .iter()
            .copied()
            .filter(|entry| allowed.is_empty() || allowed.contains(&gazetteer.entries[*entry].kind))
            .collect();
        if let Some(entry) = fitting.first() {
            if fitting.len() > 1 && allowed.is_empty() {
                return None;
            }
            let entry = &gazetteer.entries[*entry];
            return Some(Entity { kind: entry.kind, name: entry.name.clone() });
        }
        if allowed.is_empty() {
            return None;
        }
        let mut fitting = people::types_for(self.lexicon, text, allowed);
        let may_be_person = || people::is_spelled_as_person(text) || people::is_handle(text);
        if fitting.is_empty() && marked && allowed.len() == 1 && may_be_person() {
            // A surname may be a word for a thing: `Ada Brand` in a column of people.
            fitting = allowed.to_vec();
        }
        let [kind] = fitting.as_slice() else { return None };
        let words = text.split_whitespace().count();
        let phrase = text.split_whitespace().next().is_some_and(super::words::is_preposition);
        let name_like = words <= 6
            && !phrase
            && text.chars().any(char::is_alphabetic)
            && !text.contains("://")
            && !text.split_whitespace().any(|word| super::words::is_auxiliary(&word.to_lowercase()))
            && (words < 3 || !text.starts_with(char::is_lowercase) || is_small_name(text));
        name_like.then(|| Entity { kind: *kind, name: text.to_owned() })
    }
}

/// Whether a few words in small letters may be a name: `chronic kidney disease`, not `to be decided in May`.
fn is_small_name(text: &str) -> bool {
    let plain = |word: &str| {
        word.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
            && !super::words::is_closed(&word.to_lowercase())
    };
    text.split_whitespace().count() <= 4 && text.split_whitespace().all(plain)
}

impl Vocabulary {
    /// The kinds whose word a text is, as a plural or singular, whatever stands around it that says nothing.
    fn kinds_named(&self, tokens: &[Token]) -> Vec<usize> {
        match self.type_words.find(tokens, 0) {
            Some((length, kinds)) if length == tokens.len() => kinds.into_iter().copied().collect(),
            _ => Vec::new(),
        }
    }
}
