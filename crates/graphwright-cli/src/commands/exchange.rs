//! Runs `graphwright import` and `graphwright export`.

use std::{path::Path, process::ExitCode};

use anyhow::Result;
use graphwright::{
    Access, Error,
    exchange::{
        self, CsvFiles, CsvFormat, ExportOptions, ExportReport, FileForm, ImportOptions, ImportPhase,
        ImportProgress, ImportReport, Source,
    },
};
use indicatif::ProgressBar;

use super::{interrupt, open};
use crate::{
    arguments::{ExportArguments, ExportFormat, Global, ImportArguments, ImportFormat},
    failure::UsageError,
    hints,
    output::Output,
    render::{count, line},
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
    let target = ExportTarget::new(arguments)?;
    if arguments.guard_formulas && !matches!(target, ExportTarget::Folder(_)) {
        let hint = "add --format csv, or leave it out: spreadsheets read no other form";
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
    let report = match target {
        ExportTarget::Output => {
            exchange::export_json_lines(store, output.json_lines(), &options, &mut |_| {})
                .await
                .map_err(Error::from)?;
            // Standard output holds the export itself, so there is no place for the report.
            return Ok(ExitCode::SUCCESS);
        }
        ExportTarget::File(file, form) => {
            let bar = bar(output);
            let done =
                exchange::export_file(store, file, form, &options, &mut |progress| show(&bar, progress))
                    .await;
            bar.finish_and_clear();
            done
        }
        ExportTarget::Folder(folder) => exchange::export_csv(store, folder, &options, &mut |_| {}).await,
    };
    output.print(&report.map_err(Error::from)?, export_text)?;
    Ok(ExitCode::SUCCESS)
}

/// Where an export goes, and in which form.
enum ExportTarget<'a> {
    /// JSON Lines on standard output.
    Output,
    File(&'a Path, FileForm),
    /// CSV files.
    Folder(&'a Path),
}

impl<'a> ExportTarget<'a> {
    /// Takes the form that is given, or else the one that the name tells.
    fn new(arguments: &'a ExportArguments) -> Result<Self> {
        let form = match arguments.format {
            None => None,
            Some(ExportFormat::Jsonl) => Some(FileForm::JsonLines),
            Some(ExportFormat::Graphml) => Some(FileForm::GraphMl),
            Some(ExportFormat::Gexf) => Some(FileForm::Gexf),
            Some(ExportFormat::Turtle) => Some(FileForm::Turtle),
            Some(ExportFormat::Csv) => {
                let hint = "graphwright export FOLDER --format csv";
                let folder = arguments.target.as_deref();
                return Ok(Self::Folder(folder.ok_or_else(|| UsageError::new("CSV needs a folder", hint))?));
            }
        };
        let Some(path) = arguments.target.as_deref() else {
            return match form {
                None | Some(FileForm::JsonLines) => Ok(Self::Output),
                Some(_) => {
                    let hint = "graphwright export graph.graphml";
                    Err(UsageError::new("this form needs a file", hint).into())
                }
            };
        };
        let is_folder = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if form.is_none() && is_folder {
            return Ok(Self::Folder(path));
        }
        // A pipe or a device has no ending.
        let special = path.exists() && !path.is_file();
        let told = FileForm::from_path(path).or(special.then_some(FileForm::JsonLines));
        let form = form.or(told).ok_or_else(|| unknown_form(path))?;
        Ok(Self::File(path, form))
    }
}

fn unknown_form(path: &Path) -> UsageError {
    let endings: Vec<String> = FileForm::ENDINGS.iter().map(|(ending, _)| format!(".{ending}")).collect();
    UsageError::new(
        format!("the name of {} tells no form that can be written", path.display()),
        format!(
            "files end in {}; a folder of CSV files ends in /; --format says the form of any other name",
            endings.join(", ")
        ),
    )
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
    let mut text = format!(
        "{}, {}\n",
        count(report.nodes as usize, "node"),
        count(report.relationships as usize, "relationship")
    );
    for loss in &report.losses {
        text.push_str(&line(&format!("note: {loss}")));
    }
    text
}
