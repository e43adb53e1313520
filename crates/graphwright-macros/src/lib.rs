//! `#[toolbox]` and `#[tool]`: functions with doc comments become tools that a language model may
//! call. `#[flow]`: methods become the steps of a workflow.
//!
//! The facade `graphwright` exports the first two, and `graphwright-flow` the last, with its derives. The code that they write
//! uses a module of these crates (`tool_support`, `support`); `crate = path` names another crate that has it. What the macros
//! take, with examples, is told where they are exported: examples here would need these crates, and tests of a crate of macros
//! build all that they need once more.

mod description;
mod event;
mod expansion;
mod flow;
mod function;
mod marks;
mod parameter;

use proc_macro::TokenStream;

/// Makes a tool of a function: see `graphwright::tool`.
#[proc_macro_attribute]
pub fn tool(marks: TokenStream, item: TokenStream) -> TokenStream {
    expansion::tool(marks.into(), item.into()).into()
}

/// Makes tools of the methods of a type: see `graphwright::toolbox`.
#[proc_macro_attribute]
pub fn toolbox(marks: TokenStream, item: TokenStream) -> TokenStream {
    expansion::toolbox(marks.into(), item.into()).into()
}

/// Makes a flow of a type: see `graphwright_flow::flow`.
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
