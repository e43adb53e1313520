//! Where the graph does not answer, passages with the words of the question are shown.

use std::sync::Arc;

use graphwright_answer::{AnswerStatus, Answerer, AskOptions};
use graphwright_core::{GraphStore, NodeKey, Properties, Value, names, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_retrieve::SearchIndex;

async fn store() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    let text = |text: &str| {
        Properties::from([
            ("text".to_owned(), Value::from(text)),
            ("document".to_owned(), Value::from("notes")),
        ])
    };
    changes.upsert_node(
        NodeKey::new("Service", "s"),
        &[names::ENTITY],
        Properties::from([("name".to_owned(), Value::from("ledger"))]),
    );
    changes.upsert_node(NodeKey::new(names::CHUNK, "c0"), &[], text("Refunds by cheque are paid by hand."));
    changes.upsert_node(NodeKey::new(names::CHUNK, "c1"), &[], text("The canteen opens at noon."));
    store.apply(changes).await.unwrap();
    store
}

#[tokio::test]
async fn passages_with_the_words_of_the_question_are_shown() {
    let store = store().await;
    let index = Arc::new(SearchIndex::in_memory(&store, None).await.unwrap());
    let answerer = Answerer::open(Arc::new(store)).await.unwrap();
    let question = "Who handles refunds by cheque?";
    let without = answerer.ask(question, &AskOptions::default()).await.unwrap();
    assert_eq!((without.status, without.passages.len()), (AnswerStatus::NotInGraph, 0));
    let with = answerer.with_search(index).ask(question, &AskOptions::default()).await.unwrap();
    assert_eq!(with.status, AnswerStatus::NotInGraph, "a passage is no answer");
    let found: Vec<&str> = with.passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(found, ["Refunds by cheque are paid by hand."]);
    assert!(with.passages[0].score > 0.0);
}
