//! Arguments of `graphwright eval`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use graphwright::FlowName;

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
    /// Asks questions with known answers through the flows from questions to Cypher, and counts what is right, and what it takes
    ///
    /// Each question is asked through each flow of each model (`--model openai/gpt-4o-mini,ollama/qwen3`). The folder keeps every reply as
    /// soon as it is there: a run that was ended goes on where it stopped, and `--replay` gives the same report without a model. The model
    /// `player` knows the gold queries and makes the faults of recorded replies at their rates; `player@0.5` mends one that it is
    /// told of half of the time, `player@0.5:0.9` judges rows rightly nine times in ten, and `player-even` makes all classes of faults
    /// equally often. --budget holds for each model by itself.
    #[command(name = "text2cypher")]
    Text2Cypher(Text2CypherArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "A line of questions.jsonl:
  {\"id\": \"1\", \"kind\": \"look_up\", \"question\": \"Who directed Heat?\", \"cypher\": \"MATCH …\"}
  {\"id\": \"2\", \"kind\": \"missing_schema\", \"question\": \"Which awards did Heat win?\", \"expects\": \"refusal\"}

Examples:
  graphwright eval text2cypher --model player
  graphwright eval text2cypher --model openai/gpt-4o-mini --flow naive,auto --judge openai/gpt-4o
  graphwright eval text2cypher --data questions.jsonl --store bolt://localhost --model ollama/qwen3
  graphwright eval text2cypher --replay text2cypher --out again")]
pub(crate) struct Text2CypherArguments {
    /// A folder with questions.jsonl and the graph (graph.jsonl, graph.cypher, graph.zip or a folder graph), or a file of questions about
    /// the graph of --store; may be repeated [default: 50 questions about films, which come with the command]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) data: Vec<PathBuf>,
    /// The flows [default: all]
    #[arg(long = "flow", value_name = "FLOWS", value_delimiter = ',', value_parser = super::flow_parser())]
    pub(crate) flows: Vec<FlowName>,
    /// The folder for all replies (run.jsonl), the report (report.json, report.md) and the picture (heat.svg)
    #[arg(long, visible_alias = "output", value_name = "FOLDER", default_value = "text2cypher")]
    pub(crate) out: PathBuf,
    /// Forgets what is in that folder and begins anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Plays what is in this folder again, without a model; times are those of then
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["judge", "trials", "seed"])]
    pub(crate) replay: Option<PathBuf>,
    /// The model that says how relevant answers are (RAGAS); without one, that is not measured
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// Asks only so many questions of each kind
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) each: Option<u32>,
    /// How often each question is asked
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) trials: u32,
    /// What the faults of the player are drawn from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many questions are worked on at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) concurrency: u32,
    /// The longest that a flow may take for a question, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "90", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) max_seconds: Duration,
    /// Writes the rows of the gold queries into the files of --data, and asks nobody
    #[arg(long, conflicts_with_all = ["replay", "each"])]
    pub(crate) fill: bool,
    /// Ends with code 1 if the last flow of a model in the table has less than so many per cent right
    #[arg(long, value_name = "PER CENT")]
    pub(crate) floor: Option<f64>,
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
