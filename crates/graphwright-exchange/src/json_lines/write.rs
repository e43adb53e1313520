//! Writes JSON Lines.

use std::{borrow::Cow, io::Write};

use graphwright_core::{
    ElementId, Node, Relationship,
    schema::{Constraint, Index},
};

use super::{Counts, Line, VERSION};

/// A writer of lines.
pub(in super::super) struct Writer<W> {
    target: W,
    counts: Counts,
}

impl<W: Write> Writer<W> {
    /// Writes the header. `graph` distinguishes nodes that lack an `__id__` from those of other
    /// files.
    pub(in super::super) fn begin(target: W, graph: &str) -> std::io::Result<Self> {
        let mut writer = Self { target, counts: Counts::default() };
        writer.line(&Line::Header { graphwright: VERSION, graph: Cow::Borrowed(graph) })?;
        Ok(writer)
    }

    pub(in super::super) fn node(&mut self, node: &Node) -> std::io::Result<()> {
        self.counts.nodes += 1;
        self.line(&Line::Node {
            node: node.element_id.as_str().into(),
            labels: Cow::Borrowed(&node.labels),
            properties: Cow::Borrowed(&node.properties),
        })
    }

    pub(in super::super) fn relationship(&mut self, relationship: &Relationship) -> std::io::Result<()> {
        self.counts.relationships += 1;
        self.line(&Line::Relationship {
            relationship: relationship.element_id.as_str().into(),
            kind: relationship.kind.as_str().into(),
            from: relationship.start.as_str().into(),
            to: relationship.end.as_str().into(),
            properties: Cow::Borrowed(&relationship.properties),
        })
    }

    pub(in super::super) fn vector(
        &mut self,
        node: &ElementId,
        property: &str,
        values: &[f32],
    ) -> std::io::Result<()> {
        self.counts.vectors += 1;
        self.line(&Line::Vector {
            vector: node.as_str().into(),
            property: property.into(),
            values: Cow::Borrowed(values),
        })
    }

    pub(in super::super) fn constraint(&mut self, constraint: Constraint) -> std::io::Result<()> {
        self.line(&Line::Constraint { constraint })
    }

    pub(in super::super) fn index(&mut self, index: Index) -> std::io::Result<()> {
        self.line(&Line::Index { index })
    }

    pub(in super::super) fn end(mut self) -> std::io::Result<()> {
        self.line(&Line::End { end: self.counts })?;
        self.target.flush()
    }

    fn line(&mut self, line: &Line<'_>) -> std::io::Result<()> {
        serde_json::to_writer(&mut self.target, line)?;
        self.target.write_all(b"\n")
    }
}
