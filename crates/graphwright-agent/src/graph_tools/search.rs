//! The tool `search`.

use graphwright_core::{Value, text::quotable};
use graphwright_retrieve::{Hit, HitKind, NodeIndex, Passage, Role, SearchRequest, Topology, one_item};
use serde_json::json;

use super::{
    GraphSnapshot,
    lines::bounded,
    naming::{known, list},
};
use crate::{ToolError, ToolOutput};

/// Searches things and passages, limited to a type or a document if asked.
pub(super) async fn search(
    graph: &GraphSnapshot,
    query: &str,
    limit: usize,
    kind: Option<&str>,
    document: Option<&str>,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let index = graph.search().map_err(|reason| {
        ToolError::new(reason).with_hint("search is not possible; use lookup_entity and explore_neighbors")
    })?;
    let mut request = SearchRequest { limit, ..SearchRequest::new(query) };
    if let Some(kind) = kind {
        let kind = known("type", kind, topology.labels().map(|(label, _)| label))?;
        request.labels = vec![kind.to_owned()];
    }
    let document = document.map(|document| find_document(graph, document)).transpose()?;
    request.document = document.map(|document| topology.node(document).id().to_owned());
    let results = index.search(&request).await?;
    let mut notes = results.notices;
    if results.stale {
        notes.push("the search index is older than the graph".to_owned());
    }
    // The index may be older than the graph; things that are gone since are left out.
    let hits: Vec<(Hit, NodeIndex)> = results
        .hits
        .into_iter()
        .filter_map(|hit| topology.node_by_id(&hit.id).map(|node| (hit, node)))
        .collect();
    let lines = hits.iter().map(|(hit, _)| line(hit));
    let mut text =
        if hits.is_empty() { format!("Nothing was found for {query:?}.\n") } else { bounded(lines, budget) };
    for note in &notes {
        text.push_str(&format!("Note: {note}.\n"));
    }
    let passages: Vec<Passage> = hits
        .iter()
        .filter(|(hit, _)| hit.kind == HitKind::Chunk)
        .map(|(hit, node)| topology.whole_passage(*node, &hit.text, hit.score))
        .collect();
    let entities = hits.iter().filter(|(hit, _)| hit.kind == HitKind::Node).map(|(hit, _)| {
        json!({"id": hit.id, "name": hit.name, "type": hit.label, "score": hit.score, "text": hit.text})
    });
    let structured = json!({
        "entities": entities.collect::<Vec<_>>(), "passages": passages, "notes": notes,
    });
    Ok(ToolOutput { text, structured: Some(structured) })
}

/// Writes a hit as a line. Passages are quoted, so that the model sees where they begin and end.
fn line(hit: &Hit) -> String {
    let Hit { id, name, label, text, score, .. } = hit;
    match hit.kind {
        HitKind::Node | HitKind::Fact if text.is_empty() => {
            one_item(&format!("- {name} ({label}, id {id}), score {score:.2}"))
        }
        HitKind::Node | HitKind::Fact => {
            one_item(&format!("- {name} ({label}, id {id}), score {score:.2}: {text}"))
        }
        HitKind::Chunk => {
            let head = one_item(&format!("- passage {id} of {name}, score {score:.2}:"));
            format!("{head}\n  > {}", quotable(text.trim()).replace('\n', "\n  > "))
        }
    }
}

/// Finds the document with an identifier, name, source or path.
pub(super) fn find_document(graph: &GraphSnapshot, asked: &str) -> Result<NodeIndex, ToolError> {
    let topology = graph.topology();
    let is_document = |node: &NodeIndex| topology.role(*node) == Role::Document;
    if let Some(node) = topology.node_by_id(asked).filter(is_document) {
        return Ok(node);
    }
    let documents = || topology.nodes().filter(is_document);
    let named = documents().find(|&document| is_called(topology, document, asked));
    if let Some(document) = named {
        return Ok(document);
    }
    let near: Vec<NodeIndex> =
        graph.find(asked, None, 5).into_iter().map(|(node, _)| node).filter(is_document).collect();
    match near.as_slice() {
        [document] => Ok(*document),
        [] => {
            let some: Vec<NodeIndex> = documents().take(5).collect();
            Err(ToolError::bad_arguments(format!("there is no document {asked:?}"))
                .with_hint(format!("there are {}", list(topology, &some))))
        }
        several => Err(ToolError::bad_arguments(format!("several documents are called {asked:?}"))
            .with_hint(format!("give the id of one: {}", list(topology, several)))),
    }
}

fn is_called(topology: &Topology, document: NodeIndex, asked: &str) -> bool {
    let content = topology.node(document);
    let has = |property: &str| content.properties.get(property).and_then(Value::as_str) == Some(asked);
    content.display_name() == asked || has("source")
}
