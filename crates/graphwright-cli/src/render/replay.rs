//! Formats the report of a replay.

use std::{collections::BTreeMap, fmt::Display, path::Path};

use graphwright_eval::replay::{Part, Share, Summary};

use super::Table;

/// Number of kinds of errors shown; the report in the folder has more.
const ERRORS: usize = 12;

pub(crate) fn replay_text(summary: &Summary) -> String {
    let mut text = String::new();
    if summary.total.executable.of > 0 {
        text.push_str(&runs(summary));
    }
    if summary.total.detection.recall().is_some() || summary.total.detection.precision().is_some() {
        text.push_str(&detection(summary));
    }
    let counts = [
        ("Diagnostics, by texts", counts(&summary.diagnostics)),
        ("Diagnostics after repair", counts(&summary.left)),
        ("Changes by repair", counts(&summary.changes)),
        ("Refused by repair", counts(&summary.refused)),
        ("Disagreements with the labels", counts(&summary.total.disagreements)),
    ];
    for (title, lines) in counts.iter().filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(&format!("\n{title}:\n{lines}"));
    }
    if !summary.errors.is_empty() {
        text.push_str("\nWhy queries do not run (before, after repair, before without a finding):\n");
    }
    for error in summary.errors.iter().take(ERRORS) {
        let message = super::shorten(&error.message, 80);
        text.push_str(&format!(
            "{:>7} {:>6} {:>6}  {}: {message}\n",
            error.before, error.after, error.unseen, error.code
        ));
    }
    text
}

fn runs(summary: &Summary) -> String {
    let header = [
        "file",
        "graph",
        "queries",
        "run %",
        "failing that run then %",
        "right %",
        "harm %",
        "labels agree %",
    ];
    let mut table = Table::new(header);
    for part in rows(summary) {
        let agreement = &part.agreement;
        table.add_row([
            file(part),
            graph(part),
            part.executable.of.to_string(),
            share(part.executable),
            percent(part.mended_share()),
            share(part.right),
            part.harm().map_or("-".to_owned(), |harm| format!("{harm:.2}")),
            format!(
                "{} / {}",
                percent_of(agreement.executable, agreement.executable_of),
                percent_of(agreement.right, agreement.right_of)
            ),
        ]);
    }
    format!("{table}\n")
}

fn detection(summary: &Summary) -> String {
    let mut table = Table::new(["file", "graph", "failing", "found", "precision", "recall", "F1"]);
    for part in rows(summary) {
        let detection = &part.detection;
        let figure = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        table.add_row([
            file(part),
            graph(part),
            (detection.found + detection.missed).to_string(),
            (detection.found + detection.wrong).to_string(),
            figure(detection.precision()),
            figure(detection.recall()),
            figure(detection.f1()),
        ]);
    }
    format!("\nQueries that cannot run, found without running them:\n{table}\n")
}

/// Returns parts if there are few, else files; then graphs, then the total.
fn rows(summary: &Summary) -> impl Iterator<Item = &Part> {
    let first = if summary.graphs.len() > 3 { &summary.files } else { &summary.parts };
    let graphs = if summary.graphs.len() > 1 && summary.files.len() > 1 { &summary.graphs[..] } else { &[] };
    let total = (first.len() > 1).then_some(&summary.total);
    first.iter().chain(graphs).chain(total)
}

fn file(part: &Part) -> String {
    let stem = |file: &String| Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    part.file.as_ref().map_or_else(|| "all".to_owned(), stem)
}

fn graph(part: &Part) -> String {
    part.graph.clone().unwrap_or_else(|| "all".to_owned())
}

fn share(share: Share) -> String {
    share.percentages().map_or("-".to_owned(), |(before, after)| format!("{before:.1} → {after:.1}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.1}"))
}

fn percent_of(part: usize, whole: usize) -> String {
    percent((whole > 0).then(|| 100.0 * part as f64 / whole as f64))
}

/// Formats counts, the most frequent first.
fn counts<K: Display>(counts: &BTreeMap<K, usize>) -> String {
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    sorted.into_iter().map(|(name, count)| format!("{count:>7}  {name}\n")).collect()
}
