//! Questions from beginning to end, with a model that plays its part.

#![expect(clippy::unwrap_used, reason = "what fails fails the test")]

mod auto;
mod examples;
mod faults;
mod films;
mod limits;
mod planner;
mod retry;
mod values;
