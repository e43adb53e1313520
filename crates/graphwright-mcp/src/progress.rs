//! Reports the progress of a call to a client that asked for it.

use std::sync::{Arc, Mutex, PoisonError};

use graphwright::Event;
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::{
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

/// Sends events as progress notifications, in their order, if the client asked for them.
#[derive(Clone)]
pub(crate) struct Progress {
    line: Arc<Mutex<Option<Line>>>,
}

struct Line {
    messages: UnboundedSender<String>,
    work: JoinHandle<()>,
}

impl Progress {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Self {
        let line = context.meta.get_progress_token().map(|token| {
            let (messages, mut inbox) = unbounded_channel::<String>();
            let peer = context.peer.clone();
            let work = tokio::spawn(async move {
                let mut count = 0.0;
                while let Some(message) = inbox.recv().await {
                    count += 1.0;
                    send(&peer, &token, count, message).await;
                }
            });
            Line { messages, work }
        });
        Self { line: Arc::new(Mutex::new(line)) }
    }

    pub(crate) fn tell(&self, event: &Event) {
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(line), Some(message)) = (&*line, message(event)) {
            // The receiver lives as long as the line.
            let _ = line.messages.send(message);
        }
    }

    /// Waits until everything is sent, since progress must come before the result.
    pub(crate) async fn finish(&self) {
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Line { messages, work }) = line {
            // The task ends when its sender is gone.
            drop(messages);
            let _ = work.await;
        }
    }
}

async fn send(peer: &Peer<RoleServer>, token: &ProgressToken, count: f64, message: String) {
    let progress = ProgressNotificationParam::new(token.clone(), count).with_message(message);
    if let Err(error) = peer.notify_progress(progress).await {
        tracing::debug!(%error, "the client is not told of progress");
    }
}

/// Formats an event. Returns `None` for pieces of text, which are not progress.
fn message(event: &Event) -> Option<String> {
    match event {
        Event::Step { what } => Some(what.clone()),
        Event::ToolCall { name, .. } => Some(format!("calling {name}")),
        Event::ToolResult { name, is_error, .. } => {
            Some(format!("{name} {}", if *is_error { "failed" } else { "is done" }))
        }
        Event::Fallback { reason } | Event::GaveUp { reason } | Event::Restarted { reason } => {
            Some(reason.clone())
        }
        Event::Nested { agent, inner } => message(inner).map(|message| format!("{agent}: {message}")),
        _ => None,
    }
}
