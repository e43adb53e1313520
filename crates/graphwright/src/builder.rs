//! Opening a graph step by step.

use std::path::PathBuf;

use crate::{Access, Graph, Result, Settings, StoreSettings};

/// Opens a graph: [`Graph::builder`].
///
/// What is named here goes before what [`settings`](Self::settings) say, in whichever order they are given.
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
    /// Where the graph is: a folder, the address of a Neo4j server as `bolt://localhost`, or
    /// [`Neo4jSettings`](crate::Neo4jSettings) with who opens it. `.graphwright` when nothing says it.
    pub fn store(mut self, store: impl Into<StoreSettings>) -> Self {
        self.store = Some(store.into());
        self
    }

    /// The chat model, as `openai/gpt-4o-mini`; its key comes with the [settings](Self::settings).
    /// [`Graph::with_model`] takes one of your own.
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// What makes the vectors: `builtin`, a sentence-transformers folder, or `provider/model`.
    /// [`Graph::with_embedder`] takes one of your own.
    pub fn embedder(mut self, name: impl Into<String>) -> Self {
        self.embedder = Some(name.into());
        self
    }

    /// Only to read.
    pub fn read_only(self) -> Self {
        self.access(Access::Read)
    }

    /// Whether it is opened to be written, as it is when nothing else is said.
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Everything else, as [`Settings::from_env`] reads it.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Opens the graph.
    ///
    /// # Errors
    /// When the store cannot be opened; when a key is missing or a feature of this crate was left out.
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
    /// Opens a graph step by step.
    pub fn builder() -> GraphBuilder {
        GraphBuilder { settings: None, store: None, model: None, embedder: None, access: Access::Write }
    }
}

impl From<&str> for StoreSettings {
    fn from(store: &str) -> Self {
        Self::from(store.to_owned())
    }
}

/// A folder, or the address of a Neo4j server that anybody may open.
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
