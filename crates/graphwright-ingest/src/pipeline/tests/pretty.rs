//! Formats a graph as text, without times and places that differ from run to run.

use std::collections::HashMap;

use futures::StreamExt;
use graphwright_core::{GraphStore, Properties, Value, store::ScanOptions};

pub(super) async fn dump(store: &dyn GraphStore) -> String {
    let mut batches = store.scan(ScanOptions::default()).await.expect("scans");
    let (mut ids, mut lines) = (HashMap::new(), Vec::new());
    while let Some(batch) = batches.next().await {
        let batch = batch.expect("scans");
        for node in &batch.nodes {
            ids.insert(node.element_id.clone(), node.id().to_owned());
            lines.push(format!("(:{} {} {})", node.labels.join(":"), node.id(), shown(&node.properties)));
        }
        for one in &batch.relationships {
            let (from, to) = (&ids[&one.start], &ids[&one.end]);
            lines.push(format!("({from})-[{} {}]->({to}) {}", one.kind, one.id(), shown(&one.properties)));
        }
    }
    lines.sort();
    lines.join("\n")
}

fn shown(properties: &Properties) -> String {
    let hidden = ["__id__", "recorded_at", "ingested_at", "__path__", "hash", "json"];
    let shown = properties.iter().filter(|(name, _)| !hidden.contains(&name.as_str()));
    let shown = shown.map(|(name, value)| format!("{name}: {}", text(value)));
    format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.escape_debug().to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Date(day) => day.to_string(),
        other => format!("{other:?}"),
    }
}
