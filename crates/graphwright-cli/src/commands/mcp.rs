//! Runs `graphwright mcp`.

use std::{process::ExitCode, sync::Arc, time::Duration};

use anyhow::Result;
use graphwright::{Access, CancellationToken, StoreSettings};
use graphwright_mcp::{BearerToken, HTTP_PATH, HttpOptions, McpLimits, McpServer};
use tokio::net::TcpListener;

use super::{interrupt, open};
use crate::{
    arguments::{Global, HttpArguments, McpArguments},
    failure::UsageError,
    output::Output,
};

/// Minimum length of a token. A shorter one could be guessed.
const TOKEN_CHARACTERS: usize = 16;

pub(crate) async fn run(global: &Global, arguments: &McpArguments, output: &Output) -> Result<ExitCode> {
    // Reports a wrong address before the graph is opened.
    let endpoint = match &arguments.http.address {
        Some(address) => Some(HttpEndpoint::open(address, &arguments.http, arguments.write).await?),
        None => None,
    };
    let access = if arguments.write { Access::Write } else { Access::Read };
    let graph = open(global, access).await?;
    // Reading all of a server again takes a while; who only reads need not wait until a change by others is read.
    let waits = arguments.write || !matches!(graph.settings().store, StoreSettings::Neo4j(_));
    let graph = Arc::new(if waits { graph } else { graph.renewed_in_background() });
    let limits = McpLimits {
        text_tokens: arguments.max_tokens,
        time: Duration::from_secs(arguments.max_seconds),
        ..McpLimits::default()
    };
    let server = McpServer::from_graph(&graph, arguments.write)?.with_limits(limits);
    let stop = CancellationToken::new();
    interrupt::cancel_on_request(stop.clone(), output);
    match endpoint {
        Some(HttpEndpoint { listener, options }) => {
            output.note(&format!("serving http://{}{HTTP_PATH}; Ctrl-C ends", listener.local_addr()?));
            server.serve_http(listener, options, stop).await?;
        }
        None => server.serve_stdio(stop).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Listener and options of the service over HTTP.
struct HttpEndpoint {
    listener: TcpListener,
    options: HttpOptions,
}

impl HttpEndpoint {
    async fn open(address: &str, arguments: &HttpArguments, write: bool) -> Result<Self> {
        let token = arguments.token_env.as_deref().map(token).transpose()?;
        if write && token.is_none() {
            return Err(needs_token("--write lets everybody on this machine change the graph over HTTP"));
        }
        let listener = TcpListener::bind(address).await.map_err(|error| {
            let message = format!("cannot listen at {address}: {error}");
            UsageError::new(
                message,
                "name an address of this machine and a port that is free, as 127.0.0.1:8765",
            )
        })?;
        let ip = listener.local_addr()?.ip();
        if !ip.is_loopback() && token.is_none() {
            return Err(needs_token(&format!("{address} can be reached from other machines")));
        }
        let mut options = HttpOptions { token, ..HttpOptions::default() };
        // The unspecified address stands for all and is none that a client names.
        if !ip.is_loopback() && !ip.is_unspecified() {
            options.hosts.push(ip.to_string());
        }
        options.hosts.extend(arguments.allow_host.iter().cloned());
        Ok(Self { listener, options })
    }
}

fn needs_token(why: &str) -> anyhow::Error {
    let hint =
        "name the environment variable that holds a token with --token-env, or serve without what needs one";
    UsageError::new(format!("{why}, and no token keeps them out"), hint).into()
}

fn token(variable: &str) -> Result<BearerToken> {
    let secret = std::env::var(variable).unwrap_or_default();
    let secret = secret.trim();
    if secret.len() < TOKEN_CHARACTERS || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = format!(
            "the environment variable {variable} holds no token of at least {TOKEN_CHARACTERS} letters, digits and signs"
        );
        return Err(UsageError::new(message, "make one, as with: openssl rand -hex 32").into());
    }
    Ok(BearerToken::new(secret))
}
