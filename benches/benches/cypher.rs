//! Lexing, parsing, checking, linting and printing of Cypher, in bytes per second on one core.
//!
//! `GRAPHWRIGHT_DATA=… cargo bench --bench cypher` takes the queries of models in the public collection `cypher_replay`; without it,
//! a few queries that stand here.

use std::{fs, path::Path};

use divan::{Bencher, counter::BytesCount};
use graphwright_core::GraphSchema;
use graphwright_cypher::{
    diagnose,
    lexer::tokenize,
    lint::Lint,
    syntax::{check, parse, print},
};

fn main() {
    divan::main();
}

/// Where no collection is at hand.
const QUERIES: [&str; 3] = [
    "MATCH (p:Person {name: 'Tom Hanks'})-[:ACTED_IN]->(m:Movie) WITH m ORDER BY m.imdbRating DESC LIMIT 1 RETURN m.title",
    "MATCH (n:Company)-[r:hasCEO]->(m:Person) WHERE m.age > 50 AND NOT n.name STARTS WITH 'A' RETURN n.name, count(DISTINCT m) AS c",
    "CALL { MATCH (a)-[*1..3]-(b) RETURN a, b UNION MATCH (a)-->(b) RETURN a, b } RETURN [x IN collect(a) WHERE x.n > 1 | x.name]",
];

/// The statements of a folder's JSON Lines files, as they are escaped there: only their words matter here.
fn recorded(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let texts = files.filter_map(|file| fs::read_to_string(file.ok()?.path()).ok());
    let mut queries: Vec<String> = texts
        .flat_map(|text| {
            let gold = |line: &str| {
                let (_, rest) = line.split_once("\"gold_cypher\": \"")?;
                Some(rest.split_once("\", \"pred_cypher\"")?.0.replace("\\\"", "\"").replace("\\n", "\n"))
            };
            text.lines().filter_map(gold).collect::<Vec<_>>()
        })
        .collect();
    queries.sort();
    queries.dedup();
    queries
}

fn queries() -> Vec<String> {
    let folder = std::env::var_os("GRAPHWRIGHT_DATA");
    let mut found = Vec::new();
    for benchmark in ["mind_the_query", "cypherbench"] {
        found.extend(
            folder
                .iter()
                .flat_map(|folder| recorded(&Path::new(folder).join("cypher_replay").join(benchmark))),
        );
    }
    if found.is_empty() { QUERIES.map(str::to_owned).to_vec() } else { found }
}

/// Runs something on every query, counting their bytes.
fn over_queries<T>(bencher: Bencher<'_, '_>, run: impl Fn(&str) -> T + Sync) {
    let queries = queries();
    let bytes: usize = queries.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        for query in &queries {
            divan::black_box(run(divan::black_box(query)));
        }
    });
}

#[divan::bench]
fn lex(bencher: Bencher<'_, '_>) {
    over_queries(bencher, |query| tokenize(query).map(|tokens| tokens.tokens.len()));
}

#[divan::bench]
fn parse_queries(bencher: Bencher<'_, '_>) {
    over_queries(bencher, parse);
}

#[divan::bench]
fn parse_and_check(bencher: Bencher<'_, '_>) {
    over_queries(bencher, |query| check(&parse(query).tree, query));
}

#[divan::bench]
fn parse_and_print(bencher: Bencher<'_, '_>) {
    over_queries(bencher, |query| print(&parse(query).tree));
}

/// A graph of the public collection, with its gold queries.
fn graph_and_queries() -> (Lint, Vec<String>) {
    let schema = include_str!("../../crates/graphwright-cypher/tests/public_lint/schemas/wwc.json");
    let lint = Lint::new(&GraphSchema::from_json(schema).unwrap_or_default());
    let mut found = queries();
    found.retain(|query| {
        ["Match", "Squad", "Tournament", "Team"].iter().any(|label| query.contains(&format!(":{label}")))
    });
    if found.is_empty() {
        found.push("MATCH (p:Person)-[r:PLAYED_IN]->(m:Match)-[:IN_TOURNAMENT]->(t:Tournament) WHERE t.year > 2000 AND r.score > 0 RETURN p.name, count(m) AS c ORDER BY c DESC LIMIT 5".to_owned());
    }
    (lint, found)
}

/// One query, all stages: the figure of `docs/lint.md`.
#[divan::bench]
fn diagnose_one(bencher: Bencher<'_, '_>) {
    let (lint, queries) = graph_and_queries();
    let mut next = queries.iter().cycle();
    bencher
        .with_inputs(|| next.next().cloned().unwrap_or_default())
        .bench_local_refs(|query| diagnose(query, Some(&lint)));
}

/// One query, the lint alone.
#[divan::bench]
fn lint_one(bencher: Bencher<'_, '_>) {
    let (lint, queries) = graph_and_queries();
    let trees: Vec<_> = queries.iter().map(|query| (parse(query).tree, query)).collect();
    let mut next = trees.iter().cycle();
    bencher
        .with_inputs(|| next.next())
        .bench_local_refs(|next| next.map(|(tree, query)| lint.check(tree, query)));
}
