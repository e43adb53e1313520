//! The texts of the statements, each for a parameter `rows`.

use graphwright_core::{RelationshipKey, Result, names, store::OnExisting};

use crate::index::quoted;

pub(super) fn upsert_node(label: &str, labels: &[String], on_existing: OnExisting) -> Result<String> {
    let mut text = format!("UNWIND $rows AS row MERGE {}", node("n", label, "id")?);
    if !labels.is_empty() {
        text.push_str(" SET n");
        for label in labels {
            text.push(':');
            text.push_str(&quoted(label)?);
        }
    }
    Ok(format!("{text} SET n {} row.properties", operator(on_existing)))
}

pub(super) fn upsert_relationship(key: &RelationshipKey, on_existing: OnExisting) -> Result<String> {
    let (from, to) = (node("a", &key.from.label, "from")?, node("b", &key.to.label, "to")?);
    let (kind, operator) = (quoted(&key.kind)?, operator(on_existing));
    Ok(format!(
        "UNWIND $rows AS row MATCH {from} MATCH {to} MERGE (a)-[r:{kind} {{{}: row.id}}]->(b) \
         SET r {operator} row.properties RETURN count(*)",
        names::ID,
    ))
}

pub(super) fn delete_node(label: &str) -> Result<String> {
    Ok(format!("UNWIND $rows AS row MATCH {} DETACH DELETE n", node("n", label, "id")?))
}

pub(super) fn delete_relationship(key: &RelationshipKey) -> Result<String> {
    let (from, to) = (node("a", &key.from.label, "from")?, node("b", &key.to.label, "to")?);
    let kind = quoted(&key.kind)?;
    Ok(format!(
        "UNWIND $rows AS row MATCH {from} MATCH {to} MATCH (a)-[r:{kind} {{{}: row.id}}]->(b) DELETE r",
        names::ID,
    ))
}

/// The procedure stores single-precision numbers, which a vector index reads as they are.
pub(super) fn set_vector(label: &str) -> Result<String> {
    Ok(format!(
        "UNWIND $rows AS row MATCH {} CALL db.create.setNodeVectorProperty(n, row.property, row.vector) \
         RETURN count(*)",
        node("n", label, "id")?,
    ))
}

/// The length of a vector that is there.
pub(super) fn vector_length(label: &str, property: &str) -> Result<String> {
    let property = quoted(property)?;
    let pattern = if label.is_empty() { "(n)".to_owned() } else { format!("(n:{})", quoted(label)?) };
    Ok(format!("MATCH {pattern} WHERE n.{property} IS NOT NULL RETURN size(n.{property}) LIMIT 1"))
}

/// The identifier in a field of the first row that no node has.
pub(super) fn first_missing(label: &str, field: &str) -> Result<String> {
    let node = node("n", label, field)?;
    Ok(format!("UNWIND $rows AS row WITH row WHERE NOT EXISTS {{ MATCH {node} }} RETURN row.{field} LIMIT 1"))
}

/// A node by the identifier in a field of the row.
fn node(variable: &str, label: &str, field: &str) -> Result<String> {
    let label = if label.is_empty() { String::new() } else { format!(":{}", quoted(label)?) };
    Ok(format!("({variable}{label} {{{}: row.{field}}})", names::ID))
}

fn operator(on_existing: OnExisting) -> &'static str {
    match on_existing {
        OnExisting::Merge => "+=",
        OnExisting::Replace => "=",
    }
}
