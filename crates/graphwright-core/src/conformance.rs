//! The conformance suite that every store passes.
//!
//! It checks that a store gives the answers that Cypher defines and keeps the promises of
//! [`GraphStore`].
//!
//! [`run`] makes a new empty store for each case (one for all reading cases of a group). Each case
//! passes, gives a wrong answer, or is refused with
//! [`Unsupported`](crate::StoreError::Unsupported). A refusal does not count as a pass; it is
//! counted apart.
//!
//! The files in `data/` hold the statements, with the rows that Neo4j gives by its documentation.
//! The promises of the trait are checked in code.

mod checks;
mod compare;
mod script;

use std::{fmt, future::Future, sync::Arc};

use futures::{StreamExt, future::BoxFuture};

use crate::{GraphStore, StoreError};

/// A store under test.
type Store = Arc<dyn GraphStore>;

/// The outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The store gave the expected answer.
    Passed,
    /// The store gave another answer, or an error where there should be none. Holds the reason.
    Wrong(String),
    /// The store does not run this construct. Holds its error.
    Refused(String),
}

/// The outcome of a case, with the case's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The group and the number or name, as `features/042`.
    pub id: String,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcomes of all cases, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One result for each case.
    pub results: Vec<CaseResult>,
}

/// A case of the suite.
#[derive(Clone)]
pub struct Case {
    /// The group and the number or name, as `features/042`.
    pub id: String,
    test: Test,
}

#[derive(Clone)]
enum Test {
    Script { script: Arc<script::Script>, seed: &'static str },
    Check(fn(Store) -> BoxFuture<'static, Result<(), Failure>>),
    Broken(String),
}

/// A reason why a case did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Failure {
    Wrong(String),
    Refused(String),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unsupported { .. } => Self::Refused(error.to_string()),
            other => Self::Wrong(format!("{}: {other}", other.code())),
        }
    }
}

impl Case {
    fn only_reads(&self) -> bool {
        matches!(&self.test, Test::Script { script, .. } if script.only_reads())
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Case").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The files of statements, by group.
const FILES: [(&str, &str); 6] = [
    ("features", include_str!("conformance/data/features.txt")),
    ("quirks", include_str!("conformance/data/quirks.txt")),
    ("semantics", include_str!("conformance/data/semantics.txt")),
    ("constructs", include_str!("conformance/data/constructs.txt")),
    ("patterns_21", include_str!("conformance/data/patterns_21.txt")),
    ("patterns_22", include_str!("conformance/data/patterns_22.txt")),
];

/// Returns all cases, by group.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (group, text) in FILES {
        match script::parse(text) {
            Ok((seed, scripts)) => cases.extend(scripts.into_iter().map(|script| Case {
                id: format!("{group}/{}", script.name),
                test: Test::Script { script: Arc::new(script), seed },
            })),
            Err(message) => cases.push(Case { id: group.to_owned(), test: Test::Broken(message) }),
        }
    }
    let checks = checks::all().map(|(id, check)| Case { id: id.to_owned(), test: Test::Check(check) });
    cases.extend(checks);
    cases
}

/// Runs all cases, each on an empty store from `factory`.
///
/// The factory may empty the store that it gave before and give it again.
pub async fn run<F, R>(factory: F) -> Report
where
    F: Fn() -> R,
    R: Future<Output = Result<Store, StoreError>>,
{
    let mut report = Report::default();
    // Making and seeding a store is slow, so reading cases of one seed share a store until a case
    // writes.
    let mut shared: Option<(&'static str, Store)> = None;
    for case in cases() {
        if !case.only_reads() {
            shared = None;
        }
        let result = match &case.test {
            Test::Broken(message) => Err(Failure::Wrong(message.clone())),
            Test::Check(check) => match factory().await {
                Ok(store) => check(store).await,
                Err(error) => Err(error.into()),
            },
            Test::Script { script, seed } if case.only_reads() => {
                let store = match shared.take().filter(|(of, _)| of == seed) {
                    Some((_, store)) => Ok(store),
                    None => seeded(&factory, seed).await,
                };
                match store {
                    Ok(store) => {
                        let result = script.run(store.as_ref()).await;
                        shared = Some((seed, store));
                        result
                    }
                    Err(failure) => Err(failure),
                }
            }
            Test::Script { script, seed } => match seeded(&factory, seed).await {
                Ok(store) => script.run(store.as_ref()).await,
                Err(failure) => Err(failure),
            },
        };
        let outcome = match result {
            Ok(()) => Outcome::Passed,
            Err(Failure::Wrong(message)) => Outcome::Wrong(message),
            Err(Failure::Refused(message)) => Outcome::Refused(message),
        };
        report.results.push(CaseResult { id: case.id, outcome });
    }
    report
}

async fn seeded<F, R>(factory: &F, seed: &'static str) -> Result<Store, Failure>
where
    F: Fn() -> R,
    R: Future<Output = Result<Store, StoreError>>,
{
    let store = factory().await?;
    script::write(store.as_ref(), seed).await?;
    Ok(store)
}

impl Report {
    /// Returns the names of the refused cases, in order.
    pub fn refused(&self) -> Vec<&str> {
        self.ids(|outcome| matches!(outcome, Outcome::Refused(_)))
    }

    /// Returns the names of the cases with a wrong answer, in order.
    pub fn wrong(&self) -> Vec<&str> {
        self.ids(|outcome| matches!(outcome, Outcome::Wrong(_)))
    }

    fn ids(&self, wanted: impl Fn(&Outcome) -> bool) -> Vec<&str> {
        self.results
            .iter()
            .filter(|result| wanted(&result.outcome))
            .map(|result| result.id.as_str())
            .collect()
    }
}

impl fmt::Display for Report {
    /// Writes the counts of each group, then each case that did not pass, with its reason.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: Vec<(&str, [usize; 3])> = Vec::new();
        for result in &self.results {
            let group = result.id.split('/').next().unwrap_or_default();
            let kind = match result.outcome {
                Outcome::Passed => 0,
                Outcome::Wrong(_) => 1,
                Outcome::Refused(_) => 2,
            };
            if let Some((_, counts)) = groups.iter_mut().find(|(name, _)| *name == group) {
                counts[kind] += 1;
            } else {
                let mut counts = [0; 3];
                counts[kind] = 1;
                groups.push((group, counts));
            }
        }
        for (group, [passed, wrong, refused]) in groups {
            writeln!(formatter, "{group}: {passed} passed, {wrong} wrong, {refused} refused")?;
        }
        for result in &self.results {
            match &result.outcome {
                Outcome::Passed => {}
                Outcome::Wrong(message) => writeln!(formatter, "WRONG {}: {message}", result.id)?,
                Outcome::Refused(message) => writeln!(formatter, "refused {}: {message}", result.id)?,
            }
        }
        Ok(())
    }
}

/// Reads a stream of a store to its end.
async fn collect<T>(
    mut stream: futures::stream::BoxStream<'static, crate::Result<T>>,
) -> crate::Result<Vec<T>> {
    let mut items = Vec::new();
    while let Some(item) = stream.next().await {
        items.push(item?);
    }
    Ok(items)
}
