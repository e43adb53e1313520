//! Asks for approval at the terminal before a write happens.

use async_trait::async_trait;
use graphwright::{Approve, Proposal};

use crate::{commands::confirmation::confirm, render};

/// Asks the person at the terminal.
#[derive(Debug)]
pub(super) struct TerminalApproval;

#[async_trait]
impl Approve for TerminalApproval {
    async fn approve(&self, proposal: &Proposal) -> bool {
        confirm(format!("This would change: {}. Do it?", render::changes(&proposal.counters))).await
    }
}
