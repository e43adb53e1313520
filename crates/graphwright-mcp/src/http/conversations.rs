//! The open conversations. When there are too many, the one that has been silent longest ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rmcp::transport::streamable_http_server::{SessionManager, session::local::LocalSessionManager};

/// The conversations of a service.
#[derive(Debug)]
pub(super) struct Conversations {
    pub(super) sessions: Arc<LocalSessionManager>,
    most: usize,
    /// How long a call may go on whose client has left.
    call_time: Duration,
    spoken: Mutex<HashMap<String, Spoken>>,
}

/// What is known of a conversation.
#[derive(Debug)]
struct Spoken {
    last: Instant,
    /// The number of messages that are being answered.
    turns: usize,
    /// Until when a call may go on whose client has left.
    until: Instant,
}

impl Conversations {
    pub(super) fn new(sessions: LocalSessionManager, most: usize, call_time: Duration) -> Arc<Self> {
        Arc::new(Self { sessions: Arc::new(sessions), most, call_time, spoken: Mutex::default() })
    }

    /// Returns the turn of a message in a conversation, or `None` if it is not known.
    pub(super) fn turn(self: &Arc<Self>, id: &str) -> Option<Turn> {
        self.spoken().get_mut(id)?.turns += 1;
        Some(Turn { conversations: Arc::clone(self), id: id.to_owned(), answered: false })
    }

    /// Takes a conversation in that was opened. If there is one too many, ends the one that has been
    /// silent longest. If a call is running in each of the others, ends the new one again and
    /// returns false.
    pub(super) async fn admit(&self, id: &str) -> bool {
        let open: Vec<String> = self.sessions.sessions.read().await.keys().map(ToString::to_string).collect();
        let surplus = {
            let mut spoken = self.spoken();
            spoken.retain(|known, _| open.contains(known));
            let surplus = if open.len() > self.most {
                Some(longest_silent(&spoken).unwrap_or_else(|| id.to_owned()))
            } else {
                None
            };
            if let Some(ended) = &surplus {
                spoken.remove(ended);
            }
            if surplus.as_deref() != Some(id) {
                let now = Instant::now();
                spoken.insert(id.to_owned(), Spoken { last: now, turns: 0, until: now });
            }
            surplus
        };
        let Some(ended) = surplus else { return true };
        let admitted = ended != id;
        if let Err(error) = self.sessions.close_session(&ended.into()).await {
            tracing::warn!(%error, "a conversation too many is not closed");
        }
        admitted
    }

    fn spoken(&self) -> MutexGuard<'_, HashMap<String, Spoken>> {
        self.spoken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn longest_silent(spoken: &HashMap<String, Spoken>) -> Option<String> {
    let now = Instant::now();
    let silent = spoken.iter().filter(|(_, spoken)| spoken.turns == 0 && spoken.until <= now);
    silent.min_by_key(|(_, spoken)| spoken.last).map(|(id, _)| id.clone())
}

/// A message in a conversation that is being answered.
#[derive(Debug)]
pub(super) struct Turn {
    conversations: Arc<Conversations>,
    id: String,
    answered: bool,
}

impl Turn {
    /// Notes that the answer is complete. A turn that is dropped before is one whose client has left.
    pub(super) fn end(mut self) {
        self.answered = true;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut all = self.conversations.spoken();
        let Some(spoken) = all.get_mut(&self.id) else { return };
        spoken.turns -= 1;
        spoken.last = Instant::now();
        if !self.answered {
            spoken.until = spoken.last + self.conversations.call_time;
        }
    }
}
