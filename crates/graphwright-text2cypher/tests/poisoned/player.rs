//! A model that is played from recordings.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use async_trait::async_trait;
use graphwright_core::GraphStore;
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Role};

use crate::recordings::{Recording, agree, form, texts};

/// Of how many verdicts one is wrong.
const ONE_IN: u64 = 5;

/// A model that writes what models wrote, unless it is shown an example of the same form: then it writes the query of that with the texts
/// of this question, be it right or wrong.
#[derive(Debug)]
pub(crate) struct Player {
    store: Arc<dyn GraphStore>,
    recordings: Arc<Vec<Recording>>,
    wrong_verdicts: bool,
}

impl Player {
    pub(crate) fn new(
        store: Arc<dyn GraphStore>,
        recordings: Arc<Vec<Recording>>,
        wrong_verdicts: bool,
    ) -> Self {
        Self { store, recordings, wrong_verdicts }
    }

    fn recording(&self, question: &str) -> Option<&Recording> {
        self.recordings.iter().find(|recording| recording.question == question.trim())
    }

    fn write(&self, told: &str, attempt: usize) -> String {
        let question = told.rsplit_once("\nQuestion: ").map_or("", |(_, question)| question);
        let Some(asked) = self.recording(question) else { return String::new() };
        self.imitated(told, asked).unwrap_or_else(|| asked.written.get(attempt).cloned().unwrap_or_default())
    }

    /// The query of the first example of the same form, with the texts of the question.
    fn imitated(&self, told: &str, asked: &Recording) -> Option<String> {
        let (_, examples) = told.split_once("Questions like it, with queries that answered them:\n")?;
        let mut lines = examples.lines().take_while(|line| !line.is_empty());
        while let (Some(question), Some(cypher)) = (lines.next(), lines.next()) {
            let Some(example) = question.strip_prefix("- ").and_then(|question| self.recording(question))
            else {
                continue;
            };
            if form(&example.gold) == form(&asked.gold) {
                let pairs = texts(&example.gold).into_iter().zip(texts(&asked.gold));
                return Some(pairs.fold(cypher.trim().to_owned(), |text, (old, new)| {
                    let bare = |text: &str| text.trim_matches(['\'', '"']).to_owned();
                    text.replace(&bare(old), &bare(new))
                }));
            }
        }
        None
    }

    async fn judge(&self, told: &str) -> bool {
        let question = told
            .strip_prefix("Question: ")
            .and_then(|told| told.split_once("\n\n"))
            .map_or("", |(question, _)| question);
        let query =
            told.split_once("Query:\n").and_then(|(_, told)| told.split_once("\n\nThe query in words:"));
        let (Some(recording), Some((query, _))) = (self.recording(question), query) else { return false };
        let is_right = agree(&*self.store, query, &recording.gold).await;
        let mut hasher = DefaultHasher::new();
        question.hash(&mut hasher);
        is_right != (self.wrong_verdicts && hasher.finish().is_multiple_of(ONE_IN))
    }
}

#[async_trait]
impl ChatModel for Player {
    fn name(&self) -> &'static str {
        "played/recorded"
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply, LlmError> {
        let of = |role: Role| request.messages.iter().filter(move |message| message.role == role);
        let instructions = of(Role::System).next().map(graphwright_llm::Message::text).unwrap_or_default();
        let told = of(Role::User).next().map(graphwright_llm::Message::text).unwrap_or_default();
        let reply = if instructions.starts_with("You write one Cypher query") {
            self.write(&told, of(Role::Assistant).count())
        } else if instructions.starts_with("You judge") {
            let answers = self.judge(&told).await;
            format!(r#"{{"answers": {answers}, "missing": "what was asked for"}}"#)
        } else {
            "Yes.".to_owned()
        };
        Ok(reply.as_str().into())
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, LlmError> {
        Ok(self.chat(request).await?.into_stream())
    }
}
