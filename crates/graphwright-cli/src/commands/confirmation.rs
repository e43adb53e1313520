//! Asks the person at the terminal for confirmation.

use crate::output;

/// Returns whether the person says yes. No answer means no.
pub(super) async fn confirm(question: String) -> bool {
    let asked = tokio::task::spawn_blocking(move || {
        output::ask(&format!("{question} [y/N] "));
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    });
    asked.await.is_ok_and(|answer| answer.is_ok_and(|answer| is_yes(&answer)))
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
