//! The side of the child.

use std::io::{self, IsTerminal, Stdout};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::frame;

/// What a worker is for, which its parent tells it first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The kind of work.
    pub kind: String,
    /// The settings of that kind.
    pub settings: serde_json::Value,
}

/// The messages of the parent, in their order.
pub type Requests = UnboundedReceiver<Vec<u8>>;

/// The way back to the parent.
#[derive(Debug)]
pub struct Replies(Stdout);

impl Replies {
    /// Sends a message. Fails when the parent is gone.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        frame::write(&mut self.0.lock(), message)
    }
}

/// Makes this process a worker: reads its task from standard input and hands it to `work`. The process ends with its
/// parent, in the middle of work if need be.
///
/// Nothing else may write to standard output.
///
/// # Errors
/// Fails if nobody is there who gives it a task.
pub fn serve<T>(work: impl FnOnce(Task, Requests, Replies) -> T) -> io::Result<T> {
    #[expect(clippy::disallowed_methods, reason = "frames for the parent, nothing for a terminal")]
    let mut replies = Replies(io::stdout());
    let mut input = io::stdin().lock();
    if input.is_terminal() {
        return Err(io::Error::other("a worker is started by another process, which tells it what to do"));
    }
    let task = frame::read(&mut input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    drop(input);
    let task: Task = serde_json::from_slice(&task)?;
    replies.send(env!("CARGO_PKG_VERSION").as_bytes())?;
    let (sender, requests) = unbounded_channel();
    std::thread::Builder::new().name("graphwright-requests".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(request)) = frame::read(&mut input) {
            if sender.send(request).is_err() {
                return;
            }
        }
        leave();
    })?;
    Ok(work(task, requests, replies))
}

#[expect(clippy::exit, reason = "the parent is gone, and nobody waits for what is under way")]
fn leave() {
    std::process::exit(0);
}
