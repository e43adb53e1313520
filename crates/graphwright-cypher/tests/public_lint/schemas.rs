//! The schemas of the public graphs that gold queries are about.

use std::{collections::BTreeMap, fs};

use graphwright_core::{
    GraphSchema,
    schema::{ElementSchema, Pattern, PropertySchema},
};
use serde_json::Value;

use crate::folder;

/// Returns the output of `graphwright schema --json` for the two graphs of Mind-the-Query.
pub(crate) fn mind_the_query(graph: &str) -> GraphSchema {
    let text = match graph {
        "wwc" => include_str!("schemas/wwc.json"),
        _ => include_str!("schemas/bloom50.json"),
    };
    GraphSchema::from_json(text).unwrap()
}

/// Returns graph, schema and gold query of each prompt of CypherBench.
pub(crate) fn cypherbench() -> Vec<(String, String, String)> {
    let text = fs::read_to_string(folder().join("cypher_replay/cypherbench/valid_prompts.jsonl")).unwrap();
    let read = |line: &str| {
        let prompt: Value = serde_json::from_str(line).unwrap();
        let schema = prompt["prompt"].as_str().unwrap().split_once("SCHEMA:\n").unwrap().1;
        let schema = schema.split_once("\n\nGenerate").unwrap().0;
        let graph = serde_json::from_str::<Value>(schema).unwrap()["name"].as_str().unwrap().to_owned();
        let response: Value = serde_json::from_str(prompt["response"].as_str().unwrap()).unwrap();
        (graph, schema.to_owned(), response["cypher"].as_str().unwrap().to_owned())
    };
    text.lines().map(read).collect()
}

/// Returns the schema of the crimes: labels and properties from the files of nodes, connections
/// from the model of the import.
pub(crate) fn zograscope() -> GraphSchema {
    let folder = folder().join("zograscope/pole_csv");
    let mut schema = GraphSchema::default();
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some((kind, label)) = name
            .strip_prefix("crime-investigation.")
            .and_then(|rest| rest.strip_suffix(".csv")?.split_once('.'))
        else {
            continue;
        };
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let keys = reader.headers().unwrap().iter().filter(|key| !key.starts_with(':'));
        let property = |key: &str| {
            let (name, kind) = key.split_once(':').unwrap_or((key, ""));
            let types = match kind {
                "int" | "long" => vec!["INTEGER".to_owned()],
                "string" => vec!["STRING".to_owned()],
                _ => vec![],
            };
            PropertySchema { name: name.to_owned(), types, ..PropertySchema::default() }
        };
        let element = ElementSchema {
            name: label.to_owned(),
            properties: keys.map(property).collect(),
            ..ElementSchema::default()
        };
        match kind {
            "nodes" => schema.labels.push(element),
            _ => schema.relationship_types.push(element),
        }
    }
    let model: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("neo4j_importer_model.json")).unwrap()).unwrap();
    let model = &model["dataModel"]["graphSchemaRepresentation"]["graphSchema"];
    let tokens = |list: &str| -> BTreeMap<String, String> {
        let entries = model[list].as_array().unwrap().iter();
        entries
            .map(|entry| {
                (format!("#{}", entry["$id"].as_str().unwrap()), entry["token"].as_str().unwrap().to_owned())
            })
            .collect()
    };
    let (labels, types) = (tokens("nodeLabels"), tokens("relationshipTypes"));
    let reference = |value: &Value| value["$ref"].as_str().unwrap().to_owned();
    let nodes = model["nodeObjectTypes"].as_array().unwrap().iter();
    let nodes: BTreeMap<String, &String> = nodes
        .map(|node| (format!("#{}", node["$id"].as_str().unwrap()), &labels[&reference(&node["labels"][0])]))
        .collect();
    let label = |token: &String| {
        let letters = |name: &str| name.replace('_', "").to_lowercase();
        let found = schema.labels.iter().find(|element| letters(&element.name) == letters(token));
        found.unwrap_or_else(|| panic!("{token}")).name.clone()
    };
    let patterns = model["relationshipObjectTypes"].as_array().unwrap().iter().map(|relationship| Pattern {
        from: label(nodes[&reference(&relationship["from"])]),
        kind: types[&reference(&relationship["type"])].clone(),
        to: label(nodes[&reference(&relationship["to"])]),
        count: 0,
    });
    schema.patterns = patterns.collect();
    schema
}

/// Returns the schemas of the demonstration graphs, from the text that models were given.
pub(crate) fn neo4j_labs() -> BTreeMap<String, GraphSchema> {
    let mut reader =
        csv::Reader::from_path(folder().join("cypher_replay/neo4j_labs/text2cypher_schemas.csv")).unwrap();
    reader
        .records()
        .map(|record| record.unwrap())
        .map(|record| (record[0].to_owned(), from_prompt(&record[1])))
        .collect()
}

/// Reads `Node properties:`, `Relationship properties:` and `The relationships:`.
fn from_prompt(text: &str) -> GraphSchema {
    let mut schema = GraphSchema::default();
    let mut nodes = true;
    for line in text.lines() {
        let elements = if nodes { &mut schema.labels } else { &mut schema.relationship_types };
        if line.starts_with("Relationship properties") {
            nodes = false;
        } else if let Some(name) = line.strip_prefix("- **") {
            let name = name.trim_end().trim_end_matches("**").to_owned();
            elements.push(ElementSchema { name, ..ElementSchema::default() });
        } else if let Some(property) = line.strip_prefix("  - `") {
            let (name, kind) = property.split_once(':').unwrap();
            let kind = kind.trim_start().split([' ', '`']).next().unwrap().to_owned();
            let property = PropertySchema {
                name: name.trim_end_matches('`').to_owned(),
                types: vec![kind],
                ..PropertySchema::default()
            };
            elements.last_mut().unwrap().properties.push(property);
        } else if let Some((from, rest)) = line.strip_prefix("(:").and_then(|rest| rest.split_once(")-[:")) {
            let (kind, to) = rest.split_once("]->(:").unwrap();
            let to = to.trim_end().trim_end_matches(')');
            schema.patterns.push(Pattern { from: from.into(), kind: kind.into(), to: to.into(), count: 0 });
        }
    }
    for pattern in schema.patterns.clone() {
        let known =
            |elements: &[ElementSchema], name: &str| elements.iter().any(|element| element.name == name);
        for label in [pattern.from, pattern.to] {
            if !known(&schema.labels, &label) {
                schema.labels.push(ElementSchema { name: label, ..ElementSchema::default() });
            }
        }
        if !known(&schema.relationship_types, &pattern.kind) {
            schema.relationship_types.push(ElementSchema { name: pattern.kind, ..ElementSchema::default() });
        }
    }
    schema
}
