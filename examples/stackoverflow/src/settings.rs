//! Arguments that say where the graph is and which models work on it.

use std::ffi::OsString;

use clap::Args;
use graphwright::{Result, Settings, StoreSettings};

#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The folder of the graph, or the address of a Neo4j server (with NEO4J_USERNAME and NEO4J_PASSWORD).
    #[arg(long, global = true, env = "GRAPHWRIGHT_STORE", default_value = ".stackoverflow")]
    store: String,
    /// The model of the agent, as openai/gpt-4o-mini; its key in the usual variable.
    #[arg(long, global = true, env = "GRAPHWRIGHT_MODEL")]
    model: Option<String>,
    /// What makes vectors of posts: builtin, or provider/model.
    #[arg(long, global = true, env = "GRAPHWRIGHT_EMBEDDER", default_value = "builtin")]
    embedder: String,
}

impl Place {
    pub(crate) fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::from_env()?;
        settings.store = self.store();
        settings.model = self.model.clone().filter(|model| !model.is_empty());
        settings.embedder.clone_from(&self.embedder);
        Ok(settings)
    }

    fn store(&self) -> StoreSettings {
        match StoreSettings::from_variables(&self.store, environment) {
            StoreSettings::Neo4j(server) => StoreSettings::Neo4j(server.data(".stackoverflow")),
            folder @ StoreSettings::Folder(_) => folder,
        }
    }
}

fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
