//! A disk that takes no more, simulated by a limit on the size of files.

use std::process::{Command, Stdio};

use graphwright_core::GraphStore;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

use crate::batches;

/// The writer gets an error that says so and keeps reading, and the next one finds what was
/// acknowledged.
pub(crate) fn a_full_disk_is_an_error_and_harms_nothing() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let path = path.to_str().unwrap();
    let limited = "trap '' XFSZ; ulimit -f 200; exec \"$0\" child-write-until-full \"$1\"";
    let child = Command::new("sh")
        .args(["-c", limited])
        .arg(std::env::current_exe().unwrap())
        .arg(path)
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let said = String::from_utf8(child.stdout).unwrap();
    let lines: Vec<_> = said.lines().collect();
    let [done, code, message, still] = lines.as_slice() else { panic!("{said}") };
    let done: usize = done.parse().unwrap();
    assert!(done > 0);
    assert_eq!(*code, "io", "{message}");
    assert!(message.contains("File too large"), "{message}");
    assert_eq!(*still, done.to_string());

    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let reader = EmbeddedStore::open(path, OpenOptions::reader()).await.unwrap();
        let found = batches::found(&reader).await.unwrap();
        assert_eq!(found.len(), done);
        assert!(found.values().all(|counts| *counts == batches::WHOLE));
        let writer = EmbeddedStore::open(path, OpenOptions::writer()).await.unwrap();
        assert_eq!(batches::found(&writer).await.unwrap(), found);
        writer.apply(batches::changes(done as i64)).await.unwrap();
        assert_eq!(batches::found(&reader).await.unwrap().len(), done + 1);
    });
    format!(" ({done} batches, then: {message})")
}
