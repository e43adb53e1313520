//! Opening stores that are not there, are damaged, or are in use.

use std::{fs, time::Duration};

use graphwright_core::{
    GraphStore, StoreError,
    store::{SchemaOptions, StoreInfo},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

use crate::support::{rows, write};

#[tokio::test]
async fn nothing_there_is_said_with_what_is_there_and_a_way_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    fs::create_dir(path("other")).unwrap();
    fs::write(path("other/notes.md"), "# Notes").unwrap();
    for (name, found) in [
        ("none", "there is no graph yet: the folder does not exist"),
        ("empty", "there is no graph yet: the folder is empty"),
        ("other", "there is no graph yet: the folder holds other files"),
        ("other/notes.md", "it is a file, and a store is a folder"),
        ("other/notes.md/store", "a part of the path is a file"),
    ] {
        let error = EmbeddedStore::open(path(name), OpenOptions::reader()).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert!(error.to_string().contains(name), "{error}");
        assert!(error.to_string().ends_with(found), "{error}");
        let hint = error.hint().unwrap();
        assert!(hint.contains("build one from documents") || hint.contains("name a folder"), "{hint}");
    }
    assert!(!path("none").exists());
}

#[tokio::test]
async fn files_of_a_newer_version_are_not_called_damaged() {
    // The version of the checkpoint's container, of its coding, of what it holds, and of the log.
    for (file, byte) in [("graph.kgl", 3), ("graph.kgl", 4), ("graph.kgl", 5), ("graph.kgl-wal", 4)] {
        let directory = tempfile::tempdir().unwrap();
        let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
        write(&store, "CREATE (:Item)").await;
        drop(store);
        let path = directory.path().join(file);
        let mut content = fs::read(&path).unwrap();
        content[byte] += 100;
        fs::write(&path, &content).unwrap();
        for options in [OpenOptions::reader(), OpenOptions::writer()] {
            let error = EmbeddedStore::open(directory.path(), options).await.unwrap_err();
            assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
            assert!(error.to_string().contains("a newer version of Graphwright wrote it"), "{error}");
            assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
            assert!(error.hint().unwrap().contains("use the newer version"), "{error:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}

#[tokio::test]
async fn a_file_in_the_place_of_the_directory_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for options in [OpenOptions::reader(), OpenOptions::writer()] {
        let error = EmbeddedStore::open(file.path(), options).await.unwrap_err();
        assert!(error.to_string().contains(file.path().to_str().unwrap()), "{error}");
    }
}

#[tokio::test]
async fn damage_is_told_apart() {
    for content in [&b""[..], b"not a graph", &[0; 4096]] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("graph.kgl"), content).unwrap();
        for options in [OpenOptions::reader(), OpenOptions::writer()] {
            let error = EmbeddedStore::open(directory.path(), options).await.unwrap_err();
            assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        }
        assert_eq!(fs::read(directory.path().join("graph.kgl")).unwrap(), content);
    }
}

#[tokio::test]
async fn a_cut_checkpoint_is_damage() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    write(&store, "UNWIND range(1, 500) AS x CREATE (:Item {number: x, text: 'number ' + toString(x)})")
        .await;
    drop(store);
    let file = directory.path().join("graph.kgl");
    let content = fs::read(&file).unwrap();
    fs::write(&file, &content[..content.len() / 2]).unwrap();
    // A reader loads what it needs when it first needs it.
    let store = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    let error = store.schema(SchemaOptions::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    fs::write(&file, &content[..20]).unwrap();
    let error = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

#[tokio::test]
async fn a_reader_tells_the_version_of_the_writer_without_loading() {
    let directory = tempfile::tempdir().unwrap();
    let writer = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    for round in 0..200 {
        write(&writer, "CREATE (:Item)").await;
        // With commits in the log, and with all of them in the checkpoint.
        if round % 30 == 0 {
            writer.checkpoint().await.unwrap();
        }
        let version = writer.version().await.unwrap();
        assert_eq!(reader.version().await.unwrap(), version, "round {round}");
        let fresh = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
        assert_eq!(fresh.version().await.unwrap(), version, "round {round}");
        if round % 50 == 0 {
            fresh.schema(SchemaOptions::default()).await.unwrap();
            assert_eq!(fresh.version().await.unwrap(), version, "loaded in round {round}");
        }
    }
    let version = writer.version().await.unwrap();
    drop(writer);
    assert_eq!(reader.version().await.unwrap(), version);
    let writer = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    assert_eq!(writer.version().await.unwrap(), version);
}

#[tokio::test]
async fn one_process_has_one_writer_too() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let options = OpenOptions { wait: Duration::ZERO, ..OpenOptions::writer() };
    let error = EmbeddedStore::open(directory.path(), options).await.unwrap_err();
    let StoreError::Locked { holder, .. } = error else { panic!("{error:?}") };
    assert!(holder.contains(&std::process::id().to_string()), "{holder}");
    drop(store);
    EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
}

#[tokio::test]
async fn a_store_knows_where_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    write(&store, "CREATE (:Person)").await;
    store.checkpoint().await.unwrap();
    let StoreInfo { kind, address, engine, bytes, notices } = store.info().await.unwrap();
    assert_eq!((kind.as_str(), address.as_str()), ("embedded", directory.path().to_str().unwrap()));
    assert_eq!(engine, "kglite 0.21.5");
    assert!(bytes.unwrap() > 0 && notices.is_empty(), "{notices:?}");
    assert_eq!(rows(&store, "MATCH (n) RETURN count(*)").await, [[1.into()]]);
}

#[tokio::test]
async fn what_the_engine_put_aside_is_told_while_it_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    write(&store, "CREATE (:Person)").await;
    drop(store);
    // The engine itself puts aside a log with damage before its last commit.
    let checkpoint = directory.path().join("graph.kgl");
    let log = kglite::api::durable::wal_path(&checkpoint);
    let frames = [&b"KWAL\x0d"[..], &[9, 0, 0, 0], b"damagedcommits and more"].concat();
    fs::write(&log, frames).unwrap();
    let spec = kglite::api::session::OpenSpec {
        storage: Some(kglite::api::storage::StorageMode::Memory),
        durability: kglite::api::durable::DurabilityLevel::Full,
        durability_explicit: true,
        lease_timeout: None,
        valid_time_default: None,
    };
    drop(kglite::api::session::open_path(&checkpoint, &spec).unwrap());

    for options in [OpenOptions::reader(), OpenOptions::writer()] {
        let store = EmbeddedStore::open(directory.path(), options).await.unwrap();
        let notices = store.info().await.unwrap().notices;
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("graph.kgl-wal.") && notices[0].contains("move the file"), "{notices:?}");
    }
    let aside = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
    for file in aside.filter(|file| file.to_str().unwrap().contains("graph.kgl-wal.")) {
        fs::rename(file, directory.path().join("looked-into")).unwrap();
    }
    let store = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    assert!(store.info().await.unwrap().notices.is_empty());
}
