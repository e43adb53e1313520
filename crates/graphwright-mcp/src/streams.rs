//! Serves one client over streams: standard input and output, or two of the caller's.

use graphwright::CancellationToken;
use rmcp::{ServiceExt, service::QuitReason, transport::stdio};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{McpError, McpServer, Result, handler::Handler};

impl McpServer {
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
