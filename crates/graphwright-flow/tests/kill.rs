//! Processes are killed (SIGKILL) at random points of a run, and the run goes on in the next one: it comes to the same end, and no step
//! whose checkpoint was written is repeated.
//!
//! A harness of its own, since the test program is also the process that is killed.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "this is a test")]

use std::{
    collections::BTreeSet,
    env, fs,
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use graphwright_flow::{
    Batch, CheckpointStore, Context, Event, FileCheckpoints, FlowError, OneOf, RetryPolicy, RunId, Runner,
    flow,
};
use serde::{Deserialize, Serialize};
use tokio::{runtime::Runtime, time::sleep};

const RUNS: u32 = 200;
const MOST_RUNS: u32 = 1_000;
const SEED: u64 = 20_250_101;
/// Makes the program a process that works on a run until it ends or is killed.
const WORK: &str = "--work";
const PARTS: u32 = 8;
/// What an undisturbed run ends with.
const RESULT: &str = "[0, 1, 12, 13, 4, 5, 16, 17] in 12 rounds, checked 8 parts";

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Begin(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Part(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Made(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Assembled(Vec<u32>);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct End(String);

#[derive(OneOf)]
enum Next {
    Again(Part),
    Made(Made),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    rounds: u32,
}

/// A flow with a batch, a loop, a state, a collection, retries and a flow within.
struct Factory {
    journal: Journal,
    inspection: Runner<Inspection>,
}

#[flow(start = Begin, stop = End, state = Tally)]
impl Factory {
    #[step]
    async fn split(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Part> {
        self.journal.worked(&ctx.idempotency_key());
        ctx.send_all((0..begin.0).map(Part))
    }

    #[step(workers = 3, at_most = 2, retry = RetryPolicy::attempts(2).with_delay(Duration::ZERO))]
    async fn work(&self, part: Part, ctx: &Context<Self>) -> Result<Next, String> {
        self.journal.worked(&ctx.idempotency_key());
        sleep(Duration::from_micros(300)).await;
        ctx.update(|tally| tally.rounds += 1);
        if ctx.attempt() == 1 && part.0 == 3 {
            return Err("a fault that passes".to_owned());
        }
        // Every other pair goes round once more.
        Ok(if part.0 % 4 > 1 && part.0 < 10 { Part(part.0 + 10).into() } else { Made(part.0).into() })
    }

    #[step]
    async fn assemble(&self, made: Made, ctx: &Context<Self>) -> Option<Assembled> {
        self.journal.worked(&ctx.idempotency_key());
        let made: Vec<Made> = ctx.collect(made).await?;
        Some(Assembled(made.iter().map(|made| made.0).collect()))
    }

    #[step]
    async fn inspect(&self, assembled: Assembled, ctx: &Context<Self>) -> Result<End, FlowError> {
        self.journal.worked(&ctx.idempotency_key());
        let checked = ctx.run(&self.inspection, Begin(assembled.0.len() as u32)).await?;
        Ok(End(format!("{:?} in {} rounds, {}", assembled.0, ctx.state().rounds, checked.0)))
    }
}

struct Inspection {
    journal: Journal,
}

#[flow(start = Begin, stop = End)]
impl Inspection {
    #[step]
    async fn look(&self, begin: Begin, ctx: &Context<Self>) -> Made {
        self.journal.worked(&ctx.idempotency_key());
        Made(begin.0)
    }

    #[step]
    async fn say(&self, made: Made, ctx: &Context<Self>) -> End {
        self.journal.worked(&ctx.idempotency_key());
        End(format!("checked {} parts", made.0))
    }
}

/// Which step was worked on, in a file that a kill leaves whole: a line for each attempt.
#[derive(Clone)]
struct Journal(PathBuf);

impl Journal {
    fn worked(&self, key: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.0).unwrap();
        file.write_all(format!("{key}\n").as_bytes()).unwrap();
    }

    fn length(&self) -> u64 {
        fs::metadata(&self.0).map_or(0, |file| file.len())
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(&self.0).unwrap_or_default().lines().map(ToOwned::to_owned).collect()
    }
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let runtime = Runtime::new().unwrap();
    if let [_, work, folder, run] = arguments.as_slice()
        && work == WORK
    {
        runtime.block_on(work_on(Path::new(folder), run.parse().unwrap()));
        return;
    }
    runtime.block_on(killed_runs_go_on());
}

/// The process that is killed.
async fn work_on(folder: &Path, run: RunId) {
    let journal = Journal(folder.join(format!("{run}.worked")));
    let inspection = Runner::new(Inspection { journal: journal.clone() });
    let store = FileCheckpoints::new(folder).unwrap();
    let runner = Runner::new(Factory { journal, inspection }).with_checkpoints(store);
    let end = match runner.resume(run.clone()).await {
        Err(FlowError::UnknownRun { .. }) => runner.run(Begin(PARTS)).with_id(run.clone()).await,
        end => end,
    };
    fs::write(folder.join(format!("{run}.end")), end.unwrap().0).unwrap();
}

fn process(folder: &Path, run: &RunId) -> Child {
    let program = env::current_exe().unwrap();
    let errors = File::create(folder.join(format!("{run}.errors"))).unwrap();
    Command::new(program).arg(WORK).arg(folder).arg(run.as_str()).stderr(Stdio::from(errors)).spawn().unwrap()
}

/// The keys of all steps with a checkpoint, of the run and of those within it.
async fn done(store: &FileCheckpoints, run: &RunId) -> BTreeSet<String> {
    let mut done = BTreeSet::new();
    let within = format!("{run}~");
    for one in
        store.runs().await.unwrap().iter().filter(|one| *one == run || one.as_str().starts_with(&within))
    {
        for record in store.read(one).await.unwrap() {
            let record: serde_json::Value = serde_json::from_str(&record).unwrap();
            done.extend(record["step"]["delivery"].as_u64().map(|delivery| format!("{one}:{delivery}")));
        }
    }
    done
}

async fn killed_runs_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileCheckpoints::new(folder.path()).unwrap();
    let length = undisturbed(folder.path());
    let mut random = fastrand::Rng::with_seed(SEED);
    let (mut kills, mut kept, mut number) = (0, 0, 0);
    // On a busy machine more kills come too late, so it may take more runs.
    while number < RUNS || (kills < RUNS && number < MOST_RUNS) {
        let run: RunId = format!("run-{number}").parse().unwrap();
        let journal = Journal(folder.path().join(format!("{run}.worked")));
        // Each run is killed up to four times; some kills come too late.
        let mut left = random.u32(2..=4);
        loop {
            let (done, before) = (done(&store, &run).await, journal.lines().len());
            kept += done.len();
            let mut process = process(folder.path(), &run);
            let is_killed = left > 0 && kill_somewhere(&mut process, &journal, length, &mut random);
            let status = process.wait().unwrap();
            for key in &journal.lines()[before..] {
                assert!(!done.contains(key), "{key} is repeated, and its checkpoint was written");
            }
            if !is_killed {
                let errors = fs::read_to_string(folder.path().join(format!("{run}.errors"))).unwrap();
                assert!(status.success(), "{run}: {errors}");
                break;
            }
            (left, kills) = (left - 1, kills + 1);
        }
        assert_eq!(fs::read_to_string(folder.path().join(format!("{run}.end"))).unwrap(), RESULT, "{run}");
        number += 1;
    }
    assert!(
        kills >= RUNS && kept > RUNS as usize,
        "{kills} kills, {kept} checkpoints before: it shows too little"
    );
    println!(
        "{number} runs with {kills} kills came to the same end; none of {kept} steps with a checkpoint was repeated"
    );
}

/// Kills a process when its journal has some length, or some time later. Returns whether it came to that.
fn kill_somewhere(process: &mut Child, journal: &Journal, length: u64, random: &mut fastrand::Rng) -> bool {
    let at = journal.length() + random.u64(..=length.saturating_sub(journal.length()));
    while journal.length() < at {
        if process.try_wait().unwrap().is_some() {
            return false;
        }
        thread::sleep(Duration::from_micros(50));
    }
    thread::sleep(Duration::from_micros(random.u64(..4_000)));
    if process.try_wait().unwrap().is_some() {
        return false;
    }
    process.kill().unwrap();
    true
}

/// How long the journal of a run gets that is not killed.
fn undisturbed(folder: &Path) -> u64 {
    let run: RunId = "undisturbed".parse().unwrap();
    assert!(process(folder, &run).wait().unwrap().success());
    assert_eq!(fs::read_to_string(folder.join("undisturbed.end")).unwrap(), RESULT);
    Journal(folder.join("undisturbed.worked")).length()
}
