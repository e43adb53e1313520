//! The runner of scenarios.

use graphwright_core::{GraphStore, Properties, Statement, StoreError, Table, store::QueryOptions};
use graphwright_cypher::{Gate, Refusal, RefusalCode, Writes};

use crate::{
    TckError,
    effects::{Effects, State},
    report::Verdict,
    scenario::{Expected, Query, Scenario},
};

/// A runner of scenarios on one store. It empties the store before the first scenario and after
/// each that left something.
#[derive(Debug)]
pub struct Runner<'a> {
    store: &'a dyn GraphStore,
    is_empty: bool,
}

/// Returns a gate that passes any single statement of Cypher unchanged.
fn gate() -> Gate {
    Gate { writes: Writes::Script, row_limit: None, max_hops: None, max_work: None, ..Gate::default() }
}

/// The reason why a query gave no rows.
enum Failure {
    /// The store does not run the construct.
    Refused(String),
    /// The gate refuses the text, for example for an unknown function.
    Stopped(String),
    /// The query is wrong, by its text or on its values.
    Rejected(String),
    /// An error that neither the query nor the store should cause.
    Broken(String),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let message = format!("{}: {error}", error.code());
        match error {
            StoreError::Unsupported { .. } => Self::Refused(message),
            StoreError::Syntax { .. }
            | StoreError::Evaluation { .. }
            | StoreError::Constraint { .. }
            | StoreError::NotFound { .. } => Self::Rejected(message),
            _ => Self::Broken(message),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let message = format!("gate, {}: {refusal}", refusal.code.as_str());
        match refusal.code {
            RefusalCode::Syntax => Self::Rejected(message),
            _ => Self::Stopped(message),
        }
    }
}

impl Failure {
    fn into_verdict(self) -> Verdict {
        match self {
            Self::Refused(message) | Self::Stopped(message) => Verdict::Refused(message),
            Self::Rejected(message) | Self::Broken(message) => Verdict::Wrong(message),
        }
    }
}

impl<'a> Runner<'a> {
    /// Creates a runner for a store, whatever it contains.
    pub fn new(store: &'a dyn GraphStore) -> Self {
        Self { store, is_empty: false }
    }

    /// Runs one scenario.
    ///
    /// # Errors
    /// Returns an error only if the store cannot be emptied before it.
    pub async fn run(&mut self, scenario: &Scenario) -> Result<Verdict, TckError> {
        if !self.is_empty {
            let statement = Statement::fixed("MATCH (n) DETACH DELETE n");
            self.store.write(statement, QueryOptions::default()).await?;
            self.is_empty = true;
        }
        for text in &scenario.setup {
            if let Err(failure) = self.query(text, &scenario.parameters).await {
                return Ok(failure.into_verdict());
            }
        }
        for query in &scenario.queries {
            let verdict = match self.check(query, scenario).await {
                Ok(verdict) => verdict,
                Err(failure) => failure.into_verdict(),
            };
            if verdict != Verdict::Right {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Right)
    }

    async fn check(&mut self, query: &Query, scenario: &Scenario) -> Result<Verdict, Failure> {
        // A read goes through the method that refuses to write, so its effects need no check.
        let may_change = gate().check(&query.text).is_ok_and(|checked| checked.writes);
        let before = if may_change { Some(State::from_store(self.store).await?) } else { None };
        let answer = self.query(&query.text, &scenario.parameters).await;
        let verdict = judge(&query.expected, answer, scenario);
        if verdict != Verdict::Right {
            return Ok(verdict);
        }
        let no_effects = Effects::new();
        let expected = match &query.expected {
            Expected::Error(_) => Some(&no_effects),
            _ => query.effects.as_ref(),
        };
        let Some((expected, before)) = expected.zip(before) else { return Ok(Verdict::Right) };
        let found = before.changes_to(&State::from_store(self.store).await?);
        if found == *expected {
            return Ok(Verdict::Right);
        }
        Ok(Verdict::Wrong(format!("side effects {found:?}, should be {expected:?}")))
    }

    async fn query(&mut self, text: &str, parameters: &Properties) -> Result<Table, Failure> {
        let checked = gate().check(text)?;
        let statement = checked.statement.with_all(parameters.clone());
        let options = QueryOptions::default();
        if checked.writes {
            // Even a failed write may have left something.
            self.is_empty = false;
            return Ok(self.store.write(statement, options).await?.table);
        }
        Ok(self.store.read(statement, options).await?.collect().await?)
    }
}

fn judge(expected: &Expected, answer: Result<Table, Failure>, scenario: &Scenario) -> Verdict {
    let is_right = match (expected, &answer) {
        // A store cannot be given the procedure that the scenario declares, so the cause of the
        // failure is unknown.
        (Expected::Error(_), Err(Failure::Stopped(_))) => !scenario.declares_procedure,
        (Expected::Error(_), Err(Failure::Rejected(_))) | (Expected::Anything, Ok(_)) => true,
        _ => false,
    };
    match (expected, answer) {
        _ if is_right => Verdict::Right,
        (_, Err(failure)) => failure.into_verdict(),
        (Expected::Error(error), Ok(table)) => Verdict::NoError(format!("rows {:?}; a {error}", table.rows)),
        (Expected::Rows(rows), Ok(table)) => {
            rows.check(&table).map_or_else(Verdict::Wrong, |()| Verdict::Right)
        }
        (_, Ok(table)) if table.rows.is_empty() => Verdict::Right,
        (_, Ok(table)) => Verdict::Wrong(format!("rows {:?}, should be none", table.rows)),
    }
}

impl Scenario {
    /// Returns whether the tested query only reads. The setup may write.
    pub fn only_reads(&self) -> bool {
        let writes = |query: &Query| gate().check(&query.text).is_ok_and(|checked| checked.writes);
        !self.queries.first().is_some_and(writes)
    }
}
