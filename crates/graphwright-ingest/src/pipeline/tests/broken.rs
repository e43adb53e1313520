//! Tests that broken files are reported and the others are ingested.

use graphwright_documents::Failure;

use super::*;

fn reasons(failed: &[Failure]) -> Vec<(String, String)> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut reasons: Vec<_> = failed.iter().map(|one| (name(&one.path), one.reason.clone())).collect();
    reasons.sort();
    reasons
}

#[tokio::test]
async fn broken_files_are_reported_and_the_others_go_in() {
    let bench = Bench::new(&[("good.md", "Alpha uses Beta.\n"), ("empty.md", "")]);
    fs::write(bench.path().join("binary.md"), b"\x7fELF\0\0\0").expect("writes");
    fs::write(bench.path().join("faulty.txt"), b"caf\xc3\xa9 and caf\xe9").expect("writes");
    fs::write(bench.path().join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0").expect("writes");
    let line = fs::File::create(bench.path().join("line.txt")).expect("a file");
    line.set_len(100_000_000).expect("grows");
    std::os::unix::fs::symlink("/nonexistent/target", bench.path().join("dangling.md")).expect("links");
    let report = bench.run().await;
    insta::assert_debug_snapshot!(reasons(&report.failed));
    assert_eq!(
        reasons(&report.skipped),
        [("picture.png".to_owned(), "is a binary file of an unknown kind".to_owned())]
    );
    assert_eq!(counts(report.documents), (1, 0, 0, 0));
    assert_eq!(counts(report.relationships), (1, 0, 0, 0));
}

#[tokio::test]
async fn a_file_that_broke_keeps_what_it_said_before() {
    let bench = Bench::new(&[("a.md", "Alpha uses Beta.\n")]);
    bench.run().await;
    let before = bench.dump().await;
    fs::write(bench.path().join("a.md"), b"\xc3\xa9\xff").expect("writes");
    let report = bench.run_with(bench.ingest().prune(true)).await;
    assert_eq!(report.failed.len(), 1);
    assert_eq!(bench.dump().await, before);
}

#[cfg(unix)]
#[tokio::test]
async fn an_unreadable_file_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new(&[("a.md", "Alpha uses Beta.\n"), ("secret.md", "x")]);
    let secret = bench.path().join("secret.md");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).expect("sets");
    if fs::read(&secret).is_ok() {
        // The administrator can read everything, so there is nothing to show.
        return;
    }
    let report = bench.run().await;
    assert_eq!(reasons(&report.failed)[0].1, "cannot be read: Permission denied (os error 13)");
}

#[tokio::test]
async fn a_faulty_ontology_is_refused_before_anything_is_written() {
    let bench = Bench::new(&FILES);
    let mut faulty = ontology();
    faulty.relationships["USES"].to = vec!["Servise".to_owned()];
    let outcome = bench.ingest().ontology(faulty).run(&[Input::Path(bench.path().to_owned())], &|_| {}).await;
    let message = outcome.expect_err("is refused").to_string();
    assert_eq!(
        message,
        "ontology: relationships.USES.to: there is no node type 'Servise'; did you mean 'Service'?"
    );
    assert_eq!(bench.dump().await, "");
}
