//! A server's folder: settings, password, data, and the state of its process.

use std::{
    fs,
    hash::{BuildHasher, RandomState},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::{
    StartOptions,
    java::{Java, last_lines},
};

/// Name of Neo4j's first user.
pub(super) const USER: &str = "neo4j";
/// Name of the only database that Community has.
pub(super) const DATABASE: &str = "neo4j";

/// Folder in which Neo4j looks for the certificate of Bolt.
const CERTIFICATES: &str = "certificates/bolt";

#[derive(Debug)]
pub(super) struct Home {
    folder: PathBuf,
}

/// State of a home, kept in `graphwright.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) version: String,
    pub(super) password: String,
    pub(super) port: u16,
    /// The process that was started last.
    pub(super) pid: Option<u32>,
    /// The dump that the home began with.
    pub(super) loaded: Option<PathBuf>,
}

impl State {
    pub(super) fn address(&self) -> String {
        format!("bolt://127.0.0.1:{}", self.port)
    }

    /// Fails if the running server is not the one that was asked for.
    pub(super) fn require(&self, version: Option<&str>, port: Option<u16>) -> Result<()> {
        let hint = "hint: stop it first (cargo xtask neo4j stop), or name another --home";
        if let Some(version) = version {
            ensure!(version == self.version, "Neo4j {} runs here, not {version}\n{hint}", self.version);
        }
        if let Some(port) = port {
            ensure!(port == self.port, "it runs at port {}, not {port}\n{hint}", self.port);
        }
        Ok(())
    }
}

impl Home {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }

    pub(super) fn state(&self) -> Result<Option<State>> {
        let path = self.folder.join("graphwright.json");
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).map(Some).with_context(|| path.display().to_string())
    }

    pub(super) fn keep(&self, state: &State) -> Result<()> {
        fs::write(self.folder.join("graphwright.json"), serde_json::to_string_pretty(state)?)?;
        Ok(())
    }

    /// Returns the version that the home has, or the one that a new home gets.
    pub(super) fn version(&self, asked: Option<&str>, default: &str) -> Result<String> {
        let made = self.state()?.map(|state| state.version);
        match (made, asked) {
            (Some(made), Some(asked)) if made != asked => bail!(
                "{} was made with Neo4j {made}, not {asked}\nhint: name another --home",
                self.folder.display()
            ),
            (made, asked) => Ok(made.or(asked.map(str::to_owned)).unwrap_or_else(|| default.to_owned())),
        }
    }

    /// Prepares the folder for a start: settings and, for a new one, password and data.
    pub(super) fn prepare(
        &self,
        java: &Java,
        jars: &Path,
        version: &str,
        options: &StartOptions,
    ) -> Result<State> {
        fs::create_dir_all(self.folder.join("conf"))?;
        self.certify()?;
        let port = free_port(options.port)?;
        fs::write(self.folder.join("conf/neo4j.conf"), settings(port))?;
        let dump =
            options.load.as_ref().map(fs::canonicalize).transpose().context("there is no such dump")?;
        if let Some(known) = self.state()? {
            ensure!(
                dump.is_none() || dump == known.loaded,
                "{} has a graph already\nhint: name another --home for the dump",
                self.folder.display()
            );
            return Ok(State { port, pid: None, ..known });
        }
        let password = options.password.clone().unwrap_or_else(new_password);
        self.administer(java, jars, &["dbms", "set-initial-password", &password])?;
        if let Some(dump) = &dump {
            self.load(java, jars, dump)?;
        }
        let state = State { version: version.to_owned(), password, port, pid: None, loaded: dump };
        self.keep(&state)?;
        Ok(state)
    }

    /// Makes a certificate for encrypted connections, and the authority that signs it.
    ///
    /// The server accepts plain connections too. Nobody trusts the authority unless told to.
    fn certify(&self) -> Result<()> {
        let folder = self.folder.join(CERTIFICATES);
        if folder.join("authority.crt").exists() {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        fs::write(
            folder.join("extensions"),
            "basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n",
        )?;
        for arguments in [
            "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=authority -keyout authority.key -out new.crt",
            "req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout private.key -out request",
            "x509 -req -in request -CA new.crt -CAkey authority.key -CAcreateserial -days 3650 -extfile extensions \
             -out public.crt",
        ] {
            make_certificate(&folder, arguments)?;
        }
        // The name tells later runs that all files are complete.
        fs::rename(folder.join("new.crt"), folder.join("authority.crt"))?;
        Ok(())
    }

    /// Loads a dump. Neo4j takes it from a folder, under the name of its database.
    fn load(&self, java: &Java, jars: &Path, dump: &Path) -> Result<()> {
        let folder = self.folder.join("dump");
        fs::create_dir_all(&folder)?;
        fs::copy(dump, folder.join(format!("{DATABASE}.dump")))?;
        let from = format!("--from-path={}", folder.display());
        let load = ["database", "load", DATABASE, &from, "--overwrite-destination=true"];
        self.administer(java, jars, &load)?;
        self.administer(java, jars, &["database", "migrate", DATABASE])?;
        fs::remove_dir_all(folder)?;
        Ok(())
    }

    fn administer(&self, java: &Java, jars: &Path, arguments: &[&str]) -> Result<()> {
        let output = java
            .command()
            .args(super::server::OPTIONS)
            .arg("-cp")
            .arg(jars.join("*"))
            .arg("org.neo4j.cli.AdminTool")
            .args(arguments)
            .env("NEO4J_HOME", &self.folder)
            .env("NEO4J_CONF", self.folder.join("conf"))
            .output()
            .context("cannot run java")?;
        let command = arguments.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        let text = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`{command}` failed:\n{}", last_lines(&text, 15));
        Ok(())
    }
}

fn make_certificate(folder: &Path, arguments: &str) -> Result<()> {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(folder).output();
    let output = output.context(
        "this needs openssl, to make a certificate for encrypted connections\nhint: install it (Debian: apt-get install openssl)",
    )?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "openssl could not make a certificate:\n{}", last_lines(&text, 5));
    Ok(())
}

fn free_port(asked: Option<u16>) -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", asked.unwrap_or(0))).map_err(|error| {
        let port = asked.unwrap_or(0);
        anyhow::anyhow!(
            "port {port} cannot be used: {error}\nhint: name another --port, or none to have a free one"
        )
    })?;
    Ok(listener.local_addr()?.port())
}

/// Returns a password, random enough for a server that only this machine reaches.
fn new_password() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", random(), random())
}

/// Returns the settings of the server.
///
/// It is small, for this machine only, and reads files only from its own folder. Drivers may take
/// it for dead after a short time: two times three seconds without a sign of life.
fn settings(port: u16) -> String {
    format!(
        "server.bolt.enabled=true\n\
         server.bolt.listen_address=127.0.0.1:{port}\n\
         server.bolt.advertised_address=127.0.0.1:{port}\n\
         server.bolt.tls_level=OPTIONAL\n\
         dbms.ssl.policy.bolt.enabled=true\n\
         dbms.ssl.policy.bolt.base_directory={CERTIFICATES}\n\
         dbms.ssl.policy.bolt.private_key=private.key\n\
         dbms.ssl.policy.bolt.public_certificate=public.crt\n\
         dbms.ssl.policy.bolt.client_auth=NONE\n\
         server.default_listen_address=127.0.0.1\n\
         server.directories.import=import\n\
         server.http.enabled=false\n\
         server.https.enabled=false\n\
         server.memory.heap.initial_size=512m\n\
         server.memory.heap.max_size=512m\n\
         server.memory.pagecache.size=256m\n\
         server.bolt.connection_keep_alive=3s\n\
         server.bolt.connection_keep_alive_probes=2\n\
         dbms.usage_report.enabled=false\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_told() {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = other.local_addr().unwrap().port();
        let message = free_port(Some(port)).unwrap_err().to_string();
        assert!(message.starts_with(&format!("port {port} cannot be used: ")), "{message}");
        assert!(message.contains("hint: name another --port"), "{message}");
        assert_ne!(free_port(None).unwrap(), 0);
    }
}
