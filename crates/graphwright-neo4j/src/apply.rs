//! Writes by key: nodes by first label and `__id__`, relationships by ends, type and `__id__`.
//!
//! Changes of one form become rows of one statement, in batches of about [`BATCH_BYTES`]. Relationships find their ends by
//! element identifiers, so that a statement does not depend on labels. All is
//! prepared before the transaction begins, so that it can be tried again as it is.

mod plan;
mod statements;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

use graphwright_core::{
    NodeKey, Result, StoreError, Value,
    store::{ChangeSet, Counters},
};
use neo4j::{ValueSend, transaction::Transaction};

use crate::{
    call::Call,
    error::Failure,
    keys::{self, Keys},
    query,
    server::{self, Server},
    values::Parameters,
};
use plan::{Condition, Row, Step};

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
        let mut writing =
            Writing { transaction, known, elements: Elements::new(), total: Counters::default() };
        for step in &steps {
            writing.run(step)?;
        }
        Ok(writing.total)
    })
}

/// Element identifiers of nodes that the transaction has met, by label and our identifier.
type Elements = HashMap<(String, String), String>;

/// A transaction, with what is known in it.
struct Writing<'t, 'd> {
    transaction: &'t Transaction<'d, 't>,
    known: &'t Known,
    elements: Elements,
    total: Counters,
}

impl Writing<'_, '_> {
    fn run(&mut self, step: &Step) -> Result<(), Failure> {
        if let Condition::Vectors { label, property, dimensions } = &step.condition {
            self.known.agree(self.transaction, label, property, *dimensions)?;
        }
        for batch in &step.batches {
            self.run_batch(step, batch)?;
        }
        if step.condition == Condition::Deletes {
            self.elements.clear();
        }
        Ok(())
    }

    fn run_batch(&mut self, step: &Step, batch: &[Row]) -> Result<(), Failure> {
        let mut rows = Vec::with_capacity(batch.len());
        self.find_ends(batch)?;
        for row in batch {
            let mut fields = row.fields.clone();
            if let Some([from, to]) = &row.ends {
                let found = [self.element(from), self.element(to)];
                match (found, &step.condition) {
                    ([Some(start), Some(end)], _) => {
                        fields.insert("from".to_owned(), start.into());
                        fields.insert("to".to_owned(), end.into());
                    }
                    (_, Condition::EndsOrNothing) => continue,
                    ([None, _], _) => return Err(missing(from).into()),
                    _ => return Err(missing(to).into()),
                }
            }
            rows.push(ValueSend::Map(fields));
        }
        let expected = rows.len();
        let parameters = Parameters::from([("rows".to_owned(), ValueSend::List(rows))]);
        let (rows, summary) = server::run(self.transaction, &step.text, &parameters)?;
        self.total += query::counters(&summary.counters);
        let first = rows.first().and_then(|row| row.first());
        match &step.condition {
            Condition::Returns { label } => self.remember(label, first),
            Condition::Vectors { label, .. }
                if first.and_then(Value::as_integer) != i64::try_from(expected).ok() =>
            {
                return Err(self.first_missing(label, &parameters)?.into());
            }
            // The ends were there a moment ago.
            Condition::Ends if first.and_then(Value::as_integer) != i64::try_from(expected).ok() => {
                let message = "a node was deleted while a relationship of it was written".to_owned();
                return Err(StoreError::Engine { message }.into());
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks for the element identifiers of ends that are not known yet, with one statement for each label.
    fn find_ends(&mut self, batch: &[Row]) -> Result<(), Failure> {
        let mut unknown: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for end in batch.iter().filter_map(|row| row.ends.as_ref()).flatten() {
            if self.element(end).is_none() {
                unknown.entry(&end.label).or_default().insert(&end.id);
            }
        }
        for (label, ids) in unknown {
            let row = |id: &&str| ValueSend::Map(Parameters::from([("id".to_owned(), (*id).into())]));
            let rows = ids.iter().map(row).collect();
            let parameters = Parameters::from([("rows".to_owned(), ValueSend::List(rows))]);
            let (rows, _) = server::run(self.transaction, &statements::element_ids(label)?, &parameters)?;
            self.remember(label, rows.first().and_then(|row| row.first()));
        }
        Ok(())
    }

    fn element(&self, node: &NodeKey) -> Option<String> {
        // A lookup by two borrowed parts would need another map in this one.
        self.elements.get(&(node.label.clone(), node.id.clone())).cloned()
    }

    /// Keeps pairs of our identifiers and element identifiers.
    fn remember(&mut self, label: &str, pairs: Option<&Value>) {
        for pair in pairs.and_then(Value::as_list).unwrap_or_default() {
            if let Some([Value::String(id), Value::String(element)]) = pair.as_list() {
                self.elements.insert((label.to_owned(), id.clone()), element.clone());
            }
        }
    }

    /// Names the first node that a row needs and that is not there.
    fn first_missing(&self, label: &str, parameters: &Parameters) -> Result<StoreError, Failure> {
        let text = statements::first_missing(label, "id")?;
        let (rows, _) = server::run(self.transaction, &text, parameters)?;
        let id = rows.first().and_then(|row| row.first()).and_then(Value::as_str);
        Ok(match id {
            Some(id) => missing(&NodeKey::new(label, id)),
            None => {
                StoreError::Engine { message: "the server matched other nodes than were named".to_owned() }
            }
        })
    }
}

fn missing(node: &NodeKey) -> StoreError {
    StoreError::NotFound { what: format!("the node `{}` with the label `{}`", node.id, node.label) }
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
