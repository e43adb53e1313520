//! Context that providers put before a message.

use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_retrieve::{FullTextRetriever, SearchIndex};

use super::*;
use crate::{ContextProvider, GraphContext, ProvidedContext};

const FACT: &str = "Tokens of the gateway expire after an hour.";

async fn provider() -> GraphContext {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for (id, text) in [("c0", FACT), ("c1", "The canteen serves soup.")] {
        let properties = Properties::from([("text".into(), text.into())]);
        changes.upsert_node(NodeKey::new("Chunk", id), &[], properties);
    }
    store.apply(changes).await.unwrap();
    let index = SearchIndex::in_memory(&store, None).await.unwrap();
    GraphContext::new(Arc::new(FullTextRetriever::new(Arc::new(index))))
}

/// Returns the last message of a person in the last request to a model.
fn asked(model: &ScriptedModel) -> String {
    let last = model.requests().pop().unwrap();
    last.messages.iter().rfind(|message| message.role == Role::User).unwrap().text()
}

#[tokio::test]
async fn what_is_found_stands_before_the_question_and_the_thread_keeps_the_question() {
    let model = ScriptedModel::replies(["After an hour.", "You are welcome."]);
    let threads = Arc::new(MemoryThreads::default());
    let agent = Agent::new(Arc::new(model.clone()))
        .with_threads(threads.clone())
        .with_context(Arc::new(provider().await.heading("Found:")));
    let question = "When do tokens expire?";
    let run = agent.run::<String>(question, &context()).await.unwrap();
    assert!(asked(&model).starts_with("Found:\n\n- "), "{}", asked(&model));
    assert!(asked(&model).ends_with(&format!("{FACT}\n\n{question}")), "{}", asked(&model));
    let [provided] = run.provided.as_slice() else { panic!("{:?}", run.provided) };
    assert_eq!((provided.source.as_str(), provided.query.as_str()), ("FullTextRetriever", question));
    assert_eq!(provided.ids, ["c0"]);
    let kept = threads.load("thread").await.unwrap();
    assert_eq!(kept.messages[0].text(), question);
    // Small talk needs nothing.
    let run = agent.run::<String>("Thanks!", &context()).await.unwrap();
    assert!(run.provided.is_empty());
    assert_eq!(asked(&model), "Thanks!");
}

#[tokio::test]
async fn what_the_conversation_has_is_left_out() {
    let messages = [
        Message::user("When do tokens expire?"),
        Message::assistant(FACT),
        Message::user("Do tokens expire?"),
    ];
    let provided = provider().await.provide(&messages).await.unwrap();
    assert_eq!(provided, None);
}

#[tokio::test]
async fn messages_are_chosen_rewritten_and_formatted() {
    let provider = provider()
        .await
        .messages([Role::User], 2)
        .rewrite(|query| async move { Ok(query.replace("it", "tokens")) })
        .format(|found| format!("{} found", found.hits.len()));
    let messages = [Message::user("expire"), Message::assistant("What?"), Message::user("tell me after it")];
    let provided = provider.provide(&messages).await.unwrap().unwrap();
    assert_eq!(provided.query, "expire\ntell me after tokens");
    assert!(provided.text.ends_with("1 found"), "{}", provided.text);
}

/// A provider that fails.
#[derive(Debug)]
struct Failing;

#[async_trait]
impl ContextProvider for Failing {
    async fn provide(&self, _: &[Message]) -> Result<Option<ProvidedContext>, ToolError> {
        Err(ToolError::new("the index is gone"))
    }
}

#[tokio::test]
async fn a_provider_that_fails_is_told_and_the_run_goes_on() {
    let model = ScriptedModel::replies(["I do not know."]);
    let agent = Agent::new(Arc::new(model.clone())).with_context(Arc::new(Failing));
    let run = agent.run::<String>("When?", &context()).await.unwrap();
    assert_eq!(run.notices, ["context could not be found: the index is gone"]);
    assert_eq!(asked(&model), "When?");
}

#[tokio::test]
async fn a_resumed_run_gets_its_context_again() {
    let model = ScriptedModel::results([Err(LlmError::Cancelled), Ok(ChatReply::from("After an hour."))]);
    let agent = Agent::new(Arc::new(model.clone()))
        .with_threads(Arc::new(MemoryThreads::default()))
        .with_context(Arc::new(provider().await));
    agent.run::<String>("When do tokens expire?", &context()).await.unwrap_err();
    let run = agent.resume::<String>(&context()).await.unwrap();
    assert_eq!(run.provided.len(), 1);
    assert!(asked(&model).contains(FACT));
}
