//! Lint and repair: what the model wrote becomes a query that may run, without a model.

use graphwright_core::{Properties, names};
use graphwright_cypher::{
    Refusal, RefusalCode, Severity, render,
    repair::{ChangeCode, ReasonCode, Repair},
};
use graphwright_retrieve::query::check_read;

use super::Fault;
use crate::{
    error::Result,
    event::{Query, Written},
    reply::{Reply, read_reply},
    session::Session,
};

/// A query that may run.
struct Mended {
    text: String,
    changes: Vec<String>,
    is_doubtful: bool,
    warnings: String,
}

/// Makes a query of a reply that may run, or says what is wrong.
///
/// # Errors
/// Fails if the store cannot be asked what the graph holds.
pub(crate) async fn mend(session: &Session, written: Written) -> Result<Result<Query, (Written, Fault)>> {
    let candidates = match read_reply(&written.reply) {
        Reply::Candidates(candidates) => candidates,
        Reply::Missing(what) => return Ok(Err((written, Fault::Missing(what)))),
        Reply::Several => return Ok(Err((written, Fault::Several))),
        Reply::Nothing => return Ok(Err((written, Fault::Nothing))),
    };
    let parameters = written.draft.parameters();
    let mut first_fault = None;
    for (at, candidate) in candidates.iter().enumerate() {
        match mended(session, candidate, &parameters).await? {
            Ok(Mended { text, changes, is_doubtful, warnings }) => {
                let is_chosen = candidates.len() > 1;
                if is_chosen {
                    let (number, all) = (at + 1, candidates.len());
                    session.note(format!(
                        "The model wrote {all} queries; number {number}, the first that fits, was taken."
                    ));
                }
                let Written { draft, reply } = written;
                let is_doubtful = is_doubtful || is_chosen;
                return Ok(Ok(Query { draft, reply, text, changes, is_doubtful, warnings }));
            }
            Err(fault) => {
                first_fault.get_or_insert(fault);
            }
        }
    }
    Ok(Err((written, first_fault.unwrap_or(Fault::Nothing))))
}

/// Mends one text.
async fn mended(
    session: &Session,
    candidate: &str,
    parameters: &Properties,
) -> Result<Result<Mended, Fault>> {
    let lint = session.lint.clone().with_parameters(parameters.clone());
    let repaired = Repair::new(Some(&lint)).repair(candidate);
    if repaired.refused.as_ref().is_some_and(|reason| reason.code == ReasonCode::NoQuery) {
        return Ok(Err(Fault::Prose(candidate.to_owned())));
    }
    if let Some(refusal) = hidden(&repaired.text) {
        return Ok(Err(Fault::Refused(Box::new(refusal))));
    }
    // Before the errors: of a text that writes, only that matters.
    let checked =
        check_read(&*session.store, &repaired.text, parameters, session.options.limits.rows).await?;
    match checked {
        Err(refusal) if refusal.code != RefusalCode::Syntax => {
            return Ok(Err(Fault::Refused(Box::new(refusal))));
        }
        _ => {}
    }
    if !repaired.is_clean() {
        let errors = repaired.diagnostics.into_iter().filter(|found| found.severity == Severity::Error);
        let errors: Vec<_> = errors.collect();
        let text = repaired.text;
        return Ok(Err(match (errors.is_empty(), repaired.refused) {
            (true, Some(reason)) => Fault::Failed { error: reason.message },
            _ => Fault::Broken { text, errors },
        }));
    }
    let changes_meaning =
        |code| !matches!(code, ChangeCode::Extracted | ChangeCode::Characters | ChangeCode::BracketAdded);
    let is_changed = repaired.changes.iter().any(|change| changes_meaning(change.code));
    let changes: Vec<String> = repaired.changes.into_iter().map(|change| change.message).collect();
    let text = repaired.text;
    let mut warnings = repaired.diagnostics;
    warnings.retain(|found| found.severity == Severity::Warning);
    let is_doubtful = is_changed || !warnings.is_empty();
    let warnings = render("query", &text, &warnings);
    Ok(Ok(Mended { text, changes, is_doubtful, warnings }))
}

/// Refuses to show where files stand on this machine.
fn hidden(text: &str) -> Option<Refusal> {
    let start = text.find(names::PATH)?;
    Some(Refusal {
        code: RefusalCode::Function,
        message: format!("`{}` is a place on this machine, and not shown", names::PATH),
        start,
        end: start + names::PATH.len(),
        help: "ask for the property `source`".to_owned(),
    })
}
