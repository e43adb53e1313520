//! Random queries, and the cases that they once found.

use std::{collections::BTreeMap, path::Path, time::SystemTime};

use graphwright_differential::{Amount, Case, Graph, Pair, Report, Verdict, run};

use crate::server;

/// The seed that every run has.
const SEED: u64 = 20_250_101;

/// 2,100 queries that read and 400 that write.
const AMOUNT: Amount = Amount { graphs: 7, reads: 300, written_graphs: 4, writes: 100, shrunk: 6 };

/// At most so many of 100 queries may be refused.
const REFUSED: usize = 2;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn kept_cases_give_the_same_rows() {
    let (neo4j, _guard) = server::empty().await;
    let mut pair = Pair::new(neo4j, Graph::default()).await.unwrap();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for (name, case) in kept() {
        cases += 1;
        match pair.judge_case(&case).await.unwrap() {
            Verdict::Same(_) | Verdict::Refused(_) | Verdict::BothFailed(_) => {}
            verdict => wrong.push(format!("{name}: {verdict:?}\n    {}", case.query)),
        }
    }
    println!("{cases} kept cases, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cases of `cases/*.json`, by file and place.
fn kept() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        found.insert(name, cases);
    }
    let numbered = found.into_iter().flat_map(|(name, cases)| {
        cases.into_iter().enumerate().map(move |(place, case)| (format!("{name} {place}"), case))
    });
    numbered.collect()
}

/// `GRAPHWRIGHT_SEED` runs one seed again instead of the fixed one and a fresh one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn random_queries_give_the_same_rows() {
    let (neo4j, _guard) = server::empty().await;
    let mut pair = Pair::new(neo4j, Graph::default()).await.unwrap();
    let seeds = match std::env::var("GRAPHWRIGHT_SEED") {
        Ok(seed) => vec![seed.parse().unwrap()],
        Err(_) => vec![SEED, fresh()],
    };
    let mut faults = Vec::new();
    for seed in seeds {
        let report = run(&mut pair, seed, AMOUNT).await.unwrap();
        println!("{report}");
        faults.extend(check(&report));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn fresh() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// What a run must show.
fn check(report: &Report) -> Vec<String> {
    let figures = &report.figures;
    let mut faults = Vec::new();
    let mut need = |holds: bool, what: String| {
        if !holds {
            faults.push(format!("seed {}: {what}", report.seed));
        }
    };
    need(figures.queries >= 2_000, format!("{} queries", figures.queries));
    need(figures.wrong == 0, format!("{} wrong answers", figures.wrong));
    need(
        figures.refused * 100 <= figures.queries * REFUSED,
        format!("{} of {} queries refused", figures.refused, figures.queries),
    );
    need(report.share_with_rows() >= 70, format!("only {} % give rows", report.share_with_rows()));
    need(figures.gated + figures.late == 0, format!("{} gated, {} late", figures.gated, figures.late));
    let rare = report.shown_less_than(100);
    need(rare.is_empty(), format!("too rare: {rare:?}"));
    faults
}
