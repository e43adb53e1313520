//! A graph that is put together while it is read, and an embedder that costs next to nothing.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, Node, Properties, RecordStream, Relationship, Result, Statement,
    StoreError, Value, names,
    schema::{Constraint, Index},
    store::{
        Capabilities, ChangeSet, Counters, QueryOptions, ScanBatch, ScanOptions, SchemaOptions, StoreInfo,
        WriteResult,
    },
};
use graphwright_llm::{Embedder, EmbedderIdentity};

/// Passages in a batch.
const BATCH: usize = 4096;
/// Sentences of a passage: with its title about 100 words.
const SENTENCES: usize = 4;

/// Formats a triple as the index does.
pub(super) fn sentence(triple: &[&str]) -> String {
    format!("{} {} {}\n", triple[0], triple[1].replace('_', " "), triple[2])
}

/// A graph that can only be scanned.
#[derive(Debug)]
pub(super) struct Made {
    content: Content,
    /// Passages that have another text than at first.
    changed: AtomicUsize,
}

#[derive(Clone, Debug)]
enum Content {
    Batches(Arc<[ScanBatch]>),
    Passages { rows: usize, sentences: Arc<[String]>, titles: Arc<[String]> },
}

impl Made {
    pub(super) fn of_triples(triples: &[Vec<&str>]) -> Self {
        let mut all: Vec<&str> = triples.iter().flat_map(|triple| [triple[0], triple[2]]).collect();
        all.sort_unstable();
        all.dedup();
        let node = |name: &&str| Node {
            element_id: ElementId::new(*name),
            labels: vec!["Thing".to_owned(), names::ENTITY.to_owned()],
            properties: Properties::from([
                (names::ID.to_owned(), (*name).into()),
                (names::NAME.to_owned(), (*name).into()),
            ]),
        };
        let fact = |(number, triple): (usize, &Vec<&str>)| Relationship {
            element_id: ElementId::new(number.to_string()),
            kind: triple[1].to_uppercase(),
            start: ElementId::new(triple[0]),
            end: ElementId::new(triple[2]),
            properties: Properties::new(),
        };
        let nodes = all.iter().map(node).collect();
        let relationships = triples.iter().enumerate().map(fact).collect();
        let content = Content::Batches(vec![ScanBatch { nodes, relationships }].into());
        Self { content, changed: AtomicUsize::new(0) }
    }

    pub(super) fn of_passages(rows: usize, sentences: Vec<String>, titles: Vec<String>) -> Self {
        let content = Content::Passages { rows, sentences: sentences.into(), titles: titles.into() };
        Self { content, changed: AtomicUsize::new(0) }
    }

    /// Changes so many passages.
    pub(super) fn change(&self, count: usize) {
        self.changed.fetch_add(count, Ordering::Relaxed);
    }

    /// Reads everything, to know how long that takes.
    pub(super) async fn read_all(&self) -> Result<usize> {
        let batches = self.scan(ScanOptions::default()).await?;
        batches.try_fold(0, |all, batch| async move { Ok(all + batch.nodes.len()) }).await
    }
}

fn passage(row: usize, changed: usize, sentences: &[String], titles: &[String]) -> Node {
    let mut random = fastrand::Rng::with_seed((row + if row < changed { 1 << 40 } else { 0 }) as u64);
    let parts: Vec<&str> =
        (0..SENTENCES).map(|_| sentences[random.usize(..sentences.len())].as_str()).collect();
    let title = titles[random.usize(..titles.len())].as_str();
    Node {
        element_id: ElementId::new(row.to_string()),
        labels: vec![names::CHUNK.to_owned()],
        properties: Properties::from([
            (names::ID.to_owned(), format!("d{:06}#{}", row / 10, row % 10).into()),
            ("document".to_owned(), format!("d{:06}", row / 10).into()),
            ("headings".to_owned(), Value::List(vec![title.into()])),
            ("text".to_owned(), parts.join(" ").into()),
        ]),
    }
}

fn refused() -> StoreError {
    StoreError::NotFound { what: "what only a real store can do".to_owned() }
}

#[async_trait]
impl GraphStore for Made {
    async fn scan(&self, _: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        let changed = self.changed.load(Ordering::Relaxed);
        Ok(match self.content.clone() {
            Content::Batches(batches) => futures::stream::iter(batches.to_vec()).map(Ok).boxed(),
            Content::Passages { rows, sentences, titles } => {
                let starts = (0..rows).step_by(BATCH);
                let batch = move |start: usize| {
                    let rows = start..rows.min(start + BATCH);
                    let nodes = rows.map(|row| passage(row, changed, &sentences, &titles)).collect();
                    Ok(ScanBatch { nodes, relationships: Vec::new() })
                };
                futures::stream::iter(starts).map(batch).boxed()
            }
        })
    }

    async fn version(&self) -> Result<String> {
        Ok(self.changed.load(Ordering::Relaxed).to_string())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    async fn info(&self) -> Result<StoreInfo> {
        Err(refused())
    }

    async fn read(&self, _: Statement, _: QueryOptions) -> Result<RecordStream> {
        Err(refused())
    }

    async fn write(&self, _: Statement, _: QueryOptions) -> Result<WriteResult> {
        Err(refused())
    }

    async fn apply(&self, _: ChangeSet) -> Result<Counters> {
        Err(refused())
    }

    async fn schema(&self, _: SchemaOptions) -> Result<GraphSchema> {
        Err(refused())
    }

    async fn create_index(&self, _: Index) -> Result<()> {
        Err(refused())
    }

    async fn drop_index(&self, _: &str) -> Result<()> {
        Err(refused())
    }

    async fn create_constraint(&self, _: Constraint) -> Result<()> {
        Err(refused())
    }

    async fn create_keys(&self, _: Vec<String>) -> Result<()> {
        Err(refused())
    }

    async fn drop_constraint(&self, _: &str) -> Result<()> {
        Err(refused())
    }

    async fn vector_names(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn vectors(&self, _: &str, _: &str) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        Err(refused())
    }

    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        Ok(None)
    }

    async fn checkpoint(&self) -> Result<()> {
        Ok(())
    }
}

/// Makes vectors of 256 components from a hash of the text: as many as real ones, but no meaning.
#[derive(Debug)]
pub(super) struct Hashed(EmbedderIdentity);

impl Default for Hashed {
    fn default() -> Self {
        Self(EmbedderIdentity { name: "hashed".to_owned(), weights: String::new(), dimensions: 256 })
    }
}

#[async_trait]
impl Embedder for Hashed {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright_llm::Result<Vec<Vec<f32>>> {
        let vector = |text: &String| {
            let seed =
                text.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
            let mut random = fastrand::Rng::with_seed(seed);
            (0..self.0.dimensions).map(|_| random.f32() - 0.5).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}
