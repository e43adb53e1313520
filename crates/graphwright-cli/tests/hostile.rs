//! Documents and queries that end or stall a careless reader.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]
#![expect(clippy::print_stdout, reason = "the reasons are worth a look")]

mod sample;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use sample::graphwright;
use serde_json::Value as Json;

/// The longest that reading a file may take, with time for a slow machine on top.
const LIMIT: Duration = Duration::from_secs(30);
const GOOD: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`.\n";

/// A form that draws itself, and a page that is its own parent.
const LOOPS: [(&str, &str); 2] = [
    (
        "form.pdf",
        "/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>\nendobj\n4 0 obj\n<</Length 5>>\nstream\n/X \
         Do\nendstream\nendobj\n5 0 obj\n<</Length 5/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</X 5 \
         0 R>>>>>>\nstream\n/X Do\nendstream\nendobj\n",
    ),
    (
        "page.pdf",
        "/Parent 3 0 R/Contents 4 0 R>>\nendobj\n4 0 obj\n<</Length 12>>\nstream\nBT (x) Tj ET\nendstream\nendobj\n",
    ),
];

fn pdf(page: &str) -> String {
    let objects = format!(
        "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 \
         R>>\nendobj\n3 0 obj\n<</Type/Page/MediaBox[0 0 9 9]{page}"
    );
    let places: Vec<usize> = objects.match_indices(" 0 obj").map(|(at, _)| at - 1).collect();
    let lines: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
    let (size, start) = (places.len() + 1, objects.len());
    format!(
        "{objects}xref\n0 {size}\n0000000000 65535 f \n{lines}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    )
}

/// Ingests a folder. Every file but the good one must be read, or named with a reason.
fn ingest(folder: &Path, bad: &[String]) {
    let started = Instant::now();
    let store = folder.join("graph");
    let output = graphwright()
        .arg("--store")
        .arg(&store)
        .args(["--json", "ingest"])
        .arg(folder.join("documents"))
        .output();
    let output = output.expect("the command runs");
    let report: Json = serde_json::from_slice(&output.stdout).expect("a report");
    let added = report["documents"]["added"].as_u64().expect("a number");
    let failed = report["failed"].as_array().expect("what failed");
    assert_eq!(added, 1 + (bad.len() - failed.len()) as u64, "{report}");
    for failure in failed {
        let (path, reason) = (failure["path"].as_str(), failure["reason"].as_str());
        let reason = reason.expect("a reason");
        println!("{path:?} {reason}");
        assert!(bad.iter().any(|name| path.is_some_and(|path| path.ends_with(name.as_str()))), "{path:?}");
        let told = ["cannot be read", "nests", "has no text"];
        assert!(told.iter().any(|begin| reason.starts_with(begin)), "{path:?} {reason}");
    }
    assert!(
        started.elapsed() < LIMIT * (1 + u32::try_from(bad.len()).expect("few")),
        "{:?}",
        started.elapsed()
    );
    let found = graphwright()
        .arg("--store")
        .arg(&store)
        .args(["search", "ledger"])
        .output()
        .expect("the command runs");
    assert!(String::from_utf8_lossy(&found.stdout).contains("money-types"));
}

fn folder_with(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).expect("a folder");
    fs::write(documents.join("good.md"), GOOD).expect("a file");
    let write = |(name, bytes): (String, Vec<u8>)| {
        fs::write(documents.join(&name), bytes).expect("a file");
        name
    };
    let names = files.into_iter().map(write).collect();
    (folder, names)
}

#[test]
fn files_that_bite_are_named_and_the_others_go_in() {
    let tables = "<table><tr><td>".repeat(5_000) + "deep" + &"</td></tr></table>".repeat(5_000);
    let mut files = vec![("tables.html".to_owned(), tables.into_bytes())];
    files.extend(LOOPS.map(|(name, page)| (name.to_owned(), pdf(page).into_bytes())));
    files.push(("noise.docx".to_owned(), b"PK\x03\x04 and then nothing of use".to_vec()));
    let (folder, names) = folder_with(files);
    ingest(folder.path(), &names);
}

#[test]
#[ignore = "needs public data"]
fn collected_files_that_bite_are_named_and_the_others_go_in() {
    let collected = Path::new(&std::env::var("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA")).join("hostile");
    let files = fs::read_dir(collected).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a file"))
    };
    let (folder, names) = folder_with(files.map(read));
    assert_eq!(names.len(), 5);
    ingest(folder.path(), &names);
}

#[test]
fn a_query_over_its_budget_ends_with_an_error_that_names_it() {
    let (folder, _) = folder_with([]);
    ingest(folder.path(), &[]);
    let bomb =
        "UNWIND range(1, 1000) AS a UNWIND range(1, 1000) AS b RETURN size(collect([a, b, 'abcdefgh' + a]))";
    let run = |megabytes: &str| {
        let mut command = graphwright();
        command.env("GRAPHWRIGHT_QUERY_MEGABYTES", megabytes).arg("--store").arg(folder.path().join("graph"));
        command.args(["cypher", bomb]).output().expect("the command runs")
    };
    let output = run("40");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if cfg!(target_os = "linux") {
        assert_eq!(
            said,
            "error: stopped at the memory budget of 40 MB for a query\nhint: narrow the query (a label, a condition, fewer \
             steps), or raise the budget (`query_megabytes` in the settings)\n"
        );
    }
    let output = run("2000");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1000000"), "{output:?}");
}

#[test]
fn a_range_that_only_the_graph_bounds_is_bounded_when_it_runs() {
    let (folder, _) = folder_with([]);
    ingest(folder.path(), &[]);
    let run = |query: &str| {
        let output =
            graphwright().arg("--store").arg(folder.path().join("graph")).args(["cypher", query]).output();
        let output = output.expect("the command runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let short = run("MATCH (c:Chunk) RETURN size(range(1, c.end)) = c.end AS same");
    assert!(short.contains("true"), "{short}");
    let long = run("MATCH (c:Chunk) RETURN size(range(1, c.end * 1000)) AS length");
    assert_eq!(long, "error: a range of more than 10000 elements\n");
}
