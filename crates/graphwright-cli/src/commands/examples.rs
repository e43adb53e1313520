//! Runs `graphwright examples`.

use std::{io::IsTerminal, path::Path, process::ExitCode};

use anyhow::{Context, Result};
use graphwright::{Access, Error, Example, ExampleBook, ExampleStatus, Examples, text::read_at_most};
use serde_json::json;

use super::{confirmation::confirm, lines::write_lines, open};
use crate::{
    arguments::{ExampleListArguments, ExamplesArguments, ExamplesCommand, ForgetArguments, Global},
    output::Output,
    render::{self, count},
    settings,
};

/// The longest file of examples that is read, in bytes.
const MOST_BYTES: u64 = 50_000_000;

pub(crate) async fn run(global: &Global, arguments: ExamplesArguments, output: &Output) -> Result<ExitCode> {
    let settings = settings::read(global)?;
    let book = settings.example_book()?;
    let none =
        format!("No example is there for {} yet; `graphwright ask --flow` learns them.", settings.store);
    match arguments.command.unwrap_or_else(|| ExamplesCommand::List(ExampleListArguments::default())) {
        ExamplesCommand::List(arguments) => list(&read(&book, output)?, &arguments, &none, output)?,
        ExamplesCommand::Show { id } => {
            let examples = read(&book, output)?;
            output.print(examples.find(&id).map_err(Error::from)?, render::example_text)?;
        }
        ExamplesCommand::Add { question, cypher } => {
            let example = Example::by_person(question, cypher);
            example.check().map_err(Error::from)?;
            book.add([example.clone()]).map_err(Error::from)?;
            output.print(&example, |example| format!("Added as {}.", example.id))?;
        }
        ExamplesCommand::Approve { id } => {
            let example = book.change_one(&id, Example::approve).map_err(Error::from)?;
            output.print(&example, |example| format!("Models are shown {} from now on.", example.id))?;
        }
        ExamplesCommand::Edit { id, question, cypher } => edit(&book, &id, question, cypher, output)?,
        ExamplesCommand::Verify => {
            let graph = open(global, Access::Read).await?;
            let (holding, failing) = graph.verify_examples().await?;
            output.print(&json!({"holding": holding, "failing": failing}), |_| {
                let held = count(holding, "example");
                format!("{held} verified; {failing} do not hold any more and wait as candidates")
            })?;
        }
        ExamplesCommand::Export { file } => {
            write_lines(&read(&book, output)?.examples, file.as_deref(), "example", output)?;
        }
        ExamplesCommand::Import { file } => import(&book, &file, output)?,
        ExamplesCommand::Forget(arguments) => forget(&book, &arguments, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read(book: &ExampleBook, output: &Output) -> Result<Examples> {
    let examples = book.read().map_err(Error::from)?;
    if examples.unreadable > 0 {
        let lines = count(examples.unreadable, "line");
        output.note(&format!("{lines} of {} cannot be read; left out.", book.file().display()));
    }
    Ok(examples)
}

fn list(examples: &Examples, arguments: &ExampleListArguments, none: &str, output: &Output) -> Result<()> {
    let status = arguments.status.map(ExampleStatus::from);
    let words = arguments.question.as_ref().map(|words| words.trim().to_lowercase());
    let is_wanted = |example: &&Example| {
        let has_words = words.as_ref().is_none_or(|words| example.question.to_lowercase().contains(words));
        has_words && status.is_none_or(|status| example.status == status)
    };
    let found: Vec<&Example> =
        examples.examples.iter().rev().filter(is_wanted).take(arguments.limit).collect();
    let object = json!({"examples": found, "unreadable": examples.unreadable});
    output.print(&object, |_| match (examples.examples.len(), found.is_empty()) {
        (0, _) => none.to_owned(),
        (all, true) => format!("None of {} is like this.", count(all, "example")),
        _ => render::examples_text(&found),
    })
}

fn edit(
    book: &ExampleBook,
    id: &str,
    question: Option<String>,
    cypher: Option<String>,
    output: &Output,
) -> Result<()> {
    let mut edited = book.read().and_then(|examples| examples.find(id).cloned()).map_err(Error::from)?;
    edited.edit(question.clone(), cypher.clone());
    edited.check().map_err(Error::from)?;
    let example = book.change_one(&edited.id, |example| example.edit(question, cypher));
    output.print(&example.map_err(Error::from)?, render::example_text)
}

fn import(book: &ExampleBook, file: &Path, output: &Output) -> Result<()> {
    let failed = || format!("cannot read {}", file.display());
    let text =
        std::fs::File::open(file).and_then(|file| read_at_most(file, MOST_BYTES)).with_context(failed)?;
    let imported = book.import(&text).map_err(Error::from)?;
    output.print(&json!({"imported": imported}), |_| format!("{} imported", count(imported, "example")))
}

async fn forget(book: &ExampleBook, arguments: &ForgetArguments, output: &Output) -> Result<()> {
    let examples = read(book, output)?;
    let one = arguments.id.as_ref().map(|id| examples.find(id).map(|example| example.id.clone()));
    let one = one.transpose().map_err(Error::from)?;
    let status = arguments.status.map(ExampleStatus::from);
    let is_meant = |example: &Example| {
        let is_before = arguments.before.is_none_or(|moment| example.at < moment);
        let is_of_status = is_before && status.is_none_or(|status| example.status == status);
        one.as_ref().map_or(is_of_status, |id| example.id == *id)
    };
    let meant = examples.examples.iter().filter(|example| is_meant(example)).count();
    if meant > 0 && !arguments.yes && std::io::stdin().is_terminal() {
        let question =
            format!("This forgets {} of {}. Do it?", count(meant, "example"), examples.examples.len());
        if !confirm(question).await {
            return Err(Error::NotApproved.into());
        }
    }
    let forgotten = book.forget(is_meant).map_err(Error::from)?;
    output.print(&json!({"forgotten": forgotten}), |_| format!("{} forgotten", count(forgotten, "example")))
}
