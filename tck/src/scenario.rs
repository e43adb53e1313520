//! The kit's scenarios and the meaning of their steps.

use std::{
    fs,
    path::{Path, PathBuf},
};

use gherkin::Step;
use graphwright_core::Properties;

use crate::{
    TckError,
    compare::{ExpectedRows, Lists},
    effects::Effects,
    feature::{self, Example},
    notation,
};

/// A scenario: a graph, queries and their expected results.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The file and the name, as `clauses/match/Match1 [1] Match non-existent nodes returns empty`.
    /// Examples of an outline are numbered.
    pub id: String,
    /// The statements that create the graph.
    pub(crate) setup: Vec<String>,
    pub(crate) parameters: Properties,
    /// Whether the scenario needs a procedure that the store does not have.
    pub(crate) declares_procedure: bool,
    /// The tested query, and those that inspect what it left.
    pub(crate) queries: Vec<Query>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) expected: Expected,
    /// The expected side effects; `None` if the scenario names none.
    pub(crate) effects: Option<Effects>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Anything,
    NoRows,
    Rows(ExpectedRows),
    /// The kind, time and detail of the error, as the step says it.
    Error(String),
}

/// Loads the kit from the folder that contains `features` and `graphs`.
///
/// # Errors
///
/// Returns an error if a file cannot be read or contains something unknown.
pub fn load(folder: &Path) -> Result<Vec<Scenario>, TckError> {
    let features = folder.join("features");
    let mut scenarios = Vec::new();
    for path in feature_files(&features)? {
        let name = path.strip_prefix(&features).unwrap_or(&path).with_extension("");
        let broken = |message| TckError::Feature { path: path.clone(), message };
        for example in feature::examples(&read(&path)?).map_err(broken)? {
            let id = format!("{} {}", name.display(), example.name);
            let scenario = interpret(id, &example, folder)?;
            scenarios.push(scenario.map_err(|message| broken(format!("{}: {message}", example.name)))?);
        }
    }
    Ok(scenarios)
}

fn read(path: &Path) -> Result<String, TckError> {
    fs::read_to_string(path).map_err(|source| TckError::File { path: path.to_owned(), source })
}

/// Returns all feature files below a folder, sorted.
fn feature_files(folder: &Path) -> Result<Vec<PathBuf>, TckError> {
    let failed = |source| TckError::File { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(feature_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Interprets the steps of an example. The outer error is one of files, the inner one of steps.
fn interpret(id: String, example: &Example, folder: &Path) -> Result<Result<Scenario, String>, TckError> {
    let mut scenario = Scenario {
        id,
        setup: Vec::new(),
        parameters: Properties::new(),
        declares_procedure: false,
        queries: Vec::new(),
    };
    for step in &example.steps {
        if let Some(graph) = named_graph(&step.value) {
            scenario.setup.push(read(&folder.join("graphs").join(graph).join(format!("{graph}.cypher")))?);
        } else if let Err(message) = scenario.add(step) {
            return Ok(Err(message));
        }
    }
    Ok(Ok(scenario))
}

/// Returns the name in `the binary-tree-1 graph`.
fn named_graph(text: &str) -> Option<&str> {
    text.strip_prefix("the ")?.strip_suffix(" graph")
}

impl Scenario {
    /// Returns the statements that create the graph.
    pub fn setup(&self) -> impl Iterator<Item = &str> {
        self.setup.iter().map(String::as_str)
    }

    /// Returns the tested query, and those that inspect what it left.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.queries.iter().map(|query| query.text.as_str())
    }

    /// Returns the error that one of its queries should give: kind, time and detail, as the step
    /// says it.
    pub fn error(&self) -> Option<&str> {
        self.queries.iter().find_map(|query| match &query.expected {
            Expected::Error(error) => Some(error.as_str()),
            _ => None,
        })
    }

    fn add(&mut self, step: &Step) -> Result<(), String> {
        let text = step.value.as_str();
        match text {
            "an empty graph" | "any graph" => {}
            "having executed:" => self.setup.push(document(step)?),
            "parameters are:" => {
                for (name, value) in pairs(step)? {
                    self.parameters.insert(name.to_owned(), notation::parse(value)?);
                }
            }
            "executing query:" | "executing control query:" => {
                let text = document(step)?;
                self.queries.push(Query { text, expected: Expected::Anything, effects: None });
            }
            "no side effects" => self.last_query(text)?.effects = Some(Effects::new()),
            "the side effects should be:" => {
                let count = |(name, number): (&str, &str)| {
                    let number = number.parse().map_err(|_| format!("`{number}` is no number"))?;
                    Ok((name.to_owned(), number))
                };
                let effects: Result<Effects, String> = pairs(step)?.into_iter().map(count).collect();
                let mut effects = effects?;
                // `State` leaves out what did not change.
                effects.retain(|_, number| *number > 0);
                self.last_query(text)?.effects = Some(effects);
            }
            _ if text.starts_with("there exists a procedure ") => self.declares_procedure = true,
            _ => self.last_query(text)?.expected = expected(text, rows(step))?,
        }
        Ok(())
    }

    fn last_query(&mut self, text: &str) -> Result<&mut Query, String> {
        self.queries.last_mut().ok_or_else(|| format!("`{text}` comes before a query"))
    }
}

fn document(step: &Step) -> Result<String, String> {
    step.docstring.clone().ok_or_else(|| format!("`{}` has no doc string", step.value))
}

/// The rows of its table; none without one.
fn rows(step: &Step) -> &[Vec<String>] {
    step.table.as_ref().map_or(&[], |table| &table.rows)
}

fn pairs(step: &Step) -> Result<Vec<(&str, &str)>, String> {
    let pair = |row: &'_ Vec<String>| match row.as_slice() {
        [_, _] => Ok(()),
        _ => Err(format!("{row:?} is no pair")),
    };
    let rows = rows(step);
    rows.iter().try_for_each(pair)?;
    Ok(rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect())
}

/// Reads `the result should be …` or `a … should be raised at …: …`.
fn expected(text: &str, table: &[Vec<String>]) -> Result<Expected, String> {
    if text == "the result should be empty" {
        return Ok(Expected::NoRows);
    }
    if let Some(error) = text.strip_prefix("a ").filter(|error| error.contains(" should be raised at ")) {
        return Ok(Expected::Error(error.to_owned()));
    }
    let (in_order, lists) = match text {
        "the result should be, in any order:" => (false, Lists::InOrder),
        "the result should be, in order:" => (true, Lists::InOrder),
        "the result should be (ignoring element order for lists):" => (false, Lists::InAnyOrder),
        "the result should be, in order (ignoring element order for lists):" => (true, Lists::InAnyOrder),
        _ => return Err(format!("the step `{text}` is not known")),
    };
    let (columns, rows) = table.split_first().ok_or_else(|| format!("`{text}` has no table"))?;
    let row = |row: &Vec<String>| row.iter().map(|cell| notation::parse(cell)).collect();
    let rows = rows.iter().map(row).collect::<Result<_, _>>()?;
    Ok(Expected::Rows(ExpectedRows { columns: columns.clone(), rows, in_order, lists }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(text: &str) -> Result<Scenario, String> {
        let examples = feature::examples(&format!("Feature: a\n{text}"))?;
        interpret("id".to_owned(), &examples[0], Path::new("")).unwrap()
    }

    #[test]
    fn steps_say_what_to_run_and_what_to_expect() {
        let text = "
            Scenario: a
              Given an empty graph
              And having executed:
                \"\"\"
                CREATE ()
                \"\"\"
              And parameters are:
                | p | [1] |
              When executing query:
                \"\"\"
                CREATE () RETURN 1 AS x
                \"\"\"
              Then the result should be, in order:
                | x |
                | 1 |
              And the side effects should be:
                | +nodes  | 1 |
                | +labels | 0 |
              When executing control query:
                \"\"\"
                RETURN y
                \"\"\"
              Then a SyntaxError should be raised at compile time: UndefinedVariable";
        let scenario = scenario(text).unwrap();
        assert_eq!(scenario.setup, ["CREATE ()"]);
        assert_eq!(scenario.parameters["p"], vec![1].into());
        let [first, second] = scenario.queries.as_slice() else { panic!("not two") };
        assert_eq!(first.effects, Some(Effects::from([("+nodes".to_owned(), 1)])));
        let rows = ExpectedRows {
            columns: vec!["x".to_owned()],
            rows: vec![vec![1.into()]],
            in_order: true,
            lists: Lists::InOrder,
        };
        assert_eq!(first.expected, Expected::Rows(rows));
        let description = "SyntaxError should be raised at compile time: UndefinedVariable".to_owned();
        assert_eq!(second.expected, Expected::Error(description));
    }

    #[test]
    fn an_unknown_step_is_an_error() {
        let text = "Scenario: a\nWhen executing query:\n\"\"\"\nRETURN 1\n\"\"\"\nThen all is well";
        assert_eq!(scenario(text), Err("the step `all is well` is not known".to_owned()));
    }
}
