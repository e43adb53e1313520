//! Arguments of `graphwright ask`, `context` and `suggest`.

use clap::{Args, ValueEnum};
use graphwright::FlowName;

use super::{AgentArguments, flow_parser, parse_confidence};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright ask \"Which services written in Go use auth-lib-v2?\"
  graphwright ask \"What connects mail-courier and report-builder?\" --json
  graphwright ask \"Which team owns the most services?\" --flow retry-check --model openai/gpt-4o-mini")]
pub(crate) struct AskArguments {
    /// The question
    #[arg(required_unless_present = "batch", value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// Reads questions as JSON Lines from standard input and prints one answer a line
    #[arg(long, conflicts_with = "question")]
    pub(crate) batch: bool,
    /// Answers all readings of an ambiguous question, merged
    #[arg(long)]
    pub(crate) all_readings: bool,
    /// Takes this reading of an ambiguous question, as they are numbered from 1
    #[arg(long, value_name = "NUMBER", conflicts_with = "all_readings")]
    pub(crate) reading: Option<usize>,
    /// The most relationships on a path between two things (else 5), and in a row where any number is meant (else 10)
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=20))]
    pub(crate) hops: Option<u8>,
    /// Prints every step as a line of JSON, the answer last
    #[arg(long)]
    pub(crate) events: bool,
    /// Lets the graph alone answer, even if a model is set
    #[arg(long)]
    pub(crate) no_model: bool,
    /// Reads the question by its own words alone, even if `learn` has taught how it is meant
    #[arg(long)]
    pub(crate) no_learned: bool,
    /// Leaves out what a model says and the evidence does not bear out, which is marked otherwise
    #[arg(long)]
    pub(crate) strict: bool,
    /// Lets an agent of the model look for itself in the graph, with tools
    #[arg(long, conflicts_with_all = ["no_model", "reading", "all_readings"])]
    pub(crate) agent: bool,
    /// Lets the model write Cypher, which is checked and run read-only, in the way of this flow [default: auto]
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        default_missing_value = "auto",
        value_parser = flow_parser(),
        conflicts_with_all = ["agent", "no_model", "reading", "all_readings"]
    )]
    pub(crate) flow: Option<FlowName>,
    /// A label or relationship type that --flow does not tell the model of, and that no query of it may name; may be given several times
    #[arg(long, value_name = "NAME", requires = "flow")]
    pub(crate) leave_out: Vec<String>,
    /// Shows the model of --flow no examples, and learns none
    #[arg(long, requires = "flow")]
    pub(crate) no_examples: bool,
    #[command(flatten)]
    pub(crate) evidence: EvidenceArguments,
    #[command(flatten)]
    pub(crate) limits: AgentArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ContextArguments {
    /// The question, or what the context is for
    #[arg(required_unless_present = "batch", value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// Reads questions as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "question")]
    pub(crate) batch: bool,
    /// The form of the text
    #[arg(long = "context", value_enum, value_name = "FORM", default_value_t = ContextForm::Markdown)]
    pub(crate) form: ContextForm,
    /// Tells what brought each piece
    #[arg(long)]
    pub(crate) explain: bool,
    /// Only entities of this type, and facts about them; may be given several times
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    #[command(flatten)]
    pub(crate) evidence: EvidenceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SuggestArguments {
    /// How many at most
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) limit: usize,
}

/// How evidence is gathered.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct EvidenceArguments {
    /// From how many of the best passages, entities and facts the graph is walked; 5 unless the settings say other
    #[arg(long, value_name = "NUMBER")]
    pub(crate) k: Option<usize>,
    /// The most steps of a walk; 5
    #[arg(long, value_name = "STEPS")]
    pub(crate) depth: Option<usize>,
    /// The least product of weights on the way to what a walk reaches, from 0 to 1; 0.5
    #[arg(long, value_name = "PRODUCT", value_parser = parse_confidence)]
    pub(crate) minimum: Option<f64>,
    /// The most tokens of evidence; 6,000
    #[arg(long, value_name = "TOKENS")]
    pub(crate) evidence_tokens: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContextForm {
    /// Headings and lists
    Markdown,
    /// One object
    Json,
    /// Nodes and patterns as Cypher writes them
    Cypher,
}
