//! Stores the ontology in the graph.

use graphwright_core::{
    GraphStore, Node, NodeKey, Properties, Statement, Value, names,
    store::{ChangeSet, QueryOptions},
};

use super::Ontology;
use crate::Result;

const RECORD: &str = "ontology";

impl Ontology {
    /// Returns the BLAKE3 hash of the JSON form in hexadecimal. Documents are read again when it
    /// changes. Types that came in from passages do not count.
    pub fn hash(&self) -> String {
        let mut lasting = self.clone();
        lasting.nodes.retain(|_, node| !node.added);
        lasting.relationships.retain(|_, relationship| !relationship.added);
        blake3::hash(lasting.to_json().as_bytes()).to_hex().to_string()
    }

    /// Loads the ontology that the graph was built with, or `None` if there is none.
    pub async fn load(store: &dyn GraphStore) -> Result<Option<Self>> {
        let statement = Statement::fixed("MATCH (m:`__Meta__`) RETURN m");
        let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
        Self::from_records(table.rows.iter().flatten().filter_map(Value::as_node))
    }

    /// Reads the ontology from the nodes with the label `__Meta__`, or `None` if it is not among them.
    pub fn from_records<'a>(records: impl IntoIterator<Item = &'a Node>) -> Result<Option<Self>> {
        let record = records.into_iter().find(|node| node.id() == RECORD);
        let json = record.and_then(|node| node.properties.get("json")).and_then(Value::as_str);
        let Some(json) = json else { return Ok(None) };
        Self::parse(json, std::path::Path::new("the ontology stored in the graph")).map(Some)
    }

    /// Writes the ontology into the graph. Replaces the one that is there.
    pub async fn save(&self, store: &dyn GraphStore) -> Result<()> {
        let mut changes = ChangeSet::new();
        let properties = Properties::from([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("json".to_owned(), Value::from(self.to_json())),
            ("hash".to_owned(), Value::from(self.hash())),
        ]);
        changes.upsert_node(NodeKey::new(names::META, RECORD), &[], properties);
        store.apply(changes).await?;
        Ok(())
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
