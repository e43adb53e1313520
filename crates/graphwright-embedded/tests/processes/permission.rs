//! Files that the user of a process may not read or write.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

use graphwright_core::GraphStore;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

use crate::batches;

/// A user who owns nothing.
const NOBODY: u32 = 65_534;

/// Who opens such a store is told the file and the reason, never of damage or of nothing there.
pub(crate) fn what_may_not_be_used_is_named() -> String {
    let folder = tempfile::tempdir().unwrap();
    let (store, program) = (folder.path().join("store"), folder.path().join("program"));
    allow(folder.path(), 0o755);
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    Runtime::new().unwrap().block_on(async {
        let writer = EmbeddedStore::open(&store, OpenOptions::writer()).await.unwrap();
        writer.apply(batches::changes(0)).await.unwrap();
        writer.checkpoint().await.unwrap();
        writer.apply(batches::changes(1)).await.unwrap();
    });
    let files = ["graph.kgl", "graph.kgl-wal", "graph.kgl.lock", "graph.kgl.lock-owner"];
    let check = |role: &str, denied: &str, mode: u32| {
        allow(&store, 0o777);
        for file in files {
            allow(&store.join(file), 0o666);
        }
        assert_eq!(open(&program, role, &store), "opened\n", "{role} with all rights");
        let path = store.join(denied);
        allow(&path, mode);
        let said = open(&program, role, &store);
        allow(&path, 0o777);
        let named = path.to_str().unwrap().trim_end_matches('/');
        assert!(said.starts_with(&format!("unavailable\ncannot open {named}")), "{role} {denied}: {said}");
        assert!(said.contains("permission denied"), "{role} {denied}: {said}");
        assert!(said.contains("let this user read and write it"), "{role} {denied}: {said}");
    };
    check("child-open-reader", "", 0o000);
    check("child-open-reader", "graph.kgl", 0o000);
    check("child-open-reader", "graph.kgl-wal", 0o000);
    for file in ["graph.kgl", "graph.kgl-wal", "graph.kgl.lock"] {
        check("child-open-writer", file, 0o444);
    }
    String::new()
}

fn open(program: &Path, role: &str, store: &Path) -> String {
    let mut command = Command::new(program);
    command.arg(role).arg(store);
    // Nothing is forbidden to the system's administrator.
    if fs::metadata(store).unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
