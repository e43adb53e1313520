//! The indexes of a server: Neo4j's own full-text and vector indexes, in place of files of this
//! machine.
//!
//! They have the names that the tools around Neo4j expect (`vector` and `keyword` are the defaults
//! of LangChain's `Neo4jVector`; all four are those of the LLM Graph Builder):
//!
//! | Index | On |
//! | --- | --- |
//! | `vector` | `Chunk.embedding` |
//! | `keyword` | `Chunk.text`, full text |
//! | `entity_vector` | `__Entity__.embedding` |
//! | `entities` | `__Entity__.name`, `aliases` and `description`, full text |
//!
//! A record in the graph names the embedder of all vectors, so that machines that share the graph
//! cannot mix two. Each node remembers the hash of the text that its vector was made from.

use std::{collections::HashMap, sync::Arc};

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, NodeKey, Properties, Statement, Value, names,
    schema::{Index, IndexKind, Similarity, Target},
    store::{Change, ChangeSet, QueryOptions, SchemaOptions, Selection},
};
use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind, SearchMode, SearchRequest, SearchResults,
    embed::{embed, same_embedder},
    entry::Entry,
    reading::read_entries,
    report::{RefreshOptions, RefreshReport},
};
use crate::Result;

mod answer;
mod lucene;

pub(crate) use answer::{Candidate, best_of_named, full_text_query};

/// Identifier of the record that names the embedder.
const RECORD: &str = "search";
/// Property with the hash of the text that a vector was made from.
const EMBEDDED: &str = "__embedded__";
/// Texts embedded and written at a time.
const BATCH: usize = 256;

const READ_RECORD: &str = "MATCH (m:`__Meta__` {`__id__`: 'search'}) \
                           RETURN m.embedder, m.weights, m.dimensions";
const READ_HASHES: &str = "MATCH (n) WHERE (n:Chunk OR n:`__Entity__`) AND n.`__id__` IS NOT NULL \
                           RETURN n.`__id__`, n.`__embedded__`";

const DROP_VECTORS: &str = "MATCH (n) WHERE (n:Chunk OR n:`__Entity__`) AND n.embedding IS NOT NULL \
                            REMOVE n.embedding, n.`__embedded__`";

/// The indexes of a server.
#[derive(Debug)]
pub(super) struct ServerIndex {
    store: Arc<dyn GraphStore>,
    embedder: Option<Arc<dyn Embedder>>,
    pub(super) identity: EmbedderIdentity,
    names: Names,
}

/// The names of the indexes as they are on the server.
#[derive(Clone, Debug)]
struct Names {
    chunk_vector: String,
    chunk_words: String,
    entity_vector: String,
    entity_words: String,
}

impl ServerIndex {
    /// Opens the indexes of a server. `None` if it has none of ours.
    ///
    /// # Errors
    /// [`OtherEmbedder`](crate::RetrieveError::OtherEmbedder) if their vectors are of another embedder.
    pub(super) async fn open(
        store: Arc<dyn GraphStore>,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Option<Self>> {
        let Some(identity) = read_identity(&*store).await? else { return Ok(None) };
        same_embedder(Some(&identity), embedder.as_ref().map(|embedder| embedder.identity()))?;
        let found = indexes_of(&*store).await?;
        let name = |wanted: &Index| {
            found.iter().find(|index| index.serves_same(wanted)).map(|index| index.name.clone())
        };
        let names = wanted(identity.dimensions).map(|index| name(&index));
        let [Some(chunk_vector), Some(chunk_words), Some(entity_vector), Some(entity_words)] = names else {
            return Ok(None);
        };
        let names = Names { chunk_vector, chunk_words, entity_vector, entity_words };
        Ok(Some(Self { store, embedder, identity, names }))
    }

    /// Makes the indexes of a server and brings their vectors up to date. Only new and changed texts
    /// are sent to the embedder.
    pub(super) async fn refresh(
        store: &Arc<dyn GraphStore>,
        embedder: &Arc<dyn Embedder>,
        options: RefreshOptions,
    ) -> Result<RefreshReport> {
        let identity = embedder.identity();
        let known = read_identity(&**store).await?;
        if options.re_embed {
            drop_other_vectors(&**store, identity).await?;
        } else {
            same_embedder(known.as_ref(), Some(identity))?;
        }
        let all_anew = options.re_embed && known.as_ref() != Some(identity);
        // Before the vectors: from now on another machine with another embedder is refused.
        if known.as_ref() != Some(identity) {
            write_identity(&**store, identity).await?;
        }
        let hashes = read_hashes(&**store).await?;
        let entries = read_entries(&**store).await?;
        let mut report = RefreshReport::default();
        let mut changed = Vec::new();
        for row in (0..entries.len()).filter(|&row| entries.kind(row) != HitKind::Fact) {
            let entry = entries.entry(row)?;
            match entry.shown.kind {
                HitKind::Chunk => report.chunks += 1,
                _ if is_entity(&entry) => report.nodes += 1,
                _ => continue,
            }
            // Nodes of others have no key by which we write.
            let Some(embedded) = hashes.get(&entry.shown.id) else { continue };
            if all_anew || embedded.as_deref() != Some(&hash_of(&entry)) {
                changed.push(row);
            } else {
                report.reused += 1;
            }
        }
        for batch in changed.chunks(BATCH) {
            let batch: Vec<Entry> = batch.iter().map(|&row| entries.entry(row)).collect::<Result<_>>()?;
            let texts: Vec<String> = batch.iter().map(Entry::embedded_text).collect();
            let vectors = embed(embedder.as_ref(), &texts).await?;
            store.apply(changes(&batch, vectors)).await?;
            report.embedded += batch.len();
        }
        for index in wanted(identity.dimensions).into_iter().chain([by_name()]) {
            store.create_index(index).await?;
        }
        Ok(RefreshReport { unchanged: changed.is_empty(), ..report })
    }

    /// Checks whether the vectors are of this embedder, or there are none.
    pub(super) async fn check_embedder(store: &dyn GraphStore, given: &EmbedderIdentity) -> Result<()> {
        same_embedder(read_identity(store).await?.as_ref(), Some(given))
    }

    /// Searches the indexes.
    pub(super) async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        let mut notices = Vec::new();
        let by_names = matches!(request.mode, SearchMode::Graph | SearchMode::PageRank);
        if by_names {
            notices.push(
                "the indexes of a server do not rank passages by the names that connect them, so words and \
                 meaning were compared (search_index = \"local\" ranks by names)"
                    .to_owned(),
            );
        }
        let wanted = if by_names { SearchMode::Hybrid } else { request.mode };
        let mut vector = None;
        if wanted != SearchMode::Text {
            let (found, notice) = self.embed_query(&request.query).await?;
            vector = found;
            notices.extend(notice);
        }
        if request.kind == Some(HitKind::Fact) {
            notices.push("facts are in the local search index only (search_index = \"local\")".to_owned());
        }
        let mode = if vector.is_some() { wanted } else { SearchMode::Text };
        let (hits, stale) = self.rank(request, mode, vector.as_deref()).await?;
        Ok(SearchResults { hits, mode, names: Vec::new(), stale, notices })
    }

    /// Embeds a query, or says why it cannot.
    async fn embed_query(&self, query: &str) -> Result<(Option<Vec<f32>>, Option<String>)> {
        let only_words = |reason: &str| Some(format!("{reason}, so only words were compared"));
        let Some(embedder) = &self.embedder else { return Ok((None, only_words("no embedder is set"))) };
        let text = query.replace(['"', '*', '~'], " ");
        let vector = embed(embedder.as_ref(), &[text]).await?.into_iter().next();
        match vector.filter(|vector| vector.iter().any(|number| *number != 0.0)) {
            Some(vector) => Ok((Some(vector), None)),
            None => Ok((None, only_words("the embedder knows no word of the query"))),
        }
    }
}

/// Returns whether an entry is of an entity, which the indexes have besides passages.
fn is_entity(entry: &Entry) -> bool {
    entry.facets.labels.iter().any(|label| label == names::ENTITY)
}

fn hash_of(entry: &Entry) -> String {
    entry.text_hash().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn changes(entries: &[Entry], vectors: Vec<Vec<f32>>) -> ChangeSet {
    let mut changes = ChangeSet::new();
    for entry in entries {
        let key = NodeKey::new(&entry.shown.label, &entry.shown.id);
        changes.upsert_node(key, &[], Properties::from([(EMBEDDED.to_owned(), hash_of(entry).into())]));
    }
    for (entry, vector) in entries.iter().zip(vectors) {
        // Neo4j keeps no zero vector in an index of cosines.
        if vector.iter().any(|number| *number != 0.0) {
            let key = NodeKey::new(&entry.shown.label, &entry.shown.id);
            changes.push(Change::SetVector { key, property: names::EMBEDDING.to_owned(), vector });
        }
    }
    changes
}

/// Returns the indexes that we make: vectors and words of passages, vectors and words of entities.
fn wanted(dimensions: usize) -> [Index; 4] {
    let vector = IndexKind::Vector { dimensions, similarity: Similarity::Cosine };
    let index = |name: &str, label: &str, properties: &[&str], kind| Index {
        name: name.to_owned(),
        target: Target::Label(label.to_owned()),
        properties: properties.iter().map(|&property| property.to_owned()).collect(),
        kind,
    };
    let entity_words = [names::NAME, names::ALIASES, names::DESCRIPTION];
    [
        index("vector", names::CHUNK, &[names::EMBEDDING], vector),
        index("keyword", names::CHUNK, &["text"], IndexKind::FullText),
        index("entity_vector", names::ENTITY, &[names::EMBEDDING], vector),
        index("entities", names::ENTITY, &entity_words, IndexKind::FullText),
    ]
}

/// Returns the index by which queries find entities by name.
fn by_name() -> Index {
    let target = Target::Label(names::ENTITY.to_owned());
    let properties = vec![names::NAME.to_owned()];
    Index { name: "entity_name".to_owned(), target, properties, kind: IndexKind::Property }
}

/// Lists the indexes of a store.
pub(crate) async fn indexes_of(store: &dyn GraphStore) -> Result<Vec<Index>> {
    let nothing = SchemaOptions {
        labels: Selection::None,
        relationship_types: Selection::None,
        sample: 0,
        ..SchemaOptions::default()
    };
    Ok(store.schema(nothing).await?.indexes)
}

/// Drops our vectors and their indexes if they have another length.
async fn drop_other_vectors(store: &dyn GraphStore, identity: &EmbedderIdentity) -> Result<()> {
    for index in indexes_of(store).await? {
        let is_other =
            matches!(index.kind, IndexKind::Vector { dimensions, .. } if dimensions != identity.dimensions);
        if is_other && matches!(index.name.as_str(), "vector" | "entity_vector") {
            store.drop_index(&index.name).await?;
        }
    }
    let known = read_identity(store).await?;
    if known.is_some_and(|known| known.dimensions != identity.dimensions) {
        // A store refuses vectors of two lengths under one name.
        let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
        store.write(Statement::fixed(DROP_VECTORS), options).await?;
    }
    Ok(())
}

/// Reads which embedder made the vectors of a graph, or `None` if it has no record of it.
pub(crate) async fn read_identity(store: &dyn GraphStore) -> Result<Option<EmbedderIdentity>> {
    let rows =
        store.read(Statement::fixed(READ_RECORD), QueryOptions::default()).await?.collect().await?.rows;
    let Some([Value::String(name), Value::String(weights), Value::Integer(dimensions)]) =
        rows.first().map(Vec::as_slice)
    else {
        return Ok(None);
    };
    let dimensions = usize::try_from(*dimensions).unwrap_or_default();
    Ok(Some(EmbedderIdentity { name: name.clone(), weights: weights.clone(), dimensions }))
}

async fn write_identity(store: &dyn GraphStore, identity: &EmbedderIdentity) -> Result<()> {
    let properties = Properties::from([
        ("embedder".to_owned(), identity.name.as_str().into()),
        ("weights".to_owned(), identity.weights.as_str().into()),
        ("dimensions".to_owned(), (identity.dimensions as i64).into()),
    ]);
    let mut changes = ChangeSet::new();
    changes.upsert_node(NodeKey::new(names::META, RECORD), &[], properties);
    store.apply(changes).await?;
    Ok(())
}

/// Reads the hashes of embedded texts by identifier, with `None` for what has no vector yet.
async fn read_hashes(store: &dyn GraphStore) -> Result<HashMap<String, Option<String>>> {
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let mut rows = store.read(Statement::fixed(READ_HASHES), options).await?;
    let mut hashes = HashMap::new();
    while let Some(row) = rows.try_next().await? {
        if let [Value::String(id), hash] = row.as_slice() {
            hashes.insert(id.clone(), hash.as_str().map(str::to_owned));
        }
    }
    Ok(hashes)
}
