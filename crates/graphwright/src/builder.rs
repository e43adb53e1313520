//! The builder that opens a graph.

use std::path::PathBuf;

use crate::{Access, Graph, Result, Settings, StoreSettings};

/// Builder of a [`Graph`]. Made by [`Graph::builder`].
///
/// What is set here wins over [`settings`](Self::settings), in whichever order the calls come.
///
/// ```
/// use graphwright::Graph;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let folder = tempfile::tempdir()?;
/// let graph = Graph::builder().store(folder.path().join("graph")).build().await?;
/// assert!(graph.model().is_none());
/// drop(graph);
///
/// let reader = Graph::builder().store(folder.path().join("graph")).read_only().build().await?;
/// assert!(reader.cypher("CREATE (:Service)", [].into(), &Default::default()).await.is_err());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is opened until it is built"]
pub struct GraphBuilder {
    settings: Option<Settings>,
    store: Option<StoreSettings>,
    model: Option<String>,
    embedder: Option<String>,
    access: Access,
}

impl GraphBuilder {
    /// Sets where the graph is: a folder, the address of a Neo4j server such as `bolt://localhost`,
    /// or [`Neo4jSettings`](crate::Neo4jSettings) with a user. Defaults to `.graphwright`.
    pub fn store(mut self, store: impl Into<StoreSettings>) -> Self {
        self.store = Some(store.into());
        self
    }

    /// Sets the chat model, such as `openai/gpt-4o-mini`.
    ///
    /// Its key comes with the [settings](Self::settings). Use [`Graph::with_model`] for one of your
    /// own.
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Sets the embedder: `builtin`, a sentence-transformers folder, or `provider/model`.
    ///
    /// Use [`Graph::with_embedder`] for one of your own.
    pub fn embedder(mut self, name: impl Into<String>) -> Self {
        self.embedder = Some(name.into());
        self
    }

    /// Opens the graph only for reading.
    pub fn read_only(self) -> Self {
        self.access(Access::Read)
    }

    /// Sets whether the graph is opened for writing. Defaults to [`Access::Write`].
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Sets everything else, for example as [`Settings::from_env`] reads it.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Opens the graph.
    ///
    /// # Errors
    /// Fails if the store cannot be opened, a key is missing, or a feature of this crate was left
    /// out.
    pub async fn build(self) -> Result<Graph> {
        let mut settings = self.settings.unwrap_or_else(|| Settings::at(crate::settings::DEFAULT_STORE));
        if let Some(store) = self.store {
            settings.store = store;
        }
        if let Some(model) = self.model {
            settings.model = Some(model);
        }
        if let Some(embedder) = self.embedder {
            settings.embedder = embedder;
        }
        Graph::open(settings, self.access).await
    }
}

impl Graph {
    /// Creates a builder, which opens a graph step by step.
    pub fn builder() -> GraphBuilder {
        GraphBuilder { settings: None, store: None, model: None, embedder: None, access: Access::Write }
    }
}

impl From<&str> for StoreSettings {
    fn from(store: &str) -> Self {
        Self::from(store.to_owned())
    }
}

/// Reads a folder, or the address of a Neo4j server that needs no password.
impl From<String> for StoreSettings {
    fn from(store: String) -> Self {
        Self::from_variables(store, |_| None)
    }
}

impl From<PathBuf> for StoreSettings {
    fn from(folder: PathBuf) -> Self {
        Self::Folder(folder)
    }
}

impl From<&std::path::Path> for StoreSettings {
    fn from(folder: &std::path::Path) -> Self {
        Self::Folder(folder.to_owned())
    }
}

impl From<crate::Neo4jSettings> for StoreSettings {
    fn from(server: crate::Neo4jSettings) -> Self {
        Self::Neo4j(server)
    }
}
