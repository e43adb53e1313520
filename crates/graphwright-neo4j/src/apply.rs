//! Writes by key: nodes by first label and `__id__`, relationships by ends, type and `__id__`.
//!
//! Changes of one form become rows of one statement, in batches of about [`BATCH_BYTES`]. All is
//! prepared before the transaction begins, so that it can be tried again as it is.

mod plan;
mod statements;

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use graphwright_core::{
    Result, StoreError, Value,
    store::{ChangeSet, Counters},
};
use neo4j::transaction::Transaction;

use crate::{
    call::Call,
    error::Failure,
    keys::{self, Keys},
    query,
    server::{self, Server},
    values::Parameters,
};
use plan::{Condition, Step};

/// The size of the rows that go to the server in one statement, in bytes, roughly.
const BATCH_BYTES: usize = 1 << 20;

/// Facts that earlier writes have found out.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) keys: Keys,
    /// The label, property and length of vectors that are there.
    vectors: Mutex<HashSet<(String, String, usize)>>,
}

/// Makes all changes, in order, in one transaction.
pub(crate) fn apply(server: &Server, call: &Call, known: &Known, changes: ChangeSet) -> Result<Counters> {
    // In a transaction of its own: Neo4j does not change schema and data in the same one.
    known.keys.ensure(server, call, keys::labels_of(&changes.changes))?;
    let steps = plan::steps(changes)?;
    server.write(call, None, |transaction| {
        let mut total = Counters::default();
        for step in &steps {
            step.run(transaction, known, &mut total)?;
        }
        Ok(total)
    })
}

impl Step {
    fn run<'a>(
        &self,
        transaction: &'a Transaction<'_, 'a>,
        known: &Known,
        total: &mut Counters,
    ) -> Result<(), Failure> {
        if let Condition::Vectors { label, property, dimensions } = &self.condition {
            known.agree(transaction, label, property, *dimensions)?;
        }
        for batch in &self.batches {
            let (rows, summary) = server::run(transaction, &self.text, &batch.parameters)?;
            *total += query::counters(&summary.counters);
            // Statements that match nodes return how many rows found theirs.
            let matched = rows.first().and_then(|row| row.first()).and_then(Value::as_integer);
            if matched.is_some_and(|matched| usize::try_from(matched) != Ok(batch.rows)) {
                return Err(self.missing(transaction, &batch.parameters)?.into());
            }
        }
        Ok(())
    }

    /// Names the first node that a row needs and that is not there.
    fn missing<'a>(
        &self,
        transaction: &'a Transaction<'_, 'a>,
        parameters: &Parameters,
    ) -> Result<StoreError, Failure> {
        for (label, field) in self.condition.nodes() {
            let text = statements::first_missing(label, field)?;
            let (rows, _) = server::run(transaction, &text, parameters)?;
            if let Some(id) = rows.first().and_then(|row| row.first()).and_then(Value::as_str) {
                return Ok(StoreError::NotFound {
                    what: format!("the node `{id}` with the label `{label}`"),
                });
            }
        }
        Ok(StoreError::Engine { message: "the server matched other nodes than were named".to_owned() })
    }
}

impl Known {
    /// Fails if the vectors that are there have another length.
    fn agree<'a>(
        &self,
        transaction: &'a Transaction<'_, 'a>,
        label: &str,
        property: &str,
        dimensions: usize,
    ) -> Result<(), Failure> {
        let key = (label.to_owned(), property.to_owned(), dimensions);
        let lock = || self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().contains(&key) {
            return Ok(());
        }
        let (rows, _) =
            server::run(transaction, &statements::vector_length(label, property)?, &Parameters::new())?;
        match rows.first().and_then(|row| row.first()).and_then(Value::as_integer) {
            // Not remembered: until one is written, another writer may choose another length.
            None => Ok(()),
            Some(present) if usize::try_from(present) == Ok(dimensions) => {
                lock().insert(key);
                Ok(())
            }
            Some(present) => Err(StoreError::Constraint {
                message: format!("the vectors there have {present} components, not {dimensions}"),
            }
            .into()),
        }
    }
}
