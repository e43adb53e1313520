//! Pages that lead to other pages, by links and by the identifiers that name them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use graphwright_core::Span;
use graphwright_documents::{
    ParsedDocument,
    links::{Lead, LinkTargets},
};

use super::{Block, BlockText, Entity, KeyColumn, Walk, headings};
use crate::{
    facts::{collect::Status, inflection, vocabulary::Vocabulary},
    head,
};

/// The key under which the path of a page is known.
const PATH: &str = "path";
/// The key under which its file is known, as links call it wherever they stand.
const FILE: &str = "file";

impl Walk<'_> {
    /// Relates the page to the pages that it leads to, and makes its own path known.
    pub(super) fn read_links(&mut self, document: &ParsedDocument) {
        let titled = head::only_title(document.blocks()).is_some();
        let Some(page) = self.page.clone().or_else(|| self.context.page.clone().filter(|_| titled)) else {
            return;
        };
        let path = page_path(&document.source);
        self.collector.key(&page, PATH, &document.source);
        self.collector.key(&page, FILE, path.rsplit('/').next().unwrap_or(path));
        let relations: Vec<Option<usize>> = (0..self.lexicon.vocabulary.types.len())
            .map(|kind| relation_of_links(self.lexicon.vocabulary, page.kind, kind))
            .collect();
        if relations.iter().all(Option::is_none) {
            return;
        }
        let mut led: Vec<(Entity, Span)> = Vec::new();
        for link in document.links() {
            led.extend(self.pages.at(&link.target).map(|other| (other.clone(), link.span)));
        }
        for block in &**document.blocks() {
            let (Block::Paragraph(text) | Block::Item { text } | Block::Field { value: text, .. }) = block
            else {
                continue;
            };
            for (range, name) in identifiers(&text.text) {
                led.extend(self.page_called(&name).map(|other| (other, text.span(range))));
            }
        }
        for (other, span) in led {
            if let Some(relation) = relations[other.kind].filter(|_| other != page) {
                self.collector.mention(&other, span);
                self.collector.fact(relation, &page, &other, Status::Fact, 1.0, span, BTreeMap::new());
            }
        }
    }

    /// Relates a page to those whose paths a field gives as its values, where the field itself is no relationship.
    pub(super) fn refer_by_paths(&mut self, page: &Entity, value: &BlockText) {
        let whole = 0..value.text.len();
        let ranges = if value.items.is_empty() { std::slice::from_ref(&whole) } else { &value.items };
        for range in ranges {
            let range = value.trim(range.clone());
            let Some(other) = self.pages.named_by_path(&value.text[range.clone()]) else { continue };
            let relation = relation_of_links(self.lexicon.vocabulary, page.kind, other.kind);
            if let Some(relation) = relation.filter(|_| other != page) {
                let (other, span) = (other.clone(), value.span(range));
                self.collector.mention(&other, span);
                self.collector.fact(relation, page, &other, Status::Fact, 1.0, span, BTreeMap::new());
            }
        }
    }

    /// The only thing that an identifier names, if it is a page.
    fn page_called(&self, identifier: &str) -> Option<Entity> {
        let gazetteer = self.lexicon.gazetteer;
        let [entry] = gazetteer.lookup_whole(identifier)[..] else { return None };
        let entry = &gazetteer.entries[entry];
        let entity = Entity { kind: entry.kind, name: entry.name.clone() };
        self.pages.has_numbered(&entity, identifier).then_some(entity)
    }
}

/// The pages of all documents.
#[derive(Debug, Default)]
pub(in crate::facts) struct Pages {
    targets: LinkTargets,
    by_path: HashMap<String, Entity>,
    /// Those whose title others have as well, which are told apart by their files.
    told_apart: HashMap<String, Entity>,
    /// The only thing that the pages of a folder are.
    by_folder: HashMap<String, Option<Entity>>,
    paths: HashMap<Entity, String>,
    /// The letters with which several pages of a type are numbered: `RFC`.
    series: HashSet<(usize, String)>,
}

impl Pages {
    pub(in crate::facts) fn new(keys: &[KeyColumn]) -> Self {
        let mut made = Self::default();
        for keys in keys.iter().filter(|keys| keys.column == PATH) {
            let mut titled: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (path, name) in &keys.names {
                titled.entry(name).or_default().push(path);
            }
            let mut seen = HashSet::new();
            for (name, paths) in titled {
                for (_, identifier) in identifiers(name) {
                    let letters = identifier.split(' ').next().unwrap_or_default().to_owned();
                    if !seen.insert(letters.clone()) {
                        made.series.insert((keys.kind, letters));
                    }
                }
                let files = Files::of(&paths);
                for path in paths {
                    let page = |name| Entity { kind: keys.kind, name };
                    match files.mark_of(path) {
                        Some(mark) => {
                            let page = page(format!("{name} ({mark})"));
                            made.told_apart.insert(path.to_owned(), page.clone());
                            made.add(path, page);
                        }
                        None => made.add(path, page(name.to_owned())),
                    }
                }
            }
        }
        made.join_texts();
        let documents = made.by_path.keys().map(|path| (path.as_str(), path.as_str()));
        made.targets = LinkTargets::new(documents, std::iter::empty());
        made
    }

    fn add(&mut self, path: &str, page: Entity) {
        if let Some((folder, file)) = path.rsplit_once('/')
            && !is_general(file)
        {
            let only = self.by_folder.entry(folder.to_owned()).or_insert_with(|| Some(page.clone()));
            if only.as_ref() != Some(&page) {
                *only = None;
            }
        }
        self.by_path.insert(path.to_owned(), page.clone());
        self.paths.insert(page, path.to_owned());
    }

    /// The text of a folder is that of the record beside it.
    fn join_texts(&mut self) {
        for (path, page) in &mut self.by_path {
            let Some((folder, _)) = path.rsplit_once('/').filter(|(_, file)| is_general(file)) else {
                continue;
            };
            let record = self.by_folder.get(folder).and_then(Option::as_ref);
            if let Some(record) = record.filter(|record| record.kind == page.kind) {
                *page = record.clone();
            }
        }
    }

    /// The page that a document is, where its title does not tell.
    pub(super) fn told_apart(&self, source: &str) -> Option<&Entity> {
        self.told_apart.get(source)
    }

    /// What a document is that gives the text of its folder, such as `README.md`: what the pages beside it are.
    pub(super) fn beside(&self, source: &str) -> Option<&Entity> {
        let (folder, _) = source.rsplit_once('/').filter(|(_, file)| is_general(file))?;
        self.by_folder.get(folder)?.as_ref()
    }

    /// The page that a path or an address names, as a value writes it.
    pub(super) fn named_by_path(&self, written: &str) -> Option<&Entity> {
        if !written.contains('/') || written.contains(char::is_whitespace) {
            return None;
        }
        let path = written.trim_matches('/');
        let starts = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        let parts = std::iter::once(path).chain(starts).filter(|path| path.contains('/'));
        let mut found = parts.filter_map(|path| {
            let folder = || self.by_folder.get(path)?.as_ref();
            self.at(path).or_else(folder)
        });
        found.next()
    }

    /// The page to which a link leads.
    fn at(&self, target: &str) -> Option<&Entity> {
        let Lead::Document(path) = self.targets.find(target) else { return None };
        self.by_path.get(path)
    }

    /// Whether an identifier numbers a page: it is one of a series, or its file has the number. `RFC 3` may be named without
    /// being one of the pages, and a page on `GA4` is not the fourth of a series.
    fn has_numbered(&self, page: &Entity, identifier: &str) -> bool {
        let Some((letters, number)) = identifier.split_once(' ') else { return false };
        self.paths.get(page).is_some_and(|path| {
            let file = path.rsplit('/').next().unwrap_or(path);
            let mut parts = file.split(|sign: char| !sign.is_alphanumeric());
            self.series.contains(&(page.kind, letters.to_owned()))
                || parts.any(|part| part.trim_start_matches('0') == number)
        })
    }
}

/// Whether a file has the name of one that any folder may have.
fn is_general(file: &str) -> bool {
    headings::is_general_file(file.split('.').next().unwrap_or(file))
}

/// The files of the pages of one title, counted by their ending, and by that and their stem.
#[derive(Debug, Default)]
struct Files<'p> {
    by_ending: HashMap<&'p str, usize>,
    by_stem: HashMap<(&'p str, &'p str), usize>,
}

impl<'p> Files<'p> {
    fn of(paths: &[&'p str]) -> Self {
        let mut files = Self::default();
        for path in paths {
            *files.by_ending.entry(ending(path)).or_default() += 1;
            *files.by_stem.entry((ending(path), headings::stem_of(path))).or_default() += 1;
        }
        files
    }

    /// What tells a page from others of its title: several files of one form are several things. `Notes (gates)`.
    fn mark_of(&self, path: &'p str) -> Option<&'p str> {
        let stem = headings::stem_of(path);
        let is_one = |count: Option<&usize>| count == Some(&1);
        if is_one(self.by_ending.get(ending(path))) {
            None
        } else if is_one(self.by_stem.get(&(ending(path), stem))) {
            Some(stem)
        } else {
            Some(page_path(path))
        }
    }
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The relationship that is meant for links between two types: its words say so, such as the cue `links to`.
fn relation_of_links(vocabulary: &Vocabulary, from: usize, to: usize) -> Option<usize> {
    let says = |words: &[String]| {
        let verb = words.first().map(|first| inflection::bases(first)).unwrap_or_default();
        let is = |known: &[&str]| verb.iter().any(|verb| known.contains(&verb.as_str()));
        is(&["reference", "mention", "cite"])
            || is(&["link", "refer", "point"]) && words.get(1).is_some_and(|next| next == "to")
    };
    let mut found = vocabulary.cues.iter().filter(|cue| !cue.inverse && says(&cue.words));
    let fits = |relation: usize| {
        let relation = &vocabulary.relations[relation];
        relation.from.contains(&from) && relation.to.contains(&to)
    };
    found.find(|cue| fits(cue.relation)).map(|cue| cue.relation)
}

/// A path as links give it: without the ending of the file, or the file where it stands for its folder.
fn page_path(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |at| at + 1);
    let stem = path[file..].rfind('.').filter(|at| *at > 0).map_or(path, |at| &path[..file + at]);
    ["/index", "/README", "/readme"].iter().find_map(|name| stem.strip_suffix(name)).unwrap_or(stem)
}

/// The identifiers in a text and where they stand: `RFC 2451` in `RFC 2451: Gates`, `Gates (RFC-2451)`, `RFC2451 gates`.
pub(super) fn identifiers(text: &str) -> Vec<(Range<usize>, String)> {
    let letters = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase());
    let digits = |word: &str| !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_digit());
    let mut found = Vec::new();
    let mut before = 0..0;
    for word in words(text) {
        let number = text[word.clone()].find(|letter: char| letter.is_ascii_digit());
        let number = number.map_or(word.end, |at| word.start + at);
        let joined =
            text[before.end..word.start].chars().all(|letter| matches!(letter, ' ' | '-' | '#' | '_' | '\n'));
        let name = if number == word.start && joined { before.clone() } else { word.start..number };
        // `CVE-2019-0012` is no `CVE 2019`.
        let goes_on = text[word.end..]
            .strip_prefix(['-', '_'])
            .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
        if letters(&text[name.clone()]) && digits(&text[number..word.end]) && !goes_on {
            found.push((name.start..word.end, format!("{} {}", &text[name], &text[number..word.end])));
        }
        before = word;
    }
    found
}

/// The runs of letters and digits in a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter_map(move |word| {
        let start = at;
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        (!word.is_empty()).then_some(start..start + word.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_letters_and_a_number() {
        let text = "RFC 2451 – Gates (ADR-0012), §JIRA77; RFC #8. A 5, RFC: 12, Rfc 9, UTF8x, CVE-2019-12";
        let found: Vec<_> = identifiers(text).into_iter().map(|(range, name)| (&text[range], name)).collect();
        let shown: Vec<String> = found.iter().map(|(written, name)| format!("{written}|{name}")).collect();
        assert_eq!(shown, ["RFC 2451|RFC 2451", "ADR-0012|ADR 0012", "JIRA77|JIRA 77", "RFC #8|RFC 8"]);
    }

    #[test]
    fn a_page_is_called_by_its_path_without_its_ending() {
        let paths = ["a/b.md", "b.html.md", "a/index.md", "README.md", "x/.hidden"];
        assert_eq!(paths.map(page_path), ["a/b", "b.html", "a", "README", "x/.hidden"]);
    }
}
