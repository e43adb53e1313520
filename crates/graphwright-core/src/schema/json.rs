//! The JSON form of a schema, which programs read and `--schema-file` takes.

use serde::{Deserialize, Serialize};

use super::{Constraint, ElementSchema, GraphSchema, Index, Pattern, PropertySchema, options::SchemaOptions};

/// Names with counts, and all properties in one list.
///
/// Absent members are empty, so that a schema can be written by hand.
#[derive(Serialize, Deserialize)]
pub(super) struct Form {
    #[serde(default)]
    labels: Vec<Element>,
    #[serde(default)]
    relationship_types: Vec<Element>,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    patterns: Vec<Pattern>,
    #[serde(default)]
    indexes: Vec<Index>,
    #[serde(default)]
    constraints: Vec<Constraint>,
}

#[derive(Serialize, Deserialize)]
struct Element {
    name: String,
    #[serde(default)]
    count: u64,
    /// Absent in what earlier versions wrote.
    observed: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Property {
    on: Kind,
    of: String,
    #[serde(flatten)]
    schema: PropertySchema,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Label,
    RelationshipType,
}

impl From<GraphSchema> for Form {
    fn from(schema: GraphSchema) -> Self {
        let mut properties = Vec::new();
        let labels = split(schema.labels, Kind::Label, &mut properties);
        let relationship_types = split(schema.relationship_types, Kind::RelationshipType, &mut properties);
        let GraphSchema { patterns, indexes, constraints, .. } = schema;
        Self { labels, relationship_types, properties, patterns, indexes, constraints }
    }
}

fn split(elements: Vec<ElementSchema>, on: Kind, properties: &mut Vec<Property>) -> Vec<Element> {
    let mut names = Vec::with_capacity(elements.len());
    for element in elements {
        properties.extend(element.properties.into_iter().map(|property| Property {
            on,
            of: element.name.clone(),
            schema: property,
        }));
        names.push(Element { name: element.name, count: element.count, observed: Some(element.observed) });
    }
    names
}

impl TryFrom<Form> for GraphSchema {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let sample = SchemaOptions::default().sample as u64;
        let named = |elements: Vec<Element>| -> Vec<ElementSchema> {
            let named = |Element { name, count, observed }| ElementSchema {
                name,
                count,
                // Earlier versions did not write `observed`; they looked at no more than the
                // default sample.
                observed: observed.unwrap_or(count.min(sample)),
                properties: Vec::new(),
            };
            elements.into_iter().map(named).collect()
        };
        let mut schema = Self {
            labels: named(form.labels),
            relationship_types: named(form.relationship_types),
            patterns: form.patterns,
            indexes: form.indexes,
            constraints: form.constraints,
        };
        for property in form.properties {
            let (elements, kind) = match property.on {
                Kind::Label => (&mut schema.labels, "label"),
                Kind::RelationshipType => (&mut schema.relationship_types, "relationship type"),
            };
            let Some(element) = elements.iter_mut().find(|element| element.name == property.of) else {
                return Err(format!(
                    "the property `{}` is of the {kind} `{}`, which is not listed",
                    property.schema.name, property.of
                ));
            };
            element.properties.push(property.schema);
        }
        Ok(schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Value,
        schema::{IndexKind, Target},
    };

    fn property(name: &str) -> PropertySchema {
        PropertySchema {
            name: name.to_owned(),
            types: vec!["INTEGER".to_owned()],
            count: 2,
            samples: vec![Value::Integer(1)],
            values: Some(vec![Value::Integer(1), Value::Integer(2)]),
            min: Some(Value::Integer(1)),
            max: Some(Value::Integer(2)),
        }
    }

    fn element(name: &str, properties: &[&str]) -> ElementSchema {
        let properties = properties.iter().map(|name| property(name)).collect();
        ElementSchema { name: name.to_owned(), count: 2, observed: 1, properties }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let schema = GraphSchema {
            labels: vec![element("A", &["p", "q"]), element("B", &[])],
            relationship_types: vec![element("A", &["p"])],
            patterns: vec![Pattern { from: "A".into(), kind: "A".into(), to: "B".into(), count: 3 }],
            indexes: vec![Index {
                name: "i".into(),
                target: Target::Label("A".into()),
                properties: vec!["p".into()],
                kind: IndexKind::Property,
            }],
            constraints: vec![Constraint {
                name: "c".into(),
                label: "A".into(),
                properties: vec!["p".into()],
            }],
        };
        let text = serde_json::to_string(&schema).unwrap();
        assert_eq!(serde_json::from_str::<GraphSchema>(&text).unwrap(), schema);
    }

    #[test]
    fn a_property_of_nothing_is_told() {
        let text = r#"{"properties": [{"on": "relationship_type", "of": "R", "name": "p"}]}"#;
        let error = serde_json::from_str::<GraphSchema>(text).unwrap_err().to_string();
        assert!(
            error.contains("the property `p` is of the relationship type `R`, which is not listed"),
            "{error}"
        );
    }
}
