//! Runs end when they have to.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use graphwright_flow::{Event, FlowError, OneOf, Runner, flow};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{Begin, End};

/// Sleeps so many seconds, and tells when it is dropped.
struct Sleeper {
    dropped: Arc<AtomicBool>,
}

struct TellsDrop(Arc<AtomicBool>);

impl Drop for TellsDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[flow(start = Begin, stop = End)]
impl Sleeper {
    #[step]
    async fn sleep(&self, begin: Begin) -> End {
        let _tells = TellsDrop(Arc::clone(&self.dropped));
        sleep(Duration::from_secs(begin.0.into())).await;
        End("awake".to_owned())
    }
}

fn sleeper() -> (Runner<Sleeper>, Arc<AtomicBool>) {
    let dropped = Arc::new(AtomicBool::new(false));
    (Runner::new(Sleeper { dropped: Arc::clone(&dropped) }), dropped)
}

#[tokio::test(start_paused = true)]
async fn a_run_that_takes_too_long_ends() {
    let (runner, dropped) = sleeper();
    let runner = runner.with_time_limit(Duration::from_secs(90));
    assert_eq!(runner.run(Begin(89)).await.unwrap().0, "awake");
    let error = runner.run(Begin(91)).await.unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.code()),
        ("the flow did not end within 90 s", "out_of_time")
    );
    sleep(Duration::from_millis(1)).await;
    assert!(dropped.load(Ordering::SeqCst));
}

#[tokio::test(start_paused = true)]
async fn a_run_is_cancelled_by_its_handle_its_token_or_by_dropping_it() {
    let (runner, dropped) = sleeper();
    let run = runner.run(Begin(3600)).start();
    sleep(Duration::from_secs(1)).await;
    run.cancel();
    assert!(matches!(run.await.unwrap_err(), FlowError::Cancelled));

    let token = CancellationToken::new();
    let run = runner.run(Begin(3600)).with_cancellation(&token).start();
    token.cancel();
    assert!(matches!(run.await.unwrap_err(), FlowError::Cancelled));

    dropped.store(false, Ordering::SeqCst);
    let run = runner.run(Begin(3600)).start();
    sleep(Duration::from_secs(1)).await;
    drop(run);
    sleep(Duration::from_secs(1)).await;
    assert!(dropped.load(Ordering::SeqCst), "the step is dropped with the run");
}

#[tokio::test(start_paused = true)]
async fn a_detached_run_goes_on() {
    let (runner, dropped) = sleeper();
    runner.run(Begin(10)).start().detach();
    sleep(Duration::from_secs(9)).await;
    assert!(!dropped.load(Ordering::SeqCst));
    sleep(Duration::from_secs(2)).await;
    assert!(dropped.load(Ordering::SeqCst));
}

/// Two ways to the end, of which the first one counts.
struct Race;

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Tortoise;
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Hare;

#[flow(start = Begin, stop = End)]
impl Race {
    #[step]
    async fn start(&self, _: Begin) -> (Tortoise, Hare) {
        (Tortoise, Hare)
    }

    #[step]
    async fn walk(&self, _: Tortoise) -> End {
        sleep(Duration::from_secs(10)).await;
        End("tortoise".to_owned())
    }

    #[step]
    async fn run(&self, _: Hare) -> End {
        sleep(Duration::from_secs(20)).await;
        End("hare".to_owned())
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_stop_ends_the_run() {
    assert_eq!(Runner::new(Race).run(Begin(0)).await.unwrap().0, "tortoise");
}

/// Goes round and round without ever waiting.
struct Treadmill;

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Pace(u32);

#[derive(OneOf)]
enum Walk {
    On(Pace),
    Off(End),
}

#[flow(start = Begin, stop = End)]
impl Treadmill {
    #[step]
    async fn begin(&self, begin: Begin) -> Pace {
        Pace(begin.0)
    }

    #[step(at_most = 100_000_000)]
    async fn walk(&self, pace: Pace) -> Walk {
        match pace.0.checked_sub(1) {
            Some(left) => Pace(left).into(),
            None => End("tired".to_owned()).into(),
        }
    }
}

#[tokio::test]
async fn a_run_that_never_waits_leaves_room_for_others_and_can_be_cancelled() {
    let run = Runner::new(Treadmill).run(Begin(50_000_000)).start();
    sleep(Duration::from_millis(5)).await;
    run.cancel();
    assert!(matches!(run.await.unwrap_err(), FlowError::Cancelled));
}
