//! The parts that an index is made of: entries of one kind with their vectors.

use std::collections::HashMap;

use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind,
    checksums::Bytes,
    entry::{Entry, Hash},
    vectors::Vectors,
};
use crate::{Result, RetrieveError};

/// Number of texts sent to the embedder at a time.
const BATCH: usize = 256;

/// Entries of one kind, with their vectors in the same order.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: HitKind,
    pub(super) entries: Vec<Entry>,
    pub(super) vectors: Option<Vectors>,
}

impl Part {
    /// Splits a part into as many pieces as `pieces_of` says for its number of entries.
    pub(super) fn split(mut self, pieces_of: impl Fn(usize) -> usize) -> Vec<Self> {
        let size = self.entries.len().div_ceil(pieces_of(self.entries.len()).max(1)).max(1);
        let mut pieces = Vec::new();
        while self.entries.len() > size {
            let rest = self.entries.split_off(size);
            let (vectors, others) = match &self.vectors {
                Some(vectors) => (vectors.part(0, size), vectors.part(size, rest.len())),
                None => (None, None),
            };
            pieces.push(Self {
                kind: self.kind,
                entries: std::mem::replace(&mut self.entries, rest),
                vectors,
            });
            self.vectors = others;
        }
        pieces.push(self);
        pieces
    }
}

/// Vectors that need not be made again.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Where the vector of a text is.
    places: HashMap<Hash, (usize, usize)>,
    vectors: Vec<Vectors>,
}

impl Known {
    /// Adds vectors, with the hashes of their texts.
    pub(super) fn add(&mut self, vectors: Vectors, texts: impl IntoIterator<Item = Hash>) {
        let number = self.vectors.len();
        self.places.extend(texts.into_iter().enumerate().map(|(row, hash)| (hash, (number, row))));
        self.vectors.push(vectors);
    }

    fn vector(&self, hash: &Hash) -> Result<Option<Vec<f32>>> {
        let Some(&(number, row)) = self.places.get(hash) else { return Ok(None) };
        let vectors = &self.vectors[number];
        let mut vector = vec![0.0; vectors.dimensions()];
        vectors.read(row, &mut vector)?;
        Ok(Some(vector))
    }
}

/// Sorts entries by kind.
pub(super) fn by_kind(entries: Vec<Entry>) -> Vec<(HitKind, Vec<Entry>)> {
    let mut kinds: Vec<(HitKind, Vec<Entry>)> = Vec::new();
    for entry in entries {
        match kinds.last_mut() {
            Some((kind, entries)) if *kind == entry.shown.kind => entries.push(entry),
            _ => kinds.push((entry.shown.kind, vec![entry])),
        }
    }
    kinds
}

/// Adds the vectors of entries of one kind, and returns how many were made.
pub(super) async fn embed_part(
    kind: HitKind,
    entries: Vec<Entry>,
    embedder: Option<&dyn Embedder>,
    known: &Known,
) -> Result<(Part, usize)> {
    let Some(embedder) = embedder else { return Ok((Part { kind, entries, vectors: None }, 0)) };
    let mut vectors = Vectors::new(embedder.identity().dimensions);
    let mut count = 0;
    for batch in entries.chunks(BATCH) {
        let reused = batch.iter().map(|entry| known.vector(&entry.text_hash()));
        let reused: Vec<Option<Vec<f32>>> = reused.collect::<Result<_>>()?;
        let fresh = batch.iter().zip(&reused).filter(|(_, reused)| reused.is_none());
        let texts: Vec<String> = fresh.map(|(entry, _)| entry.embedded_text()).collect();
        count += texts.len();
        let made = if texts.is_empty() { Vec::new() } else { embed(embedder, &texts).await? };
        let mut made = made.into_iter();
        for vector in reused.into_iter().filter_map(|reused| reused.or_else(|| made.next())) {
            vectors.push(&vector);
        }
    }
    Ok((Part { kind, entries, vectors: Some(vectors) }, count))
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

impl Vectors {
    /// Copies some rows to memory.
    fn part(&self, first: usize, count: usize) -> Option<Self> {
        let bytes = self.rows(first, count).ok()?.to_vec();
        Self::from_bytes(Bytes::from(bytes), self.dimensions(), count).ok()
    }
}
