//! Faults of models, played: what each says, what a person sees, and what it cost.
#![expect(clippy::unwrap_used, reason = "a test may stop")]
#![allow(dead_code, reason = "the support of other tests is more than these use")]

mod faults;
mod player;
#[path = "../ask/support.rs"]
mod support;
