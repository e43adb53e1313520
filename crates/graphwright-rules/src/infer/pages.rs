//! Types of pages: documents of one folder, and of those within it, whose heads have the same keys are things of one type, and
//! their heads are its records (`folders` tells which folders are of one kind). So are the sections that all of them have with a few words in each (`## Status`).
//!
//! The type is called as the documents call one another by their numbers (`RFC 8`), else as their folder. Pages of these
//! types refer to one another by links.

mod cells;
mod folders;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use graphwright_documents::{
    ParsedDocument,
    blocks::{Block, text::BlockText},
};
use graphwright_ontology::{Ontology, RelationshipType};

use self::folders::Folder;
use super::{
    merge_into,
    sheets::{Column, Sheet, values},
};
use crate::head::{Head, is_name, is_state, is_title};

/// The relationship of pages that link to one another.
const REFERS_TO: &str = "REFERS_TO";
/// A page has at least so many fields that others of its folder have.
const LEAST_FIELDS: usize = 2;

/// A document with its head.
#[derive(Clone, Debug)]
struct Page<'d> {
    document: &'d ParsedDocument,
    head: Head,
}

/// The heads of the pages of each folder, as lists of records, and the sources of these pages.
pub(super) fn sheets_of<'d>(
    documents: &[&'d ParsedDocument],
    least: usize,
) -> (Vec<Sheet>, HashSet<&'d str>) {
    let mut by_ending: BTreeMap<&str, Vec<&'d ParsedDocument>> = BTreeMap::new();
    for &document in documents {
        by_ending.entry(place(&document.source).1).or_default().push(document);
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (ending, inside) in by_ending {
        Folder::tree(&inside).group(ending, least, &mut groups);
    }
    let grouped: HashSet<&'d str> =
        groups.iter().flat_map(|group| &group.pages).map(|page| page.document.source.as_str()).collect();
    let sheet = |group: &Group<'_>| {
        let Group { folder, ending, pages, keys } = group;
        let inside = documents
            .iter()
            .map(|document| document.source.as_str())
            .filter(|source| source.starts_with(folder) && source.ends_with(ending));
        let (paged, others): (Vec<&str>, Vec<&str>) = inside.partition(|source| grouped.contains(source));
        let nearly_all = paged.len() >= 9 * others.len();
        let name = group
            .called_by_head()
            .or_else(|| called_by_number(documents, pages))
            .unwrap_or_else(|| name_of_folder(folder).to_owned());
        let paths = nearly_all.then(|| format!("{folder}*{ending}"));
        Sheet::of_pages(name, columns(folder, pages, &with_rare(pages, keys)), pages.len(), paths)
    };
    let sheets = groups.iter().map(sheet).collect();
    (sheets, grouped)
}

/// Documents of one folder whose heads have the same keys.
#[derive(Debug)]
struct Group<'d> {
    folder: &'d str,
    ending: &'d str,
    pages: Vec<Page<'d>>,
    keys: BTreeSet<String>,
}

impl<'d> Group<'d> {
    fn new(folder: &'d str, ending: &'d str, mut pages: Vec<Page<'d>>, least: usize) -> Option<Self> {
        leave_out_text(&mut pages);
        let keys = common_keys(&pages);
        pages.retain(|page| page.fields().filter(|(key, _)| keys.contains(key)).count() >= LEAST_FIELDS);
        (pages.len() >= least.max(2)).then_some(Self { folder, ending, pages, keys })
    }

    /// Whether pages of a folder within this one are made by the same template: three of four of their keys are the same.
    fn has_form_of(&self, inner: &Self) -> bool {
        let shared = self.keys.intersection(&inner.keys).count();
        let all = self.keys.union(&inner.keys).count();
        inner.folder.starts_with(self.folder) && inner.ending == self.ending && shared * 4 >= all * 3
    }

    /// Whether the heads of both say in one word what they are of, wherever they lie.
    fn is_called_as(&self, other: &Self) -> bool {
        let own = self.called_by_head();
        own.is_some() && own == other.called_by_head() && self.ending == other.ending
    }

    fn take_up(&mut self, other: Self) {
        let shared = self.folder.bytes().zip(other.folder.bytes()).take_while(|(own, other)| own == other);
        let shared = &self.folder.as_bytes()[..shared.count()];
        self.folder = &self.folder[..shared.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)];
        self.pages.extend(other.pages);
        self.keys = common_keys(&self.pages);
    }

    /// The map that all heads put their fields into, which says what they are of: `[advisory]`.
    fn called_by_head(&self) -> Option<String> {
        let own = self.pages.first()?.head.group.as_ref()?;
        let same = |page: &Page<'_>| page.head.group.as_ref() == Some(own);
        self.pages.iter().all(same).then(|| own.clone())
    }
}

/// The folder of a file with `/` at its end, and the ending of its name.
fn place(source: &str) -> (&str, &str) {
    let (folder, file) = source.split_at(source.rfind('/').map_or(0, |at| at + 1));
    (folder, file.rfind('.').map_or("", |at| &file[at..]))
}

impl<'d> Page<'d> {
    fn new(document: &'d ParsedDocument) -> Self {
        Self { document, head: Head::read(document.blocks(), &document.text) }
    }

    /// What the head and short sections say beside the title, by keys in small letters.
    fn fields(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let fields = self.head.fields.iter().map(|(key, value)| (key.trim(), value));
        let sections = self.head.sections.iter().map(|section| (section.key.trim(), &section.value));
        let named = fields.chain(sections).filter(|(key, _)| !is_title(key));
        named.map(|(key, value)| (column_of(key), values(value)))
    }

    fn stem(&self) -> &'d str {
        let file = &self.document.source[place(&self.document.source).0.len()..];
        file.split('.').next().unwrap_or(file)
    }

    /// `8` of `0008-new-intrinsics` and `rfc-8-intrinsics-2`; none of a date.
    fn number(&self) -> Option<&'d str> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = self.stem().split(|letter: char| !letter.is_alphanumeric()).collect();
        let at = parts.iter().take(2).position(|part| digits(part))?;
        let date = parts.get(at + 1).is_some_and(|next| digits(next));
        (!date).then(|| parts[at].trim_start_matches('0'))
    }
}

/// A section is a field where at least so many of ten pages that have its heading say only a few words there.
const SHORT_OF_TEN: usize = 8;

/// A value of a field has at most so many words.
const MOST_WORDS: usize = 6;

/// Leaves out the sections that are mostly text.
fn leave_out_text(pages: &mut [Page<'_>]) {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for page in pages.iter() {
        let headings = page.document.blocks().iter().filter_map(|block| match block {
            Block::Heading { text, .. } => Some(text.on_one_line().trim_end_matches(':').to_lowercase()),
            _ => None,
        });
        for heading in headings.collect::<HashSet<_>>() {
            counts.entry(heading).or_default().1 += 1;
        }
        for section in page.head.sections.iter().filter(|section| is_value(&section.value)) {
            counts.entry(section.key.to_lowercase()).or_default().0 += 1;
        }
    }
    let short = |key: &str| {
        counts.get(&key.to_lowercase()).is_some_and(|(short, all)| short * 10 >= all * SHORT_OF_TEN)
    };
    for page in pages {
        page.head.sections.retain(|section| short(&section.key));
    }
}

/// Whether a section says a value, or a list of them, and no sentence.
fn is_value(text: &BlockText) -> bool {
    let words = text.text.split_whitespace().count();
    !text.items.is_empty() || words <= MOST_WORDS && !text.trimmed().ends_with('.')
}

/// The column of what pages say under a key: `author.name` is the `author name` of records.
fn column_of(key: &str) -> String {
    key.replace('.', " ").to_lowercase()
}

/// The keys that at least half of the pages with fields have.
fn common_keys(pages: &[Page<'_>]) -> BTreeSet<String> {
    let with_fields: Vec<&Page<'_>> = pages.iter().filter(|page| page.fields().next().is_some()).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (key, _) in with_fields.iter().flat_map(|page| page.fields()) {
        *counts.entry(key).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| count * 2 >= with_fields.len()).map(|(key, _)| key).collect()
}

/// A field that fewer of a hundred pages have is none of their type.
const RARE: usize = 5;

/// The keys that pages of one form have, with those of the fields that only some have.
fn with_rare(pages: &[Page<'_>], common: &BTreeSet<String>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let named = |page: &Page<'_>| {
        let keys = page.head.fields.iter().map(|(key, _)| key.trim().to_owned());
        keys.filter(|key| !is_title(key)).map(|key| column_of(&key)).collect::<BTreeSet<_>>()
    };
    for key in pages.iter().flat_map(named) {
        *counts.entry(key).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1 && *count * 100 >= pages.len() * RARE);
    common.iter().cloned().chain(counts.into_keys()).collect()
}

/// The names of the pages, and what they say under each key.
fn columns(folder: &str, pages: &[Page<'_>], keys: &BTreeSet<String>) -> Vec<Column> {
    let name = |page: &Page<'_>| {
        let own = [is_title, is_name].iter().find_map(|is| page.head.fields.iter().find(|(key, _)| is(key)));
        let own = own.map(|(_, value)| value.on_one_line());
        let heading = || page.head.heading.as_ref().map(|(heading, ..)| heading.clone());
        own.or_else(heading).unwrap_or_else(|| page.stem().to_owned())
    };
    let names = Column::new("name", pages.iter().map(|page| vec![name(page)]).collect());
    let column = |key: &String| {
        let cell = |page: &Page<'_>| {
            page.fields().find(|(own, _)| own == key).map_or_else(Vec::new, |(_, values)| values)
        };
        let cells = cells::tidy(pages.iter().map(cell).collect());
        let named_by_folder = pages.iter().all(|page| {
            let inner = page.document.source[folder.len()..].split_once('/');
            inner.is_some_and(|(inner, _)| page.says(key, inner))
        });
        Column::new(key, cells).of_rows(is_state(key)).of_things(named_by_folder)
    };
    let others = keys.iter().filter(|key| !is_name(key));
    std::iter::once(names).chain(others.map(column)).collect()
}

/// What the documents call these pages by their numbers: the word in capitals that stands before them, and rarely before
/// other numbers.
fn called_by_number(documents: &[&ParsedDocument], pages: &[Page<'_>]) -> Option<String> {
    let numbers: HashSet<&str> = pages.iter().filter_map(Page::number).collect();
    if numbers.len() * 2 < pages.len() {
        return None;
    }
    let mut counts: HashMap<&str, (HashSet<&str>, usize, usize)> = HashMap::new();
    for document in documents {
        let mut before = "";
        for word in
            document.text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
        {
            if word.bytes().all(|byte| byte.is_ascii_digit()) && before.starts_with(char::is_uppercase) {
                let (different, own, all) = counts.entry(before).or_default();
                let number = numbers.get(word.trim_start_matches('0'));
                different.extend(number);
                *own += usize::from(number.is_some());
                *all += 1;
            }
            before = word;
        }
    }
    // `UTF-8` has only one number.
    let found = counts.into_iter().filter(|(word, (different, own, all))| {
        let acronym = word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase());
        acronym && different.len() > 1 && own * 10 >= *all
    });
    let best = found.max_by_key(|(word, (different, ..))| (different.len(), std::cmp::Reverse(*word)));
    best.map(|(word, _)| word.to_owned())
}

/// The folder, unless any folder of documents may be called so.
fn name_of_folder(folder: &str) -> &str {
    let name = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let general = matches!(
        name.to_lowercase().as_str(),
        "" | "."
            | "doc"
            | "docs"
            | "documents"
            | "documentation"
            | "text"
            | "texts"
            | "content"
            | "contents"
            | "src"
            | "source"
            | "files"
            | "data"
    );
    if general { "pages" } else { name }
}

/// Adds the relationship of pages that link to one another.
pub(super) fn add_links(ontology: &mut Ontology, labels: &BTreeSet<String>) {
    if labels.is_empty() {
        return;
    }
    let entry = ontology.relationships.entry(REFERS_TO.to_owned()).or_insert_with(|| RelationshipType {
        description: "A page links to another, or names it.".to_owned(),
        ..RelationshipType::default()
    });
    merge_into(&mut entry.from, labels.clone());
    merge_into(&mut entry.to, labels.clone());
    merge_into(&mut entry.cues, ["refers to", "links to", "references"].map(str::to_owned).into());
}
