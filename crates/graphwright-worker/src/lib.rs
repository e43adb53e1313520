//! Child processes with limits of memory and time.
//!
//! Some work cannot be stopped from inside: a query engine in the middle of an expression, a reader of documents that
//! runs in a circle. It is done in a child process, which may run out of memory, of stack or of time without harm to
//! its parent. The child is the same program, started with the argument [`ARGUMENT`]; it talks over its standard input
//! and output in frames, and holds no secrets: it gets no environment variables.
//!
//! A parent keeps children in a [`Pool`], each as a [`Worker`]. A program that can be such a child calls [`serve`].
//!
//! Memory is limited by the operating system on Linux (`RLIMIT_DATA`). Elsewhere only time is.

mod error;
mod frame;
mod memory;
mod pool;
mod program;
mod serve;
mod worker;

pub use self::{
    error::WorkerError,
    memory::{limit_memory, machine_memory, used_memory},
    pool::{Lease, Pool},
    program::{ARGUMENT, Program},
    serve::{Replies, Requests, Task, serve},
    worker::Worker,
};
