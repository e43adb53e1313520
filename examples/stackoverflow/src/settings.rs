//! Arguments that say where the graph is and which models work on it.

use std::path::PathBuf;

use clap::Args;
use graphwright::{Neo4jSettings, Secret, Settings, StoreSettings, is_credential_variable};

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
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::of(self.store());
        settings.model = self.model.clone().filter(|model| !model.is_empty());
        settings.embedder.clone_from(&self.embedder);
        let credentials = std::env::vars().filter(|(name, _)| is_credential_variable(name));
        settings.credentials = credentials.map(|(name, value)| (name, value.into())).collect();
        settings
    }

    fn store(&self) -> StoreSettings {
        if !self.store.contains("://") {
            return StoreSettings::Folder(PathBuf::from(&self.store));
        }
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        StoreSettings::Neo4j(Neo4jSettings {
            address: self.store.clone(),
            user: variable("NEO4J_USERNAME"),
            password: variable("NEO4J_PASSWORD").map(Secret::from),
            token: None,
            database: variable("NEO4J_DATABASE"),
            data: PathBuf::from(".stackoverflow"),
        })
    }
}
