//! Threads that wait a while for the next call: starting one takes about as long as a small read.

use std::{
    collections::VecDeque,
    fmt, io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The time that a thread waits for work before it ends.
const IDLE: Duration = Duration::from_secs(1);

type Job = Box<dyn FnOnce() + Send>;

/// A pool of as many threads as jobs run at once, and those that have just finished one.
#[derive(Default)]
pub(crate) struct Threads {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

/// The jobs for threads that wait. There are never more jobs than threads to take them.
#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    threads: usize,
}

impl fmt::Debug for Threads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Threads").field("waiting", &self.lock().threads).finish_non_exhaustive()
    }
}

impl Threads {
    /// Runs a job on a thread that waits, or else on a new one.
    pub(crate) fn run(self: &Arc<Self>, job: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut waiting = self.lock();
        if waiting.jobs.len() < waiting.threads {
            waiting.jobs.push_back(Box::new(job));
            self.arrived.notify_one();
            return Ok(());
        }
        drop(waiting);
        let threads = Arc::clone(self);
        let work = move || {
            job();
            while let Some(job) = threads.next() {
                job();
            }
        };
        thread::Builder::new().name("graphwright-neo4j".to_owned()).spawn(work).map(drop)
    }

    /// Returns the next job. If none comes in time, returns `None`, which ends the thread.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        waiting.threads += 1;
        let outcome = self.arrived.wait_timeout_while(waiting, IDLE, |waiting| waiting.jobs.is_empty());
        let (mut waiting, _) = outcome.unwrap_or_else(PoisonError::into_inner);
        waiting.threads -= 1;
        // Also when the time is over: a job that came just then counts on this thread.
        waiting.jobs.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::{Barrier, mpsc},
    };

    use super::*;

    #[test]
    fn a_thread_that_waits_is_used_again() {
        let threads = Arc::new(Threads::default());
        let (sender, receiver) = mpsc::channel();
        let mut seen = HashSet::new();
        for _ in 0..20 {
            let sender = sender.clone();
            threads.run(move || sender.send(thread::current().id()).unwrap()).unwrap();
            seen.insert(receiver.recv().unwrap());
            while threads.lock().threads == 0 {
                thread::yield_now();
            }
        }
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn jobs_at_once_have_a_thread_each_and_a_panic_ends_only_its_own() {
        let threads = Arc::new(Threads::default());
        let (sender, receiver) = mpsc::channel();
        let barrier = Arc::new(Barrier::new(4));
        threads.run(|| panic!("expected")).unwrap();
        for number in 0..4 {
            let (sender, barrier) = (sender.clone(), Arc::clone(&barrier));
            let job = move || {
                barrier.wait();
                sender.send(number).unwrap();
            };
            threads.run(job).unwrap();
        }
        let done: HashSet<i32> = receiver.iter().take(4).collect();
        assert_eq!(done.len(), 4);
    }

    #[test]
    fn threads_end_when_nothing_comes() {
        let threads = Arc::new(Threads::default());
        threads.run(|| {}).unwrap();
        // Each thread holds the list.
        while Arc::strong_count(&threads) > 1 {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(threads.lock().threads, 0);
    }
}
