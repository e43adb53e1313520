//! Flows as pictures.

use graphwright_flow::{Batch, Context, Event, Flow, OneOf, flow};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

macro_rules! events {
    ($($name:ident),*) => {$(
        #[derive(Clone, Debug, Serialize, Deserialize, Event)]
        struct $name;
    )*};
}

events!(Chapter, Draft, Reviewed, Doubt, Advice);

#[derive(OneOf)]
enum Review {
    Again(Draft),
    Good(Reviewed),
    Doubt(Doubt),
}

/// A flow with everything that is drawn in a way of its own.
struct Book;

#[flow(start = Begin, stop = End, asks(Doubt => Advice))]
impl Book {
    /// Splits the book into its chapters.
    #[step]
    async fn split(&self, _: Begin, ctx: &Context<Self>) -> Batch<Chapter> {
        ctx.send_all([Chapter])
    }

    #[step]
    async fn write(&self, _: Chapter) -> Draft {
        Draft
    }

    /// Says whether a draft is "good" & what is <missing>.
    #[step(at_most = 3)]
    async fn review(&self, _: Draft) -> Review {
        Reviewed.into()
    }

    #[step]
    async fn rework(&self, _: Advice) -> Draft {
        Draft
    }

    #[step]
    async fn bind(&self, reviewed: Reviewed, ctx: &Context<Self>) -> Option<End> {
        ctx.collect::<Vec<_>>(reviewed).await.map(|_| End(String::new()))
    }
}

#[test]
fn mermaid() {
    insta::assert_snapshot!(Book::draw().mermaid());
}

#[test]
fn dot() {
    insta::assert_snapshot!(Book::draw().dot());
}

#[test]
fn svg() {
    insta::assert_snapshot!(Book::draw().svg());
}
