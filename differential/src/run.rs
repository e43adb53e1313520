//! A run over the graphs and queries of a seed.

use futures::{StreamExt, stream};
use graphwright_core::Result;

use crate::{
    case::Case,
    generate::{self, Query},
    graph::Graph,
    pair::{Pair, Verdict},
    random::Random,
    report::Report,
    shrink::shrink,
};

/// The amount to run.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// The number of graphs that are read.
    pub graphs: usize,
    /// The number of reading queries on each of them.
    pub reads: usize,
    /// The number of graphs that are written.
    pub written_graphs: usize,
    /// The number of writing queries on each of them.
    pub writes: usize,
    /// The number of wrong answers to make smaller.
    pub shrunk: usize,
}

/// The number of queries that run at the same time.
const CONCURRENT: usize = 4;

/// The first streams of random numbers for graphs, written graphs and writing queries. Reading
/// queries use those below.
const GRAPHS: u64 = 1 << 32;
const WRITTEN_GRAPHS: u64 = 2 << 32;
const WRITES: u64 = 3 << 32;

/// Runs the queries of a seed on both stores.
///
/// # Errors
///
/// Returns the error of a store that cannot be loaded or scanned.
pub async fn run(pair: &mut Pair, seed: u64, amount: Amount) -> Result<Report> {
    let mut report = Report { seed, ..Report::default() };
    for number in 0..amount.graphs {
        let mut random = Random::new(seed, GRAPHS + number as u64);
        let graph = Graph::random(&mut random, 16, 30);
        pair.change(graph.clone()).await?;
        let queries = (0..amount.reads).map(|place| {
            let query = number * amount.reads + place;
            generate::read(&graph, Random::new(seed, query as u64), query)
        });
        let here = &*pair;
        let judged: Vec<_> = stream::iter(queries)
            .map(|query| async move {
                let verdict = here.judge_read(&query.tree.to_string(), &query.parameters).await;
                (query, verdict)
            })
            .buffered(CONCURRENT)
            .collect()
            .await;
        for (query, verdict) in judged {
            keep(pair, &mut report, query, verdict, amount).await?;
        }
    }
    for number in 0..amount.written_graphs {
        let mut random = Random::new(seed, WRITTEN_GRAPHS + number as u64);
        let graph = Graph::random(&mut random, 8, 12);
        pair.change(graph.clone()).await?;
        for place in 0..amount.writes {
            let place = number * amount.writes + place;
            let query = generate::write(&graph, Random::new(seed, WRITES + place as u64), place);
            let verdict = pair.judge_write(&query.tree.to_string(), &query.parameters).await?;
            keep(pair, &mut report, query, verdict, amount).await?;
        }
    }
    Ok(report)
}

async fn keep(
    pair: &mut Pair,
    report: &mut Report,
    query: Query,
    verdict: Verdict,
    amount: Amount,
) -> Result<()> {
    report.count(&query.tree.to_string(), &verdict);
    for construct in query.tree.constructs() {
        *report.constructs.entry(construct).or_default() += 1;
    }
    if let Verdict::Wrong(how) = verdict {
        let found = if report.wrong.len() < amount.shrunk {
            shrink(pair, query, how).await?
        } else {
            let graph = pair.graph().clone();
            (Case { query: query.tree.to_string(), parameters: query.parameters, graph }, how)
        };
        report.wrong.push(found);
    }
    Ok(())
}
