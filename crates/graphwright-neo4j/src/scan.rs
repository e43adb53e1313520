//! Reads the graph in one transaction: nodes, then relationships. Reads vectors.

use std::{collections::BTreeMap, sync::Arc};

use futures::{StreamExt, stream, stream::BoxStream};
use graphwright_core::{
    ElementId, Node, Properties, Record, Relationship, Result, StoreError, Value,
    store::{ScanBatch, ScanOptions, Selection},
};
use neo4j::transaction::Transaction;
use tokio::sync::mpsc;

use crate::{
    call::Call,
    error::Failure,
    index::quoted,
    server::{self, Server},
    values::{self, Parameters},
    vectors::{VectorNames, list},
    workers::{Limits, Workers},
};

/// The number of elements that travel together.
const BATCH: usize = 1024;

type Sender<T> = mpsc::Sender<Result<T>>;

/// Streams all nodes, then all relationships.
pub(crate) async fn scan(
    workers: &Arc<Workers>,
    options: ScanOptions,
) -> Result<BoxStream<'static, Result<ScanBatch>>> {
    stream_of(workers, move |server, transaction, sender| {
        let vectors = VectorNames::within(transaction, &server.hidden_vectors)?;
        let nodes = node_query(&options, &vectors)?;
        let relationships = relationship_query(&options)?;
        for (query, is_node) in
            nodes.iter().map(|query| (query, true)).chain(relationships.iter().map(|query| (query, false)))
        {
            let mut batch = ScanBatch::default();
            server::run_with(transaction, &query.text, &query.parameters, |_, row| {
                let Some(row) = row else { return Ok(()) };
                if is_node {
                    batch.nodes.push(node(row)?);
                } else {
                    batch.relationships.push(relationship(row)?);
                }
                if batch.nodes.len() + batch.relationships.len() == BATCH {
                    send(sender, std::mem::take(&mut batch))?;
                }
                Ok(())
            })?;
            if batch != ScanBatch::default() {
                send(sender, batch)?;
            }
        }
        Ok(())
    })
    .await
}

/// Streams the vectors of a label under a property.
pub(crate) async fn vectors(
    workers: &Arc<Workers>,
    label: &str,
    property: &str,
) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
    let property = quoted(property)?;
    let (pattern, bare) = match label {
        "" => ("(n)".to_owned(), "size(labels(n)) = 0 AND "),
        label => (format!("(n:{})", quoted(label)?), ""),
    };
    let text =
        format!("MATCH {pattern} WHERE {bare}n.{property} IS NOT NULL RETURN elementId(n), n.{property}");
    stream_of(workers, move |_, transaction, sender| {
        server::run_with(transaction, &text, &Parameters::new(), |_, row| {
            let Some([Value::String(id), vector]) = row.as_deref() else { return Ok(()) };
            match vector_of(vector) {
                Some(vector) => send(sender, (ElementId::new(id.as_str()), vector)),
                None => Ok(()),
            }
        })
        .map(drop)
    })
    .await
}

/// Reads the numbers of a list. Returns `None` for what is no vector.
pub(crate) fn vector_of(value: &Value) -> Option<Vec<f32>> {
    let items = value.as_list().filter(|items| !items.is_empty())?;
    items.iter().map(|item| item.as_float().map(|number| number as f32)).collect()
}

/// Runs `work` in a transaction that reads, and streams what it sends.
async fn stream_of<T: Send + 'static>(
    workers: &Arc<Workers>,
    work: impl for<'a> Fn(&Server, &'a Transaction<'_, 'a>, &Sender<T>) -> Result<(), Failure> + Send + 'static,
) -> Result<BoxStream<'static, Result<T>>> {
    let (sender, receiver) = mpsc::channel(4);
    let produce = move |server: &Server, call: &Call| {
        let mut begun = false;
        let outcome = server.read_transaction(call, |transaction| {
            if std::mem::replace(&mut begun, true) {
                // What was sent cannot be taken back.
                return Err(lost(server).into());
            }
            work(server, transaction, &sender)
        });
        if let Err(error) = outcome {
            let _ = sender.blocking_send(Err(call.stopped_error().unwrap_or(error)));
        }
    };
    let handle = workers.start(Limits::default(), produce).await?;
    let items = stream::unfold((receiver, handle), |(mut receiver, handle)| async move {
        let Some(item) = receiver.recv().await else {
            handle.finish();
            return None;
        };
        Some((item, (receiver, handle)))
    });
    Ok(items.boxed())
}

fn lost(server: &Server) -> StoreError {
    StoreError::Disconnected {
        address: server.address().to_string(),
        message: "the graph was not read to its end".to_owned(),
    }
}

fn send<T>(sender: &Sender<T>, item: T) -> Result<(), Failure> {
    // A store's error, since the driver's could be tried again.
    sender.blocking_send(Ok(item)).map_err(|_| StoreError::Cancelled.into())
}

struct Query {
    text: String,
    parameters: Parameters,
}

fn node_query(options: &ScanOptions, vectors: &VectorNames) -> Result<Option<Query>> {
    let mut parameters = Parameters::new();
    let pattern = match &options.labels {
        Selection::None => return Ok(None),
        Selection::All => "(n)".to_owned(),
        Selection::Only(labels) if labels.is_empty() => return Ok(None),
        Selection::Only(labels) => format!("(n:{})", alternatives(labels)?),
        Selection::Except(labels) => {
            parameters.insert("except".to_owned(), list(labels));
            "(n) WHERE any(label IN labels(n) WHERE NOT label IN $except)".to_owned()
        }
    };
    let properties = projection("n", &options.node_properties, vectors, &mut parameters)?;
    let text = format!("MATCH {pattern} RETURN elementId(n), labels(n), {properties}");
    Ok(Some(Query { text, parameters }))
}

fn relationship_query(options: &ScanOptions) -> Result<Option<Query>> {
    let mut parameters = Parameters::new();
    let (kinds, filter) = match &options.relationship_types {
        Selection::None => return Ok(None),
        Selection::All => (String::new(), ""),
        Selection::Only(kinds) if kinds.is_empty() => return Ok(None),
        Selection::Only(kinds) => (format!(":{}", alternatives(kinds)?), ""),
        Selection::Except(kinds) => {
            parameters.insert("except".to_owned(), list(kinds));
            (String::new(), " WHERE NOT type(r) IN $except")
        }
    };
    let properties =
        projection("r", &options.relationship_properties, &VectorNames::default(), &mut parameters)?;
    let text = format!(
        "MATCH (a)-[r{kinds}]->(b){filter} RETURN elementId(r), type(r), elementId(a), elementId(b), {properties}"
    );
    Ok(Some(Query { text, parameters }))
}

/// Writes the expression for the selected properties: a map, or pairs of name and value.
fn projection(
    variable: &str,
    selection: &Selection,
    vectors: &VectorNames,
    parameters: &mut Parameters,
) -> Result<String> {
    Ok(match selection {
        Selection::All => vectors.properties(variable, parameters),
        Selection::None => "{}".to_owned(),
        Selection::Only(names) => {
            let names: Vec<_> =
                names.iter().map(|name| Ok(format!(".{}", quoted(name)?))).collect::<Result<_>>()?;
            format!("{variable}{{{}}}", names.join(", "))
        }
        Selection::Except(names) => {
            parameters.insert("without".to_owned(), list(names));
            vectors.pairs(variable, "NOT name IN $without", parameters)
        }
    })
}

fn alternatives(names: &[String]) -> Result<String> {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect::<Result<_>>()?;
    Ok(names.join("|"))
}

fn node(row: Record) -> Result<Node> {
    match <[Value; 3]>::try_from(row) {
        Ok([Value::String(id), Value::List(labels), given]) => {
            let labels = labels.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Ok(Node {
                element_id: ElementId::new(id),
                labels: values::specific_first(labels),
                properties: properties(given),
            })
        }
        _ => Err(unexpected()),
    }
}

fn relationship(row: Record) -> Result<Relationship> {
    match <[Value; 5]>::try_from(row) {
        Ok([Value::String(id), Value::String(kind), Value::String(start), Value::String(end), given]) => {
            Ok(Relationship {
                element_id: ElementId::new(id),
                kind,
                start: ElementId::new(start),
                end: ElementId::new(end),
                properties: properties(given),
            })
        }
        _ => Err(unexpected()),
    }
}

/// Reads properties from a map, or from pairs of name and value.
pub(crate) fn properties(given: Value) -> Properties {
    let mut found: BTreeMap<String, Value> = match given {
        Value::Map(map) => map,
        Value::List(pairs) => pairs
            .into_iter()
            .filter_map(|pair| match pair {
                Value::List(pair) => match <[Value; 2]>::try_from(pair) {
                    Ok([Value::String(name), value]) => Some((name, value)),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        _ => BTreeMap::new(),
    };
    found.retain(|_, value| !value.is_null());
    found
}

fn unexpected() -> StoreError {
    StoreError::Engine { message: "the server gave other columns than were asked for".to_owned() }
}
