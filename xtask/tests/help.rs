//! Tests that each chore says what it does. With this test, `cargo test --workspace` builds the chores as well.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

use std::process::Command;

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().expect("runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn each_chore_says_what_it_does() {
    let all = help(&["--help"]);
    let commands =
        all.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let mut count = 0;
    // What a chore does goes on in lines that are indented further.
    for line in
        commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')))
    {
        let (name, about) = line.split_once(' ').expect("a chore and what it does");
        assert!(about.trim().len() > 10, "{line}");
        if name != "help" {
            assert!(help(&[name, "--help"]).contains("Usage: xtask "), "{name}");
        }
        count += 1;
    }
    assert!(count > 10, "{all}");
}
