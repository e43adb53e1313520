//! Random queries, and the cases that they once found.

use std::{collections::BTreeMap, path::Path, time::SystemTime};

use graphwright_differential::{Amount, Case, Pair, Report, Verdict, run};

use crate::{server, support};

/// The seed of every run.
const SEED: u64 = 20_250_101;

/// An amount of 1,200 queries that read and 200 that write.
const FIXED: Amount = Amount { graphs: 6, reads: 200, written_graphs: 4, writes: 50, shrunk: 6 };

/// An amount of 600 queries that read and 100 that write.
const FRESH: Amount = Amount { graphs: 3, reads: 200, written_graphs: 2, writes: 50, shrunk: 6 };

/// The most of 100 queries that may be refused.
const REFUSED: usize = 2;

/// The most of 100 queries on which Neo4j may differ from itself, and that may exceed the time
/// limit.
const NEO4J: usize = 1;

/// The fewest of 100 queries that show a construct.
const SHOWN: usize = 4;

/// The most answers that may be wrong for the fixed seed.
const WRONG: usize = 0;

/// The most answers that may be wrong for a fresh seed. They are printed, made small, to be kept as
/// cases.
const NEWLY_WRONG: usize = 3;

/// So few queries say nothing of a share.
const FEW: usize = 3;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn kept_cases_give_the_same_rows() {
    let (neo4j, _guard) = server().await;
    let mut pair = Pair::new(neo4j).await.unwrap();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for (name, case) in kept() {
        cases += 1;
        match pair.judge_case(&case).await.unwrap() {
            Verdict::Same(_) | Verdict::BothFailed(_) => {}
            verdict => wrong.push(format!("{name}: {verdict:?}\n    {}", case.query)),
        }
    }
    println!("{cases} kept cases, {} wrong", wrong.len());
    assert!(cases > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the cases of `cases/*.json`, by file and place.
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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn queries_of_the_fixed_seed_give_the_same_rows() {
    let report = report(SEED, FIXED).await;
    println!("{report}");
    let mut faults = differences(&report, WRONG);
    if report.share_with_rows() < 70 {
        faults.push(format!("only {} % give rows", report.share_with_rows()));
    }
    // Of few queries, chance makes some constructs rarer.
    let least = if support::one_in() > 1 { SHOWN / 2 } else { SHOWN };
    let rare = report.shown_less_than(report.figures.queries * least / 100);
    if !rare.is_empty() {
        faults.push(format!("too rare: {rare:?}"));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a fresh seed, or the one in `GRAPHWRIGHT_SEED` again.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn queries_of_a_fresh_seed_give_the_same_rows() {
    let seed = std::env::var("GRAPHWRIGHT_SEED").map_or_else(|_| fresh(), |seed| seed.parse().unwrap());
    let report = report(seed, FRESH).await;
    println!("{report}");
    let faults = differences(&report, NEWLY_WRONG);
    assert!(faults.is_empty(), "seed {seed}:\n{}", faults.join("\n"));
}

async fn report(seed: u64, amount: Amount) -> Report {
    let (neo4j, _guard) = server().await;
    let mut pair = Pair::new(neo4j).await.unwrap();
    let (reads, writes) = (amount.reads / support::one_in(), amount.writes / support::one_in());
    run(&mut pair, seed, Amount { reads, writes, ..amount }).await.unwrap()
}

fn fresh() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// Returns what no run may show, with `wrong` answers allowed to be wrong.
fn differences(report: &Report, wrong: usize) -> Vec<String> {
    let figures = &report.figures;
    let at_most = |count: usize, most: usize, what: &str| {
        let fault = || format!("{count} of {} queries {what}", figures.queries);
        (count > most).then(fault)
    };
    let share = |of_100: usize| (figures.queries * of_100 / 100).max(FEW);
    let faults = [
        at_most(figures.wrong, wrong, "answered wrongly"),
        at_most(figures.refused, share(REFUSED), "refused"),
        at_most(figures.contradicted, share(NEO4J), "that neo4j answers in two ways"),
        at_most(figures.late, share(NEO4J), "too late"),
        at_most(figures.gated, 0, "refused by the gate"),
    ];
    faults.into_iter().flatten().collect()
}
