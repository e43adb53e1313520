use std::fs;

use crate::bench::{Bench, assert_shown};

#[test]
fn files_that_cannot_be_read_are_reported_and_the_others_go_in() {
    let bench = Bench::with_graph();
    bench.write("docs/good.md", "# Clock\n\nThe service `clock` depends on the library `tick`.\n");
    bench.write("docs/empty.md", "");
    bench.write("docs/latin.md", b"Caf\xe9 opening hours\n");
    bench.write("docs/program.md", b"\x7fELF\x02\x00\x00\xff");
    bench.write("docs/picture.png", b"\x89PNG\r\n\x1a\n\x00\x00");
    bench.write("docs/broken.json", "{\"name\": ");
    bench.write("docs/broken.csv", "name,team\nledger,Payments,surplus\n");
    bench.write("docs/broken.pdf", "%PDF-1.7\nnothing follows\n");
    bench.write("docs/broken.docx", b"PK\x03\x04nothing follows");
    bench.write("docs/front.md", "---\nowner: [\n---\n# Title\n");
    let line = fs::File::create(bench.path().join("docs/line.md")).unwrap();
    line.set_len(100_000_000).unwrap();
    assert_shown!(bench.run(&["ingest", "docs"]));

    let names = bench.run(&["cypher", "MATCH (s:Service) RETURN s.name AS name ORDER BY name"]);
    assert!(names.contains("\"clock\"") || names.contains("clock"), "{names}");
    assert!(names.contains("ledger"), "{names}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_in_a_circle() {
    use crate::bench::link;
    let bench = Bench::new();
    bench.write("docs/good.md", "# Good\n\nThis one can be read.\n");
    for (target, name) in
        [("gone.md", "dangling.md"), ("two.md", "one.md"), ("one.md", "two.md"), ("..", "up")]
    {
        link(target, &bench.path().join("docs").join(name));
    }
    assert_shown!([bench.run(&["ingest", "docs"]), bench.run(&["ingest", "docs/dangling.md"])].join("\n"));
}

/// Returns a file that even the administrator cannot read: the memory of a process has nothing at
/// its start.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_the_system_does_not_let_be_read() {
    let bench = Bench::new();
    bench.write("docs/good.md", "# Good\n\nThis one can be read.\n");
    crate::bench::link("/proc/self/mem", &bench.path().join("docs/secret.txt"));
    assert_shown!(bench.run(&["ingest", "--follow-links", "docs"]));
}

#[test]
fn sources_that_hold_nothing() {
    let bench = Bench::with_graph();
    fs::create_dir(bench.path().join("void")).unwrap();
    bench.write("program", b"\x7fELF\x02\x00\x00\xff");
    assert_shown!(bench.leaves_the_graph_alone(&[
        &["ingest", "void"],
        &["ingest", "missing"],
        &["ingest", "void/*.md"],
        &["ingest", "no/such/*.md"],
        &["ingest", "program"],
        &["ingest", "-"],
        &["ingest"],
        &["ingest", "note.md", "--threshold", "7"],
        &["ingest", "note.md", "--extractor", "model"],
        &["ingest", "note.md", "--dry-run"],
        &["ontology", "infer", "void"],
        &["--json", "ontology", "infer", "missing"],
    ]));
}

#[test]
fn programs_read_of_failures_too() {
    let bench = Bench::new();
    bench.write("docs/empty.md", "");
    let output = bench.command().args(["--json", "ingest", "docs", "missing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reasons: Vec<_> =
        report["failed"].as_array().unwrap().iter().map(|failure| &failure["reason"]).collect();
    assert_eq!(reasons, ["there is no such file or folder", "is empty"]);
    assert_eq!(report["documents"]["added"], 0);
}
