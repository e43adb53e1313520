//! Posts and users in the graph in memory.

use std::cmp::Reverse;

use graphwright::{
    Value,
    search::{Direction, NodeIndex, Passage, Topology},
};
use jiff::Timestamp;
use serde_json::json;

use crate::names::{ANSWER, ANSWERED, ASKED, COMMENTED, COMMENTED_ON, PROVIDED, QUESTION, TAGGED, USER};

/// A node of the graph. What it has depends on its label.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    graph: &'a Topology,
    pub(crate) node: NodeIndex,
}

impl<'a> Item<'a> {
    pub(crate) fn new(graph: &'a Topology, node: NodeIndex) -> Self {
        Self { graph, node }
    }

    /// Finds a post by its identifier, by its number on the site, or by its address.
    pub(crate) fn post(graph: &'a Topology, asked: &str) -> Option<Self> {
        let asked = asked.trim();
        let is_post = |item: &Self| item.is_question() || item.is_answer();
        let by_id = |id: &str| graph.node_by_id(id).map(|node| Self::new(graph, node)).filter(is_post);
        by_id(asked).or_else(|| {
            let number: Option<i64> = asked.parse().ok();
            let posts = [QUESTION, ANSWER].into_iter().flat_map(|label| graph.nodes_with_label(label));
            posts.map(|node| Self::new(graph, node)).find(|post| {
                number.is_some_and(|number| post.number("uuid") == Some(number))
                    || post.text("link") == Some(asked)
            })
        })
    }

    pub(crate) fn id(self) -> &'a str {
        self.graph.node(self.node).id()
    }

    pub(crate) fn is_question(self) -> bool {
        self.has_label(QUESTION)
    }

    pub(crate) fn is_answer(self) -> bool {
        self.has_label(ANSWER)
    }

    fn has_label(self, label: &str) -> bool {
        self.graph.node(self.node).labels.iter().any(|known| known == label)
    }

    fn property(self, name: &str) -> Option<&'a Value> {
        self.graph.node(self.node).properties.get(name)
    }

    fn text(self, name: &str) -> Option<&'a str> {
        self.property(name)?.as_str()
    }

    pub(crate) fn number(self, name: &str) -> Option<i64> {
        self.property(name)?.as_integer()
    }

    /// Returns the name of a user or tag.
    pub(crate) fn name(self) -> &'a str {
        self.graph.node(self.node).display_name()
    }

    pub(crate) fn title(self) -> &'a str {
        self.text("title").unwrap_or("without a title")
    }

    pub(crate) fn body(self) -> &'a str {
        self.text("body_markdown").unwrap_or_default()
    }

    pub(crate) fn score(self) -> Option<i64> {
        self.number("score")
    }

    pub(crate) fn is_accepted(self) -> bool {
        self.property("is_accepted") == Some(&Value::Boolean(true))
    }

    /// Returns where the post can be read: its address, or its number if the site is unknown.
    pub(crate) fn source(self) -> String {
        match (self.text("link"), self.number("uuid")) {
            (Some(link), _) => link.to_owned(),
            (None, Some(number)) => format!("number {number} of the dump"),
            (None, None) => self.id().to_owned(),
        }
    }

    fn along(self, direction: Direction, kind: &str) -> impl Iterator<Item = Self> + use<'a> {
        let graph = self.graph;
        graph.steps_along(self.node, direction, kind).map(move |step| Self::new(graph, step.node))
    }

    /// Returns the user who wrote it.
    fn author(self) -> Option<Self> {
        [ASKED, PROVIDED, COMMENTED].into_iter().find_map(|kind| self.along(Direction::Incoming, kind).next())
    }

    /// Returns the name of the user who wrote it.
    pub(crate) fn author_name(self) -> &'a str {
        let deleted = || self.text("owner_display_name").unwrap_or("a deleted user");
        self.author().map_or_else(deleted, Self::name)
    }

    /// Returns the question that it answers.
    pub(crate) fn question(self) -> Option<Self> {
        self.along(Direction::Outgoing, ANSWERED).next()
    }

    /// Returns the answers: the accepted one first, then by score.
    pub(crate) fn answers(self) -> Vec<Self> {
        let mut answers: Vec<Self> = self.along(Direction::Incoming, ANSWERED).collect();
        answers.sort_by_key(|answer| (!answer.is_accepted(), Reverse(answer.score()), answer.id()));
        answers
    }

    /// Returns the comments that have a text, in the order of their numbers.
    pub(crate) fn comments(self) -> Vec<Self> {
        let comments = self.along(Direction::Incoming, COMMENTED_ON);
        let mut comments: Vec<Self> = comments.filter(|comment| !comment.body().is_empty()).collect();
        comments.sort_by_key(|comment| comment.number("uuid"));
        comments
    }

    pub(crate) fn tags(self) -> impl Iterator<Item = &'a str> {
        self.along(Direction::Outgoing, TAGGED).map(Self::name)
    }

    /// Returns the questions and answers of a user, the highest score first.
    pub(crate) fn posts(self) -> Vec<Self> {
        let posts = [ASKED, PROVIDED].into_iter().flat_map(|kind| self.along(Direction::Outgoing, kind));
        let mut posts: Vec<Self> = posts.collect();
        posts.sort_by_key(|post| (Reverse(post.score()), post.id()));
        posts
    }

    /// Describes a user on one line.
    pub(crate) fn user_line(self) -> String {
        format!("{} ({USER}, id {}, {} posts)", self.name(), self.id(), self.posts().len())
    }

    /// Describes a post on one line.
    pub(crate) fn heading(self) -> String {
        let mut parts = vec![format!("{} by {}", self.id(), self.author_name())];
        if self.is_accepted() {
            parts.push("accepted".to_owned());
        }
        parts.extend(self.score().map(|score| format!("score {score}")));
        let created = self.number("creation_date").and_then(|seconds| Timestamp::from_second(seconds).ok());
        parts.extend(created.map(|moment| moment.strftime("%Y-%m-%d").to_string()));
        if self.is_question() {
            parts.push(format!("{} answers", self.answers().len()));
            let tags: Vec<&str> = self.tags().collect();
            if !tags.is_empty() {
                parts.push(format!("tags {}", tags.join(" ")));
            }
        }
        let title = match self.question() {
            Some(question) => format!("answers {} {:?}", question.id(), question.title()),
            None => format!("{:?}", self.title()),
        };
        format!("{}: {title}", parts.join(", "))
    }

    /// Returns the entity for an answer's evidence.
    pub(crate) fn entity(self, score: f64) -> serde_json::Value {
        let (name, kind) = match (self.is_question(), self.is_answer()) {
            (true, _) => (self.title().to_owned(), QUESTION),
            (_, true) => (format!("{:?}, answered by {}", self.title(), self.author_name()), ANSWER),
            _ => (self.name().to_owned(), USER),
        };
        json!({"id": self.id(), "name": name, "type": kind, "score": score})
    }

    /// Returns a piece of the body for an answer's evidence.
    pub(crate) fn passage(self, start: usize, end: usize, score: f64) -> Passage {
        let text = self.body().get(start..end).unwrap_or_default().to_owned();
        Passage { document: self.source(), chunk: self.id().to_owned(), start, end, text, score, page: None }
    }
}
