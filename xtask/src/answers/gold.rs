//! Writes the graph that a perfect extractor would make of a corpus, in a form that the command
//! imports.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};
use graphwright_core::names;
use graphwright_eval::corpus::read_lines;
use graphwright_ontology::{DataType, Ontology};
use serde_json::{Map, Value, json};

/// Type and name of an entity.
type Thing = (String, String);

#[derive(Debug, Default)]
struct Graph {
    nodes: BTreeMap<Thing, Map<String, Value>>,
    facts: BTreeMap<(Thing, String, Thing), Map<String, Value>>,
}

/// Writes the facts of `gold.jsonl` that hold as JSON Lines for `graphwright import`.
pub(super) fn write(folder: &Path, target: &Path) -> Result<()> {
    // All that is known is in the graph.
    let ontology = Ontology::read(&folder.join("ontology.yaml"))?.complete();
    let mut graph = Graph::default();
    for gold in read_lines(&folder.join("gold.jsonl"))? {
        if gold["holds"] == Value::Bool(true) {
            graph.add(&gold, &ontology).with_context(|| format!("not a gold fact: {gold}"))?;
        }
    }
    fs::write(target, graph.lines(&ontology)?.join("\n"))?;
    Ok(())
}

impl Graph {
    fn add(&mut self, gold: &Value, ontology: &Ontology) -> Option<()> {
        if let Some(property) = gold["property"].as_str() {
            let entity = thing(&gold["entity"])?;
            let declared = ontology.nodes.get(&entity.0).and_then(|node| node.properties.get(property));
            let value = typed(declared.map(|declared| &declared.kind), &gold["value"]);
            self.nodes.entry(entity).or_default().insert(property.to_owned(), value);
            return Some(());
        }
        let kind = gold["type"].as_str()?;
        let (from, to) = (thing(&gold["from"])?, thing(&gold["to"])?);
        for end in [&from, &to] {
            self.nodes.entry(end.clone()).or_default();
        }
        let own = self.facts.entry((from, kind.to_owned(), to)).or_default();
        for (name, value) in gold["properties"].as_object().into_iter().flatten() {
            let declared = ontology.relationships.get(kind).and_then(|known| known.properties.get(name));
            own.insert(name.clone(), typed(declared.map(|declared| &declared.kind), value));
        }
        Some(())
    }

    fn lines(&self, ontology: &Ontology) -> Result<Vec<String>> {
        let id = |thing: &Thing| format!("{}/{}", thing.0, thing.1);
        let record = json!({"__id__": "ontology", "json": serde_json::to_string(ontology)?});
        let mut lines = vec![
            json!({"graphwright": 1, "graph": "gold"}),
            json!({"node": "ontology", "labels": [names::META], "properties": record}),
        ];
        for (thing, properties) in &self.nodes {
            let mut properties = properties.clone();
            properties.insert("__id__".to_owned(), id(thing).into());
            properties.insert("name".to_owned(), thing.1.clone().into());
            lines.push(
                json!({"node": id(thing), "labels": [thing.0, "__Entity__"], "properties": properties}),
            );
        }
        for (number, ((from, kind, to), properties)) in self.facts.iter().enumerate() {
            let (from, to) = (id(from), id(to));
            let name = number.to_string();
            lines.push(
                json!({"relationship": name, "type": kind, "from": from, "to": to, "properties": properties}),
            );
        }
        let (nodes, relationships) = (self.nodes.len() + 1, self.facts.len());
        lines.push(json!({"end": {"nodes": nodes, "relationships": relationships, "vectors": 0}}));
        Ok(lines.iter().map(Value::to_string).collect())
    }
}

fn thing(value: &Value) -> Option<Thing> {
    Some((value["type"].as_str()?.to_owned(), value["name"].as_str()?.to_owned()))
}

/// Converts a gold value to the property's type, such as a text to a date.
fn typed(kind: Option<&DataType>, value: &Value) -> Value {
    let parsed = kind.and_then(|kind| kind.parse_json(value));
    parsed.and_then(|parsed| serde_json::to_value(parsed).ok()).unwrap_or_else(|| value.clone())
}
