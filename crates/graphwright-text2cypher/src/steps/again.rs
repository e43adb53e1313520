//! Again, or the end: what follows when a reply gave no rows.

use super::{
    Fault,
    describe::grown,
    judge::{Verdict, judge},
};
use crate::{
    error::Text2CypherError,
    event::{Draft, Judged, Kept, Outcome, Query, Ran, Written},
    session::Session,
};

/// How often a query is written for one question.
const ROUNDS: usize = 3;

/// Another query, or the end of a flow that says why there are no rows.
pub(crate) async fn again_or_end<T: From<Draft> + From<Outcome>>(
    session: &Session,
    Written { draft, reply }: Written,
    fault: &Fault,
) -> T {
    match again(session, &draft, reply, fault).await {
        Some(draft) => draft.into(),
        None => ended(session, &draft, fault).into(),
    }
}

/// Another query, or the rows in reserve, or the end of a flow that says why there are no rows.
pub(crate) async fn again_or_kept<T: From<Draft> + From<Judged> + From<Outcome>>(
    session: &Session,
    Written { mut draft, reply }: Written,
    fault: &Fault,
) -> T {
    if let Some(draft) = again(session, &draft, reply, fault).await {
        return draft.into();
    }
    match draft.kept.take() {
        Some(kept) => {
            let (found, doubt) = (kept.found, Some(kept.doubt));
            Judged { draft, found, doubt, is_agreed: false, mended: Vec::new() }.into()
        }
        None => ended(session, &draft, fault).into(),
    }
}

/// Returns what the next query is written from, or `None` if there is no point in another one.
async fn again(session: &Session, draft: &Draft, reply: String, fault: &Fault) -> Option<Draft> {
    if draft.attempts.len() + 1 >= ROUNDS {
        return None;
    }
    let draft = match fault {
        // With all of the schema in view, the model would only be pressed to make something up.
        Fault::Missing(_) => grown(session, draft).await?,
        Fault::Broken { .. } => grown(session, draft).await.unwrap_or_else(|| draft.clone()),
        _ => draft.clone(),
    };
    session.tell_step(format!("not right yet: {}", fault.reason()));
    Some(draft.after(reply, fault.for_model()))
}

/// Returns what a query is written anew from, of which the lint warns. It may be meant so: of a second one, the model has been told.
pub(crate) async fn doubtful(session: &Session, query: &Query) -> Option<Draft> {
    if query.warnings.is_empty() || !query.draft.attempts.is_empty() {
        return None;
    }
    let fault = Fault::Doubtful { warnings: query.warnings.clone() };
    again(session, &query.draft, query.reply.clone(), &fault).await
}

/// Lets a judge say whether rows answer the question. If not, the inner error is what the next query is written from; in the last round,
/// the rows stand with the doubt.
pub(crate) async fn check(session: &Session, ran: Ran) -> Result<Result<Judged, Draft>, Text2CypherError> {
    let verdict = judge(session, &ran.query.draft.prepared.asked.question, &ran.found).await?;
    let lacks = match verdict {
        Verdict::Answers => return Ok(Ok(Judged { is_agreed: true, ..Judged::unseen(ran) })),
        Verdict::Unclear => {
            session.note("The rows were not judged: the verdict of the model cannot be read.");
            return Ok(Ok(Judged::unseen(ran)));
        }
        Verdict::Lacks(what) => what,
    };
    let Ran { query: Query { mut draft, reply, changes, .. }, found } = ran;
    let found = *found;
    if !found.rows.is_empty() {
        draft.kept = Some(Box::new(Kept { found: found.clone(), doubt: lacks.clone() }));
    }
    let fault = Fault::Rejected { lacks: lacks.clone() };
    Ok(match again(session, &draft, reply, &fault).await {
        Some(draft) => Err(draft),
        None => Ok(Judged { draft, found, doubt: Some(lacks), is_agreed: false, mended: changes }),
    })
}

/// The end of a flow that found no rows: says why.
pub(crate) fn ended(session: &Session, draft: &Draft, fault: &Fault) -> Outcome {
    let text = fault.for_people(session.model.name());
    Outcome::without_rows(session.no_answer(&draft.prepared.asked, text))
}
