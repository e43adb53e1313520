//! Proof: the query runs a second time, with the paths by which each row was found.

use graphwright_answer::AnswerPath;
use graphwright_core::{Properties, Value};

use super::run::table;
use crate::{
    event::{Draft, Found, Proof, Proved},
    query::with_paths::with_paths,
    session::Session,
};

/// The most paths of an answer.
const MOST_PATHS: usize = 200;

/// Finds the paths that prove what a query found. Where there are none, it says why.
pub(crate) async fn prove(session: &Session, draft: Draft, found: Found, doubt: Option<String>) -> Proved {
    let proof = proof_of(session, &found, &draft.parameters()).await;
    Proved { asked: draft.prepared.asked, found, proof, doubt }
}

async fn proof_of(session: &Session, found: &Found, parameters: &Properties) -> Proof {
    if found.rows.is_empty() {
        return Proof::default();
    }
    let lacking = |reason: String| Proof { rows: Vec::new(), lacking: Some(reason) };
    let text = match with_paths(&found.text) {
        Ok(text) => text,
        Err(reason) => return lacking(format!("No paths are shown for the query: {reason}.")),
    };
    let rows = match table(session, &text, parameters, session.options.limits.rows).await {
        Ok((table, _)) => table.rows,
        // The rows stand without their paths: they are what the query was asked for.
        Err(Ok(fault)) => {
            let reason = fault.reason();
            return lacking(format!(
                "No paths are shown for the query, which cannot run with them: {reason}."
            ));
        }
        Err(Err(error)) => return lacking(format!("No paths are shown for the query: {error}.")),
    };
    let shown = found.columns.len();
    let mut left = MOST_PATHS;
    let mut proof = Proof::default();
    for (at, wanted) in found.rows.iter().enumerate() {
        // Rows in no order may come in another one the second time.
        let same = |row: &&Vec<Value>| row.get(..shown).is_some_and(|row| row == wanted.as_slice());
        let row = rows.get(at).filter(same).or_else(|| rows.iter().find(same));
        let mut paths = Vec::new();
        for value in row.and_then(|row| row.get(shown..)).unwrap_or_default() {
            collect(value, &mut paths);
        }
        paths.truncate(left);
        left -= paths.len();
        proof.rows.push(paths);
    }
    proof
}

fn collect(value: &Value, paths: &mut Vec<AnswerPath>) {
    match value {
        Value::Path(path) => {
            let path = AnswerPath::from_path(path);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect(item, paths)),
        _ => {}
    }
}
