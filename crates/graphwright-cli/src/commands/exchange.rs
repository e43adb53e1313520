//! Runs `graphwright import` and `graphwright export`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, Error,
    exchange::{
        self, CsvFiles, CsvFormat, ExportOptions, ExportReport, ImportOptions, ImportPhase, ImportProgress,
        ImportReport, Source,
    },
};
use indicatif::ProgressBar;

use super::{interrupt, open};
use crate::{
    arguments::{ExportArguments, ExportFormat, Global, ImportArguments, ImportFormat},
    failure::UsageError,
    hints,
    output::Output,
    render::count,
};

pub(crate) async fn import(
    global: &Global,
    arguments: &ImportArguments,
    output: &Output,
) -> Result<ExitCode> {
    let csv = CsvFormat {
        delimiter: arguments.delimiter,
        array_delimiter: arguments.array_delimiter,
        ..CsvFormat::default()
    };
    let sources = sources(arguments, &csv)?;
    let graph = open(global, Access::Write).await?;
    let options = ImportOptions { csv, skip_bad: arguments.skip_bad, ..ImportOptions::default() };
    interrupt::cancel_on_request(options.cancel.clone(), output);
    let bar = bar(output);
    let report = graph.import(sources, &options, &mut |progress| show(&bar, progress)).await;
    bar.finish_and_clear();
    let mut report = report?;
    for problem in report.skipped.values_mut().flat_map(|skipped| &mut skipped.examples) {
        problem.hint = hints::worded(std::mem::take(&mut problem.hint));
    }
    output.print(&report, import_text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn export(
    global: &Global,
    arguments: &ExportArguments,
    output: &Output,
) -> Result<ExitCode> {
    if arguments.guard_formulas && arguments.format != ExportFormat::Csv {
        let hint = "add --format csv, or leave it out: spreadsheets read no JSON Lines";
        return Err(UsageError::new("--guard-formulas is for CSV", hint).into());
    }
    let graph = open(global, Access::Read).await?;
    let options = ExportOptions {
        without_vectors: arguments.no_vectors,
        guard_formulas: arguments.guard_formulas,
        ..ExportOptions::default()
    };
    interrupt::cancel_on_request(options.cancel.clone(), output);
    let store = &**graph.store();
    let report = match (arguments.format, &arguments.target) {
        (ExportFormat::Jsonl, None) => {
            exchange::export_json_lines(store, output.json_lines(), &options, &mut |_| {})
                .await
                .map_err(Error::from)?;
            // Standard output holds the export itself, so there is no place for the report.
            return Ok(ExitCode::SUCCESS);
        }
        (ExportFormat::Csv, None) => {
            return Err(
                UsageError::new("CSV needs a folder", "graphwright export FOLDER --format csv").into()
            );
        }
        (ExportFormat::Jsonl, Some(file)) => {
            let bar = bar(output);
            let done =
                exchange::export_file(store, file, &options, &mut |progress| show(&bar, progress)).await;
            bar.finish_and_clear();
            done
        }
        (ExportFormat::Csv, Some(folder)) => exchange::export_csv(store, folder, &options, &mut |_| {}).await,
    };
    output.print(&report.map_err(Error::from)?, export_text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns what the files hold, by flag or else by their names and headers.
fn sources(arguments: &ImportArguments, csv: &CsvFormat) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for file in &arguments.files {
        let files = |names: &Option<String>| CsvFiles {
            names: names.iter().cloned().collect(),
            ..CsvFiles::new(file)
        };
        let found = match arguments.format {
            Some(ImportFormat::Jsonl) => vec![Source::JsonLines(file.clone())],
            Some(ImportFormat::Zip) => vec![Source::DataImporter(file.clone())],
            Some(ImportFormat::Cypher) => vec![Source::Script(file.clone())],
            Some(ImportFormat::Csv) | None if arguments.label.is_some() => {
                vec![Source::CsvNodes(files(&arguments.label))]
            }
            Some(ImportFormat::Csv) | None if arguments.relationship_type.is_some() => {
                vec![Source::CsvRelationships(files(&arguments.relationship_type))]
            }
            _ => Source::detect(file, csv).map_err(Error::from)?,
        };
        sources.extend(found);
    }
    Ok(sources)
}

fn bar(output: &Output) -> ProgressBar {
    output.progress_bar("{msg:<10} {bar:40} {pos}/{len} {per_sec} {eta} left", 0)
}

fn show(bar: &ProgressBar, progress: ImportProgress) {
    bar.set_message(match progress.phase {
        ImportPhase::Checking => "checking",
        ImportPhase::Writing => "writing",
        ImportPhase::Running => "running",
    });
    bar.set_length(progress.total.unwrap_or(0));
    bar.set_position(progress.nodes + progress.relationships);
}

fn import_text(report: &ImportReport) -> String {
    let mut text = format!(
        "{}, {}",
        count(report.nodes as usize, "node"),
        count(report.relationships as usize, "relationship")
    );
    if report.statements > 0 {
        let made = &report.changed;
        text.push_str(&format!(
            ", {} that made {} and {}",
            count(report.statements as usize, "statement"),
            count(made.nodes_created as usize, "node"),
            count(made.relationships_created as usize, "relationship")
        ));
    }
    let seconds = report.elapsed.as_secs_f64();
    text.push_str(&format!(" in {seconds:.1} s"));
    // Over a very short time, a rate means nothing.
    if seconds >= 0.1 && report.nodes + report.relationships > 0 {
        let rate = (report.nodes + report.relationships) as f64 / seconds;
        text.push_str(&format!(", {rate:.0} nodes and relationships a second"));
    }
    text.push('\n');
    for skipped in report.skipped.values() {
        let example = skipped.examples.first().map_or_else(String::new, |problem| format!(", as {problem}"));
        text.push_str(&format!("left out: {}{example}\n", skipped.count));
    }
    text
}

fn export_text(report: &ExportReport) -> String {
    format!(
        "{}, {}",
        count(report.nodes as usize, "node"),
        count(report.relationships as usize, "relationship")
    )
}
