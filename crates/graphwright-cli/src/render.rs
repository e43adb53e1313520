//! Formats results for people.

mod examples;
mod ingest;
mod live;
mod path;
mod plan;
mod replay;
mod retrieval;
mod routes;
mod schema;
mod value;

use std::fmt;

use comfy_table::{ContentArrangement, presets::UTF8_BORDERS_ONLY};
use graphwright::{
    documents::load::Failure,
    search,
    store::Counters,
    text::{visible, visible_on_one_line, without_credentials},
};

pub(crate) use examples::{example_text, examples_text};
pub(crate) use graphwright::text::shorten;
pub(crate) use ingest::ingest_text;
pub(crate) use live::live_text;
pub(crate) use path::path_text;
pub(crate) use plan::{index_command, plan_text};
pub(crate) use replay::replay_text;
pub(crate) use retrieval::retrieval_text;
pub(crate) use routes::{patterns_text, route_text, routes_text};
pub(crate) use schema::{constraint_text, index_text, indexes_text, schema_text};
pub(crate) use value::value_text;

/// The most letters of a passage in a list.
const LONGEST_PART: usize = 160;

/// The part of a passage that has most of a query, on one line.
pub(crate) fn excerpt(passage: &str, query: &str) -> String {
    shorten(search::excerpt(passage, query, LONGEST_PART), LONGEST_PART)
}

/// A table with a header line that fits the terminal.
///
/// Its cells are made visible before their width is measured.
#[derive(Debug)]
pub(crate) struct Table(comfy_table::Table);

impl Table {
    pub(crate) fn new<H: AsRef<str>>(header: impl IntoIterator<Item = H>) -> Self {
        let mut table = comfy_table::Table::new();
        table
            .load_style(UTF8_BORDERS_ONLY)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_header(cells(header));
        Self(table)
    }

    pub(crate) fn add_row<C: AsRef<str>>(&mut self, row: impl IntoIterator<Item = C>) {
        self.0.add_row(cells(row));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn cells<C: AsRef<str>>(texts: impl IntoIterator<Item = C>) -> Vec<String> {
    texts.into_iter().map(|text| visible(text.as_ref()).into_owned()).collect()
}

/// Formats one line. A line break within a name is shown, so that no name looks like a line of ours.
pub(crate) fn line(text: &str) -> String {
    format!("{}\n", visible_on_one_line(text))
}

/// Formats why a document could not be read.
pub(crate) fn failure_text(failure: &Failure) -> String {
    line(&without_credentials(&format!("failed: {}: {}", failure.path, failure.reason)))
}

/// Formats what a write changed, such as `2 nodes created, 1 property set`.
pub(crate) fn changes(counters: &Counters) -> String {
    let counts = [
        (counters.nodes_created, "node", "created"),
        (counters.nodes_deleted, "node", "deleted"),
        (counters.relationships_created, "relationship", "created"),
        (counters.relationships_deleted, "relationship", "deleted"),
        (counters.properties_set, "property", "set"),
        (counters.labels_changed, "label", "changed"),
    ];
    let done = counts.iter().filter(|(number, ..)| *number > 0);
    let done: Vec<_> =
        done.map(|(number, noun, verb)| format!("{} {verb}", count(*number as usize, noun))).collect();
    if done.is_empty() { "nothing changed".to_owned() } else { done.join(", ") }
}

/// Formats a number with its noun: `1 row`, `2 rows`.
pub(crate) fn count(number: usize, singular: &str) -> String {
    match (number, singular.strip_suffix('y')) {
        (1, _) => format!("1 {singular}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        _ => format!("{number} {singular}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_noun() {
        assert_eq!(count(1, "row"), "1 row");
        assert_eq!(count(0, "row"), "0 rows");
        assert_eq!(count(3, "entity"), "3 entities");
    }

    #[test]
    fn shortened_text_is_one_line() {
        assert_eq!(shorten("one\n two  three", 7), "one two…");
        assert_eq!(shorten("äöü", 3), "äöü");
    }
}
