//! Answers that a model writes: kept only as far as the evidence bears them out.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use graphwright_agent::{Answer, AnswerStatus, Answerer, AskOptions, Event};
use graphwright_ingest::Ontology;
use graphwright_llm::{ChatReply, LlmError, ScriptedModel};

use crate::support;

const GRAPH: &str = "
    Team Payments
    Team Insights
    Service ledger | tier = 1
    Service reports | tier = 3
    Team Payments -OWNS-> Service ledger
    Team Insights -OWNS-> Service reports
    Service reports -DEPENDS_ON-> Service ledger
";

async fn ask(model: ScriptedModel, question: &str) -> (Answer, Vec<Event>) {
    let store = Arc::new(support::Texts(HashMap::new()));
    let answerer = Answerer::new(store, support::drawn_graph(GRAPH), &Ontology::default());
    let answerer = answerer.with_model(Arc::new(model));
    let events = Mutex::new(Vec::new());
    let record = |event| events.lock().unwrap().push(event);
    let answer = answerer.ask_with_events(question, &AskOptions::default(), &record).await.unwrap();
    (answer, events.into_inner().unwrap())
}

fn fell_back(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::Fallback { .. }))
}

#[tokio::test]
async fn a_cited_answer_is_taken() {
    let model = ScriptedModel::replies(["The Payments team owns ledger [1]."]);
    let (answer, events) = ask(model.clone(), "Who owns ledger?").await;
    assert_eq!(answer.answer, "The Payments team owns ledger [1].");
    assert_eq!(answer.model.as_deref(), Some("scripted/model"));
    assert_eq!(answer.entities[0].name, "Payments");
    assert!(answer.usage.requests > 0 || answer.usage.input_tokens > 0);
    assert!(!fell_back(&events) && matches!(events.last(), Some(Event::Done { .. })));
    let prompt = model.requests()[0].messages[1].text();
    assert!(
        prompt.contains("[1] Payments -OWNS-> ledger") || prompt.contains("[1] ledger <-OWNS- Payments"),
        "{prompt}"
    );
}

#[tokio::test]
async fn a_lying_model_is_refused() {
    let model = ScriptedModel::replies(["The Insights team owns ledger [42]."]);
    let (answer, events) = ask(model, "Who owns ledger?").await;
    assert!(fell_back(&events));
    assert_eq!((answer.model.as_deref(), answer.status), (None, AnswerStatus::Answered));
    assert_eq!(answer.entities[0].name, "Payments");
    assert!(answer.answer.contains("was refused"), "{}", answer.answer);
}

#[tokio::test]
async fn what_the_evidence_does_not_say_is_left_out() {
    let model =
        ScriptedModel::replies(["Payments owns ledger [1]. It was founded by Zoe Quandt in 1999 [1]."]);
    let (answer, _) = ask(model, "Who owns ledger?").await;
    assert!(answer.answer.starts_with("Payments owns ledger [1]."), "{}", answer.answer);
    assert!(!answer.answer.contains("Zoe") && answer.answer.contains("left out (1)"), "{}", answer.answer);
}

#[tokio::test]
async fn the_model_may_say_that_the_graph_does_not_know() {
    let model = ScriptedModel::replies(["NOT IN THE GRAPH"]);
    let (answer, _) = ask(model, "Who founded ledger?").await;
    assert_eq!(answer.status, AnswerStatus::NotInGraph);
    assert!(answer.entities.is_empty() && answer.model.is_some());
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_answer_to_the_graph() {
    let error = LlmError::Unavailable { provider: "test".into(), message: "down".into() };
    let model = ScriptedModel::results(vec![Err::<ChatReply, _>(error)]);
    let (answer, events) = ask(model, "Which services depend on ledger?").await;
    assert!(fell_back(&events));
    assert_eq!(answer.entities[0].name, "reports");
    assert!(answer.answer.contains("could not be used") && answer.answer.contains("no model was used"));
}
