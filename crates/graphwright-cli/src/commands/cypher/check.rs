//! Runs `graphwright cypher check` and `graphwright cypher fix`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, CheckStatus, Graph, QueryCheck, QueryChecker, StoreSettings,
    cypher::{Gate, Refusal, Writes, lint::Lint, render},
};
use serde::Serialize;

use super::input::{self, Input};
use crate::{
    arguments::{CheckArguments, FixArguments, Global, SchemaSource},
    commands::{batch, schema},
    failure::UsageError,
    hints,
    output::{self, Output},
    settings,
};

/// Result of checking a text, with its file.
#[derive(Serialize)]
struct Judged {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Origin of the schema in which names were looked up.
    schema: Option<&'static str>,
    #[serde(flatten)]
    check: QueryCheck,
}

pub(super) async fn check(global: &Global, arguments: &CheckArguments, output: &Output) -> Result<ExitCode> {
    let (checker, from) = checker(global, &arguments.schema, arguments.write, output).await?;
    if arguments.batch {
        return each_line(output, from, async |text| checker.check(text).await).await;
    }
    let mut results = Vec::new();
    for input in input::read(&arguments.files)? {
        let check = worded(checker.check_script(&input.text).await);
        if !output.json {
            output.text(&text_of(&check, &input))?;
        }
        results.push(Judged { file: input.name(), schema: from, check });
    }
    finish(output, results)
}

pub(super) async fn fix(global: &Global, arguments: &FixArguments, output: &Output) -> Result<ExitCode> {
    let (checker, from) = checker(global, &arguments.schema, false, output).await?;
    if arguments.batch {
        return each_line(output, from, async |text| checker.fix(text).await).await;
    }
    let inputs = input::read(&arguments.files)?;
    if inputs.len() > 1 && !arguments.in_place && !output.json {
        let hint = "write into them with --in-place, or read the results with --json";
        return Err(UsageError::new("there is more than one file", hint).into());
    }
    let mut results = Vec::new();
    for input in inputs {
        let check = worded(checker.fix(&input.text).await);
        let text = check.fixed.as_deref().unwrap_or(&input.text);
        // A text that is not fixed holds more than what is left of it after repair.
        if arguments.in_place && check.fixed.is_some() && check.status < CheckStatus::Error {
            input.replace(&format!("{}\n", text.trim_end()))?;
        }
        if !output.json {
            for change in &check.changes {
                output.note(&format!("{input}: {}", change.message));
            }
            output::remark(&left_text(&check, text, &input));
            if !arguments.in_place {
                output.exact_text(text)?;
            }
        }
        results.push(Judged { file: input.name(), schema: from, check });
    }
    finish(output, results)
}

async fn each_line(
    output: &Output,
    from: Option<&'static str>,
    judge: impl AsyncFn(&str) -> QueryCheck,
) -> Result<ExitCode> {
    let judge = &judge;
    batch::run(output, |item| async move {
        let check = worded(judge(&item.question).await);
        Ok(Judged { file: None, schema: from, check })
    })
    .await
}

fn finish(output: &Output, results: Vec<Judged>) -> Result<ExitCode> {
    let fails = |judged: &Judged| matches!(judged.check.status, CheckStatus::Error | CheckStatus::Refused);
    let code = if results.iter().any(fails) { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if output.json {
        super::print_objects(output, results)?;
    }
    Ok(code)
}

/// Creates a checker. Also returns the origin of its schema.
async fn checker(
    global: &Global,
    source: &SchemaSource,
    write: bool,
    output: &Output,
) -> Result<(QueryChecker, Option<&'static str>)> {
    let writes = if write { Writes::Plain } else { Writes::None };
    let alone =
        |lint| QueryChecker { lint, gate: Gate { writes, ..Gate::default() }, ..QueryChecker::default() };
    if source.no_schema {
        return Ok((alone(None), None));
    }
    if let Some(file) = &source.schema_file {
        return Ok((alone(Some(Lint::new(&schema::read_file(file)?))), Some("file")));
    }
    let settings = settings::read(global)?;
    // A store that --store names has to be there; another one need not.
    if let (StoreSettings::Folder(folder), None) = (&settings.store, &global.store)
        && !folder.exists()
    {
        let folder = folder.display();
        output.note(&format!(
            "there is no graph in {folder}, so names are not checked; --store or --schema-file gives them"
        ));
        return Ok((alone(None), None));
    }
    let graph = Graph::open(settings, Access::Read).await?;
    Ok((graph.query_checker(writes).await?, Some("store")))
}

/// Words the help for what is refused with the options of this command.
fn worded(check: QueryCheck) -> QueryCheck {
    let refusal = check.refusal.map(|refusal| Refusal { help: hints::worded(refusal.help), ..refusal });
    QueryCheck { refusal, ..check }
}

/// What was found, for people.
fn text_of(check: &QueryCheck, input: &Input) -> String {
    let found = left_text(check, &input.text, input);
    if found.is_empty() { format!("{input}: nothing wrong") } else { found }
}

/// Formats what is wrong with a text; empty if nothing is.
fn left_text(check: &QueryCheck, text: &str, input: &Input) -> String {
    let name = input.to_string();
    let mut said = vec![render(&name, text, &check.diagnostics)];
    if let Some(refusal) = &check.refusal {
        said.push(format!("refused: {refusal}\n = help: {}\n", refusal.help));
    }
    if let Some(reason) = &check.beyond_repair {
        said.push(format!("not repaired: {}\n", reason.message));
    }
    said.extend(check.notices.iter().map(|notice| format!("note: {}\n", notice.message)));
    said.retain(|part| !part.is_empty());
    said.join("\n")
}
