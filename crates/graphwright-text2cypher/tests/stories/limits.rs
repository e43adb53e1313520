//! Limits, and models that fail.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::{StreamExt, stream};
use graphwright_answer::{AnswerStatus, Event};
use graphwright_core::NodeKey;
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ScriptedModel, StreamEvent};
use graphwright_text2cypher::{FlowLimits, FlowName, FlowOptions, Text2CypherError};

use crate::films::{ask, films, told_with};

const QUESTION: &str = "Who directed Top Gun?";

/// A model that never gets to the end of a reply.
#[derive(Debug)]
struct Unfinished {
    /// Whether it breaks off. Otherwise it goes silent.
    breaks_off: bool,
}

#[async_trait]
impl ChatModel for Unfinished {
    fn name(&self) -> &'static str {
        "played/unfinished"
    }

    async fn chat(&self, _: ChatRequest) -> Result<ChatReply, LlmError> {
        std::future::pending().await
    }

    async fn stream(&self, _: ChatRequest) -> Result<ChatStream, LlmError> {
        let begun = stream::iter([Ok(StreamEvent::Text("MATCH (p:Per".to_owned()))]);
        Ok(if self.breaks_off { begun.boxed() } else { begun.chain(stream::pending()).boxed() })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_graph_answers_when_the_model_breaks_off() {
    for flow in FlowName::ALL {
        let model = Arc::new(Unfinished { breaks_off: true });
        let (answer, events) = ask(&FlowOptions::new(flow), QUESTION, model).await;
        assert_eq!(answer.status, AnswerStatus::Answered, "{answer:#?}");
        assert_eq!((answer.entities[0].name.as_str(), &answer.model), ("Tony Scott", &None));
        assert!(
            answer.answer.contains(&format!("The flow `{flow}` could not answer: ")),
            "{}",
            answer.answer
        );
        assert!(events.iter().any(|event| matches!(event, Event::Restarted { .. })));
        assert!(events.iter().any(|event| matches!(event, Event::Fallback { .. })));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_graph_answers_when_the_time_is_over() {
    for flow in FlowName::ALL {
        let limits = FlowLimits { time: Duration::from_millis(300), ..FlowLimits::default() };
        let model = Arc::new(Unfinished { breaks_off: false });
        let (answer, _) = ask(&FlowOptions::new(flow).limits(limits), QUESTION, model).await;
        assert_eq!(answer.entities[0].name, "Tony Scott");
        assert!(
            answer.answer.ends_with(&format!("The flow `{flow}` did not answer within 0.3 s.")),
            "{}",
            answer.answer
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_stand_when_the_model_fails_at_the_end() {
    let query = "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'Top Gun'}) RETURN p.name";
    let story =
        told_with(&FlowOptions::new(FlowName::Naive), QUESTION, ScriptedModel::replies([query])).await;
    assert_eq!((story.answer.answer.as_str(), story.answer.status), ("Tony Scott", AnswerStatus::Answered));
    assert!(
        story.answer.steps[0].starts_with("The rows were not put into words: "),
        "{:?}",
        story.answer.steps
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_beyond_the_limit_are_counted() {
    let limits = FlowLimits { rows: 2, ..FlowLimits::default() };
    let options = FlowOptions::new(FlowName::Naive).limits(limits);
    let model = ScriptedModel::replies(["MATCH (m:Movie) RETURN m.title", "There are 5 films [1]."]);
    let story = told_with(&options, "Which films are there?", model).await;
    assert_eq!(story.answer.values.len(), 2);
    let said = story.answer.steps.iter().any(|step| step.ends_with("the first 2 of 5 rows."));
    assert!(said, "{:?}", story.answer.steps);
    assert_eq!(story.answer.answer, "There are 5 films [1].");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_of_the_schema_is_not_asked_for() {
    let options = FlowOptions::new(FlowName::Naive).left_out(["Genre"]);
    let model = ScriptedModel::replies(["MATCH (g:Genre) RETURN g.name"]);
    let story = told_with(&options, "Which genres do films have?", model).await;
    assert!(!story.asked[0].contains("Genre"), "{}", story.asked[0]);
    assert!(
        story.answer.answer.starts_with("Not in the graph: no node has the label `Genre`"),
        "{}",
        story.answer.answer
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_the_schema_grows_when_it_lacks_something() {
    let store = films().await;
    let mut changes = graphwright_core::store::ChangeSet::new();
    for number in 0..60 {
        let properties = [("code".to_owned(), number.into())].into();
        changes.upsert_node(NodeKey::new(format!("Kind{number}"), "one"), &[], properties);
    }
    store.apply(changes).await.unwrap();
    let limits = FlowLimits { schema_tokens: 200, ..FlowLimits::default() };
    let options = FlowOptions::new(FlowName::Retry).limits(limits);
    let model =
        ScriptedModel::replies(["MISSING: codes", "MATCH (k:Kind7) RETURN k.code", "The code is 7 [2]."]);
    let answerer = graphwright_answer::Answerer::open(Arc::clone(&store)).await.unwrap();
    let flows =
        graphwright_text2cypher::Text2Cypher::open(store, answerer, Arc::new(model.clone())).await.unwrap();
    let answer = flows.ask("Which films have codes?", &options, |_| {}).await.unwrap();
    assert_eq!(answer.answer, "The code is 7 [2].", "{answer:#?}");
    let prompts: Vec<String> = model.requests().iter().map(|request| request.messages[1].text()).collect();
    assert!(prompts[0].contains("Movie") && prompts[1].len() > 2 * prompts[0].len(), "{prompts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_work_ends_and_no_question_is_none() {
    let store = films().await;
    let answerer = graphwright_answer::Answerer::open(Arc::clone(&store)).await.unwrap();
    let model = Arc::new(Unfinished { breaks_off: false });
    let flows = graphwright_text2cypher::Text2Cypher::open(store, answerer, model).await.unwrap();
    let options = FlowOptions::default();
    options.cancel.cancel();
    let cancelled = flows.ask(QUESTION, &options, |_| {}).await.unwrap_err();
    assert!(matches!(cancelled, Text2CypherError::Cancelled));
    let empty = flows.ask(" ?! ", &FlowOptions::default(), |_| {}).await.unwrap_err();
    assert_eq!(empty.to_string(), "the question is empty");
}
