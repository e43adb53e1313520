//! Runs `graphwright ingest`.

use std::{collections::BTreeMap, fmt::Write, io::Read, process::ExitCode, sync::Mutex, time::Duration};

use anyhow::{Context, Result};
use graphwright::{
    Access, ExtractorChoice as Extractor, IngestEstimate, IngestOptions, Ingested, Ontology,
    documents::{Failure, Input, Limits},
    ingest::{Count, OntologyOrigin, Progress},
};
use indicatif::ProgressBar;

use super::{interrupt, open};
use crate::{
    arguments::{ExtractorChoice, Global, IngestArguments},
    hints,
    output::{self, Output},
    render,
};

pub(crate) async fn run(global: &Global, arguments: &IngestArguments, output: &Output) -> Result<ExitCode> {
    let inputs = inputs(arguments)?;
    let options = options(arguments)?;
    let graph = open(global, Access::Write).await?;
    if arguments.dry_run {
        let mut estimate = graph.ingest(inputs).with(options).estimate().await?;
        word_reasons(&mut estimate.failed);
        output.print(&estimate, estimate_text)?;
        return Ok(ExitCode::SUCCESS);
    }
    interrupt::cancel_on_request(options.cancel.clone(), output);
    let bar = Bar::new(output);
    let done = graph.ingest(inputs).with(options).on_progress(|progress| bar.show(&progress)).await;
    bar.finish();
    let mut done = done?;
    word_reasons(&mut done.report.failed);
    word_reasons(&mut done.report.skipped);
    output.print(&done, report_text)?;
    Ok(if done.report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Words the reasons for this command, as its hints are.
fn word_reasons(failures: &mut [Failure]) {
    for failure in failures {
        failure.reason = hints::worded(std::mem::take(&mut failure.reason));
    }
}

fn inputs(arguments: &IngestArguments) -> Result<Vec<Input>> {
    arguments
        .sources
        .iter()
        .map(|source| {
            if source != "-" {
                return Ok(Input::parse(source));
            }
            let mut bytes = Vec::new();
            // One byte more than the limit shows that it is exceeded.
            let mut input = std::io::stdin().lock().take(limits(arguments).file_bytes + 1);
            input.read_to_end(&mut bytes).context("cannot read standard input")?;
            Ok(Input::Bytes { source: format!("stdin.{}", arguments.format), bytes })
        })
        .collect()
}

fn options(arguments: &IngestArguments) -> Result<IngestOptions> {
    let ontology = match &arguments.ontology {
        Some(file) => Some(Ontology::read(file).map_err(graphwright::Error::from)?),
        None => None,
    };
    let mut options = IngestOptions::default()
        .extractor(match arguments.extractor {
            None => Extractor::Automatic,
            Some(ExtractorChoice::Rules) => Extractor::Rules,
            Some(ExtractorChoice::Model) => Extractor::Model,
        })
        .prune(arguments.prune)
        .keep_invalid(arguments.keep_invalid)
        .re_embed(arguments.re_embed)
        .limits(limits(arguments))
        .threshold(arguments.threshold);
    options.ontology = ontology;
    Ok(options)
}

fn limits(arguments: &IngestArguments) -> Limits {
    Limits {
        file_bytes: u64::from(arguments.max_file_size) * 1_000_000,
        follow_links: arguments.follow_links,
        ..Limits::default()
    }
}

fn estimate_text(estimate: &IngestEstimate) -> String {
    let usage = &estimate.usage;
    let price = match usage.cost {
        Some(dollars) => format!("about ${dollars:.2}"),
        None => "at a price that is not known".to_owned(),
    };
    format!(
        "{}, {}: {} of about {} tokens and replies of about {}, {price}. Nothing was sent or written.",
        render::count(estimate.documents, "document"),
        render::count(estimate.chunks, "passage"),
        render::count(usage.requests as usize, "request"),
        usage.input_tokens,
        usage.output_tokens,
    )
}

/// Formats the report for people.
pub(crate) fn report_text(done: &Ingested) -> String {
    let report = &done.report;
    let mut text = String::new();
    let counts = [
        ("documents", &report.documents),
        ("passages", &report.chunks),
        ("entities", &report.entities),
        ("facts", &report.relationships),
        ("links", &report.links),
    ];
    let nothing = report.documents == Count::default() && !report.failed.is_empty();
    for (name, count) in counts.into_iter().filter(|_| !nothing) {
        let _ = writeln!(text, "{name:<10} {}", count_text(count));
    }
    if report.ontology == OntologyOrigin::Inferred && report.documents.added > 0 {
        text.push_str("The ontology was inferred; `graphwright ontology show` prints it, to edit and give with --ontology.\n");
    }
    if !report.dropped.is_empty() {
        let reasons = report.dropped.iter().map(|(reason, count)| format!("{count} {}", reason_text(reason)));
        let _ = writeln!(text, "Not taken over: {}", reasons.collect::<Vec<_>>().join(", "));
    }
    if report.suggestions > 0 {
        let _ = writeln!(
            text,
            "{} of entities may be the same; `graphwright duplicates list` shows them.",
            render::count(report.suggestions as usize, "pair")
        );
    }
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for skipped in &report.skipped {
        *left_out.entry(&skipped.reason).or_default() += 1;
    }
    for (reason, count) in left_out {
        text.push_str(&render::line(&format!("left out: {}: {reason}", render::count(count, "file"))));
    }
    for failure in &report.failed {
        text.push_str(&render::failure_text(failure));
    }
    let seconds = Duration::from_millis(report.elapsed_ms).as_secs_f64();
    let _ = writeln!(text, "{seconds:.1} s");
    text
}

fn count_text(count: &Count) -> String {
    let parts = [
        (count.added, "added"),
        (count.changed, "changed"),
        (count.removed, "removed"),
        (count.unchanged, "unchanged"),
    ];
    let parts: Vec<_> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn reason_text(reason: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(reason).ok().and_then(|name| name.as_str().map(str::to_owned));
    name.unwrap_or_default().replace('_', " ")
}

/// A progress bar with rate and remaining time. Hidden if no person looks on.
struct Bar {
    bar: ProgressBar,
    stage: Mutex<&'static str>,
}

impl Bar {
    fn new(output: &Output) -> Self {
        let bar = output.progress_bar("{msg:<10} {bar:40} {pos}/{len} {per_sec} {eta} left", 0);
        Self { bar, stage: Mutex::new("") }
    }

    fn show(&self, progress: &Progress) {
        match progress {
            Progress::Read { done, total } => self.advance("reading", *done, *total),
            Progress::Surveyed { done, total } => self.advance("names", *done, *total),
            Progress::Written { done, total, .. } => self.advance("facts", *done, *total),
            // `suspend` locks the bar, so `is_hidden` must be asked before.
            Progress::Failed(failure) if !self.bar.is_hidden() => {
                self.bar.suspend(|| output::remark(&render::failure_text(failure)));
            }
            _ => {}
        }
    }

    fn advance(&self, stage: &'static str, done: usize, total: usize) {
        if let Ok(mut current) = self.stage.lock()
            && *current != stage
        {
            *current = stage;
            self.bar.reset();
            self.bar.set_message(stage);
        }
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
