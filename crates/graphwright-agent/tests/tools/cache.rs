//! Results that are remembered, and when they are not.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use graphwright_agent::{
    GraphSnapshot, GraphTools, ResultCache, StoredThreads, ThreadStore, ToolContext, Toolbox, Versions,
};
use graphwright_answer::Event;
use graphwright_core::{GraphStore, NodeKey, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, EmbedderIdentity, LlmError, Message};
use graphwright_retrieve::{NameIndex, SearchIndex, Topology};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    moments::{Live, open_a_shop},
    town::{properties, store},
};

fn cache_of(store: &Arc<dyn GraphStore>) -> ResultCache {
    ResultCache::new(Arc::clone(store), 1_000_000, Duration::from_mins(1))
}

/// The tools of one run.
struct Run {
    tools: Toolbox,
    context: ToolContext,
    steps: Arc<Mutex<Vec<String>>>,
}

impl Run {
    async fn new(store: &Arc<dyn GraphStore>, cache: &ResultCache) -> Self {
        Self::with(GraphSnapshot::take(store).await.unwrap(), cache)
    }

    fn with(graph: GraphSnapshot, cache: &ResultCache) -> Self {
        let tools = Toolbox::from_set(GraphTools::new(Arc::new(graph)).with_cache(cache.clone())).unwrap();
        let steps: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&steps);
        let context = ToolContext::new("t").with_events(move |event| {
            if let Event::Step { what } = event {
                told.lock().unwrap().push(what);
            }
        });
        Self { tools, context, steps }
    }

    /// What the model reads, and whether it came from the cache.
    async fn told(&self, name: &str, arguments: Value) -> (String, bool) {
        let text = match self.tools.call(name, arguments, &self.context).await {
            Ok(output) => output.text,
            Err(error) => format!("Error: {error}"),
        };
        let steps = std::mem::take(&mut *self.steps.lock().unwrap());
        let what = format!("{name} is answered from the cache; the graph has not changed since");
        (text, steps == [what])
    }

    async fn is_kept(&self, name: &str, arguments: Value) -> bool {
        self.told(name, arguments).await.1
    }
}

fn everything() -> [(&'static str, Value); 7] {
    [
        ("lookup_entity", json!({"name": "Crumb"})),
        ("explore_neighbors", json!({"name": "Crumb", "max_depth": 1})),
        ("find_connection", json!({"source": "Crumb", "target": "Thread"})),
        ("get_schema", json!({})),
        (
            "run_cypher",
            json!({"query": "MATCH (s:Shop) WHERE s.seats > $n RETURN s.name", "params": {"n": 5}}),
        ),
        ("count_and_sample", json!({"type": "Shop"})),
        ("get_document", json!({"id": "c0"})),
    ]
}

#[rstest]
#[tokio::test]
async fn another_run_has_the_results_until_the_graph_changes(#[values(true, false)] has_moments: bool) {
    let store = if has_moments { store().await } else { Arc::new(Live(store().await)) };
    let cache = cache_of(&store);
    let (first, second) = (Run::new(&store, &cache).await, Run::new(&store, &cache).await);
    for (name, arguments) in everything() {
        let (text, kept) = first.told(name, arguments.clone()).await;
        assert!(!kept && !text.starts_with("Error"), "{name}: {text}");
        assert_eq!(second.told(name, arguments).await, (text, true), "{name}");
    }
    // The defaults are arguments too, and others are another call.
    assert!(second.is_kept("explore_neighbors", json!({"name": "Crumb", "max_depth": 1, "limit": 25})).await);
    assert!(!second.is_kept("explore_neighbors", json!({"name": "Crumb", "max_depth": 2})).await);

    open_a_shop(&*store, 1).await;
    let third = Run::new(&store, &cache).await;
    for (name, arguments) in everything() {
        // A run that began before says so; one that begins now has nothing of it.
        let (text, kept) = second.told(name, arguments.clone()).await;
        assert!(!kept && text.contains("Note: the graph has changed"), "{name}: {text}");
        let (text, kept) = third.told(name, arguments.clone()).await;
        assert!(!kept && !text.contains("Note: the graph"), "{name}: {text}");
        assert!(third.is_kept(name, arguments).await, "{name}");
    }
    assert!(third.told("count_and_sample", json!({"type": "Shop"})).await.0.starts_with("4 Shop"));
}

#[tokio::test]
async fn errors_and_what_asks_the_clock_or_chance_are_not_remembered() {
    let store = store().await;
    let run = Run::new(&store, &cache_of(&store)).await;
    for (name, arguments) in [
        ("get_document", json!({"id": "nothing"})),
        ("run_cypher", json!({"query": "MATCH (s:Shop) RETURN s.name +"})),
        ("run_cypher", json!({"query": "MATCH (s:Shop) DELETE s"})),
        ("run_cypher", json!({"query": "RETURN rand() < 2 AS x"})),
        ("run_cypher", json!({"query": "RETURN date() IS NULL AS x"})),
        ("run_cypher", json!({"query": "EXPLAIN MATCH (s:Shop) RETURN s"})),
    ] {
        assert!(!run.is_kept(name, arguments.clone()).await);
        assert!(!run.is_kept(name, arguments.clone()).await, "{name} {arguments}");
    }
}

#[tokio::test]
async fn a_conversation_that_is_kept_is_no_change_and_yet_queries_see_it() {
    let store = store().await;
    let versions = Arc::new(Versions::default());
    let threads = StoredThreads::new(Arc::clone(&store)).with_versions(Arc::clone(&versions));
    let cache = cache_of(&store);
    let topology = Arc::new(Topology::load(&*store).await.unwrap());
    let names = Arc::new(NameIndex::build(&topology));
    let run = || async {
        Run::with(GraphSnapshot::take_with(&store, &topology, &names, &versions).await.unwrap(), &cache)
    };
    let (lookup, count) = (json!({"name": "Crumb"}), json!({"query": "MATCH (n) RETURN count(n) AS n"}));
    let before = run().await;
    before.told("lookup_entity", lookup.clone()).await;
    let (counted, _) = before.told("run_cypher", count.clone()).await;
    threads.append("t", 0, &[Message::user("Who runs Crumb?")]).await.unwrap();

    let after = run().await;
    assert!(after.is_kept("lookup_entity", lookup).await);
    let (now, kept) = after.told("run_cypher", count.clone()).await;
    assert!(!kept && now != counted, "{now}");
    assert!(after.is_kept("run_cypher", count).await);
}

#[tokio::test]
async fn a_cache_of_another_store_is_not_used() {
    let ours = store().await;
    let theirs: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
    let mut changes = ChangeSet::new();
    changes.upsert_node(NodeKey::new("Shop", "s9"), &[], properties([("name", "Crumb".into())]));
    theirs.apply(changes).await.unwrap();
    assert_eq!(ours.version().await.unwrap(), theirs.version().await.unwrap());
    let cache = cache_of(&ours);
    Run::new(&ours, &cache).await.told("lookup_entity", json!({"name": "Crumb"})).await;
    let run = Run::new(&theirs, &cache).await;
    for _ in 0..2 {
        let (text, kept) = run.told("lookup_entity", json!({"name": "Crumb"})).await;
        assert!(!kept && text.starts_with("Crumb (Shop, id s9)"), "{text}");
    }
}

/// What an embedder does when it is asked.
#[derive(Clone, Copy, Debug)]
enum Mood {
    Willing,
    Failing,
    /// Until it is told to go on.
    Waiting,
}

#[derive(Debug)]
struct Moody {
    embedder: BuiltinEmbedder,
    mood: Mutex<Mood>,
    asked: Notify,
    go_on: Notify,
}

#[async_trait]
impl Embedder for Moody {
    fn identity(&self) -> &EmbedderIdentity {
        self.embedder.identity()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, LlmError> {
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::Willing => {}
            Mood::Failing => {
                return Err(LlmError::Refused { provider: "test".to_owned(), message: "no".to_owned() });
            }
            Mood::Waiting => {
                self.asked.notify_one();
                self.go_on.notified().await;
            }
        }
        self.embedder.embed(texts).await
    }
}

#[tokio::test]
async fn what_failed_was_stopped_or_was_read_while_the_graph_changed_is_not_remembered() {
    let store = store().await;
    let (embedder, mood) = (BuiltinEmbedder::new(), Mutex::new(Mood::Willing));
    let embedder = Arc::new(Moody { embedder, mood, asked: Notify::new(), go_on: Notify::new() });
    let set = |mood| *embedder.mood.lock().unwrap() = mood;
    let cache = cache_of(&store);
    let run = || async {
        let index = SearchIndex::in_memory(&*store, Some(embedder.clone())).await.unwrap();
        Run::with(GraphSnapshot::take(&store).await.unwrap().with_search(Arc::new(index)), &cache)
    };
    let first = run().await;
    let bread = json!({"query": "bread"});

    set(Mood::Failing);
    let (text, _) = first.told("search", bread.clone()).await;
    assert!(text.starts_with("Error"), "{text}");

    set(Mood::Waiting);
    let stop = CancellationToken::new();
    let stopped = first.context.clone().with_cancellation(stop.clone());
    let (result, ()) = tokio::join!(first.tools.call("search", bread.clone(), &stopped), async {
        embedder.asked.notified().await;
        stop.cancel();
    });
    assert_eq!(result.unwrap_err().message, "the work was stopped");

    let (told, ()) = tokio::join!(first.told("search", bread.clone()), async {
        embedder.asked.notified().await;
        open_a_shop(&*store, 1).await;
        embedder.go_on.notify_one();
    });
    assert!(told.0.contains("as it was then"), "{}", told.0);

    set(Mood::Willing);
    let second = run().await;
    assert!(!second.is_kept("search", bread.clone()).await);
    assert!(second.is_kept("search", bread).await);
}
