//! Opens the store that the settings name, and finds the folders beside it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::{GraphStore, text::public_address};
#[cfg(feature = "embedded")]
use graphwright_embedded::{EmbeddedStore, OpenOptions, Repair};
#[cfg(feature = "neo4j")]
use graphwright_neo4j::{Address, ConnectOptions, Credentials, Neo4jStore};

use crate::{Access, Error, Neo4jSettings, Result, Settings, StoreSettings, WorkerSettings};

pub(crate) async fn open(settings: &Settings, access: Access) -> Result<Arc<dyn GraphStore>> {
    match &settings.store {
        StoreSettings::Folder(folder) => open_folder(folder, &settings.workers, access).await,
        StoreSettings::Neo4j(settings) => connect(settings, access).await,
    }
}

#[cfg(feature = "embedded")]
async fn open_folder(folder: &Path, workers: &WorkerSettings, access: Access) -> Result<Arc<dyn GraphStore>> {
    let mut options = match access {
        Access::Read => OpenOptions::reader(),
        Access::Write => OpenOptions::writer(),
    };
    options.confinement = workers.confinement();
    Ok(Arc::new(EmbeddedStore::open(folder, options).await?))
}

#[cfg(feature = "embedded")]
pub(crate) async fn repair(settings: &StoreSettings) -> Result<Option<Repair>> {
    match settings {
        StoreSettings::Folder(folder) => Ok(EmbeddedStore::repair(folder).await?),
        StoreSettings::Neo4j(_) => Err(Error::Settings {
            message: format!("the graph at {settings} is on a server, which looks after its own files"),
            hint: "repair it there".to_owned(),
        }),
    }
}

#[cfg(not(feature = "embedded"))]
#[expect(clippy::unused_async, reason = "as the one that opens")]
async fn open_folder(folder: &Path, _: &WorkerSettings, _: Access) -> Result<Arc<dyn GraphStore>> {
    Err(Error::without_feature(&format!("the graph in {}", folder.display()), "embedded"))
}

#[cfg(feature = "neo4j")]
async fn connect(settings: &Neo4jSettings, access: Access) -> Result<Arc<dyn GraphStore>> {
    let address: Address = settings.address.parse()?;
    let mut options = ConnectOptions::new(address, credentials(settings)?);
    options.database.clone_from(&settings.database);
    options.write = access == Access::Write;
    Ok(Arc::new(Neo4jStore::connect(options).await?))
}

#[cfg(not(feature = "neo4j"))]
#[expect(clippy::unused_async, reason = "as the one that connects")]
async fn connect(settings: &Neo4jSettings, _: Access) -> Result<Arc<dyn GraphStore>> {
    Err(without_neo4j(settings))
}

#[cfg(not(feature = "neo4j"))]
fn without_neo4j(settings: &Neo4jSettings) -> Error {
    let server = StoreSettings::Neo4j(settings.clone());
    Error::without_feature(&format!("the graph at {server}"), "neo4j")
}

/// Returns the folder of a graph's search index. Whatever else is kept outside the store lies
/// beside that folder, under its name.
pub(crate) fn index_folder(settings: &StoreSettings) -> Result<PathBuf> {
    match settings {
        StoreSettings::Folder(folder) => Ok(folder.join("search")),
        StoreSettings::Neo4j(settings) => index_folder_of_server(settings),
    }
}

#[cfg(feature = "neo4j")]
fn index_folder_of_server(settings: &Neo4jSettings) -> Result<PathBuf> {
    let address: Address = settings.address.parse()?;
    Ok(settings.data.join("search").join(index_name(&address, settings)))
}

#[cfg(not(feature = "neo4j"))]
fn index_folder_of_server(settings: &Neo4jSettings) -> Result<PathBuf> {
    Err(without_neo4j(settings))
}

#[cfg(feature = "neo4j")]
fn credentials(settings: &Neo4jSettings) -> Result<Credentials> {
    match (&settings.token, &settings.user, &settings.password) {
        (Some(token), ..) => Ok(Credentials::Bearer(token.expose().to_owned().into())),
        (None, Some(user), Some(password)) => {
            Ok(Credentials::Basic { user: user.clone(), password: password.expose().to_owned().into() })
        }
        (None, None, None) => Ok(Credentials::None),
        (None, Some(user), None) => Err(Error::Settings {
            message: format!(
                "there is no password for the user `{user}` of {}",
                public_address(&settings.address)
            ),
            hint: "set NEO4J_PASSWORD".to_owned(),
        }),
        (None, None, Some(_)) => Err(Error::Settings {
            message: format!("there is a password but no user for {}", public_address(&settings.address)),
            hint: "set NEO4J_USERNAME".to_owned(),
        }),
    }
}

/// Names the index of a server's graph: readable, and different for each graph. `bolt://` and
/// `neo4j://` addresses of one server give one name.
#[cfg(feature = "neo4j")]
fn index_name(address: &Address, settings: &Neo4jSettings) -> String {
    let database = settings.database.as_deref().unwrap_or_default();
    let place = format!("{}:{}/{database}", address.host(), address.port());
    let readable: String = place
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
        .collect();
    let hash = blake3::hash(place.as_bytes()).to_hex();
    format!("{}-{}", readable.trim_matches('-'), hash.get(..8).unwrap_or_default())
}

#[cfg(test)]
#[cfg(feature = "neo4j")]
mod tests {
    use super::*;

    fn settings(address: &str, database: Option<&str>) -> Neo4jSettings {
        Neo4jSettings {
            address: address.to_owned(),
            user: None,
            password: None,
            token: None,
            database: database.map(str::to_owned),
            data: PathBuf::from("unused"),
        }
    }

    fn name(address: &str, database: Option<&str>) -> String {
        index_name(&address.parse().unwrap(), &settings(address, database))
    }

    #[test]
    fn a_graph_has_one_index_under_each_of_its_addresses() {
        assert_eq!(name("bolt://localhost", None), name("neo4j+s://localhost:7687", None));
        assert_ne!(name("bolt://localhost", None), name("bolt://localhost:7688", None));
        assert_ne!(name("bolt://localhost", Some("a/b")), name("bolt://localhost", Some("a-b")));
        assert!(name("bolt://db.example.org", Some("films")).starts_with("db-example-org-7687-films-"));
    }

    #[test]
    fn user_and_password_belong_together() {
        let mut one = settings("bolt://localhost", None);
        assert!(matches!(credentials(&one), Ok(Credentials::None)));
        one.user = Some("neo4j".to_owned());
        assert_eq!(credentials(&one).unwrap_err().hint().unwrap(), "set NEO4J_PASSWORD");
        one.password = Some("secret".to_owned().into());
        assert!(matches!(credentials(&one), Ok(Credentials::Basic { .. })));
        one.token = Some("token".to_owned().into());
        assert!(matches!(credentials(&one), Ok(Credentials::Bearer(_))));
    }
}
