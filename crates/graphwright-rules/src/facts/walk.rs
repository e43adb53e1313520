//! Reads a document from top to bottom: blocks to sentences, fields, items and tables, with what each stands under.

mod entries;
mod fields;
mod heading_words;
mod headings;
mod links;
mod lists;
mod page;
mod sentences;
mod tables;
mod topics;

pub(super) use links::Pages;
pub(super) use tables::KeyColumn;

use std::{collections::HashSet, sync::Arc};

use graphwright_documents::{Extraction, ParsedDocument, headings::RecurringHeadings};

use super::{
    blocks::Block,
    collect::{Collector, Named, Status},
    context::{Context, Entity},
    keys::Meaning,
    mentions::Lexicon,
    names::Gazetteer,
    people,
    prose::Token,
    reader::could_say_something,
    text::BlockText,
    tree::Parses,
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
    /// Whether each item of the lists in this section names something.
    lists_names: bool,
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
        lists_names: true,
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
                self.lists_names = self.lists_names(rest);
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
