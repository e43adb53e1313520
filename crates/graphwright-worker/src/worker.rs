//! [`Worker`]: a child process, from the side of its parent.

use std::{
    io::{self, BufReader, BufWriter, Read},
    process::{Child, ChildStderr, ChildStdin, ExitStatus},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread::JoinHandle,
    time::Duration,
};

use serde::Serialize;

use crate::{Program, Task, WorkerError, frame};

/// The number of frames that wait to be taken before the worker has to wait.
const WAITING: usize = 4;
/// The time in which a new process has to say which version it is.
const START: Duration = Duration::from_secs(10);
/// The bytes of the worker's standard error that are kept, to see why it ended.
const KEPT: usize = 4096;

/// A child process that answers requests, one after another. Dropping it ends the process.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    input: BufWriter<ChildStdin>,
    replies: Receiver<io::Result<Vec<u8>>>,
    complaints: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts a worker for a kind of work, with settings that its server understands.
    pub fn start(program: &Program, kind: &str, settings: &impl Serialize) -> Result<Self, WorkerError> {
        let failed = |source| WorkerError::Start { program: program.path().to_owned(), source };
        let mut child = program.command().spawn().map_err(failed)?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, replies) = sync_channel(WAITING);
        let spawn = |name: &str| std::thread::Builder::new().name(format!("graphwright-{name}"));
        spawn("replies").spawn(move || forward(BufReader::new(output), &sender)).map_err(failed)?;
        let complaints = spawn("complaints").spawn(move || last_words(errors)).map_err(failed)?;
        let mut worker = Self { child, input: BufWriter::new(input), replies, complaints: Some(complaints) };
        let settings = serde_json::to_value(settings).map_err(|error| failed(error.into()))?;
        let task = serde_json::to_vec(&Task { kind: kind.to_owned(), settings });
        worker.send(&task.map_err(|error| failed(error.into()))?)?;
        worker.meet(program)?;
        Ok(worker)
    }

    /// Waits for the greeting of a new process.
    fn meet(&mut self, program: &Program) -> Result<(), WorkerError> {
        let other = |found: String| WorkerError::Version { program: program.path().to_owned(), found };
        match self.receive(START)? {
            Some(greeting) if greeting == env!("CARGO_PKG_VERSION").as_bytes() => Ok(()),
            Some(greeting) => Err(other(String::from_utf8_lossy(&greeting).chars().take(40).collect())),
            None => Err(other("unknown (it says nothing)".to_owned())),
        }
    }

    /// Returns the worker if its process has not ended.
    pub(crate) fn alive(mut self) -> Option<Self> {
        matches!(self.child.try_wait(), Ok(None)).then_some(self)
    }

    /// Sends a message.
    pub fn send(&mut self, message: &[u8]) -> Result<(), WorkerError> {
        frame::write(&mut self.input, message).map_err(|_| self.reason(true))
    }

    /// Waits for the next message. Returns `None` if none came in time.
    pub fn receive(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, WorkerError> {
        match self.replies.recv_timeout(limit) {
            Ok(Ok(message)) => Ok(Some(message)),
            Ok(Err(_)) => Err(self.reason(true)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.reason(false)),
        }
    }

    /// Returns why the process gave no answer. One whose pipe is `broken` is ended.
    fn reason(&mut self, broken: bool) -> WorkerError {
        if broken {
            // It may have ended by itself a moment ago: then it says better why.
            std::thread::sleep(Duration::from_millis(10));
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        let words = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        match status {
            Ok(status) => cause(status, &words),
            Err(error) => WorkerError::Ended(error.to_string()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn forward(mut output: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    while let Some(message) = frame::read(&mut output).transpose() {
        let failed = message.is_err();
        if sender.send(message).is_err() || failed {
            return;
        }
    }
}

/// Reads a standard error to its end and returns the last of it.
fn last_words(mut errors: ChildStderr) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; KEPT];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        kept.drain(..kept.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Tells from the end of a process why it came.
fn cause(status: ExitStatus, words: &str) -> WorkerError {
    // The words of Rust's runtime before it aborts; the second are those of a thread that could not get its stack.
    if words.contains("memory allocation of") || words.contains("Cannot allocate memory") {
        return WorkerError::Memory;
    }
    if words.contains("has overflowed its stack") {
        return WorkerError::Stack;
    }
    #[cfg(unix)]
    match std::os::unix::process::ExitStatusExt::signal(&status) {
        // `SIGKILL`, which nobody here sent: the system took back memory.
        Some(9) => return WorkerError::Memory,
        // `SIGSEGV`: a frame larger than the guard page of its stack.
        Some(11) => return WorkerError::Stack,
        _ => {}
    }
    let line = words.lines().rev().find(|line| !line.trim().is_empty() && !line.starts_with("note:"));
    WorkerError::Ended(line.map_or_else(|| status.to_string(), |line| format!("{status}: {line}")))
}
