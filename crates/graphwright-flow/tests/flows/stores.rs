//! Every place for checkpoints keeps the same promises.

use graphwright_flow::{
    CheckpointLog, CheckpointStore, FileCheckpoints, FlowError, MemoryCheckpoints, RunId,
};

fn id(text: &str) -> RunId {
    text.parse().unwrap()
}

async fn append(log: &mut Box<dyn CheckpointLog>, records: &[&str]) {
    log.append(records.iter().map(|record| (*record).to_owned()).collect()).await.unwrap();
}

async fn keeps_its_promises(store: &dyn CheckpointStore) {
    let run = id("one");
    assert!(matches!(store.open(&run).await.err(), Some(FlowError::UnknownRun { .. })));
    assert!(matches!(store.read(&run).await, Err(FlowError::UnknownRun { .. })));
    assert!(store.runs().await.unwrap().is_empty());

    let mut log = store.begin(&run).await.unwrap();
    assert!(matches!(store.begin(&run).await.err(), Some(FlowError::RunExists { .. })));
    assert!(matches!(store.open(&run).await.err(), Some(FlowError::RunInUse { .. })));
    append(&mut log, &[r#"{"a":"ä\n"}"#]).await;
    append(&mut log, &["2", "3"]).await;
    assert_eq!(store.read(&run).await.unwrap(), [r#"{"a":"ä\n"}"#, "2", "3"]);
    drop(log);

    let (records, mut log) = store.open(&run).await.unwrap();
    assert_eq!(records.len(), 3);
    append(&mut log, &["4"]).await;
    drop(log);
    assert_eq!(store.open(&run).await.unwrap().0.len(), 4);

    drop(store.begin(&id("another")).await.unwrap());
    assert_eq!(store.runs().await.unwrap(), [id("another"), run.clone()]);
    store.remove(&run).await.unwrap();
    store.remove(&run).await.unwrap();
    assert_eq!(store.runs().await.unwrap(), [id("another")]);
}

#[tokio::test]
async fn memory() {
    keeps_its_promises(&MemoryCheckpoints::new()).await;
}

#[tokio::test]
async fn files() {
    let folder = tempfile::tempdir().unwrap();
    keeps_its_promises(&FileCheckpoints::new(folder.path().join("runs")).unwrap()).await;
}

#[tokio::test]
async fn an_end_that_broke_off_is_gone_and_damage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileCheckpoints::new(folder.path()).unwrap();
    let run = id("run");
    let mut log = store.begin(&run).await.unwrap();
    append(&mut log, &["1"]).await;
    append(&mut log, &["2"]).await;
    drop(log);
    let path = folder.path().join("run.checkpoints");
    let whole = std::fs::read(&path).unwrap();

    std::fs::write(&path, [&whole, &b"1234567"[..]].concat()).unwrap();
    let (records, mut log) = store.open(&run).await.unwrap();
    assert_eq!(records, ["1", "2"]);
    append(&mut log, &["3"]).await;
    drop(log);
    assert_eq!(store.read(&run).await.unwrap(), ["1", "2", "3"]);

    let mut damaged = whole;
    damaged[9] = b'7';
    std::fs::write(&path, damaged).unwrap();
    let error = store.open(&run).await.err().unwrap();
    assert_eq!(error.code(), "damaged_checkpoints");
}
