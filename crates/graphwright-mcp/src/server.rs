//! The service and its transports.

use std::{sync::Arc, time::Duration};

use graphwright::{CancellationToken, Toolbox};
use rmcp::{ServiceExt, service::QuitReason, transport::stdio};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{Library, McpError, Result, handler::Handler};

/// How much one answer may hold, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpLimits {
    /// The most tokens of the text of a result; 8,000 by default.
    pub text_tokens: u64,
    /// The most bytes of the structured content of a result; one with more is left out, and the text says so. 512 KiB by default: with the text
    /// beside it, that stays below the 1 MiB that the protocol's own Python client takes as one event over HTTP.
    pub structured_bytes: usize,
    /// The most bytes of a text that is read by its address; a longer one is cut, and says so. 512 KiB by default, for the same reason.
    pub resource_bytes: usize,
    /// How long a call, or reading a text, may take; 60 seconds by default.
    pub time: Duration,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            text_tokens: 8_000,
            structured_bytes: 1 << 19,
            resource_bytes: 1 << 19,
            time: Duration::from_mins(1),
        }
    }
}

/// Serves tools, texts and prompts to a client of the Model Context Protocol. Clones share everything.
///
/// ```no_run
/// use graphwright::Toolbox;
/// use graphwright_mcp::McpServer;
///
/// # async fn serve(tools: Toolbox) -> graphwright_mcp::Result<()> {
/// McpServer::new(tools).serve_stdio(Default::default()).await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct McpServer {
    pub(crate) tools: Arc<Toolbox>,
    pub(crate) library: Option<Arc<dyn Library>>,
    pub(crate) instructions: Arc<str>,
    pub(crate) limits: McpLimits,
}

impl McpServer {
    /// Of these tools, without texts.
    pub fn new(tools: Toolbox) -> Self {
        Self { tools: Arc::new(tools), library: None, instructions: "".into(), limits: McpLimits::default() }
    }

    /// The same with texts that clients can read.
    #[must_use]
    pub fn with_library(self, library: Arc<dyn Library>) -> Self {
        Self { library: Some(library), ..self }
    }

    /// The same with what the client's model is told about the service as a whole.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<Arc<str>>) -> Self {
        Self { instructions: instructions.into(), ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: McpLimits) -> Self {
        Self { limits, ..self }
    }

    /// Serves the client at standard input and output until it goes or the work is cancelled. Nothing else may write to standard output meanwhile.
    ///
    /// # Errors
    /// If the client does not keep to the protocol. That it goes is no error.
    pub async fn serve_stdio(self, cancellation: CancellationToken) -> Result<()> {
        let (input, output) = stdio();
        self.serve(input, output, cancellation).await
    }

    /// Serves the client at the other end of two streams. Errors are those of [`serve_stdio`](Self::serve_stdio).
    pub async fn serve(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        cancellation: CancellationToken,
    ) -> Result<()> {
        let started = Handler(self).serve_with_ct((input, output), cancellation).await;
        let running = match started {
            Ok(running) => running,
            // A client that looks and goes, or a caller that has had enough.
            Err(
                rmcp::service::ServerInitializeError::ConnectionClosed(_)
                | rmcp::service::ServerInitializeError::Cancelled,
            ) => return Ok(()),
            Err(error) => return Err(McpError::Handshake { message: error.to_string() }),
        };
        match running.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => {
                Err(McpError::Broken { message: error.to_string() })
            }
            Ok(_) => Ok(()),
        }
    }
}
