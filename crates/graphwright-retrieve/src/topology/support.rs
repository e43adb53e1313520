//! Finds the passages that mention an entity or state a fact.

use graphwright_core::{Properties, Span, Value, names};

use super::{Direction, NodeIndex, RelationshipIndex, Role, Topology};

/// A passage that mentions or states something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Support {
    /// The passage: a node with the role [`Role::Chunk`].
    pub chunk: NodeIndex,
    /// Byte range in the document's text; `None` if unknown.
    pub span: Option<Span>,
}

/// A passage that gives an entity a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropertySupport<'a> {
    /// Name of the property.
    pub property: &'a str,
    /// Value that the passage states.
    pub value: Option<&'a Value>,
    /// Passage and place.
    pub support: Support,
    /// Confidence, from 0 to 1.
    pub confidence: Option<f64>,
}

impl Topology {
    /// Returns the mentions of an entity, in the order of the store.
    ///
    /// Any relationship between an entity and a passage counts as a mention. So other layouts
    /// (`MENTIONS`, `HAS_ENTITY`, `MENTIONED_IN`) are read too.
    pub fn mentions(&self, entity: NodeIndex) -> Vec<Support> {
        let mut supports = Vec::new();
        for (chunk, properties) in self.passages_of(entity) {
            if !properties.contains_key("property") {
                let spans = spans(properties);
                if spans.is_empty() {
                    supports.push(Support { chunk, span: None });
                }
                supports.extend(spans.into_iter().map(|span| Support { chunk, span }));
            }
        }
        supports
    }

    /// Returns the passages that give an entity its properties.
    pub fn property_supports(&self, entity: NodeIndex) -> Vec<PropertySupport<'_>> {
        let statements = self.passages_of(entity).filter_map(|(chunk, properties)| {
            let bound = |name: &str| usize::try_from(properties.get(name)?.as_integer()?).ok();
            let span = bound("start").zip(bound("end")).map(|(start, end)| Span::new(start, end));
            Some(PropertySupport {
                property: properties.get("property")?.as_str()?,
                value: properties.get("value"),
                support: Support { chunk, span },
                confidence: properties.get(names::CONFIDENCE).and_then(Value::as_float),
            })
        });
        statements.collect()
    }

    /// Returns the passages that state a relationship; empty if none is recorded.
    pub fn supports(&self, relationship: RelationshipIndex) -> Vec<Support> {
        let properties = &self.edge(relationship).properties;
        let Some(chunks) = properties.get(names::CHUNKS).and_then(Value::as_list) else { return Vec::new() };
        let spans = spans(properties);
        let supports = chunks.iter().enumerate().filter_map(|(position, chunk)| {
            let chunk = self.node_by_id(chunk.as_str()?)?;
            Some(Support { chunk, span: spans.get(position).copied().flatten() })
        });
        supports.collect()
    }

    /// Returns the document of a passage.
    pub fn document_of(&self, chunk: NodeIndex) -> Option<NodeIndex> {
        let named = self.node(chunk).properties.get("document").and_then(Value::as_str);
        named.and_then(|id| self.node_by_id(id)).or_else(|| {
            let mut steps = self.steps(chunk, Direction::Both).map(|step| step.node);
            steps.find(|&node| self.role(node) == Role::Document)
        })
    }

    fn passages_of(&self, entity: NodeIndex) -> impl Iterator<Item = (NodeIndex, &Properties)> {
        let steps = self.steps(entity, Direction::Both);
        let steps = steps.filter(|step| self.role(step.node) == Role::Chunk);
        steps.map(|step| (step.node, &self.edge(step.relationship).properties))
    }
}

/// Reads ranges in step with the chunks. A pair that is not a range stays as `None`.
fn spans(properties: &Properties) -> Vec<Option<Span>> {
    let bounds = |name: &str| properties.get(name).and_then(Value::as_list).unwrap_or_default();
    let byte = |value: &Value| usize::try_from(value.as_integer()?).ok();
    let pairs = bounds(names::STARTS).iter().zip(bounds(names::ENDS));
    pairs.map(|(start, end)| Some(Span::new(byte(start)?, byte(end)?))).collect()
}
