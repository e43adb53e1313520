//! What routes save: steps, tokens and success on kinds of questions that repeat, with and without.

#![expect(clippy::print_stdout, reason = "the figures are worth a look")]

use std::sync::Arc;

use graphwright_agent::RouteVerdict;
use graphwright_answer::AnswerStatus;

use crate::{
    platform::{Platform, SERVICES, Told, libraries, owner},
    player::{Manner, player},
};

const KINDS: [&str; 3] =
    ["Which team owns {}?", "Which libraries does {} depend on?", "How many libraries does {} depend on?"];

/// What a series of questions took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Taken {
    questions: usize,
    right: usize,
    /// Replies of the model.
    replies: u64,
    tokens: u64,
    /// Answers that followed a route with the model, and without it.
    followed: usize,
    without_model: usize,
}

impl Taken {
    fn add(&mut self, told: &Told, is_right: bool) {
        let answer = &told.answer;
        self.questions += 1;
        self.right += usize::from(is_right);
        self.replies += answer.usage.requests;
        self.tokens += answer.usage.tokens();
        self.followed += usize::from(answer.followed.is_some() && answer.model.is_some());
        self.without_model += usize::from(answer.followed.is_some() && answer.model.is_none());
    }
}

fn is_right(kind: usize, service: usize, told: &Told) -> bool {
    let answer = &told.answer;
    let has = |name: &str| answer.answer.contains(name);
    let gold = libraries(service);
    let said = match kind {
        0 => has(owner(service)),
        1 => gold.iter().all(|name| has(name)),
        _ => has(&gold.len().to_string()),
    };
    answer.status == AnswerStatus::Answered && said
}

/// Asks all kinds of all services. Of the right answers, one in `wrong` is judged wrong.
async fn series(has_routes: bool, manner: Manner, wrong: Option<usize>) -> [Taken; 3] {
    let platform = Platform { has_routes, ..Platform::new().await };
    let mut taken = [Taken::default(); 3];
    let mut asked = 0;
    for (service, name) in SERVICES.iter().enumerate() {
        for (kind, words) in KINDS.iter().enumerate() {
            let question = words.replace("{}", name);
            let told = platform.ask(&question, Arc::new(player(manner)), None).await;
            let right = is_right(kind, service, &told);
            assert!(right, "{question}: {:#?}", told.answer);
            taken[kind].add(&told, right);
            asked += 1;
            if let (Some(route), Some(wrong)) = (&told.answer.route, wrong)
                && asked % wrong == 0
            {
                platform.book.judge(route, RouteVerdict::Wrong).unwrap();
            }
        }
    }
    taken
}

fn show(what: &str, taken: &[Taken; 3]) {
    for (kind, taken) in KINDS.iter().zip(taken) {
        let Taken { questions, right, replies, tokens, followed, without_model } = taken;
        println!(
            "| {what} | {kind} | {right} of {questions} | {replies} | {tokens} | {followed} | {without_model} |"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_save_steps_and_tokens_and_cost_no_answer() {
    let without = series(false, Manner::Follows, None).await;
    let with = series(true, Manner::Follows, None).await;
    let judged = series(true, Manner::Follows, Some(5)).await;
    println!("| routes | kind | right | replies | tokens | followed by the agent | without a model |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    show("no", &without);
    show("yes", &with);
    show("yes, 20 % judged wrong", &judged);
    for (with, without) in with.iter().chain(&judged).zip(without.iter().chain(&without)) {
        assert!(with.right >= without.right);
        assert!(with.replies < without.replies && with.tokens < without.tokens, "{with:?} {without:?}");
    }
    assert!(with.iter().all(|taken| taken.without_model > 0 && taken.followed > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_ignores_its_plan_is_no_worse() {
    let without = series(false, Manner::Ignores, None).await;
    // With verdicts that keep every route from proving itself, each plan is only offered.
    let with = series(true, Manner::Ignores, Some(5)).await;
    show("no", &without);
    show("ignored", &with);
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(with.right, without.right);
        assert!(with.replies <= without.replies);
        // What does not help is soon offered no more.
        assert!(with.tokens * 100 < without.tokens * 102, "{with:?} {without:?}");
    }
}
