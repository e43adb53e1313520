//! Reads JSON Lines.

use std::path::Path;

use graphwright_core::{Properties, Value, names, value::lost_number};

use super::{
    super::{
        InputProblem, ProblemKind,
        files::{empty, open, read_line},
        item::{Item, NodeItem, Place, Reference, RelationshipItem, Sink, file_name},
        registry::own_id,
    },
    Counts, Line, VERSION,
    explain::explain,
};
use crate::Result;

/// Reads a file from its header to its end line.
pub(in super::super) fn read(path: &Path, sink: &mut dyn Sink) -> Result<()> {
    let file = file_name(path);
    let mut input = open(path)?;
    let mut state = State { file: &file, line: 0, graph: None, counts: Counts::default(), ended: false };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        state.line += 1;
        let count = read_line(&mut input, &mut bytes).map_err(|error| {
            state.form(format!("it cannot be read: {error}"), "check the file and the disk")
        })?;
        if count == 0 {
            break;
        }
        let bytes = bytes.trim_ascii_end();
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        if let Some((at, message)) = lost_number(bytes) {
            let mut problem = state.form(message, "correct the number, or write it as a text");
            problem.column = Some((at + 1).to_string());
            return Err(problem.into());
        }
        let line = serde_json::from_slice(bytes).map_err(|_| state.malformed(bytes))?;
        if let Some(item) = state.take(line)? {
            sink.item(&Place { file: &file, line: state.line }, item)?;
        }
    }
    if state.graph.is_none() {
        return Err(empty(&file).into());
    }
    if !state.ended {
        // The problem lies in no line of the file.
        state.line = 0;
        let message = "the last line, which says how much there is, is missing: the file was cut";
        return Err(state.form(message, "export again").into());
    }
    Ok(())
}

struct State<'a> {
    file: &'a str,
    line: u64,
    graph: Option<String>,
    counts: Counts,
    ended: bool,
}

impl State<'_> {
    fn take(&mut self, line: Line<'_>) -> Result<Option<Item>, InputProblem> {
        if self.ended {
            return Err(self.form("there are lines after the end line", "import each file by itself"));
        }
        let Some(graph) = self.graph.clone() else { return self.header(&line).map(|()| None) };
        let reference = |id: &str| Reference { space: graph.clone(), id: id.to_owned() };
        Ok(Some(match line {
            Line::Node { node, labels, properties } => {
                self.counts.nodes += 1;
                let reference = reference(&node);
                let (id, properties) = own(&reference, properties.into_owned());
                let labels = labels.into_owned();
                Item::Node(NodeItem {
                    reference: Some(reference),
                    id,
                    labels,
                    properties,
                    vectors: Vec::new(),
                    merge: false,
                })
            }
            Line::Relationship { relationship, kind, from, to, properties } => {
                self.counts.relationships += 1;
                let (id, properties) = own(&reference(&relationship), properties.into_owned());
                Item::Relationship(RelationshipItem {
                    kind: kind.into_owned(),
                    from: reference(&from),
                    to: reference(&to),
                    id,
                    properties,
                    optional: false,
                })
            }
            Line::Vector { vector, property, values } => {
                self.counts.vectors += 1;
                let property = property.into_owned();
                Item::Vector { node: reference(&vector), property, values: values.into_owned() }
            }
            Line::Constraint { constraint } => Item::Constraint(constraint),
            Line::Index { index } => Item::Index(index),
            Line::Header { .. } => {
                return Err(self.form("there is a second header", "import each file by itself"));
            }
            Line::End { end } => {
                self.ended = true;
                return if end == self.counts { Ok(None) } else { Err(self.wrong_counts(end)) };
            }
        }))
    }

    fn header(&mut self, line: &Line<'_>) -> Result<(), InputProblem> {
        match line {
            Line::Header { graphwright: VERSION, graph } => {
                self.graph = Some(graph.clone().into_owned());
                Ok(())
            }
            Line::Header { graphwright, .. } => Err(self.form(
                format!(
                    "the file is of version {graphwright} of the format; this program reads version {VERSION}"
                ),
                "use the program that wrote it, or a newer one",
            )),
            _ => Err(self.form(
                "the first line is not a header",
                format!("begin with {{\"graphwright\": {VERSION}, \"graph\": \"a name of your own\"}}"),
            )),
        }
    }

    fn wrong_counts(&self, end: Counts) -> InputProblem {
        let found = self.counts;
        let message = format!(
            "the file should hold {} nodes, {} relationships and {} vectors, but holds {}, {} and {}",
            end.nodes, end.relationships, end.vectors, found.nodes, found.relationships, found.vectors
        );
        self.form(message, "export again, or correct the counts if you changed the file")
    }

    /// Describes what is wrong with an invalid line.
    fn malformed(&self, bytes: &[u8]) -> InputProblem {
        let (column, message) = explain(bytes);
        let mut problem = self.form(message, "see docs/exchange.md for the form of the lines");
        problem.column = column.map(|column| column.to_string());
        problem
    }

    fn form(&self, message: impl Into<String>, hint: impl Into<String>) -> InputProblem {
        Place { file: self.file, line: self.line }.problem(ProblemKind::Form, message, hint)
    }
}

/// Splits properties into the element's identifier and the others.
fn own(reference: &Reference, mut properties: Properties) -> (String, Properties) {
    match properties.remove(names::ID) {
        Some(Value::String(id)) => (id, properties),
        _ => (own_id(reference), properties),
    }
}
