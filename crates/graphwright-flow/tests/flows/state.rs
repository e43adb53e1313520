//! What the steps of a run share.

use std::time::Duration;

use graphwright_flow::{Batch, Context, Event, RetryPolicy, Runner, flow};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    seen: Vec<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Vote(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Counted;

/// Counts votes side by side; the first attempt at every third one fails.
struct Poll;

#[flow(start = Begin, stop = End, state = Tally)]
impl Poll {
    #[step]
    async fn open(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Vote> {
        ctx.send_all((0..begin.0).map(Vote))
    }

    #[step(workers = 16, retry = RetryPolicy::attempts(2).with_delay(Duration::from_millis(1)))]
    async fn count(&self, vote: Vote, ctx: &Context<Self>) -> Result<Counted, String> {
        ctx.update(move |tally| tally.seen.push(vote.0));
        tokio::task::yield_now().await;
        if vote.0.is_multiple_of(3) && ctx.attempt() == 1 {
            return Err("the urn is jammed".to_owned());
        }
        Ok(Counted)
    }

    #[step]
    async fn close(&self, counted: Counted, ctx: &Context<Self>) -> Option<End> {
        ctx.collect::<Vec<_>>(counted).await?;
        let mut seen = ctx.state().seen.clone();
        seen.sort_unstable();
        Some(End(format!("{seen:?}")))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_change_is_lost_and_a_failed_attempt_changes_nothing() {
    let end = Runner::new(Poll).run(Begin(100)).await.unwrap();
    assert_eq!(end.0, format!("{:?}", (0..100).collect::<Vec<_>>()));
}

/// Looks at the state before and after a step is done.
struct Impatient;

#[flow(start = Begin, stop = End, state = Tally)]
impl Impatient {
    #[step]
    async fn change(&self, begin: Begin, ctx: &Context<Self>) -> Vote {
        ctx.update(move |tally| tally.seen.push(begin.0));
        Vote(ctx.state().seen.len() as u32)
    }

    #[step]
    async fn look(&self, before: Vote, ctx: &Context<Self>) -> End {
        End(format!("{} before, {} after", before.0, ctx.state().seen.len()))
    }
}

#[tokio::test]
async fn a_change_is_seen_when_the_step_is_done_and_each_run_has_a_state_of_its_own() {
    let runner = Runner::new(Impatient);
    assert_eq!(runner.run(Begin(1)).await.unwrap().0, "0 before, 1 after");
    assert_eq!(runner.run(Begin(1)).await.unwrap().0, "0 before, 1 after");
}

/// Changes the state in a way that panics.
struct Clumsy;

#[flow(start = Begin, stop = End, state = Tally)]
impl Clumsy {
    #[step]
    async fn drop_it(&self, begin: Begin, ctx: &Context<Self>) -> End {
        ctx.update(|tally| tally.seen[7] = 1);
        End(begin.0.to_string())
    }
}

#[tokio::test]
async fn a_change_that_panics_is_a_failure_of_its_step() {
    let error = Runner::new(Clumsy).run(Begin(1)).await.unwrap_err().to_string();
    assert!(error.starts_with("the step `drop_it` failed: it panicked: index out of bounds"), "{error}");
}
