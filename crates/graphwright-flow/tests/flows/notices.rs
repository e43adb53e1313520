//! What a run tells.

use std::time::Duration;

use futures::StreamExt;
use graphwright_flow::{Context, Event, Notice, RetryPolicy, Runner, flow};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Half(u32);

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Progress {
    percent: u32,
}

/// Tells how far it is, and fails once.
struct Talker;

#[flow(start = Begin, stop = End, reports = Progress)]
impl Talker {
    #[step]
    async fn first(&self, begin: Begin, ctx: &Context<Self>) -> Half {
        ctx.report(Progress { percent: 50 });
        Half(begin.0 / 2)
    }

    #[step(retry = RetryPolicy::attempts(2).with_delay(Duration::from_millis(5)).without_jitter())]
    async fn second(&self, half: Half, ctx: &Context<Self>) -> Result<End, String> {
        if ctx.attempt() == 1 {
            return Err("not yet".to_owned());
        }
        Ok(End(half.0.to_string()))
    }
}

#[tokio::test]
async fn a_stream_tells_what_happens_and_ends_with_the_run() {
    let (run, notices) = Runner::new(Talker).run(Begin(8)).stream();
    let mut notices: Vec<Notice<Progress>> = notices.collect().await;
    assert_eq!(run.await.unwrap().0, "4");
    for notice in &mut notices {
        if let Notice::StepDone { elapsed, .. } = notice {
            *elapsed = Duration::ZERO;
        }
    }
    let lines: Vec<String> = notices.iter().map(|notice| serde_json::to_string(notice).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"event":"step_started","step":"first","attempt":1}
    {"event":"reported","step":"first","report":{"percent":50}}
    {"event":"step_done","step":"first","sent":["Half"],"elapsed":0.0}
    {"event":"step_started","step":"second","attempt":1}
    {"event":"step_retried","step":"second","attempt":1,"error":"not yet","delay":0.005}
    {"event":"step_started","step":"second","attempt":2}
    {"event":"step_done","step":"second","sent":["End"],"elapsed":0.0}
    "#);
}

#[tokio::test]
async fn a_listener_that_panics_ends_its_run_alone() {
    let runner = Runner::new(Talker);
    let error = runner.run(Begin(8)).listen(|_| panic!("as asked")).await.unwrap_err();
    assert_eq!(error.code(), "broken");
    assert_eq!(runner.run(Begin(8)).await.unwrap().0, "4");
}
