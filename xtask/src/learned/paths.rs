//! ZOGRASCOPE: questions about a graph of crimes, with their queries (github.com/interact-erc/ZOGRASCOPE, CC BY 4.0).

use std::{collections::HashMap, path::Path};

use anyhow::{Context, Result};
use graphwright_core::Value;
use graphwright_learn::{Example, Graph, GraphBuilder, meaning_of};

use super::{
    Asked, Gold, Options, ask,
    splits::{hash, shape},
    taught,
};

struct Row {
    question: String,
    query: String,
    nodes: String,
}

/// Tells whether a pair is asked rather than learned from.
type Test = fn(&Row) -> bool;

/// Learns and asks; returns the splits below their floors.
pub(super) fn measure(options: &Options) -> Result<Vec<String>> {
    let folder = options.data.join("zograscope");
    let graph = load(&folder.join("pole_csv"))?;
    if let (Some(train), Some(test)) = (&options.train, &options.test) {
        let (train, test) = (rows(train)?, rows(test)?);
        let (train, test): (Vec<&Row>, Vec<&Row>) = (train.iter().collect(), test.iter().collect());
        return Ok(split("given", &train, &test, &graph, options, 0.0).into_iter().collect());
    }
    let all = rows(&folder.join("train.csv"))?;
    let splits: [(&str, Test); 3] = [
        ("iid", |row| hash(&row.question).is_multiple_of(5)),
        ("compositional", |row| hash(&shape(&row.query)).is_multiple_of(4)),
        ("length", |row| row.nodes != "2"),
    ];
    let mut low = Vec::new();
    for (at, (name, is_test)) in splits.into_iter().enumerate() {
        let (test, train): (Vec<&Row>, Vec<&Row>) = all.iter().partition(|row| is_test(row));
        let floor = options.path_floors.get(at).copied().unwrap_or(0.0);
        low.extend(split(name, &train, &test, &graph, options, floor));
    }
    Ok(low)
}

fn split(
    name: &str,
    train: &[&Row],
    test: &[&Row],
    graph: &Graph,
    options: &Options,
    floor: f64,
) -> Option<String> {
    let meaning = |row: &Row| meaning_of(&row.query, graph).ok();
    let example =
        |row: &&Row| Some(Example { question: row.question.clone(), meanings: vec![meaning(row)?] });
    let examples: Vec<Example> = train.iter().filter_map(example).collect();
    let model = taught(&examples, graph);
    let asked = |row: &&Row| Asked {
        question: row.question.clone(),
        gold: Gold::Query(meaning(row)),
        shown: row.query.replace('\n', " "),
        seen: hash(&shape(&row.query)).is_multiple_of(2),
    };
    let asked: Vec<Asked> = test.iter().map(asked).collect();
    let mut score = ask(&model, graph, &asked, |_| std::collections::BTreeSet::new(), options.errors);
    score.print(name, examples.len());
    (score.right() < floor).then(|| format!("{name} ({:.1} of {floor})", score.right()))
}

fn rows(file: &Path) -> Result<Vec<Row>> {
    let mut reader = csv::Reader::from_path(file).with_context(|| file.display().to_string())?;
    let mut rows = Vec::new();
    for record in reader.deserialize::<HashMap<String, String>>() {
        let mut record = record?;
        let mut column =
            |name: &str| record.remove(name).with_context(|| format!("{}: no column {name}", file.display()));
        let (question, query) = (column("nl")?, column("mr")?);
        rows.push(Row { question, query, nodes: column("num_nodes").unwrap_or_default() });
    }
    Ok(rows)
}

/// Reads the files of the Neo4j Data Importer: nodes and relationships, each with a header.
fn load(folder: &Path) -> Result<Graph> {
    let mut builder = GraphBuilder::default();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let files = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = files.map(|file| file.map(|file| file.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let of = |kind: &'static str| move |file: &&std::path::PathBuf| file.to_string_lossy().contains(kind);
    for file in files.iter().filter(of(".nodes.")) {
        let mut reader = csv::Reader::from_path(file)?;
        let names =
            reader.headers()?.iter().map(|name| name.split(':').next().unwrap_or_default().to_owned());
        let names: Vec<String> = names.collect();
        for record in reader.records() {
            let record = record?;
            let last = record.len() - 1;
            let own = (1..last).filter(|at| !record[*at].is_empty());
            let own: Vec<(&str, Value)> =
                own.map(|at| (names[at].as_str(), Value::from(&record[at]))).collect();
            numbers.insert(record[0].to_owned(), numbers.len() as u32);
            builder.node(&record[last], own.iter().map(|(name, value)| (*name, value)));
        }
    }
    for file in files.iter().filter(of(".relationships.")) {
        let mut reader = csv::Reader::from_path(file)?;
        let kind = reader.headers()?.iter().position(|name| name == ":TYPE").context("no :TYPE")?;
        for record in reader.records() {
            let record = record?;
            builder.relationship(numbers[&record[0]], &record[kind], numbers[&record[1]]);
        }
    }
    Ok(builder.build())
}
