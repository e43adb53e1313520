//! Each fault is played to a question that the graph answers: `Who owns ledger?`

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use graphwright_answer::{Answer, AnswerStatus, Answerer, AskOptions, Event};
use graphwright_llm::LlmError;
use graphwright_ontology::Ontology;
use rstest::rstest;

use crate::{
    player::{Played, Player, down},
    support,
};

/// The evidence that the model gets begins with `[1] Payments -OWNS-> ledger`, in either direction, and has what else is known of
/// both: `[2]` of Payments, `[3]` of ledger.
const GRAPH: &str = "
    Team Payments
    Team Insights
    Service ledger | tier = 1; since = 2019-04-08; requests = 1203331
    Service reports | tier = 3
    Team Payments -OWNS-> Service ledger
    Team Insights -OWNS-> Service reports
    Service reports -DEPENDS_ON-> Service ledger
";

/// A question with what became of it.
struct Outcome {
    answer: Answer,
    /// What was shown while the answer was written.
    shown: String,
    requests: usize,
    restarted: bool,
    fell_back: bool,
}

async fn play(question: &str, options: AskOptions, script: Vec<Played>) -> Outcome {
    play_to(question, options, script, |answerer| answerer).await
}

async fn play_to(
    question: &str,
    options: AskOptions,
    script: Vec<Played>,
    with: impl FnOnce(Answerer) -> Answerer,
) -> Outcome {
    let store = Arc::new(support::Texts(HashMap::new()));
    let answerer = Answerer::new(store, support::drawn_graph(GRAPH), &Ontology::default());
    let model = Player::new(script);
    let answerer = with(answerer.with_model(Arc::new(model.clone())));
    let events = Mutex::new(Vec::new());
    let record = |event| events.lock().unwrap().push(event);
    let answer = answerer.ask_with_events(question, &options, &record).await.unwrap();
    let events = events.into_inner().unwrap();
    let shown = events.iter().filter_map(|event| match event {
        Event::Token { text } => Some(text.as_str()),
        _ => None,
    });
    Outcome {
        shown: shown.collect(),
        requests: model.requests().len(),
        restarted: events.iter().any(|event| matches!(event, Event::Restarted { .. })),
        fell_back: events.iter().any(|event| matches!(event, Event::Fallback { .. })),
        answer,
    }
}

async fn ask(script: Vec<Played>) -> Outcome {
    play("Who owns ledger?", AskOptions::default(), script).await
}

/// Replies whose text stays as it is: one request, nothing to repair.
#[rstest]
#[case::brackets("Payments owns ledger [1].")]
#[case::lenticular_brackets("Payments owns ledger【1】.")]
#[case::lenticular_brackets_with_a_source("Payments owns ledger【1†source】.")]
#[case::footnotes("Payments owns ledger[^1].")]
#[case::parentheses("Payments owns ledger (1).")]
#[case::a_linked_number("Payments owns ledger [[1]](#evidence-1).")]
#[case::raised_figures("Payments owns ledger¹.")]
#[case::a_word_before_the_number("Payments owns ledger [Evidence 1].")]
#[case::a_range("Payments owns ledger [1-2].")]
#[case::a_bad_number_beside_a_good_one("Payments owns ledger [1][42].")]
#[case::an_opening_word("Accordingly, Payments owns ledger [1].")]
#[case::an_emphasised_name("The **Payments** team owns *ledger* [1].")]
#[case::a_list("These teams own ledger [1]:\n\n- Payments")]
#[case::a_list_that_cites_below("It is owned by:\n\n- Payments [1]")]
#[case::sources_at_the_end("Payments owns ledger.\n\nSources: [1], [2]")]
#[case::a_table("| Team | Service |\n|---|---|\n| Payments | ledger [1] |")]
#[case::a_heading("## Owner\n\nPayments owns ledger [1].")]
#[case::a_date_in_words("Payments owns ledger [1], which began on April 8, 2019 [3].")]
#[case::a_rounded_number("Payments owns ledger [1], which has 1.2 million requests [3].")]
#[case::another_language("Payments besitzt ledger [1].")]
#[case::names_in_other_case("PAYMENTS owns Ledger [1].")]
#[case::what_the_graph_does_not_say_beside_an_answer(
    "Payments owns ledger [1]. The graph does not say since when."
)]
#[tokio::test]
async fn what_is_right_stays_as_it_was_written(#[case] reply: &str) {
    let outcome = ask(vec![reply.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests), (reply, 1));
    assert_eq!(outcome.shown, reply);
    assert!(!outcome.fell_back && outcome.answer.steps.is_empty() && outcome.answer.model.is_some());
    assert_eq!(outcome.answer.entities[0].name, "Payments");
    assert_eq!(outcome.answer.usage.tokens(), 110);
}

/// What surrounds an answer goes, and costs nothing more.
#[rstest]
#[case::thoughts("<think>Is it [9]? Payments.</think>Payments owns ledger [1].", "Payments owns ledger [1].")]
#[case::a_fence("```\nPayments owns ledger [1].\n```", "```\nPayments owns ledger [1].\n```")]
#[case::politeness(
    "Sure, here is the answer.\n\nPayments owns ledger [1].\n\nLet me know if you need more.",
    "Sure, here is the answer.\n\nPayments owns ledger [1].\n\nLet me know if you need more."
)]
#[tokio::test]
async fn what_states_nothing_is_no_fault(#[case] reply: &str, #[case] sees: &str) {
    let outcome = ask(vec![reply.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests), (sees, 1));
    assert_eq!(outcome.shown, sees);
}

/// A fault that the model mends when it is told: two requests, and no trace of what was wrong.
#[rstest]
#[case::denied("Payments does not own ledger [1].", "1: Payments owns ledger [1].")]
#[case::reversed("ledger owns Payments [1].", "1: Payments owns ledger [1].")]
#[case::another_relation("Payments depends on ledger [1].", "1. Payments owns ledger [1].")]
#[case::an_unknown_relation("Payments caused ledger [1].", "**1:** Payments owns ledger [1].")]
#[case::an_invented_name("Zoe Quandt owns ledger [1].", "1: Payments owns ledger [1].")]
#[case::a_name_of_the_graph_that_is_not_cited("Insights owns ledger [1].", "1: Payments owns ledger [1].")]
#[case::no_citation("Payments owns ledger.", "1: Payments owns ledger [1].")]
#[case::no_such_evidence("Payments owns ledger [42].", "1: Payments owns ledger [1].")]
#[case::a_whole_answer_again("Zoe owns ledger [1].", "Payments owns ledger [1].")]
#[tokio::test]
async fn what_is_wrong_is_written_again(#[case] reply: &str, #[case] again: &str) {
    let outcome = ask(vec![reply.into(), again.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests), ("Payments owns ledger [1].", 2));
    assert_eq!(outcome.shown, "Payments owns ledger [1].");
    assert!(!outcome.fell_back && outcome.answer.steps.is_empty(), "{:?}", outcome.answer.steps);
    assert_eq!(outcome.answer.usage.tokens(), 220);
}

/// A fault that stays is marked, and the steps give the reason.
#[rstest]
#[case::a_wrong_number("It has tier 7 [3].", "1: It has tier 7 [3].", "does not have 7")]
#[case::a_wrong_date(
    "It began on May 8, 2019 [3].",
    "1: It began in June 2019 [3].",
    "does not have May 8, 2019"
)]
#[case::talk_in_place_of_a_repair(
    "Zoe Quandt likes it [1].",
    "Sorry for the confusion!",
    "does not have Zoe Quandt"
)]
#[case::no_citation("It is old.", "1: It is old.", "it cites no evidence")]
#[tokio::test]
async fn what_stays_wrong_is_marked(#[case] wrong: &str, #[case] again: &str, #[case] reason: &str) {
    let reply = format!("Payments owns ledger [1]. {wrong}");
    let outcome = ask(vec![reply.as_str().into(), again.into()]).await;
    assert_eq!(outcome.answer.answer, format!("{reply} [unverified]"));
    assert_eq!((outcome.answer.steps.len(), outcome.requests), (1, 2));
    assert!(outcome.answer.steps[0].contains(reason), "{:?}", outcome.answer.steps);

    let strict =
        play("Who owns ledger?", AskOptions::default().strict(), vec![reply.as_str().into(), again.into()]);
    let strict = strict.await;
    assert_eq!(strict.answer.answer, "Payments owns ledger [1].");
    assert!(strict.answer.steps[0].contains(reason), "it is left out, and said to be");
}

/// Nothing that the model says can be used: the graph answers, with the reason.
#[rstest]
#[case::nothing_cited("It is owned by a team.", vec!["1: A team owns it.".into()], "was refused", 2)]
#[case::an_invented_number("The Insights team owns ledger [42].", vec![down()], "was refused", 2)]
#[case::nothing_said("", vec![], "was refused", 1)]
#[case::thoughts_alone("<think>Who could it be", vec![], "was refused", 1)]
#[case::a_refusal("NOT IN THE GRAPH", vec![], "found no answer", 1)]
#[case::a_refusal_in_a_sentence("**Unfortunately**, the evidence doesn't say who owns it.", vec![], "found no answer", 1)]
#[case::a_refusal_that_cites("The provided evidence [1] does not contain information about this.", vec![], "found no answer", 1)]
#[tokio::test]
async fn what_the_graph_has_proved_stays(
    #[case] reply: &str,
    #[case] then: Vec<Played>,
    #[case] reason: &str,
    #[case] requests: usize,
) {
    let script = std::iter::once(reply.into()).chain(then).collect();
    let outcome = ask(script).await;
    assert!(
        outcome.answer.answer.starts_with("Payments is the team that owns ledger."),
        "{}",
        outcome.answer.answer
    );
    assert!(outcome.answer.answer.contains(reason), "{}", outcome.answer.answer);
    assert_eq!((outcome.requests, outcome.shown.as_str(), outcome.fell_back), (requests, "", true));
    assert_eq!((outcome.answer.status, outcome.answer.model), (AnswerStatus::Answered, None));
    assert!(outcome.answer.usage.requests > 0, "what it cost is told");
}

#[rstest]
#[case::down(LlmError::Unavailable { provider: "test".into(), message: "down".into() }, "not available: down")]
#[case::refused(LlmError::Refused { provider: "test".into(), message: "unsafe".into() }, "refused the request: unsafe")]
#[case::too_long(LlmError::ContextLength { model: "test".into() }, "longer than the context")]
#[case::no_key(LlmError::Authentication { provider: "test".into(), message: "bad key".into() }, "refused the credentials")]
#[tokio::test]
async fn a_provider_that_fails_leaves_the_answer_to_the_graph(#[case] error: LlmError, #[case] reason: &str) {
    let outcome = ask(vec![Played::Fails(error)]).await;
    assert!(outcome.fell_back && outcome.answer.answer.contains(reason), "{}", outcome.answer.answer);
    assert_eq!(outcome.answer.entities[0].name, "Payments");
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_asked_for_again() {
    let outcome = ask(vec![
        Played::Cut("Payments owns ledger [1].\n\nIt has "),
        "Payments owns ledger [1].\n\nIt has tier 1 [3].".into(),
    ])
    .await;
    assert_eq!(outcome.answer.answer, "Payments owns ledger [1].\n\nIt has tier 1 [3].");
    assert_eq!(outcome.shown, outcome.answer.answer, "what was shown is not shown twice");
    assert!(outcome.restarted && outcome.requests == 2 && !outcome.fell_back);
}

#[tokio::test]
async fn a_reply_that_breaks_off_twice_is_given_up() {
    let outcome =
        ask(vec![Played::Cut("Payments "), Played::Cut("Payments "), "Payments owns ledger [1].".into()])
            .await;
    assert!(outcome.restarted && outcome.fell_back && outcome.requests == 2);
    assert_eq!(outcome.shown, "");
}

#[tokio::test]
async fn what_is_right_is_shown_before_what_is_wrong_is_mended() {
    let reply = "Payments owns ledger [1].\n\nZoe Quandt runs it [1].\n\nIt has tier 1 [3].";
    let outcome = ask(vec![reply.into(), "1: -".into()]).await;
    assert_eq!(outcome.answer.answer, "Payments owns ledger [1].\n\nIt has tier 1 [3].");
    assert_eq!(outcome.shown, outcome.answer.answer);
    assert!(!outcome.restarted);
}

#[tokio::test]
async fn a_model_may_say_that_nobody_knows_what_the_graph_does_not_prove() {
    let outcome = play("Who founded ledger?", AskOptions::default(), vec!["I don't know.".into()]).await;
    assert_eq!(outcome.answer.status, AnswerStatus::NotInGraph);
    assert!(outcome.answer.entities.is_empty() && outcome.answer.model.is_some() && !outcome.fell_back);
}

/// What the check bears out goes to the judge, and what that takes away is written again or marked. Nothing is shown before.
#[tokio::test]
async fn a_judge_sees_what_the_check_bears_out() {
    let reply = "Payments owns ledger [1].\n\nIt is the busiest [3].";
    let judged = async |said: Vec<Played>, again: &'static str| {
        let judge = Player::new(said);
        let with = |answerer: Answerer| answerer.with_judge(Arc::new(judge.clone()));
        let script = vec![reply.into(), again.into()];
        let outcome = play_to("Who owns ledger?", AskOptions::default(), script, with).await;
        (outcome, judge.requests().len())
    };
    let (outcome, calls) = judged(vec!["1: yes\n2: yes".into()], "").await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests, calls), (reply, 1, 1));
    assert_eq!((outcome.shown.as_str(), outcome.answer.usage.requests), (reply, 2));

    let no = || "1: yes\n2: no, nothing is compared".into();
    let (outcome, calls) = judged(vec![no(), "1: yes".into()], "1: -").await;
    assert_eq!(outcome.answer.answer, "Payments owns ledger [1].");
    assert_eq!((outcome.shown.as_str(), outcome.requests, calls), ("Payments owns ledger [1].", 2, 2));

    let (outcome, _) = judged(vec![no()], "Sorry.").await;
    assert_eq!(outcome.answer.answer, format!("{reply} [unverified]"));
    assert_eq!(
        outcome.answer.steps,
        [
            "Not borne out: \"It is the busiest [3].\": a judge finds that the evidence does not support it: nothing is compared."
        ]
    );

    let (outcome, _) = judged(vec![down()], "").await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests), (reply, 1));
    assert!(outcome.answer.steps[0].starts_with("No judge of 2 statements: "), "{:?}", outcome.answer.steps);
}
