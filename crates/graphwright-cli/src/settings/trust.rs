//! Guards the person's keys against a settings file that somebody else wrote.
//!
//! A `graphwright.toml` is found in the folder in which a command runs, and may have come with it. So what could send a key
//! or password to somebody, or start a program, holds only once the person has said so (as with `direnv allow`).

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use figment::{Figment, Metadata, Source, value::Value};
use graphwright::{Settings, StoreSettings, is_this_machine, llm::Provider, text::public_address};
use serde::{Deserialize, Serialize};

use crate::failure::UsageError;

/// What a settings file would do to the person who runs a command beside it.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Risks {
    file: PathBuf,
    /// Each with the key and the value.
    found: Vec<(String, String)>,
    #[serde(skip)]
    told: Vec<String>,
}

/// The files that the person trusts, each as it was then.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Trusted {
    files: Vec<TrustedFile>,
}

#[derive(Debug, Deserialize, Serialize)]
struct TrustedFile {
    file: PathBuf,
    /// Of what is risky in it.
    hash: String,
}

impl Risks {
    /// Finds what a file other than the person's `own` decides, and should not. `settings` are those that are in force.
    pub(super) fn find(figment: &Figment, own: Option<&Path>, settings: &Settings) -> Self {
        let mut risks = Self::default();
        for (key, provider, address, file) in addresses(figment) {
            let file = file.filter(|file| Some(*file) != own);
            if let (Some(file), Some(secret)) = (file, settings.key_sent_abroad(provider, &address)) {
                risks.add(file, key, &address, &format!("sends {secret} to {}", public_address(&address)));
            }
        }
        let decides = |key: &str| file_of(figment.find_metadata(key)).filter(|file| Some(*file) != own);
        if let StoreSettings::Neo4j(server) = &settings.store
            && let Some(file) = decides("store")
            && (server.password.is_some() || server.token.is_some())
            && !is_this_machine(&server.address)
        {
            let what = if server.token.is_some() { "NEO4J_BEARER_TOKEN" } else { "NEO4J_PASSWORD" };
            let does = format!("sends {what} to {}", public_address(&server.address));
            risks.add(file, "store".to_owned(), &server.address, &does);
        }
        if let Some(program) = &settings.workers.program
            && let Some(file) = decides("worker")
        {
            let program = program.display().to_string();
            risks.add(file, "worker".to_owned(), &program, &format!("starts {program}"));
        }
        risks
    }

    fn add(&mut self, file: &Path, key: String, value: &str, does: &str) {
        file.clone_into(&mut self.file);
        self.told.push(format!("`{key}` {does}"));
        self.found.push((key, value.to_owned()));
    }

    /// Fails unless there are none, or the person trusts them: now, or earlier by the list in `folder`.
    pub(super) fn require_trust(&self, trusts_now: bool, folder: Option<&Path>) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let list = folder.map(|folder| folder.join("trusted.json"));
        let hash = blake3::hash(&serde_json::to_vec(self)?).to_hex().to_string();
        if trusts_now {
            return list.map_or(Ok(()), |list| remember(&list, &self.file, hash));
        }
        let trusted = list.map(|list| read(&list)).transpose()?.unwrap_or_default();
        if trusted.files.iter().any(|known| known.file == self.file && known.hash == hash) {
            return Ok(());
        }
        let message = format!("{} is not trusted: {}", self.file.display(), self.told.join("; "));
        let hint = "look at it; if you want this, say so once with --trust-settings. It holds until these lines change. \
                    Settings of your own stand in the environment or in your own file (docs/settings.md)";
        Err(UsageError::new(message, hint).into())
    }
}

fn read(list: &Path) -> Result<Trusted> {
    match fs::read(list) {
        Ok(text) => serde_json::from_slice(&text)
            .with_context(|| format!("{} is damaged; delete it to begin anew", list.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Trusted::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", list.display())),
    }
}

fn remember(list: &Path, file: &Path, hash: String) -> Result<()> {
    let mut trusted = read(list)?;
    if trusted.files.iter().any(|known| known.file == file && known.hash == hash) {
        return Ok(());
    }
    trusted.files.retain(|known| known.file != file);
    trusted.files.push(TrustedFile { file: file.to_owned(), hash });
    let written = || {
        let folder = list.parent().unwrap_or(list);
        fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut new, &trusted)?;
        new.persist(list)?;
        Ok::<_, anyhow::Error>(())
    };
    written().with_context(|| format!("cannot write {}", list.display()))
}

/// Returns the addresses in the tables of providers, each with its key and the file that it comes from.
fn addresses(figment: &Figment) -> Vec<(String, Provider, String, Option<&Path>)> {
    let tables = figment.find_value("providers").ok().and_then(Value::into_dict).unwrap_or_default();
    let address = |(name, table): (String, Value)| {
        let table = table.into_dict()?;
        let value = table.get("base_url")?;
        let file = file_of(figment.get_metadata(value.tag()));
        let address = value.as_str()?.to_owned();
        Some((format!("providers.{name}.base_url"), name.parse().ok()?, address, file))
    };
    tables.into_iter().filter_map(address).collect()
}

fn file_of(metadata: Option<&Metadata>) -> Option<&Path> {
    match metadata?.source.as_ref()? {
        Source::File(path) => Some(path),
        _ => None,
    }
}
