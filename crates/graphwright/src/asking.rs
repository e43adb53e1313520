//! The request type behind [`Graph::ask`].

use std::fmt;

use futures::future::BoxFuture;
use graphwright_answer::{Answer, AskOptions, Event};

use crate::{Graph, Result};

type Tell<'a> = Box<dyn Fn(Event) + Send + Sync + 'a>;

/// A question that is answered when it is awaited. Made by [`Graph::ask`].
#[must_use = "nothing is asked until it is awaited"]
pub struct AskRequest<'a> {
    graph: &'a Graph,
    question: String,
    options: AskOptions,
    events: Tell<'a>,
}

impl fmt::Debug for AskRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (question, options) = (&self.question, &self.options);
        formatter
            .debug_struct("AskRequest")
            .field("question", question)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

impl<'a> AskRequest<'a> {
    /// Replaces all options at once.
    pub fn with(mut self, options: AskOptions) -> Self {
        self.options = options;
        self
    }

    /// Chooses a reading of an ambiguous question, counted from 1.
    pub fn reading(mut self, number: usize) -> Self {
        self.options = self.options.reading(number);
        self
    }

    /// Answers all readings of an ambiguous question and merges the answers.
    pub fn all_readings(mut self) -> Self {
        self.options = self.options.all_readings();
        self
    }

    /// Leaves the model out, even if there is one.
    pub fn without_model(mut self) -> Self {
        self.options = self.options.without_model();
        self
    }

    /// Calls `tell` with what happens on the way. The last event is [`Event::Done`].
    pub fn events(mut self, tell: impl Fn(Event) + Send + Sync + 'a) -> Self {
        self.events = Box::new(tell);
        self
    }
}

impl<'a> IntoFuture for AskRequest<'a> {
    type Output = Result<Answer>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { graph, question, options, events } = self;
        Box::pin(async move {
            let answerer = graph.answerer().await?;
            let answer = answerer.ask_with_events(&question, &options, &*events).await;
            if answerer.topology().damage().is_none() {
                return Ok(answer?);
            }
            // What was read of the snapshot was not whole; the next one is made anew.
            let answerer = graph.answerer().await?;
            Ok(answerer.ask_with_events(&question, &options, &*events).await?)
        })
    }
}

impl Graph {
    /// Answers a question, with the paths and passages that prove the answer.
    ///
    /// Without a model, or when the model fails, the graph alone answers, and the answer says so.
    pub fn ask(&self, question: impl Into<String>) -> AskRequest<'_> {
        let options = AskOptions::default().evidence(self.settings().evidence.clone());
        let events: Tell<'_> = Box::new(|_| {});
        AskRequest { graph: self, question: question.into(), options, events }
    }
}
