//! Arguments of `graphwright chat` and `graphwright mcp`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "In a conversation:
  /trace   what the agent did for the last answer
  /graph   the paths that prove the last answer
  /cost    what the model took so far
  /right   the last answer is right; so says `graphwright routes` then
  /wrong   the last answer is wrong
  /help    these commands
  /quit    ends; so does Ctrl-D

Examples:
  graphwright chat --model openai/gpt-4o-mini
  graphwright chat --thread migration
  echo 'Who owns ledger?' | graphwright chat --json")]
pub(crate) struct ChatArguments {
    /// Goes on with the conversation of this name, or begins it; it is kept in the store. Without, nothing is kept
    #[arg(long, value_name = "NAME")]
    pub(crate) thread: Option<String>,
    /// Finishes the answer that was interrupted in the conversation, first
    #[arg(long, requires = "thread")]
    pub(crate) resume: bool,
    /// Prints every step as a line of JSON, each answer last
    #[arg(long)]
    pub(crate) events: bool,
    #[command(flatten)]
    pub(crate) agent: AgentArguments,
}

/// How far an agent may go, and what is recorded of it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Agent")]
pub(crate) struct AgentArguments {
    /// How many times the agent may call tools for one answer [default: 20]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_steps: Option<usize>,
    /// The most tokens, sent and received, for one answer
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_tokens: Option<u64>,
    /// How many seconds one answer may take [default: 600; with --flow 90]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_seconds: Option<u64>,
    /// Lets each tool see the latest of the graph, instead of all of them one moment of it
    #[arg(long)]
    pub(crate) latest: bool,
    /// Neither follows routes of earlier runs nor records one, as `graphwright routes` would show it
    #[arg(long)]
    pub(crate) no_routes: bool,
}

impl AgentArguments {
    /// Returns whether any of the arguments is given.
    pub(crate) fn is_given(&self) -> bool {
        let limits = self.max_steps.is_some() || self.max_tokens.is_some() || self.max_seconds.is_some();
        limits || self.latest || self.no_routes
    }

    /// Returns whether any of the arguments is given that a flow does not have.
    pub(crate) fn is_for_agents_alone(&self) -> bool {
        self.max_steps.is_some() || self.max_tokens.is_some() || self.latest || self.no_routes
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "A client starts this command itself; docs/mcp.md has the settings for the common ones. As an example:
  {\"mcpServers\": {\"graphwright\": {\"command\": \"graphwright\", \"args\": [\"mcp\", \"--store\", \"/path/to/.graphwright\"]}}}
Over HTTP, for clients that come to it:
  graphwright mcp --http
  graphwright mcp --http 0.0.0.0:8765 --token-env MCP_TOKEN --allow-host graphs.example.org"
)]
pub(crate) struct McpArguments {
    /// Also offers a tool that writes, through the gate's write mode; over HTTP it needs --token-env
    #[arg(long)]
    pub(crate) write: bool,
    /// How many seconds a call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) max_seconds: u64,
    /// The most tokens of a result's text
    #[arg(long, value_name = "NUMBER", default_value_t = 8_000)]
    pub(crate) max_tokens: u64,
    #[command(flatten)]
    pub(crate) http: HttpArguments,
}

/// Where and for whom to serve over HTTP.
#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub(crate) struct HttpArguments {
    /// Serves many clients over HTTP, at this address and the path /mcp, instead of one at standard input and output; without an address,
    /// programs on this machine at 127.0.0.1:8765
    #[arg(long = "http", value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:8765")]
    pub(crate) address: Option<String>,
    /// The environment variable with the token that clients must send, as `Authorization: Bearer …`; needed where other machines can reach the
    /// address
    #[arg(long, value_name = "NAME", requires = "address")]
    pub(crate) token_env: Option<String>,
    /// A host, beside those of this machine, by which clients and pages reach the service; may be given several times
    #[arg(long, value_name = "HOST", requires = "address")]
    pub(crate) allow_host: Vec<String>,
}
