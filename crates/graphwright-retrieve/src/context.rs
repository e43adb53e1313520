//! Renders what was retrieved as text for a model or a person, within a token budget.
//!
//! Paths come first, then what is nearest and scores highest. What does not fit is left out and
//! counted, in the text too. Vectors and our own notes (identifiers, recording times, supports) are
//! never written.

mod cypher;
mod json;
mod markdown;

use graphwright_llm::estimate_tokens;
use serde::{Deserialize, Serialize};

use crate::{GraphPath, Neighbourhood, NodeIndex, Passage, RelationshipIndex, Topology};

/// Format of a rendered context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextFormat {
    /// Headings and lists.
    #[default]
    Markdown,
    /// One object with `entities`, `relationships`, `paths`, `passages` and `left_out`.
    Json,
    /// Nodes and patterns in the syntax of Cypher.
    Cypher,
}

/// A collection of what was retrieved, to be rendered.
///
/// ```
/// use graphwright_core::{ElementId, Node, Properties};
/// use graphwright_retrieve::{Context, ContextFormat, Topology};
///
/// let ada = Node {
///     element_id: ElementId::new("1"),
///     labels: vec!["Person".into()],
///     properties: Properties::from([
///         ("name".into(), "Ada".into()),
///         ("born".into(), 1815_i64.into()),
///     ]),
/// };
/// let topology = Topology::from_parts("v1", vec![ada], vec![]);
///
/// let mut context = Context::default();
/// context.add_node(topology.node_by_id("1").unwrap(), 1.0, 0);
/// let rendered = context.render(&topology, ContextFormat::Cypher, 100);
/// assert_eq!(rendered.text, "(:Person {name: \"Ada\", born: 1815})\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Context {
    items: Vec<Ranked>,
    /// Whether the items stand in the order in which they are wanted.
    is_ordered: bool,
}

/// Number of items that did not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Entities.
    pub entities: usize,
    /// Relationships.
    pub relationships: usize,
    /// Paths.
    pub paths: usize,
    /// Passages.
    pub passages: usize,
}

impl LeftOut {
    /// Returns whether everything fitted.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    fn count(&mut self, item: &Item) {
        match item {
            Item::Node(_) => self.entities += 1,
            Item::Relationship(_) => self.relationships += 1,
            Item::Path(_) => self.paths += 1,
            Item::Passage(_) => self.passages += 1,
        }
    }

    /// Formats the numbers, such as `3 entities, 1 passage`.
    fn in_words(self) -> String {
        let counts = [
            (self.entities, "entity", "entities"),
            (self.relationships, "relationship", "relationships"),
            (self.paths, "path", "paths"),
            (self.passages, "passage", "passages"),
        ];
        let counts = counts.iter().filter(|(count, ..)| *count > 0);
        let words =
            counts.map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A rendered context, and what it leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RenderedContext {
    /// The text; empty if nothing fits.
    pub text: String,
    /// Estimated number of tokens in the text.
    pub tokens: u64,
    /// Items that did not fit.
    pub left_out: LeftOut,
    /// Numbers of the items in the text, as they were added from 0, ascending.
    #[serde(skip)]
    pub kept: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Item {
    Path(GraphPath),
    Node(NodeIndex),
    Relationship(RelationshipIndex),
    Passage(Passage),
}

#[derive(Clone, Debug)]
struct Ranked {
    item: Item,
    score: f64,
    depth: usize,
}

impl Context {
    /// Creates a context from everything in a neighbourhood.
    pub fn from_neighbourhood(neighbourhood: &Neighbourhood) -> Self {
        let mut context = Self::default();
        for reached in &neighbourhood.nodes {
            context.add_node(reached.node, reached.score, reached.depth);
        }
        for walked in &neighbourhood.relationships {
            context.add_relationship(walked.relationship, walked.score);
        }
        context
    }

    /// Creates a context whose items are wanted in the order in which they are added, rather than by their scores.
    pub fn in_order() -> Self {
        Self { items: Vec::new(), is_ordered: true }
    }

    /// Adds an entity with its score and its distance in steps.
    pub fn add_node(&mut self, node: NodeIndex, score: f64, depth: usize) {
        self.items.push(Ranked { item: Item::Node(node), score, depth });
    }

    /// Adds a relationship with its score.
    pub fn add_relationship(&mut self, relationship: RelationshipIndex, score: f64) {
        self.items.push(Ranked { item: Item::Relationship(relationship), score, depth: 1 });
    }

    /// Adds a path.
    pub fn add_path(&mut self, path: GraphPath) {
        let (score, depth) = (path.score, 0);
        self.items.push(Ranked { item: Item::Path(path), score, depth });
    }

    /// Adds a passage.
    pub fn add_passage(&mut self, passage: Passage) {
        let (score, depth) = (passage.score, 1);
        self.items.push(Ranked { item: Item::Passage(passage), score, depth });
    }

    /// Renders as much as fits into `budget` tokens: paths first, then seeds, then the highest
    /// scores, if the context is not [in order](Self::in_order).
    ///
    /// # Panics
    /// If an item belongs to another topology.
    pub fn render(&self, topology: &Topology, format: ContextFormat, budget: u64) -> RenderedContext {
        let mut left_out = LeftOut::default();
        let (mut kept, mut used) = (Vec::new(), 0);
        for at in self.order() {
            let item = &self.items[at].item;
            let tokens = estimate_tokens(&write_item(topology, format, item));
            if used + tokens <= budget {
                used += tokens;
                kept.push(at);
            } else {
                left_out.count(item);
            }
        }
        // Headings and the note on what is missing also cost tokens, so the last items may have to
        // go.
        loop {
            let items: Vec<&Item> = kept.iter().map(|&at| &self.items[at].item).collect();
            let text = write_all(topology, format, &items, left_out);
            let tokens = estimate_tokens(&text);
            if tokens <= budget {
                kept.sort_unstable();
                return RenderedContext { text, tokens, left_out, kept };
            }
            match kept.pop() {
                Some(at) => left_out.count(&self.items[at].item),
                None => return RenderedContext { text: String::new(), tokens: 0, left_out, kept },
            }
        }
    }

    /// Returns the numbers of the items, most wanted first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        if self.is_ordered {
            return order;
        }
        let first = |ranked: &Ranked| (!matches!(ranked.item, Item::Path(_)), ranked.depth > 0);
        order.sort_by(|&left, &right| {
            let (left, right) = (&self.items[left], &self.items[right]);
            let score = right.score.total_cmp(&left.score);
            first(left).cmp(&first(right)).then(score).then(left.depth.cmp(&right.depth))
        });
        order
    }
}

fn write_item(topology: &Topology, format: ContextFormat, item: &Item) -> String {
    match format {
        ContextFormat::Markdown => markdown::item(topology, item),
        ContextFormat::Json => json::item(topology, item).to_string(),
        ContextFormat::Cypher => cypher::item(topology, item),
    }
}

fn write_all(topology: &Topology, format: ContextFormat, items: &[&Item], left_out: LeftOut) -> String {
    match format {
        ContextFormat::Markdown => markdown::all(topology, items, left_out),
        ContextFormat::Json => json::all(topology, items, left_out),
        ContextFormat::Cypher => cypher::all(topology, items, left_out),
    }
}

#[cfg(test)]
mod tests;
