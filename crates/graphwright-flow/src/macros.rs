//! The macro that makes flows, with examples: these use this crate, which `graphwright-macros` cannot.

/// Makes a flow of a type: its methods that are marked `#[step]` are the steps.
///
/// `#[flow(start = Order, stop = Receipt)]` names the events that a run starts and stops with. Further marks:
///
/// - `state = Tally`: what the steps of a run share (`Context::state`, `Context::update`); `Clone`, `Default` and serialisable.
/// - `reports = Progress`: what steps tell to whoever listens (`Context::report`).
/// - `asks(Confirm => Approval)`: a step sends `Confirm`, a person answers with `Approval`, and a step takes that.
/// - `crate = path`: the crate of the support code.
///
/// # Steps
///
/// A step takes `&self` (or nothing of it), one event by value, and `&Context<Self>` if it needs the run. What it returns is sent: an
/// event, an enum of events (`#[derive(OneOf)]`), a `Batch` of `ctx.send_all`, a tuple, an `Option`, `()`, or a `Result` of
/// any of them. It may be `async` or not. Marks:
///
/// - `#[step(workers = 8)]`: how many events it works on side by side, 4 by default.
/// - `#[step(at_most = 3)]`: how often it runs on one way from the start. Each loop has a step with it.
/// - `#[step(time_limit = 30)]`: the longest time of an attempt, in seconds.
/// - `#[step(retry = RetryPolicy::attempts(3))]`: how often it is tried.
///
/// # What does not compile
///
/// An event that no step takes,
///
/// ```compile_fail,E0080
/// # use graphwright_flow::{Event, flow};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize, Event)]
/// # struct Order;
/// # #[derive(Clone, Serialize, Deserialize, Event)]
/// # struct Line;
/// # #[derive(Clone, Serialize, Deserialize, Event)]
/// # struct Receipt;
/// struct Shop;
///
/// #[flow(start = Order, stop = Receipt)]
/// impl Shop {
///     #[step]
///     async fn split(&self, order: Order) -> (Line, Receipt) {
///         (Line, Receipt)
///     }
/// }
/// ```
///
/// which the message draws:
///
/// ```text
/// error[E0080]: evaluation panicked: the flow `Shop` has a hole
///
///     split ── Line ──▶ ?
///
/// `split` sends `Line`, and no step takes it: add a step that does, or send another event
/// ```
///
/// a step out of reach, a way that comes to no end, a loop without `at_most`, a start that no step takes, a stop that no step sends, and a
/// question that nobody asks or whose answer nobody takes.
#[doc(inline)]
pub use graphwright_macros::flow;
