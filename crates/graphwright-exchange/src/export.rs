//! Writes a graph to files.

mod forms;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io::Write,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{StreamExt, stream::BoxStream};
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, Node, names,
    schema::Target,
    store::{ScanBatch, ScanOptions, SchemaOptions, Selection},
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use forms::FileForm;

use super::{CsvFormat, ImportProgress, csv::Folder, json_lines::Writer};
use crate::{ExchangeError, NewFile, Result};

/// Options of [`export_json_lines`] and [`export_csv`].
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Labels of the nodes to export. A relationship is exported if both of its ends are.
    pub labels: Selection,
    /// Types of the relationships to export.
    pub relationship_types: Selection,
    /// Whether to leave the vectors out.
    pub without_vectors: bool,
    /// Format of CSV files.
    pub csv: CsvFormat,
    /// Whether to put an apostrophe before each text of CSV files that a spreadsheet would take for
    /// a formula. It changes the data: an import reads the apostrophe as a part of the text.
    pub guard_formulas: bool,
    /// Stops the export. What [`export_json_lines`] wrote is incomplete then; files are as they were.
    pub cancel: CancellationToken,
}

/// Result of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    /// Nodes written.
    pub nodes: u64,
    /// Relationships written.
    pub relationships: u64,
    /// Vectors written.
    pub vectors: u64,
    /// Constraints and indexes written. CSV files hold none.
    pub schema: u64,
    /// Names of the CSV files written.
    pub files: Vec<String>,
    /// What the form cannot hold, and how it was written instead.
    pub losses: Vec<String>,
    /// Duration of the export.
    pub elapsed: Duration,
}

/// Writes a graph as JSON Lines, our portable format, which loses nothing.
///
/// ```no_run
/// # async fn example(store: &dyn graphwright_core::GraphStore) -> graphwright_exchange::Result<()> {
/// use graphwright_exchange::{ExportOptions, export_json_lines};
///
/// let mut text = Vec::new();
/// let report = export_json_lines(store, &mut text, &ExportOptions::default(), &mut |_| {}).await?;
/// assert!(text.starts_with(b"{\"graphwright\":1"));
/// # Ok(())
/// # }
/// ```
pub async fn export_json_lines(
    store: &dyn GraphStore,
    target: impl Write + Send,
    options: &ExportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<ExportReport> {
    let begin = Instant::now();
    let graph = Graph::read(store, options).await?;
    let mut report = ExportReport::default();
    let failed = |error: std::io::Error| ExchangeError::Write {
        path: "the export".into(),
        message: error.to_string(),
    };
    let target = std::io::BufWriter::with_capacity(1 << 16, target);
    let mut writer = Writer::begin(target, &graph.name).map_err(failed)?;
    let schema = graph.schema().await?;
    for constraint in schema.constraints {
        writer.constraint(constraint).map_err(failed)?;
        report.schema += 1;
    }
    let mut reading = graph.scan().await?;
    while let Some(batch) = reading.next(options, &mut report, progress).await? {
        for node in &batch.nodes {
            writer.node(node).map_err(failed)?;
        }
        for relationship in &batch.relationships {
            writer.relationship(relationship).map_err(failed)?;
        }
    }
    for (property, vectors) in graph.vectors(&reading).await? {
        for (node, values) in vectors {
            writer.vector(&node, &property, &values).map_err(failed)?;
            report.vectors += 1;
        }
    }
    for index in schema.indexes {
        writer.index(index).map_err(failed)?;
        report.schema += 1;
    }
    writer.end().map_err(failed)?;
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// Writes a graph to a file in a form, which is replaced when the export is whole.
///
/// # Errors
/// Fails if the store does or the file cannot be written. The file is as it was then.
pub async fn export_file(
    store: &dyn GraphStore,
    path: &Path,
    form: FileForm,
    options: &ExportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<ExportReport> {
    let failed =
        |error: std::io::Error| ExchangeError::Write { path: path.to_owned(), message: error.to_string() };
    let mut file = NewFile::create(path).map_err(failed)?;
    let report = match forms::export(store, &mut file, form, options, progress).await {
        Err(ExchangeError::Write { message, .. }) => {
            return Err(ExchangeError::Write { path: path.to_owned(), message });
        }
        report => report?,
    };
    file.finish().map_err(failed)?;
    Ok(report)
}

/// Writes a graph into a folder as CSV files with the headers of `neo4j-admin database import`.
///
/// There is one file for each set of labels and one for each relationship type. The folder is
/// created if it does not exist, and files of the same names are replaced when all are whole.
/// Indexes and constraints are not written. The report lists what else CSV cannot hold.
pub async fn export_csv(
    store: &dyn GraphStore,
    folder: &Path,
    options: &ExportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<ExportReport> {
    let begin = Instant::now();
    let graph = Graph::read(store, options).await?;
    let mut files = Folder::create(folder, options.csv, options.guard_formulas, &graph.name)?;
    let mut reading = graph.scan().await?;
    let mut counted = ExportReport::default();
    while let Some(batch) = reading.next(options, &mut counted, progress).await? {
        files.survey(&batch);
    }
    let schema = graph.schema().await?;
    let mut vectors: HashMap<ElementId, Vec<(String, Vec<f32>)>> = HashMap::new();
    for (property, found) in graph.vectors(&reading).await? {
        for (node, values) in found {
            counted.vectors += 1;
            vectors.entry(node).or_default().push((property.clone(), values));
        }
    }
    files.survey_vectors(&vectors);
    files.open()?;
    // The first scan only found the columns. A second one writes, so that the elements need not fit
    // in memory.
    let mut report = ExportReport { vectors: counted.vectors, ..ExportReport::default() };
    let mut reading = graph.scan().await?;
    while let Some(batch) = reading.next(options, &mut report, progress).await? {
        files.write(&batch, &vectors)?;
    }
    (report.files, report.losses) = files.close()?;
    let rules = schema.constraints.len() + schema.indexes.len();
    if rules > 0 {
        report.losses.push(format!("{rules} constraints and indexes are not written"));
    }
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// The graph to export. Reads one snapshot if the store has snapshots.
struct Graph<'a> {
    store: &'a dyn GraphStore,
    snapshot: Option<Arc<dyn GraphStore>>,
    options: &'a ExportOptions,
    /// Distinguishes nodes that lack an `__id__` from those of other exports.
    name: String,
}

impl<'a> Graph<'a> {
    async fn read(store: &'a dyn GraphStore, options: &'a ExportOptions) -> Result<Self> {
        let snapshot = store.snapshot().await?;
        // With the time, so that each export is a graph of its own to the importer.
        let now = jiff::Timestamp::now().as_nanosecond();
        let place = format!("{} {} {now}", store.info().await?.address, store.version().await?);
        let name: String = blake3::hash(place.as_bytes()).to_hex().chars().take(12).collect();
        Ok(Self { store, snapshot, options, name })
    }

    fn store(&self) -> &dyn GraphStore {
        self.snapshot.as_deref().unwrap_or(self.store)
    }

    /// Returns the constraints and indexes of what is exported.
    ///
    /// Leaves out those on `__id__`, which every store creates by itself, and indexes on labels of ours (`__Entity__`), which
    /// come with ingesting and searching.
    async fn schema(&self) -> Result<GraphSchema> {
        let options = SchemaOptions {
            labels: self.options.labels.clone(),
            relationship_types: self.options.relationship_types.clone(),
            sample: 0,
            values: 0,
        };
        let mut schema = self.store().schema(options).await?;
        let is_ours = |target: &Target| matches!(target, Target::Label(label) if names::is_reserved(label));
        schema.indexes.retain(|index| index.properties != [names::ID] && !is_ours(&index.target));
        schema.constraints.retain(|constraint| constraint.properties != [names::ID]);
        Ok(schema)
    }

    async fn scan(&self) -> Result<Reading> {
        let options = ScanOptions {
            labels: self.options.labels.clone(),
            relationship_types: self.options.relationship_types.clone(),
            ..ScanOptions::default()
        };
        let stream = self.store().scan(options).await?;
        let keep_nodes = self.options.labels != Selection::All;
        Ok(Reading { stream, nodes: keep_nodes.then(HashSet::new), first_labels: BTreeSet::new() })
    }

    /// Reads the vectors of the scanned nodes, grouped by property name.
    async fn vectors(&self, reading: &Reading) -> Result<Vec<(String, Vec<(ElementId, Vec<f32>)>)>> {
        let mut found = Vec::new();
        if self.options.without_vectors {
            return Ok(found);
        }
        for property in self.store().vector_names().await? {
            let mut seen = HashSet::new();
            let mut vectors = Vec::new();
            for label in &reading.first_labels {
                let mut stream = self.store().vectors(label, &property).await?;
                while let Some(vector) = stream.next().await {
                    let (node, values) = vector?;
                    let wanted = reading.nodes.as_ref().is_none_or(|nodes| nodes.contains(&node));
                    // A node with several labels is found once under each of them.
                    if wanted && seen.insert(node.clone()) {
                        vectors.push((node, values));
                    }
                }
            }
            if !vectors.is_empty() {
                found.push((property, vectors));
            }
        }
        Ok(found)
    }
}

/// A scan in progress.
struct Reading {
    stream: BoxStream<'static, graphwright_core::Result<ScanBatch>>,
    /// The nodes read so far; `None` if all nodes are exported.
    nodes: Option<HashSet<ElementId>>,
    /// First labels of the nodes read so far; `""` for nodes without labels.
    first_labels: BTreeSet<String>,
}

impl Reading {
    async fn next(
        &mut self,
        options: &ExportOptions,
        report: &mut ExportReport,
        progress: &mut (dyn FnMut(ImportProgress) + Send),
    ) -> Result<Option<ScanBatch>> {
        if options.cancel.is_cancelled() {
            return Err(ExchangeError::Cancelled);
        }
        let Some(batch) = self.stream.next().await else { return Ok(None) };
        let mut batch = batch?;
        for Node { element_id, labels, .. } in &batch.nodes {
            let first = labels.first().map_or("", String::as_str);
            if !self.first_labels.contains(first) {
                self.first_labels.insert(first.to_owned());
            }
            if let Some(nodes) = &mut self.nodes {
                nodes.insert(element_id.clone());
            }
        }
        if let Some(nodes) = &self.nodes {
            batch.relationships.retain(|found| nodes.contains(&found.start) && nodes.contains(&found.end));
        }
        report.nodes += batch.nodes.len() as u64;
        report.relationships += batch.relationships.len() as u64;
        let (nodes, relationships) = (report.nodes, report.relationships);
        progress(ImportProgress { nodes, relationships, ..ImportProgress::default() });
        Ok(Some(batch))
    }
}
