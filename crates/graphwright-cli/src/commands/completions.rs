//! Runs `graphwright completions`.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use serde_json::json;

use crate::{arguments::Arguments, output::Output};

pub(crate) fn run(shell: Shell, output: &Output) -> Result<ExitCode> {
    let script = script(shell);
    if output.json {
        output.line(&json!({"shell": shell.to_string(), "script": script}))?;
    } else {
        output.exact_text(&script)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "graphwright", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_is_told_commands_and_options() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for word in ["ingest", "lookup", "completions", "prune", "store"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }
}
