//! Pictures of a flow.

mod svg;

use std::fmt::Write;

use crate::shape::{FlowShape, Shape};

/// A picture of a flow: steps, and the events between them. Made by [`Flow::draw`](crate::Flow::draw).
///
/// A thick arrow is a batch; a dotted one may send nothing, or something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    name: &'static str,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    /// Unlike any other in the drawing.
    id: String,
    label: String,
    kind: NodeKind,
    /// What the step's doc comment says.
    description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeKind {
    Step,
    Event,
    Start,
    Stop,
    /// An event that asks a person, or with which a person answers.
    Person,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    line: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Always,
    Perhaps,
    Many,
}

impl Drawing {
    pub(crate) fn of(flow: &FlowShape) -> Self {
        let mut drawing = Self { name: flow.name, nodes: Vec::new(), edges: Vec::new() };
        drawing.event(flow, flow.start.name());
        for step in flow.steps {
            let label =
                step.at_most.map_or_else(|| step.name.to_owned(), |most| format!("{} (≤ {most})", step.name));
            let node = Node {
                id: format!("step_{}", step.name),
                label,
                kind: NodeKind::Step,
                description: step.description,
            };
            let index = drawing.nodes.len();
            drawing.nodes.push(node);
            drawing.connect(flow, &step.takes, &|event| Edge { from: event, to: index, line: Line::Always });
            drawing.connect_sent(flow, &step.sends, index, Line::Always);
        }
        for ask in flow.asks {
            let from = drawing.event(flow, ask.question.name());
            let to = drawing.event(flow, ask.answer.name());
            drawing.add(Edge { from, to, line: Line::Perhaps });
        }
        drawing
    }

    fn connect(&mut self, flow: &FlowShape, shape: &Shape, edge: &dyn Fn(usize) -> Edge) {
        for event in shape.types() {
            let event = self.event(flow, event.name());
            self.add(edge(event));
        }
    }

    fn connect_sent(&mut self, flow: &FlowShape, shape: &Shape, from: usize, line: Line) {
        match shape {
            Shape::Nothing | Shape::One(_) => self.connect(flow, shape, &|to| Edge { from, to, line }),
            Shape::AllOf(parts) => parts.iter().for_each(|part| self.connect_sent(flow, part, from, line)),
            Shape::AnyOf(parts) => {
                let line = if line == Line::Many { line } else { Line::Perhaps };
                parts.iter().for_each(|part| self.connect_sent(flow, part, from, line));
            }
            Shape::Optional(inner) => self.connect_sent(flow, inner, from, Line::Perhaps),
            Shape::Many(inner) => self.connect_sent(flow, inner, from, Line::Many),
        }
    }

    /// The node of an event, made if there is none.
    fn event(&mut self, flow: &FlowShape, name: &str) -> usize {
        let id = format!("event_{name}");
        if let Some(found) = self.nodes.iter().position(|node| node.id == id) {
            return found;
        }
        let is_asked =
            |ask: &crate::shape::AskShape| [ask.question.name(), ask.answer.name()].contains(&name);
        let kind = match () {
            () if name == flow.start.name() => NodeKind::Start,
            () if name == flow.stop.name() => NodeKind::Stop,
            () if flow.asks.iter().any(is_asked) => NodeKind::Person,
            () => NodeKind::Event,
        };
        self.nodes.push(Node { id, label: name.to_owned(), kind, description: "" });
        self.nodes.len() - 1
    }

    fn add(&mut self, edge: Edge) {
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }

    /// Writes the picture for [Mermaid](https://mermaid.js.org), which many pages show where they show Markdown.
    pub fn mermaid(&self) -> String {
        let mut text = "flowchart TD\n".to_owned();
        for Node { id, label, kind, .. } in &self.nodes {
            let (open, close) = match kind {
                NodeKind::Step => ("[", "]"),
                NodeKind::Event => (">", "]"),
                NodeKind::Start | NodeKind::Stop => ("([", "])"),
                NodeKind::Person => ("{{", "}}"),
            };
            let _ = writeln!(text, "    {id}{open}\"{label}\"{close}");
        }
        for Edge { from, to, line } in &self.edges {
            let arrow = match line {
                Line::Always => "-->",
                Line::Perhaps => "-.->",
                Line::Many => "==>",
            };
            let _ = writeln!(text, "    {} {arrow} {}", self.nodes[*from].id, self.nodes[*to].id);
        }
        text
    }

    /// Writes the picture for [Graphviz](https://graphviz.org).
    pub fn dot(&self) -> String {
        let mut text = format!("digraph {} {{\n    node [fontname=\"sans-serif\"]\n", self.name);
        for Node { id, label, kind, description } in &self.nodes {
            let shape = match kind {
                NodeKind::Step => "box, style=filled, fillcolor=\"#dbeafe\"",
                NodeKind::Event => "plaintext",
                NodeKind::Start => "oval, style=filled, fillcolor=\"#dcfce7\"",
                NodeKind::Stop => "oval, style=filled, fillcolor=\"#fee2e2\"",
                NodeKind::Person => "hexagon, style=filled, fillcolor=\"#fef9c3\"",
            };
            let tooltip = description.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let tooltip = if tooltip.is_empty() { tooltip } else { format!(", tooltip=\"{tooltip}\"") };
            let _ = writeln!(text, "    {id} [label=\"{label}\", shape={shape}{tooltip}]");
        }
        for Edge { from, to, line } in &self.edges {
            let style = match line {
                Line::Always => "",
                Line::Perhaps => " [style=dotted]",
                Line::Many => " [style=bold]",
            };
            let _ = writeln!(text, "    {} -> {}{style}", self.nodes[*from].id, self.nodes[*to].id);
        }
        text.push_str("}\n");
        text
    }

    /// Writes the picture as SVG, which every browser shows.
    pub fn svg(&self) -> String {
        svg::write(self)
    }
}
