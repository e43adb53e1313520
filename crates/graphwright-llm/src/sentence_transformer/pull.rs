//! Fetching a model's files from a hub.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use futures::TryStreamExt;
use reqwest::{Client, StatusCode};
use tokio::{fs, io::AsyncWriteExt};

use crate::{LlmError, Result};

/// The files that make a model.
const REQUIRED: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
/// Files that say more about it, where it has them.
const OPTIONAL: [&str; 3] = ["modules.json", "sentence_bert_config.json", "1_Pooling/config.json"];

/// How long the hub may be silent.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Fetches a model (`sentence-transformers/all-MiniLM-L6-v2`) from a hub (`https://huggingface.co`) into a folder below
/// `models`, and gives that folder. Files that are already there are kept; a file appears under its name only when it
/// is whole.
pub async fn pull_model(hub: &str, model: &str, models: &Path) -> Result<PathBuf> {
    let wrong_name = |part: &str| part.is_empty() || part.starts_with('.') || part.contains(['\\', ':']);
    if model.split('/').any(wrong_name) {
        return Err(LlmError::Configuration { message: format!("{model:?} is not the name of a model") });
    }
    let folder = models.join(model);
    let client = Client::builder().read_timeout(TIMEOUT).connect_timeout(TIMEOUT).build();
    let client = client.map_err(|error| unavailable(hub, &error.to_string()))?;
    for (file, required) in
        REQUIRED.map(|file| (file, true)).into_iter().chain(OPTIONAL.map(|file| (file, false)))
    {
        let target = folder.join(file);
        if target.exists() {
            continue;
        }
        let address = format!("{}/{model}/resolve/main/{file}", hub.trim_end_matches('/'));
        let found = fetch(&client, &address, &target).await?;
        if !found && required {
            let message = format!("{address} does not exist; the model must have {}", REQUIRED.join(", "));
            return Err(LlmError::Refused { provider: hub.to_owned(), message });
        }
    }
    Ok(folder)
}

/// Whether the address has such a file.
async fn fetch(client: &Client, address: &str, target: &Path) -> Result<bool> {
    let failed = |error: reqwest::Error| unavailable(address, &error.to_string());
    let response = client.get(address).send().await.map_err(failed)?;
    if response.status() == StatusCode::NOT_FOUND {
        return Ok(false);
    }
    let response = response.error_for_status().map_err(failed)?;
    let announced = response.content_length();
    let unwritable = |error: std::io::Error| LlmError::Configuration {
        message: format!("cannot write {}: {error}", target.display()),
    };
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).await.map_err(unwritable)?;
    }
    let partial = target.with_extension("partial");
    let mut file = fs::File::create(&partial).await.map_err(unwritable)?;
    let mut written = 0;
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.try_next().await.map_err(failed)? {
        file.write_all(&piece).await.map_err(unwritable)?;
        written += piece.len() as u64;
    }
    file.sync_all().await.map_err(unwritable)?;
    if announced.is_some_and(|announced| announced != written) {
        return Err(unavailable(address, "the file broke off"));
    }
    fs::rename(&partial, target).await.map_err(unwritable)?;
    Ok(true)
}

fn unavailable(address: &str, message: &str) -> LlmError {
    LlmError::Unavailable { provider: address.to_owned(), message: message.to_owned() }
}
