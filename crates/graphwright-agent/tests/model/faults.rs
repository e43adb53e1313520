//! Each fault is played to the question `Who owns ledger?`, with the tools of a graph that has the answer.

use std::sync::{Arc, Mutex};

use graphwright_agent::{
    Agent, AgentAnswerer, AgentLimits, GraphSnapshot, GraphTools, MemoryThreads, ThreadStore, ToolContext,
    Toolbox,
};
use graphwright_answer::{Answer, AnswerStatus, Answerer, Event};
use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, names, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{ChatReply, ChatRequest, Message, OutputFormat, ToolCall, ToolChoice};
use rstest::rstest;
use serde_json::json;

use crate::player::{Played, Player, down};

const ANSWER: &str = "Payments owns ledger [1].";

async fn store() -> Arc<dyn GraphStore> {
    let mut changes = ChangeSet::new();
    let mut thing = |label: &str, name: &str| {
        let key = NodeKey::new(label, name);
        changes.upsert_node(key.clone(), &[names::ENTITY], Properties::from([("name".into(), name.into())]));
        key
    };
    let (payments, insights) = (thing("Team", "Payments"), thing("Team", "Insights"));
    let (ledger, reports) = (thing("Service", "ledger"), thing("Service", "reports"));
    for (from, kind, to) in
        [(&payments, "OWNS", &ledger), (&insights, "OWNS", &reports), (&reports, "DEPENDS_ON", &ledger)]
    {
        let id = format!("{from:?} {kind} {to:?}");
        let key = RelationshipKey { kind: kind.into(), from: from.clone(), to: to.clone(), id };
        changes.upsert_relationship(key, Properties::new());
    }
    let store = EmbeddedStore::in_memory();
    store.apply(changes).await.unwrap();
    Arc::new(store)
}

fn look(name: &str) -> Played {
    let arguments = json!({"name": name});
    ChatReply::from(ToolCall { id: "1".into(), name: "lookup_entity".into(), arguments }).into()
}

/// A question with what became of it.
struct Outcome {
    answer: Answer,
    /// What was shown while the answer was written.
    shown: String,
    events: Vec<Event>,
    requests: Vec<ChatRequest>,
    /// What the conversation keeps, one message a line.
    kept: Vec<String>,
}

impl Outcome {
    fn told(&self, what: &str) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Step { what: step } if step.contains(what)))
    }

    fn calls(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::ToolCall { .. })).count()
    }
}

async fn ask_with(script: Vec<Played>, change: impl FnOnce(Agent) -> Agent) -> Outcome {
    say("Who owns ledger?", script, change).await
}

async fn say(message: &str, script: Vec<Played>, change: impl FnOnce(Agent) -> Agent) -> Outcome {
    say_to(message, script, change, |answerer| answerer).await
}

async fn say_to(
    message: &str,
    script: Vec<Played>,
    change: impl FnOnce(Agent) -> Agent,
    with: impl FnOnce(Answerer) -> Answerer,
) -> Outcome {
    let store = store().await;
    let snapshot = Arc::new(GraphSnapshot::take(&store).await.unwrap());
    let (model, threads) = (Player::new(script), Arc::new(MemoryThreads::new()));
    let agent = Agent::new(Arc::new(model.clone()))
        .with_tools(Toolbox::from_set(GraphTools::new(snapshot)).unwrap())
        .with_numbered_results()
        .with_threads(threads.clone());
    let agent = change(agent);
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let heard = Arc::clone(&events);
    let context = ToolContext::new("t").with_events(move |event| heard.lock().unwrap().push(event));
    let answerer = AgentAnswerer::new(with(Answerer::open(store).await.unwrap()));
    let answer = answerer.ask(&agent, message, &context).await.unwrap();
    let events = events.lock().unwrap().clone();
    let shown = events.iter().filter_map(|event| match event {
        Event::Token { text } => Some(text.as_str()),
        _ => None,
    });
    let messages = threads.load("t").await.unwrap().messages;
    Outcome {
        shown: shown.collect(),
        requests: model.requests(),
        kept: messages.iter().map(Message::text).filter(|text| !text.is_empty()).collect(),
        events,
        answer,
    }
}

async fn ask(script: Vec<Played>) -> Outcome {
    ask_with(script, |agent| agent).await
}

#[tokio::test]
async fn an_answer_from_results_is_shown_as_it_is() {
    let outcome = ask(vec![look("ledger"), ANSWER.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.shown.as_str()), (ANSWER, ANSWER));
    assert_eq!(
        (outcome.requests.len(), outcome.kept.as_slice()),
        (2, &["Who owns ledger?".to_owned(), ANSWER.to_owned()][..])
    );
    let told = outcome.requests[0].messages[0].text();
    assert!(
        told.contains("(:Team)-[:OWNS]->(:Service)") && told.len() < 2_000,
        "a small schema is told: {told}"
    );
}

/// Calls that are written as text are made.
#[rstest]
#[case::hermes(r#"<tool_call>{"name": "lookup_entity", "arguments": {"name": "ledger"}}</tool_call>"#)]
#[case::mistral(r#"[TOOL_CALLS][{"name": "lookup_entity", "arguments": {"name": "ledger"}}]"#)]
#[case::mistral_with_arguments(r#"[TOOL_CALLS]lookup_entity[ARGS]{"name": "ledger"}"#)]
#[case::llama(r#"<|python_tag|>{"name": "lookup_entity", "parameters": {"name": "ledger"}}"#)]
#[case::llama_function(r#"<function=lookup_entity>{"name": "ledger"}</function>"#)]
#[case::qwen_coder(
    "<tool_call>\n<function=lookup_entity>\n<parameter=name>\nledger\n</parameter>\n</function>\n</tool_call>"
)]
#[case::deepseek(
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>lookup_entity\n```json\n{\"name\": \"ledger\"}\n```<｜tool▁call▁end｜>"
)]
#[case::kimi(r#"<|tool_call_begin|>functions.lookup_entity:0<|tool_call_argument_begin|>{"name": "ledger"}<|tool_call_end|>"#)]
#[case::a_fence(
    "I will look it up:\n\n```json\n{\"tool\": \"lookup_entity\", \"arguments\": {\"name\": \"ledger\"}}\n```"
)]
#[case::python("lookup_entity(name=\"ledger\")")]
#[tokio::test]
async fn calls_as_text_are_calls(#[case] text: &str) {
    let outcome = ask(vec![text.into(), ANSWER.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len(), outcome.calls()), (ANSWER, 2, 1));
    assert_eq!(outcome.shown, ANSWER, "the call is not shown");
    assert!(outcome.told("written as text"));
    assert_eq!(outcome.kept, ["Who owns ledger?", ANSWER]);
}

/// A reply that neither calls nor answers is followed by one turn that says so.
#[rstest]
#[case::a_promise("I'll look that up.")]
#[case::a_plan("To answer this, let me search the graph for ledger first:")]
#[case::nothing(" ")]
#[case::thoughts_alone("<think>I should call a tool.</think>")]
#[case::knowledge_of_its_own("ledger is owned by the Payments team.")]
#[case::a_refusal_without_a_look("NOT IN THE GRAPH")]
#[tokio::test]
async fn what_is_left_undone_is_asked_for_once(#[case] text: &str) {
    let outcome = ask(vec![text.into(), look("ledger"), ANSWER.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len(), outcome.calls()), (ANSWER, 3, 1));
    assert_eq!(outcome.shown, ANSWER);
    assert_eq!(outcome.kept, ["Who owns ledger?", ANSWER], "what was rejected does not stay");
    assert_eq!(outcome.answer.usage.tokens(), 330);
}

#[tokio::test]
async fn a_model_that_never_calls_is_asked_to_choose_by_schema() {
    let chosen = r#"{"tool": "lookup_entity", "arguments": {"name": "ledger"}}"#;
    let outcome =
        ask(vec!["I'll look.".into(), "I really will look.".into(), chosen.into(), ANSWER.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len(), outcome.calls()), (ANSWER, 4, 1));
    assert!(matches!(outcome.requests[2].output, OutputFormat::LenientJsonSchema { .. }));
}

/// What the results do not bear out is written again once, without tools.
#[rstest]
#[case::no_citation("Payments owns ledger.", "1: Payments owns ledger [1].")]
#[case::denied("Payments does not own ledger [1].", "1: Payments owns ledger [1].")]
#[case::reversed("ledger owns Payments [1].", "1: Payments owns ledger [1].")]
#[case::an_invented_name("Zoe Quandt owns ledger [1].", "Payments owns ledger [1].")]
#[case::more_than_was_asked_for(
    "Zoe Quandt owns ledger [1].",
    "1: Payments owns ledger [1].\n\nPayments owns ledger [1].\n\nDone."
)]
#[tokio::test]
async fn what_is_wrong_is_written_again(#[case] wrong: &str, #[case] again: &str) {
    let outcome = ask(vec![look("ledger"), wrong.into(), again.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len()), (ANSWER, 3));
    assert_eq!(outcome.shown, ANSWER, "what was wrong is not shown");
    assert_eq!(outcome.kept, ["Who owns ledger?", ANSWER]);
    assert_eq!(outcome.requests[2].tool_choice, ToolChoice::None);
}

#[tokio::test]
async fn what_stays_wrong_is_marked_or_left_out_and_does_not_stay() {
    let script = || {
        let text = "Payments owns ledger [1]. Zoe Quandt likes it [1].";
        vec![look("ledger"), text.into(), "1: Zoe Quandt likes it [1].".into()]
    };
    let outcome = ask(script()).await;
    assert_eq!(outcome.answer.answer, "Payments owns ledger [1]. Zoe Quandt likes it [1]. [unverified]");
    assert!(outcome.answer.steps.iter().any(|step| step.contains("does not have Zoe Quandt")));
    assert_eq!(outcome.kept, ["Who owns ledger?", ANSWER]);
    let strict = ask_with(script(), Agent::strict).await;
    assert_eq!(strict.answer.answer, ANSWER);
}

#[tokio::test]
async fn what_a_judge_finds_unsupported_is_marked_and_not_shown_before() {
    let text = "Payments owns ledger [1].\n\nPayments is proud of ledger [1].";
    let judge = Player::new(["1: yes\n2: no, pride".into()]);
    let with = |answerer: Answerer| answerer.with_judge(Arc::new(judge.clone()));
    let script = vec![look("ledger"), text.into()];
    let outcome = say_to("Who owns ledger?", script, |agent| agent, with).await;
    assert_eq!(outcome.answer.answer, format!("{text} [unverified]"));
    assert_eq!(outcome.shown, outcome.answer.answer);
    assert_eq!((outcome.kept.last().unwrap().as_str(), judge.requests().len()), (ANSWER, 1));
    assert!(outcome.answer.steps.iter().any(|step| step.contains("does not support it: pride")));
    assert_eq!(outcome.answer.usage.requests, 3);
}

#[tokio::test]
async fn a_failed_call_bears_out_nothing() {
    let text = "Payments owns ledger [1].";
    let outcome = ask(vec![look("ledgerr"), text.into(), "1: -".into()]).await;
    assert!(outcome.answer.answer.contains("was refused"), "{}", outcome.answer.answer);
    assert!(outcome.answer.answer.starts_with("Payments is the team that owns ledger."));
    assert_eq!(outcome.kept, ["Who owns ledger?", &outcome.answer.answer], "what the person saw stays");
}

/// Small talk needs no tools, and is shown as it is.
#[rstest]
#[case("Hello", "Hello! How can I help you today?")]
#[case("Thanks!", "You're welcome!")]
#[case("Thank you, that was all.", "My pleasure. Have a nice day!")]
#[case("Danke!", "Gern geschehen!")]
#[tokio::test]
async fn small_talk_calls_no_tool(#[case] message: &str, #[case] reply: &'static str) {
    let outcome = say(message, vec![reply.into()], |agent| agent).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len()), (reply, 1));
    assert_eq!((outcome.answer.status, outcome.shown.as_str()), (AnswerStatus::Talk, reply));
    assert_eq!(outcome.kept, [message, reply]);
}

/// What states something, or answers a question, is no small talk.
#[rstest]
#[case("Thanks! Who owns ledger?", "You're welcome!")]
#[case("ledger", "Hello!")]
#[case("Show owners", "Sure!")]
#[case("Hello", "Hello! Payments is a team.")]
#[tokio::test]
async fn what_asks_or_tells_something_is_no_small_talk(#[case] message: &str, #[case] reply: &'static str) {
    let outcome = say(message, vec![reply.into(), look("ledger"), ANSWER.into()], |agent| agent).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.calls()), (ANSWER, 1));
}

#[rstest]
#[case::the_marker("NOT IN THE GRAPH")]
#[case::a_sentence("I couldn't find any information about the owner of ledger in the graph.")]
#[tokio::test]
async fn a_refusal_does_not_erase_what_the_graph_proves(#[case] text: &str) {
    let outcome = ask(vec![look("ledger"), text.into()]).await;
    assert!(
        outcome.answer.answer.starts_with("Payments is the team that owns ledger."),
        "{}",
        outcome.answer.answer
    );
    assert_eq!((outcome.answer.status, outcome.requests.len()), (AnswerStatus::Answered, 2));
    assert_eq!(outcome.answer.usage.tokens(), 220);
    assert_eq!(outcome.kept, ["Who owns ledger?", &outcome.answer.answer], "what the person saw stays");
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_asked_for_again() {
    let outcome = ask(vec![look("ledger"), Played::Cut("Payments owns "), ANSWER.into()]).await;
    assert_eq!((outcome.answer.answer.as_str(), outcome.requests.len()), (ANSWER, 3));
    assert!(outcome.events.iter().any(|event| matches!(event, Event::Restarted { .. })));
    assert_eq!(outcome.shown, ANSWER);
}

#[tokio::test]
async fn what_a_run_cost_before_it_failed_is_told() {
    let outcome = ask(vec![look("ledger"), down()]).await;
    assert!(outcome.answer.answer.contains("The agent could not answer"), "{}", outcome.answer.answer);
    assert_eq!(outcome.answer.usage.tokens(), 110);
    assert_eq!(outcome.answer.entities[0].name, "Payments");
}

#[tokio::test]
async fn a_model_that_repeats_a_call_ends_with_what_it_has() {
    let outcome = ask(vec![look("ledger"), look("ledger"), look("ledger"), ANSWER.into()]).await;
    assert_eq!(outcome.answer.answer, ANSWER);
    assert!(outcome.answer.steps[0].contains("again and again"), "{:?}", outcome.answer.steps);
}

#[tokio::test]
async fn a_budget_that_ends_leaves_the_answer_to_the_graph() {
    let limits = AgentLimits { tokens: Some(1_500), ..AgentLimits::default() };
    let outcome = ask_with(vec![look("ledger"), ANSWER.into()], |agent| agent.with_limits(limits)).await;
    assert!(outcome.answer.answer.contains("the budget is used up"), "{}", outcome.answer.answer);
    assert_eq!(outcome.answer.usage.tokens(), 110, "{}", outcome.answer.answer);
}
