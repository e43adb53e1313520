//! A small graph with a document.

use std::sync::Arc;

use graphwright_agent::{GraphSnapshot, GraphTools, ToolContext, ToolError, ToolOutput, Toolbox};
use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, Value, names, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::BuiltinEmbedder;
use graphwright_retrieve::SearchIndex;
use serde_json::Value as Json;

const TEXT: &str =
    "The bakery Crumb buys flour from the mill Old Wheel. Ines runs Crumb.\nOld Wheel stands by the river.";

pub(crate) fn properties<const N: usize>(entries: [(&str, Value); N]) -> Properties {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn thing(changes: &mut ChangeSet, label: &str, id: &str, name: &str, more: Properties) -> NodeKey {
    let key = NodeKey::new(label, id);
    let mut all = properties([("name", name.into())]);
    all.extend(more);
    changes.upsert_node(key.clone(), &[names::ENTITY], all);
    key
}

pub(crate) fn fact(
    changes: &mut ChangeSet,
    (from, kind, to): (&NodeKey, &str, &NodeKey),
    weight: f64,
    stated: Option<&str>,
) {
    let mut properties = properties([("weight", weight.into())]);
    if let Some(sentence) = stated {
        let start = TEXT.find(sentence).unwrap() as i64;
        let end = start + sentence.len() as i64;
        properties.insert("chunks".to_owned(), vec!["c0"].into());
        properties.insert("starts".to_owned(), vec![start].into());
        properties.insert("ends".to_owned(), vec![end].into());
    }
    let id = format!("{} {kind} {}", from.id, to.id);
    let key = RelationshipKey { kind: kind.to_owned(), from: from.clone(), to: to.clone(), id };
    changes.upsert_relationship(key, properties);
}

pub(crate) async fn store() -> Arc<dyn GraphStore> {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    let changed = &mut changes;
    let aliases = properties([("aliases", vec!["the corner bakery"].into()), ("seats", 12_i64.into())]);
    let crumb = thing(changed, "Shop", "s1", "Crumb", aliases);
    let loom = thing(changed, "Shop", "s2", "Loom", properties([("seats", 4_i64.into())]));
    let mill = thing(changed, "Mill", "m1", "Old Wheel", Properties::new());
    let ines = thing(changed, "Person", "p1", "Ines", properties([("born", 1980_i64.into())]));
    thing(changed, "Person", "p2", "Mercury", Properties::new());
    thing(changed, "Shop", "s3", "Mercury", properties([("seats", 12_i64.into())]));
    let river = thing(changed, "River", "r1", "Thread", Properties::new());
    fact(
        changed,
        (&crumb, "BUYS_FROM", &mill),
        0.9,
        Some("The bakery Crumb buys flour from the mill Old Wheel."),
    );
    fact(changed, (&ines, "RUNS", &crumb), 0.8, Some("Ines runs Crumb."));
    fact(changed, (&mill, "STANDS_BY", &river), 0.7, None);
    fact(changed, (&loom, "STANDS_BY", &river), 0.3, None);
    let document = properties([("name", "Town guide".into()), ("source", "guide.md".into())]);
    changed.upsert_node(NodeKey::new(names::DOCUMENT, "d0"), &[], document);
    let chunk = NodeKey::new(names::CHUNK, "c0");
    let content = [
        ("text", TEXT.into()),
        ("document", "d0".into()),
        ("index", 0_i64.into()),
        ("start", 0_i64.into()),
        ("end", (TEXT.len() as i64).into()),
    ];
    changed.upsert_node(chunk.clone(), &[], properties(content));
    let mention = |from: &NodeKey| RelationshipKey {
        kind: names::FROM_CHUNK.to_owned(),
        from: from.clone(),
        to: chunk.clone(),
        id: format!("{} in c0", from.id),
    };
    changed.upsert_relationship(mention(&mill), Properties::new());
    store.apply(changes).await.unwrap();
    Arc::new(store)
}

/// The tools of a graph, as one run has them.
pub(crate) struct Tools(pub(crate) Toolbox);

impl Tools {
    pub(crate) async fn new(store: &Arc<dyn GraphStore>) -> Self {
        let embedder = Arc::new(BuiltinEmbedder::new());
        let search = SearchIndex::in_memory(&**store, Some(embedder)).await.unwrap();
        let graph = GraphSnapshot::take(store).await.unwrap().with_search(Arc::new(search));
        Self(Toolbox::from_set(GraphTools::new(Arc::new(graph))).unwrap())
    }

    pub(crate) async fn call(&self, name: &str, arguments: Json) -> Result<ToolOutput, ToolError> {
        self.0.call(name, arguments, &ToolContext::new("t")).await
    }

    /// What the model reads, errors too.
    pub(crate) async fn told(&self, name: &str, arguments: Json) -> String {
        match self.call(name, arguments).await {
            Ok(output) => output.text,
            Err(error) => format!("Error: {error}"),
        }
    }

    /// The calls with what the model reads.
    pub(crate) async fn transcript(&self, calls: &[(&str, Json)]) -> String {
        let mut text = String::new();
        for (name, arguments) in calls {
            let told = self.told(name, arguments.clone()).await;
            text.push_str(&format!("=== {name} {arguments}\n{}\n\n", told.trim_end()));
        }
        text
    }
}
