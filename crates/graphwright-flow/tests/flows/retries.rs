//! Failed attempts are repeated as the policy says.

use std::{
    io,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use graphwright_flow::{Context, FlowError, RetryPolicy, Runner, flow};
use tokio::time::{Instant, sleep};

use crate::{Begin, End};

/// Fails so many times, in one way or another.
#[derive(Default)]
struct Flaky {
    tried: AtomicU32,
}

fn policy() -> RetryPolicy {
    RetryPolicy::attempts(4)
        .with_delay(Duration::from_secs(1))
        .without_jitter()
        .when(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut)
}

#[flow(start = Begin, stop = End)]
impl Flaky {
    #[step(retry = policy())]
    async fn attempt(&self, begin: Begin, ctx: &Context<Self>) -> io::Result<End> {
        self.tried.fetch_add(1, Ordering::SeqCst);
        if ctx.attempt() <= begin.0 {
            let kind = if begin.0 == 9 { io::ErrorKind::NotFound } else { io::ErrorKind::TimedOut };
            return Err(kind.into());
        }
        Ok(End(format!("attempt {}, last: {}", ctx.attempt(), ctx.is_last_attempt())))
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_repeated_after_a_while() {
    let begun = Instant::now();
    assert_eq!(Runner::new(Flaky::default()).run(Begin(2)).await.unwrap().0, "attempt 3, last: false");
    assert_eq!(begun.elapsed().as_secs(), 1 + 2);
    assert_eq!(Runner::new(Flaky::default()).run(Begin(3)).await.unwrap().0, "attempt 4, last: true");
}

#[tokio::test(start_paused = true)]
async fn attempts_end_and_the_last_error_is_told() {
    let error = Runner::new(Flaky::default()).run(Begin(5)).await.unwrap_err();
    assert_eq!(error.to_string(), "the step `attempt` failed 4 times: timed out");
    assert_eq!(error.code(), "step_failed");
    let FlowError::StepFailed { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.downcast_ref::<io::Error>().unwrap().kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn an_error_that_the_policy_does_not_cover_ends_the_run() {
    let runner = Runner::new(Flaky::default());
    let error = runner.run(Begin(9)).await.unwrap_err();
    assert_eq!(error.to_string(), "the step `attempt` failed: entity not found");
    assert_eq!(runner.flow().tried.load(Ordering::SeqCst), 1);
}

/// Is slow at first.
struct Slow;

#[flow(start = Begin, stop = End)]
impl Slow {
    #[step(time_limit = 0.5, retry = policy())]
    async fn sleep(&self, begin: Begin, ctx: &Context<Self>) -> End {
        if ctx.attempt() <= begin.0 {
            sleep(Duration::from_hours(1)).await;
        }
        End(ctx.attempt().to_string())
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_takes_too_long_is_stopped_and_repeated() {
    assert_eq!(Runner::new(Slow).run(Begin(1)).await.unwrap().0, "2");
    let error = Runner::new(Slow).run(Begin(9)).await.unwrap_err();
    assert_eq!(error.to_string(), "the step `sleep` failed 4 times: it did not end within 0.5 s");
}

/// Panics.
struct Panicking;

#[flow(start = Begin, stop = End)]
impl Panicking {
    #[step(retry = RetryPolicy::attempts(2).with_delay(Duration::ZERO))]
    async fn panic(&self, begin: Begin, ctx: &Context<Self>) -> End {
        assert!(ctx.attempt() > begin.0, "as asked");
        End(ctx.attempt().to_string())
    }
}

#[tokio::test]
async fn a_panic_is_a_failed_attempt() {
    assert_eq!(Runner::new(Panicking).run(Begin(1)).await.unwrap().0, "2");
    let error = Runner::new(Panicking).run(Begin(2)).await.unwrap_err();
    assert_eq!(error.to_string(), "the step `panic` failed 2 times: it panicked: as asked");
}
