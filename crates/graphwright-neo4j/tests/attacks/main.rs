//! Each attack of the corpus that Community can run does what its `effect` says when nothing checks
//! it first.
//!
//! The texts go straight to the driver; the store itself takes nothing but statements. The server
//! must be one for tests: its graph, schema and accounts are replaced.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../graphwright-cypher/tests/corpus/mod.rs"]
mod corpus;
mod listener;
mod server;
#[path = "../support/mod.rs"]
mod support;

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use corpus::{Case, Client, Effect};
use graphwright_core::{
    GraphStore, QueryType, Statement,
    store::{QueryMode, QueryOptions},
};
use graphwright_cypher::lexer::tokenize;
use listener::Listener;
use server::{Outcome, Server};

/// The longest time of an answer, and its most rows and bytes of text.
const TIME: Duration = Duration::from_secs(1);
const ROWS: usize = 10_000;
const BYTES: usize = 10_000_000;
/// The name that stands for the listener in the corpus.
const ATTACKER: &str = "attacker.test";

#[test]
#[ignore = "needs neo4j"]
fn each_attack_does_what_it_is_said_to_do() {
    let cases: Vec<_> = runnable().into_iter().step_by(support::one_in()).collect();
    let broken = without_effect(&cases);
    println!("{} of {} attacks work", cases.len() - broken.len(), cases.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The mutations with which the gate is tested are attacks still.
#[test]
#[ignore = "needs neo4j"]
fn mutations_of_attacks_do_what_the_attacks_do() {
    let as_one_text = runnable().into_iter().filter(|case| case.client.is_none());
    let mut cases: Vec<_> = as_one_text.step_by(7 * support::one_in()).collect();
    for (place, case) in cases.iter_mut().enumerate() {
        let choices: Vec<u8> =
            (0..120).map(|number| (place * 31 + number * (7 + place % 5 * 2)) as u8).collect();
        case.query = corpus::mutate(case, &choices);
    }
    let broken = without_effect(&cases);
    println!("{} of {} mutations work", cases.len() - broken.len(), cases.len());
    // A mutation may break one of twenty, and one of fewer.
    assert!(broken.len() * 20 <= cases.len().max(20), "{}", broken.join("\n"));
}

/// Each layer behind the gate stops what writes, without the gate and without the other.
#[test]
#[ignore = "needs neo4j"]
fn the_servers_opinion_and_read_mode_each_stop_what_writes() {
    let _guard = alone();
    let server = Server::connect();
    server.prepare();
    let before = server.state(Effect::Writes);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = runtime.block_on(support::connect());
    let is_one = |case: &Case| case.effect == Effect::Writes && case.client.is_none();
    let cases: Vec<_> = runnable().into_iter().filter(is_one).collect();
    assert!(cases.len() >= 200, "{}", cases.len());
    let mut passed = Vec::new();
    for case in cases {
        let parameters = case.parameters.into_iter();
        let parameters =
            parameters.map(|(name, value)| (name, serde_json::from_value(value).unwrap())).collect();
        // A store takes only text of the source code; here that of the corpus stands for it.
        let text: &'static str = Box::leak(case.query.into_boxed_str());
        let statement = Statement::fixed(text).with_all(parameters);
        let read = |mode| {
            let options = QueryOptions { mode, ..QueryOptions::default() };
            runtime.block_on(async { store.read(statement.clone(), options).await?.collect().await })
        };
        if read(QueryMode::Explain).is_ok_and(|told| told.summary.query_type == Some(QueryType::Read)) {
            passed.push(format!("{}: the server takes it for reading: {text}", case.id));
        }
        if read(QueryMode::Run).is_ok() {
            passed.push(format!("{}: it runs in read mode: {text}", case.id));
        }
    }
    assert_eq!(server.state(Effect::Writes), before);
    server.empty();
    assert!(passed.is_empty(), "{}", passed.join("\n"));
}

/// Lets one test at a time have the server.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the cases that Community can run.
fn runnable() -> Vec<Case> {
    let cases: Vec<_> = corpus::cases().into_iter().filter(|case| case.needs.is_none()).collect();
    assert!(cases.len() >= 440);
    cases
}

/// Returns the cases that do not have their effect, with what they do instead.
fn without_effect(cases: &[Case]) -> Vec<String> {
    let _guard = alone();
    let server = Server::connect();
    let listener = Listener::start();
    let prove = |case| prove(&server, &listener, case);
    let broken = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {}\n    {}", case.id, case.query, prove(case).err()?)))
        .collect();
    server.empty();
    broken
}

/// Runs a case on the graph as it is at the beginning of each. An error tells what it did instead
/// of its effect.
fn prove(server: &Server, listener: &Listener, case: &Case) -> Result<(), String> {
    server.prepare();
    listener.forget();
    let before = server.state(case.effect);
    let mut outcome = Outcome::default();
    let mut ended_another = false;
    if case.effect == Effect::Administers {
        ended_another = server.beside_another(|| outcome = run(server, listener, case));
    } else {
        outcome = run(server, listener, case);
    }
    let seen = format!("{} {}", outcome.rows, listener.requests().join(" "));
    let shown = case.shows.as_ref().map(|text| seen.contains(text.as_str()));
    let has_worked = match case.effect {
        Effect::Writes | Effect::Administers => {
            shown.unwrap_or_else(|| ended_another || server.state(case.effect) != before)
        }
        Effect::ReadsOutside => shown.unwrap_or(false),
        Effect::BreaksLimit => {
            outcome.took > TIME || outcome.count > ROWS || outcome.bytes > BYTES || outcome.is_out_of_memory()
        }
    };
    let excerpt: String = seen.chars().take(200).collect();
    if has_worked { Ok(()) } else { Err(format!("{:?} {:?} {excerpt}", outcome.error, outcome.took)) }
}

fn run(server: &Server, listener: &Listener, case: &Case) -> Outcome {
    let place = |text: &str| text.replace(ATTACKER, &listener.address());
    let parameters = serde_json::from_str(&place(&serde_json::to_string(&case.parameters).unwrap())).unwrap();
    let limit = if case.effect == Effect::BreaksLimit { TIME } else { Duration::from_secs(30) };
    let mut whole = Outcome::default();
    for text in statements(case) {
        whole = whole.and(server.run(&place(text), &parameters, limit, ROWS));
    }
    whole
}

/// Returns the text, or its statements if a client sends them one by one.
fn statements(case: &Case) -> Vec<&str> {
    if case.client != Some(Client::Splits) {
        return vec![&case.query];
    }
    let tokens = tokenize(&case.query).unwrap().tokens;
    let mut starts = 0;
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_last = index + 1 == tokens.len();
        if token.is_symbol(";") || is_last {
            let end = if token.is_symbol(";") { token.span.start } else { case.query.len() };
            found.push(&case.query[starts..end]);
            starts = token.span.end;
        }
    }
    found
}
