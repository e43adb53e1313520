//! Tests `ingest` when it is killed or stopped, and what is in the graph then.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use sample::{SAMPLE, content, graphwright};
use serde_json::{Value as Json, json};

const KILLS: u32 = 6;

fn ingest(store: &Path, documents: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graphwright"));
    command.env_remove("GRAPHWRIGHT_MODEL").env_remove("GRAPHWRIGHT_EMBEDDER");
    command.arg("--store").arg(store).arg("ingest").arg(documents);
    command.arg("--ontology").arg(format!("{SAMPLE}/ontology.yaml"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_killed_ingest_is_finished_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let documents = Path::new(SAMPLE).join("documents");
    let reference = folder.path().join("reference");
    let started = Instant::now();
    assert!(ingest(&reference, &documents).status().expect("runs").success());
    let whole = started.elapsed();
    let expected = content(&reference);

    let (mut bound, mut kills) = (whole, 0);
    for attempt in 0..4 * KILLS {
        let store = folder.path().join(format!("killed-{attempt}"));
        let mut child = ingest(&store, &documents).spawn().expect("starts");
        sleep(bound * kills / KILLS);
        child.kill().expect("is killed");
        if child.wait().expect("ends").success() {
            // The run was done before the kill; the next ones are killed earlier.
            bound = bound * 3 / 4;
            continue;
        }
        kills += 1;
        assert!(ingest(&store, &documents).status().expect("runs").success(), "after kill {kills}");
        let difference: Vec<_> = content(&store).symmetric_difference(&expected).cloned().collect();
        assert!(difference.is_empty(), "after kill {kills}: {difference:#?}");
        let again = ingest(&store, &documents).arg("--json").output().expect("runs");
        let report: Json = serde_json::from_slice(&again.stdout).expect("JSON");
        assert_eq!(report["documents"], json!({"added": 0, "changed": 0, "removed": 0, "unchanged": 25}));
        assert_eq!(report["index"]["unchanged"], true, "{report}");
        if kills == KILLS {
            return;
        }
    }
    assert_eq!(kills, KILLS, "kills before the end");
}

#[test]
fn an_ingest_that_is_stopped_says_how_far_it_came_and_goes_on_later() {
    const DOCUMENTS: usize = 2_000;
    let folder = tempfile::tempdir().expect("a folder");
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).expect("a folder");
    for number in 0..DOCUMENTS {
        let text =
            format!("# Service s{number}\n\nThe service s{number} depends on the library lib-{number}.\n");
        fs::write(documents.join(format!("{number}.md")), text).expect("writes");
    }
    let store = folder.path().join("graph");
    let child = ingest(&store, &documents).spawn().expect("starts");
    wait_until_something_is_written(&store);
    interrupt(&child);
    let output = child.wait_with_output().expect("ends");

    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{said}");
    let (before, after) =
        ("error: cancelled (", format!(" of {DOCUMENTS} documents were read and stay in the graph)"));
    let done = said.split_once(before).and_then(|(_, rest)| rest.split_once(&after)).map(|(done, _)| done);
    let done: usize = done.expect(&said).parse().expect("a number");
    assert!((1..DOCUMENTS).contains(&done), "{said}");
    assert!(said.starts_with("stopping when the current piece of work is done"), "{said}");
    assert!(said.ends_with("hint: what was written is whole; run it again to go on\n"), "{said}");

    let query = "MATCH (d:Document) OPTIONAL MATCH (d)<-[:FROM_DOCUMENT]-(c) RETURN count(d), count(c)";
    let counted =
        graphwright().arg("--store").arg(&store).args(["cypher", "--json", query]).output().expect("runs");
    let counted: Json = serde_json::from_slice(&counted.stdout).expect("JSON");
    assert_eq!(counted["rows"][0], json!([done, done]), "whole documents only");

    let rest = ingest(&store, &documents).arg("--json").output().expect("runs");
    let report: Json = serde_json::from_slice(&rest.stdout).expect("JSON");
    assert_eq!(report["documents"]["added"], DOCUMENTS - done, "{report}");
    let reference = folder.path().join("reference");
    assert!(ingest(&reference, &documents).status().expect("runs").success());
    assert_eq!(content(&store), content(&reference));
}

/// Waits until a reader beside the writer sees something committed.
fn wait_until_something_is_written(store: &Path) {
    let deadline = Instant::now() + Duration::from_mins(1);
    let count = || {
        let query = "MATCH (d:Document) RETURN count(d) AS n";
        let output =
            graphwright().arg("--store").arg(store).args(["cypher", "--json", query]).output().expect("runs");
        let counted: Option<Json> = serde_json::from_slice(&output.stdout).ok();
        counted.and_then(|counted| counted["rows"][0][0].as_u64()).unwrap_or_default()
    };
    while count() == 0 {
        assert!(Instant::now() < deadline, "nothing is written");
        sleep(Duration::from_millis(5));
    }
}

/// Sends what Ctrl-C sends.
fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
}
