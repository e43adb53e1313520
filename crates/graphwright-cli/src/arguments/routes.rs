//! Arguments of `graphwright routes`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use graphwright::{RouteOutcome, RouteVerdict};
use jiff::{Timestamp, civil::Date, tz::TimeZone};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  graphwright routes
  graphwright routes --kind 'depend on'
  graphwright routes list --outcome refused
  graphwright routes verdict 4f0c2a91d3 wrong
  graphwright routes export routes.jsonl")]
pub(crate) struct RoutesArguments {
    #[command(subcommand)]
    pub(crate) command: Option<RoutesCommand>,
    /// Only kinds of question with these words in them, as `<Service> depend on`
    #[arg(long, value_name = "WORDS")]
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RoutesCommand {
    /// Lists single runs, the newest first
    #[command(after_help = "Examples:
  graphwright routes list --limit 5
  graphwright routes list --kind '<Service>' --outcome failed --json")]
    List(ListArguments),
    /// Shows one run: the question, what it links to, each call of a tool, the answer and what it took
    #[command(after_help = "Example:
  graphwright routes show 4f0c2a91d3")]
    Show {
        /// Its identifier, as `list` prints it, or the beginning of it
        id: String,
    },
    /// Says whether the answer of a run is right; that counts more than the run's own outcome
    #[command(after_help = "Example:
  graphwright routes verdict 4f0c2a91d3 right")]
    Verdict {
        /// Its identifier, as `list` prints it, or the beginning of it
        id: String,
        /// What you say
        #[arg(value_enum)]
        verdict: Verdict,
    },
    /// Writes all runs as JSON Lines, the oldest first
    #[command(after_help = "Examples:
  graphwright routes export routes.jsonl
  graphwright routes export | jq .kind")]
    Export {
        /// The file; without it, standard output
        file: Option<PathBuf>,
    },
    /// Deletes runs; at a terminal it asks before it does
    #[command(after_help = "Examples:
  graphwright routes delete 4f0c2a91d3
  graphwright routes delete --before 2025-01-01
  graphwright routes delete --all --yes")]
    Delete(DeleteArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Only kinds of question with these words in them
    #[arg(long, value_name = "WORDS")]
    pub(crate) kind: Option<String>,
    /// Only runs that came out so
    #[arg(long, value_enum)]
    pub(crate) outcome: Option<Outcome>,
    /// The most runs
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArguments {
    /// The identifier of one run, as `list` prints it, or the beginning of it
    #[arg(required_unless_present_any = ["before", "all"], conflicts_with_all = ["before", "all"])]
    pub(crate) id: Option<String>,
    /// All runs before this day or moment, as 2025-01-31 or 2025-01-31T12:00:00Z (days begin at midnight UTC)
    #[arg(long, value_name = "DATE", value_parser = parse_moment, conflicts_with = "all")]
    pub(crate) before: Option<Timestamp>,
    /// All runs
    #[arg(long)]
    pub(crate) all: bool,
    /// Deletes without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    /// With an answer that the results of tools bear out
    Answered,
    /// The agent says that the graph does not know
    #[value(alias = "not_in_graph")]
    NotInGraph,
    /// The answer was refused, since nothing bears it out
    Refused,
    /// The model failed or a limit was reached
    Failed,
}

impl From<Outcome> for RouteOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answered => Self::Answered,
            Outcome::NotInGraph => Self::NotInGraph,
            Outcome::Refused => Self::Refused,
            Outcome::Failed => Self::Failed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verdict {
    /// The answer is right
    Right,
    /// The answer is wrong
    Wrong,
}

impl From<Verdict> for RouteVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Right => Self::Right,
            Verdict::Wrong => Self::Wrong,
        }
    }
}

pub(super) fn parse_moment(text: &str) -> Result<Timestamp, String> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let day = text.parse::<Date>().and_then(|day| day.to_zoned(TimeZone::UTC));
    day.map(|day| day.timestamp())
        .map_err(|_| "it is not a day or moment, as 2025-01-31 or 2025-01-31T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        assert_eq!(parse_moment("2025-01-31").unwrap().to_string(), "2025-01-31T00:00:00Z");
        assert_eq!(parse_moment("2025-01-31T01:00:00+01:00"), parse_moment("2025-01-31"));
        assert!(parse_moment("yesterday").is_err());
    }
}
