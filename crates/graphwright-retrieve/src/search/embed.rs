//! Vectors of the texts of entries: from before, or from the embedder.

use std::{collections::HashMap, io::Write, path::Path};

use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    entries::Entries,
    entry::Hash,
    vectors::{Vectors, row_of},
};
use crate::{Result, RetrieveError};

/// Number of texts sent to the embedder at a time.
const BATCH: usize = 256;

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

/// Writes the vectors of some rows one after the other, and returns how many the embedder made. `path` is where they go.
pub(super) async fn write_vectors(
    entries: &Entries,
    rows: &[usize],
    embedder: &dyn Embedder,
    known: &Known,
    (into, path): (&mut (dyn Write + Send), &Path),
) -> Result<usize> {
    let mut count = 0;
    for batch in rows.chunks(BATCH) {
        let reused = batch.iter().map(|&row| known.vector(&entries.hashes(row).text));
        let reused: Vec<Option<Vec<f32>>> = reused.collect::<Result<_>>()?;
        let fresh = batch.iter().zip(&reused).filter(|(_, reused)| reused.is_none());
        let texts = fresh.map(|(&row, _)| Ok(entries.entry(row)?.embedded_text()));
        let texts: Vec<String> = texts.collect::<Result<_>>()?;
        count += texts.len();
        let made = if texts.is_empty() { Vec::new() } else { embed(embedder, &texts).await? };
        let mut made = made.into_iter();
        for vector in reused.into_iter().filter_map(|reused| reused.or_else(|| made.next())) {
            into.write_all(&row_of(&vector))
                .map_err(|source| RetrieveError::io("cannot write", path, source))?;
        }
    }
    into.flush().map_err(|source| RetrieveError::io("cannot write", path, source))?;
    Ok(count)
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
