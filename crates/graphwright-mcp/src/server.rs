//! The service, and its transport over streams.

use std::{sync::Arc, time::Duration};

use graphwright::{CancellationToken, Toolbox};
use rmcp::{ServiceExt, service::QuitReason, transport::stdio};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{Library, McpError, Result, handler::Handler};

/// Limits on one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpLimits {
    /// Maximum tokens in the text of a result; 8,000 by default.
    pub text_tokens: u64,
    /// Maximum bytes of a result's structured content; 512 KiB by default. Content that is longer
    /// is left out, and the text says so.
    ///
    /// With the text, the default stays below the 1 MiB that the protocol's own Python client
    /// accepts as one event over HTTP.
    pub structured_bytes: usize,
    /// Maximum bytes of a text that is read by address; 512 KiB by default, for the reason above. A
    /// longer text is cut and says so.
    pub resource_bytes: usize,
    /// Maximum time of a call, or of reading a text; 60 seconds by default.
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

/// Serves tools, texts and prompts to clients of the Model Context Protocol. Clones share
/// everything.
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
    /// Creates a service of tools, without texts.
    pub fn new(tools: Toolbox) -> Self {
        Self { tools: Arc::new(tools), library: None, instructions: "".into(), limits: McpLimits::default() }
    }

    /// Sets the texts that clients can read.
    #[must_use]
    pub fn with_library(self, library: Arc<dyn Library>) -> Self {
        Self { library: Some(library), ..self }
    }

    /// Sets the instructions about the service as a whole for the client's model.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<Arc<str>>) -> Self {
        Self { instructions: instructions.into(), ..self }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(self, limits: McpLimits) -> Self {
        Self { limits, ..self }
    }

    /// Serves the client at standard input and output until it leaves or the work is cancelled.
    ///
    /// Nothing else may write to standard output meanwhile.
    ///
    /// # Errors
    /// If the client violates the protocol. A client that leaves is not an error.
    pub async fn serve_stdio(self, cancellation: CancellationToken) -> Result<()> {
        let (input, output) = stdio();
        self.serve(input, output, cancellation).await
    }

    /// Serves the client at the other end of two streams. Errors are those of
    /// [`serve_stdio`](Self::serve_stdio).
    pub async fn serve(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        cancellation: CancellationToken,
    ) -> Result<()> {
        let started = Handler(self).serve_with_ct((input, output), cancellation).await;
        let running = match started {
            Ok(running) => running,
            // A client that leaves at once, or a caller that cancels, is not an error.
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
