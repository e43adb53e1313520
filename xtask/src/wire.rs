//! Recorded answers of model providers, as our client reads them.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use graphwright_eval::wire::{self, Report, Row};

/// The least share of exchanges that must be read right.
const FLOOR: f64 = 0.99;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder of recordings, with a folder for each provider; `wire` of the public data when none is named
    folder: Option<PathBuf>,
    /// The folder of public data, which has `wire`
    #[arg(long, env = "GRAPHWRIGHT_DATA")]
    data: Option<PathBuf>,
    /// Lists what was misread
    #[arg(long)]
    errors: bool,
}

/// Prints a table with a row for each provider. Fails if too little was read right.
pub(crate) fn score(options: &Options) -> Result<()> {
    let folder = match (&options.folder, &options.data) {
        (Some(folder), _) => folder.clone(),
        (None, Some(data)) => data.join("wire"),
        (None, None) => bail!("name a folder of recordings, or set GRAPHWRIGHT_DATA"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(wire::replay(&folder)).with_context(|| folder.display().to_string())?;
    print(&report);
    if options.errors {
        print_faults(&report);
    }
    let total = report.total();
    if total.compared == 0 {
        bail!("{} holds no exchange of chat or responses", folder.display());
    }
    if total.share() < FLOOR || total.told < total.cut {
        bail!(
            "less than {:.0} % are read right, or a cut stream is not told (--errors lists them)",
            FLOOR * 100.0
        );
    }
    Ok(())
}

fn print(report: &Report) {
    println!("{:<12} {:>9} {:>6} {:>7}  {:>11}  misread", "provider", "exchanges", "right", "", "cut, told");
    for (provider, row) in report.rows() {
        print_row(provider, &row);
    }
    print_row("all", &report.total());
    for (reason, count) in report.left_out() {
        println!("not compared: {count} × {reason}");
    }
}

fn print_row(name: &str, row: &Row) {
    let faults: Vec<String> = row.faults.iter().map(|(what, count)| format!("{what} {count}")).collect();
    let Row { compared, right, cut, told, .. } = row;
    let share = row.share() * 100.0;
    println!("{name:<12} {compared:>9} {right:>6} {share:>6.1}%  {cut:>5} {told:>5}  {}", faults.join(", "));
}

fn print_faults(report: &Report) {
    for outcome in &report.outcomes {
        if outcome.cut == Some(false) {
            println!("\n{}: the cut stream was taken for a whole one, or another error", outcome.name);
        }
        for fault in &outcome.faults {
            println!("\n{}: {}", outcome.name, fault.what);
            println!("  recorded {}\n  read     {}", shortened(&fault.expected), shortened(&fault.found));
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(300).collect::<String>().replace('\n', "⏎")
}
