//! Where the graph does not answer, the documents do.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use graphwright_answer::{Answer, AnswerError, AnswerStatus, Answerer, AskOptions, Event};
use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, Value, names, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, EmbedderIdentity, LlmError};
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
async fn what_the_graph_does_not_say_is_quoted_from_the_documents() {
    let store = store().await;
    let index = Arc::new(SearchIndex::in_memory(&store, None).await.unwrap());
    let answerer = Answerer::open(Arc::new(store)).await.unwrap();
    let question = "How are refunds by cheque paid?";
    let without = answerer.ask(question, &AskOptions::default()).await.unwrap();
    assert_eq!((without.status, without.passages.len()), (AnswerStatus::NotInGraph, 0));
    let with = answerer.with_search(index).ask(question, &AskOptions::default()).await.unwrap();
    assert_eq!(
        (with.status, with.answer.as_str()),
        (AnswerStatus::Quoted, "Refunds by cheque are paid by hand.")
    );
    let quoted: Vec<_> =
        with.quotes.iter().map(|quote| (quote.chunk.as_str(), quote.start, quote.end)).collect();
    assert_eq!(quoted, [("c0", 0, 35)]);
    assert_eq!(with.passages[0].text, "Refunds by cheque are paid by hand.");
    assert!(with.notes[0].starts_with("The graph does not say"), "{:?}", with.notes);
}

#[tokio::test]
async fn that_a_thing_is_of_a_type_is_no_answer_to_what_it_is() {
    let answerer = Answerer::open(Arc::new(store().await)).await.unwrap();
    let answer = answerer.ask("What is ledger?", &AskOptions::default()).await.unwrap();
    assert_eq!(answer.status, AnswerStatus::NotInGraph);
    assert!(answer.answer.contains("ledger is a service."), "{}", answer.answer);
}

/// An embedder whose server answers the first texts only.
#[derive(Debug)]
struct Leaving {
    inner: BuiltinEmbedder,
    left: AtomicBool,
}

#[async_trait::async_trait]
impl Embedder for Leaving {
    fn identity(&self) -> &EmbedderIdentity {
        self.inner.identity()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, LlmError> {
        if self.left.load(Ordering::Relaxed) {
            let (provider, message) = ("elsewhere".into(), "the server has left".into());
            return Err(LlmError::Unavailable { provider, message });
        }
        self.inner.embed(texts).await
    }
}

#[tokio::test]
async fn without_its_embedder_the_search_goes_by_words_and_says_so() {
    let store = store().await;
    let embedder = Arc::new(Leaving { inner: BuiltinEmbedder::new(), left: AtomicBool::new(false) });
    let index =
        SearchIndex::in_memory(&store, Some(Arc::clone(&embedder) as Arc<dyn Embedder>)).await.unwrap();
    embedder.left.store(true, Ordering::Relaxed);
    let answerer = Answerer::open(Arc::new(store)).await.unwrap().with_search(Arc::new(index));
    let answer = answerer.ask("How are refunds by cheque paid?", &AskOptions::default()).await.unwrap();
    assert_eq!(answer.answer, "Refunds by cheque are paid by hand.");
    assert!(
        answer.steps[0].contains("by words alone") && answer.steps[0].contains("left"),
        "{:?}",
        answer.steps
    );
}

#[tokio::test]
async fn nothing_is_quoted_that_is_not_to_the_point() {
    let store = store().await;
    let index = Arc::new(SearchIndex::in_memory(&store, None).await.unwrap());
    let answerer = Answerer::open(Arc::new(store)).await.unwrap().with_search(index);
    let answer = answerer.ask("Which bank pays the canteen its rent?", &AskOptions::default()).await.unwrap();
    assert_eq!((answer.status, answer.quotes.len()), (AnswerStatus::NotInGraph, 0));
    assert!(answer.answer.starts_with("The documents do not say."), "{}", answer.answer);
    assert_eq!(answer.passages[0].text, "The canteen opens at noon.", "where to look");
}

#[tokio::test]
async fn what_relationships_do_not_tell_is_neither_read_from_them_nor_denied() {
    let store = store().await;
    let mut changes = ChangeSet::new();
    let bank = NodeKey::new("Service", "b");
    let name = Properties::from([("name".to_owned(), Value::from("bank"))]);
    changes.upsert_node(bank.clone(), &[names::ENTITY], name);
    let uses = RelationshipKey {
        kind: "USES".into(),
        from: NodeKey::new("Service", "s"),
        to: bank,
        id: "s USES b".into(),
    };
    changes.upsert_relationship(uses, Properties::new());
    store.apply(changes).await.unwrap();
    let answerer = Answerer::open(Arc::new(store)).await.unwrap();
    let ask = async |question: &str| answerer.ask(question, &AskOptions::default()).await.unwrap().status;
    assert_eq!(ask("What does ledger use?").await, AnswerStatus::Answered);
    for question in ["Why does ledger use bank?", "How does ledger use bank?", "Does ledger use grain?"] {
        assert_eq!(ask(question).await, AnswerStatus::NotInGraph, "{question}");
    }
}

/// Asks a question that the reader gives up on, and returns the reason that it tells.
async fn give_up(question: &str, options: &AskOptions) -> (Answer, String) {
    let store = store().await;
    let index = Arc::new(SearchIndex::in_memory(&store, None).await.unwrap());
    let answerer = Answerer::open(Arc::new(store)).await.unwrap().with_search(index);
    let reasons = Mutex::new(Vec::new());
    let note = |event| {
        if let Event::GaveUp { reason } = event {
            reasons.lock().unwrap().push(reason);
        }
    };
    let answer = answerer.ask_with_events(question, options, &note).await.unwrap();
    let reasons = reasons.into_inner().unwrap();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    (answer, reasons[0].clone())
}

#[tokio::test]
async fn a_question_of_too_many_words_is_not_read_but_searched() {
    let question = format!("Which cheque{}?", " that depends on ledger".repeat(100));
    let (answer, reason) = give_up(&question, &AskOptions::default()).await;
    assert_eq!(
        reason,
        "The question was not read: it has 402 words, and at most 200 are read. Ask for less at once."
    );
    assert!(answer.answer.starts_with(&reason), "{}", answer.answer);
    assert_eq!(answer.status, AnswerStatus::NotInGraph);
    assert_eq!(answer.passages[0].text, "Refunds by cheque are paid by hand.");
}

#[tokio::test]
async fn a_question_that_takes_too_long_is_not_read_but_searched() {
    let options = AskOptions::default().reading_time(Duration::ZERO);
    let (answer, reason) = give_up("Which service handles refunds by cheque?", &options).await;
    assert_eq!(reason, "The question was not read through: that takes more than 0 s. Ask for less at once.");
    assert_eq!(answer.passages[0].text, "Refunds by cheque are paid by hand.");
}

#[tokio::test]
async fn a_long_word_takes_no_time_and_a_long_text_is_no_question() {
    let answerer = Answerer::open(Arc::new(store().await)).await.unwrap();
    let (start, word) = (Instant::now(), "a".repeat(15_000));
    let answer = answerer.ask(&format!("What is {word}?"), &AskOptions::default()).await.unwrap();
    assert!(answer.answer.len() < 500, "{}", answer.answer);
    // It took over six seconds when each of its ends was looked up as a word.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let refused = answerer.ask(&word.repeat(2), &AskOptions::default()).await;
    assert!(matches!(refused, Err(AnswerError::QuestionTooLong { characters: 30_000, limit: 20_000 })));
}
