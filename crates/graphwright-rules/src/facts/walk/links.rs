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

use super::{Block, Entity, KeyColumn, Walk};
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
    paths: HashMap<Entity, String>,
    /// The letters with which several pages of a type are numbered: `RFC`.
    series: HashSet<(usize, String)>,
}

impl Pages {
    pub(in crate::facts) fn new(keys: &[KeyColumn]) -> Self {
        let mut made = Self::default();
        for keys in keys.iter().filter(|keys| keys.column == PATH) {
            let mut seen = HashSet::new();
            for (path, name) in &keys.names {
                for (_, identifier) in identifiers(name) {
                    let letters = identifier.split(' ').next().unwrap_or_default().to_owned();
                    if !seen.insert(letters.clone()) {
                        made.series.insert((keys.kind, letters));
                    }
                }
                let page = Entity { kind: keys.kind, name: name.clone() };
                made.by_path.insert(path.clone(), page.clone());
                made.paths.insert(page, path.clone());
            }
        }
        let documents = made.by_path.keys().map(|path| (path.as_str(), path.as_str()));
        made.targets = LinkTargets::new(documents, std::iter::empty());
        made
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
        if letters(&text[name.clone()]) && digits(&text[number..word.end]) {
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
        let text = "RFC 2451 – Gates (ADR-0012), §JIRA77; RFC #8. A 5, RFC: 12, Rfc 9, UTF8x";
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
