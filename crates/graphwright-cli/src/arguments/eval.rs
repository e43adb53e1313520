//! Arguments of `graphwright eval`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};

use super::{SearchMode, cypher::parse_seconds};

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Replays Cypher that models wrote through gate, lint and repair, and counts what runs and what is right
    ///
    /// Each line of a file is an object with `graph`, `gold_cypher`, `pred_cypher` and, where they were recorded, `metrics`
    /// (`executable`, `execution_accuracy`). Verdicts, report and plot are kept in a folder; a run that was ended goes on
    /// where it stopped.
    Replay(ReplayArguments),
    /// Lets the model read documents and answer questions, and compares that with what people wrote down
    ///
    /// A new graph is made and thrown away: the model reads the sample (a software catalogue, examples/software-catalogue), or the
    /// folder, into it, answers its questions from evidence, and answers them again as an agent. The calls are paid as usual.
    Live(LiveArguments),
    /// Asks questions whose passages are known, and counts how many of these search finds
    ///
    /// The files have the forms of HippoRAG, in which MuSiQue, HotpotQA, 2WikiMultihopQA and others are published. All ways
    /// of searching are compared, the default one last. Recall at k (R@k) is the share of a question's passages among the first k found, averaged
    /// over the questions.
    Retrieval(RetrievalArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright eval live --model openai/gpt-4o-mini
  graphwright eval live --model ollama/qwen3 --questions 5 --no-agent")]
pub(crate) struct LiveArguments {
    /// A folder with documents, ontology.yaml, gold.jsonl and questions.jsonl, in place of the sample
    pub(crate) folder: Option<PathBuf>,
    /// Asks only so many of the questions
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) questions: Option<u32>,
    /// Leaves out the agent
    #[arg(long)]
    pub(crate) no_agent: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Forms of the files:
  corpus     [{\"title\": …, \"text\": …}, …] or {\"title\": [\"sentence\", …], …}
  questions  [{\"question\": …, \"paragraphs\": [{\"title\": …, \"text\": …, \"is_supporting\": true}, …]}, …], or with
             \"supporting_facts\": [[\"title\", 0], …] and \"context\": [[\"title\", [\"sentence\", …]], …]
  triples    {\"docs\": [{\"passage\": \"title\\ntext\", \"extracted_triples\": [[\"a\", \"is\", \"b\"], …]}, …]}

Example:
  graphwright eval retrieval --corpus musique_corpus.json --questions musique.json --svg recall.svg")]
pub(crate) struct RetrievalArguments {
    /// The passages
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus: PathBuf,
    /// The questions, with the passages that answer them
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: PathBuf,
    /// Triples that were extracted from the passages; without them only the texts are read
    #[arg(long, value_name = "FILE")]
    pub(crate) triples: Option<PathBuf>,
    /// Draws the figures into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Measures only this way of searching; may be repeated
    #[arg(long = "mode", value_enum, value_name = "MODE")]
    pub(crate) modes: Vec<SearchMode>,
    /// Ends with code 1 if recall at 5 of the last way of searching in the table is below so many per cent
    #[arg(long, value_name = "PER CENT")]
    pub(crate) floor: Option<f64>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright eval replay model.jsonl
  graphwright eval replay runs/*.jsonl --graph shop=.graphwright --graph films=bolt://localhost:7687")]
pub(crate) struct ReplayArguments {
    /// Files of JSON Lines
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// The store of a graph by the name that the files give it: a folder or an address; user and password are those of the
    /// settings. Without one, the graph's queries are checked and not run
    #[arg(long = "graph", value_name = "NAME=STORE")]
    pub(crate) graphs: Vec<String>,
    /// The schema of a graph as `graphwright schema --json` prints it; without one that of its store
    #[arg(long = "schema-file", value_name = "NAME=FILE")]
    pub(crate) schema_files: Vec<String>,
    /// The folder for verdicts, report and plot
    #[arg(long, value_name = "FOLDER", default_value = "replay")]
    pub(crate) output: PathBuf,
    /// Forgets the verdicts in that folder and begins anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Takes so many lines of each file, spread over it
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: Option<u32>,
    /// The longest that a query may run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Duration,
    /// How many questions are worked on at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) jobs: u32,
}
