//! Proof: the query runs a second time, with the paths by which each row was found.

use graphwright_answer::{FoundRows, prove_rows};
use graphwright_core::Properties;

use super::run::options;
use crate::{
    event::{Found, Judged, Proof, Proved},
    session::Session,
};

/// Finds the paths that prove what a query found. Where there are none, it says why.
pub(crate) async fn prove(session: &Session, judged: Judged) -> Proved {
    let lesson = judged.lesson();
    let Judged { draft, found, doubt, .. } = judged;
    let proof = proof_of(session, &found, &draft.parameters()).await;
    let shown = draft.prepared.examples.into_iter().map(|example| example.id).collect();
    Proved { asked: draft.prepared.asked, found, proof, doubt, lesson, shown }
}

async fn proof_of(session: &Session, found: &Found, parameters: &Properties) -> Proof {
    if found.rows.is_empty() {
        return Proof::default();
    }
    let rows = FoundRows { text: &found.text, parameters, rows: &found.rows };
    match prove_rows(&*session.store, rows, options(session, session.options.limits.rows)).await {
        Ok(rows) => Proof { rows, lacking: None },
        Err(reason) => Proof { rows: Vec::new(), lacking: Some(reason) },
    }
}
