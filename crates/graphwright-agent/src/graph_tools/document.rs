//! The tool `get_document`.

use graphwright_core::names;
use graphwright_retrieve::{
    Context, ContextFormat, NodeIndex, Passage, RelationshipIndex, Role, Support, Topology, one_item,
};
use serde_json::json;

use super::{GraphSnapshot, naming::describe, search::find_document};
use crate::{ToolError, ToolOutput};

/// The largest number of passages that are read.
const MOST_PASSAGES: usize = 50;

/// Reads the passages of a document, fact or thing, or a single passage.
pub(super) async fn read(graph: &GraphSnapshot, id: &str, budget: u64) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let (title, supports) = supports(graph, id)?;
    if supports.is_empty() {
        let text = format!("No passage is kept for {title}.");
        return Ok(ToolOutput { text, structured: Some(json!({"passages": []})) });
    }
    let supports: Vec<(Support, f64)> = supports
        .into_iter()
        .take(MOST_PASSAGES)
        .enumerate()
        // Falling scores keep the reading order, because passages are sorted by score.
        .map(|(place, support)| (support, 1.0 - place as f64 / 1_000.0))
        .collect();
    let reading = topology.read_passages(&**graph.store(), &supports, MOST_PASSAGES);
    let passages = graph.passages(id, reading).await?;
    let mut context = Context::default();
    for passage in passages.iter() {
        context.add_passage(passage.clone());
    }
    let rendered = context.render(topology, ContextFormat::Markdown, budget);
    let passages: Vec<&Passage> = passages.iter().collect();
    let text = format!("{title}\n\n{}", rendered.text);
    let structured = json!({"passages": passages, "left_out": rendered.left_out.passages});
    Ok(ToolOutput { text, structured: Some(structured) })
}

/// Finds what an identifier means, and returns its title and the passages where it is written.
fn supports(graph: &GraphSnapshot, id: &str) -> Result<(String, Vec<Support>), ToolError> {
    let topology = graph.topology();
    if let Some(node) = topology.node_by_id(id) {
        return Ok(match topology.role(node) {
            Role::Chunk => (passage_title(topology, node), vec![Support { chunk: node, span: None }]),
            Role::Document => (describe(topology, node), chunks_of(topology, node)),
            Role::Entity | Role::Record => (describe(topology, node), topology.mentions(node)),
        });
    }
    if let Some(fact) = topology.relationships().find(|fact| topology.read_edge(*fact).id() == id) {
        return Ok((fact_title(topology, fact), topology.supports(fact)));
    }
    let document = find_document(graph, id).map_err(|error| ToolError {
        message: format!("nothing in the graph has the id {id:?}, and {}", error.message),
        ..error
    })?;
    Ok((describe(topology, document), chunks_of(topology, document)))
}

fn passage_title(topology: &Topology, chunk: NodeIndex) -> String {
    let id = topology.node(chunk).id();
    match topology.document_of(chunk) {
        Some(document) => one_item(&format!("Passage {id} of {}", topology.node(document).display_name())),
        None => format!("Passage {id}"),
    }
}

fn fact_title(topology: &Topology, fact: RelationshipIndex) -> String {
    let edge = topology.edge(fact);
    let name = |node| topology.node(node).display_name();
    one_item(&format!("{} —{}→ {}", name(edge.start), edge.kind, name(edge.end)))
}

/// Returns the passages of a document in reading order.
fn chunks_of(topology: &Topology, document: NodeIndex) -> Vec<Support> {
    let chunks = topology.nodes_with_label(names::CHUNK);
    let mut chunks: Vec<NodeIndex> =
        chunks.filter(|chunk| topology.document_of(*chunk) == Some(document)).collect();
    let place = |chunk: &NodeIndex| {
        let properties = &topology.node(*chunk).properties;
        let number = |name: &str| properties.get(name).and_then(graphwright_core::Value::as_integer);
        number("index").or_else(|| number("start"))
    };
    chunks.sort_by_key(|chunk| (place(chunk), *chunk));
    chunks.into_iter().map(|chunk| Support { chunk, span: None }).collect()
}
