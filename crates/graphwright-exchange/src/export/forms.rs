//! The forms of a single file.

use std::{
    collections::HashSet,
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

use graphwright_core::{ElementId, GraphStore, Node, Relationship, names, store::ScanBatch};

use super::{ExportOptions, ExportReport, Graph, export_json_lines};
use crate::{
    ExchangeError, ImportProgress, Result, gexf::Gexf, graphml::GraphMl, keys::GraphKeys, turtle::Turtle,
};

/// A form of a single file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileForm {
    /// Our portable form, which loses nothing.
    JsonLines,
    /// GraphML, for programs that analyse and draw graphs.
    GraphMl,
    /// GEXF 1.3, the form of Gephi.
    Gexf,
    /// Turtle, for RDF.
    Turtle,
}

impl FileForm {
    /// The endings of file names, each with its form.
    pub const ENDINGS: [(&str, Self); 5] = [
        ("jsonl", Self::JsonLines),
        ("ndjson", Self::JsonLines),
        ("graphml", Self::GraphMl),
        ("gexf", Self::Gexf),
        ("ttl", Self::Turtle),
    ];

    /// Returns the form that a file's name tells, in capitals or not.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use graphwright_exchange::FileForm;
    ///
    /// assert_eq!(FileForm::from_path(Path::new("out/Graph.GraphML")), Some(FileForm::GraphMl));
    /// assert_eq!(FileForm::from_path(Path::new("graph.docx")), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let known = Self::ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
        known.map(|(_, form)| *form)
    }
}

/// Writes a graph in a form.
pub(super) async fn export(
    store: &dyn GraphStore,
    target: impl Write + Send,
    form: FileForm,
    options: &ExportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<ExportReport> {
    if form == FileForm::JsonLines {
        return export_json_lines(store, target, options, progress).await;
    }
    let begin = Instant::now();
    let failed = |error: std::io::Error| ExchangeError::Write {
        path: "the export".into(),
        message: error.to_string(),
    };
    let graph = Graph::read(store, options).await?;
    let mut report = ExportReport::default();
    let mut keys = GraphKeys::default();
    let mut ours = Ours::default();
    if form != FileForm::Turtle {
        // The keys come before the first value. Two scans, so that the elements need not fit in memory.
        let (mut reading, mut surveyed) = (graph.scan().await?, ExportReport::default());
        while let Some(mut batch) = reading.next(options, &mut surveyed, progress).await? {
            ours.leave_out(&mut batch);
            keys.survey(&batch);
        }
    }
    let target = BufWriter::with_capacity(1 << 16, target);
    let mut writer = FormWriter::begin(form, target, keys).map_err(failed)?;
    ours = Ours::default();
    let mut reading = graph.scan().await?;
    while let Some(mut batch) = reading.next(options, &mut report, progress).await? {
        ours.leave_out(&mut batch);
        for node in &batch.nodes {
            writer.node(node).map_err(failed)?;
        }
        for relationship in &batch.relationships {
            writer.relationship(relationship).map_err(failed)?;
        }
    }
    let replaced = writer.end().map_err(failed)?;
    report.nodes -= ours.nodes.len() as u64;
    report.relationships -= ours.relationships;
    if replaced > 0 {
        report.losses.push(format!("{replaced} characters that XML cannot hold are written as U+FFFD"));
    }
    if !ours.nodes.is_empty() {
        report.losses.push(format!("records of Graphwright's own are not written: {}", ours.nodes.len()));
    }
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// What Graphwright remembers about itself, which means nothing to other programs: nodes whose labels
/// are all reserved.
#[derive(Default)]
struct Ours {
    nodes: HashSet<ElementId>,
    relationships: u64,
}

impl Ours {
    fn leave_out(&mut self, batch: &mut ScanBatch) {
        let is_ours = |node: &mut Node| {
            !node.labels.is_empty() && node.labels.iter().all(|label| names::is_reserved(label))
        };
        self.nodes.extend(batch.nodes.extract_if(.., is_ours).map(|node| node.element_id));
        let touches =
            |found: &mut Relationship| self.nodes.contains(&found.start) || self.nodes.contains(&found.end);
        self.relationships += batch.relationships.extract_if(.., touches).count() as u64;
    }
}

/// A writer of one of the forms.
enum FormWriter<W: Write> {
    GraphMl(GraphMl<W>),
    Gexf(Gexf<W>),
    Turtle(Turtle<W>),
}

impl<W: Write> FormWriter<W> {
    fn begin(form: FileForm, target: W, keys: GraphKeys) -> std::io::Result<Self> {
        Ok(match form {
            FileForm::Gexf => Self::Gexf(Gexf::begin(target, keys)?),
            FileForm::Turtle => Self::Turtle(Turtle::begin(target)?),
            // JSON Lines have a writer of their own.
            FileForm::GraphMl | FileForm::JsonLines => Self::GraphMl(GraphMl::begin(target, keys)?),
        })
    }

    fn node(&mut self, node: &Node) -> std::io::Result<()> {
        match self {
            Self::GraphMl(writer) => writer.node(node),
            Self::Gexf(writer) => writer.node(node),
            Self::Turtle(writer) => writer.node(node),
        }
    }

    fn relationship(&mut self, relationship: &Relationship) -> std::io::Result<()> {
        match self {
            Self::GraphMl(writer) => writer.relationship(relationship),
            Self::Gexf(writer) => writer.relationship(relationship),
            Self::Turtle(writer) => writer.relationship(relationship),
        }
    }

    /// Returns how many characters the form could not hold.
    fn end(self) -> std::io::Result<u64> {
        match self {
            Self::GraphMl(writer) => writer.end(),
            Self::Gexf(writer) => writer.end(),
            Self::Turtle(writer) => writer.end().map(|()| 0),
        }
    }
}
