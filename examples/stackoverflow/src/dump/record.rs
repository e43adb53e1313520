//! Parses the rows of a dump.

use std::collections::HashSet;

use graphwright::exchange::InputProblem;
use jiff::{civil::DateTime, tz::TimeZone};

use super::{Table, rows::Row};

/// `PostTypeId` of questions and answers. Other posts are wikis of tags, elections and so on.
const QUESTION: i64 = 1;
const ANSWER: i64 = 2;

/// A parsed row.
pub(super) enum Record {
    User { id: i64, name: String, reputation: Option<i64> },
    Question(Question),
    Answer { id: i64, question: i64, text: Text },
    Comment { id: i64, post: i64, text: Text },
    OtherPost(i64),
}

pub(super) struct Question {
    pub(super) id: i64,
    pub(super) title: String,
    pub(super) accepted: Option<i64>,
    pub(super) views: Option<i64>,
    pub(super) answers: Option<i64>,
    pub(super) tags: Vec<String>,
    pub(super) text: Text,
}

/// What questions, answers and comments have in common.
pub(super) struct Text {
    /// HTML in posts, Markdown in comments.
    pub(super) body: String,
    pub(super) score: Option<i64>,
    /// Seconds since 1970.
    pub(super) created: Option<i64>,
    pub(super) user: Option<i64>,
    /// Name of a user whose account was deleted.
    pub(super) user_name: Option<String>,
}

impl Record {
    pub(super) fn read(table: Table, row: &Row<'_>) -> Result<Self, InputProblem> {
        let id = row.id()?;
        Ok(match table {
            Table::Users => Self::User {
                id,
                name: row.wanted("DisplayName")?.to_owned(),
                reputation: row.number("Reputation")?,
            },
            Table::Comments => {
                let text = Text::read(row, "Text", "UserId", "UserDisplayName")?;
                Self::Comment { id, post: wanted_number(row, "PostId")?, text }
            }
            Table::Posts => match wanted_number(row, "PostTypeId")? {
                QUESTION => Self::Question(Question {
                    id,
                    title: row.wanted("Title")?.to_owned(),
                    accepted: row.number("AcceptedAnswerId")?,
                    views: row.number("ViewCount")?,
                    answers: row.number("AnswerCount")?,
                    tags: tags(row.text("Tags").unwrap_or_default()),
                    text: Text::from_post(row)?,
                }),
                ANSWER => Self::Answer {
                    id,
                    question: wanted_number(row, "ParentId")?,
                    text: Text::from_post(row)?,
                },
                other => Self::OtherPost(other),
            },
        })
    }

    /// Returns the approximate memory of the text, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::User { name, .. } => name.len(),
            Self::Question(Question { text, .. })
            | Self::Answer { text, .. }
            | Self::Comment { text, .. } => text.body.len(),
            Self::OtherPost(_) => 0,
        }
    }

    /// Returns the tags that are not in `known`, and adds them to it.
    pub(super) fn new_tags<'a>(&'a self, known: &'a mut HashSet<String>) -> impl Iterator<Item = &'a str> {
        let tags = match self {
            Self::Question(question) => question.tags.as_slice(),
            _ => &[],
        };
        tags.iter().filter(|tag| known.insert((*tag).clone())).map(String::as_str)
    }

    pub(super) fn lacks_user(&self) -> bool {
        match self {
            Self::Question(Question { text, .. })
            | Self::Answer { text, .. }
            | Self::Comment { text, .. } => text.user.is_none(),
            Self::User { .. } | Self::OtherPost(_) => false,
        }
    }
}

impl Text {
    fn from_post(row: &Row<'_>) -> Result<Self, InputProblem> {
        Self::read(row, "Body", "OwnerUserId", "OwnerDisplayName")
    }

    fn read(row: &Row<'_>, body: &str, user: &str, user_name: &str) -> Result<Self, InputProblem> {
        Ok(Self {
            body: row.wanted(body)?.to_owned(),
            score: row.number("Score")?,
            created: row.text("CreationDate").map(|text| seconds(row, text)).transpose()?,
            user: row.number(user)?,
            user_name: row.text(user_name).map(str::to_owned),
        })
    }
}

fn wanted_number(row: &Row<'_>, name: &str) -> Result<i64, InputProblem> {
    row.number(name)?.ok_or_else(|| row.bad(format!("the row has no `{name}`")))
}

/// Parses a moment in UTC, such as `2019-05-02T08:15:30.127`.
fn seconds(row: &Row<'_>, text: &str) -> Result<i64, InputProblem> {
    let moment = text.parse::<DateTime>().and_then(|moment| moment.to_zoned(TimeZone::UTC));
    moment
        .map(|moment| moment.timestamp().as_second())
        .map_err(|error| row.bad(format!("`CreationDate` is no date and time: {error}")))
}

/// Parses tags: `<rye><starter>`, or `|rye|starter|` in newer dumps.
fn tags(text: &str) -> Vec<String> {
    text.split(['<', '>', '|']).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_old_and_new_dumps_are_read() {
        assert_eq!(tags("<rye><wild-yeast>"), ["rye", "wild-yeast"]);
        assert_eq!(tags("|rye|wild-yeast|"), ["rye", "wild-yeast"]);
        assert!(tags("").is_empty());
    }
}
