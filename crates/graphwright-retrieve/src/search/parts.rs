//! The parts that an index is made of: entries of one kind with their vectors.

use std::{collections::HashMap, path::PathBuf};

use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind,
    entry::Entry,
    section::{TextHash, text_hash},
    vectors::Vectors,
};
use crate::{Result, RetrieveError};

/// Number of texts sent to the embedder at a time.
const BATCH: usize = 256;

/// Entries of one kind, with their vectors in the same order.
pub(super) struct Part {
    pub(super) kind: HitKind,
    pub(super) entries: Vec<Entry>,
    pub(super) vectors: Option<Vectors>,
}

pub(super) async fn embed_sections(
    entries: Vec<Entry>,
    embedder: Option<&dyn Embedder>,
    known: &HashMap<TextHash, Vec<f32>>,
) -> Result<(Vec<Part>, Embedded)> {
    let mut counts = Embedded::default();
    let (nodes, chunks): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.kind == HitKind::Node);
    let mut parts = Vec::new();
    for (kind, entries) in [(HitKind::Node, nodes), (HitKind::Chunk, chunks)] {
        if entries.is_empty() {
            continue;
        }
        let vectors = match embedder {
            Some(embedder) => Some(embed_entries(&entries, embedder, known, &mut counts).await?),
            None => None,
        };
        parts.push(Part { kind, entries, vectors });
    }
    Ok((parts, counts))
}

async fn embed_entries(
    entries: &[Entry],
    embedder: &dyn Embedder,
    known: &HashMap<TextHash, Vec<f32>>,
    counts: &mut Embedded,
) -> Result<Vectors> {
    let mut vectors = Vectors::new(embedder.identity().dimensions);
    for batch in entries.chunks(BATCH) {
        let reused: Vec<Option<&Vec<f32>>> = batch.iter().map(|entry| known.get(&text_hash(entry))).collect();
        let fresh = batch.iter().zip(&reused).filter(|(_, reused)| reused.is_none());
        let texts: Vec<String> = fresh.map(|(entry, _)| entry.embedded_text()).collect();
        counts.made += texts.len();
        counts.reused += batch.len() - texts.len();
        let made = if texts.is_empty() { Vec::new() } else { embed(embedder, &texts).await? };
        let mut made = made.iter();
        for vector in reused.into_iter().filter_map(|reused| reused.or_else(|| made.next())) {
            vectors.push(vector);
        }
    }
    Ok(vectors)
}

/// Embeds texts. Fails unless there is one vector of the right length for each.
pub(super) async fn embed(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let EmbedderIdentity { name, dimensions, .. } = embedder.identity();
    let vectors = embedder.embed(texts).await?;
    let bad = |wanted: String, got: String| RetrieveError::BadVectors { name: name.clone(), wanted, got };
    if vectors.len() != texts.len() {
        return Err(bad(format!("{} vectors", texts.len()), vectors.len().to_string()));
    }
    match vectors.iter().find(|vector| vector.len() != *dimensions) {
        Some(vector) => {
            Err(bad(format!("a vector of {dimensions} numbers"), format!("one of {}", vector.len())))
        }
        None => Ok(vectors),
    }
}

/// Numbers of texts whose vectors were made and kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Embedded {
    pub(super) made: usize,
    pub(super) reused: usize,
}

pub(super) fn same_embedder(
    index: Option<&EmbedderIdentity>,
    given: Option<&EmbedderIdentity>,
) -> Result<()> {
    match (index, given) {
        (Some(index), Some(given)) if index != given => Err(RetrieveError::OtherEmbedder {
            index: Box::new(index.clone()),
            given: Box::new(given.clone()),
        }),
        _ => Ok(()),
    }
}

/// Runs work that reads and writes files on a thread where waiting for the disk blocks nothing
/// else.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| RetrieveError::Io {
        action: "the work was stopped on",
        path: PathBuf::from("the search index"),
        source: std::io::Error::other(error),
    })?
}
