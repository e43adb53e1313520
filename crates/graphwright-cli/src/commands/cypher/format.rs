//! Runs `graphwright cypher format`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::cypher::{Diagnostic, format, render};
use serde::Serialize;

use super::input::{self, Input};
use crate::{
    arguments::FormatArguments,
    failure::UsageError,
    output::{self, Output},
};

/// Result of formatting a text.
#[derive(Serialize)]
struct Outcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// `ok`: the text has this form already; `changed`; `error`: it cannot be parsed.
    status: &'static str,
    diagnostics: Vec<Diagnostic>,
    formatted: Option<String>,
}

pub(super) fn run(arguments: &FormatArguments, output: &Output) -> Result<ExitCode> {
    let inputs = input::read(&arguments.files)?;
    if inputs.len() > 1 && !arguments.in_place && !arguments.check && !output.json {
        let hint = "write into them with --in-place, or only look with --check";
        return Err(UsageError::new("there is more than one file", hint).into());
    }
    let mut results = Vec::new();
    for input in &inputs {
        let result = formatted(input);
        if let (true, "changed", Some(text)) = (arguments.in_place, result.status, &result.formatted) {
            input.replace(text)?;
        }
        if !output.json {
            tell(arguments, input, &result, output)?;
        }
        results.push(result);
    }
    let fails = |result: &Outcome| result.status == "error" || arguments.check && result.status == "changed";
    let code = if results.iter().any(fails) { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if output.json {
        super::print_objects(output, results)?;
    }
    Ok(code)
}

fn formatted(input: &Input) -> Outcome {
    let file = input.name();
    match format(&input.text) {
        Ok(text) => {
            let text = text + "\n";
            let status = if text == input.text { "ok" } else { "changed" };
            Outcome { file, status, diagnostics: Vec::new(), formatted: Some(text) }
        }
        Err(diagnostics) => Outcome { file, status: "error", diagnostics, formatted: None },
    }
}

fn tell(arguments: &FormatArguments, input: &Input, result: &Outcome, output: &Output) -> Result<()> {
    match (&result.formatted, result.status) {
        (None, _) => output::remark(&render(&input.to_string(), &input.text, &result.diagnostics)),
        (Some(_), "changed") if arguments.check => output.text(&format!("{input} is written otherwise"))?,
        (Some(_), _) if arguments.check || arguments.in_place => {}
        (Some(text), _) => output.exact_text(text)?,
    }
    Ok(())
}
