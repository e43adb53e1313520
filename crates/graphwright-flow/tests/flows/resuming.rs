//! A run goes on from any of its checkpoints to the same end, and repeats no step that has one.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use graphwright_flow::{
    Batch, CheckpointLog, CheckpointStore, Context, Event, FlowError, MemoryCheckpoints, OneOf, Result,
    RunId, Runner, flow,
};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    rounds: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Part(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Made(u32);

#[derive(OneOf)]
enum Next {
    Again(Part),
    Made(Made),
}

/// Batches, a loop, a state and a collection; tells which deliveries it worked on.
#[derive(Clone, Default)]
struct Factory {
    worked: Arc<Mutex<BTreeMap<String, u32>>>,
}

impl Factory {
    fn tell(&self, ctx: &Context<Self>) {
        *self.worked.lock().unwrap().entry(ctx.idempotency_key()).or_default() += 1;
    }
}

#[flow(start = Begin, stop = End, state = Tally)]
impl Factory {
    #[step]
    async fn split(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Part> {
        self.tell(ctx);
        ctx.send_all((0..begin.0).map(Part))
    }

    #[step(at_most = 4)]
    async fn work(&self, part: Part, ctx: &Context<Self>) -> Next {
        self.tell(ctx);
        ctx.update(|tally| tally.rounds += 1);
        if ctx.round() <= part.0 % 4 { part.into() } else { Made(part.0 * 10 + ctx.round()).into() }
    }

    #[step]
    async fn collect(&self, made: Made, ctx: &Context<Self>) -> Option<End> {
        self.tell(ctx);
        let made: Vec<Made> = ctx.collect(made).await?;
        let made: Vec<u32> = made.iter().map(|made| made.0).collect();
        Some(End(format!("{made:?} in {} rounds", ctx.state().rounds)))
    }
}

const END: &str = "[1, 12, 23, 34, 41, 52] in 13 rounds";

/// A store that fails after so many appends, as a process that ends then.
struct Breaking {
    store: MemoryCheckpoints,
    left: Arc<Mutex<usize>>,
}

struct BreakingLog {
    log: Box<dyn CheckpointLog>,
    left: Arc<Mutex<usize>>,
}

#[async_trait]
impl CheckpointStore for Breaking {
    async fn begin(&self, run: &RunId) -> Result<Box<dyn CheckpointLog>> {
        let (log, left) = (self.store.begin(run).await?, Arc::clone(&self.left));
        Ok(Box::new(BreakingLog { log, left }))
    }

    async fn open(&self, run: &RunId) -> Result<(Vec<String>, Box<dyn CheckpointLog>)> {
        let (records, log) = self.store.open(run).await?;
        Ok((records, Box::new(BreakingLog { log, left: Arc::clone(&self.left) })))
    }

    async fn read(&self, run: &RunId) -> Result<Vec<String>> {
        self.store.read(run).await
    }

    async fn runs(&self) -> Result<Vec<RunId>> {
        self.store.runs().await
    }

    async fn remove(&self, run: &RunId) -> Result<()> {
        self.store.remove(run).await
    }
}

#[async_trait]
impl CheckpointLog for BreakingLog {
    async fn append(&mut self, records: Vec<String>) -> Result<()> {
        {
            let mut left = self.left.lock().unwrap();
            *left = left.checked_sub(1).ok_or_else(|| FlowError::Store("the disk is full".into()))?;
        }
        self.log.append(records).await
    }
}

/// The deliveries whose steps have a checkpoint.
fn done(records: &[String]) -> Vec<String> {
    let records = records.iter().map(|record| serde_json::from_str::<serde_json::Value>(record).unwrap());
    records
        .filter_map(|record| record["step"]["delivery"].as_u64())
        .map(|delivery| format!("run:{delivery}"))
        .collect()
}

#[tokio::test]
async fn a_run_goes_on_from_each_checkpoint_and_repeats_none() {
    let run: RunId = "run".parse().unwrap();
    let mut breaks = 0;
    for appends in 0.. {
        let store = MemoryCheckpoints::new();
        let breaking = Breaking { store: store.clone(), left: Arc::new(Mutex::new(appends)) };
        let flow = Factory::default();
        let first =
            Runner::new(flow.clone()).with_checkpoints(breaking).run(Begin(6)).with_id(run.clone()).await;
        if let Ok(end) = first {
            assert_eq!(end.0, END);
            break;
        }
        breaks += 1;
        let done = done(&store.read(&run).await.unwrap());
        let worked_before = flow.worked.lock().unwrap().clone();
        let runner = Runner::new(flow.clone()).with_checkpoints(store);
        // A run that broke off before its first checkpoint has not begun, and can begin under its name.
        let end = match appends {
            0 => runner.run(Begin(6)).with_id(run.clone()).await,
            _ => runner.resume(run.clone()).await,
        };
        assert_eq!(end.unwrap().0, END, "after {appends} appends");
        let worked = flow.worked.lock().unwrap();
        for delivery in &done {
            assert_eq!(
                worked[delivery], worked_before[delivery],
                "{delivery} is repeated after {appends} appends"
            );
        }
    }
    assert!(breaks > 5, "{breaks}");
}

fn runner(store: &MemoryCheckpoints) -> Runner<Factory> {
    Runner::new(Factory::default()).with_checkpoints(store.clone())
}

#[tokio::test]
async fn a_run_that_has_ended_gives_its_result_again() {
    let store = MemoryCheckpoints::new();
    let run: RunId = "run".parse().unwrap();
    assert_eq!(runner(&store).run(Begin(6)).with_id(run.clone()).await.unwrap().0, END);
    let again = runner(&store);
    assert_eq!(again.resume(run.clone()).await.unwrap().0, END);
    assert!(again.flow().worked.lock().unwrap().is_empty());
    assert!(matches!(again.run(Begin(6)).with_id(run).await, Err(FlowError::RunExists { .. })));
}

#[tokio::test]
async fn what_cannot_be_resumed_is_told() {
    let store = MemoryCheckpoints::new();
    let run: RunId = "run".parse().unwrap();
    assert!(matches!(runner(&store).resume(run.clone()).await, Err(FlowError::UnknownRun { .. })));
    let error = Runner::new(Factory::default()).resume(run.clone()).await.unwrap_err();
    assert_eq!(error.to_string(), "the flow `Factory` keeps no checkpoints");

    for (record, message) in [
        (
            r#"{"begun":{"flow":"Mill","sent":[]}}"#,
            "the run run cannot go on: it is a run of the flow `Mill`, not of `Factory`",
        ),
        (
            r#"{"begun":{"flow":"Factory","sent":[{"delivery":0,"to":"saw","event":"Begin","value":1}]}}"#,
            "the run run cannot go on: a step `saw` is to go on, which the flow `Factory` does not have",
        ),
        (
            r#"{"begun":{"flow":"Factory","sent":[{"delivery":0,"to":"split","event":"Log","value":1}]}}"#,
            "the run run cannot go on: it has an event `Log`, which the flow `Factory` does not know",
        ),
        (
            r#"{"begun":{"flow":"Factory","sent":[{"delivery":0,"to":"split","event":"Begin","value":"1"}]}}"#,
            "cannot read `Begin`: invalid type: string \"1\", expected u32",
        ),
        ("{}", "the checkpoints of the run run are damaged: record 1: expected value at line 1 column 2"),
    ] {
        store.remove(&run).await.unwrap();
        store.begin(&run).await.unwrap().append(vec![record.to_owned()]).await.unwrap();
        assert_eq!(runner(&store).resume(run.clone()).await.unwrap_err().to_string(), message);
    }
}

#[tokio::test]
async fn unfinished_runs_are_listed() {
    let store = MemoryCheckpoints::new();
    let ended: RunId = "ended".parse().unwrap();
    runner(&store).run(Begin(1)).with_id(ended).await.unwrap();
    let open: RunId = "open".parse().unwrap();
    let breaking = Breaking { store: store.clone(), left: Arc::new(Mutex::new(2)) };
    Runner::new(Factory::default())
        .with_checkpoints(breaking)
        .run(Begin(6))
        .with_id(open.clone())
        .await
        .unwrap_err();
    assert_eq!(runner(&store).unfinished().await.unwrap(), std::slice::from_ref(&open));
    assert_eq!(runner(&store).resume(open).await.unwrap().0, END);
    assert!(runner(&store).unfinished().await.unwrap().is_empty());
}
