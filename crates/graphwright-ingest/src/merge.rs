//! Proposes merges of duplicate entities, and merges that can be undone.
//!
//! [`Review`] lists the proposals of an ingest run, and accepts or rejects them.
//!
//! A merge moves the claims of documents and does not rewrite them. So undoing it restores what was
//! there, and claims that were ingested since go to the entity that their documents name.

mod compare;
mod settle;
mod suggest;

use std::sync::Arc;

use graphwright_core::{
    GraphStore, Node, NodeKey, Properties, Statement, Value, names,
    store::{Change, ChangeSet, OnExisting, QueryOptions},
    text::brief_name,
};
use graphwright_ontology::Ontology;
use serde::{Deserialize, Serialize};

pub use crate::report::Merged;
use crate::{IngestError, Result, ledger};

pub(crate) use settle::settle;
pub(crate) use suggest::{count_suggestions, suggest};

/// A proposal to merge two entities, with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suggestion {
    /// Type of both entities.
    pub label: String,
    /// Identifier of the entity to keep: the one that more passages mention.
    pub kept: String,
    /// Name of the entity to keep.
    pub kept_name: String,
    /// Identifier of the entity to merge into it.
    pub merged: String,
    /// Name of the entity to merge.
    pub merged_name: String,
    /// Confidence of the proposal, from 0 to 1.
    pub score: f64,
    /// Similarity of the names as text, from 0 to 1.
    pub string_similarity: f64,
    /// Cosine similarity of the names' vectors; `None` without an embedder.
    pub vector_similarity: Option<f64>,
    /// The reason, in words.
    pub reason: String,
}

/// Reviews proposals, merges entities and undoes merges.
#[derive(Clone, Debug)]
pub struct Review {
    store: Arc<dyn GraphStore>,
}

impl Review {
    /// Creates a review of the entities in a store.
    pub fn new(store: Arc<dyn GraphStore>) -> Self {
        Self { store }
    }

    /// Returns the open proposals, the most confident first.
    pub async fn suggestions(&self) -> Result<Vec<Suggestion>> {
        suggest::open_suggestions(self.store.as_ref()).await
    }

    /// Rejects a proposal. It is not made again.
    pub async fn reject(&self, suggestion: &Suggestion) -> Result<()> {
        let mut changes = ChangeSet::new();
        let status = Properties::from([("status".to_owned(), "rejected".into())]);
        changes.upsert_node(suggest::suggestion_key(&suggestion.kept, &suggestion.merged), &[], status);
        self.store.apply(changes).await?;
        Ok(())
    }

    /// Returns the merges that were made.
    pub async fn merges(&self) -> Result<Vec<Merged>> {
        Ok(self.records().await?.iter().map(|node| read_merge(&node.properties)).collect())
    }

    async fn records(&self) -> Result<Vec<Node>> {
        let statement = Statement::fixed("MATCH (m:`__Merge__`) RETURN m");
        let table = self.store.read(statement, QueryOptions::default()).await?.collect().await?;
        let mut records: Vec<Node> =
            table.rows.iter().flatten().filter_map(|value| value.as_node().cloned()).collect();
        records.sort_by(|left, right| left.id().cmp(right.id()));
        Ok(records)
    }

    /// Merges one entity into another of its type: `kept` also gets the names, mentions and facts
    /// of `merged`.
    ///
    /// # Errors
    /// [`IngestError::Merge`] if either is not an entity that was read from documents, if their
    /// types differ, or if `merged` has relationships that no document states, since undoing the
    /// merge could not restore those.
    pub async fn merge(&self, kept: &str, merged: &str) -> Result<Merged> {
        let mut ledger = self.ledger().await?;
        let (kept, merged) = (find(&ledger, kept)?, find(&ledger, merged)?);
        if kept == merged {
            return Err(refuse("they are the same entity already"));
        }
        if kept.label != merged.label {
            return Err(refuse(&format!("a {} and a {} cannot be one entity", kept.label, merged.label)));
        }
        self.merge_in(&mut ledger, &kept, &merged, None).await
    }

    /// Merges two entities of one type, and notes what decided it if no person did.
    async fn merge_in(
        &self,
        ledger: &mut ledger::Ledger,
        kept: &NodeKey,
        merged: &NodeKey,
        by: Option<&str>,
    ) -> Result<Merged> {
        let own = self.own_properties(merged).await?;
        let delta = ledger.merge(kept, merged);
        let mut changes = delta.changes();
        let mut record = pair_properties(kept, merged);
        record.insert("node".to_owned(), serde_json::to_string(&own).unwrap_or_default().into());
        record.extend(by.map(|by| (BY.to_owned(), by.into())));
        changes.upsert_node(record_key(&merged.id), &[], record);
        changes.push(Change::DeleteNode { key: suggest::suggestion_key(&kept.id, &merged.id) });
        self.store.apply(changes).await?;
        Ok(Merged { label: kept.label.clone(), kept: kept.id.clone(), merged: merged.id.clone() })
    }

    /// Undoes the merge of `merged`.
    ///
    /// # Errors
    /// [`IngestError::Merge`] if `merged` was not merged into another entity.
    pub async fn undo(&self, merged: &str) -> Result<Merged> {
        let made = self.merges().await?.into_iter().find(|made| made.merged == merged);
        let Some(made) = made else { return Err(refuse(&format!("'{merged}' was not merged"))) };
        let mut ledger = self.ledger().await?;
        let key = NodeKey::new(made.label.as_str(), merged);
        let delta = ledger.unmerge(&key);
        let mut changes = delta.changes();
        if delta.after.nodes.contains_key(&key) {
            self.restore(&key, &delta.after.nodes[&key].properties, &mut changes).await?;
        }
        let records = self.records().await?;
        let record = records.iter().find(|node| node.id() == record_key(merged).id);
        if record.is_some_and(|record| record.properties.contains_key(BY)) {
            // What decided it would decide it again.
            let kept = NodeKey::new(made.label.as_str(), made.kept.as_str());
            let mut rejected = pair_properties(&kept, &key);
            rejected.insert("status".to_owned(), "rejected".into());
            changes.upsert_node(suggest::suggestion_key(&made.kept, merged), &[], rejected);
        }
        changes.push(Change::DeleteNode { key: record_key(merged) });
        self.store.apply(changes).await?;
        Ok(made)
    }

    /// Restores the properties of an entity that do not come from documents.
    async fn restore(&self, key: &NodeKey, projected: &Properties, changes: &mut ChangeSet) -> Result<()> {
        let records = self.records().await?;
        let record = records.iter().find(|node| node.id() == record_key(&key.id).id);
        let json =
            record.and_then(|node| node.properties.get("node")).and_then(Value::as_str).unwrap_or("{}");
        let mut own: Properties = serde_json::from_str(json).unwrap_or_default();
        own.retain(|name, _| !projected.contains_key(name) && name != names::ALIASES && name != names::ID);
        changes.push(Change::UpsertNode {
            key: key.clone(),
            labels: Vec::new(),
            properties: own,
            on_existing: OnExisting::Merge,
        });
        Ok(())
    }

    /// Reads the properties of an entity's node. Fails if the entity has relationships that no
    /// document states.
    async fn own_properties(&self, key: &NodeKey) -> Result<Properties> {
        let foreign = Statement::fixed(
            "MATCH (e:`__Entity__`)-[r]-(x) WHERE e.`__id__` = $id AND type(r) <> 'FROM_CHUNK' AND r.chunks IS NULL \
             RETURN count(r)",
        );
        let table = self
            .store
            .read(foreign.with("id", key.id.as_str()), QueryOptions::default())
            .await?
            .collect()
            .await?;
        let count =
            table.rows.first().and_then(|row| row.first()).and_then(Value::as_integer).unwrap_or_default();
        if count > 0 {
            return Err(refuse(&format!("'{}' has {count} relationships that no document states", key.id)));
        }
        let node = Statement::fixed("MATCH (e:`__Entity__`) WHERE e.`__id__` = $id RETURN e")
            .with("id", key.id.as_str());
        let table = self.store.read(node, QueryOptions::default()).await?.collect().await?;
        let node = table.rows.into_iter().flatten().next();
        Ok(node.as_ref().and_then(Value::as_node).map(|node| node.properties.clone()).unwrap_or_default())
    }

    async fn ledger(&self) -> Result<ledger::Ledger> {
        let mut ledger = ledger::load(self.store.as_ref()).await?;
        if let Some(ontology) = Ontology::load(self.store.as_ref()).await? {
            ledger.set_ontology(&ontology);
        }
        Ok(ledger)
    }
}

/// Property of a merge that no person decided: what did (`name` or `model`).
const BY: &str = "by";

fn pair_properties(kept: &NodeKey, merged: &NodeKey) -> Properties {
    Properties::from([
        ("label".to_owned(), merged.label.as_str().into()),
        ("kept".to_owned(), kept.id.as_str().into()),
        ("merged".to_owned(), merged.id.as_str().into()),
    ])
}

fn find(ledger: &ledger::Ledger, id: &str) -> Result<NodeKey> {
    let found = ledger.entities().find(|key| key.id == id).cloned();
    found.ok_or_else(|| {
        refuse(&format!("there is no entity '{}' that was read from documents", brief_name(id)))
    })
}

fn refuse(message: &str) -> IngestError {
    IngestError::Merge { message: message.to_owned() }
}

fn read_merge(properties: &Properties) -> Merged {
    let text = |name: &str| properties.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Merged { label: text("label"), kept: text("kept"), merged: text("merged") }
}

fn record_key(merged: &str) -> NodeKey {
    NodeKey::new(names::MERGE, format!("merge|{merged}"))
}
