//! A graph that has, for each of many queries, what it looks for.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, Value, store::ChangeSet};
use graphwright_cypher::syntax::{
    parse_query,
    tree::{
        Direction, Expression, ExpressionKind, LabelExpression, LabelKind, Literal, NodePattern, Pattern,
        PatternElement,
    },
    visit::{Visit, walk_expression, walk_pattern},
};
use graphwright_embedded::EmbeddedStore;

use crate::recordings::Recording;

/// Makes the graph of the right queries of all recordings.
pub(crate) async fn store(recordings: &[Recording]) -> Arc<dyn GraphStore> {
    let mut changes = ChangeSet::new();
    for (number, recording) in recordings.iter().enumerate() {
        let Some(query) = parse_query(&recording.gold) else { continue };
        let mut asked = Asked::default();
        asked.visit_query(&query);
        let mut witness = Witness { number, asked: &asked, nodes: HashMap::new(), changes: &mut changes };
        asked.patterns.iter().for_each(|pattern| witness.add(pattern));
    }
    let store = EmbeddedStore::in_memory();
    store.apply(changes).await.unwrap();
    Arc::new(store)
}

/// What a query asks of a graph.
#[derive(Default)]
struct Asked {
    patterns: Vec<Pattern>,
    /// The properties that it reads, with the variables.
    properties: Vec<(String, String)>,
}

impl Visit for Asked {
    fn visit_pattern(&mut self, pattern: &Pattern) {
        self.patterns.push(pattern.clone());
        walk_pattern(self, pattern);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        if let ExpressionKind::Property { base, key } = &expression.kind
            && let ExpressionKind::Variable(variable) = &base.kind
        {
            self.properties.push((variable.text.to_string(), key.text.to_string()));
        }
        walk_expression(self, expression);
    }
}

struct Witness<'a> {
    number: usize,
    asked: &'a Asked,
    /// The nodes of variables.
    nodes: HashMap<String, NodeKey>,
    changes: &'a mut ChangeSet,
}

impl Witness<'_> {
    fn add(&mut self, pattern: &Pattern) {
        let mut before: Option<NodeKey> = None;
        let mut between = None;
        for element in &pattern.elements {
            match element {
                PatternElement::Relationship(relationship) => between = Some(relationship),
                PatternElement::Node(node) => {
                    let Some(here) = self.node(node) else { return };
                    if let (Some(before), Some(relationship)) = (before.take(), between.take()) {
                        let Some(kind) = name_of(relationship.types.as_ref()) else { return };
                        let (from, to) = match relationship.direction {
                            Direction::Left => (here.clone(), before),
                            Direction::Right | Direction::Either => (before, here.clone()),
                        };
                        let id = format!("{}-{kind}-{}", from.id, to.id);
                        let key = RelationshipKey { kind, from, to, id };
                        self.changes.upsert_relationship(key, Properties::new());
                    }
                    before = Some(here);
                }
                PatternElement::Group(_) => return,
            }
        }
    }

    /// Adds a node, or finds the one of its variable. Returns `None` if nothing says what it is.
    fn node(&mut self, node: &NodePattern) -> Option<NodeKey> {
        let variable = node
            .variable
            .as_ref()
            .map_or_else(|| format!("{}", node.span.start), |name| name.text.to_string());
        if let Some(known) = self.nodes.get(&variable) {
            return Some(known.clone());
        }
        let label = name_of(node.labels.as_ref())?;
        let mut properties = given(node);
        let name = match properties.get("name") {
            Some(Value::String(name)) => name.clone(),
            _ => format!("{label} {}{variable}", self.number),
        };
        properties.insert("name".into(), name.as_str().into());
        for (_, key) in
            self.asked.properties.iter().filter(|(of, key)| *of == variable && !key.contains("date"))
        {
            // What is known by its name has one value, whoever asks.
            let mut hasher = DefaultHasher::new();
            (&name, key).hash(&mut hasher);
            let value = i64::try_from(hasher.finish() % 2_000).unwrap_or_default();
            properties.entry(key.clone()).or_insert_with(|| value.into());
        }
        let key = NodeKey::new(label.as_str(), format!("{label}:{name}"));
        self.changes.upsert_node(key.clone(), &[], properties);
        self.nodes.insert(variable, key.clone());
        Some(key)
    }
}

/// The one name that a label expression is.
fn name_of(labels: Option<&LabelExpression>) -> Option<String> {
    match &labels?.kind {
        LabelKind::Name(name) => Some(name.text.to_string()),
        _ => None,
    }
}

/// The texts and numbers in the properties of a pattern.
fn given(node: &NodePattern) -> Properties {
    let Some(ExpressionKind::Map(entries)) = node.properties.as_ref().map(|properties| &properties.kind)
    else {
        return Properties::new();
    };
    let values = entries.iter().filter_map(|(key, value)| {
        let value = match &value.kind {
            ExpressionKind::Literal(Literal::String(text)) => Value::from(&**text),
            ExpressionKind::Literal(Literal::Integer(number)) => Value::from(i64::try_from(*number).ok()?),
            _ => return None,
        };
        Some((key.text.to_string(), value))
    });
    values.collect()
}
