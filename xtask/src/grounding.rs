//! Measures the check of answers: how much of what is true it keeps, and how much of what is not it finds.

mod answers;
mod experts;
mod graphs;
mod judge;
mod wording;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::judge::Judge;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Answers that experts judged claim by claim (ExpertQA's form, one JSON object a line); those of the public data if
    /// none are named
    file: Option<PathBuf>,
    /// The folder of public data, which has `expertqa` and `graphs`
    #[arg(long, env = "GRAPHWRIGHT_DATA")]
    data: Option<PathBuf>,
    /// The seed of the answers made from public graphs, and of a played judge
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many answers are made
    #[arg(long, default_value_t = 1000)]
    answers: usize,
    /// Fails where fewer percent of the answers made from public graphs are read exactly
    #[arg(long)]
    floor: Option<f64>,
    /// Lists what was judged wrongly
    #[arg(long)]
    errors: bool,
    /// Lets a model judge, as provider/model, what the check keeps of the claims with the text of their evidence; its key comes from
    /// the environment. `player` or `player@0.8` plays one that is right so often
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    /// Leaves out the answers made from public graphs
    #[arg(long)]
    experts_only: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let data = || options.data.clone().context("GRAPHWRIGHT_DATA does not name the folder of public data");
    let file = options
        .file
        .clone()
        .map_or_else(|| Ok(data()?.join("expertqa/answers.jsonl")), Ok::<_, anyhow::Error>)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let judge = match &options.judge {
            Some(name) => Some(Judge::named(name, options.seed).await?),
            None => None,
        };
        experts::score(&file, options.errors, judge).await
    })?;
    if !options.experts_only {
        let right = answers::score(&data()?, options.seed, options.answers, options.errors)?;
        if let Some(floor) = options.floor.filter(|floor| right < *floor) {
            bail!("{right:.1} % of the answers are read exactly, fewer than {floor} %");
        }
    }
    Ok(())
}
