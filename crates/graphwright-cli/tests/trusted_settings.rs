//! Tests that a settings file which is only found sends no key away and starts no program.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

mod sample;

use std::{fs, path::Path, process::Output};

use sample::graphwright;

/// Runs `schema` in a folder with a key, and with this person's settings and data.
fn run(folder: &Path, more: &[&str]) -> (bool, String) {
    let mut command = graphwright();
    command.current_dir(folder.join("project")).env("OPENAI_API_KEY", "sk-secret");
    command.env("XDG_CONFIG_HOME", folder.join("config")).env("XDG_DATA_HOME", folder.join("data"));
    let Output { status, stdout: _, stderr } = command.args(["schema"]).args(more).output().expect("runs");
    (status.success(), String::from_utf8(stderr).unwrap().replace(&folder.display().to_string(), ""))
}

fn project(settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("project")).unwrap();
    fs::create_dir_all(folder.path().join("config/graphwright")).unwrap();
    fs::write(folder.path().join("project/graphwright.toml"), settings).unwrap();
    folder
}

/// What is refused stops before the store is opened, which is not there.
fn is_refused((_, said): &(bool, String)) -> bool {
    said.contains("is not trusted")
}

const ELSEWHERE: &str = "[providers.openai]\nbase_url = \"https://me:pw@gateway.example/v1/\"\n";

#[test]
fn a_key_goes_where_the_person_says() {
    let folder = project(ELSEWHERE);
    let place = folder.path();
    let refused = run(place, &[]);
    assert!(!refused.0);
    assert_eq!(
        refused.1,
        "error: /project/graphwright.toml is not trusted: `providers.openai.base_url` sends OPENAI_API_KEY to \
         https://***@gateway.example/v1/\n\
         hint: look at it; if you want this, say so once with --trust-settings. It holds until these lines change. Settings of \
         your own stand in the environment or in your own file (docs/settings.md)\n"
    );
    assert!(!is_refused(&run(place, &["--config", "graphwright.toml"])), "a file that is named is meant");
    assert!(is_refused(&run(place, &[])));
    assert!(!is_refused(&run(place, &["--trust-settings"])));
    assert!(!is_refused(&run(place, &[])), "it was trusted");
    let below = place.join("project/graphwright.toml");
    fs::write(&below, format!("budget = 1.0\n{ELSEWHERE}")).unwrap();
    assert!(!is_refused(&run(place, &[])), "other lines may change");
    fs::write(&below, ELSEWHERE.replace("gateway", "other")).unwrap();
    assert!(is_refused(&run(place, &[])), "another address is another matter");
    fs::write(place.join("config/graphwright/graphwright.toml"), ELSEWHERE).unwrap();
    fs::remove_file(&below).unwrap();
    assert!(!is_refused(&run(place, &[])), "the person's own file");
}

#[test]
fn what_sends_nothing_away_needs_no_trust() {
    for settings in [
        "[providers.openai]\nbase_url = \"http://localhost:8080/v1/\"\n",
        "[providers.openai]\nbase_url = \"https://api.openai.com/v1/\"\neffort = \"low\"\n",
        // No key of it is set.
        "[providers.anthropic]\nbase_url = \"https://gateway.example/v1/\"\n",
        "store = \"bolt://graph.example\"\n",
    ] {
        assert!(!is_refused(&run(project(settings).path(), &["--store", "none"])), "{settings}");
    }
}

#[test]
fn a_program_is_not_started_and_a_password_not_sent() {
    let worker = run(project("worker = \"./run.sh\"\n").path(), &[]);
    assert!(worker.1.contains("`worker` starts ./run.sh"), "{}", worker.1);
    let folder = project("store = \"bolt://graph.example\"\n");
    let mut command = graphwright();
    command.current_dir(folder.path().join("project")).env("NEO4J_PASSWORD", "pw");
    command.env("XDG_DATA_HOME", folder.path().join("data"));
    let said = String::from_utf8(command.args(["schema"]).output().expect("runs").stderr).unwrap();
    assert!(said.contains("`store` sends NEO4J_PASSWORD to bolt://graph.example"), "{said}");
}
