//! Tests that the memory for reading a dump does not depend on its size.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use stackoverflow::dump::{Dump, Reading};

const ROWS: usize = 200_000;
const BATCH: usize = 1_000;

fn write_dump(folder: &Path, comments: usize) -> u64 {
    let table = |name: &str, root: &str, rows: &mut dyn Iterator<Item = String>| {
        let path = folder.join(name);
        let mut file = BufWriter::new(File::create(&path).unwrap());
        writeln!(file, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root}>").unwrap();
        for row in rows {
            writeln!(file, "  <row {row} />").unwrap();
        }
        writeln!(file, "</{root}>").unwrap();
        file.into_inner().unwrap().metadata().unwrap().len()
    };
    let user = "Id=\"1\" DisplayName=\"Ada\"".to_owned();
    let question = "Id=\"1\" PostTypeId=\"1\" Title=\"Why?\" Body=\"&lt;p&gt;Why?&lt;/p&gt;\"".to_owned();
    let text = "Knead it until it holds together when you stretch it. ".repeat(2);
    let comment = |id: usize| format!("Id=\"{id}\" PostId=\"1\" UserId=\"1\" Text=\"{text}{id}\"");
    table("Users.xml", "users", &mut std::iter::once(user));
    table("Posts.xml", "posts", &mut std::iter::once(question));
    table("Comments.xml", "comments", &mut (1..=comments).map(comment))
}

/// Returns the peak memory of this process in bytes, if the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1_024)
}

fn read(folder: &Path) -> (usize, usize) {
    let dump = Dump::open(folder, None).unwrap();
    dump.check(false, &mut |_| {}).unwrap();
    let (mut rows, mut most) = (0, 0);
    for reading in [Reading::Nodes, Reading::Links] {
        dump.read(reading, BATCH, &mut |batch| {
            rows += batch.rows;
            most = most.max(batch.nodes.len()).max(batch.links.len());
            true
        })
        .unwrap();
    }
    (rows, most)
}

#[test]
fn ten_times_the_rows_take_the_same_memory() {
    let folder = tempfile::tempdir().unwrap();
    write_dump(folder.path(), ROWS / 10);
    read(folder.path());
    let before = peak();
    let bytes = write_dump(folder.path(), ROWS);
    assert!(bytes > 30_000_000, "{bytes}");
    let (rows, most) = read(folder.path());
    assert_eq!(rows, 2 * (ROWS + 2));
    assert!(most <= 2 * BATCH, "{most} things were held at once");
    if let (Some(before), Some(after)) = (before, peak()) {
        // The system counts what a process has in steps, so that a later peak may even seem lower.
        let more = after.saturating_sub(before);
        println!("{} MB of rows, {} KB more than for a tenth of them", bytes >> 20, more >> 10);
        assert!(more < 4 << 20, "{more} bytes more");
    }
}
