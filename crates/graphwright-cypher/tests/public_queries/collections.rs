//! The public collections of queries.

use std::{fs, path::PathBuf};

use serde_json::Value;

/// Returns the folder of public data.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(
        std::env::var("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data"),
    )
}

fn column(path: &str, delimiter: u8, name: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(folder().join(path)).unwrap();
    let index = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[index].to_owned()).collect()
}

pub(crate) fn zograscope() -> Vec<String> {
    column("zograscope/train.csv", b',', "mr")
}

pub(crate) fn recommendations() -> Vec<String> {
    column("recommendations_questions/questions.csv", b';', "Cypher")
}

/// Returns statements that a model wrote, with the label `syntax_error`.
pub(crate) fn neo4j_labs() -> Vec<(String, bool)> {
    let path = "cypher_replay/neo4j_labs/text2cypher_gpt4turbo.csv";
    let labels = column(path, b',', "syntax_error");
    column(path, b',', "cypher").into_iter().zip(labels.iter().map(|label| label == "True")).collect()
}

/// Returns the right query beside each answer of the models on a benchmark, `mind_the_query` or
/// `cypherbench`.
pub(crate) fn gold(benchmark: &str) -> Vec<String> {
    let mut files: Vec<_> = fs::read_dir(folder().join("cypher_replay").join(benchmark))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let texts: Vec<_> = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let values = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    values.filter_map(|value| Some(value["gold_cypher"].as_str()?.to_owned())).collect()
}
