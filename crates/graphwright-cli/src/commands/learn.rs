//! Runs `graphwright learn`.

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use graphwright::{Access, Graph, LearnPair, LearnQuality, LearnReport, LearnedState};
use serde_json::json;

use super::open;
use crate::{
    arguments::{Global, LearnArguments},
    failure::UsageError,
    output::{self, Output},
    render::{self, count},
};

/// The most pairs of which the reasons are shown to people; `--json` has all.
const SHOWN: usize = 10;

pub(crate) async fn run(global: &Global, arguments: &LearnArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    if arguments.forget {
        let forgotten = graph.forget().await?;
        let text = if forgotten { "What was learned is forgotten." } else { "Nothing was learned yet." };
        output.print(&json!({ "forgotten": forgotten }), |_| text.to_owned())?;
    } else if arguments.show {
        show(&graph, output).await?;
    } else if let Some(file) = &arguments.pairs {
        let pairs = read(file)?;
        let is_quiet = global.quiet || global.json;
        let tell = move |what: &str| {
            if !is_quiet {
                output::remark(what);
            }
        };
        let report = graph.learn(pairs, tell).await?;
        output.print(&report, report_text)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(graph: &Graph, output: &Output) -> Result<()> {
    let learned = graph.learned().await?;
    output.print(&json!({ "learned": learned }), |_| match &learned {
        None => "Nothing was learned yet; `graphwright learn PAIRS.jsonl` learns.".to_owned(),
        Some(learned) => state_text(learned),
    })
}

/// Reads pairs; the first line that is none ends it.
fn read(file: &PathBuf) -> Result<Vec<LearnPair>> {
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    let mut pairs = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let pair: LearnPair = serde_json::from_str(line).map_err(|error| {
            UsageError::new(
                format!("{}, line {}: {error}", file.display(), at + 1),
                "each line is an object with `question`, and `cypher` or `answers` (and with answers, perhaps `topic`)",
            )
        })?;
        pairs.push(pair);
    }
    Ok(pairs)
}

fn report_text(report: &LearnReport) -> String {
    let mut text = format!("Learned from {} of {}.\n", report.used, count(report.pairs, "pair"));
    for left_out in report.left_out.iter().take(SHOWN) {
        let question = render::shorten(&left_out.question, 80);
        text.push_str(&render::line(&format!(
            "  pair {} {question:?}: {}",
            left_out.number, left_out.reason
        )));
    }
    let more = report.left_out.len().saturating_sub(SHOWN);
    if more > 0 {
        text.push_str(&format!("  and {more} more; --json lists all\n"));
    }
    text.push_str(&quality_text(&report.quality, report.threshold));
    text.push_str(&format!("Kept in {}\n", report.file.display()));
    text
}

fn state_text(learned: &LearnedState) -> String {
    let mut text = format!("Learned from {}.\n", count(learned.quality.pairs, "pair"));
    text.push_str(&quality_text(&learned.quality, learned.threshold));
    if learned.schema_changed {
        text.push_str("The graph has other labels, types or properties since: learn again.\n");
    }
    text.push_str(&format!("Kept in {}\n", learned.file.display()));
    text
}

fn quality_text(quality: &LearnQuality, threshold: f64) -> String {
    if quality.measured == 0 {
        return "Too few pairs to measure how well questions are read.\n".to_owned();
    }
    format!(
        "Of {} kept apart, {:.1} % are read right. From a confidence of {threshold:.2} on, {:.1} % are answered, and {:.1} % of these right.\n",
        count(quality.measured, "question"),
        quality.right * 100.0,
        quality.answered * 100.0,
        quality.right_of_answered * 100.0,
    )
}
