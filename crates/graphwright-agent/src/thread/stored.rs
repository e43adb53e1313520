//! Conversations in a graph store.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_core::{
    GraphStore, NodeKey, Properties, Record, Statement, Value, names,
    store::{Change, ChangeSet, QueryOptions},
};
use graphwright_llm::Message;

use super::{Summary, Thread, ThreadInfo, ThreadStore, Versions};
use crate::{AgentError, Result};

/// A store that keeps conversations in a graph store, so that another process can continue them.
///
/// Conversations are nodes with the labels `__Thread__` and `__Message__`. Each call of
/// [`append`](ThreadStore::append) is one write, so everything appended before a crash survives it.
#[derive(Clone, Debug)]
pub struct StoredThreads {
    store: Arc<dyn GraphStore>,
    versions: Arc<Versions>,
}

impl StoredThreads {
    /// Creates a store of conversations on top of a graph store.
    pub fn new(store: Arc<dyn GraphStore>) -> Self {
        Self { store, versions: Arc::default() }
    }

    /// Sets where to note which versions of the store differ only in conversations.
    #[must_use]
    pub fn with_versions(self, versions: Arc<Versions>) -> Self {
        Self { versions, ..self }
    }

    /// Applies changes and notes that they changed only conversations. If another process writes at
    /// the same moment, its changes may be counted as conversations too.
    async fn write(&self, changes: ChangeSet) -> Result<()> {
        let before = self.store.version().await?;
        self.store.apply(changes).await?;
        self.versions.only_conversations(&before, self.store.version().await?);
        Ok(())
    }

    async fn rows(&self, statement: Statement) -> Result<Vec<Record>> {
        Ok(self.store.read(statement, QueryOptions::default()).await?.collect().await?.rows)
    }

    async fn count(&self, id: &str) -> Result<usize> {
        let statement = Statement::fixed("MATCH (m:`__Message__`) WHERE m.thread = $thread RETURN count(m)")
            .with("thread", id);
        let rows = self.rows(statement).await?;
        // `count` returns one column.
        Ok(rows.first().map_or(0, |row| number(&row.as_slice()[0])))
    }
}

fn number(value: &Value) -> usize {
    match value {
        Value::Integer(number) => usize::try_from(*number).unwrap_or(0),
        _ => 0,
    }
}

fn message_key(thread: &str, index: usize) -> NodeKey {
    NodeKey::new(names::MESSAGE, format!("{thread}/{index:06}"))
}

fn unreadable(id: &str, what: impl Into<String>) -> AgentError {
    AgentError::UnreadableThread { thread: id.to_owned(), message: what.into() }
}

#[async_trait]
impl ThreadStore for StoredThreads {
    async fn load(&self, id: &str) -> Result<Thread> {
        let messages = Statement::fixed(
            "MATCH (m:`__Message__`) WHERE m.thread = $thread RETURN m.index, m.message ORDER BY m.index",
        );
        let mut thread = Thread::new(id);
        for row in self.rows(messages.with("thread", id)).await? {
            let [index, Value::String(message)] = row.as_slice() else {
                return Err(unreadable(id, "a message is not text"));
            };
            if number(index) != thread.messages.len() {
                return Err(unreadable(id, format!("message {} is missing", thread.messages.len())));
            }
            thread
                .messages
                .push(serde_json::from_str(message).map_err(|error| unreadable(id, error.to_string()))?);
        }
        let summary =
            Statement::fixed("MATCH (t:`__Thread__`) WHERE t.thread = $thread RETURN t.summary, t.until");
        if let Some(row) = self.rows(summary.with("thread", id)).await?.first()
            && let [Value::String(text), until] = row.as_slice()
        {
            thread.summary = Some(Summary { text: text.clone(), until: number(until) });
        }
        Ok(thread)
    }

    async fn append(&self, id: &str, at: usize, messages: &[Message]) -> Result<()> {
        if self.count(id).await? != at {
            return Err(AgentError::ThreadConflict { thread: id.to_owned() });
        }
        let mut changes = ChangeSet::new();
        changes.upsert_node(
            NodeKey::new(names::THREAD, id),
            &[],
            Properties::from([("thread".to_owned(), id.into())]),
        );
        let now = jiff::Timestamp::now().to_string();
        for (index, message) in (at..).zip(messages) {
            let text = serde_json::to_string(message).map_err(|error| unreadable(id, error.to_string()))?;
            let properties = Properties::from([
                ("thread".to_owned(), id.into()),
                ("index".to_owned(), i64::try_from(index).unwrap_or(i64::MAX).into()),
                ("message".to_owned(), text.into()),
                (names::RECORDED_AT.to_owned(), now.clone().into()),
            ]);
            changes.upsert_node(message_key(id, index), &[], properties);
        }
        self.write(changes).await
    }

    async fn summarise(&self, id: &str, summary: &Summary) -> Result<()> {
        let properties = Properties::from([
            ("thread".to_owned(), id.into()),
            ("summary".to_owned(), summary.text.clone().into()),
            ("until".to_owned(), i64::try_from(summary.until).unwrap_or(i64::MAX).into()),
        ]);
        let mut changes = ChangeSet::new();
        changes.upsert_node(NodeKey::new(names::THREAD, id), &[], properties);
        self.write(changes).await
    }

    async fn list(&self) -> Result<Vec<ThreadInfo>> {
        let statement = Statement::fixed(
            "MATCH (m:`__Message__`) RETURN m.thread AS thread, count(m) AS messages ORDER BY thread",
        );
        let rows = self.rows(statement).await?;
        let infos = rows.iter().filter_map(|row| match row.as_slice() {
            [Value::String(id), messages] => Some(ThreadInfo { id: id.clone(), messages: number(messages) }),
            _ => None,
        });
        Ok(infos.collect())
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        let count = self.count(id).await?;
        let mut changes = ChangeSet::new();
        let messages = (0..count).map(|index| message_key(id, index));
        for key in messages.chain([NodeKey::new(names::THREAD, id)]) {
            changes.push(Change::DeleteNode { key });
        }
        self.write(changes).await?;
        Ok(count > 0)
    }
}
