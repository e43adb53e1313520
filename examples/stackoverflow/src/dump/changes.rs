//! Turns records into nodes and relationships. Labels, relationship types and property names are
//! those of the published graph of Stack Overflow, so that the tools can read both.

use graphwright::{
    NodeKey, Properties, Value,
    documents::{DocumentError, load::html_to_markdown},
    exchange::ExchangeError,
    store::{Change, OnExisting},
};

use super::record::{Question, Record, Text};
use crate::names::{
    ANSWER, ANSWERED, ASKED, COMMENT, COMMENTED, COMMENTED_ON, PROVIDED, QUESTION, TAG, TAGGED, USER,
};

/// A relationship of a row, to be written if its other end is in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Relationship type.
    pub kind: &'static str,
    /// Node of the row.
    pub own: NodeKey,
    /// Candidates for the other end; the first that exists is used.
    pub other: Vec<NodeKey>,
    /// Whether the relationship starts at the row's node.
    pub outgoing: bool,
    /// File that contains the row.
    pub file: &'static str,
    /// Line of the row.
    pub line: u64,
}

fn key(label: &str, id: impl std::fmt::Display) -> NodeKey {
    NodeKey::new(label, format!("{label}:{id}"))
}

/// Creates the node of a tag.
pub(super) fn tag(name: &str) -> Change {
    upsert(key(TAG, name), [("name", Some(name.into()))])
}

/// Creates the node of a record. Returns `None` for other kinds of posts.
///
/// # Errors
/// If the body of a post cannot be converted.
pub(super) fn node(record: Record, site: Option<&str>) -> Result<Option<Change>, ExchangeError> {
    let link = |way: &str, id: i64| site.map(|site| Value::from(format!("https://{site}/{way}/{id}")));
    Ok(match record {
        Record::User { id, name, reputation } => {
            let properties = [
                ("uuid", Some(id.into())),
                // Names are not unique on a large site, but people use them nevertheless.
                ("name", Some(name.clone().into())),
                ("display_name", Some(name.into())),
                ("reputation", reputation.map(Value::from)),
                ("link", link("users", id)),
            ];
            Some(upsert(key(USER, id), properties))
        }
        Record::Question(Question { id, title, accepted, views, answers, text, .. }) => {
            let properties = [
                ("title", Some(title.into())),
                ("accepted_answer_id", accepted.map(Value::from)),
                ("view_count", views.map(Value::from)),
                ("answer_count", answers.map(Value::from)),
                ("link", link("q", id)),
            ];
            Some(upsert(key(QUESTION, id), properties.into_iter().chain(post_properties(id, &text)?)))
        }
        Record::Answer { id, text, .. } => {
            let link = [("link", link("a", id))];
            Some(upsert(key(ANSWER, id), link.into_iter().chain(post_properties(id, &text)?)))
        }
        Record::Comment { id, text, .. } => {
            Some(upsert(key(COMMENT, id), text_properties(id, &text, text.body.clone())))
        }
        Record::OtherPost(_) => None,
    })
}

/// A property, and its value if the row has one.
type Given = (&'static str, Option<Value>);

fn upsert(key: NodeKey, properties: impl IntoIterator<Item = Given>) -> Change {
    // Null removes what an earlier import set.
    let properties: Properties =
        properties.into_iter().map(|(name, value)| (name.to_owned(), value.unwrap_or(Value::Null))).collect();
    Change::UpsertNode { key, labels: Vec::new(), properties, on_existing: OnExisting::Merge }
}

fn unreadable(error: &DocumentError) -> ExchangeError {
    ExchangeError::Internal { message: error.to_string() }
}

fn post_properties(id: i64, text: &Text) -> Result<[Given; 5], ExchangeError> {
    Ok(text_properties(id, text, html_to_markdown(&text.body).map_err(|error| unreadable(&error))?))
}

fn text_properties(id: i64, text: &Text, body: String) -> [Given; 5] {
    [
        ("uuid", Some(id.into())),
        ("body_markdown", Some(body.into())),
        ("score", text.score.map(Value::from)),
        ("creation_date", text.created.map(Value::from)),
        ("owner_display_name", text.user_name.as_deref().map(Value::from)),
    ]
}

/// Adds the relationships of a record to `into`.
pub(super) fn links(record: &Record, file: &'static str, line: u64, into: &mut Vec<Link>) {
    let mut add = |kind, own: &NodeKey, other: Vec<NodeKey>, outgoing| {
        into.push(Link { kind, own: own.clone(), other, outgoing, file, line });
    };
    let user = |text: &Text| text.user.map(|user| vec![key(USER, user)]);
    match record {
        Record::User { .. } | Record::OtherPost(_) => {}
        Record::Question(Question { id, tags, text, .. }) => {
            let own = key(QUESTION, id);
            for tag in tags {
                add(TAGGED, &own, vec![key(TAG, tag)], true);
            }
            if let Some(user) = user(text) {
                add(ASKED, &own, user, false);
            }
        }
        Record::Answer { id, question, text } => {
            let own = key(ANSWER, id);
            add(ANSWERED, &own, vec![key(QUESTION, question)], true);
            if let Some(user) = user(text) {
                add(PROVIDED, &own, user, false);
            }
        }
        Record::Comment { id, post, text } => {
            let own = key(COMMENT, id);
            add(COMMENTED_ON, &own, vec![key(QUESTION, post), key(ANSWER, post)], true);
            if let Some(user) = user(text) {
                add(COMMENTED, &own, user, false);
            }
        }
    }
}
