//! Answers that a model writes: kept only as far as the evidence bears them out.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use graphwright_answer::{Answer, AnswerStatus, Answerer, AskOptions, Event, EvidenceOptions};
use graphwright_llm::{ChatReply, LlmError, ScriptedModel};
use graphwright_ontology::Ontology;

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
async fn what_the_evidence_does_not_say_is_marked() {
    let model =
        ScriptedModel::replies(["Payments owns ledger [1]. It was founded by Zoe Quandt in 1999 [1]."]);
    let (answer, _) = ask(model, "Who owns ledger?").await;
    assert!(answer.answer.starts_with("Payments owns ledger [1]."), "{}", answer.answer);
    assert!(answer.answer.ends_with("in 1999 [1]. [unverified]"), "{}", answer.answer);
    assert!(answer.steps.last().unwrap().contains("Zoe Quandt"), "{:?}", answer.steps);
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

/// A service with more dependencies than the evidence has room for.
fn dense_graph() -> String {
    (0..40).map(|number| format!("Service hub -DEPENDS_ON-> Library lib-{number} | since = 2024\n")).collect()
}

async fn ask_dense(model: ScriptedModel) -> Answer {
    let store = Arc::new(support::Texts(HashMap::new()));
    let answerer = Answerer::new(store, support::drawn_graph(&dense_graph()), &Ontology::default());
    let answerer = answerer.with_model(Arc::new(model));
    let options = AskOptions::default().evidence(EvidenceOptions::default().tokens(300));
    answerer.ask("On which libraries does hub depend?", &options).await.unwrap()
}

/// The number of the last piece of evidence in a prompt.
fn last_number(prompt: &str) -> usize {
    let numbers = prompt.lines().filter_map(|line| line.strip_prefix('[')?.split_once(']')?.0.parse().ok());
    numbers.max().unwrap()
}

#[tokio::test]
async fn what_does_not_fit_is_summarised_with_its_count_and_citations() {
    let model = ScriptedModel::answering(|request| {
        let prompt = request.messages[1].text();
        let last = last_number(&prompt);
        if request.messages[0].text().contains("shorten") {
            let piece = prompt.lines().find(|line| line.starts_with("[1] ")).unwrap();
            let library = piece.split("lib-").nth(1).unwrap();
            return Ok(format!("hub depends on lib-{library} [1]. It runs on Mars [2].").into());
        }
        Ok(format!("hub depends on many libraries [{last}].").into())
    });
    let answer = ask_dense(model.clone()).await;
    let (summary, written) = (&model.requests()[0], &model.requests()[1]);
    let shown = last_number(&summary.messages[1].text());
    let prompt = written.messages[1].text();
    assert!(prompt.contains(&format!("(Summary of {shown} more pieces) hub depends on lib-")), "{prompt}");
    assert!(!prompt.contains("Mars"), "what the evidence does not bear out is dropped");
    assert_eq!(answer.steps.len(), 1);
    assert!(answer.steps[0].contains("did not fit; scripted/model summarised"), "{:?}", answer.steps);
    assert_eq!(answer.paths.len(), 1, "the summary's citation proves the answer");
    assert!(answer.model.is_some());
}

#[tokio::test]
async fn without_a_model_and_within_the_budget_nothing_is_summarised() {
    let model = ScriptedModel::replies(["hub depends on lib-0 [1]."]);
    let store = Arc::new(support::Texts(HashMap::new()));
    let answerer = Answerer::new(store, support::drawn_graph(&dense_graph()), &Ontology::default());
    let question = "On which libraries does hub depend?";
    assert!(answerer.ask(question, &AskOptions::default()).await.unwrap().steps.is_empty());
    let answer = answerer.with_model(Arc::new(model.clone())).ask(question, &AskOptions::default()).await;
    assert!(answer.unwrap().steps.is_empty() && model.requests().len() == 1);
}

#[tokio::test]
async fn a_summary_that_fails_is_told() {
    let error = || LlmError::Unavailable { provider: "test".into(), message: "down".into() };
    let answer = ask_dense(ScriptedModel::results(vec![Err(error()), Err(error())])).await;
    assert!(answer.steps[0].contains("could not summarise them"), "{:?}", answer.steps);
    assert_eq!((answer.entities.len(), answer.model), (40, None));
}
