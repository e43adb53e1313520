//! The service: its tools, texts, instructions and limits.

use std::sync::Arc;

use graphwright::Toolbox;

use crate::{Library, McpLimits};

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
}
