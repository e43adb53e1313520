//! Fetches a model's files from a hub.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use futures::TryStreamExt;
use graphwright_core::text::{public_address, without_credentials};
use reqwest::{Client, Response, StatusCode, header};
use serde::Serialize;
use tokio::{fs, io::AsyncWriteExt};

use crate::{LlmError, Result};

/// The files that make a model.
const REQUIRED: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
/// Files that tell more about a model, if it has them.
const OPTIONAL: [&str; 3] = ["modules.json", "sentence_bert_config.json", "1_Pooling/config.json"];

/// The time that the hub may be silent.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A model on a hub, and the files to fetch.
#[derive(Clone, Debug, Serialize)]
pub struct ModelPull {
    /// The hub's address, as `https://huggingface.co`, without what opens it.
    pub hub: String,
    /// The model's name on the hub, as `sentence-transformers/all-MiniLM-L6-v2`.
    pub model: String,
    /// The folder that its files go to.
    pub folder: PathBuf,
    /// Its files.
    pub files: Vec<ModelFile>,
    #[serde(skip)]
    client: Client,
    /// The hub's address as it was given.
    #[serde(skip)]
    base: String,
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelFile {
    /// Its name below the folder.
    pub name: String,
    /// Its length in bytes, if the hub tells it.
    pub bytes: Option<u64>,
    /// Whether it is in the folder already.
    pub present: bool,
}

impl ModelPull {
    /// Asks the hub for the files of a model that is to go below the folder `models`.
    ///
    /// Nothing is fetched yet.
    pub async fn plan(hub: &str, model: &str, models: &Path) -> Result<Self> {
        let wrong_name = |part: &str| part.is_empty() || part.starts_with('.') || part.contains(['\\', ':']);
        if model.split('/').any(wrong_name) {
            return Err(LlmError::Configuration { message: format!("{model:?} is not the name of a model") });
        }
        let client = Client::builder().read_timeout(TIMEOUT).connect_timeout(TIMEOUT).build();
        let client = client.map_err(|error| unavailable(hub, &error))?;
        let base = hub.trim_end_matches('/').to_owned();
        let mut pull = Self {
            hub: public_address(&base).into_owned(),
            model: model.to_owned(),
            folder: models.join(model),
            files: Vec::new(),
            client,
            base,
        };
        for name in REQUIRED {
            let Some(file) = pull.look_at(name).await? else {
                let address = pull.address(name);
                let address = public_address(&address);
                let message =
                    format!("{address} does not exist; the model must have {}", REQUIRED.join(", "));
                return Err(LlmError::Refused { provider: pull.hub, message });
            };
            pull.files.push(file);
        }
        for name in OPTIONAL {
            let file = pull.look_at(name).await?;
            pull.files.extend(file);
        }
        Ok(pull)
    }

    /// Fetches the files that are not there yet. A file appears under its name only when it is
    /// whole.
    ///
    /// `progress` is called with the number of bytes that came since the last call.
    pub async fn fetch(&self, progress: &(dyn Fn(u64) + Send + Sync)) -> Result<()> {
        for file in self.files.iter().filter(|file| !file.present) {
            let address = self.address(&file.name);
            let reply = self.client.get(&address).send().await.and_then(Response::error_for_status);
            let reply = reply.map_err(|error| unavailable(&address, &error))?;
            write(reply, &address, &self.folder.join(&file.name), progress).await?;
        }
        Ok(())
    }

    fn address(&self, name: &str) -> String {
        format!("{}/{}/resolve/main/{name}", self.base, self.model)
    }

    /// Returns the file as it is in the folder or on the hub, if either has it.
    async fn look_at(&self, name: &str) -> Result<Option<ModelFile>> {
        let file = |bytes, present| Some(ModelFile { name: name.to_owned(), bytes, present });
        if let Ok(found) = fs::metadata(self.folder.join(name)).await {
            return Ok(file(Some(found.len()), true));
        }
        let address = self.address(name);
        let failed = |error| unavailable(&address, &error);
        let reply = self.client.head(&address).send().await.map_err(failed)?;
        if reply.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let reply = reply.error_for_status().map_err(failed)?;
        // The reply has no body, so its length is the header's.
        let length = reply.headers().get(header::CONTENT_LENGTH);
        Ok(file(length.and_then(|length| length.to_str().ok()?.parse().ok()), false))
    }
}

async fn write(
    reply: Response,
    address: &str,
    target: &Path,
    progress: &(dyn Fn(u64) + Send + Sync),
) -> Result<()> {
    let unwritable = |error: std::io::Error| LlmError::Configuration {
        message: format!("cannot write {}: {error}", target.display()),
    };
    let announced = reply.content_length();
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).await.map_err(unwritable)?;
    }
    // Renamed at the end, so that a broken download is not taken for the file.
    let partial = target.with_extension("partial");
    let mut file = fs::File::create(&partial).await.map_err(unwritable)?;
    let mut written = 0;
    let mut pieces = reply.bytes_stream();
    while let Some(piece) = pieces.try_next().await.map_err(|error| unavailable(address, &error))? {
        file.write_all(&piece).await.map_err(unwritable)?;
        written += piece.len() as u64;
        progress(piece.len() as u64);
    }
    file.sync_all().await.map_err(unwritable)?;
    if announced.is_some_and(|announced| announced != written) {
        return Err(unavailable(address, "the file broke off"));
    }
    fs::rename(&partial, target).await.map_err(unwritable)
}

fn unavailable(address: &str, error: impl std::fmt::Display) -> LlmError {
    let provider = public_address(address).into_owned();
    LlmError::Unavailable { provider, message: without_credentials(&error.to_string()).into_owned() }
}
