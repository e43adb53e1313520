//! Parses models of version 1 and later: `graphSchemaRepresentation` and
//! `graphMappingRepresentation`.
//!
//! Parts of a model refer to each other by `{"$ref": "#n:n0"}`.

use std::collections::HashMap;

use graphwright_core::schema::{Constraint, Index, IndexKind, Target};
use serde::Deserialize;

use super::model::{
    Configurations, Key, Mapped, Model, NodeMapping, PropertyKind, RelationshipMapping, require,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Whole {
    graph_schema_representation: SchemaRepresentation,
    graph_schema_extensions_representation: Extensions,
    graph_mapping_representation: MappingRepresentation,
    #[serde(default)]
    configurations: Configurations,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaRepresentation {
    graph_schema: Schema,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    node_labels: Vec<Token>,
    node_object_types: Vec<NodeType>,
    relationship_types: Vec<Token>,
    relationship_object_types: Vec<RelationshipType>,
    #[serde(default)]
    indexes: Vec<SchemaRule>,
    #[serde(default)]
    constraints: Vec<SchemaRule>,
}

#[derive(Deserialize)]
struct Token {
    #[serde(rename = "$id")]
    id: String,
    #[serde(rename = "token")]
    name: String,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "$id")]
    id: String,
    #[serde(rename = "token")]
    name: String,
    #[serde(rename = "type")]
    kind: TypeName,
}

#[derive(Deserialize)]
struct TypeName {
    #[serde(rename = "type")]
    name: String,
}

#[derive(Deserialize)]
struct NodeType {
    #[serde(rename = "$id")]
    id: String,
    labels: Vec<Ref>,
}

#[derive(Deserialize)]
struct RelationshipType {
    #[serde(rename = "$id")]
    id: String,
    #[serde(rename = "type")]
    kind: Ref,
    from: Ref,
    to: Ref,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaRule {
    #[serde(default)]
    name: String,
    #[serde(default)]
    constraint_type: String,
    entity_type: String,
    node_label: Option<Ref>,
    properties: Vec<Ref>,
}

#[derive(Deserialize)]
struct Ref {
    #[serde(rename = "$ref")]
    target: String,
}

impl Ref {
    fn id(&self) -> &str {
        self.target.trim_start_matches('#')
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    node_key_properties: Vec<KeyProperty>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyProperty {
    node: Ref,
    key_property: Ref,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MappingRepresentation {
    data_source_schema: DataSource,
    node_mappings: Vec<NodeTable>,
    relationship_mappings: Vec<RelationshipTable>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataSource {
    table_schemas: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    #[serde(rename = "$id")]
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeTable {
    node: Ref,
    table_schema: Ref,
    property_mappings: Vec<PropertyMapping>,
    mapping_filter: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RelationshipTable {
    relationship: Ref,
    table_schema: Ref,
    from_mapping: Field,
    to_mapping: Field,
    property_mappings: Vec<PropertyMapping>,
    mapping_filter: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PropertyMapping {
    property: Ref,
    field_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    field_name: String,
}

/// Parses a model. The error says what it lacks.
pub(super) fn parse(json: &serde_json::Value) -> Result<Model, String> {
    let whole = Whole::deserialize(json).map_err(|error| error.to_string())?;
    let parts = Parts::new(&whole);
    let mut model = Model { ignored_ids: whole.configurations.ids_to_ignore.clone(), ..Model::default() };
    for table in &whole.graph_mapping_representation.node_mappings {
        refuse_filter(table.mapping_filter.as_ref())?;
        let node = table.node.id();
        let key = parts.key_property(node)?;
        let is_key = |mapping: &&PropertyMapping| mapping.property.id() == key.id;
        let field = table.property_mappings.iter().find(is_key).map(|mapping| mapping.field_name.as_str());
        let field = field.ok_or_else(|| format!("the key `{}` of `{node}` is not mapped", key.name))?;
        model.nodes.push(NodeMapping {
            table: parts.table(&table.table_schema)?,
            labels: parts.labels(node)?,
            key: parts.key(node, field)?,
            properties: parts.mapped(&table.property_mappings)?,
        });
    }
    for table in &whole.graph_mapping_representation.relationship_mappings {
        refuse_filter(table.mapping_filter.as_ref())?;
        let relationship = find(&parts.relationships, table.relationship.id())?;
        model.relationships.push(RelationshipMapping {
            table: parts.table(&table.table_schema)?,
            kind: find(&parts.tokens, relationship.kind.id())?.name.clone(),
            from: parts.key(relationship.from.id(), &table.from_mapping.field_name)?,
            to: parts.key(relationship.to.id(), &table.to_mapping.field_name)?,
            properties: parts.mapped(&table.property_mappings)?,
        });
    }
    let schema = &whole.graph_schema_representation.graph_schema;
    for rule in schema.constraints.iter().filter(|rule| rule.constraint_type != "existence") {
        if let Some((label, properties)) = parts.rule(rule)? {
            model.constraints.push(Constraint { name: rule.name.clone(), label, properties });
        }
    }
    for rule in &schema.indexes {
        let Some((label, properties)) = parts.rule(rule)? else { continue };
        // A constraint comes with an index of its own.
        let is_same = |known: &Constraint| known.label == label && known.properties == properties;
        if !model.constraints.iter().any(is_same) {
            let (name, target) = (rule.name.clone(), Target::Label(label));
            model.indexes.push(Index { name, target, properties, kind: IndexKind::Property });
        }
    }
    Ok(model)
}

fn refuse_filter(filter: Option<&serde_json::Value>) -> Result<(), String> {
    match filter {
        None | Some(serde_json::Value::Null) => Ok(()),
        Some(_) => Err("it filters the rows of a table, which is not supported".to_owned()),
    }
}

fn find<'m, T>(parts: &HashMap<&str, &'m T>, id: &str) -> Result<&'m T, String> {
    require(parts.get(id).copied(), id)
}

/// Parts of a model, by identifier.
struct Parts<'m> {
    tokens: HashMap<&'m str, &'m Token>,
    nodes: HashMap<&'m str, &'m NodeType>,
    relationships: HashMap<&'m str, &'m RelationshipType>,
    properties: HashMap<&'m str, &'m Property>,
    keys: HashMap<&'m str, &'m str>,
    tables: HashMap<&'m str, &'m Table>,
}

impl<'m> Parts<'m> {
    fn new(whole: &'m Whole) -> Self {
        let schema = &whole.graph_schema_representation.graph_schema;
        let tokens = || schema.node_labels.iter().chain(&schema.relationship_types);
        let keys = &whole.graph_schema_extensions_representation.node_key_properties;
        let tables = &whole.graph_mapping_representation.data_source_schema.table_schemas;
        Self {
            tokens: tokens().map(|token| (token.id.as_str(), token)).collect(),
            nodes: schema.node_object_types.iter().map(|node| (node.id.as_str(), node)).collect(),
            relationships: schema
                .relationship_object_types
                .iter()
                .map(|kind| (kind.id.as_str(), kind))
                .collect(),
            properties: tokens()
                .flat_map(|token| &token.properties)
                .map(|property| (property.id.as_str(), property))
                .collect(),
            keys: keys.iter().map(|key| (key.node.id(), key.key_property.id())).collect(),
            tables: tables.iter().map(|table| (table.id.as_str(), table)).collect(),
        }
    }

    fn labels(&self, node: &str) -> Result<Vec<String>, String> {
        let labels = &find(&self.nodes, node)?.labels;
        labels.iter().map(|label| Ok(find(&self.tokens, label.id())?.name.clone())).collect()
    }

    fn key_property(&self, node: &str) -> Result<&'m Property, String> {
        let key = self.keys.get(node).ok_or_else(|| format!("the node `{node}` has no key"))?;
        find(&self.properties, key)
    }

    fn key(&self, node: &str, field: &str) -> Result<Key, String> {
        let label = self.labels(node)?.into_iter().next().unwrap_or_default();
        let kind = PropertyKind::parse(&self.key_property(node)?.kind.name)?;
        Ok(Key { label, field: field.to_owned(), kind })
    }

    fn table(&self, table: &Ref) -> Result<String, String> {
        Ok(find(&self.tables, table.id())?.name.clone())
    }

    fn mapped(&self, mappings: &[PropertyMapping]) -> Result<Vec<Mapped>, String> {
        let mapped = mappings.iter().map(|mapping| {
            let property = find(&self.properties, mapping.property.id())?;
            Mapped::new(&mapping.field_name, &property.name, &property.kind.name)
        });
        mapped.collect()
    }

    /// Resolves the label and properties of an index or constraint. Returns `None` for one on
    /// relationships.
    fn rule(&self, rule: &SchemaRule) -> Result<Option<(String, Vec<String>)>, String> {
        let Some(label) = rule.node_label.as_ref().filter(|_| rule.entity_type == "node") else {
            return Ok(None);
        };
        let label = find(&self.tokens, label.id())?.name.clone();
        let properties =
            rule.properties.iter().map(|property| Ok(find(&self.properties, property.id())?.name.clone()));
        Ok(Some((label, properties.collect::<Result<_, String>>()?)))
    }
}
