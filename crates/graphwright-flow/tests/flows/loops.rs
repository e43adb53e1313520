//! Loops end.

use graphwright_flow::{Batch, Context, Event, FlowError, OneOf, Runner, flow};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Draft {
    faults: u32,
}

#[derive(OneOf)]
enum Review {
    Again(Draft),
    Good(End),
}

/// Takes one fault out in each round, and gives up in the last one if it is told to.
struct Editor {
    gives_up: bool,
}

#[flow(start = Begin, stop = End)]
impl Editor {
    #[step]
    async fn write(&self, begin: Begin) -> Draft {
        Draft { faults: begin.0 }
    }

    #[step(at_most = 3)]
    async fn review(&self, draft: Draft, ctx: &Context<Self>) -> Review {
        if draft.faults == 0 {
            return End(format!("good after {} rounds", ctx.round())).into();
        }
        if ctx.is_last_round() && self.gives_up {
            return End(format!("{} faults are left", draft.faults)).into();
        }
        Draft { faults: draft.faults - 1 }.into()
    }
}

#[tokio::test]
async fn a_loop_ends_when_it_is_done() {
    let runner = Runner::new(Editor { gives_up: false });
    assert_eq!(runner.run(Begin(2)).await.unwrap().0, "good after 3 rounds");
}

#[tokio::test]
async fn a_loop_ends_at_its_bound_and_a_step_can_tell_its_last_round() {
    let error = Runner::new(Editor { gives_up: false }).run(Begin(9)).await.unwrap_err();
    assert!(matches!(error, FlowError::TooManyRounds { step: "review", limit: 3 }));
    assert_eq!(error.to_string(), "the step `review` was to run a 4th time on one way, and `at_most = 3`");
    assert_eq!(Runner::new(Editor { gives_up: true }).run(Begin(9)).await.unwrap().0, "7 faults are left");
}

/// Many drafts, each with rounds of its own.
struct Editors;

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Good(u32);

#[derive(OneOf)]
enum Verdict {
    Again(Draft),
    Good(Good),
}

#[flow(start = Begin, stop = End)]
impl Editors {
    #[step]
    async fn write(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Draft> {
        ctx.send_all((0..begin.0).map(|number| Draft { faults: number % 3 }))
    }

    #[step(at_most = 3)]
    async fn review(&self, draft: Draft, ctx: &Context<Self>) -> Verdict {
        match draft.faults {
            0 => Good(ctx.round()).into(),
            faults => Draft { faults: faults - 1 }.into(),
        }
    }

    #[step]
    async fn publish(&self, good: Good, ctx: &Context<Self>) -> Option<End> {
        let good: Vec<Good> = ctx.collect(good).await?;
        Some(End(good.iter().map(|good| good.0.to_string()).collect::<Vec<_>>().join(" ")))
    }
}

#[tokio::test]
async fn each_member_of_a_batch_has_rounds_of_its_own() {
    assert_eq!(Runner::new(Editors).run(Begin(7)).await.unwrap().0, "1 2 3 1 2 3 1");
}
