//! Runs `graphwright cypher`.

mod approval;
mod check;
mod format;
mod input;

use std::{io::IsTerminal, process::ExitCode, sync::Arc};

use anyhow::Result;
use graphwright::{
    Access, Approve, CypherOptions, CypherResult, Graph, Properties, Value, store::QueryMode,
    value::lost_number,
};
use serde::{Serialize, Serializer, de::IgnoredAny, ser::Error as _};
use serde_json::{Value as Json, json};

use self::approval::TerminalApproval;
use super::{batch, open};
use crate::{
    arguments::{CypherArguments, CypherCommand, Global},
    failure::UsageError,
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, arguments: &CypherArguments, output: &Output) -> Result<ExitCode> {
    match &arguments.command {
        Some(CypherCommand::Check(arguments)) => check::check(global, arguments, output).await,
        Some(CypherCommand::Fix(arguments)) => check::fix(global, arguments, output).await,
        Some(CypherCommand::Format(arguments)) => format::run(arguments, output),
        None => run_query(global, arguments, output).await,
    }
}

async fn run_query(global: &Global, arguments: &CypherArguments, output: &Output) -> Result<ExitCode> {
    let access = if arguments.write && !arguments.explain { Access::Write } else { Access::Read };
    let options = options(arguments);
    let given = parameters(&arguments.parameters)?;
    let graph = open(global, access).await?;
    if arguments.batch {
        return batch::run(output, |item| {
            let (graph, options, given) = (&graph, &options, &given);
            async move {
                let mut parameters = given.clone();
                for (name, value) in item.params {
                    parameters.insert(name, serde_json::from_value(value)?);
                }
                query(graph, &item.question, parameters, options).await.map(Told)
            }
        })
        .await;
    }
    let text = arguments.query.as_deref().unwrap_or_default();
    let result = query(&graph, text, given, &options).await?;
    output.print(&Told(result), |Told(result)| result_text(result))?;
    Ok(ExitCode::SUCCESS)
}

/// A result as programs read it: with each index that would help stands the command that makes it.
struct Told(CypherResult);

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(result) = self;
        if result.findings.iter().all(|found| found.index.is_none()) {
            return result.serialize(serializer);
        }
        let mut object = serde_json::to_value(result).map_err(S::Error::custom)?;
        for (number, found) in result.findings.iter().enumerate() {
            let told = object.pointer_mut(&format!("/findings/{number}/index"));
            if let (Some(Json::Object(told)), Some(index)) = (told, &found.index) {
                told.insert("command".to_owned(), render::index_command(index).into());
            }
        }
        object.serialize(serializer)
    }
}

async fn query(
    graph: &Graph,
    text: &str,
    parameters: Properties,
    options: &CypherOptions,
) -> Result<CypherResult> {
    let result = graph.cypher(text, parameters, options).await?;
    if result.counters.is_some() {
        graph.store().checkpoint().await.map_err(graphwright::Error::from)?;
    }
    Ok(result)
}

fn options(arguments: &CypherArguments) -> CypherOptions {
    let mode = match (arguments.explain, arguments.profile) {
        (true, _) => QueryMode::Explain,
        (_, true) => QueryMode::Profile,
        _ => QueryMode::Run,
    };
    let asks = !arguments.yes && !arguments.batch && std::io::stdin().is_terminal();
    let mut options = CypherOptions::default()
        .write(arguments.write)
        .new_names(arguments.new_names)
        .change_limit(arguments.max_changes)
        .dry_run(arguments.dry_run)
        .mode(mode)
        .row_limit(arguments.limit)
        .time_limit(arguments.time_limit);
    options.approval = asks.then(|| Arc::new(TerminalApproval) as Arc<dyn Approve>);
    options
}

/// Prints the object of a single text, or one object that holds those of several.
fn print_objects<T: Serialize>(output: &Output, mut results: Vec<T>) -> Result<()> {
    match (results.pop(), results.is_empty()) {
        (Some(only), true) => output.line(&only),
        (last, _) => {
            results.extend(last);
            output.line(&json!({"files": results}))
        }
    }
}

/// Parses `name=value` pairs. A value that is not JSON is text.
fn parameters(pairs: &[String]) -> Result<Properties> {
    let mut parameters = Properties::new();
    for pair in pairs {
        let Some((name, text)) = pair.split_once('=') else {
            let message = format!("--param {pair} has no value");
            return Err(UsageError::new(message, "write --param name=value").into());
        };
        parameters.insert(name.to_owned(), parameter(name, text)?);
    }
    Ok(parameters)
}

/// Reads JSON, or a text. JSON that is no value of Cypher is a mistake and no text.
fn parameter(name: &str, text: &str) -> Result<Value> {
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    let wrong = |message: String| {
        let hint = "write a text in double quotes: --param 'name=\"1e400\"'";
        UsageError::new(format!("the parameter `{name}` cannot be read: {message}"), hint).into()
    };
    match (is_json, lost_number(text.as_bytes())) {
        (false, _) => Ok(Value::from(text)),
        (true, Some((_, message))) => Err(wrong(message)),
        (true, None) => serde_json::from_str(text).map_err(|error| wrong(error.to_string())),
    }
}

fn result_text(result: &CypherResult) -> String {
    let mut text = String::new();
    if let Some(plan) = &result.plan {
        text = render::plan_text(plan, &result.findings);
        if let Some(kind) = result.query_type {
            text.push_str(&format!("query type: {}\n", kind.as_str().replace('_', " and ")));
        }
        if !result.columns.is_empty() {
            let rows = render::count(result.rows.len(), "row");
            text.push_str(&format!("{rows}, {:.0} ms\n", result.elapsed_ms));
        }
    } else if !result.columns.is_empty() {
        let mut table = render::Table::new(&result.columns);
        for row in &result.rows {
            table.add_row(row.iter().map(render::value_text));
        }
        text = format!("{table}\n{}, {:.0} ms\n", render::count(result.rows.len(), "row"), result.elapsed_ms);
    }
    if let Some(counters) = &result.counters {
        text.push_str(if result.dry_run { "dry run, nothing was written: " } else { "" });
        text.push_str(&render::changes(counters));
        text.push('\n');
    }
    for notice in &result.notices {
        text.push_str(&format!("note: {}\n", notice.message));
    }
    if let Some(reason) = &result.truncated {
        text.push_str(&format!("rows may be missing: {reason}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_kept_as_it_is_or_refused() {
        let read = |text: &str| parameters(&[format!("p={text}")]).map(|mut all| all.remove("p").unwrap());
        for (text, value) in [
            ("9223372036854775807", Value::Integer(i64::MAX)),
            ("1.5", Value::Float(1.5)),
            ("NaN", Value::from("NaN")),
            ("many words", Value::from("many words")),
            ("\"1e400\"", Value::from("1e400")),
        ] {
            assert_eq!(read(text).unwrap(), value);
        }
        for wrong in [
            "9223372036854775808",
            "[1, -9223372036854775809]",
            "1e400",
            "1e-400",
            r#"{"$type": "date", "value": "-0001-01-01"}"#,
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("the parameter `p` cannot be read: "), "{error}");
        }
    }

    #[test]
    fn a_parameter_is_json_or_else_text() {
        let parsed = parameters(&["n=3".to_owned(), "name=Ada".to_owned(), "l=[1, 2.5]".to_owned()]).unwrap();
        assert_eq!(parsed["n"], Value::Integer(3));
        assert_eq!(parsed["name"], Value::from("Ada"));
        assert_eq!(parsed["l"], Value::List(vec![Value::Integer(1), Value::Float(2.5)]));
        assert!(parameters(&["n".to_owned()]).is_err());
    }
}
