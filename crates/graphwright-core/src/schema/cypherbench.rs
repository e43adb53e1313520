//! The form in which [CypherBench](https://github.com/megagonlabs/cypherbench) describes its
//! graphs.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{ElementSchema, GraphSchema, Pattern, PropertySchema};
use crate::names;

impl GraphSchema {
    /// Reads a schema from JSON, in its own form or in that of CypherBench, which lists `entities`
    /// and `relations`.
    ///
    /// Lists without counts are taken to be complete.
    ///
    /// # Errors
    ///
    /// Returns an error for text that is no JSON, or is in neither form.
    ///
    /// ```
    /// use graphwright_core::GraphSchema;
    ///
    /// let schema = GraphSchema::from_json(r#"{"labels": [{"name": "Person"}]}"#)?;
    /// assert_eq!(schema.labels[0].name, "Person");
    /// # Ok::<_, serde_json::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let described =
            |json: &serde_json::Value| json.get("entities").is_some() && json.get("relations").is_some();
        match serde_json::from_str(text) {
            Ok(json) if described(&json) => serde_json::from_value(json).map(GraphForm::into_schema),
            // Reading the text once more, not the parsed value, keeps the line and column in the
            // error.
            _ => serde_json::from_str(text),
        }
    }
}

/// The schema of a CypherBench graph.
#[derive(Deserialize)]
struct GraphForm {
    entities: Vec<EntityForm>,
    relations: Vec<RelationForm>,
}

#[derive(Deserialize)]
struct EntityForm {
    label: String,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct RelationForm {
    label: String,
    subj_label: String,
    obj_label: String,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

impl GraphForm {
    fn into_schema(self) -> GraphSchema {
        let mut schema = GraphSchema::default();
        for entity in self.entities {
            let mut properties = described(entity.properties);
            // Every entity of CypherBench has a name, which its schemas leave out.
            if properties.iter().all(|property| property.name != names::NAME) {
                properties.push(described_property(names::NAME.to_owned(), "str"));
            }
            schema.labels.push(ElementSchema { name: entity.label, properties, ..ElementSchema::default() });
        }
        for relation in self.relations {
            let properties = described(relation.properties);
            match schema.relationship_types.iter_mut().find(|element| element.name == relation.label) {
                Some(element) => {
                    // CypherBench lists a type once for each pair of labels that it connects.
                    let known = |name: &str| element.properties.iter().any(|property| property.name == name);
                    let new: Vec<_> =
                        properties.into_iter().filter(|property| !known(&property.name)).collect();
                    element.properties.extend(new);
                }
                None => schema.relationship_types.push(ElementSchema {
                    name: relation.label.clone(),
                    properties,
                    ..ElementSchema::default()
                }),
            }
            schema.patterns.push(Pattern {
                from: relation.subj_label,
                kind: relation.label,
                to: relation.obj_label,
                count: 0,
            });
        }
        schema
    }
}

fn described(properties: BTreeMap<String, String>) -> Vec<PropertySchema> {
    properties.into_iter().map(|(name, kind)| described_property(name, &kind)).collect()
}

/// Describes a property. A type that is not known here is left open.
fn described_property(name: String, kind: &str) -> PropertySchema {
    let kind = match kind {
        "str" => Some("STRING"),
        "int" => Some("INTEGER"),
        "float" => Some("FLOAT"),
        "bool" => Some("BOOLEAN"),
        "date" => Some("DATE"),
        kind if kind.starts_with("list") => Some("LIST"),
        _ => None,
    };
    PropertySchema { name, types: kind.into_iter().map(str::to_owned).collect(), ..PropertySchema::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_of_cypherbench_are_read() {
        let schema = GraphSchema::from_json(
            r#"{"name": "art", "entities": [{"label": "Person", "description": null, "properties": {"born": "date", "nicknames": "list[str]"}}],
                "relations": [{"label": "knows", "subj_label": "Person", "obj_label": "Person", "properties": {"since": "int"}}]}"#,
        )
        .unwrap();
        let person = &schema.labels[0];
        let properties: Vec<_> = person
            .properties
            .iter()
            .map(|property| (property.name.as_str(), property.types[0].as_str()))
            .collect();
        assert_eq!(properties, [("born", "DATE"), ("nicknames", "LIST"), ("name", "STRING")]);
        assert_eq!(schema.relationship_types[0].properties[0].name, "since");
        assert_eq!(schema.patterns[0].kind, "knows");
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        let error = GraphSchema::from_json(r#"{"labels": [{"count": 1}]}"#).unwrap_err().to_string();
        assert!(error.starts_with("missing field `name`"), "{error}");
        assert!(GraphSchema::from_json("no").is_err());
    }
}
