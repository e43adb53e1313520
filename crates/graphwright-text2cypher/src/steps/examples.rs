//! Examples: the model is shown questions that are like this one, with the queries that answered them.

use std::sync::Arc;

use graphwright_cypher::{Severity, diagnose};
use graphwright_llm::estimate_tokens;

use super::run::rows;
use crate::{
    error::{Result, Text2CypherError},
    event::{Linked, Prepared, ShownExample},
    examples::{Example, ExampleBook, ExampleStatus, ranking},
    session::Session,
};

/// The most examples of a prompt.
const MOST: usize = 3;
/// The most tokens of all of them.
const MOST_TOKENS: u64 = 600;
/// How many examples are verified under a schema that has changed, for one question.
const MOST_VERIFIED: usize = 3;

/// Chooses examples for a question. Without a book, or if it cannot be read, there are none.
pub(crate) async fn examples(session: &Session, Linked { asked, schema, values }: Linked) -> Prepared {
    let mut prepared = Prepared { asked, schema, values, examples: Vec::new() };
    let Some(book) = session.examples.clone() else { return prepared };
    match chosen(session, &book, &prepared.asked.question).await {
        Ok(examples) => prepared.examples = examples,
        Err(error) => session.note(format!("Without examples: {error}.")),
    }
    if !prepared.examples.is_empty() {
        let ids: Vec<&str> = prepared.examples.iter().map(|example| example.id.as_str()).collect();
        session.tell_step(format!("showing examples: {}", ids.join(", ")));
    }
    prepared
}

async fn chosen(session: &Session, book: &Arc<ExampleBook>, question: &str) -> Result<Vec<ShownExample>> {
    let read = Arc::clone(book);
    let book_read = in_background(move || read.read()).await?;
    let kept = book_read.examples.iter().filter(|example| example.status == ExampleStatus::Kept);
    let mut ranking = ranking(&session.answerer.question_kind(question).kind, kept);
    let (mut shown, mut left, mut verified) = (Vec::new(), MOST_TOKENS, 0);
    while shown.len() < MOST {
        let Some(ranked) = ranking.take() else { break };
        let example = ranked.example;
        let tokens = estimate_tokens(&example.question) + estimate_tokens(&example.cypher);
        if tokens > left || !is_within_schema(session, &example.cypher) {
            continue;
        }
        if *example.schema != *session.fingerprint {
            // What is left out is not part of the schema for which examples are verified.
            if verified == MOST_VERIFIED || !session.options.left_out.is_empty() {
                continue;
            }
            verified += 1;
            if !verify(session, book, example).await? {
                continue;
            }
        }
        left -= tokens;
        let Example { id, question, cypher, .. } = example.clone();
        shown.push(ShownExample { id, question, cypher });
        ranking.keep(ranked);
    }
    Ok(shown)
}

/// Tells whether a query names only what the question may see of the graph.
fn is_within_schema(session: &Session, cypher: &str) -> bool {
    diagnose(cypher, Some(&session.lint)).iter().all(|found| found.severity < Severity::Error)
}

/// Verifies an example under the schema as it is now: the query must have no errors, run and give rows. What does not hold becomes a
/// candidate. Returns whether it holds.
///
/// # Errors
/// Fails if the book cannot be written, or the work is cancelled.
pub(crate) async fn verify(session: &Session, book: &Arc<ExampleBook>, example: &Example) -> Result<bool> {
    session.tell_step(format!("verifying example {} under the schema as it is now", example.id));
    let fault = fault_of(session, &example.cypher).await?;
    let kind = session.answerer.question_kind(&example.question);
    let (id, fingerprint) = (example.id.clone(), session.fingerprint.to_string());
    let (holds, book) = (fault.is_none(), Arc::clone(book));
    let changed = in_background(move || {
        book.change(|examples| {
            let Some(example) = examples.iter_mut().find(|example| example.id == id) else { return };
            (example.schema, example.kind, example.slots) = (fingerprint, kind.kind, kind.slots);
            match fault {
                Some(fault) => example.doubt(format!("it does not hold for the graph as it is: {fault}")),
                None if example.status == ExampleStatus::Candidate => {}
                None => example.reason = None,
            }
        })
    });
    changed.await?;
    Ok(holds)
}

/// Says what is wrong with a query, if it does not run or gives no rows.
async fn fault_of(session: &Session, cypher: &str) -> Result<Option<String>> {
    let mut found = diagnose(cypher, Some(&session.lint)).into_iter();
    if let Some(error) = found.find(|found| found.severity == Severity::Error) {
        return Ok(Some(error.message));
    }
    match rows(session, cypher, &[].into()).await {
        Ok(found) if found.rows.is_empty() => Ok(Some("its query finds nothing".to_owned())),
        Ok(_) => Ok(None),
        Err(fault) => Ok(Some(fault?.reason())),
    }
}

/// Works on the file of the book, which may wait for its turn, on a thread that may sleep.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Text2CypherError::Cancelled),
        },
    }
}
