//! Vectors of nodes, and indexes over them.
//!
//! A vector is a hidden property of its node ([`reserved::vector_mark`]), as text: so it is
//! written, logged, recovered and deleted with the node.
//!
//! The engine's embedding store alone would not do: when its log is applied to a checkpoint,
//! vectors that the log adds to a store replace the ones that the checkpoint has. Where a vector
//! index was asked for, an embedding store is kept beside the property, and [`restore`] fills it up
//! after recovery.

use std::collections::{BTreeSet, HashMap, HashSet};

use graphwright_core::{Result, StoreError, schema::Similarity};
use kglite::api::{
    DirGraph, GraphRead, InternedKey, NodeIndex, Value as EngineValue, embeddings, storage::EmbeddingStore,
};

use crate::rewrite::reserved;

/// Vectors, with the engine's identifiers of their nodes.
pub(crate) type Vectors = Vec<(EngineValue, Vec<f32>)>;

/// The number of characters for a component.
const WIDTH: usize = 6;

/// Writes each component's 32 bits as six characters of six bits, from `0` (zero) to `o` (63).
pub(crate) fn to_text(vector: &[f32]) -> String {
    let digit = |bits: u32, place: usize| char::from(b'0' + (bits >> (6 * place) & 63) as u8);
    vector
        .iter()
        .flat_map(|component| (0..WIDTH).map(move |place| digit(component.to_bits(), place)))
        .collect()
}

/// Reads what [`to_text`] wrote.
pub(crate) fn from_text(text: &str) -> Vec<f32> {
    let component = |digits: &[u8]| {
        let bits = digits.iter().rev().fold(0, |bits, digit| bits << 6 | u32::from(digit - b'0'));
        f32::from_bits(bits)
    };
    text.as_bytes().chunks_exact(WIDTH).map(component).collect()
}

/// Returns the names under which nodes may have vectors.
pub(crate) fn names(graph: &DirGraph) -> Vec<String> {
    let properties = graph.node_type_metadata.values().flat_map(HashMap::keys);
    let names: BTreeSet<&str> =
        properties.filter_map(|property| property.strip_prefix(reserved::VECTOR_MARK)).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Reads the vector of a node under a mark.
pub(crate) fn node_vector(graph: &DirGraph, node: NodeIndex, mark: &str) -> Option<Vec<f32>> {
    match graph.graph.get_node_property(node, InternedKey::from_str(mark))? {
        EngineValue::String(text) => Some(from_text(&text)),
        _ => None,
    }
}

/// Returns the number of components of a label's vectors, if it has any.
pub(crate) fn components(graph: &DirGraph, label: &str, mark: &str) -> Option<usize> {
    if let Some(store) = graph.embedding_store(label, &embeddings::store_name(mark)) {
        return Some(store.dimension);
    }
    if !graph.get_node_type_metadata(label)?.contains_key(mark) {
        return None;
    }
    graph
        .nodes_with_label(label)
        .into_iter()
        .find_map(|node| node_vector(graph, node, mark))
        .map(|vector| vector.len())
}

/// Returns whether there is an index over these vectors.
pub(crate) fn is_indexed(graph: &DirGraph, label: &str, mark: &str) -> bool {
    graph.embedding_store(label, &embeddings::store_name(mark)).is_some()
}

/// Returns the marks of a label over which there is an index.
pub(crate) fn indexed_marks(graph: &DirGraph, label: &str) -> Vec<String> {
    let stores = embeddings::list_embeddings(graph).into_iter();
    stores.filter(|store| store.node_type == label).map(|store| store.text_column).collect()
}

/// Creates an index over the vectors of a label.
pub(crate) fn create_index(
    graph: &mut DirGraph,
    label: &str,
    mark: &str,
    dimensions: usize,
    similarity: Similarity,
) -> Result<()> {
    let metric = match similarity {
        Similarity::Cosine => "cosine",
        Similarity::Euclidean => "euclidean",
    };
    if let Some(present) = components(graph, label, mark)
        && present != dimensions
    {
        return Err(StoreError::Constraint {
            message: format!("the vectors there have {present} components, not {dimensions}"),
        });
    }
    graph.set_embedding_store(label, mark, EmbeddingStore::with_metric(dimensions, metric));
    if restore_store(graph, label, mark)? == 0 {
        return Ok(());
    }
    embeddings::build_vector_index(graph, label, mark, None, None, None, Some(metric), None)
        .map(drop)
        .map_err(|message| failed(&message))
}

/// Adds vectors to an index.
pub(crate) fn add_to_index(graph: &mut DirGraph, label: &str, mark: &str, vectors: Vectors) -> Result<()> {
    embeddings::add_embeddings(graph, label, mark, None, vectors)
        .map(drop)
        .map_err(|message| failed(&message))
}

/// Gives every index the vectors that recovery has taken from it.
pub(crate) fn restore(graph: &mut DirGraph) -> Result<()> {
    for store in embeddings::list_embeddings(graph) {
        if store.text_column.starts_with(reserved::VECTOR_MARK) {
            restore_store(graph, &store.node_type, &store.text_column)?;
        }
    }
    Ok(())
}

/// Adds the vectors that an index lacks, and returns how many it has then.
fn restore_store(graph: &mut DirGraph, label: &str, mark: &str) -> Result<usize> {
    let store = graph.embedding_store(label, &embeddings::store_name(mark));
    let known: HashSet<usize> =
        store.map(|store| store.node_to_slot.keys().copied().collect()).unwrap_or_default();
    let missing: Vectors = graph
        .nodes_with_label(label)
        .into_iter()
        .filter(|node| !known.contains(&node.index()))
        .filter_map(|node| Some((graph.graph.get_node_id(node)?, node_vector(graph, node, mark)?)))
        .collect();
    let count = known.len() + missing.len();
    if !missing.is_empty() {
        add_to_index(graph, label, mark, missing)?;
    }
    Ok(count)
}

fn failed(message: &str) -> StoreError {
    StoreError::Engine { message: format!("the vector index: {message}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_back_bit_by_bit() {
        let vector = [0.0, -0.0, 1.5, f32::MIN_POSITIVE, f32::MAX, -1.0e-45, std::f32::consts::PI];
        let back = from_text(&to_text(&vector));
        assert_eq!(back.iter().map(|each| each.to_bits()).collect::<Vec<_>>(), vector.map(f32::to_bits));
        assert!(
            to_text(&vector).bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\'')
        );
    }
}
