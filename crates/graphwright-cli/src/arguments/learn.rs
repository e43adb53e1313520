//! Arguments of `graphwright learn`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "Each line of PAIRS.jsonl is an object with `question`, and with `cypher` or `answers`:

  {\"question\": \"Who owns ledger?\", \"cypher\": \"MATCH (t:Team)-[:OWNS]->(s:Service {name: 'ledger'}) RETURN t\"}
  {\"question\": \"who owns search\", \"answers\": [\"Discovery\"], \"topic\": \"search\"}

Examples:
  graphwright learn pairs.jsonl
  graphwright learn --show
  graphwright ask \"Who owns billing?\"
  graphwright learn --forget"
)]
pub(crate) struct LearnArguments {
    /// The file of pairs, as JSON Lines; - for standard input
    #[arg(value_name = "PAIRS", required_unless_present_any = ["show", "forget"])]
    pub(crate) pairs: Option<PathBuf>,
    /// Shows what was learned, and how well it reads questions that it has not seen
    #[arg(long, conflicts_with = "pairs")]
    pub(crate) show: bool,
    /// Forgets what was learned
    #[arg(long, conflicts_with_all = ["pairs", "show"])]
    pub(crate) forget: bool,
}
