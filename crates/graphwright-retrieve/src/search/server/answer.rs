//! Ranks what the indexes of a server find.

use std::collections::{HashMap, HashSet};

use graphwright_core::{Node, Statement, Value, store::QueryOptions};

use super::{
    super::{
        Hit, HitKind, SearchMode, SearchRequest,
        excerpt::{Wanted, shorten},
        fusion::Spread,
        query::{self, Clause},
        reading::{passes, shown},
        stems::Language,
        vectors::unit,
    },
    ServerIndex, lucene,
};
use crate::{Result, Role, dictionary::tokens, rank::fuse, role::role_of};

/// Hits that each index is asked for, at least; the best of both are chosen of these.
const CANDIDATES: usize = 100;

/// What all statements filter by. The server filters before it cuts.
macro_rules! filtered {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " WHERE ($labels IS NULL OR any(label IN labels(node) WHERE label IN $labels)) \
             AND ($document IS NULL OR node.document = $document) \
             AND ($ids IS NULL OR coalesce(node.`__id__`, elementId(node)) IN $ids) \
             AND all(pair IN $properties WHERE CASE WHEN valueType(node[pair[0]]) STARTS WITH 'LIST' \
             THEN any(item IN node[pair[0]] WHERE toStringOrNull(item) = pair[1]) \
             ELSE toStringOrNull(node[pair[0]]) = pair[1] END) \
             AND ($day IS NULL OR ((node.valid_from IS NULL OR date(node.valid_from) <= $day) \
             AND (node.valid_to IS NULL OR date(node.valid_to) >= $day))) ",
            $after
        )
    };
}

const BY_WORDS: &str = filtered!(
    "CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score",
    "WITH node, score ORDER BY score DESC LIMIT $limit \
     RETURN node, score, head([(node)-[:FROM_DOCUMENT]->(d:Document) | d.name]), node.`__embedded__`"
);
const BY_VECTOR: &str = "CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node, score \
     RETURN node, score, head([(node)-[:FROM_DOCUMENT]->(d:Document) | d.name]), node.`__embedded__`";
/// The vector index cannot filter: what the filters let through is compared one by one.
const BY_VECTOR_OF_CHUNKS: &str = filtered!(
    "MATCH (node:Chunk)",
    "AND node.embedding IS NOT NULL \
     WITH node, vector.similarity.cosine(node.embedding, $vector) AS score ORDER BY score DESC LIMIT $limit \
     RETURN node, score, head([(node)-[:FROM_DOCUMENT]->(d:Document) | d.name]), node.`__embedded__`"
);
const BY_VECTOR_OF_ENTITIES: &str = filtered!(
    "MATCH (node:`__Entity__`)",
    "AND node.embedding IS NOT NULL \
     WITH node, vector.similarity.cosine(node.embedding, $vector) AS score ORDER BY score DESC LIMIT $limit \
     RETURN node, score, null, node.`__embedded__`"
);
/// The cosines of what only words found.
const COSINES: &str = "MATCH (node) WHERE elementId(node) IN $ids AND node.embedding IS NOT NULL \
     RETURN elementId(node), vector.similarity.cosine(node.embedding, $vector)";

/// A node that an index found.
#[derive(Debug)]
pub(crate) struct Candidate {
    node: Node,
    title: Option<String>,
    embedded: Option<String>,
    kind: HitKind,
    /// Score of a full-text index.
    pub(crate) words: Option<f64>,
    /// Cosine of its vector with the query's.
    pub(crate) cosine: Option<f32>,
}

impl Candidate {
    /// Returns the candidate of a node, a new one if it has none yet.
    pub(crate) fn of(found: &mut HashMap<String, Self>, node: Node) -> &mut Self {
        let kind = if role_of(&node.labels) == Role::Chunk { HitKind::Chunk } else { HitKind::Node };
        found.entry(node.element_id.as_str().to_owned()).or_insert_with(|| Self {
            node,
            title: None,
            embedded: None,
            kind,
            words: None,
            cosine: None,
        })
    }
}

/// Ranks what indexes found that were named, of which a request lets some through.
pub(crate) fn best_of_named(found: Vec<Candidate>, request: &SearchRequest, mode: SearchMode) -> Vec<Hit> {
    let passes = |candidate: &Candidate| {
        let is_kind = request.kind.is_none_or(|kind| kind == candidate.kind);
        is_kind && passes(&candidate.node, candidate.kind, request)
    };
    let found = found.into_iter().filter(passes).collect();
    best(found, request, mode, &query::parse(query::compared(&request.query))).0
}

/// Writes a query in the syntax of Lucene.
pub(crate) fn full_text_query(text: &str) -> String {
    lucene::query(&query::parse(query::compared(text)))
}

impl ServerIndex {
    /// Finds the best hits, and tells whether a vector of them was made from another text.
    pub(super) async fn rank(
        &self,
        request: &SearchRequest,
        mode: SearchMode,
        vector: Option<&[f32]>,
    ) -> Result<(Vec<Hit>, bool)> {
        let clauses = query::parse(query::compared(&request.query));
        let limit = (request.limit * 5).max(CANDIDATES);
        let vector = vector.map(unit);
        let mut found: HashMap<String, Candidate> = HashMap::new();
        let names = &self.names;
        for (kind, words, vectors) in [
            (HitKind::Node, &names.entity_words, &names.entity_vector),
            (HitKind::Chunk, &names.chunk_words, &names.chunk_vector),
        ] {
            if request.kind.is_some_and(|wanted| wanted != kind) {
                continue;
            }
            if mode != SearchMode::Vector && !clauses.is_empty() {
                let statement = Statement::fixed(BY_WORDS)
                    .with("index", words.as_str())
                    .with("query", lucene::query(&clauses));
                self.collect(
                    with_filters(statement, request, limit),
                    kind,
                    &mut found,
                    |candidate, score| {
                        candidate.words = Some(score);
                    },
                )
                .await?;
            }
            if let Some(vector) = &vector {
                let text = match kind {
                    _ if !is_filtered(request) => BY_VECTOR,
                    HitKind::Chunk => BY_VECTOR_OF_CHUNKS,
                    _ => BY_VECTOR_OF_ENTITIES,
                };
                let statement =
                    Statement::fixed(text).with("index", vectors.as_str()).with("vector", numbers(vector));
                self.collect(
                    with_filters(statement, request, limit),
                    kind,
                    &mut found,
                    |candidate, score| {
                        candidate.cosine = Some(cosine(score));
                    },
                )
                .await?;
            }
        }
        if let Some(vector) = &vector {
            self.add_cosines(vector, &mut found).await?;
        }
        let found: Vec<Candidate> = found.into_values().collect();
        Ok(best(found, request, mode, &clauses))
    }

    async fn collect(
        &self,
        statement: Statement,
        kind: HitKind,
        found: &mut HashMap<String, Candidate>,
        set: impl Fn(&mut Candidate, f64),
    ) -> Result<()> {
        let rows = self.store.read(statement, QueryOptions::default()).await?.collect().await?.rows;
        for row in rows {
            let [Value::Node(node), Value::Float(score), title, embedded] = row.as_slice() else { continue };
            let key = node.element_id.as_str().to_owned();
            let candidate = found.entry(key).or_insert_with(|| Candidate {
                node: (**node).clone(),
                title: title.as_str().map(str::to_owned),
                embedded: embedded.as_str().map(str::to_owned),
                kind,
                words: None,
                cosine: None,
            });
            set(candidate, *score);
        }
        Ok(())
    }

    /// Adds the cosines of what only words found.
    async fn add_cosines(&self, vector: &[f32], found: &mut HashMap<String, Candidate>) -> Result<()> {
        let without = found.iter().filter(|(_, candidate)| candidate.cosine.is_none());
        let ids: Vec<Value> = without.map(|(id, _)| id.as_str().into()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let statement = Statement::fixed(COSINES).with("ids", ids).with("vector", numbers(vector));
        let rows = self.store.read(statement, QueryOptions::default()).await?.collect().await?.rows;
        for row in rows {
            if let [Value::String(id), Value::Float(score)] = row.as_slice()
                && let Some(candidate) = found.get_mut(id)
            {
                candidate.cosine = Some(cosine(*score));
            }
        }
        Ok(())
    }
}

/// Returns the cosine for a score of Neo4j, which is from 0 to 1.
fn cosine(score: f64) -> f32 {
    (2.0 * score - 1.0) as f32
}

fn numbers(vector: &[f32]) -> Value {
    Value::List(vector.iter().map(|&number| f64::from(number).into()).collect())
}

fn is_filtered(request: &SearchRequest) -> bool {
    !request.labels.is_empty()
        || request.document.is_some()
        || request.among.is_some()
        || !request.properties.is_empty()
        || request.valid_on.is_some()
}

fn with_filters(statement: Statement, request: &SearchRequest, limit: usize) -> Statement {
    let texts = |texts: &mut dyn Iterator<Item = &String>| {
        Value::List(texts.map(|text| text.as_str().into()).collect())
    };
    let labels = if request.labels.is_empty() { Value::Null } else { texts(&mut request.labels.iter()) };
    let pairs = request.properties.iter().map(|(name, value)| texts(&mut [name, value].into_iter()));
    statement
        .with("labels", labels)
        .with("document", request.document.as_deref().map_or(Value::Null, Value::from))
        .with("ids", request.among.as_ref().map_or(Value::Null, |ids| texts(&mut ids.iter())))
        .with("properties", Value::List(pairs.collect()))
        .with("day", request.valid_on.map_or(Value::Null, Value::Date))
        .with("limit", limit as i64)
}

fn best(
    found: Vec<Candidate>,
    request: &SearchRequest,
    mode: SearchMode,
    clauses: &[Clause],
) -> (Vec<Hit>, bool) {
    let mut spread = Spread::default();
    spread.extend(found.iter().filter_map(|candidate| candidate.cosine));
    let matched: Vec<(Candidate, Vec<String>)> = found
        .into_iter()
        .map(|candidate| {
            let words = words_of(&candidate, clauses);
            (candidate, words)
        })
        .collect();
    // The best score by words stands for the share of the query that this text has.
    let most = matched.iter().filter_map(|(candidate, _)| candidate.words).fold(0.0, f64::max);
    let first = matched.iter().filter(|(candidate, _)| candidate.words == Some(most));
    let share =
        first.map(|(_, words)| words.len()).max().unwrap_or_default() as f64 / clauses.len().max(1) as f64;
    let mut hits: Vec<(Hit, bool)> = Vec::new();
    for (candidate, words) in matched {
        let coverage =
            candidate.words.map_or(0.0, |score| if most > 0.0 { score / most * share } else { 0.0 }) as f32;
        let meaning = candidate.cosine.unwrap_or(-1.0);
        let score = match mode {
            SearchMode::Text => coverage,
            SearchMode::Vector => meaning,
            _ => fuse(coverage, spread.place(meaning), request.vector_weight as f32),
        };
        let mut why = Vec::new();
        if !words.is_empty() {
            why.push(format!("words: {}", words.join(", ")));
        }
        why.extend(candidate.cosine.map(|cosine| format!("meaning: {cosine:.2}")));
        if score > 0.0 {
            let (shown, hash) = shown(&candidate.node, candidate.kind, candidate.title.as_deref());
            let old = candidate.embedded.as_ref().is_some_and(|embedded| *embedded != hash);
            let mut hit = shown.into_hit(score, why.join("; "));
            if let Some(longest) = request.longest {
                let words = words.iter().map(|word| (word.as_str(), 1.0));
                shorten(&mut hit, &Wanted::new(words, &[Language::English]), longest);
            }
            hits.push((hit, old));
        }
    }
    hits.sort_by(|(left, _), (right, _)| {
        right.score.total_cmp(&left.score).then_with(|| left.id.cmp(&right.id))
    });
    hits.truncate(request.limit);
    let stale = mode != SearchMode::Text && hits.iter().any(|(_, old)| *old);
    (hits.into_iter().map(|(hit, _)| hit).collect(), stale)
}

/// Returns the words of the query that a text has, as the local index tells them.
fn words_of(candidate: &Candidate, clauses: &[Clause]) -> Vec<String> {
    let (shown, _) = shown(&candidate.node, candidate.kind, candidate.title.as_deref());
    let words: Vec<String> =
        tokens(&format!("{} {}", shown.name, shown.text)).into_iter().map(|token| token.text).collect();
    let stems: HashSet<String> = words.iter().map(|word| Language::English.stem(word).into_owned()).collect();
    let has = |word: &String| stems.contains(&*Language::English.stem(word));
    let is_in = |clause: &&Clause| match clause {
        Clause::Word(word) => has(word),
        Clause::Prefix(prefix) => words.iter().any(|word| word.starts_with(prefix)),
        Clause::Fuzzy(word, distance) => {
            words.iter().any(|other| strsim::osa_distance(word, other) <= usize::from(*distance))
        }
        Clause::Phrase(phrase) => phrase.iter().all(has),
    };
    clauses.iter().filter(is_in).map(Clause::written).collect()
}
