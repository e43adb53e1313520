//! What is right: the rows of gold queries.

use std::{sync::Arc, time::Duration};

use graphwright_answer::Answerer;
use graphwright_core::{GraphStore, Table, Value, store::SchemaOptions};
use graphwright_cypher::lint::Lint;

use super::dataset::{Dataset, Expected, Question};
use crate::{
    Error, Result,
    replay::{execute::execute, same_rows},
};

/// The longest time of a gold query, and of a query whose rows are compared.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A set of questions, its graph, and the rows that are right.
#[derive(Clone, Debug)]
pub struct Opened {
    pub(super) set: Dataset,
    pub(super) store: Arc<dyn GraphStore>,
    pub(super) answerer: Answerer,
    pub(super) lint: Lint,
    /// The relationship types of the graph.
    pub(super) types: Vec<String>,
    /// The right rows of each question; `None` where a refusal is right.
    gold: Vec<Option<Table>>,
}

impl Opened {
    /// Runs the gold queries of a set on its graph.
    ///
    /// # Errors
    /// Returns [`Gold`](Error::Gold) if one does not run, and the errors of the store.
    pub async fn open(set: Dataset, store: Arc<dyn GraphStore>) -> Result<Self> {
        let answerer = Answerer::open(Arc::clone(&store)).await.map_err(graphwright::Error::from)?;
        let schema = store.schema(SchemaOptions::default()).await?.without_reserved();
        let types = schema.relationship_types.iter().map(|kind| kind.name.clone()).collect();
        let lint = Lint::new(&schema);
        let mut gold = Vec::new();
        for question in &set.questions {
            gold.push(right_rows(&*store, question).await?);
        }
        Ok(Self { set, store, answerer, lint, types, gold })
    }

    /// Returns the questions with the rows of their gold queries put in.
    pub fn with_rows(&self) -> Dataset {
        let filled = |(question, gold): (&Question, &Option<Table>)| {
            let rows = gold.as_ref().map(|table| table.rows.clone());
            Question { rows, ..question.clone() }
        };
        let questions = self.set.questions.iter().zip(&self.gold).map(filled).collect();
        Dataset { questions, ..self.set.clone() }
    }

    /// Tells whether rows are right for a question: the same bag of rows under some order of the columns.
    pub(super) fn is_right(&self, question: usize, found: &Table) -> bool {
        let Some(Some(gold)) = self.gold.get(question) else { return false };
        gold.summary.truncated.is_none() && found.summary.truncated.is_none() && same_rows(gold, found, false)
    }

    /// Tells whether values as an answer lists them are right for a question: each value of one column, or each row as a list.
    pub(super) fn are_right(&self, question: usize, values: &[serde_json::Value]) -> bool {
        let Some(Some(gold)) = self.gold.get(question) else { return false };
        let width = gold.columns.len();
        let row = |value: &serde_json::Value| -> Option<Vec<Value>> {
            let value: Value = serde_json::from_value(value.clone()).ok()?;
            match value {
                value if width == 1 => Some(vec![value]),
                Value::List(row) if row.len() == width => Some(row),
                _ => None,
            }
        };
        let rows: Option<Vec<_>> = values.iter().map(row).collect();
        rows.is_some_and(|rows| self.is_right(question, &table(rows)))
    }

    /// Runs a query, and tells whether its rows are right; `None` if it does not run.
    ///
    /// # Errors
    /// Returns the errors of the store that any query would meet.
    pub(super) async fn judge(&self, question: usize, query: &str) -> Result<Option<bool>> {
        let found = execute(&*self.store, query, TIME_LIMIT).await?;
        Ok(found.ok().map(|found| self.is_right(question, &found)))
    }
}

async fn right_rows(store: &dyn GraphStore, question: &Question) -> Result<Option<Table>> {
    if question.expects == Expected::Refusal {
        return Ok(None);
    }
    if let Some(rows) = &question.rows {
        return Ok(Some(table(rows.clone())));
    }
    let query = question.cypher.as_deref().unwrap_or_default();
    match execute(store, query, TIME_LIMIT).await? {
        Ok(table) => Ok(Some(table)),
        Err(error) => Err(Error::Gold { question: question.id.clone(), message: error.message }),
    }
}

fn table(rows: Vec<Vec<Value>>) -> Table {
    let width = rows.first().map_or(0, Vec::len);
    let columns = (1..=width).map(|number| number.to_string()).collect();
    Table { columns, rows, ..Table::default() }
}
