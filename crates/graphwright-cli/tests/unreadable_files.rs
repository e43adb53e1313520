//! A file that cannot be read is reported, and the others go in.

mod sample;

use std::{fs, time::Duration};

use sample::graphwright;

#[test]
fn the_others_go_in_and_the_command_ends() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("empty.md"), "").expect("writes");
    fs::write(folder.path().join("good.md"), "# Ledger\n\nThe ledger books payments.\n").expect("writes");
    let store = folder.path().join("graph");

    let mut command = graphwright();
    command.arg("--store").arg(&store).args(["ingest", "--json"]).arg(folder.path().join("empty.md"));
    command.arg(folder.path().join("good.md")).timeout(Duration::from_mins(1));
    let output = command.output().expect("ends in time");

    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["documents"]["added"], 1);
    assert_eq!(report["failed"][0]["reason"], "is empty");
}
