//! Approval of writes, and the names that a write may use.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use graphwright_core::{
    GraphSchema, Statement, StoreError,
    schema::ElementSchema,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_retrieve::query::counted_schema;

use crate::{Graph, Result};

/// A write that waits for approval.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The statement, as it was given.
    pub text: String,
    /// What it would change now. It has been run and taken back to find out.
    pub counters: Counters,
}

/// Decides whether writes may happen.
#[async_trait]
pub trait Approve: Debug + Send + Sync {
    /// Returns whether this write may happen.
    async fn approve(&self, proposal: &Proposal) -> bool;
}

impl Graph {
    /// Tries a write out and asks for approval.
    pub(crate) async fn seek_approval(
        &self,
        approval: &dyn Approve,
        text: &str,
        statement: &Statement,
        limits: &QueryOptions,
    ) -> Result<(), Unapproved> {
        let options = QueryOptions { mode: QueryMode::Run, dry_run: true, ..limits.clone() };
        let counters = self.store().write(statement.clone(), options).await?.counters;
        let proposal = Proposal { text: text.to_owned(), counters };
        if approval.approve(&proposal).await { Ok(()) } else { Err(Unapproved::Refused) }
    }

    /// Collects the labels and relationship types that may be written: those of the graph and of
    /// its ontology. Returns `None` if there are none, as in a new graph, where any name may be
    /// written.
    pub(crate) async fn writable_names(&self) -> Result<Option<Arc<GraphSchema>>> {
        let mut schema = counted_schema(&**self.store()).await?.without_reserved();
        if let Some(ontology) = self.ontology().await? {
            let element = |name: &String| ElementSchema { name: name.clone(), ..ElementSchema::default() };
            schema.labels.extend(ontology.nodes.keys().map(element));
            schema.relationship_types.extend(ontology.relationships.keys().map(element));
        }
        let is_empty = schema.labels.is_empty() && schema.relationship_types.is_empty();
        Ok((!is_empty).then(|| Arc::new(schema)))
    }
}

/// Why a write does not happen.
pub(crate) enum Unapproved {
    /// Trying it out failed.
    Failed(StoreError),
    Refused,
}

impl From<StoreError> for Unapproved {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}
