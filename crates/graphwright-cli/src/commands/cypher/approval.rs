//! Asks at the terminal before a write happens.

use std::io::Write;

use async_trait::async_trait;
use graphwright::{Approve, Proposal};

use crate::render;

/// Whoever sits at the terminal.
#[derive(Debug)]
pub(super) struct Person;

#[async_trait]
impl Approve for Person {
    async fn approve(&self, proposal: &Proposal) -> bool {
        let question = format!("This would change: {}. Do it? [y/N] ", render::changes(&proposal.counters));
        let asked = tokio::task::spawn_blocking(move || {
            let mut terminal = std::io::stderr();
            terminal.write_all(question.as_bytes())?;
            terminal.flush()?;
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer)?;
            Ok::<_, std::io::Error>(answer)
        });
        // Without an answer there is no approval.
        asked.await.is_ok_and(|answer| answer.is_ok_and(|answer| is_yes(&answer)))
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_yes_is_yes() {
        assert!(is_yes("y\n") && is_yes(" YES "));
        assert!(!is_yes("") && !is_yes("n\n") && !is_yes("yesterday"));
    }
}
