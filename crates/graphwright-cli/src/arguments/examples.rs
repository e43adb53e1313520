//! Arguments of `graphwright examples`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use graphwright::ExampleStatus;
use jiff::Timestamp;

use super::routes::parse_moment;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright examples
  graphwright examples list --status candidate
  graphwright examples approve 4f0c2a91d3
  graphwright examples add 'Who owns ledger?' \"MATCH (t:Team)-[:OWNS]->(:Service {name: 'ledger'}) RETURN t.name\"
  graphwright examples export examples.jsonl")]
pub(crate) struct ExamplesArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ExamplesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExamplesCommand {
    /// Lists examples, the newest first
    #[command(after_help = "Examples:
  graphwright examples list --status kept
  graphwright examples list --question 'depend on' --json")]
    List(ExampleListArguments),
    /// Shows one: the question, the query, where it comes from and what speaks for it
    #[command(after_help = "Example:
  graphwright examples show 4f0c2a91d3")]
    Show {
        /// Its identifier, as `list` prints it, or the beginning of it
        id: String,
    },
    /// Adds a question with the query that answers it
    #[command(after_help = "Example:
  graphwright examples add 'How many services are there?' 'MATCH (s:Service) RETURN count(s)'")]
    Add {
        /// The question
        question: String,
        /// The query, which only reads
        cypher: String,
    },
    /// Lets models be shown a candidate from now on
    #[command(after_help = "Example:
  graphwright examples approve 4f0c2a91d3")]
    Approve {
        /// Its identifier, as `list` prints it, or the beginning of it
        id: String,
    },
    /// Replaces the question or the query of one, and approves it
    #[command(
        group = ArgGroup::new("what").required(true).multiple(true).args(["question", "cypher"]),
        after_help = "Example:
  graphwright examples edit 4f0c2a91d3 --cypher 'MATCH (s:Service) RETURN count(DISTINCT s)'"
    )]
    Edit {
        /// Its identifier, as `list` prints it, or the beginning of it
        id: String,
        /// The question
        #[arg(long, value_name = "QUESTION")]
        question: Option<String>,
        /// The query, which only reads
        #[arg(long, value_name = "QUERY")]
        cypher: Option<String>,
    },
    /// Verifies those that were learned under another schema: their queries must run and give rows; no model is asked
    #[command(after_help = "Example:
  graphwright examples verify")]
    Verify,
    /// Writes all examples as JSON Lines, the oldest first
    #[command(after_help = "Examples:
  graphwright examples export examples.jsonl
  graphwright examples export | jq .cypher")]
    Export {
        /// The file; without it, standard output
        file: Option<PathBuf>,
    },
    /// Reads examples from JSON Lines, as `export` writes them, or with question and cypher alone
    #[command(after_help = "Example:
  graphwright examples import examples.jsonl")]
    Import {
        /// The file
        file: PathBuf,
    },
    /// Forgets examples; at a terminal it asks before it does
    #[command(after_help = "Examples:
  graphwright examples forget 4f0c2a91d3
  graphwright examples forget --status candidate
  graphwright examples forget --before 2025-01-01
  graphwright examples forget --all --yes")]
    Forget(ForgetArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ExampleListArguments {
    /// Only those of this status
    #[arg(long, value_enum)]
    pub(crate) status: Option<Status>,
    /// Only questions with these words in them
    #[arg(long, value_name = "WORDS")]
    pub(crate) question: Option<String>,
    /// The most examples
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
}

impl Default for ExampleListArguments {
    fn default() -> Self {
        Self { status: None, question: None, limit: 20 }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArguments {
    /// The identifier of one, as `list` prints it, or the beginning of it
    #[arg(required_unless_present_any = ["before", "all", "status"], conflicts_with_all = ["before", "all", "status"])]
    pub(crate) id: Option<String>,
    /// All that were learned before this day or moment, as 2025-01-31 or 2025-01-31T12:00:00Z (days begin at midnight UTC)
    #[arg(long, value_name = "DATE", value_parser = parse_moment, conflicts_with = "all")]
    pub(crate) before: Option<Timestamp>,
    /// All of this status
    #[arg(long, value_enum, conflicts_with = "all")]
    pub(crate) status: Option<Status>,
    /// All of them
    #[arg(long)]
    pub(crate) all: bool,
    /// Forgets without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Status {
    /// Models are shown it
    Kept,
    /// It waits for review: something does not speak for it, or speaks against it
    Candidate,
}

impl From<Status> for ExampleStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Kept => Self::Kept,
            Status::Candidate => Self::Candidate,
        }
    }
}
