//! A query of one's own, appended to a search.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use graphwright_core::{GraphStore, Properties, Value, store::QueryOptions};
use graphwright_cypher::Gate;

use super::{Retrieved, Retriever};
use crate::{Hit, Result, RetrieveError, SearchRequest};

/// Runs a query of your own for each hit of another retriever: with `node` bound to the hit and
/// `score` to its score.
///
/// The query may return any columns. It passes the gate, so it only reads, and a result has at most
/// 100 rows.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use graphwright_core::GraphStore;
/// # use graphwright_retrieve::{Retriever, RetrieveError, VectorCypherRetriever};
/// # fn example(chunks: Arc<dyn Retriever>, store: Arc<dyn GraphStore>) -> Result<(), RetrieveError> {
/// let query = "MATCH (node)<-[:FROM_CHUNK]-(e) RETURN node.text AS text, collect(e.name) AS about, score";
/// let retriever = VectorCypherRetriever::new(chunks, store, query)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct VectorCypherRetriever {
    seeds: Arc<dyn Retriever>,
    store: Arc<dyn GraphStore>,
    query: String,
    parameters: Properties,
}

impl VectorCypherRetriever {
    /// Creates a retriever that appends a query to another one's hits.
    ///
    /// # Errors
    /// Fails with [`BadQuery`](RetrieveError::BadQuery) if the gate refuses the query.
    pub fn new(
        seeds: Arc<dyn Retriever>,
        store: Arc<dyn GraphStore>,
        query: impl Into<String>,
    ) -> Result<Self> {
        let retriever = Self { seeds, store, query: query.into(), parameters: Properties::new() };
        retriever.check("Chunk")?;
        Ok(retriever)
    }

    /// Sets parameters of the query.
    #[must_use]
    pub fn with_parameters(self, parameters: Properties) -> Self {
        Self { parameters, ..self }
    }

    /// Checks the query for hits of a label.
    fn check(&self, label: &str) -> Result<graphwright_cypher::Checked> {
        let bad = |message: String| RetrieveError::BadQuery { message };
        let label = graphwright_cypher::quote(label).map_err(|error| bad(error.to_string()))?;
        let text = format!(
            "UNWIND $hits AS hit MATCH (node:{label}) WHERE node.`__id__` = hit.id \
             WITH node, hit.score AS score {}",
            self.query
        );
        Gate::default().check(&text).map_err(|refusal| bad(refusal.to_string()))
    }
}

#[async_trait]
impl Retriever for VectorCypherRetriever {
    fn name(&self) -> &'static str {
        "VectorCypherRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        let mut found = self.seeds.retrieve(request).await?;
        found.retriever = self.name();
        // Each label is looked up by its own index.
        let mut by_label: BTreeMap<&str, Vec<&Hit>> = BTreeMap::new();
        for hit in found.hits.iter().filter(|hit| hit.from.is_none()) {
            by_label.entry(&hit.label).or_default().push(hit);
        }
        for (label, hits) in by_label {
            let checked = self.check(label)?;
            let hits: Vec<Value> = hits
                .iter()
                .map(|hit| {
                    let pair =
                        [("id".to_owned(), hit.id.as_str().into()), ("score".to_owned(), hit.score.into())];
                    Value::Map(pair.into_iter().collect())
                })
                .collect();
            let statement = checked.statement.with_all(self.parameters.clone()).with("hits", hits);
            let table = self.store.read(statement, QueryOptions::default()).await?.collect().await?;
            found.steps.push(format!("{}: {} rows for {label}", found.retriever, table.rows.len()));
            let limit = Gate::default().row_limit.filter(|_| !checked.bounds.is_empty());
            if let Some(limit) = limit.filter(|limit| table.rows.len() >= *limit) {
                found
                    .notices
                    .push(format!("at most {limit} rows are returned for {label}; there may be more"));
            }
            found.columns = table.columns;
            found.rows.extend(table.rows);
        }
        Ok(found)
    }
}
