//! `auto`: begins with one query, and does more where there is reason to.

use std::sync::Arc;

use graphwright_flow::{Context, FlowError, OneOf, Runner, flow};

use super::Planner;
use crate::{
    error::Result,
    event::{
        Accepted, Asked, Clear, Described, Draft, Judged, Linked, Outcome, Prepared, Proved, Query, Ran,
        Split, Written,
    },
    options::FlowName,
    query::cost::is_simple,
    record::Standing,
    session::Session,
    steps::{self, Fault, Guarded},
};

/// Writes a query, and judges its rows only if there is a reason: the lint warns of something, the query was mended or is large, it found
/// nothing, or questions of this kind were not answered before. Makes a plan where one query cannot answer.
#[derive(Clone, Debug)]
pub struct Auto {
    session: Arc<Session>,
    planner: Runner<Planner>,
}

#[derive(OneOf)]
enum Begun {
    Draft(Draft),
    Split(Split),
}

#[derive(OneOf)]
enum Mended {
    Query(Query),
    Again(Draft),
    Kept(Judged),
    Split(Split),
    Ended(Outcome),
}

#[derive(OneOf)]
enum Run {
    Ran(Ran),
    Again(Draft),
    Kept(Judged),
    Ended(Outcome),
}

#[derive(OneOf)]
enum Checked {
    Judged(Judged),
    Again(Draft),
}

impl Auto {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        let planner = Runner::new(Planner::new(Arc::clone(&session)));
        Self { session, planner }
    }

    /// How a flow has fared with questions of this kind.
    fn standing(&self, asked: &Asked, flow: FlowName) -> Standing {
        let kind = self.session.answerer.question_kind(&asked.question).kind;
        self.session.record.standing(&kind, flow)
    }

    fn is_doubtful(&self, ran: &Ran) -> bool {
        let Ran { query, found } = ran;
        query.is_doubtful
            || !query.draft.attempts.is_empty()
            || !found.changes.is_empty()
            || found.rows.is_empty()
            || !is_simple(&found.text)
            || self.standing(&query.draft.prepared.asked, FlowName::Auto) == Standing::Bad
    }
}

#[flow(start = Asked, stop = Outcome)]
impl Auto {
    /// Is the question about this graph?
    #[step]
    async fn guard(&self, asked: Asked) -> Result<Guarded> {
        steps::guard(&self.session, asked).await
    }

    /// Makes the question stand alone.
    #[step]
    async fn rewrite(&self, accepted: Accepted) -> Clear {
        steps::rewrite(&self.session, accepted).await
    }

    /// Chooses the part of the schema.
    #[step]
    async fn schema(&self, clear: Clear) -> Described {
        steps::describe(&self.session, clear).await
    }

    /// Links words to stored values.
    #[step]
    async fn values(&self, described: Described) -> Linked {
        steps::link(&self.session, described).await
    }

    /// Chooses questions that are like this one, with their queries.
    #[step]
    async fn examples(&self, linked: Linked) -> Prepared {
        steps::examples(&self.session, linked).await
    }

    /// Begins with a plan where that has answered this kind of question and one query has not.
    #[step]
    async fn begin(&self, prepared: Prepared) -> Begun {
        let asked = &prepared.asked;
        let plans = self.standing(asked, FlowName::Planner) == Standing::Good
            && self.standing(asked, FlowName::Auto) == Standing::Bad;
        if plans { Split(prepared.asked).into() } else { Draft::first(prepared).into() }
    }

    /// Lets the model write a query, or say that it takes several.
    #[step(at_most = 3)]
    async fn generate(&self, draft: Draft) -> Result<Written> {
        let may_split = draft.attempts.is_empty();
        steps::generate(&self.session, draft, may_split).await
    }

    /// Mends the query without a model.
    #[step]
    async fn mend(&self, written: Written) -> Result<Mended> {
        Ok(match steps::mend(&self.session, written).await? {
            Ok(query) => match steps::doubtful(&self.session, &query).await {
                Some(draft) => draft.into(),
                None => query.into(),
            },
            Err((Written { draft, .. }, Fault::Several)) if draft.attempts.is_empty() => {
                Split(draft.prepared.asked).into()
            }
            Err((written, fault)) => steps::again_or_kept(&self.session, written, &fault).await,
        })
    }

    /// Makes a plan, and follows it.
    #[step]
    async fn plan(&self, split: Split, ctx: &Context<Self>) -> Result<Outcome, FlowError> {
        self.session.tell_step("one query cannot answer: making a plan");
        ctx.run(&self.planner, split.0).await
    }

    /// Runs the query.
    #[step]
    async fn run(&self, query: Query) -> Result<Run> {
        Ok(match steps::run(&self.session, query).await? {
            Ok(ran) => ran.into(),
            Err((written, fault)) => steps::again_or_kept(&self.session, written, &fault).await,
        })
    }

    /// Lets a judge say whether the rows answer the question, if there is reason to doubt it.
    #[step]
    async fn check(&self, ran: Ran) -> Result<Checked> {
        if !self.is_doubtful(&ran) {
            return Ok(Judged::unseen(ran).into());
        }
        Ok(match steps::check(&self.session, ran).await? {
            Ok(judged) => judged.into(),
            Err(draft) => draft.into(),
        })
    }

    /// Finds the paths that prove the rows.
    #[step]
    async fn prove(&self, judged: Judged) -> Proved {
        steps::prove(&self.session, judged).await
    }

    /// Puts the rows into words.
    #[step]
    async fn summarise(&self, proved: Proved) -> Result<Outcome> {
        steps::conclude(&self.session, proved).await
    }
}
