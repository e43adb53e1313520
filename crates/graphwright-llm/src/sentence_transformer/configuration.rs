//! The configuration in the small JSON files of a folder.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use super::failure;
use crate::Result;

/// The way in which the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    FirstToken,
}

/// The shape of an encoder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Configuration {
    pub(super) hidden_size: usize,
    pub(super) heads: usize,
    pub(super) layers: usize,
    pub(super) norm_epsilon: f32,
    /// The position of the first token. RoBERTa counts from behind its padding token.
    pub(super) first_position: usize,
    /// The most tokens of a text. What is longer is cut.
    pub(super) longest: usize,
    pub(super) pooling: Pooling,
    /// The names of the two layers that make one number of the first token's vector, where the model is a cross-encoder.
    pub(super) head: [&'static str; 2],
}

#[derive(Deserialize)]
struct ConfigFile {
    model_type: String,
    hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "common_epsilon")]
    layer_norm_eps: f32,
    max_position_embeddings: usize,
    #[serde(default)]
    pad_token_id: Option<usize>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

const fn common_epsilon() -> f32 {
    1e-12
}

#[derive(Deserialize)]
struct LengthFile {
    max_seq_length: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

impl Configuration {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("config.json");
        let file: ConfigFile = read_json(&path)?.ok_or_else(|| {
            failure(&path, "there is no such file; is this the folder of a sentence-transformers model?")
        })?;
        let (first_position, head) = match file.model_type.as_str() {
            "bert" => (0, ["pooler.dense", "classifier"]),
            "roberta" | "xlm-roberta" => {
                (file.pad_token_id.unwrap_or(1) + 1, ["classifier.dense", "classifier.out_proj"])
            }
            other => {
                let message =
                    format!("models of type {other:?} are not read; bert, roberta and xlm-roberta are");
                return Err(failure(&path, &message));
            }
        };
        if file.hidden_act != "gelu" {
            return Err(failure(&path, &format!("hidden_act {:?} is not read; gelu is", file.hidden_act)));
        }
        if file.num_attention_heads == 0 || !file.hidden_size.is_multiple_of(file.num_attention_heads) {
            return Err(failure(&path, "hidden_size is not a multiple of num_attention_heads"));
        }
        let positions = file.max_position_embeddings.saturating_sub(first_position);
        let length: Option<LengthFile> = read_json(&folder.join("sentence_bert_config.json"))?;
        let longest = length.and_then(|file| file.max_seq_length).unwrap_or(positions).min(positions);
        Ok(Self {
            hidden_size: file.hidden_size,
            heads: file.num_attention_heads,
            layers: file.num_hidden_layers,
            norm_epsilon: file.layer_norm_eps,
            first_position,
            longest,
            pooling: read_pooling(folder)?,
            head,
        })
    }
}

/// Reads the pooling. Without its own file a model pools by the mean, as the library does.
fn read_pooling(folder: &Path) -> Result<Pooling> {
    let path = folder.join("modules.json");
    let modules: Vec<Module> = read_json(&path)?.unwrap_or_default();
    let known = ["Transformer", "Pooling", "Normalize"];
    if let Some(module) =
        modules.iter().find(|module| !known.iter().any(|known| module.kind.ends_with(known)))
    {
        return Err(failure(&path, &format!("a module of type {} is not read", module.kind)));
    }
    let path = folder.join("1_Pooling").join("config.json");
    match read_json::<PoolingFile>(&path)? {
        None => Ok(Pooling::Mean),
        Some(file) if file.pooling_mode_cls_token => Ok(Pooling::FirstToken),
        Some(file) if file.pooling_mode_mean_tokens => Ok(Pooling::Mean),
        Some(_) => Err(failure(&path, "only the mean and the first token are read as pooling")),
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|error| failure(path, &error.to_string()))?;
    serde_json::from_str(&text).map(Some).map_err(|error| failure(path, &error.to_string()))
}
