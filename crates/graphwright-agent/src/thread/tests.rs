use std::sync::Arc;

use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{Content, Message, Role};

use super::*;
use crate::AgentError;

fn kinds() -> [Box<dyn ThreadStore>; 2] {
    [Box::new(MemoryThreads::new()), Box::new(StoredThreads::new(Arc::new(EmbeddedStore::in_memory())))]
}

#[tokio::test]
async fn what_was_said_is_there_again() {
    for threads in kinds() {
        assert_eq!(threads.load("a").await.unwrap(), Thread::new("a"));
        let result = vec![Content::ToolResult { id: "1".to_owned(), content: "\"quoted\"\n$x".to_owned() }];
        let messages = [
            Message::user("Who?"),
            Message::assistant("Ada."),
            Message { role: Role::Tool, content: result },
        ];
        threads.append("a", 0, &messages[..1]).await.unwrap();
        threads.append("a", 1, &messages[1..]).await.unwrap();
        threads.append("b", 0, &messages[..2]).await.unwrap();
        let summary = Summary { text: "Ada was asked for.".to_owned(), until: 2 };
        threads.summarise("a", &summary).await.unwrap();
        let kept = threads.load("a").await.unwrap();
        assert_eq!(kept, Thread { id: "a".to_owned(), messages: messages.to_vec(), summary: Some(summary) });
        let listed = threads.list().await.unwrap();
        let listed: Vec<_> = listed.iter().map(|info| (info.id.as_str(), info.messages)).collect();
        assert_eq!(listed, [("a", 3), ("b", 2)]);
    }
}

#[tokio::test]
async fn two_do_not_write_over_each_other() {
    for threads in kinds() {
        threads.append("a", 0, &[Message::user("one")]).await.unwrap();
        let error = threads.append("a", 0, &[Message::user("two")]).await.unwrap_err();
        assert!(matches!(error, AgentError::ThreadConflict { thread } if thread == "a"));
        assert_eq!(threads.load("a").await.unwrap().messages, [Message::user("one")]);
    }
}

#[tokio::test]
async fn a_thread_can_be_deleted() {
    for threads in kinds() {
        threads.append("a", 0, &[Message::user("one"), Message::assistant("two")]).await.unwrap();
        assert!(threads.delete("a").await.unwrap());
        assert!(!threads.delete("a").await.unwrap());
        assert_eq!(threads.load("a").await.unwrap(), Thread::new("a"));
        assert!(threads.list().await.unwrap().is_empty());
    }
}
