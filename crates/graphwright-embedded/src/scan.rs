//! Reads the graph below the query language: everything, as of one moment.

use std::sync::Arc;

use futures::{StreamExt, stream, stream::BoxStream};
use graphwright_core::{
    ElementId, Node, Properties, Relationship, Result, StoreError,
    store::{ScanBatch, ScanOptions, Selection},
};
use kglite::api::{DirGraph, EdgeIndex, GraphRead, InternedKey, NodeIndex, Value as EngineValue};
use tokio::sync::mpsc;

use crate::{rewrite::reserved, thread, values, vectors};

/// The number of elements that travel together.
const BATCH: usize = 1024;

/// Streams all nodes, then all relationships.
pub(crate) fn scan(
    graph: Arc<DirGraph>,
    options: ScanOptions,
) -> Result<BoxStream<'static, Result<ScanBatch>>> {
    let (sender, receiver) = mpsc::channel(2);
    thread::spawn(move || {
        let _ = Scan { graph: &graph, options: &options, sender: &sender, batch: ScanBatch::default() }.run();
    })?;
    Ok(from_channel(receiver))
}

/// Streams the vectors of a label under a property.
pub(crate) fn vectors(
    graph: &DirGraph,
    label: &str,
    property: &str,
) -> BoxStream<'static, Result<(ElementId, Vec<f32>)>> {
    let mark = reserved::vector_mark(property);
    let label = if label.is_empty() { reserved::UNLABELLED.into() } else { reserved::label_to_engine(label) };
    let nodes = graph.nodes_with_label(&label).into_iter();
    // Collected, because the stream outlives the borrowed graph.
    let found: Vec<_> =
        nodes.filter_map(|node| Some((node.index(), vectors::node_vector(graph, node, &mark)?))).collect();
    stream::iter(found.into_iter().map(|(slot, vector)| Ok((element_id(slot), vector)))).boxed()
}

fn from_channel<T: Send + 'static>(receiver: mpsc::Receiver<T>) -> BoxStream<'static, T> {
    stream::unfold(receiver, |mut receiver| async move { Some((receiver.recv().await?, receiver)) }).boxed()
}

/// An error that stops a scan whose stream the caller has dropped.
struct Unwanted;

struct Scan<'a> {
    graph: &'a DirGraph,
    options: &'a ScanOptions,
    sender: &'a mpsc::Sender<Result<ScanBatch>>,
    batch: ScanBatch,
}

impl Scan<'_> {
    fn run(mut self) -> Result<(), Unwanted> {
        for node in self.graph.graph.node_indices() {
            let labels = labels(self.graph, node);
            if !selects(&self.options.labels, &labels) {
                continue;
            }
            match node_of(self.graph, node, labels, &self.options.node_properties) {
                Ok(node) => self.batch.nodes.push(node),
                Err(error) => return self.fail(error),
            }
            self.send_if_full()?;
        }
        for edge in self.graph.graph.edge_references() {
            let Some(kind) = name(self.graph, edge.connection_type()) else { continue };
            if !self.options.relationship_types.includes(kind) {
                continue;
            }
            let (start, end) = (element_id(edge.source().index()), element_id(edge.target().index()));
            let properties =
                relationship_properties(self.graph, edge.id(), &self.options.relationship_properties);
            match properties {
                Ok(properties) => self.batch.relationships.push(Relationship {
                    element_id: element_id(edge.id().index()),
                    kind: kind.to_owned(),
                    start,
                    end,
                    properties,
                }),
                Err(error) => return self.fail(error),
            }
            self.send_if_full()?;
        }
        self.send()
    }

    fn send_if_full(&mut self) -> Result<(), Unwanted> {
        if self.batch.nodes.len() + self.batch.relationships.len() < BATCH { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Unwanted> {
        let batch = std::mem::take(&mut self.batch);
        if batch == ScanBatch::default() {
            return Ok(());
        }
        self.sender.blocking_send(Ok(batch)).map_err(|_| Unwanted)
    }

    fn fail(&self, error: StoreError) -> Result<(), Unwanted> {
        self.sender.blocking_send(Err(error)).map_err(|_| Unwanted)
    }
}

fn selects(selection: &Selection, labels: &[String]) -> bool {
    match selection {
        Selection::All => true,
        selection => labels.iter().any(|label| selection.includes(label)),
    }
}

/// Returns the labels of a node, the most specific first.
pub(crate) fn labels(graph: &DirGraph, node: NodeIndex) -> Vec<String> {
    graph
        .node_labels(node)
        .into_iter()
        .filter_map(|label| values::label_from_engine(name(graph, label)?))
        .collect()
}

/// Returns a node with the selected properties.
pub(crate) fn node_of(
    graph: &DirGraph,
    node: NodeIndex,
    labels: Vec<String>,
    selection: &Selection,
) -> Result<Node> {
    let entries = match selection {
        Selection::None => Vec::new(),
        Selection::Only(names) => {
            let read = |name: &String| {
                let key = InternedKey::from_str(&reserved::property_to_engine(name));
                Some((key, graph.graph.get_node_property(node, key)?))
            };
            names.iter().filter_map(read).collect()
        }
        Selection::All | Selection::Except(_) => graph.graph.node_row_properties(node),
    };
    let properties = properties(graph, entries, selection)?;
    Ok(Node { element_id: element_id(node.index()), labels, properties })
}

/// Returns the selected properties of a relationship.
pub(crate) fn relationship_properties(
    graph: &DirGraph,
    edge: EdgeIndex,
    selection: &Selection,
) -> Result<Properties> {
    if *selection == Selection::None {
        return Ok(Properties::new());
    }
    properties(graph, graph.graph.edge_property_list(edge).unwrap_or_default(), selection)
}

fn properties(
    graph: &DirGraph,
    entries: Vec<(InternedKey, EngineValue)>,
    selection: &Selection,
) -> Result<Properties> {
    let named = entries.into_iter().filter_map(|(key, value)| {
        let name = name(graph, key)?;
        let outside = reserved::property_from_engine(name)?;
        selection.includes(outside).then_some((name, value))
    });
    values::properties_from_engine(named)
}

/// Returns a name that the engine has interned.
pub(crate) fn name(graph: &DirGraph, key: InternedKey) -> Option<&str> {
    graph.interner.try_resolve(key)
}

/// Returns the identifier that the engine's `elementId()` gives for the element in that slot.
pub(crate) fn element_id(slot: usize) -> ElementId {
    ElementId::new(slot.to_string())
}
