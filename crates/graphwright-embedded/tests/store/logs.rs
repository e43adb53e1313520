//! Logs that a killed writer left, and logs that are damaged: the first lose nothing that was
//! acknowledged, the second are never read in silence.

use std::{fs, path::Path};

use graphwright_core::{
    GraphStore, StoreError, Value,
    schema::{Index, IndexKind, Target},
    store::SchemaOptions,
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tempfile::TempDir;

use crate::support::{rows, write};

const COMMITS: i64 = 4;

/// Returns the files of a store whose writer was killed: a checkpoint, and four commits in the log.
async fn killed() -> TempDir {
    let (living, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = EmbeddedStore::open(living.path(), OpenOptions::writer()).await.unwrap();
    for _ in 0..COMMITS {
        write(&store, "CREATE (:Item {text: 'written as one commit'})").await;
    }
    for file in ["graph.kgl", "graph.kgl-wal"] {
        fs::copy(living.path().join(file), killed.path().join(file)).unwrap();
    }
    killed
}

async fn items(directory: &Path, options: OpenOptions) -> Result<i64, StoreError> {
    let store = EmbeddedStore::open(directory, options).await?;
    Ok(rows(&store, "MATCH (i:Item) RETURN count(*)").await[0][0].as_integer().unwrap())
}

fn log(directory: &TempDir) -> std::path::PathBuf {
    directory.path().join("graph.kgl-wal")
}

#[tokio::test]
async fn an_empty_or_short_log_is_an_empty_log() {
    for content in ["", "KW", "KWAL"] {
        for options in [OpenOptions::reader(), OpenOptions::writer()] {
            let store = killed().await;
            drop(EmbeddedStore::open(store.path(), OpenOptions::writer()).await.unwrap());
            fs::write(log(&store), content).unwrap();
            assert_eq!(items(store.path(), options).await.unwrap(), COMMITS, "{content:?}");
        }
    }
}

#[tokio::test]
async fn a_cut_log_loses_only_the_commit_that_was_not_finished() {
    let store = killed().await;
    let whole = fs::read(log(&store)).unwrap();
    let mut seen = Vec::new();
    for length in (5..=whole.len()).rev() {
        fs::write(log(&store), &whole[..length]).unwrap();
        seen.push(items(store.path(), OpenOptions::reader()).await.unwrap());
    }
    assert!(seen.is_sorted_by(|longer, shorter| longer >= shorter), "{seen:?}");
    assert_eq!((seen.first(), seen.last()), (Some(&COMMITS), Some(&0)));
    seen.dedup();
    assert_eq!(seen.len(), 5, "one commit after the other goes: {seen:?}");

    fs::write(log(&store), &whole[..whole.len() - 1]).unwrap();
    assert_eq!(items(store.path(), OpenOptions::writer()).await.unwrap(), COMMITS - 1);
    assert_eq!(items(store.path(), OpenOptions::reader()).await.unwrap(), COMMITS - 1);
}

#[tokio::test]
async fn no_changed_byte_shortens_the_graph_in_silence() {
    let store = killed().await;
    let whole = fs::read(log(&store)).unwrap();
    let mut refused = 0;
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1 << (place % 8);
        fs::write(log(&store), &changed).unwrap();
        match items(store.path(), OpenOptions::reader()).await {
            Ok(found) => assert_eq!(found, COMMITS, "byte {place}"),
            Err(StoreError::Corrupt { .. } | StoreError::Unavailable { .. }) => refused += 1,
            Err(other) => panic!("byte {place}: {other:?}"),
        }
    }
    assert!(refused > whole.len() * 9 / 10, "{refused} of {}", whole.len());
}

#[tokio::test]
async fn damage_is_told_with_what_is_lost_and_left_as_it_is() {
    let store = killed().await;
    let mut changed = fs::read(log(&store)).unwrap();
    let middle = changed.len() / 2;
    changed[middle] ^= 0xff;
    fs::write(log(&store), &changed).unwrap();
    for options in [OpenOptions::reader(), OpenOptions::writer()] {
        let error = items(store.path(), options).await.unwrap_err().to_string();
        assert!(error.contains("is damaged: its log is damaged at byte"), "{error}");
        assert!(error.contains("behind it"), "{error}");
        assert_eq!(fs::read(log(&store)).unwrap(), changed);
    }
    let mut files =
        fs::read_dir(store.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(!files.any(|name| name.contains("quarantine") || name.contains("torn")), "nothing is put aside");
}

#[tokio::test]
async fn a_missing_commit_is_damage() {
    let store = killed().await;
    let whole = fs::read(log(&store)).unwrap();
    let length = |at: usize| 8 + u32::from_le_bytes(whole[at..at + 4].try_into().unwrap()) as usize;
    let second = 5 + length(5);
    let third = second + length(second);
    fs::write(log(&store), [&whole[..second], &whole[third..]].concat()).unwrap();
    for options in [OpenOptions::reader(), OpenOptions::writer()] {
        let error = items(store.path(), options).await.unwrap_err().to_string();
        assert!(error.ends_with("commit 2 is missing: its log goes on with commit 3"), "{error}");
    }
    assert_eq!(EmbeddedStore::repair(store.path()).await.unwrap().unwrap().kept, 1);
    assert_eq!(items(store.path(), OpenOptions::writer()).await.unwrap(), 1);

    let store = killed().await;
    fs::write(log(&store), [&whole[..5], &whole[second..]].concat()).unwrap();
    let error = items(store.path(), OpenOptions::reader()).await.unwrap_err().to_string();
    assert!(error.ends_with("commit 1 is missing: its log goes on with commit 2"), "{error}");
}

#[tokio::test]
async fn a_repair_keeps_what_is_whole_and_a_copy() {
    let store = killed().await;
    assert_eq!(EmbeddedStore::repair(store.path()).await.unwrap(), None);
    let whole = fs::read(log(&store)).unwrap();
    let first = 5 + 8 + u32::from_le_bytes(whole[5..9].try_into().unwrap()) as usize;
    let mut changed = whole.clone();
    changed[first + 20] ^= 1;
    fs::write(log(&store), &changed).unwrap();
    let repair = EmbeddedStore::repair(store.path()).await.unwrap().unwrap();
    assert_eq!((repair.kept, repair.dropped_bytes), (1, whole.len() - first));
    assert!(repair.damage.contains("2 whole commits behind it"), "{}", repair.damage);
    assert_eq!(fs::read(repair.copy).unwrap(), changed);
    assert_eq!(items(store.path(), OpenOptions::reader()).await.unwrap(), 1);
    assert_eq!(items(store.path(), OpenOptions::writer()).await.unwrap(), 1);
    assert_eq!(EmbeddedStore::repair(store.path()).await.unwrap(), None);
}

#[tokio::test]
async fn a_missing_checkpoint_is_damage() {
    let store = killed().await;
    fs::remove_file(store.path().join("graph.kgl")).unwrap();
    for options in [OpenOptions::reader(), OpenOptions::writer()] {
        let error = items(store.path(), options).await.unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        assert!(error.to_string().contains("its checkpoint, graph.kgl, is missing"), "{error}");
        assert!(!store.path().join("graph.kgl").exists());
    }
}

#[tokio::test]
async fn a_commit_after_a_torn_one_stands_behind_the_whole_ones() {
    let store = killed().await;
    let whole = fs::read(log(&store)).unwrap();
    fs::write(log(&store), &whole[..whole.len() - 3]).unwrap();
    let writer = EmbeddedStore::open(store.path(), OpenOptions::writer()).await.unwrap();
    write(&writer, "CREATE (:Item {text: 'the last'})").await;
    let last = rows(&writer, "MATCH (i:Item {text: 'the last'}) RETURN count(*)").await;
    assert_eq!(last, [[Value::from(1)]]);
    writer.checkpoint().await.unwrap();
    drop(writer);
    assert_eq!(items(store.path(), OpenOptions::reader()).await.unwrap(), COMMITS);
}

#[tokio::test]
async fn a_writer_that_writes_nothing_leaves_the_files_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    write(&store, "CREATE (:Item)").await;
    store.checkpoint().await.unwrap();
    let checkpoint = directory.path().join("graph.kgl");
    let made = || fs::metadata(&checkpoint).unwrap().modified().unwrap();
    let before = made();
    store.checkpoint().await.unwrap();
    drop(store);
    drop(EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap());
    assert_eq!(made(), before, "one checkpoint for one commit");
}

#[tokio::test]
async fn a_change_of_indexes_alone_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let open = || EmbeddedStore::open(directory.path(), OpenOptions::writer());
    let names =
        async |store: &EmbeddedStore| store.schema(SchemaOptions::default()).await.unwrap().indexes.len();
    let store = open().await.unwrap();
    write(&store, "CREATE (:Item {name: 'one'})").await;
    store.checkpoint().await.unwrap();
    let index = Index {
        name: "item_name".to_owned(),
        kind: IndexKind::Property,
        target: Target::Label("Item".to_owned()),
        properties: vec!["name".to_owned()],
    };
    store.create_index(index).await.unwrap();
    drop(store);
    let store = open().await.unwrap();
    assert_eq!(names(&store).await, 1);
    let name = store.schema(SchemaOptions::default()).await.unwrap().indexes[0].name.clone();
    store.drop_index(&name).await.unwrap();
    drop(store);
    assert_eq!(names(&open().await.unwrap()).await, 0);
}

#[tokio::test]
async fn a_missing_log_is_told_until_it_is_repaired() {
    let store = killed().await;
    drop(EmbeddedStore::open(store.path(), OpenOptions::writer()).await.unwrap());
    fs::remove_file(log(&store)).unwrap();
    for options in [OpenOptions::reader(), OpenOptions::writer(), OpenOptions::reader()] {
        let error = items(store.path(), options).await.unwrap_err();
        assert!(matches!(&error, StoreError::Corrupt { repairable: true, .. }), "{error:?}");
        assert!(error.to_string().contains("graph.kgl-wal, is missing"), "{error}");
    }
    EmbeddedStore::repair(store.path()).await.unwrap().unwrap();
    assert_eq!(items(store.path(), OpenOptions::reader()).await.unwrap(), COMMITS);
}
