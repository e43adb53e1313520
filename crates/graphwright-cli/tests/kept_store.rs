//! A store that an earlier version wrote still opens, answers, is searched and is written.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("lists") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copies");
        }
    }
}

struct KeptStore {
    folder: tempfile::TempDir,
}

impl KeptStore {
    /// Copies the store, since opening one writes beside it.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        copy(
            &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/kept_store/graph"),
            &folder.path().join("graph"),
        );
        Self { folder }
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_graphwright"))
            .current_dir(self.folder.path())
            .args(["--store", "graph"])
            .args(arguments)
            .output()
            .expect("runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).expect("text")
    }
}

#[test]
fn a_kept_store_is_read() {
    let store = KeptStore::new();
    let answer = store.run(&["ask", "--no-model", "Who keeps Hollow Point?"]);
    assert!(answer.contains("Mara Quill <-[KEPT_BY]- Hollow Point"), "{answer}");
    assert!(answer.contains("hollow-point.md:16-77"), "{answer}");
    let rows =
        store.run(&["cypher", "--json", "MATCH (l:Lighthouse) WHERE l.height > 30 RETURN l.name, l.lit"]);
    assert!(rows.contains("Hollow Point") && rows.contains("1871-05-02"), "{rows}");
    let hits = store.run(&["search", "keeper of Grey Skerry"]);
    assert!(hits.contains("Tobias Wren"), "{hits}");
    assert!(store.run(&["ontology", "show"]).contains("KEPT_BY"));
}

#[test]
fn a_kept_store_is_written() {
    let store = KeptStore::new();
    let text = "The lighthouse Long Ness is kept by the keeper Ada Fenn.\n";
    fs::write(store.folder.path().join("long-ness.md"), text).expect("writes");
    store.run(&["ingest", "--extractor", "rules", "long-ness.md"]);
    let answer = store.run(&["ask", "--no-model", "Who keeps Long Ness?"]);
    assert!(answer.contains("Ada Fenn <-[KEPT_BY]- Long Ness"), "{answer}");
    let before = store.run(&["ask", "--no-model", "Who keeps Grey Skerry?"]);
    assert!(before.contains("Tobias Wren"), "{before}");
}
