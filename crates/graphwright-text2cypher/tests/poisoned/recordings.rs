//! What models wrote for the questions of CypherBench, with the right queries.

use std::{fs, path::PathBuf};

use graphwright_core::{GraphStore, store::QueryOptions};
use graphwright_cypher::{
    Gate,
    lexer::{TokenKind, tokenize},
};
use serde::Deserialize;

const GRAPHS: [&str; 7] =
    ["company", "fictional_character", "flight_accident", "geography", "movie", "nba", "politics"];

/// The graphs that are measured: those that the environment names, or else the one on which examples weigh most.
pub(crate) fn graphs() -> Vec<&'static str> {
    let named = std::env::var("GRAPHWRIGHT_GRAPHS").unwrap_or_else(|_| "nba".to_owned());
    GRAPHS.into_iter().filter(|graph| named == "all" || named.split(',').any(|name| name == *graph)).collect()
}

/// The models in the order in which their queries are tried, the weakest first.
const MODELS: [&str; 3] = ["qwen7b", "qwen32b", "devstral"];

/// A question with the right query and those that models wrote.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) question: String,
    pub(crate) gold: String,
    pub(crate) written: Vec<String>,
}

#[derive(Deserialize)]
struct Line {
    question: String,
    gold: String,
    pred: Option<String>,
}

fn lines(model: &str, graph: &str) -> Vec<Line> {
    let root = std::env::var_os("GRAPHWRIGHT_DATA").map(PathBuf::from).unwrap_or_default();
    let folder = root.join("cypher_replay/cypherbench_llms").join(model);
    let is_meant = |path: &PathBuf| {
        path.file_name().is_some_and(|name| {
            name.to_string_lossy().starts_with(&format!("{graph}_{}", model_prefix(model)))
        })
    };
    let path = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(is_meant).unwrap();
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What the file names of a model begin with, after the graph.
fn model_prefix(model: &str) -> &str {
    if model.starts_with("qwen") { "qwen" } else { model }
}

/// Reads the questions of a graph, each once.
pub(crate) fn read(graph: &str) -> Vec<Recording> {
    let mut recordings: Vec<Recording> = Vec::new();
    let of_models = MODELS.map(|model| lines(model, graph));
    for line in &of_models[0] {
        if recordings.iter().any(|known| known.question == line.question) {
            continue;
        }
        let written = of_models.iter().map(|lines| {
            let found = lines.iter().find(|other| other.question == line.question && other.gold == line.gold);
            found.and_then(|line| line.pred.clone()).unwrap_or_default()
        });
        recordings.push(Recording {
            question: line.question.clone(),
            gold: line.gold.clone(),
            written: written.collect(),
        });
    }
    recordings
}

/// Runs a query and returns its rows in one order, or `None` if it fails.
pub(crate) async fn rows(store: &dyn GraphStore, text: &str) -> Option<Vec<Vec<String>>> {
    let statement = Gate::default().check(text).ok()?.statement;
    let options = QueryOptions { row_limit: Some(1_000), ..QueryOptions::default() };
    let table = store.read(statement, options).await.ok()?.collect().await.ok()?;
    let row = |row: &Vec<graphwright_core::Value>| {
        let mut cells: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        cells.sort_unstable();
        cells
    };
    let mut rows: Vec<Vec<String>> = table.rows.iter().map(row).collect();
    rows.sort_unstable();
    Some(rows)
}

/// Tells whether a query finds what the right one finds.
pub(crate) async fn agree(store: &dyn GraphStore, text: &str, gold: &str) -> bool {
    let found = rows(store, text).await;
    found.is_some() && found == rows(store, gold).await
}

/// The texts in a query.
pub(crate) fn texts(query: &str) -> Vec<&str> {
    literals(query).into_iter().filter(|text| text.starts_with(['\'', '"'])).collect()
}

fn literals(query: &str) -> Vec<&str> {
    let Ok(tokens) = tokenize(query) else { return Vec::new() };
    let is_literal = |kind| matches!(kind, TokenKind::String | TokenKind::Integer | TokenKind::Float);
    tokens.tokens.iter().filter(|token| is_literal(token.kind)).map(|token| token.text(query)).collect()
}

/// The form of a query: what is left of it without its literals.
pub(crate) fn form(query: &str) -> String {
    let mut literals: Vec<&str> = literals(query);
    literals.sort_by_key(|literal| std::cmp::Reverse(literal.len()));
    literals.iter().fold(query.to_owned(), |form, literal| form.replace(literal, "?"))
}
