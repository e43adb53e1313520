//! A call of the store: its identity on the server, its limits, and what has stopped it.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{
        LazyLock, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use graphwright_core::{Result, StoreError};
use neo4j::{ValueSend, transaction::TransactionTimeout};

/// The key of a transaction's metadata that holds the call's identifier.
pub(crate) const META_KEY: &str = "graphwright_call";

/// The reason why a call was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its time limit passed.
    TimedOut,
    /// The caller cancelled it.
    Cancelled,
    /// The caller dropped what it waited for.
    Dropped,
}

/// A call. The worker's thread runs it; others may stop it.
#[derive(Debug)]
pub(crate) struct Call {
    id: String,
    limit: Option<Duration>,
    started: Instant,
    stopped: OnceLock<Stop>,
    committing: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Call {
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        // With a random key, so that processes and machines do not share identifiers.
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            id: format!("{:016x}-{}", *PROCESS, NEXT.fetch_add(1, Ordering::Relaxed)),
            limit,
            started: Instant::now(),
            stopped: OnceLock::new(),
            committing: AtomicBool::new(false),
            thread: OnceLock::new(),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the time at which the limit passes.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.limit.and_then(|limit| self.started.checked_add(limit))
    }

    /// Tells that the current thread works for this call from now on.
    pub(crate) fn begin(&self) {
        let _ = self.thread.set(thread::current());
    }

    /// Stops the call. The first reason stays.
    pub(crate) fn stop(&self, reason: Stop) {
        let _ = self.stopped.set(reason);
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// Fails if the call was stopped.
    pub(crate) fn check(&self) -> Result<()> {
        self.stopped_error().map_or(Ok(()), Err)
    }

    /// Returns the error for what has stopped the call, if something has.
    pub(crate) fn stopped_error(&self) -> Option<StoreError> {
        let reason = self.stopped.get()?;
        Some(match (reason, self.limit) {
            (Stop::TimedOut, Some(limit)) => StoreError::TimedOut { limit },
            _ => StoreError::Cancelled,
        })
    }

    /// Tells that from here on the server may have committed without our knowing.
    pub(crate) fn begin_commit(&self) {
        self.committing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_committing(&self) -> bool {
        self.committing.load(Ordering::Relaxed)
    }

    /// Lets the thread sleep. A stop wakes it.
    pub(crate) fn pause(&self, time: Duration) {
        // A stop in between is not lost: after `unpark` the next park returns at once.
        if self.stopped.get().is_none() {
            thread::park_timeout(time);
        }
    }

    /// Returns what the server shall show of the transaction.
    pub(crate) fn meta(&self) -> HashMap<String, ValueSend> {
        HashMap::from([
            ("app".to_owned(), concat!("graphwright ", env!("CARGO_PKG_VERSION")).into()),
            (META_KEY.to_owned(), self.id.clone().into()),
        ])
    }

    /// Returns what is left of the time limit, for the server to keep too. Without one the server's
    /// own holds.
    pub(crate) fn timeout(&self) -> TransactionTimeout {
        let left = self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let milliseconds = left.and_then(|left| i64::try_from(left.as_millis()).ok());
        // To the server, zero means no limit.
        milliseconds.and_then(|left| TransactionTimeout::from_millis(left.max(1))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_names_of_their_own() {
        assert_ne!(Call::new(None).id(), Call::new(None).id());
    }

    #[test]
    fn the_first_reason_stays() {
        let call = Call::new(Some(Duration::from_secs(3)));
        assert!(call.check().is_ok());
        call.stop(Stop::TimedOut);
        call.stop(Stop::Cancelled);
        assert_eq!(call.check().unwrap_err().code(), "timed_out");
    }

    #[test]
    fn a_stop_ends_the_pause() {
        let call = std::sync::Arc::new(Call::new(None));
        call.begin();
        let other = std::sync::Arc::clone(&call);
        let stopper = thread::spawn(move || other.stop(Stop::Cancelled));
        let started = Instant::now();
        while call.check().is_ok() {
            call.pause(Duration::from_mins(1));
        }
        stopper.join().unwrap();
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
