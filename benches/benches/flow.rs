//! What the engine of flows costs: microseconds of processor time for an event, and of the clock for one with a checkpoint; ten thousand
//! runs at once. The same flow runs on `llama-index-workflows` beside it.
//!
//! The steps do nothing. A run of the flow sends 100 events round a loop, then 100 as a batch that is collected: with its ends, 302 events.
//!
//! `GRAPHWRIGHT_PYTHON` names a Python with `peers/requirements.txt`; without it, only the engine is measured.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use cpu_time::ProcessTime;
use futures::future::join_all;
use graphwright_flow::{Batch, Context, Event, FileCheckpoints, MemoryCheckpoints, OneOf, Runner, flow};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

const ROUNDS: u32 = 100;
const PARTS: u32 = 100;
/// Start, rounds, parts, parts made, stop.
const EVENTS: u32 = 1 + ROUNDS + 2 * PARTS + 1;
/// How many runs are measured one after another.
const RUNS: u32 = 200;
const AT_ONCE: u32 = 10_000;
/// How often each is measured; the best counts.
const TRIES: usize = 5;

#[derive(Clone, Serialize, Deserialize, Event)]
struct Begin;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Tick(u32);
#[derive(Clone, Serialize, Deserialize, Event)]
struct Part(u32);
#[derive(Clone, Serialize, Deserialize, Event)]
struct Made(u32);
#[derive(Clone, Serialize, Deserialize, Event)]
struct End(u32);

#[derive(OneOf)]
enum Next {
    Tick(Tick),
    Ready(Ready),
}

#[derive(Clone, Serialize, Deserialize, Event)]
struct Ready;

struct Idle;

#[flow(start = Begin, stop = End)]
impl Idle {
    #[step]
    async fn begin(&self, _: Begin) -> Tick {
        Tick(1)
    }

    #[step(at_most = 100)]
    async fn tick(&self, tick: Tick) -> Next {
        if tick.0 < ROUNDS { Tick(tick.0 + 1).into() } else { Ready.into() }
    }

    #[step]
    async fn split(&self, _: Ready, ctx: &Context<Self>) -> Batch<Part> {
        ctx.send_all((0..PARTS).map(Part))
    }

    #[step]
    async fn make(&self, part: Part) -> Made {
        Made(part.0)
    }

    #[step]
    async fn collect(&self, made: Made, ctx: &Context<Self>) -> Option<End> {
        let made: Vec<Made> = ctx.collect(made).await?;
        Some(End(made.iter().map(|made| made.0).sum()))
    }
}

/// What Python reports.
#[derive(Deserialize)]
struct Peer {
    version: String,
    microseconds_per_event: f64,
    microseconds_per_event_at_once: f64,
    runs_at_once: u32,
}

fn main() {
    let runtime = Runtime::new().expect("a runtime");
    println!("A flow of {EVENTS} events whose steps do nothing; the best of {TRIES}\n");
    println!("| | microseconds an event |");
    println!("| --- | --- |");
    let runner = Runner::new(Idle);
    let alone = best(|| {
        let begun = ProcessTime::now();
        runtime.block_on(in_sequence(&runner, RUNS));
        begun.elapsed()
    });
    let alone = show("one run after another (processor time)", alone, RUNS);
    let at_once = best(|| {
        let begun = ProcessTime::now();
        runtime.block_on(side_by_side(&runner, AT_ONCE));
        begun.elapsed()
    });
    let at_once = show(&format!("{AT_ONCE} runs at once (processor time)"), at_once, AT_ONCE);
    let memory = best(|| {
        let runner = Runner::new(Idle).with_checkpoints(MemoryCheckpoints::new());
        let begun = ProcessTime::now();
        runtime.block_on(in_sequence(&runner, 20));
        begun.elapsed()
    });
    show("with checkpoints in memory (processor time)", memory, 20);
    let files = best(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let store = FileCheckpoints::new(folder.path()).expect("a store");
        let runner = Runner::new(Idle).with_checkpoints(store);
        let begun = Instant::now();
        runtime.block_on(in_sequence(&runner, 1));
        begun.elapsed()
    });
    show("with checkpoints in files, each on the disk (by the clock)", files, 1);

    let Some(python) = std::env::var_os("GRAPHWRIGHT_PYTHON") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/llama_workflows.py");
    let output = Command::new(python).arg(script).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let peer: Peer = serde_json::from_slice(&output.stdout).expect("figures");
    let name = format!("llama-index-workflows {}", peer.version);
    println!("| {name}, one run after another (processor time) | {:.1} |", peer.microseconds_per_event);
    println!(
        "| {name}, {} runs at once (processor time) | {:.1} |",
        peer.runs_at_once, peer.microseconds_per_event_at_once
    );
    println!(
        "\n{:.0} times and {:.0} times less",
        peer.microseconds_per_event / alone,
        peer.microseconds_per_event_at_once / at_once
    );
}

async fn in_sequence(runner: &Runner<Idle>, runs: u32) {
    for _ in 0..runs {
        check(runner.run(Begin).await.expect("an end").0);
    }
}

async fn side_by_side(runner: &Runner<Idle>, runs: u32) {
    let runs: Vec<_> = (0..runs).map(|_| runner.run(Begin).start()).collect();
    for end in join_all(runs).await {
        check(end.expect("an end").0);
    }
}

fn check(sum: u32) {
    assert_eq!(sum, (0..PARTS).sum::<u32>());
}

/// The least of several tries, after one that fills caches.
fn best(work: impl Fn() -> Duration) -> Duration {
    work();
    (0..TRIES).map(|_| work()).min().expect("tries")
}

fn show(what: &str, time: Duration, runs: u32) -> f64 {
    let each = time.as_secs_f64() * 1e6 / f64::from(runs * EVENTS);
    println!("| {what} | {each:.2} |");
    each
}
