//! Indexes that the queries of a graph could use.
//!
//! The properties by which queries look up are remembered in a file beside the search index,
//! without the values.

use std::{collections::BTreeSet, path::Path};

use graphwright_core::{
    GraphSchema, StoreError, names,
    schema::{Constraint, Index, IndexKind, Target},
    store::{SchemaOptions, Selection},
};
use graphwright_cypher::Lookup;
use graphwright_retrieve::SearchIndex;

use crate::{Graph, MissingIndex, Result, remembered::BOUND};

impl Graph {
    /// Remembers by which properties a query looked up. Failures are only logged: the query is
    /// answered regardless.
    pub(crate) fn remember(&self, lookups: &BTreeSet<Lookup>) {
        if lookups.is_empty() {
            return;
        }
        if let Err(error) = self.remembered.add(lookups) {
            tracing::debug!(%error, "by which properties a query looks up could not be remembered");
        }
    }

    /// Keeps the look-ups that no index or constraint serves.
    pub(crate) async fn without_index(&self, lookups: BTreeSet<Lookup>) -> Result<Vec<Lookup>> {
        if lookups.is_empty() {
            return Ok(Vec::new());
        }
        let name = |lookup: &Lookup| match &lookup.target {
            Target::Label(name) | Target::RelationshipType(name) => name.clone(),
        };
        let names = Selection::only(lookups.iter().map(name));
        let options = SchemaOptions {
            labels: names.clone(),
            relationship_types: names,
            sample: 0,
            ..SchemaOptions::default()
        };
        let schema = self.store().schema(options).await?;
        Ok(lookups.into_iter().filter(|lookup| !is_served(&schema, lookup)).collect())
    }

    /// Creates an index unless an equal one exists, and waits until it can be used.
    pub async fn create_index(&self, index: Index) -> Result<()> {
        self.change_indexes(self.store().create_index(index)).await
    }

    /// Drops an index by name.
    pub async fn drop_index(&self, name: &str) -> Result<()> {
        self.change_indexes(self.store().drop_index(name)).await
    }

    /// Creates a uniqueness constraint unless an equal one exists. Fails if the data breaks it.
    pub async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        self.change_indexes(self.store().create_constraint(constraint)).await
    }

    /// Drops a constraint by name.
    pub async fn drop_constraint(&self, name: &str) -> Result<()> {
        self.change_indexes(self.store().drop_constraint(name)).await
    }

    async fn change_indexes(
        &self,
        change: impl Future<Output = Result<(), StoreError>> + Send,
    ) -> Result<()> {
        self.keep_search_index(async { Ok(change.await?) }).await
    }

    /// Runs work that writes only what nobody searches, such as conversations.
    ///
    /// A search index that was up to date before the work still counts as up to date afterwards. The snapshot of the graph is
    /// made anew, since it holds them too.
    ///
    /// # Errors
    /// Fails with the errors of the work or of the store.
    pub async fn keep_search_index<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let done = work.await?;
        self.store().checkpoint().await?;
        if !self.is_indexed_by_server() && self.index_folder().is_dir() {
            SearchIndex::confirm(self.index_folder(), &**self.store()).await?;
        }
        if self.topology_folder().is_dir() {
            self.refresh_topology().await?;
        }
        Ok(done)
    }

    /// Returns the file of remembered look-ups if it is full, at 500. Further look-ups are not
    /// remembered until the file is deleted.
    pub fn full_lookups_file(&self) -> Option<&Path> {
        (self.remembered.all().len() >= BOUND).then_some(&self.remembered.file)
    }

    /// Lists the indexes that queries of this graph could have used and the store does not have.
    /// Only labels, types and properties that the graph holds count.
    pub async fn missing_indexes(&self) -> Result<Vec<MissingIndex>> {
        let lookups = self.remembered.all();
        if lookups.is_empty() {
            return Ok(Vec::new());
        }
        let schema = self.store().schema(SchemaOptions { values: 0, ..SchemaOptions::default() }).await?;
        let missing =
            lookups.iter().filter(|lookup| is_stored(&schema, lookup) && !is_served(&schema, lookup));
        Ok(missing.map(MissingIndex::from).collect())
    }
}

fn is_stored(schema: &GraphSchema, lookup: &Lookup) -> bool {
    let (elements, name) = match &lookup.target {
        Target::Label(name) => (&schema.labels, name),
        Target::RelationshipType(name) => (&schema.relationship_types, name),
    };
    let element = elements.iter().find(|element| element.name == *name);
    element.is_some_and(|element| element.properties.iter().any(|property| property.name == lookup.property))
}

/// Tells whether an index or a constraint begins with the property. Our own identifier always has
/// one.
fn is_served(schema: &GraphSchema, lookup: &Lookup) -> bool {
    let begins = |properties: &[String]| properties.first() == Some(&lookup.property);
    let index = schema.indexes.iter().any(|index| {
        index.kind == IndexKind::Property && index.target == lookup.target && begins(&index.properties)
    });
    let constraint = schema.constraints.iter().any(|constraint| {
        matches!(&lookup.target, Target::Label(label) if *label == constraint.label)
            && begins(&constraint.properties)
    });
    index || constraint || lookup.property == names::ID
}
