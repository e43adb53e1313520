//! A step runs another flow.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use graphwright_flow::{
    Context, FlowError, MemoryCheckpoints, Notice, OneOf, Rest, RetryPolicy, Runner, flow,
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{Begin, End, people::Clerk};

/// Doubles in a step of its own, counts how often, and fails the first time if it is told to.
#[derive(Default)]
struct Inner {
    doubled: AtomicU32,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize, graphwright_flow::Event)]
struct Doubled(u32);

#[flow(start = Begin, stop = End, reports = String)]
impl Inner {
    #[step]
    async fn double(&self, begin: Begin, ctx: &Context<Self>) -> Doubled {
        self.doubled.fetch_add(1, Ordering::SeqCst);
        ctx.report(format!("doubling {}", begin.0));
        Doubled(begin.0 * 2)
    }

    #[step]
    async fn show(&self, doubled: Doubled) -> End {
        End(doubled.0.to_string())
    }
}

/// Runs the other flow twice, and fails once after that.
struct Outer {
    inner: Runner<Inner>,
}

#[flow(start = Begin, stop = End, reports = String)]
impl Outer {
    #[step(retry = RetryPolicy::attempts(2))]
    async fn both(&self, begin: Begin, ctx: &Context<Self>) -> Result<End, FlowError> {
        let one = ctx.run(&self.inner, Begin(begin.0)).await?;
        let two = ctx.run(&self.inner, Begin(begin.0 + 1)).await?;
        if ctx.attempt() == 1 {
            return Err(FlowError::Cancelled);
        }
        Ok(End(format!("{} {}", one.0, two.0)))
    }
}

#[tokio::test(start_paused = true)]
async fn a_flow_within_a_step_is_not_run_again_when_the_step_is() {
    for (has_checkpoints, doubled) in [(true, 2), (false, 4)] {
        let inner = Runner::new(Inner::default());
        let mut outer = Runner::new(Outer { inner: inner.clone() });
        let store = MemoryCheckpoints::new();
        if has_checkpoints {
            outer = outer.with_checkpoints(store.clone());
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let run = outer.run(Begin(3)).listen(move |notice| drop(sender.send(notice))).start();
        let id = run.id().clone();
        assert_eq!(run.await.unwrap().0, "6 8");
        assert_eq!(inner.flow().doubled.load(Ordering::SeqCst), doubled);

        let reports = receiver.try_iter().filter_map(|notice| match notice {
            Notice::Nested { step: "both", flow: "Inner", notice } => match *notice {
                Notice::Reported { step: "double", report } => Some(report),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(reports.take(2).collect::<Vec<_>>(), ["doubling 3", "doubling 4"]);

        if has_checkpoints {
            outer.forget(&id).await.unwrap();
            assert!(graphwright_flow::CheckpointStore::runs(&store).await.unwrap().is_empty());
        }
    }
}

/// Is in a hurry: the first attempts end before the other flow does.
struct Hasty {
    slow: Runner<Slow>,
}

#[flow(start = Begin, stop = End)]
impl Hasty {
    #[step(time_limit = 0.15, retry = RetryPolicy::attempts(9).with_delay(Duration::ZERO))]
    async fn wait(&self, begin: Begin, ctx: &Context<Self>) -> Result<End, FlowError> {
        ctx.run(&self.slow, begin).await
    }
}

/// Takes 100 ms for each round, and counts them.
#[derive(Default)]
struct Slow {
    rounds: AtomicU32,
}

#[derive(OneOf)]
enum Round {
    Again(Doubled),
    Last(End),
}

#[flow(start = Begin, stop = End)]
impl Slow {
    #[step]
    async fn begin(&self, begin: Begin) -> Doubled {
        Doubled(begin.0)
    }

    #[step(at_most = 5)]
    async fn round(&self, left: Doubled) -> Round {
        sleep(Duration::from_millis(100)).await;
        self.rounds.fetch_add(1, Ordering::SeqCst);
        match left.0 {
            0 => End("done".to_owned()).into(),
            left => Doubled(left - 1).into(),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_that_are_cut_off_go_on_with_the_flow_within() {
    let slow = Runner::new(Slow::default());
    let hasty = Runner::new(Hasty { slow: slow.clone() }).with_checkpoints(MemoryCheckpoints::new());
    assert_eq!(hasty.run(Begin(3)).await.unwrap().0, "done");
    assert_eq!(slow.flow().rounds.load(Ordering::SeqCst), 4);
}

/// Lets a clerk decide.
struct Office {
    clerk: Runner<Clerk>,
}

#[flow(start = Begin, stop = End)]
impl Office {
    #[step]
    async fn delegate(&self, begin: Begin, ctx: &Context<Self>) -> Result<End, FlowError> {
        Ok(End(format!("the clerk says {}", ctx.run(&self.clerk, begin).await?.0)))
    }
}

#[tokio::test]
async fn questions_of_a_flow_within_are_answered_by_the_handle_of_the_run() {
    let run = Runner::new(Office { clerk: Runner::new(Clerk) }).run(Begin(2)).start();
    let Rest::Waiting { questions } = run.rest().await else { panic!("it waits") };
    assert_eq!(questions.len(), 2);
    for (question, is_given) in questions.iter().zip([true, false]) {
        run.answer_json(&question.id, serde_json::json!({ "is_given": is_given })).await.unwrap();
    }
    assert_eq!(run.rest().await, Rest::Ended);
    assert_eq!(run.await.unwrap().0, "the clerk says +-");
}

#[tokio::test]
async fn a_flow_within_is_cancelled_with_the_run() {
    let token = Arc::new(CancellationToken::new());
    let run =
        Runner::new(Office { clerk: Runner::new(Clerk) }).run(Begin(1)).with_cancellation(&token).start();
    assert!(matches!(run.rest().await, Rest::Waiting { .. }));
    token.cancel();
    assert!(matches!(run.await.unwrap_err(), FlowError::Cancelled));
}
