//! Cases that are statements with expected rows. `data/README.md` describes their form.

use super::{Failure, compare::Expected};
use crate::{GraphStore, Properties, Statement, Table, store::QueryOptions};

#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) name: &'static str,
    before: Vec<&'static str>,
    statement: &'static str,
    writes: bool,
    parameters: Properties,
    expected: Answer,
    after: Option<(&'static str, Expected)>,
}

#[derive(Debug, Default)]
enum Answer {
    /// Any rows.
    #[default]
    Rows,
    Error,
    These(Expected),
}

/// Reads the seed and the cases of a file.
pub(super) fn parse(text: &'static str) -> Result<(&'static str, Vec<Script>), String> {
    let mut parts = text.split("\n== ");
    let head = parts.next().unwrap_or_default();
    let seed = head.split_once("seed: ").ok_or("the file has no seed")?.1.trim();
    let scripts = parts
        .map(|part| script(part).map_err(|error| format!("{}: {error}", title(part))))
        .collect::<Result<_, _>>()?;
    Ok((seed, scripts))
}

fn title(part: &'static str) -> &'static str {
    part.split_whitespace().next().unwrap_or_default()
}

fn script(part: &'static str) -> Result<Script, String> {
    let mut script = Script { name: title(part), ..Script::default() };
    let body = part.split_once('\n').map_or("", |(_, body)| body);
    let mut after = None;
    for (key, value) in fields(body) {
        match key {
            "before" => script.before.push(value),
            "read" | "write" => {
                script.statement = value;
                script.writes = key == "write";
            }
            "with" => script.parameters = serde_json::from_str(value).map_err(|error| error.to_string())?,
            "rows" => script.expected = Answer::These(Expected::parse(value, false)?),
            "sorted" => script.expected = Answer::These(Expected::parse(value, true)?),
            "error" => script.expected = Answer::Error,
            "ok" => script.expected = Answer::Rows,
            "after" => after = Some(value),
            _ => {
                script.after =
                    Some((after.ok_or("after-rows without after")?, Expected::parse(value, true)?));
            }
        }
    }
    if script.statement.is_empty() { Err("no statement".to_owned()) } else { Ok(script) }
}

const KEYS: [&str; 9] = ["before", "read", "write", "with", "rows", "sorted", "after-rows", "after", "error"];

/// Splits the body into `key: value` fields. A value goes on until the next key.
fn fields(body: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut starts: Vec<(usize, &'static str, usize)> = Vec::new();
    let mut offset = 0;
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim_end();
        let key =
            KEYS.into_iter().find(|key| trimmed.strip_prefix(key).is_some_and(|rest| rest.starts_with(": ")));
        match (key, trimmed) {
            (Some(key), _) => starts.push((offset, key, offset + key.len() + 2)),
            (None, "error") => starts.push((offset, "error", offset + trimmed.len())),
            (None, "ok") => starts.push((offset, "ok", offset + trimmed.len())),
            _ => {}
        }
        offset += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, ..)| *start).chain([body.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|((_, key, from), to)| (*key, body.get(*from..to).unwrap_or_default().trim()))
        .collect()
}

/// Runs a statement that writes.
pub(super) async fn write(store: &dyn GraphStore, text: &'static str) -> Result<Table, Failure> {
    Ok(store.write(Statement::fixed(text), QueryOptions::default()).await?.table)
}

impl Script {
    /// Returns whether the case leaves the store as it is.
    pub(super) fn only_reads(&self) -> bool {
        !self.writes && self.before.is_empty()
    }

    pub(super) async fn run(&self, store: &dyn GraphStore) -> Result<(), Failure> {
        for statement in &self.before {
            write(store, statement).await?;
        }
        let answer = self.answer(store).await;
        match (&self.expected, answer) {
            (Answer::Error, Ok(table)) => {
                return Err(Failure::Wrong(format!("gave {} rows, should fail", table.rows.len())));
            }
            (Answer::Error, Err(_)) | (Answer::Rows, Ok(_)) => {}
            (Answer::These(expected), Ok(table)) => expected.check(&table.rows).map_err(Failure::Wrong)?,
            (_, Err(failure)) => return Err(failure),
        }
        if let Some((text, expected)) = &self.after {
            let table = store.read(Statement::fixed(text), QueryOptions::default()).await?.collect().await?;
            expected
                .check(&table.rows)
                .map_err(|message| Failure::Wrong(format!("afterwards, {message}")))?;
        }
        Ok(())
    }

    async fn answer(&self, store: &dyn GraphStore) -> Result<Table, Failure> {
        let statement = Statement::fixed(self.statement).with_all(self.parameters.clone());
        let options = QueryOptions::default();
        if self.writes {
            return Ok(store.write(statement, options).await?.table);
        }
        Ok(store.read(statement, options).await?.collect().await?)
    }
}
