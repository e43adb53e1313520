//! A graph with the models that work on it.

use std::sync::Arc;

use graphwright_core::GraphStore;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use graphwright_llm::{ChatModel, Embedder};

use crate::{Result, Settings, models};

/// Whether a graph is opened to be written. One process at a time writes; any number read beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read.
    Read,
    /// To read and write; the store is made when there is none.
    Write,
}

/// A graph with the models that work on it.
#[derive(Debug)]
pub struct Graph {
    settings: Settings,
    store: Arc<dyn GraphStore>,
    model: Option<Arc<dyn ChatModel>>,
    embedder: Arc<dyn Embedder>,
}

impl Graph {
    /// Opens the store that the settings name.
    pub async fn open(settings: Settings, access: Access) -> Result<Self> {
        let options = match access {
            Access::Read => OpenOptions::reader(),
            Access::Write => OpenOptions::writer(),
        };
        let model = models::chat_model(&settings)?;
        let embedder = models::embedder(&settings)?;
        let store = Arc::new(EmbeddedStore::open(&settings.store, options).await?);
        Ok(Self { settings, store, model, embedder })
    }

    /// The store itself.
    pub fn store(&self) -> &Arc<dyn GraphStore> {
        &self.store
    }

    /// What it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The chat model, if one is set.
    pub fn model(&self) -> Option<&Arc<dyn ChatModel>> {
        self.model.as_ref()
    }

    /// What makes the vectors.
    pub fn embedder(&self) -> &Arc<dyn Embedder> {
        &self.embedder
    }
}
