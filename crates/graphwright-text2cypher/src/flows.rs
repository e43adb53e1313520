//! The flows, one a file.

mod auto;
mod naive;
mod planner;
mod retry;
mod retry_check;

pub use self::{auto::Auto, naive::Naive, planner::Planner, retry::Retry, retry_check::RetryCheck};
