//! A run asks people, and goes on with what they answer.

use std::time::Duration;

use graphwright_flow::{
    Batch, Context, Event, FlowError, MemoryCheckpoints, Notice, QuestionId, Rest, Runner, flow,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::{Begin, End};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Event)]
struct Confirm {
    item: u32,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Event)]
struct Approval {
    is_given: bool,
}

/// Asks about each item.
pub(crate) struct Clerk;

#[flow(start = Begin, stop = End, asks(Confirm => Approval))]
impl Clerk {
    #[step]
    async fn ask(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Confirm> {
        ctx.send_all((0..begin.0).map(|item| Confirm { item }))
    }

    #[step]
    async fn decide(&self, approval: Approval, ctx: &Context<Self>) -> Option<End> {
        let approvals: Vec<Approval> = ctx.collect(approval).await?;
        Some(End(approvals.iter().map(|approval| if approval.is_given { "+" } else { "-" }).collect()))
    }
}

#[tokio::test]
async fn a_run_waits_for_people_and_answers_go_where_their_questions_came_from() {
    let run = Runner::new(Clerk).run(Begin(3)).start();
    let Rest::Waiting { questions } = run.rest().await else { panic!("it waits") };
    assert_eq!(questions.len(), 3);
    assert_eq!((questions[1].event, questions[1].answered_by), ("Confirm", "Approval"));
    assert_eq!(questions[1].read::<Confirm>().unwrap(), Confirm { item: 1 });

    run.answer(&questions[2].id, Approval { is_given: true }).await.unwrap();
    run.answer_json(&questions[0].id, json!({"is_given": false})).await.unwrap();
    let Rest::Waiting { questions } = run.rest().await else { panic!("it waits") };
    assert_eq!(questions.len(), 1);
    run.answer(&questions[0].id, Approval { is_given: true }).await.unwrap();
    assert_eq!(run.rest().await, Rest::Ended);
    assert_eq!(run.await.unwrap().0, "-++");
}

#[tokio::test]
async fn wrong_answers_are_refused_and_the_question_stays_open() {
    let run = Runner::new(Clerk).run(Begin(1)).with_id("clerk".parse().unwrap()).start();
    let Rest::Waiting { questions } = run.rest().await else { panic!("it waits") };
    let question = &questions[0].id;
    assert_eq!(question.to_string(), "clerk:2");
    assert_eq!("clerk:2".parse::<QuestionId>().unwrap(), *question);

    let error = run.answer(question, Begin(1)).await.unwrap_err();
    assert_eq!(error.to_string(), "the question clerk:2 is answered with `Approval`, not with `Begin`");
    let error = run.answer_json(question, json!({"given": true})).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot read `Approval`: missing field `is_given`");
    let other = "clerk:77".parse().unwrap();
    assert!(matches!(run.answer(&other, Approval { is_given: true }).await, Err(FlowError::NotAsked { .. })));

    run.answer(question, Approval { is_given: true }).await.unwrap();
    assert!(matches!(
        run.answer(question, Approval { is_given: true }).await,
        Err(FlowError::NotAsked { .. })
    ));
    assert_eq!(run.await.unwrap().0, "+");
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_stands_still_while_a_person_thinks() {
    let runner = Runner::new(Clerk).with_time_limit(Duration::from_secs(5));
    let run = runner.run(Begin(1)).start();
    sleep(Duration::from_hours(1)).await;
    run.answer(&run.questions()[0].id, Approval { is_given: true }).await.unwrap();
    assert_eq!(run.await.unwrap().0, "+");
}

#[tokio::test]
async fn a_question_outlives_its_run_and_is_asked_again() {
    let runner = Runner::new(Clerk).with_checkpoints(MemoryCheckpoints::new());
    let run = runner.run(Begin(2)).start();
    let id = run.id().clone();
    let Rest::Waiting { questions } = run.rest().await else { panic!("it waits") };
    run.answer(&questions[1].id, Approval { is_given: true }).await.unwrap();
    run.cancel();
    run.await.unwrap_err();

    let (sender, receiver) = std::sync::mpsc::channel();
    let run = runner.resume(id).listen(move |notice| drop(sender.send(notice))).start();
    assert_eq!(run.rest().await, Rest::Waiting { questions: vec![questions[0].clone()] });
    let asked = receiver.try_iter().find_map(|notice| match notice {
        Notice::Asked { question } => Some(question),
        _ => None,
    });
    assert_eq!(asked, Some(questions[0].clone()));
    run.answer(&questions[0].id, Approval { is_given: false }).await.unwrap();
    assert_eq!(timeout(Duration::from_secs(5), run).await.unwrap().unwrap().0, "-+");
}
