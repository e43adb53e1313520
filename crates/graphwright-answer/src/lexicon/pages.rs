//! Documents that are entities: their types, what people call such documents, and which of them is about something.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::OnceLock,
};

use graphwright_core::{Value, names, text::identifier_words};
use graphwright_english::{
    questions::{Token, phrase_key, tokenize},
    words,
};
use graphwright_retrieve::{NodeIndex, Role, Topology, names_of};

use crate::schema::{Label, Schema};

/// So many documents show which types documents are of.
const SAMPLE: usize = 60;
/// A document is looked for among at most so many.
const MOST_PAGES: usize = 20_000;
/// So many passages say what a document is about.
const FIRST_PASSAGES: usize = 2;
/// How much a word in the first passages counts beside one in the title.
const IN_TEXT: f64 = 0.5;
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
    node: NodeIndex,
    title: HashSet<String>,
    text: HashSet<String>,
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
            let documents = self.topology.nodes_with_label(names::DOCUMENT).take(MOST_PAGES);
            documents.filter_map(|document| Some(self.read(document, self.page_of(document)?))).collect()
        })
    }

    fn read(&self, document: NodeIndex, node: NodeIndex) -> Page {
        let titles = names_of(self.topology.node(node));
        let texts = self.passages(document).filter_map(|passage| self.topology.text(passage));
        Page { node, title: stems(titles), text: stems(texts) }
    }

    /// The document of some types that words say something of: the one that has most of them in its title and its first
    /// passages, where words that few of the documents have count most. `None` if several are as likely.
    pub(crate) fn about(&self, schema: &Schema, labels: &[Label], tokens: &[Token]) -> Option<About> {
        let terms: Vec<&str> = content(tokens).map(|token| token.stem.as_str()).collect();
        let (last, pages) = (*terms.last()?, self.all());
        let of_type: Vec<&Page> = pages.iter().filter(|page| schema.is_of(page.node, labels)).collect();
        let having = |term: &str| {
            of_type.iter().filter(|page| page.title.contains(term) || page.text.contains(term)).count()
        };
        // A word that none of them has is the reader's own, and says as little as one that many have.
        let all = of_type.len() as f64;
        let weight = |term: &str| {
            let known = Some(having(term)).filter(|count| *count > 0).map_or(all / 2.0, |count| count as f64);
            (1.0 + all / (known + 0.5)).ln()
        };
        let weights: HashMap<&str, f64> = terms.iter().map(|term| (*term, weight(term))).collect();
        let total: f64 = terms.iter().map(|term| weights[term]).sum();
        let share = |page: &Page| {
            let of_term = |term: &&str| match (page.title.contains(*term), page.text.contains(*term)) {
                (true, _) => weights[*term],
                (false, true) => weights[*term] * IN_TEXT,
                (false, false) => 0.0,
            };
            terms.iter().map(of_term).sum::<f64>() / total
        };
        let mut scored: Vec<(f64, &Page)> = of_type.iter().map(|page| (share(page), *page)).collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        let (best, page) = *scored.first()?;
        let second = scored.get(1).map_or(0.0, |(share, _)| *share);
        let titled = terms.iter().any(|term| page.title.contains(*term));
        (titled && best >= LEAST_SHARE && best >= second * AHEAD).then(|| About {
            node: page.node,
            share: best,
            ends_in_title: page.title.contains(last),
            ends_in_text: page.text.contains(last),
        })
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
