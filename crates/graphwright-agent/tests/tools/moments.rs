//! Graphs that change while a run reads them, and results that are too long.

use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use graphwright_agent::{AgentError, GraphSnapshot, GraphSource, GraphTools, ToolContext, Toolbox};
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, NodeKey, RecordStream, Result, Statement, names,
    schema::{Constraint, Index},
    store::{
        Capabilities, ChangeSet, Counters, QueryOptions, ScanBatch, ScanOptions, SchemaOptions, StoreInfo,
        WriteResult,
    },
};
use graphwright_llm::estimate_tokens;
use serde_json::json;

use crate::town::{Tools, fact, properties, store};

pub(crate) async fn open_a_shop(store: &dyn GraphStore, number: usize) {
    let mut changes = ChangeSet::new();
    let shop = NodeKey::new("Shop", format!("new{number}"));
    let content = properties([("name", format!("New {number}").into())]);
    changes.upsert_node(shop.clone(), &[names::ENTITY], content);
    fact(&mut changes, (&NodeKey::new("Person", "p1"), "RUNS", &shop), 0.8, None);
    store.apply(changes).await.unwrap();
}

#[tokio::test]
async fn a_run_reads_one_moment_and_says_that_the_graph_has_changed() {
    let store = store().await;
    let tools = Tools::new(&store).await;
    let counting = json!({"query": "MATCH (s:Shop) RETURN count(s) AS shops"});
    let before = tools.told("run_cypher", counting.clone()).await;
    open_a_shop(&*store, 1).await;

    let after = tools.told("run_cypher", counting).await;
    let note = "Note: the graph has changed since this work began; this is as it was then.";
    assert_eq!(after, format!("{}\n{note}", before.trim_end()));
    let count = tools.call("count_and_sample", json!({"type": "Shop"})).await.unwrap();
    assert_eq!(count.structured.unwrap()["count"], 3);
    assert!(tools.told("lookup_entity", json!({"name": "New 1"})).await.starts_with("Nothing in the graph"));
    assert!(tools.told("get_schema", json!({"type": "Shop"})).await.starts_with("Shop (label, 3)"));
}

#[tokio::test]
async fn where_there_are_no_moments_only_queries_see_what_has_changed() {
    let live: Arc<dyn GraphStore> = Arc::new(Live(store().await));
    let tools = Tools::new(&live).await;
    let reading = json!({"id": "c0"});
    let (before, schema) = (tools.told("get_document", reading.clone()).await, json!({"type": "Shop"}));
    tools.told("get_schema", schema.clone()).await;
    open_a_shop(&*live, 1).await;
    let mut changes = ChangeSet::new();
    changes.upsert_node(NodeKey::new(names::CHUNK, "c0"), &[], properties([("text", "Torn out.".into())]));
    live.apply(changes).await.unwrap();

    let query = json!({"query": "MATCH (s:Shop) RETURN count(s) AS shops"});
    let told = tools.told("run_cypher", query).await;
    assert!(told.starts_with("1 row of shops\n[4]") && told.contains("saw it as it is now"), "{told}");
    let told = tools.told("count_and_sample", json!({"type": "Shop"})).await;
    assert!(told.starts_with("3 Shop") && told.contains("as it was then"), "{told}");
    assert!(tools.told("get_document", reading).await.starts_with(before.trim_end()));
    assert!(tools.told("get_schema", schema).await.starts_with("Shop (label, 3)"));
}

/// Reads the graph anew at each call.
#[derive(Debug)]
struct Anew(Arc<dyn GraphStore>);

#[async_trait]
impl GraphSource for Anew {
    async fn graph(&self) -> Result<Arc<GraphSnapshot>, AgentError> {
        Ok(Arc::new(GraphSnapshot::take(&self.0).await?))
    }
}

#[tokio::test]
async fn the_latest_is_read_where_it_is_wanted() {
    let store = store().await;
    let tools = Tools(Toolbox::from_set(GraphTools::latest(Arc::new(Anew(Arc::clone(&store))))).unwrap());
    open_a_shop(&*store, 1).await;
    let told = tools.told("lookup_entity", json!({"name": "New 1"})).await;
    assert!(told.starts_with("New 1 (Shop, id new1), 1 connection.") && !told.contains("Note"), "{told}");
    let error = tools.told("search", json!({"query": "New"})).await;
    assert!(error.starts_with("Error: there is no search index"), "{error}");
}

#[tokio::test]
async fn long_results_keep_the_budget_and_count_what_is_missing() {
    let store = store().await;
    for number in 0..60 {
        open_a_shop(&*store, number).await;
    }
    let graph = Arc::new(GraphSnapshot::take(&store).await.unwrap());
    let tools = Toolbox::from_set(GraphTools::new(graph).with_tokens(150)).unwrap();
    for (name, arguments) in [
        ("lookup_entity", json!({"name": "Ines"})),
        ("explore_neighbors", json!({"name": "Ines", "limit": 100})),
        ("get_schema", json!({})),
        ("count_and_sample", json!({"type": "Shop", "limit": 25})),
        ("run_cypher", json!({"query": "MATCH (s:Shop) RETURN s.name AS name"})),
    ] {
        let output = tools.call(name, arguments, &ToolContext::new("t")).await.unwrap();
        let tokens = estimate_tokens(&output.text);
        assert!(tokens <= 200, "{name}: {tokens} tokens:\n{}", output.text);
        let text = output.text.to_lowercase();
        let tells = text.contains("left out for length") || text.contains("overview");
        assert!(tells, "{name}: {text}");
    }
}

/// A store without moments, as servers are.
#[derive(Debug)]
pub(crate) struct Live(pub(crate) Arc<dyn GraphStore>);

#[async_trait]
impl GraphStore for Live {
    async fn info(&self) -> Result<StoreInfo> {
        self.0.info().await
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities { snapshot: false, ..self.0.capabilities() }
    }
    async fn version(&self) -> Result<String> {
        self.0.version().await
    }
    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream> {
        self.0.read(statement, options).await
    }
    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult> {
        self.0.write(statement, options).await
    }
    async fn apply(&self, changes: ChangeSet) -> Result<Counters> {
        self.0.apply(changes).await
    }
    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema> {
        self.0.schema(options).await
    }
    async fn create_index(&self, index: Index) -> Result<()> {
        self.0.create_index(index).await
    }
    async fn drop_index(&self, name: &str) -> Result<()> {
        self.0.drop_index(name).await
    }
    async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        self.0.create_constraint(constraint).await
    }
    async fn create_keys(&self, labels: Vec<String>) -> Result<()> {
        self.0.create_keys(labels).await
    }
    async fn drop_constraint(&self, name: &str) -> Result<()> {
        self.0.drop_constraint(name).await
    }
    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        self.0.scan(options).await
    }
    async fn vector_names(&self) -> Result<Vec<String>> {
        self.0.vector_names().await
    }
    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        self.0.vectors(label, property).await
    }
    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        Ok(None)
    }
    async fn checkpoint(&self) -> Result<()> {
        self.0.checkpoint().await
    }
}
