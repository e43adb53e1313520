//! What flows do, by small flows that each show one thing.

#![expect(clippy::unwrap_used, reason = "this is a test")]

mod drawing;
mod fan_out;
mod limits;
mod loops;
mod nested;
mod notices;
mod people;
mod resuming;
mod retries;
mod routing;
mod state;
mod stores;

use graphwright_flow::Event;
use serde::{Deserialize, Serialize};

/// What most of these flows start with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Event)]
pub struct Begin(pub u32);

/// What most of these flows end with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Event)]
pub struct End(pub String);
