//! Documents that are entities: their types, what people call such documents, and which of them is about something.

use std::{
    collections::{BTreeSet, HashSet},
    sync::OnceLock,
};

use graphwright_core::{Value, names, text::identifier_words};
use graphwright_english::{
    questions::{Token, phrase_key, tokenize},
    thesaurus, words,
};
use graphwright_retrieve::{NodeIndex, Role, Topology, names_of};

use crate::schema::{Label, Schema};

/// So many documents show which types documents are of.
const SAMPLE: usize = 60;
/// A document is looked for among at most so many; among more, none is meant by its subject.
const MOST_PAGES: usize = 50_000;
/// So many passages say what a document is about.
const FIRST_PASSAGES: usize = 2;
/// How much a word in the first passages counts beside one in the title, and one that people use in its place beside itself.
const IN_TEXT: f64 = 0.5;
const IN_ITS_PLACE: f64 = 0.5;
/// What a document gains that a search for the question finds first.
const FOUND_FIRST: f64 = 0.1;
/// A document is meant if it has at least so much of what is said of it,
const LEAST_SHARE: f64 = 0.45;
/// and so many times what the next one has.
const AHEAD: f64 = 1.25;

/// The documents that are entities.
#[derive(Debug)]
pub(crate) struct Pages {
    topology: Topology,
    /// Their types.
    pub(crate) labels: BTreeSet<Label>,
    found: OnceLock<Vec<Page>>,
}

/// A document with the stems of its words.
#[derive(Debug)]
struct Page {
    document: NodeIndex,
    node: NodeIndex,
    title: HashSet<String>,
    /// Of its first passages, read when they are first needed.
    text: OnceLock<HashSet<String>>,
}

/// The document that is about something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct About {
    pub(crate) node: NodeIndex,
    /// How much of what is said it has, from 0 to 1.
    pub(crate) share: f64,
    /// Whether its title has the last word,
    pub(crate) ends_in_title: bool,
    /// or its first passages.
    pub(crate) ends_in_text: bool,
}

impl Pages {
    pub(super) fn build(topology: &Topology, schema: &Schema) -> Self {
        let mut pages = Self { topology: topology.clone(), labels: BTreeSet::new(), found: OnceLock::new() };
        let sample = topology.nodes_with_label(names::DOCUMENT).take(SAMPLE);
        pages.labels = sample.filter_map(|document| schema.label_of(pages.page_of(document)?)).collect();
        pages
    }

    /// The entity that a document is: it has the name of the document or of its file, and is mentioned where that begins.
    fn page_of(&self, document: NodeIndex) -> Option<NodeIndex> {
        let first = self.passages(document).next()?;
        let content = self.topology.node(document);
        let property = |name: &str| content.properties.get(name).and_then(Value::as_str);
        let title = [Some(content.display_name()), property("title")];
        let titles: Vec<String> =
            title.into_iter().flatten().map(|title| phrase_key(&tokenize(title))).collect();
        let file = words_of_file(property("source").unwrap_or_default());
        let is_meant = |name: &str| {
            let tokens = tokenize(name);
            titles.contains(&phrase_key(&tokens))
                || file.len() > 1 && file.iter().eq(tokens.iter().map(|token| &token.lower))
        };
        let steps = self.topology.steps(first, graphwright_retrieve::Direction::Both).map(|step| step.node);
        let mut entities = steps.filter(|node| self.topology.role(*node) == Role::Entity);
        entities.find(|node| names_of(self.topology.node(*node)).any(is_meant))
    }

    /// The first passages of a document.
    fn passages(&self, document: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let id = self.topology.node(document).id();
        (0..FIRST_PASSAGES).filter_map(move |index| self.topology.node_by_id(&format!("{id}#{index}")))
    }

    fn all(&self) -> &[Page] {
        self.found.get_or_init(|| {
            let documents = self.topology.nodes_with_label(names::DOCUMENT);
            if documents.len() > MOST_PAGES {
                return Vec::new();
            }
            documents.filter_map(|document| Some(self.read(document, self.page_of(document)?))).collect()
        })
    }

    fn read(&self, document: NodeIndex, node: NodeIndex) -> Page {
        let titles = names_of(self.topology.node(node));
        Page { document, node, title: stems(titles), text: OnceLock::new() }
    }

    /// The stems of the words in the first passages of a document.
    fn text<'p>(&self, page: &'p Page) -> &'p HashSet<String> {
        page.text.get_or_init(|| {
            stems(self.passages(page.document).filter_map(|passage| self.topology.text(passage)))
        })
    }

    /// The document of some types that words say something of: the one that has most of them in its title and its first
    /// passages, where words that few of the documents have count most, and that the search finds. `None` if several are as
    /// likely.
    pub(crate) fn about(
        &self,
        schema: &Schema,
        labels: &[Label],
        tokens: &[Token],
        near: &[NodeIndex],
    ) -> Option<About> {
        let of_type: Vec<&Page> = self.all().iter().filter(|page| schema.is_of(page.node, labels)).collect();
        let terms: Vec<Term<'_>> = content(tokens).map(|token| Term::new(token, &of_type)).collect();
        let last = terms.last()?.stem;
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        let rank = |page: &Page| near.iter().position(|document| *document == page.document);
        let score = |page: &Page| {
            let text = self.text(page);
            let share = terms.iter().map(|term| term.weight * term.said_by(page, text)).sum::<f64>() / total;
            share + rank(page).map_or(0.0, |rank| FOUND_FIRST / (rank + 1) as f64)
        };
        let may_be = |page: &&&Page| terms.iter().any(|term| term.is_in_title(page)) || rank(page).is_some();
        let mut scored: Vec<(f64, &Page)> =
            of_type.iter().filter(may_be).map(|page| (score(page), *page)).collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        let (best, page) = *scored.first()?;
        // A title that is said is no less so in another document of the same entity.
        let is_title = terms.iter().all(|term| term.is_in_title(page));
        let is_rival = |other: &Page| !is_title || other.node != page.node;
        let second =
            scored.iter().skip(1).find(|(_, other)| is_rival(other)).map_or(0.0, |(score, _)| *score);
        let titled = terms.iter().any(|term| term.is_in_title(page));
        (titled && best >= LEAST_SHARE && best >= second * AHEAD).then(|| About {
            node: page.node,
            share: best.min(1.0),
            ends_in_title: page.title.contains(last),
            ends_in_text: self.text(page).contains(last),
        })
    }
}

/// A word that says what a document is about.
struct Term<'t> {
    stem: &'t str,
    weight: f64,
}

impl<'t> Term<'t> {
    /// A word that no title has is the reader's own or one of any text, and says as little as one that half of them have.
    fn new(token: &'t Token, pages: &[&Page]) -> Self {
        let stem = token.stem.as_str();
        let having = pages.iter().filter(|page| page.title.contains(stem)).count();
        let all = pages.len() as f64;
        let having = if having > 0 { having as f64 } else { all / 2.0 };
        Self { stem, weight: (1.0 + all / (having + 0.5)).ln() }
    }

    fn is_in_title(&self, page: &Page) -> bool {
        page.title.contains(self.stem)
    }

    /// How far a document with this text says it, from 0 to 1.
    fn said_by(&self, page: &Page, text: &HashSet<String>) -> f64 {
        let said = |stem: &str| match (page.title.contains(stem), text.contains(stem)) {
            (true, _) => 1.0,
            (false, true) => IN_TEXT,
            (false, false) => 0.0,
        };
        let neighbours =
            thesaurus::verb_neighbours(self.stem).iter().chain(thesaurus::noun_neighbours(self.stem));
        let single = neighbours.filter_map(|neighbour| match neighbour.words.as_slice() {
            [word] => Some(said(word) * IN_ITS_PLACE),
            _ => None,
        });
        single.fold(said(self.stem), f64::max)
    }
}

/// The words of phrases that say something.
fn content(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens.iter().filter(|token| {
        !token.is_possessive() && !words::is_filler(&token.lower) && !words::is_preposition(&token.lower)
    })
}

fn stems<'t>(texts: impl Iterator<Item = &'t str>) -> HashSet<String> {
    texts.flat_map(tokenize).map(|token| token.stem).collect()
}

/// `pep-0008.rst` as `pep 8`.
fn words_of_file(source: &str) -> Vec<String> {
    let file = source.rsplit('/').next().unwrap_or(source);
    let stem = file.split('.').next().unwrap_or(file);
    let words = stem.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.trim_start_matches('0').to_lowercase()).collect()
}

/// What people call the documents of a type besides its name, each with how well that says it: `ADR`, `decision` and `record`
/// for an `ArchitectureDecisionRecord`, and `page` for any.
pub(super) fn other_words(label: &str) -> Vec<(String, f64)> {
    let words = identifier_words(label);
    let mut found: Vec<(String, f64)> = ["page", "document"].map(|word| (word.to_owned(), 0.9)).into();
    if words.len() > 2 {
        found.push((words.iter().filter_map(|word| word.chars().next()).collect(), 0.95));
    }
    found.extend((1..words.len()).map(|at| (words[at..].join(" "), 0.95)));
    // What a record is of is what it records.
    let general = |word: &String| {
        matches!(word.as_str(), "record" | "page" | "document" | "note" | "file" | "entry" | "log")
    };
    if let [.., before, last] = words.as_slice()
        && general(last)
    {
        found.push((before.clone(), 0.9));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_documents_has_the_names_that_people_give_such_documents() {
        let words: Vec<String> =
            other_words("ArchitectureDecisionRecord").into_iter().map(|(word, _)| word).collect();
        assert_eq!(words, ["page", "document", "adr", "decision record", "record", "decision"]);
        assert_eq!(words_of_file("a/pep-0008.rst"), ["pep", "8"]);
    }
}
