//! A pair of stores with the same graph.

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use graphwright_core::{
    GraphStore, Node, Properties, Result, Statement, StoreError, Table, Value,
    store::{Counters, QueryOptions, ScanOptions},
};
use graphwright_cypher::{Gate, Refusal, Writes};
use graphwright_embedded::EmbeddedStore;

use crate::{
    case::Case,
    compare::{Ordering, apart, canonical, difference, uncut},
    graph::Graph,
};

/// The time limit of a query.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// The verdict on a query that ran on both stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both returned the same rows and wrote the same. Has the number of rows, or one if only the
    /// graph has changed.
    Same(usize),
    /// Both failed with the same kind of error and wrote nothing.
    BothFailed(String),
    /// The embedded store reported a construct that it does not run.
    Refused(String),
    /// The stores differ.
    Wrong(String),
    /// The stores differ, but with its other runtime Neo4j returns the rows of the embedded store.
    Contradicted(String),
    /// Neo4j exceeded the time limit.
    Late,
    /// The gate refuses the text.
    Gated(String),
}

impl Verdict {
    fn same(&self) -> Option<usize> {
        match self {
            Self::Same(rows) => Some(*rows),
            _ => None,
        }
    }
}

/// The embedded store and Neo4j with the same graph.
#[derive(Clone, Debug)]
pub struct Pair {
    embedded: Arc<dyn GraphStore>,
    neo4j: Arc<dyn GraphStore>,
    graph: Graph,
}

impl Pair {
    /// Takes over a Neo4j store and deletes its content.
    ///
    /// # Errors
    ///
    /// Returns the error of the store if it cannot be emptied.
    pub async fn new(neo4j: Arc<dyn GraphStore>) -> Result<Self> {
        let embedded = Arc::new(EmbeddedStore::in_memory());
        let mut pair = Self { embedded, neo4j, graph: Graph::default() };
        pair.load().await?;
        Ok(pair)
    }

    /// Replaces the graph in both stores.
    ///
    /// # Errors
    ///
    /// Returns the error of a store that cannot be written.
    pub async fn change(&mut self, graph: Graph) -> Result<()> {
        self.graph = graph;
        self.load().await
    }

    /// Returns the graph that both stores hold.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    async fn load(&mut self) -> Result<()> {
        // A new embedded store is cheaper than an emptied one.
        self.embedded = Arc::new(EmbeddedStore::in_memory());
        let empty = Statement::fixed("MATCH (n) DETACH DELETE n");
        self.neo4j.write(empty, options()).await?;
        let Some(text) = self.graph.statement() else {
            return Ok(());
        };
        let statement = gate(true).check(&text).map_err(|refusal| refused(&refusal))?.statement;
        self.embedded.write(statement.clone(), options()).await?;
        self.neo4j.write(statement, options()).await?;
        Ok(())
    }

    /// Runs a kept case on its graph.
    ///
    /// # Errors
    ///
    /// Returns the error of a store that cannot be loaded or scanned.
    pub async fn judge_case(&mut self, case: &Case) -> Result<Verdict> {
        if *self.graph() != case.graph {
            self.change(case.graph.clone()).await?;
        }
        let writes = matches!(gate(true).check(&case.query), Ok(checked) if checked.writes);
        if writes {
            self.judge_write(&case.query, &case.parameters).await
        } else {
            Ok(self.judge_read(&case.query, &case.parameters).await)
        }
    }

    /// Runs a query that reads on both stores.
    pub async fn judge_read(&self, query: &str, parameters: &Properties) -> Verdict {
        judge(self.embedded.as_ref(), self.neo4j.as_ref(), query, parameters).await
    }

    /// Runs a query that writes on both stores, compares their content afterwards, and restores the
    /// graph.
    ///
    /// # Errors
    ///
    /// Returns the error of a store that cannot be loaded or scanned.
    pub async fn judge_write(&mut self, query: &str, parameters: &Properties) -> Result<Verdict> {
        let statement = match gate(true).check(query) {
            Ok(checked) => checked.statement.with_all(parameters.clone()),
            Err(refusal) => return Ok(Verdict::Gated(refusal.to_string())),
        };
        let before = content(self.embedded.as_ref()).await?;
        let (embedded, neo4j) = futures::join!(
            self.embedded.write(statement.clone(), options()),
            self.neo4j.write(statement.clone(), options())
        );
        let has_changed = neo4j.as_ref().is_ok_and(|result| result.counters != Counters::default());
        let verdict = verdict(embedded.map(|result| result.table), neo4j.map(|result| result.table), query);
        let (embedded, neo4j) = futures::join!(content(self.embedded.as_ref()), content(self.neo4j.as_ref()));
        let (embedded, neo4j) = (("embedded", &*embedded?), ("neo4j", &*neo4j?));
        self.load().await?;
        let before = ("before", &*before);
        let fault = match &verdict {
            Verdict::Same(_) => apart(embedded, neo4j),
            Verdict::BothFailed(_) => apart(before, embedded).or_else(|| apart(before, neo4j)),
            Verdict::Refused(_) => apart(before, embedded),
            _ => None,
        };
        Ok(match (fault, verdict) {
            (Some(fault), _) => Verdict::Wrong(format!("graphs: {fault}")),
            (None, Verdict::Same(rows)) => Verdict::Same(rows.max(usize::from(has_changed))),
            (None, other) => other,
        })
    }
}

/// Runs a query that reads on two stores with the same graph. If the query leaves out rows that may
/// tie with others, the whole result is compared too.
pub async fn judge(
    embedded: &dyn GraphStore,
    neo4j: &dyn GraphStore,
    query: &str,
    parameters: &Properties,
) -> Verdict {
    let verdict = judge_as_it_stands(embedded, neo4j, query, parameters).await;
    let Some((whole, rows)) = uncut(query).zip(verdict.same()) else { return verdict };
    match judge_as_it_stands(embedded, neo4j, whole, parameters).await {
        Verdict::Same(_) => Verdict::Same(rows),
        other => other,
    }
}

async fn judge_as_it_stands(
    embedded: &dyn GraphStore,
    neo4j: &dyn GraphStore,
    query: &str,
    parameters: &Properties,
) -> Verdict {
    let statement = match gate(false).check(query) {
        Ok(checked) => checked.statement.with_all(parameters.clone()),
        Err(refusal) => return Verdict::Gated(refusal.to_string()),
    };
    let (here, there) = futures::join!(read(embedded, statement.clone()), read(neo4j, statement.clone()));
    let how = match verdict(here, there, query) {
        Verdict::Wrong(how) => how,
        other => return other,
    };
    let (here, there) = futures::join!(read(embedded, statement.clone()), read(neo4j, legacy(&statement)));
    match verdict(here, there, query) {
        Verdict::Same(_) => Verdict::Contradicted(how),
        _ => Verdict::Wrong(how),
    }
}

/// Returns the statement for Neo4j's legacy runtime.
///
/// The usual runtime (slotted) loses rows and values in some plans, so that a query may be right on
/// one graph and wrong on another. The text is leaked, because there are few.
fn legacy(statement: &Statement) -> Statement {
    let text = format!("CYPHER runtime=legacy {}", statement.text());
    Statement::fixed(text.leak()).with_all(statement.parameters().clone())
}

/// Returns a gate that passes everything that reads (with `write`, also what writes) and adds no
/// bound on rows.
fn gate(write: bool) -> Gate {
    let writes = if write { Writes::Script } else { Writes::None };
    Gate { writes, row_limit: None, max_work: None, ..Gate::default() }
}

fn refused(refusal: &Refusal) -> StoreError {
    StoreError::Syntax { message: refusal.to_string(), position: None }
}

fn options() -> QueryOptions {
    QueryOptions { time_limit: Some(TIME_LIMIT), ..QueryOptions::default() }
}

async fn read(store: &dyn GraphStore, statement: Statement) -> Result<Table> {
    store.read(statement, options()).await?.collect().await
}

/// Compares two answers to one query.
fn verdict(embedded: Result<Table>, neo4j: Result<Table>, query: &str) -> Verdict {
    match (embedded, neo4j) {
        (_, Err(StoreError::TimedOut { .. })) => Verdict::Late,
        (Err(StoreError::Unsupported { construct, .. }), _) => Verdict::Refused(construct),
        (Ok(embedded), Ok(neo4j)) => match difference(&embedded, &neo4j, &Ordering::from_query(query)) {
            None => Verdict::Same(neo4j.rows.len()),
            Some(difference) => Verdict::Wrong(difference),
        },
        (Err(embedded), Err(neo4j)) if category(&embedded) == category(&neo4j) => {
            Verdict::BothFailed(format!("{}: {neo4j}", neo4j.code()))
        }
        (embedded, neo4j) => {
            let told = |answer: Result<Table>| match answer {
                Ok(table) => format!("gives {} rows", table.rows.len()),
                Err(error) => format!("fails ({}: {error})", error.code()),
            };
            Verdict::Wrong(format!("embedded {}, neo4j {}", told(embedded), told(neo4j)))
        }
    }
}

/// Returns the category of an error. Errors of one category mean the same to the caller: Neo4j
/// finds some errors of types before it runs a query.
fn category(error: &StoreError) -> &'static str {
    match error {
        StoreError::Syntax { .. } | StoreError::Evaluation { .. } => "statement",
        other => other.code(),
    }
}

/// Returns all nodes and relationships as sorted texts.
async fn content(store: &dyn GraphStore) -> Result<Vec<String>> {
    let mut batches = store.scan(ScanOptions::default()).await?;
    let mut nodes = std::collections::BTreeMap::new();
    let mut found = Vec::new();
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        for node in batch.nodes {
            nodes.insert(node.element_id.clone(), shown(node));
        }
        for relationship in batch.relationships {
            let end = |id| nodes.get(id).map(String::as_str).unwrap_or_default();
            let (from, to) = (end(&relationship.start), end(&relationship.end));
            found.push(format!("{from} -{}-> {to}", shown_value(&relationship.clone().into())));
        }
    }
    found.extend(nodes.into_values());
    found.sort_unstable();
    Ok(found)
}

fn shown(node: Node) -> String {
    shown_value(&node.into())
}

fn shown_value(value: &Value) -> String {
    serde_json::to_string(&canonical(value)).unwrap_or_default()
}
