//! Pages that lead to other pages, by links and by the identifiers that name them.

use std::{collections::BTreeMap, ops::Range};

use graphwright_core::Span;
use graphwright_documents::ParsedDocument;

use super::{Block, Entity, Walk};
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
        self.collector.key(&page, PATH, path);
        self.collector.key(&page, FILE, path.rsplit('/').next().unwrap_or(path));
        let relations: Vec<Option<usize>> = (0..self.lexicon.vocabulary.types.len())
            .map(|kind| relation_of_links(self.lexicon.vocabulary, page.kind, kind))
            .collect();
        if relations.iter().all(Option::is_none) {
            return;
        }
        let mut led: Vec<(Entity, Span)> = Vec::new();
        for link in document.links() {
            led.extend(self.page_at(&link.target).map(|other| (other, link.span)));
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

    /// The page to which a link leads. One that starts with `/` is an address on a site whose root is unknown.
    fn page_at(&self, target: &str) -> Option<Entity> {
        let at = |path: &str| {
            let columns = self.keys.iter().filter(|keys| keys.column == PATH);
            columns.into_iter().find_map(|keys| {
                let name = keys.names.get(path).or_else(|| keys.names.get(page_path(path)))?;
                Some(Entity { kind: keys.kind, name: name.clone() })
            })
        };
        let Some(mut path) = target.strip_prefix('/') else { return at(target) };
        loop {
            if let Some(found) = at(path) {
                return Some(found);
            }
            path = path.split_once('/').map(|(_, rest)| rest).filter(|rest| rest.contains('/'))?;
        }
    }

    /// The only thing that an identifier names, if it is a page.
    fn page_called(&self, name: &str) -> Option<Entity> {
        let gazetteer = self.lexicon.gazetteer;
        let [entry] = gazetteer.lookup_whole(name)[..] else { return None };
        let entry = &gazetteer.entries[entry];
        // `RFC 3` may be named without being one of the pages, and a page on `GA4` is not the fourth of a series.
        let (letters, number) = name.split_once(' ')?;
        let numbered = |path: &str| {
            let mut parts =
                path.rsplit('/').next().unwrap_or(path).split(|sign: char| !sign.is_alphanumeric());
            parts.any(|part| part.trim_start_matches('0') == number)
        };
        let mut columns = self.keys.iter().filter(|keys| keys.kind == entry.kind && keys.column == PATH);
        let is_page = columns.any(|keys| {
            let mut pages = keys.names.iter().filter(|(_, page)| **page == entry.name);
            pages.any(|(path, _)| keys.series.contains(letters) || numbered(path))
        });
        is_page.then(|| Entity { kind: entry.kind, name: entry.name.clone() })
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
