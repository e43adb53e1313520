//! Faults of models that should call tools, played: what each says, what a person sees, what stays, and what it cost.
#![expect(clippy::unwrap_used, reason = "a test may stop")]
#![allow(dead_code, reason = "the support of other tests is more than these use")]

mod faults;
#[path = "../../../graphwright-answer/tests/model/player.rs"]
mod player;
