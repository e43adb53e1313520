//! Reads the entries of an index from a store.

use std::collections::HashMap;

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, Node, Value,
    document::Pages,
    names,
    store::{ScanOptions, Selection},
};
use serde::{Deserialize, Serialize};

use super::{Hit, HitKind};
use crate::{
    Result, Role,
    naming::name_nodes,
    properties::{in_words, telling},
    role::role_of,
};

/// A node or passage that can be found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) kind: HitKind,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) label: String,
    pub(super) document: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<usize>,
    pub(super) text: String,
}

impl Entry {
    /// Returns the text for the embedder.
    pub(super) fn embedded_text(&self) -> String {
        format!("{}\n{}", self.name, self.text)
    }

    pub(super) fn into_hit(self, score: f32, why: String) -> Hit {
        let Self { kind, id, name, label, document, page, text } = self;
        Hit { kind, id, name, label, document, page, text, score: f64::from(score), why }
    }
}

/// Reads everything that can be found, sorted by kind and identifier.
pub(super) async fn read_entries(store: &dyn GraphStore) -> Result<Vec<Entry>> {
    let scan = ScanOptions {
        node_properties: Selection::Except(vec![names::EMBEDDING.to_owned()]),
        relationship_types: Selection::None,
        relationship_properties: Selection::None,
        ..ScanOptions::default()
    };
    let mut batches = store.scan(scan).await?;
    let (mut entries, mut entities, mut titles) = (Vec::new(), Vec::new(), HashMap::new());
    while let Some(batch) = batches.try_next().await? {
        for node in batch.nodes {
            let entry = match role_of(&node.labels) {
                Role::Record => continue,
                Role::Chunk => chunk_entry(node),
                Role::Document => {
                    titles.insert(node.id().to_owned(), node.display_name().to_owned());
                    node_entry(&node)
                }
                Role::Entity => {
                    entities.push(node);
                    continue;
                }
            };
            entries.push(entry);
        }
    }
    name_nodes(&mut entities);
    entries.extend(entities.iter().map(node_entry));
    for entry in entries.iter_mut().filter(|entry| entry.kind == HitKind::Chunk) {
        if let Some(title) = entry.document.as_ref().and_then(|document| titles.get(document)) {
            // The first heading of a document is often its title, which shall not stand twice.
            let headings = entry.name.strip_prefix(title.as_str()).unwrap_or(&entry.name);
            let headings = headings.trim_start_matches(" › ");
            entry.name = if headings.is_empty() { title.clone() } else { format!("{title} › {headings}") };
        }
    }
    entries.sort_by(|left, right| left.kind.cmp(&right.kind).then_with(|| left.id.cmp(&right.id)));
    Ok(entries)
}

fn chunk_entry(mut node: Node) -> Entry {
    let text = match node.properties.remove("text") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let headings = node.properties.get("headings").and_then(Value::as_list).unwrap_or_default();
    let headings: Vec<&str> = headings.iter().filter_map(Value::as_str).collect();
    let document = node.properties.get("document").and_then(Value::as_str);
    Entry {
        kind: HitKind::Chunk,
        id: node.id().to_owned(),
        name: headings.join(" › "),
        label: node.kind().to_owned(),
        document: document.map(str::to_owned),
        page: Pages::read(&node.properties).map(|pages| pages.first),
        text,
    }
}

fn node_entry(node: &Node) -> Entry {
    let name = node.display_name();
    Entry {
        kind: HitKind::Node,
        id: node.id().to_owned(),
        name: name.to_owned(),
        label: node.kind().to_owned(),
        document: None,
        page: None,
        text: properties_in_words(node, name),
    }
}

/// Formats the properties for people, such as `language: Go; tier: 1`.
fn properties_in_words(node: &Node, name: &str) -> String {
    let words = telling(&node.properties).filter_map(|(property, value)| {
        let text = in_words(value);
        (text != name).then(|| format!("{}: {text}", property.replace('_', " ")))
    });
    words.collect::<Vec<_>>().join("; ")
}
