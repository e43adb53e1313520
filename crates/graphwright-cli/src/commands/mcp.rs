//! `graphwright mcp`

use std::{process::ExitCode, sync::Arc, time::Duration};

use anyhow::Result;
use graphwright::{Access, CancellationToken};
use graphwright_mcp::{McpLimits, of_graph};

use super::{interrupt, open};
use crate::{
    arguments::{Global, McpArguments},
    output::Output,
};

pub(crate) async fn run(global: &Global, arguments: &McpArguments, output: &Output) -> Result<ExitCode> {
    let access = if arguments.write { Access::Write } else { Access::Read };
    let graph = Arc::new(open(global, access).await?);
    let limits = McpLimits {
        text_tokens: arguments.max_tokens,
        time: Duration::from_secs(arguments.max_seconds),
        ..McpLimits::default()
    };
    let server = of_graph(&graph, arguments.write)?.with_limits(limits);
    let stop = CancellationToken::new();
    interrupt::cancel_on_request(stop.clone(), output);
    server.serve_stdio(stop).await?;
    Ok(ExitCode::SUCCESS)
}
