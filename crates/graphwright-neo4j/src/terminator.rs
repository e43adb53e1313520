//! Ends transactions on the server, over a connection of its own.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use neo4j::ValueSend;
use tokio_util::sync::CancellationToken;

use crate::{call::Call, server::Server, values::Parameters};

/// The statement that ends the transactions of calls. Its key is [`crate::call::META_KEY`].
const TERMINATE: &str = "SHOW TRANSACTIONS YIELD transactionId AS id, metaData \
                         WHERE metaData.graphwright_call IN $calls \
                         TERMINATE TRANSACTIONS id YIELD message RETURN message";
/// The most times that a transaction is looked for: the server may not have begun it yet.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// The thread that ends transactions. It runs only while there is something to end.
#[derive(Debug)]
pub(crate) struct Terminator {
    server: Arc<Server>,
    /// The transactions to end, or `None` while no thread runs.
    targets: Mutex<Option<Vec<Target>>>,
}

#[derive(Debug)]
struct Target {
    call: String,
    ended: CancellationToken,
    attempts: usize,
}

impl Terminator {
    pub(crate) fn new(server: Arc<Server>) -> Self {
        Self { server, targets: Mutex::new(None) }
    }

    /// Ends the transactions of a call, unless its worker ends by itself.
    pub(crate) fn terminate(self: &Arc<Self>, call: &str, ended: CancellationToken) {
        // Held until the list is there: a new thread that finds none would end at once.
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let target = Target { call: call.to_owned(), ended, attempts: 0 };
        if let Some(targets) = &mut *targets {
            targets.push(target);
            return;
        }
        let terminator = Arc::clone(self);
        let thread = std::thread::Builder::new().name("graphwright-neo4j-end".to_owned());
        // Without a thread the server's own time limit ends the transaction.
        if thread.spawn(move || terminator.run()).is_ok() {
            *targets = Some(vec![target]);
        }
    }

    fn run(&self) {
        let _end = ThreadEnd(self);
        while let Some(calls) = self.next_calls() {
            let parameters = Parameters::from([("calls".to_owned(), ValueSend::List(calls))]);
            let call = Call::new(Some(Duration::from_secs(5)));
            if let Err(error) = self.server.rows(&call, TERMINATE, &parameters) {
                tracing::debug!(%error, "a transaction could not be ended");
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Returns the calls that still run. If there is none, returns `None`, which ends the thread.
    fn next_calls(&self) -> Option<Vec<ValueSend>> {
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let list = targets.as_mut()?;
        list.retain_mut(|target| {
            target.attempts += 1;
            !target.ended.is_cancelled() && target.attempts <= ATTEMPTS
        });
        if list.is_empty() {
            *targets = None;
            return None;
        }
        Some(list.iter().map(|target| target.call.clone().into()).collect())
    }
}

/// A guard that lets another thread begin when this one ends by a panic.
struct ThreadEnd<'a>(&'a Terminator);

impl Drop for ThreadEnd<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            *self.0.targets.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
