//! The embedded store as its users see it. All in one binary, because each links the engine.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod apply;
mod decorators;
mod indexes;
mod logs;
mod names;
mod opening;
mod plans;
mod queries;
mod schema;
mod support;
mod temporal;
mod values;
