//! `naive`: one query, mended without a model.

use std::sync::Arc;

use graphwright_flow::{OneOf, flow};

use crate::{
    error::Result,
    event::{
        Accepted, Asked, Clear, Described, Draft, Judged, Linked, Outcome, Prepared, Proved, Query, Ran,
        Written,
    },
    session::Session,
    steps::{self, Guarded},
};

/// Writes one query, mends it without a model, and runs it.
#[derive(Clone, Debug)]
pub struct Naive(pub(crate) Arc<Session>);

#[derive(OneOf)]
enum Mended {
    Query(Query),
    Ended(Outcome),
}

#[derive(OneOf)]
enum Run {
    Ran(Ran),
    Ended(Outcome),
}

#[flow(start = Asked, stop = Outcome)]
impl Naive {
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
    async fn examples(&self, linked: Linked) -> Prepared {
        steps::examples(&self.0, linked).await
    }

    /// Lets the model write a query.
    #[step]
    async fn generate(&self, prepared: Prepared) -> Result<Written> {
        steps::generate(&self.0, Draft::first(prepared), false).await
    }

    /// Mends the query without a model.
    #[step]
    async fn mend(&self, written: Written) -> Result<Mended> {
        Ok(match steps::mend(&self.0, written).await? {
            Ok(query) => query.into(),
            Err((written, fault)) => steps::ended(&self.0, &written.draft, &fault).into(),
        })
    }

    /// Runs the query.
    #[step]
    async fn run(&self, query: Query) -> Result<Run> {
        Ok(match steps::run(&self.0, query).await? {
            Ok(ran) => ran.into(),
            Err((written, fault)) => steps::ended(&self.0, &written.draft, &fault).into(),
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
