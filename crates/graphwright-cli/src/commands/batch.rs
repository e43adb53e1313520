//! `--batch`: JSON Lines in, one result line for each, in order, with its `id`.

use std::{future::Future, io::BufRead};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    failure::{self, UsageError},
    output::Output,
};

/// One line of input.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    /// Comes back with the result.
    #[serde(default)]
    pub(crate) id: Json,
    #[serde(alias = "query")]
    pub(crate) question: String,
    /// Parameters of a Cypher query.
    #[serde(default)]
    pub(crate) params: serde_json::Map<String, Json>,
}

/// Runs every line of standard input. A line that fails gets an `error` object and does not stop the others.
pub(crate) async fn run<T, F, Answering>(output: &Output, mut answer: F) -> Result<()>
where
    T: Serialize,
    F: FnMut(Item) -> Answering,
    Answering: Future<Output = Result<T>>,
{
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let item: Item = serde_json::from_str(&line).map_err(|error| {
            let message = format!("line {} of standard input: {error}", number + 1);
            UsageError::new(message, r#"each line is an object as {"id": 1, "question": "…"}"#)
        })?;
        let id = item.id.clone();
        output.line(&with_id(id, answer(item).await)?)?;
    }
    Ok(())
}

fn with_id<T: Serialize>(id: Json, result: Result<T>) -> Result<Json> {
    let object = match result {
        Ok(value) => serde_json::to_value(value)?,
        Err(error) => {
            let (code, message, hint) = failure::describe(&error);
            json!({"error": {"code": code, "message": message, "hint": hint}})
        }
    };
    let mut line = serde_json::Map::from_iter([("id".to_owned(), id)]);
    match object {
        Json::Object(object) => line.extend(object),
        other => drop(line.insert("result".to_owned(), other)),
    }
    Ok(Json::Object(line))
}
