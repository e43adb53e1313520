//! Parses models of the first versions: `graphModel` and `mappingModel`.

use std::collections::BTreeMap;

use graphwright_core::schema::Constraint;
use serde::Deserialize;

use super::model::{
    Configurations, Key, Mapped, Model, NodeMapping, PropertyKind, RelationshipMapping, require,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Whole {
    graph_model: GraphModel,
    mapping_model: MappingModel,
    #[serde(default)]
    configurations: Configurations,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GraphModel {
    node_schemas: BTreeMap<String, NodeSchema>,
    relationship_schemas: BTreeMap<String, RelationshipSchema>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeSchema {
    label: String,
    #[serde(default)]
    addition_labels: Vec<String>,
    properties: Vec<Property>,
    key: SchemaKey,
}

#[derive(Deserialize)]
struct SchemaKey {
    properties: Vec<String>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "property")]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    identifier: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RelationshipSchema {
    #[serde(rename = "type")]
    kind: String,
    source_node_schema: String,
    target_node_schema: String,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MappingModel {
    node_mappings: BTreeMap<String, NodeTable>,
    relationship_mappings: BTreeMap<String, RelationshipTable>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeTable {
    node_schema: String,
    file_schema: String,
    /// Columns, in the order of the schema's properties.
    mappings: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RelationshipTable {
    relationship_schema: String,
    file_schema: String,
    mappings: Vec<Field>,
    source_mappings: Vec<Field>,
    target_mappings: Vec<Field>,
}

#[derive(Deserialize)]
struct Field {
    field: Option<String>,
}

/// Parses a model. The error says what it lacks.
pub(super) fn parse(json: &serde_json::Value) -> Result<Model, String> {
    let Whole { graph_model, mapping_model, configurations } =
        Whole::deserialize(json).map_err(|error| error.to_string())?;
    let mut model = Model { ignored_ids: configurations.ids_to_ignore, ..Model::default() };
    for table in mapping_model.node_mappings.into_values() {
        let schema = find(&graph_model.node_schemas, &table.node_schema)?;
        let (key, property) = key_property(schema)?;
        let field = table.mappings.get(key).and_then(|field| field.field.clone());
        let field = field.ok_or_else(|| format!("the key of {} is not mapped", schema.label))?;
        let constraint = Constraint {
            name: String::new(),
            label: schema.label.clone(),
            properties: vec![property.name.clone()],
        };
        model.constraints.push(constraint);
        model.nodes.push(NodeMapping {
            table: table.file_schema,
            labels: std::iter::once(&schema.label).chain(&schema.addition_labels).cloned().collect(),
            key: Key { label: schema.label.clone(), field, kind: PropertyKind::parse(&property.kind)? },
            properties: mapped(&schema.properties, &table.mappings)?,
        });
    }
    for table in mapping_model.relationship_mappings.into_values() {
        let schema = find(&graph_model.relationship_schemas, &table.relationship_schema)?;
        let from = find(&graph_model.node_schemas, &schema.source_node_schema)?;
        let to = find(&graph_model.node_schemas, &schema.target_node_schema)?;
        model.relationships.push(RelationshipMapping {
            from: end(from, &table.source_mappings, &schema.kind)?,
            to: end(to, &table.target_mappings, &schema.kind)?,
            properties: mapped(&schema.properties, &table.mappings)?,
            table: table.file_schema,
            kind: schema.kind.clone(),
        });
    }
    Ok(model)
}

fn find<'m, T>(schemas: &'m BTreeMap<String, T>, id: &str) -> Result<&'m T, String> {
    require(schemas.get(id), id)
}

fn key_property(schema: &NodeSchema) -> Result<(usize, &Property), String> {
    let [identifier] = schema.key.properties.as_slice() else {
        return Err(format!(
            "{} has {} key properties instead of one",
            schema.label,
            schema.key.properties.len()
        ));
    };
    let mut properties = schema.properties.iter().enumerate();
    let found = properties.find(|(_, property)| property.identifier == *identifier);
    found.ok_or_else(|| format!("the key of {} is none of its properties", schema.label))
}

fn end(schema: &NodeSchema, fields: &[Field], kind: &str) -> Result<Key, String> {
    let field = fields.first().and_then(|field| field.field.clone());
    let field = field.ok_or_else(|| format!("an end of {kind} is not mapped"))?;
    let (_, property) = key_property(schema)?;
    Ok(Key { label: schema.label.clone(), field, kind: PropertyKind::parse(&property.kind)? })
}

fn mapped(properties: &[Property], fields: &[Field]) -> Result<Vec<Mapped>, String> {
    let pairs = properties.iter().zip(fields);
    let mapped = pairs.filter_map(|(property, field)| Some((property, field.field.as_deref()?)));
    mapped.map(|(property, field)| Mapped::new(field, &property.name, &property.kind)).collect()
}
