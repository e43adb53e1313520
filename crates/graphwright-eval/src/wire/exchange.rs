//! The recordings as they are kept.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;

use crate::{Error, Result};

/// A form of requests and replies that several providers may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Completions,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// A request and what the provider answered.
#[derive(Debug)]
pub(super) struct Exchange {
    /// The folder below the one that is replayed.
    pub(super) provider: String,
    /// The file and, where it holds several, the place of the exchange in it.
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

#[derive(Deserialize)]
struct Written {
    when: Request,
    then: Answer,
}

#[derive(Deserialize)]
struct Request {
    path: String,
    method: String,
}

#[derive(Deserialize)]
struct Answer {
    status: u16,
    #[serde(default)]
    header: Vec<Header>,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    value: String,
}

/// Reads all recordings below a folder, in the order of their names.
pub(super) fn read(folder: &Path) -> Result<Vec<Exchange>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut exchanges = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| Error::cannot_read(&file, error))?;
        let written: Vec<Written> =
            serde_saphyr::from_multiple(&text).map_err(|error| Error::bad_recording(&file, &error))?;
        let place = file.strip_prefix(folder).unwrap_or(&file);
        let provider = place.iter().next().map(|name| name.to_string_lossy().into_owned());
        for (number, Written { when, then }) in written.into_iter().enumerate() {
            exchanges.push(Exchange {
                provider: provider.clone().unwrap_or_default(),
                name: format!("{}#{}", place.display(), number + 1),
                method: when.method,
                path: when.path,
                status: then.status,
                headers: then.header.into_iter().map(|header| (header.name, header.value)).collect(),
                body: then.body.unwrap_or_default(),
            });
        }
    }
    Ok(exchanges)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(|error| Error::cannot_read(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::cannot_read(folder, error))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            files.push(path);
        }
    }
    Ok(())
}

impl Exchange {
    /// Returns the form of the exchange, or why it is none that a chat model has.
    pub(super) fn form(&self) -> Result<Form, String> {
        let path = self.path.trim_end_matches('/');
        let ends = |ending: &str| path.ends_with(ending);
        if self.method != "POST" {
            return Err(format!("{} {}: no request to a model", self.method, shortened(path)));
        }
        if ends("/chat/completions") {
            Ok(Form::Completions)
        } else if ends("/responses") {
            Ok(Form::Responses)
        } else if ends("/messages") {
            Ok(Form::Anthropic)
        } else if ends(":generateContent") || ends(":streamGenerateContent") {
            Ok(Form::Gemini)
        } else if ends("/api/chat") {
            Ok(Form::Ollama)
        } else {
            Err(format!("{}: neither chat nor responses", shortened(path)))
        }
    }

    pub(super) fn content_type(&self) -> &str {
        let header = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        header.map_or("application/json", |(_, value)| value)
    }

    /// Returns whether the answer came in pieces.
    pub(super) fn is_streamed(&self) -> bool {
        let kind = self.content_type();
        kind.starts_with("text/event-stream")
            || kind.starts_with("application/x-ndjson")
            || self.path.ends_with(":streamGenerateContent")
    }

    /// Returns the pieces of a streamed answer, or the one piece of a whole one.
    pub(super) fn pieces(&self) -> Vec<Value> {
        if let Ok(whole) = serde_json::from_str(&self.body) {
            return vec![whole];
        }
        let data = self.body.lines().filter_map(|line| match line.strip_prefix("data:") {
            Some(data) => Some(data.trim()),
            None => Some(line).filter(|line| line.starts_with('{')),
        });
        data.filter_map(|data| serde_json::from_str(data).ok()).collect()
    }

    /// Returns the first half of a stream, up to the middle of a line. None for a whole answer, and
    /// for a stream whose end is told in its first half already.
    pub(super) fn cut(&self, form: Form) -> Option<&str> {
        if !self.is_streamed() || self.status != 200 {
            return None;
        }
        let middle = (0..=self.body.len() / 2).rev().find(|at| self.body.is_char_boundary(*at))?;
        let half = &self.body[..middle];
        let ended = match form {
            Form::Completions => half.contains("[DONE]") || names_end(half, "\"finish_reason\":\""),
            Form::Responses => {
                half.contains("\"response.completed\"") || half.contains("\"response.incomplete\"")
            }
            Form::Anthropic => half.contains("\"message_stop\"") || names_end(half, "\"stop_reason\":\""),
            Form::Gemini => half.contains("\"finishReason\""),
            Form::Ollama => half.contains("\"done\":true"),
        };
        (!ended).then_some(half)
    }
}

/// Returns whether a field with a text as its value stands there, with or without a space.
fn names_end(text: &str, field: &str) -> bool {
    text.replace("\": \"", "\":\"").contains(field)
}

/// Returns a path without the names of models and files in it.
fn shortened(path: &str) -> String {
    match path.rsplit_once(':') {
        Some((_, method)) => format!("…:{method}"),
        None => path.split('/').take(4).collect::<Vec<_>>().join("/"),
    }
}
