//! Routes that are followed: offered as a plan, or run without a model. What they save is measured on kinds of questions that repeat.

#![expect(clippy::unwrap_used, reason = "what fails fails the test")]

mod following;
mod measure;
mod platform;
mod player;
