//! Writes vectors of nodes.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{Result, StoreError, store::Change};
use kglite::api::Value as EngineValue;

use super::{
    Work, engine_label,
    nodes::{node_row, pattern},
    quoted,
};
use crate::{
    rewrite::reserved,
    vectors::{self, Vectors},
};

impl Work<'_> {
    pub(super) fn set_vectors(&mut self, run: Vec<Change>) -> Result<()> {
        let mut components: HashMap<(String, String), usize> = HashMap::new();
        let mut rows: BTreeMap<(String, String), Vec<EngineValue>> = BTreeMap::new();
        let mut indexed: BTreeMap<(String, String), Vectors> = BTreeMap::new();
        for change in run {
            let Change::SetVector { key, property, vector } = change else { continue };
            let node = self.require(&key)?;
            let place = (engine_label(&key.label), reserved::vector_mark(&property));
            let expected = *components.entry(place.clone()).or_insert_with(|| {
                vectors::components(self.graph, &place.0, &place.1).unwrap_or(vector.len())
            });
            check(&property, &vector, expected)?;
            let text = EngineValue::String(vectors::to_text(&vector));
            rows.entry(place.clone()).or_default().push(node_row(&key, node, text));
            if vectors::is_indexed(self.graph, &place.0, &place.1) {
                indexed.entry(place).or_default().push((self.engine_id(node), vector));
            }
        }
        for ((label, mark), rows) in rows {
            let pattern = pattern(&label);
            let mark = quoted(&mark);
            self.query(format!("UNWIND $rows AS row MATCH {pattern} SET n.{mark} = row.properties"), rows)?;
        }
        for ((label, mark), entries) in indexed {
            vectors::add_to_index(self.graph, &label, &mark, entries)?;
        }
        Ok(())
    }

    /// Takes nodes (as rows) out of the vector indexes of their label.
    pub(super) fn remove_from_vector_indexes(&mut self, label: &str, rows: &[EngineValue]) -> Result<()> {
        for column in vectors::indexed_marks(self.graph, label) {
            let text = format!(
                "UNWIND $rows AS row MATCH {} AND n.{} IS NOT NULL WITH collect(n) AS nodes \
                 CALL db.node_embeddings.remove({{type: $label, text_column: $column, nodes: nodes}}) \
                 YIELD removed RETURN removed",
                pattern(label),
                quoted(&column),
            );
            let parameters = [
                ("rows", EngineValue::List(rows.to_vec())),
                ("label", EngineValue::String(label.to_owned())),
                ("column", EngineValue::String(column)),
            ];
            self.query_with(text, parameters)?;
        }
        Ok(())
    }
}

fn check(property: &str, vector: &[f32], expected: usize) -> Result<()> {
    let problem = if vector.len() != expected {
        format!("has {} components, and the others have {expected}", vector.len())
    } else if vector.is_empty() {
        "has no components".to_owned()
    } else if vector.iter().any(|component| !component.is_finite()) {
        "has a component that is not a finite number".to_owned()
    } else {
        return Ok(());
    };
    Err(StoreError::Constraint { message: format!("a vector under `{property}` {problem}") })
}
