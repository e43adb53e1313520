//! The decorators of the core crate around this store.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    time::Duration,
};

use graphwright_core::{
    GraphStore, Statement, StoreError,
    store::{LimitedStore, Limits, QueryOptions, TracedStore},
};
use graphwright_embedded::EmbeddedStore;
use tracing_subscriber::fmt::format::FmtSpan;

#[tokio::test]
async fn limits_hold_whatever_a_call_asks_for() {
    let limits = Limits { time: Some(Duration::from_millis(100)), rows: Some(3) };
    let store = LimitedStore::new(Arc::new(EmbeddedStore::in_memory()), limits);
    for (asked, given) in [(None, 3), (Some(10), 3), (Some(2), 2)] {
        let options = QueryOptions { row_limit: asked, ..QueryOptions::default() };
        let text = Statement::fixed("UNWIND [1, 2, 3, 4] AS x RETURN x");
        let table = store.read(text, options).await.unwrap().collect().await.unwrap();
        assert_eq!(table.rows.len(), given);
        assert!(table.summary.truncated.is_some());
    }
    let text =
        Statement::fixed("UNWIND range(1, 3000) AS x UNWIND range(1, 3000) AS y RETURN sum(x * y % 7)");
    let snapshot = store.snapshot().await.unwrap().unwrap();
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let error = snapshot.read(text, options).await.unwrap_err();
    assert!(matches!(error, StoreError::TimedOut { .. }), "{error:?}");
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn calls_show_in_traces_without_the_values() {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let store = TracedStore::new(Arc::new(EmbeddedStore::in_memory()));
    let statement = Statement::fixed("RETURN $secret").with("secret", "hunter2");
    store.read(statement, QueryOptions::default()).await.unwrap();
    store.drop_index("absent").await.unwrap_err();
    drop(guard);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("store.read{statement=\"RETURN $secret\"}"), "{text}");
    assert!(text.contains("store.drop_index{name=\"absent\" error=\"not_found\"}"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}
