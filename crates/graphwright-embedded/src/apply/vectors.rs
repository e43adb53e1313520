//! Vectors of nodes, kept in the engine's embedding store.

use std::collections::BTreeMap;

use graphwright_core::{Result, StoreError, store::Change};
use graphwright_cypher::rewrite::reserved;
use kglite::api::{Value as EngineValue, embeddings};

use super::{Work, engine_label, id_property, quoted, row};

/// Vectors by the engine's identifiers of the nodes.
type Entries = Vec<(EngineValue, Vec<f32>)>;

impl Work<'_> {
    pub(super) fn set_vectors(&mut self, run: Vec<Change>) -> Result<()> {
        let mut groups: BTreeMap<(String, String), Entries> = BTreeMap::new();
        for change in run {
            let Change::SetVector { key, property, vector } = change else { continue };
            let node = self.require(&key)?;
            let id = self.engine_id(node);
            groups.entry((engine_label(&key.label), property)).or_default().push((id, vector));
        }
        for ((label, property), entries) in groups {
            let mark = reserved::vector_mark(&property);
            let rows = entries.iter().map(|(id, _)| id.clone()).collect();
            self.query(
                format!(
                    "UNWIND $rows AS row MATCH (n:{} {{id: row}}) SET n.{} = true",
                    quoted(&label),
                    quoted(&mark)
                ),
                rows,
            )?;
            embeddings::add_embeddings(self.graph, &label, &mark, None, entries).map_err(|message| {
                StoreError::Evaluation { message: format!("vectors of `{property}`: {message}") }
            })?;
        }
        Ok(())
    }

    /// Removes all vectors of nodes (rows with our identifier as `id`).
    pub(super) fn remove_vectors(&mut self, label: &str, rows: &[EngineValue]) -> Result<()> {
        let stores = embeddings::list_embeddings(self.graph);
        for store in stores.iter().filter(|store| store.node_type == label) {
            let (label_text, column) = (EngineValue::String(label.to_owned()), &store.text_column);
            let text = format!(
                "UNWIND $rows AS row MATCH (n:{} {{{}: row.row.id}}) WHERE n.{} \
                 WITH row.label AS label, row.column AS column, collect(n) AS nodes \
                 CALL db.node_embeddings.remove({{type: label, text_column: column, nodes: nodes}}) \
                 YIELD removed RETURN removed",
                quoted(label),
                quoted(&id_property()),
                quoted(column),
            );
            let rows = rows
                .iter()
                .map(|each| {
                    row([
                        ("row", each.clone()),
                        ("label", label_text.clone()),
                        ("column", EngineValue::String(column.clone())),
                    ])
                })
                .collect();
            self.query(text, rows)?;
        }
        Ok(())
    }
}
