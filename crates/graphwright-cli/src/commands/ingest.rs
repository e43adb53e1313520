//! Runs `graphwright ingest`.

use std::{io::Read, process::ExitCode, sync::Mutex};

use anyhow::{Context, Result};
use graphwright::{
    Access, ExtractorChoice as Extractor, IngestEstimate, IngestOptions, Ontology,
    documents::{Failure, Input, Limits},
    ingest::Progress,
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
    if !arguments.show_dropped {
        done.report.dropped_items.clear();
    }
    output.print(&done, |done| render::ingest_text(&done.report, arguments.show_dropped))?;
    let good = done.report.failed.is_empty() && !done.report.unread.is_grave();
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
        .open(arguments.open)
        .passes(usize::from(arguments.passes))
        .descriptions(arguments.describe)
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
    let IngestEstimate { usage, least, most, .. } = estimate;
    let price = match (least.cost, most.cost) {
        (Some(least), Some(most)) => format!("${least:.2} to ${most:.2}"),
        _ => "at a price that is not known".to_owned(),
    };
    format!(
        "{}, {}: {} of about {} tokens and replies of {} to {}, {price}. Nothing was sent or written.",
        render::count(estimate.documents, "document"),
        render::count(estimate.chunks, "passage"),
        render::count(usage.requests as usize, "request"),
        usage.input_tokens,
        least.output_tokens,
        most.output_tokens,
    )
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
            Progress::Expected { usage } => {
                if let Some(cost) = usage.cost {
                    self.bar.set_message(format!("facts, about ${cost:.2} in all"));
                }
            }
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
