//! Event-driven workflows: typed steps that are checked when they are compiled, and runs that go on after a crash exactly where they were.
//!
//! A flow is a type with [`#[flow]`](macro@flow) on its `impl`. Each [`#[step]`](macro@flow#steps) is a function from one type of
//! [event](Event) to others; an event goes to every step that takes its type. A [`Runner`] runs the flow.
//!
//! ```
//! use graphwright_flow::{Batch, Context, Event, Runner, flow};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Serialize, Deserialize, Event)]
//! struct Order(Vec<String>);
//! #[derive(Clone, Serialize, Deserialize, Event)]
//! struct Line(String);
//! #[derive(Clone, Serialize, Deserialize, Event)]
//! struct Priced(u64);
//! #[derive(Clone, Serialize, Deserialize, Event)]
//! struct Receipt(u64);
//!
//! struct Shop;
//!
//! #[flow(start = Order, stop = Receipt)]
//! impl Shop {
//!     #[step]
//!     async fn split(&self, order: Order, ctx: &Context<Self>) -> Batch<Line> {
//!         ctx.send_all(order.0.into_iter().map(Line))
//!     }
//!
//!     #[step(workers = 8)]
//!     async fn price(&self, line: Line) -> Priced {
//!         Priced(line.0.len() as u64)
//!     }
//!
//!     #[step]
//!     async fn total(&self, priced: Priced, ctx: &Context<Self>) -> Option<Receipt> {
//!         let priced: Vec<Priced> = ctx.collect(priced).await?;
//!         Some(Receipt(priced.iter().map(|priced| priced.0).sum()))
//!     }
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let receipt = Runner::new(Shop).run(Order(vec!["tea".into(), "bread".into()])).await?;
//! assert_eq!(receipt.0, 8);
//! # Ok::<_, graphwright_flow::FlowError>(())
//! # }).unwrap();
//! # Ok::<_, std::io::Error>(())
//! ```
//!
//! - **Checked.** An event that no step takes, a step out of reach, a loop without a bound and a way without end do not compile; the
//!   message draws the place ([`flow`](macro@flow#what-does-not-compile)).
//! - **Exact.** What a step sends, keeps and changes counts when it is done, all at once. With [checkpoints](Runner::with_checkpoints)
//!   that is on the disk before it is seen, and [`Runner::resume`] never repeats a step whose checkpoint was written.
//! - **Asks people.** A question is an event, and so is its answer; a run may rest until then, also across processes ([`Run::rest`]).
//! - **Drawn.** [`Flow::draw`] gives Mermaid, DOT and SVG.

mod attempt;
mod check;
mod checkpoint;
mod collect;
mod context;
mod control;
mod draw;
mod driver;
mod error;
mod event;
mod flow;
mod lineage;
mod macros;
mod nested;
mod notice;
mod outcome;
mod plan;
mod record;
mod retry;
mod run;
mod run_id;
mod runner;
mod shape;
mod shared;
mod step;

pub use checkpoint::{CheckpointLog, CheckpointStore, FileCheckpoints, MemoryCheckpoints};
pub use collect::Collection;
pub use context::Context;
pub use draw::Drawing;
pub use error::{FlowError, Result, StepError};
pub use event::Event;
pub use flow::Flow;
pub use graphwright_macros::{Event, OneOf};
pub use macros::flow;
pub use notice::{Notice, Question, QuestionId};
pub use outcome::{Batch, OneOf, Outcome};
pub use retry::RetryPolicy;
pub use run::{Rest, Run};
pub use run_id::RunId;
pub use runner::{Runner, Start};
pub use step::Steps;

/// Support for the code that [`flow`](macro@flow) and the derives generate; not for other use.
#[doc(hidden)]
pub mod support {
    pub use crate::{
        context::Context,
        event::{Event, EventType},
        flow::Flow,
        outcome::{OneOf, Outcome},
        shape::{AskShape, FlowShape, Shape, StepShape},
        step::{Step, Steps, settle, take},
    };
    pub use std::{any::Any, sync::Arc};
}

/// The programs in docs/flows.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/flows.md")]
mod page {}
