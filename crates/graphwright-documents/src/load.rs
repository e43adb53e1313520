//! From files to documents: Markdown, text, HTML, PDF, office files, JSON, JSON Lines and CSV.

mod decode;
mod discover;
mod html;
mod markdown;
mod office;
mod pdf;
mod records;
#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use graphwright_core::{Document, Properties, document::TextFormat};
use serde::{Deserialize, Serialize};

pub use discover::{Discovery, discover, with_parents};
pub use markdown::directives;

use crate::DocumentError;

/// What to ingest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder with all that is in it. A folder's hidden files and what its `.gitignore` and
    /// `.graphwrightignore` name are left out.
    Path(PathBuf),
    /// Files whose path matches, as `docs/**/*.md`.
    Glob(String),
    /// Bytes that are already there, as standard input. `source` is what the document is called; the form is told
    /// from its extension, and from the bytes where it has none.
    Bytes {
        /// What the document is called, as `stdin`.
        source: String,
        /// What was read.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// What a person means by an argument: a path if it exists, a pattern if it has `*`, `?` or `[`, else a path.
    pub fn parse(argument: &str) -> Self {
        let path = PathBuf::from(argument);
        if !path.exists() && argument.contains(['*', '?', '[']) {
            return Self::Glob(argument.to_owned());
        }
        Self::Path(path)
    }
}

/// As [`Input::parse`].
impl From<&str> for Input {
    fn from(argument: &str) -> Self {
        Self::parse(argument)
    }
}

/// As [`Input::parse`].
impl From<String> for Input {
    fn from(argument: String) -> Self {
        Self::parse(&argument)
    }
}

/// As [`Input::parse`].
impl From<&String> for Input {
    fn from(argument: &String) -> Self {
        Self::parse(argument)
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<&Path> for Input {
    fn from(path: &Path) -> Self {
        Self::Path(path.to_owned())
    }
}

/// Bounds on a single file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file in bytes; the default is 50 MB.
    pub file_bytes: u64,
    /// How long reading a PDF may take; the default is 60 s.
    pub pdf_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 50_000_000, pdf_time: Duration::from_mins(1) }
    }
}

const BINARY: &str = "is a binary file of an unknown kind";
const READ: &str = "Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, JSON, JSON Lines and CSV";

/// Something that did not become a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The file.
    pub path: String,
    /// Why, and what to do about it.
    pub reason: String,
}

/// Loads documents one after the other, without a store: each is a document or the reason why it is none. Files of kinds
/// that hold no text are left out.
pub fn load(inputs: &[Input], limits: Limits) -> impl Iterator<Item = Result<Document, Failure>> {
    let discovery = discover(inputs);
    let documents = discovery.files.into_iter().filter_map(move |file| {
        match file.read(&limits).and_then(|bytes| file.load(&bytes, &limits)) {
            Ok(document) => Some(Ok(document)),
            Err(LoadError::Failed(reason)) => Some(Err(Failure { path: file.shown(), reason })),
            Err(LoadError::Skipped(_)) => None,
        }
    });
    discovery.failed.into_iter().map(Err).chain(documents)
}

/// One file to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it is: an absolute path, or empty for bytes that were given.
    pub path: PathBuf,
    /// The path below the folder that was ingested, with `/` between its parts.
    pub source: String,
    /// The bytes, where they were given.
    pub bytes: Option<Vec<u8>>,
    /// Whether a person named this file; one of unknown kind is then a failure rather than left out.
    pub named: bool,
}

/// Why a file is not a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It should be one, but cannot be read.
    Failed(String),
    /// It is of a kind that holds no text, as an image.
    Skipped(String),
}

impl From<String> for LoadError {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

impl SourceFile {
    /// The bytes of the file.
    pub fn read(&self, limits: &Limits) -> Result<Vec<u8>, LoadError> {
        if let Some(bytes) = &self.bytes {
            return Ok(bytes.clone());
        }
        let failed = |error: std::io::Error| LoadError::Failed(format!("cannot be read: {error}"));
        let size = std::fs::metadata(&self.path).map_err(failed)?.len();
        if size > limits.file_bytes {
            let (size, limit) = (size / 1_000_000, limits.file_bytes / 1_000_000);
            return Err(LoadError::Failed(format!("is {size} MB long; the limit is {limit} MB for a file")));
        }
        std::fs::read(&self.path).map_err(failed)
    }

    /// What people are shown.
    pub fn shown(&self) -> String {
        if self.path.as_os_str().is_empty() { self.source.clone() } else { self.path.display().to_string() }
    }

    fn extension(&self) -> String {
        let name = self.source.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_lowercase())
    }

    fn stem(&self) -> &str {
        let name = self.source.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Makes a document of the bytes that [`read`](Self::read) gave.
    pub fn load(&self, bytes: &[u8], limits: &Limits) -> Result<Document, LoadError> {
        if bytes.is_empty() {
            return Err(LoadError::Failed("is empty".to_owned()));
        }
        let kind = Kind::of(&self.extension(), bytes);
        let (format, text, title) = match kind {
            Kind::Text(format) => {
                let text = decode::decode(bytes)?;
                let (text, title) = match format {
                    TextFormat::Markdown => {
                        let title = markdown::title(&text);
                        (text, title)
                    }
                    TextFormat::Csv => (records::normalise_csv(&text)?, None),
                    TextFormat::Json => records::check_json(&text).map(|()| (text, None))?,
                    TextFormat::JsonLines => records::check_json_lines(&text).map(|()| (text, None))?,
                    TextFormat::Plain => (text, None),
                };
                (format, text, title)
            }
            Kind::Html => {
                let page = html::to_markdown(&decode::decode(bytes)?)?;
                (TextFormat::Markdown, with_plain_spaces(&page.text), page.title)
            }
            Kind::Pdf | Kind::Office => {
                let text = match kind {
                    Kind::Pdf => pdf::to_markdown(bytes, limits.pdf_time)?,
                    _ => office::to_markdown(bytes)?,
                };
                let text = with_plain_spaces(&text);
                let title = markdown::title(&text);
                (TextFormat::Markdown, text, title)
            }
            Kind::Binary if self.named => {
                return Err(LoadError::Failed(format!("{BINARY}; {READ} are read")));
            }
            Kind::Binary => return Err(LoadError::Skipped(BINARY.to_owned())),
        };
        if text.trim().is_empty() {
            return Err(LoadError::Failed("has no text".to_owned()));
        }
        let metadata = if matches!(kind, Kind::Text(TextFormat::Markdown)) {
            markdown::front_matter(&text)?
        } else {
            Properties::new()
        };
        let title = title.or_else(|| metadata.get("title")?.as_str().map(str::to_owned));
        Ok(Document {
            id: self.source.clone(),
            source: self.source.clone(),
            title: title.unwrap_or_else(|| self.stem().to_owned()),
            text,
            format,
            hash: hash(bytes),
            metadata,
        })
    }
}

/// A piece of HTML, as the body of a post, as Markdown: all of its text, while [`load`] looks for the main text of a page.
///
/// ```
/// let text = graphwright_documents::load::html_to_markdown("<p>Use <code>EXPLAIN</code> &amp; <b>look</b>.</p>")?;
/// assert_eq!(text, "Use `EXPLAIN` & **look**.");
/// # Ok::<_, graphwright_documents::DocumentError>(())
/// ```
///
/// # Errors
/// If it cannot be read as HTML.
pub fn html_to_markdown(html: &str) -> Result<String, DocumentError> {
    let text = html::convert(html).map_err(|message| DocumentError::Html { message })?;
    Ok(with_plain_spaces(&text))
}

/// Spaces at which a line may not break are for layout; a name is the same with them and without.
fn with_plain_spaces(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

/// BLAKE3 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text(TextFormat),
    Html,
    Pdf,
    Office,
    Binary,
}

impl Kind {
    /// By extension, and where that says nothing by the first bytes.
    fn of(extension: &str, bytes: &[u8]) -> Self {
        match extension {
            "md" | "markdown" | "mdown" | "mdx" => Self::Text(TextFormat::Markdown),
            "txt" | "text" | "log" | "rst" | "adoc" => Self::Text(TextFormat::Plain),
            "csv" | "tsv" => Self::Text(TextFormat::Csv),
            "json" => Self::Text(TextFormat::Json),
            "jsonl" | "ndjson" => Self::Text(TextFormat::JsonLines),
            "html" | "htm" | "xhtml" => Self::Html,
            "pdf" => Self::Pdf,
            "docx" | "pptx" | "xlsx" => Self::Office,
            _ => Self::sniff(bytes),
        }
    }

    fn sniff(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(8192)];
        let lower = String::from_utf8_lossy(&head[..head.len().min(512)]).trim_start().to_lowercase();
        if head.starts_with(b"%PDF-") {
            Self::Pdf
        } else if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
            Self::Html
        } else if decode::looks_like_text(head) {
            let markdown = lower.lines().any(|line| line.starts_with("# ") || line.starts_with("## "));
            Self::Text(if markdown { TextFormat::Markdown } else { TextFormat::Plain })
        } else {
            Self::Binary
        }
    }
}

/// Loads all documents of the inputs, in order of their source, with what could not be loaded.
pub fn documents(inputs: &[Input], limits: &Limits) -> (Vec<Document>, Vec<Failure>) {
    let mut failed = Vec::new();
    let loaded =
        load(inputs, *limits).filter_map(|loaded| loaded.map_err(|failure| failed.push(failure)).ok());
    let loaded = loaded.collect();
    (loaded, failed)
}
