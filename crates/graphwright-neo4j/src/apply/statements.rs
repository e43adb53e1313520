//! The texts of the statements, each for a parameter `rows`.

use graphwright_core::{RelationshipKey, Result, names, store::OnExisting};

use crate::index::quoted;

pub(super) fn upsert_node(label: &str, labels: &[String], on_existing: OnExisting) -> Result<String> {
    let labels = labels.iter().map(|label| Ok(format!(":{}", quoted(label)?))).collect::<Result<String>>()?;
    let set = |node: &str| {
        let labels = if labels.is_empty() { String::new() } else { format!("SET {node}{labels} ") };
        format!("{labels}SET {node} {} row.properties", operator(on_existing))
    };
    if !label.is_empty() {
        let (found, set) = (found("n", label, "id")?, set("n"));
        return Ok(format!("UNWIND $rows AS row MERGE {found} {set} RETURN collect([row.id, elementId(n)])"));
    }
    // `MERGE` of a node without labels would take one with labels for it.
    Ok(format!(
        "UNWIND $rows AS row OPTIONAL {} \
         FOREACH (new IN CASE WHEN n IS NULL THEN [row] ELSE [] END | CREATE {} {}) \
         FOREACH (old IN CASE WHEN n IS NULL THEN [] ELSE [n] END | {})",
        matched("n", label, "id")?,
        found("made", label, "id")?,
        set("made"),
        set("old"),
    ))
}

/// Finds the ends of a row's relationship by their element identifiers, whatever their labels: a statement for each
/// pattern of labels would be planned by itself, which takes longer than running it. Types stay in the text: Neo4j 5.26
/// takes them from rows (`[r:$(row.kind)]`), but reads all relationships of a node for it, ten times as slow.
const ENDS: &str = "MATCH (a) WHERE elementId(a) = row.from MATCH (b) WHERE elementId(b) = row.to";

pub(super) fn upsert_relationship(key: &RelationshipKey, on_existing: OnExisting) -> Result<String> {
    let (kind, operator) = (quoted(&key.kind)?, operator(on_existing));
    Ok(format!(
        "UNWIND $rows AS row {ENDS} MERGE (a)-[r:{kind} {{{}: row.id}}]->(b) \
         SET r {operator} row.properties RETURN count(*)",
        names::ID,
    ))
}

/// Writes the statement that finds nodes for relationships.
pub(super) fn element_ids(label: &str) -> Result<String> {
    Ok(format!("UNWIND $rows AS row {} RETURN collect([row.id, elementId(n)])", matched("n", label, "id")?))
}

pub(super) fn delete_node(label: &str) -> Result<String> {
    Ok(format!("UNWIND $rows AS row {} DETACH DELETE n", matched("n", label, "id")?))
}

pub(super) fn delete_relationship(key: &RelationshipKey) -> Result<String> {
    let kind = quoted(&key.kind)?;
    Ok(format!("UNWIND $rows AS row {ENDS} MATCH (a)-[r:{kind} {{{}: row.id}}]->(b) DELETE r", names::ID))
}

/// Writes the statement that sets vectors.
///
/// The procedure stores single-precision numbers, which a vector index reads as they are.
pub(super) fn set_vector(label: &str) -> Result<String> {
    Ok(format!(
        "UNWIND $rows AS row {} CALL db.create.setNodeVectorProperty(n, row.property, row.vector) \
         RETURN count(*)",
        matched("n", label, "id")?,
    ))
}

/// Writes the statement that reads the length of a vector that is there.
pub(super) fn vector_length(label: &str, property: &str) -> Result<String> {
    let property = quoted(property)?;
    let (pattern, bare) = match label {
        "" => ("(n)".to_owned(), "size(labels(n)) = 0 AND "),
        label => (format!("(n:{})", quoted(label)?), ""),
    };
    Ok(format!("MATCH {pattern} WHERE {bare}n.{property} IS NOT NULL RETURN size(n.{property}) LIMIT 1"))
}

/// Writes the statement that finds the identifier in a field of the first row that no node has.
pub(super) fn first_missing(label: &str, field: &str) -> Result<String> {
    let node = matched("n", label, field)?;
    Ok(format!("UNWIND $rows AS row WITH row WHERE NOT EXISTS {{ {node} }} RETURN row.{field} LIMIT 1"))
}

/// Writes the match of a node by label and the identifier in a field of the row.
///
/// Without a label, it matches a node that has none.
fn matched(variable: &str, label: &str, field: &str) -> Result<String> {
    let bare = if label.is_empty() { format!(" WHERE size(labels({variable})) = 0") } else { String::new() };
    Ok(format!("MATCH {}{bare}", found(variable, label, field)?))
}

/// Writes the pattern of a node by label and the identifier in a field of the row.
fn found(variable: &str, label: &str, field: &str) -> Result<String> {
    let label = if label.is_empty() { String::new() } else { format!(":{}", quoted(label)?) };
    Ok(format!("({variable}{label} {{{}: row.{field}}})", names::ID))
}

fn operator(on_existing: OnExisting) -> &'static str {
    match on_existing {
        OnExisting::Merge => "+=",
        OnExisting::Replace => "=",
    }
}
