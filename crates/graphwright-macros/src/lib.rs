//! `#[toolbox]` and `#[tool]`: functions with doc comments become tools that a language model may
//! call. `#[flow]`: methods become the steps of a workflow.
//!
//! The facade `graphwright` exports the first two, and `graphwright-flow` the last, with its derives. The code that they write
//! uses a module of these crates (`tool_support`, `support`); `crate = path` names another crate that has it.

mod description;
mod event;
mod expansion;
mod flow;
mod function;
mod marks;
mod parameter;

use proc_macro::TokenStream;

/// Makes a tool of a function: `sum` stays as it is, and `sum_tool()` returns the tool.
///
/// The model is told the function's doc comment as the description. For each parameter it is told
/// the doc comment and a JSON Schema of the type (`schemars::JsonSchema`); the values come by
/// `serde::Deserialize`. The function may be `async`.
///
/// - A parameter of type `Option<…>` or with a `#[default(…)]` may be left out. `#[range(1..=50)]`
///   bounds a number.
/// - A parameter `&ToolContext` is given by whoever runs the tool. The model does not see it.
/// - The function returns text, anything that is `serde::Serialize`, or a `ToolOutput`. If it
///   returns a `Result`, the model is told the error, which is any `std::error::Error`, or a
///   `ToolError` with a hint.
/// - Marks tell what a call may do: `#[tool(read_only)]`, `destructive`, `idempotent`,
///   `needs_approval`, each also as `destructive = false`.
/// - `blocking` is for a function that keeps its thread busy, and gives it a thread of its own.
/// - `time_limit = 300` sets the longest time of a call, in seconds.
/// - `name = "…"` sets the tool's name, instead of the function's own.
/// - `crate = path` names the crate of the support code.
///
/// A tool that a model could not call does not compile. Examples are with the export of `graphwright`.
#[proc_macro_attribute]
pub fn tool(marks: TokenStream, item: TokenStream) -> TokenStream {
    expansion::tool(marks.into(), item.into()).into()
}

/// Makes tools of the methods of a type that are marked `#[tool]`.
///
/// The methods take `&self` or no `self` at all. The type becomes a `Toolset`, which `Toolbox::from_set`
/// takes. See [`macro@tool`] for what a method may be.
///
/// Marks of the toolbox, as in `#[toolbox(read_only)]`, are those of its tools unless they say
/// otherwise.
///
/// Calls run beside each other, so a method that wants `&mut self` does not compile. Examples are with the export of `graphwright`.
#[proc_macro_attribute]
pub fn toolbox(marks: TokenStream, item: TokenStream) -> TokenStream {
    expansion::toolbox(marks.into(), item.into()).into()
}

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
#[proc_macro_attribute]
pub fn flow(marks: TokenStream, item: TokenStream) -> TokenStream {
    flow::flow(marks.into(), item.into()).into()
}

/// Makes an event of a type that is `Clone`, `Serialize` and `Deserialize`: its name is the type's, unless
/// `#[event(name = "…")]` gives another.
#[proc_macro_derive(Event, attributes(event))]
pub fn derive_event(item: TokenStream) -> TokenStream {
    event::event(item.into()).into()
}

/// Makes one of several events of an enum: each variant holds one event.
#[proc_macro_derive(OneOf, attributes(one_of))]
pub fn derive_one_of(item: TokenStream) -> TokenStream {
    event::one_of(item.into()).into()
}
