//! Questions about a graph, with the queries and rows that answer them.

use std::{fs, path::Path};

use graphwright::Turn;
use graphwright_core::Value;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The name of the file of questions in a folder.
pub const QUESTIONS: &str = "questions.jsonl";
/// The name of the set that comes with this crate.
const SHIPPED: &str = "films";

/// The graph of the shipped set, as JSON Lines for an import.
pub const SHIPPED_GRAPH: &str = include_str!("../../data/text2cypher/graph.jsonl");
const SHIPPED_QUESTIONS: &str = include_str!("../../data/text2cypher/questions.jsonl");

/// A set of questions about one graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// Its name: that of the folder or file.
    pub name: String,
    /// The questions, each with an identifier of its own.
    pub questions: Vec<Question>,
}

/// A question with what is right.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its identifier, single within the set.
    pub id: String,
    /// The kind of question, such as `aggregation`, by which results are grouped.
    pub kind: String,
    /// The question.
    pub question: String,
    /// The right query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cypher: Option<String>,
    /// The right rows; without them, those of the right query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<Vec<Value>>>,
    /// Whether the graph answers it.
    #[serde(default, skip_serializing_if = "Expected::is_answer")]
    pub expects: Expected,
    /// What was said before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversation: Vec<Turn>,
    /// The question as it is understood without the conversation. For the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_alone: Option<String>,
    /// A query that seems to answer what the graph does not hold. For the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tempting: Option<String>,
    /// How the question writes the value that the graph has in another spelling. For the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The sub-questions of a plan. For the player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<SubQuestion>,
}

/// Whether the graph answers a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// It does.
    #[default]
    Answer,
    /// It lacks what is asked for, and the right answer says so.
    Refusal,
}

impl Expected {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_answer(&self) -> bool {
        *self == Self::Answer
    }
}

/// A sub-question of a plan, with the right query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubQuestion {
    /// The sub-question.
    pub question: String,
    /// The right query. The result of step 1 is its parameter `$step1`.
    pub cypher: String,
    /// The numbers of the sub-questions whose results it uses.
    pub needs: Vec<usize>,
}

impl Dataset {
    /// Returns the set that comes with this crate: 50 questions about a graph of films.
    ///
    /// # Errors
    /// Never; a test reads the set.
    pub fn shipped() -> Result<Self> {
        Self::parse(SHIPPED, SHIPPED_QUESTIONS, Path::new(QUESTIONS))
    }

    /// Reads a file of questions, or the one in a folder.
    ///
    /// # Errors
    /// Returns [`File`](Error::File) if the file cannot be read, and [`Question`](Error::Question) if a line is malformed.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = if path.is_dir() { path.join(QUESTIONS) } else { path.to_owned() };
        let text = crate::read_text(&file).map_err(|source| Error::cannot_read(&file, source))?;
        Self::parse(&name, &text, &file)
    }

    fn parse(name: &str, text: &str, file: &Path) -> Result<Self> {
        let mut set = Self { name: name.to_owned(), questions: Vec::new() };
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |message: String| Error::Question { path: file.to_owned(), line: index + 1, message };
            let question: Question = serde_json::from_str(line).map_err(|error| {
                // The parser counts lines within this one line, which would mislead.
                bad(error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
            })?;
            set.check(&question).map_err(bad)?;
            set.questions.push(question);
        }
        Ok(set)
    }

    /// Says what is wrong with a further question.
    fn check(&self, question: &Question) -> Result<(), String> {
        if self.questions.iter().any(|known| known.id == question.id) {
            return Err(format!("the identifier {:?} came before", question.id));
        }
        let has_gold = question.cypher.is_some() || question.rows.is_some();
        match question.expects {
            Expected::Answer if !has_gold => Err("it has neither `cypher` nor `rows`".to_owned()),
            Expected::Refusal if has_gold => {
                Err("it expects a refusal, and has `cypher` or `rows`".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Writes the questions as lines of JSON.
    ///
    /// # Errors
    /// Returns [`File`](Error::File) if the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<()> {
        let line = |question| serde_json::to_string(question).unwrap_or_default() + "\n";
        let text: String = self.questions.iter().map(line).collect();
        fs::write(file, text).map_err(|source| Error::File { action: "write", path: file.to_owned(), source })
    }

    /// Returns the hash of the questions, which tells this set from others.
    pub(super) fn hash(&self) -> String {
        let text = serde_json::to_vec(&self.questions).unwrap_or_default();
        blake3::hash(&text).to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn parse(text: &str) -> Result<Dataset> {
        Dataset::parse("set", text, Path::new("questions.jsonl"))
    }

    #[test]
    fn the_shipped_set_has_fifty_questions_of_nine_kinds() {
        let set = Dataset::shipped().unwrap();
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for question in &set.questions {
            *kinds.entry(&question.kind).or_default() += 1;
        }
        assert_eq!(set.questions.len(), 50);
        assert_eq!(kinds.len(), 9, "{kinds:?}");
        assert!(kinds.values().all(|count| *count >= 4), "{kinds:?}");
    }

    #[test]
    fn what_is_wrong_with_a_question_is_said_with_its_line() {
        let said = |text: &str| parse(text).unwrap_err().to_string();
        let right = r#"{"id": "a", "kind": "k", "question": "q", "cypher": "RETURN 1"}"#;
        assert!(said(&format!("{right}\n\n{right}")).ends_with("line 3: the identifier \"a\" came before"));
        assert!(said(r#"{"id": "a", "kind": "k", "question": "q"}"#).contains("neither `cypher` nor `rows`"));
        assert!(said(&right.replace("\"kind\": \"k\"", "\"kind\": 1")).contains("expected a string"));
        assert!(said(&right.replace("cypher", "cyphre")).contains("unknown field `cyphre`"));
        let refused = right.replace("\"kind\"", "\"expects\": \"refusal\", \"kind\"");
        assert!(said(&refused).contains("expects a refusal"));
    }

    #[test]
    fn a_set_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(QUESTIONS);
        let set = Dataset {
            name: folder.path().file_stem().unwrap().to_string_lossy().into(),
            ..Dataset::shipped().unwrap()
        };
        set.write(&file).unwrap();
        assert_eq!(Dataset::read(folder.path()).unwrap(), set);
    }
}
