//! Arguments of `graphwright cypher`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  graphwright cypher 'MATCH (s:Service {name: $name})-->(x) RETURN x.name' --param name=ledger
  echo 'MATCH (s:Servise) RETURN s' | graphwright cypher check")]
pub(crate) struct CypherArguments {
    #[command(subcommand)]
    pub(crate) command: Option<CypherCommand>,
    /// The query; parameters are written as $name
    #[arg(required_unless_present = "batch", value_name = "QUERY")]
    pub(crate) query: Option<String>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "query")]
    pub(crate) batch: bool,
    /// A parameter as name=value; the value is JSON, or else text
    #[arg(long = "param", short = 'p', value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Lets the query write (CREATE, MERGE, SET, REMOVE, DELETE); at a terminal it asks before it does
    #[arg(long)]
    pub(crate) write: bool,
    /// Takes the write back once it has run, and says what it would have changed
    #[arg(long, requires = "write", conflicts_with = "explain")]
    pub(crate) dry_run: bool,
    /// Writes without asking
    #[arg(long, short = 'y', requires = "write")]
    pub(crate) yes: bool,
    /// The most nodes, relationships, properties and labels that a write may change
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, requires = "write")]
    pub(crate) max_changes: u64,
    /// Lets a write make labels and relationship types that the graph and its ontology do not have
    #[arg(long, requires = "write")]
    pub(crate) new_names: bool,
    /// Shows by which plan the store would run the query, what makes it slow and which index would help; runs nothing
    #[arg(long)]
    pub(crate) explain: bool,
    /// Runs the query and shows its plan with what each step did, what makes it slow and which index would help
    #[arg(long, conflicts_with = "explain")]
    pub(crate) profile: bool,
    /// The most rows
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    pub(crate) limit: usize,
    /// The longest it may run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Duration,
}

pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is not a number of seconds, as 30 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[derive(Debug, Subcommand)]
pub(crate) enum CypherCommand {
    /// Says what is wrong with queries before they run; exit code 1 if one would fail or be refused
    Check(CheckArguments),
    /// Repairs queries without a model: misspelled names, turned arrows, habits of other languages, text around the query
    Fix(FixArguments),
    /// Writes queries in one form, with their comments
    Format(FormatArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright cypher check queries/*.cypher --schema-file schema.json
  echo 'MATCH (s:Servise) RETURN s' | graphwright cypher check --json")]
pub(crate) struct CheckArguments {
    /// Files of statements, `;` between them; `-` or nothing reads standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "files")]
    pub(crate) batch: bool,
    /// Queries may write
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) schema: SchemaSource,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright cypher fix answer.txt
  graphwright cypher fix --in-place queries/*.cypher")]
pub(crate) struct FixArguments {
    /// Files with one query each; `-` or nothing reads standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "files")]
    pub(crate) batch: bool,
    /// Writes the repaired queries into their files; a query that still has errors stays as it is
    #[arg(long, short, conflicts_with = "batch")]
    pub(crate) in_place: bool,
    #[command(flatten)]
    pub(crate) schema: SchemaSource,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright cypher format --in-place queries/*.cypher
  graphwright cypher format --check queries/*.cypher     exit code 1 if a file is written otherwise")]
pub(crate) struct FormatArguments {
    /// Files of statements, `;` between them; `-` or nothing reads standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// Writes into the files
    #[arg(long, short)]
    pub(crate) in_place: bool,
    /// Only tells which files are written otherwise
    #[arg(long, conflicts_with = "in_place")]
    pub(crate) check: bool,
}

/// Where the names come from that a query may use.
#[derive(Debug, Args)]
pub(crate) struct SchemaSource {
    /// The schema, as `graphwright schema --json` prints it [default: the store's, where there is a store]
    #[arg(long, value_name = "FILE")]
    pub(crate) schema_file: Option<PathBuf>,
    /// Looks at the queries alone
    #[arg(long, conflicts_with = "schema_file")]
    pub(crate) no_schema: bool,
}
