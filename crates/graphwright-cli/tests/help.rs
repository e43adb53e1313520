//! Tests the help of the command and of each subcommand, as a new user reads it.

#![allow(clippy::expect_used, reason = "this is a test")]

use assert_cmd::Command;

const COMMANDS: [&str; 58] = [
    "",
    "demo",
    "ingest",
    "ask",
    "chat",
    "routes",
    "routes list",
    "routes show",
    "routes verdict",
    "routes export",
    "routes delete",
    "examples",
    "examples list",
    "examples show",
    "examples add",
    "examples approve",
    "examples edit",
    "examples verify",
    "examples export",
    "examples import",
    "examples forget",
    "learn",
    "context",
    "suggest",
    "search",
    "lookup",
    "path",
    "schema",
    "cypher",
    "cypher check",
    "cypher fix",
    "cypher format",
    "index",
    "index list",
    "index create",
    "index drop",
    "ontology",
    "ontology check",
    "ontology infer",
    "ontology schema",
    "ontology show",
    "duplicates",
    "duplicates list",
    "duplicates merge",
    "duplicates reject",
    "duplicates undo",
    "import",
    "export",
    "models",
    "models pull",
    "mcp",
    "doctor",
    "completions",
    "eval",
    "eval replay",
    "eval live",
    "eval retrieval",
    "eval text2cypher",
];

#[test]
fn every_command_says_what_it_does() {
    for command in COMMANDS {
        let output = Command::new(env!("CARGO_BIN_EXE_graphwright"))
            .args(command.split_whitespace())
            .arg("--help")
            .env("COLUMNS", "100")
            .output()
            .expect("runs");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        // The settings are equal for all commands, so they are shown once.
        let shown = match (command, text.split_once("\nSettings:\n")) {
            ("", _) | (_, None) => text,
            (_, Some((own, settings))) => {
                let after = settings.split_once("\n\nExample").map_or("", |(_, after)| after);
                if after.is_empty() { own.to_owned() } else { format!("{own}\nExample{after}") }
            }
        };
        let name = if command.is_empty() { "graphwright".to_owned() } else { command.replace(' ', "_") };
        insta::assert_snapshot!(name, shown);
    }
}
