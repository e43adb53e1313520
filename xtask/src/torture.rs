//! Treats the built command badly: kills, damaged files, a full disk, queries that explode and documents that bite.
//!
//! Whatever is done to it, it must end by itself, without a panic, with an error that says why; nothing that it has
//! acknowledged may be lost, and nothing wrong may be told in silence. `docs/reliability.md` has the table.

mod bombs;
mod disk;
mod files;
mod kills;
mod mutations;

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail, ensure};
use fastrand::Rng;

/// What to do, how often and for how long.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// What to do: kills, mutations, disk, bombs, files; all of it when nothing is named
    kinds: Vec<Kind>,
    /// The number from which everything random is drawn; another one each time when none is given
    #[arg(long)]
    seed: Option<u64>,
    /// The most seconds for each kind
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// The long form, without a limit of time: 1,000 kills, 1,000 mutations, 100 full disks, 300 queries, 300 files
    #[arg(long)]
    full: bool,
    /// The command to treat; the one that stands beside this program when none is named
    #[arg(long)]
    binary: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Kills,
    Mutations,
    Disk,
    Bombs,
    Files,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Kills, Self::Mutations, Self::Disk, Self::Bombs, Self::Files];

    /// Returns how often it is done in the short and in the long form.
    fn rounds(self) -> (u32, u32) {
        match self {
            Self::Kills => (40, 1_000),
            Self::Mutations => (100, 1_000),
            Self::Disk => (10, 100),
            Self::Bombs => (30, 300),
            Self::Files => (40, 300),
        }
    }
}

/// Does it all and fails if anything was found.
pub(crate) fn run(options: &Options) -> Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = options.seed.unwrap_or(now.as_secs());
    let victim = Victim { binary: crate::answers::binary(options.binary.as_deref())? };
    let kinds = if options.kinds.is_empty() { Kind::ALL.to_vec() } else { options.kinds.clone() };
    println!("seed {seed}");
    let mut found = 0;
    for kind in kinds {
        let (short, long) = kind.rounds();
        let mut round = Round {
            rng: Rng::with_seed(seed),
            left: if options.full { long } else { short },
            until: (!options.full).then(|| Instant::now() + Duration::from_secs(options.seconds)),
            done: 0,
            faults: Vec::new(),
        };
        let started = Instant::now();
        let note = match kind {
            Kind::Kills => kills::run(&victim, &mut round),
            Kind::Mutations => mutations::run(&victim, &mut round),
            Kind::Disk => disk::run(&victim, &mut round),
            Kind::Bombs => bombs::run(&victim, &mut round),
            Kind::Files => files::run(&victim, &mut round),
        };
        let note = note.with_context(|| format!("{kind:?}"))?;
        let (done, faults) = (round.done, round.faults.len());
        println!("{kind:?}: {done} done in {} s, {faults} faults; {note}", started.elapsed().as_secs());
        round.faults.iter().for_each(|fault| println!("  {fault}"));
        found += faults;
    }
    ensure!(found == 0, "{found} faults with seed {seed}");
    Ok(())
}

/// One kind of treatment while it lasts.
struct Round {
    rng: Rng,
    left: u32,
    until: Option<Instant>,
    done: u32,
    faults: Vec<String>,
}

impl Round {
    /// Counts one more, if there is time for it.
    fn next(&mut self) -> bool {
        let more = self.done < self.left && self.until.is_none_or(|until| Instant::now() < until);
        self.done += u32::from(more);
        more
    }

    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }
}

/// The command.
struct Victim {
    binary: PathBuf,
}

/// How a run of the command ended.
struct Ending {
    status: ExitStatus,
    output: String,
    errors: String,
    time: Duration,
}

impl Victim {
    fn command(&self, store: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.env_clear().arg("--store").arg(store).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the command under limits of the shell, as `ulimit -v 2000000`.
    fn limited(&self, limits: &str, store: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.env_clear().args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]);
        command.arg(&self.binary).arg("--store").arg(store).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the command to its end, and asks that it succeeds.
    fn succeed(&self, store: &Path, arguments: &[&str]) -> Result<String> {
        let ending = end(self.command(store, arguments).spawn()?)?;
        if !ending.status.success() {
            bail!("{arguments:?} failed: {}{}", ending.output, ending.errors);
        }
        Ok(ending.output)
    }
}

/// The time after which a run hangs.
const HANGS: Duration = Duration::from_mins(2);

/// Waits for a process and reads what it says.
fn end(mut child: Child) -> Result<Ending> {
    let started = Instant::now();
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let read = |from: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            from.map(|mut from| from.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let output = read(output.map(|output| Box::new(output) as _));
    let errors = read(errors.map(|errors| Box::new(errors) as _));
    // One that hangs is killed, and its end is then a fault.
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() > HANGS => child.kill()?,
            None => std::thread::sleep(Duration::from_millis(3)),
        }
    };
    let joined = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Ending { status, output: joined(output), errors: joined(errors), time: started.elapsed() })
}

impl Ending {
    /// Returns what must never be, if it is: the end by a signal, a panic, a failure without a word.
    fn fault(&self) -> Option<String> {
        let said = format!("{}{}", self.output, self.errors);
        if said.contains("panicked at") || said.contains("RUST_BACKTRACE") {
            return Some(format!("a panic: {said}"));
        }
        if self.status.code().is_none() {
            return Some(format!("ended by {}: {said}", self.status));
        }
        let reasons = ["error: ", "failed: ", "\"error\":", "\"reason\":"];
        if !self.status.success() && !reasons.iter().any(|reason| said.contains(reason)) {
            return Some(format!("failed without a reason: {said}"));
        }
        None
    }
}
