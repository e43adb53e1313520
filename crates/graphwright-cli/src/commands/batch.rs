//! Implements `--batch`: reads JSON Lines and prints one result line for each, in order, with its
//! `id`.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, process::ExitCode};

use anyhow::{Context, Result, anyhow};
use futures::FutureExt;
use graphwright::value::lost_number;
use serde::{Deserialize, Serialize, de::Error as _};
use serde_json::{Value as Json, json};

use crate::{
    commands::lines::next_line,
    failure::{Description, UsageError},
    output::Output,
};

/// A line of input. Its `id` is copied to the result.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    #[serde(alias = "query")]
    pub(crate) question: String,
    /// Parameters of a Cypher query.
    #[serde(default)]
    pub(crate) params: serde_json::Map<String, Json>,
}

/// Runs every line of standard input.
///
/// A line that fails gets an `error` object and does not stop the others; the command then fails at
/// its end.
pub(crate) async fn run<T, F, Answering>(output: &Output, mut answer: F) -> Result<ExitCode>
where
    T: Serialize,
    F: FnMut(Item) -> Answering,
    Answering: Future<Output = Result<T>>,
{
    let mut code = ExitCode::SUCCESS;
    let mut input = std::io::stdin().lock();
    let mut number = 0;
    while let Some(line) = next_line(&mut input).context("cannot read standard input")? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut id = Json::Null;
        // The `id` is read first, so that even a line with other mistakes gets it back.
        let item = serde_json::from_slice(&line).and_then(|members: serde_json::Map<_, _>| {
            id = members.get("id").cloned().unwrap_or_default();
            match lost_number(&line) {
                Some((_, message)) => Err(serde_json::Error::custom(message)),
                None => Item::deserialize(members),
            }
        });
        let result = match item {
            Ok(item) => caught(answer(item)).await,
            Err(error) => Err(unusable(number, &error).into()),
        };
        if result.is_err() {
            code = ExitCode::FAILURE;
        }
        output.line(&with_id(id, result)?)?;
    }
    Ok(code)
}

/// Makes a panic an error of its line. What the lines share is only read, or guarded by locks that a
/// panic leaves usable.
async fn caught<T>(answering: impl Future<Output = Result<T>>) -> Result<T> {
    let ended = AssertUnwindSafe(answering).catch_unwind().await;
    ended.unwrap_or_else(|panic| Err(defect(&*panic)))
}

fn defect(panic: &(dyn Any + Send)) -> anyhow::Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    anyhow!("this is a defect of graphwright: {}", text.unwrap_or("it does not say why"))
}

fn unusable(number: usize, error: &serde_json::Error) -> UsageError {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or_default();
    let message = format!("line {number} of standard input: {what}");
    UsageError::new(
        message,
        r#"each line is an object as {"id": 1, "question": "…"} or {"id": 1, "query": "…"}"#,
    )
}

fn with_id<T: Serialize>(id: Json, result: Result<T>) -> Result<Json> {
    let object = match result {
        Ok(value) => serde_json::to_value(value)?,
        Err(error) => json!({"error": Description::new(&error)}),
    };
    let mut line = serde_json::Map::from_iter([("id".to_owned(), id)]);
    match object {
        Json::Object(object) => line.extend(object),
        other => drop(line.insert("result".to_owned(), other)),
    }
    Ok(Json::Object(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_the_error_of_its_line() {
        let names: Vec<&str> = Vec::new();
        let answers = caught(async { Ok(names.len()) }).await;
        let panics = caught(async { Ok(names[1..].len()) }).await;
        assert_eq!(answers.ok(), Some(0));
        let line = with_id(7.into(), panics).unwrap_or_default();
        assert_eq!(
            line,
            json!({"id": 7, "error": {
                "code": "failed",
                "message": "this is a defect of graphwright: range start index 1 out of range for slice of length 0",
                "hint": null,
            }})
        );
    }
}
