//! Renders headings and lists.

use std::fmt::Write;

use graphwright_core::{Properties, names, text::quotable};

use super::{Item, LeftOut};
use crate::{
    GraphPath, Passage, RelationshipIndex, Topology,
    properties::{in_words, one_item, telling},
};

pub(super) fn all(topology: &Topology, items: &[&Item], left_out: LeftOut) -> String {
    let mut text = String::new();
    for heading in ["Paths", "Entities", "Relationships", "Passages"] {
        let items = items.iter().filter(|item| self::heading(item) == heading);
        let mut lines = items.map(|item| self::item(topology, item)).peekable();
        if lines.peek().is_some() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}## {heading}\n");
            text.extend(lines);
        }
    }
    if !left_out.is_nothing() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}Left out for length: {}.", left_out.in_words());
    }
    text
}

fn heading(item: &Item) -> &'static str {
    match item {
        Item::Path(_) => "Paths",
        Item::Node(_) => "Entities",
        Item::Relationship(_) => "Relationships",
        Item::Passage(_) => "Passages",
    }
}

pub(super) fn item(topology: &Topology, item: &Item) -> String {
    match item {
        Item::Path(path) => listed(&self::path(topology, path)),
        Item::Node(node) => {
            let node = topology.node(*node);
            let name = node.display_name();
            let properties = properties(&node.properties, name);
            let gap = if properties.is_empty() { "" } else { ": " };
            listed(&format!("**{name}** ({}){gap}{properties}", node.kind()))
        }
        Item::Relationship(relationship) => listed(&self::relationship(topology, *relationship)),
        Item::Passage(Passage { document, start, end, page, text, .. }) => {
            let text = quotable(text);
            let lines: Vec<String> =
                text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
            let place = page.map_or_else(|| format!("bytes {start}–{end}"), |page| format!("page {page}"));
            let source = one_item(&format!("> ({document}, {place})"));
            format!("{}\n{source}\n\n", lines.join("\n"))
        }
    }
}

fn listed(item: &str) -> String {
    format!("- {}\n", one_item(item))
}

fn relationship(topology: &Topology, relationship: RelationshipIndex) -> String {
    let edge = topology.edge(relationship);
    let name = |node| topology.node(node).display_name();
    let mut notes: Vec<String> = Vec::new();
    notes.extend(edge.confidence().map(|confidence| format!("confidence {confidence}")));
    let properties = properties(&edge.properties, "");
    notes.extend((!properties.is_empty()).then_some(properties));
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    format!("{} —{}→ {}{notes}", name(edge.start), edge.kind, name(edge.end))
}

/// Formats a path as `a —USES→ b ←USES— c`.
fn path(topology: &Topology, path: &GraphPath) -> String {
    let mut text = topology.node(path.start).display_name().to_owned();
    for step in &path.steps {
        let kind = &topology.edge(step.relationship).kind;
        let name = topology.node(step.node).display_name();
        let arrow = if step.forward { format!("—{kind}→") } else { format!("←{kind}—") };
        let _ = write!(text, " {arrow} {name}");
    }
    text
}

fn properties(properties: &Properties, name: &str) -> String {
    let telling = telling(properties).filter(|(property, _)| *property != names::NAME);
    let pairs = telling.map(|(property, value)| (property, in_words(value))).filter(|(_, text)| text != name);
    pairs
        .map(|(property, text)| format!("{}: {text}", property.replace('_', " ")))
        .collect::<Vec<_>>()
        .join("; ")
}
