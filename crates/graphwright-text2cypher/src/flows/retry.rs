//! `retry`: errors and findings of the lint go back to the model.

use std::sync::Arc;

use graphwright_flow::{OneOf, flow};

use crate::{
    error::Result,
    event::{Accepted, Asked, Clear, Described, Draft, Judged, Linked, Outcome, Proved, Query, Ran, Written},
    session::Session,
    steps::{self, Guarded},
};

/// Writes a query, and writes it again in the light of what the lint, the gate and the store say against it.
#[derive(Clone, Debug)]
pub struct Retry(pub(crate) Arc<Session>);

#[derive(OneOf)]
enum Mended {
    Query(Query),
    Again(Draft),
    Ended(Outcome),
}

#[derive(OneOf)]
enum Run {
    Ran(Ran),
    Again(Draft),
    Ended(Outcome),
}

#[flow(start = Asked, stop = Outcome)]
impl Retry {
    /// Is the question about this graph?
    #[step]
    async fn guard(&self, asked: Asked) -> Result<Guarded> {
        steps::guard(&self.0, asked).await
    }

    /// Makes the question stand alone.
    #[step]
    async fn rewrite(&self, accepted: Accepted) -> Clear {
        steps::rewrite(&self.0, accepted).await
    }

    /// Chooses the part of the schema.
    #[step]
    async fn schema(&self, clear: Clear) -> Described {
        steps::describe(&self.0, clear).await
    }

    /// Links words to stored values.
    #[step]
    async fn values(&self, described: Described) -> Linked {
        steps::link(&self.0, described).await
    }

    /// Chooses questions that are like this one, with their queries.
    #[step]
    async fn examples(&self, linked: Linked) -> Draft {
        Draft::first(steps::examples(&self.0, linked).await)
    }

    /// Lets the model write a query.
    #[step(at_most = 3)]
    async fn generate(&self, draft: Draft) -> Result<Written> {
        steps::generate(&self.0, draft, false).await
    }

    /// Mends the query without a model.
    #[step]
    async fn mend(&self, written: Written) -> Result<Mended> {
        Ok(match steps::mend(&self.0, written).await? {
            Ok(query) => match steps::doubtful(&self.0, &query).await {
                Some(draft) => draft.into(),
                None => query.into(),
            },
            Err((written, fault)) => steps::again_or_end(&self.0, written, &fault).await,
        })
    }

    /// Runs the query.
    #[step]
    async fn run(&self, query: Query) -> Result<Run> {
        Ok(match steps::run(&self.0, query).await? {
            Ok(ran) => ran.into(),
            Err((written, fault)) => steps::again_or_end(&self.0, written, &fault).await,
        })
    }

    /// Finds the paths that prove the rows.
    #[step]
    async fn prove(&self, ran: Ran) -> Proved {
        steps::prove(&self.0, Judged::unseen(ran)).await
    }

    /// Puts the rows into words.
    #[step]
    async fn summarise(&self, proved: Proved) -> Result<Outcome> {
        steps::conclude(&self.0, proved).await
    }
}
