//! Where routes and examples are kept.

use std::path::PathBuf;

use graphwright_agent::RouteBook;

use graphwright_core::text::secrets_of_address;
use graphwright_text2cypher::ExampleBook;

use crate::{Graph, Result, Secret, Settings, StoreSettings, stores};

impl Settings {
    /// Opens the book of the graph's routes, even if the graph cannot be opened or no more routes
    /// are recorded.
    ///
    /// Routes lie beside the search index: in the folder of an embedded store, or on this machine
    /// for a Neo4j server. No key, token or password of the settings is written into them.
    ///
    /// ```
    /// use graphwright::Settings;
    ///
    /// let book = Settings::at("graph").route_book()?;
    /// assert!(book.file().ends_with("graph/search.routes.jsonl"));
    /// assert!(book.read()?.routes.is_empty());
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the address of the server cannot be read.
    pub fn route_book(&self) -> Result<RouteBook> {
        Ok(RouteBook::at(self.beside_the_index("routes.jsonl")?).concealing(self.secret_texts()))
    }

    /// Opens the book of the graph's examples, even if the graph cannot be opened or nothing more is learned.
    ///
    /// It lies beside that of the routes, and no key, token or password of the settings is written into it.
    ///
    /// # Errors
    /// Fails if the address of the server cannot be read.
    pub fn example_book(&self) -> Result<ExampleBook> {
        Ok(ExampleBook::at(self.beside_the_index("examples.jsonl")?).concealing(self.secret_texts()))
    }

    fn beside_the_index(&self, extension: &str) -> Result<PathBuf> {
        Ok(stores::index_folder(&self.store)?.with_extension(extension))
    }

    fn secret_texts(&self) -> impl Iterator<Item = String> {
        self.secrets().map(|secret| secret.expose().to_owned())
    }

    /// Lists the settings that open something. Other variables of providers hold addresses and
    /// versions.
    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let is_secret = |name: &str, value: &Secret| {
            let has_secrets = |address: &str| secrets_of_address(address).next().is_some();
            name.ends_with("_KEY") || name.ends_with("_TOKEN") || has_secrets(value.expose())
        };
        let credentials = self.credentials.iter().filter(move |(name, value)| is_secret(name, value));
        let server = match &self.store {
            StoreSettings::Folder(_) => [None, None],
            StoreSettings::Neo4j(server) => [server.password.as_ref(), server.token.as_ref()],
        };
        credentials.map(|(_, value)| value).chain(server.into_iter().flatten())
    }
}

impl Graph {
    /// Opens the book of what agents did for their answers from this graph.
    ///
    /// # Errors
    /// Fails as [`Settings::route_book`] does.
    pub fn routes(&self) -> Result<RouteBook> {
        self.settings().route_book()
    }

    /// Opens the book of questions with the queries that answered them.
    ///
    /// # Errors
    /// Fails as [`Settings::example_book`] does.
    pub fn examples(&self) -> Result<ExampleBook> {
        self.settings().example_book()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Neo4jSettings;

    fn server(address: &str) -> Settings {
        Settings::new(StoreSettings::Neo4j(Neo4jSettings {
            address: address.to_owned(),
            user: Some("neo4j".to_owned()),
            password: Some("opensesame".to_owned().into()),
            token: None,
            database: Some("films".to_owned()),
            data: Path::new("data").to_owned(),
        }))
    }

    #[test]
    fn routes_of_a_server_are_kept_on_this_machine() {
        let book = server("bolt://db.example.org").route_book().unwrap();
        let name = book.file().file_name().unwrap().to_str().unwrap();
        assert_eq!(book.file().parent(), Some(Path::new("data/search")));
        assert!(name.starts_with("db-example-org-7687-films-") && name.ends_with(".routes.jsonl"), "{name}");
        let other = server("neo4j+s://db.example.org:7687").route_book().unwrap();
        assert_eq!(other.file(), book.file());
        let examples = server("bolt://db.example.org").example_book().unwrap();
        assert_eq!(examples.file(), book.file().with_extension("").with_extension("examples.jsonl"));
        assert!(server("bolt://").route_book().is_err());
    }

    #[test]
    fn keys_and_passwords_are_secrets_and_versions_are_not() {
        let mut settings = server("bolt://localhost");
        for (name, value) in [
            ("OPENAI_API_KEY", "sk-1"),
            ("AZURE_OPENAI_AD_TOKEN", "ey1"),
            ("AZURE_OPENAI_API_VERSION", "2024-10-21"),
            ("OLLAMA_HOST", "http://me:word@models"),
            ("OPENAI_BASE_URL", "http://models/v1/"),
        ] {
            settings.credentials.insert(name.to_owned(), value.to_owned().into());
        }
        let secrets: Vec<&str> = settings.secrets().map(Secret::expose).collect();
        assert_eq!(secrets, ["ey1", "http://me:word@models", "sk-1", "opensesame"]);
    }
}
