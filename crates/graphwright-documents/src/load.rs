//! Loads documents from files: Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, office files, mails, JSON, JSON Lines and CSV.
//!
//! [`load`](load()) needs neither a store nor an ontology. Every format becomes text in which
//! passages have byte ranges. A file that cannot be read becomes a [`Failure`] instead of ending
//! the run.

mod apart;
mod confined;
mod convert;
mod decode;
mod discover;
mod front_matter;
mod html;
mod mail;
mod markup;
mod office;
mod pdf;
mod records;
#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use graphwright_core::{Document, Properties, document::TextFormat};
use serde::{Deserialize, Serialize};

pub use confined::{Converters, WORKER_KIND, serve};
use convert::{Converted, Convertible, convert};
pub use discover::{Discovery, discover, with_parents};

use crate::{
    DocumentError, ParsedDocument,
    blocks::head::{Notation, read_file},
    layout::Layout,
};

/// A source of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder with everything in it. Hidden files of a folder are left out, and so are
    /// files that its `.gitignore` and `.graphwrightignore` name.
    Path(PathBuf),
    /// Files whose path matches a pattern, such as `docs/**/*.md`.
    Glob(String),
    /// Bytes in memory, such as standard input. The format follows from the extension of `source`,
    /// or from the bytes if it has none.
    Bytes {
        /// Name of the document, such as `stdin`.
        source: String,
        /// Content of the document.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// Parses a command argument: a path if it exists, a pattern if it has `*`, `?` or `[`, else a
    /// path.
    pub fn parse(argument: &str) -> Self {
        let path = PathBuf::from(argument);
        if !path.exists() && argument.contains(['*', '?', '[']) {
            return Self::Glob(argument.to_owned());
        }
        Self::Path(path)
    }
}

/// Parses an argument, like [`Input::parse`].
impl From<&str> for Input {
    fn from(argument: &str) -> Self {
        Self::parse(argument)
    }
}

/// Parses an argument, like [`Input::parse`].
impl From<String> for Input {
    fn from(argument: String) -> Self {
        Self::parse(&argument)
    }
}

/// Parses an argument, like [`Input::parse`].
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

/// Limits on what is read.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum size of a file in bytes; 50 MB by default.
    pub file_bytes: u64,
    /// Whether links that lead out of the given folders, and links to folders, are followed; false by default.
    pub follow_links: bool,
    /// Maximum time for reading an HTML, PDF or office file of up to 10 MB, and as much again for each further 10 MB;
    /// 8 s by default. Without `converters` HTML does not keep to it.
    pub time: Duration,
    /// Workers for HTML, PDF, office files and mails. `None` reads them in this process, where one that needs too much memory
    /// or stack ends it.
    pub converters: Option<Converters>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 50_000_000, follow_links: false, time: Duration::from_secs(8), converters: None }
    }
}

impl Limits {
    fn convert(&self, kind: Convertible, bytes: &[u8]) -> Result<Converted, String> {
        let times = 1 + u32::try_from(bytes.len() / 10_000_000).unwrap_or(u32::MAX - 1);
        let time = self.time.saturating_mul(times);
        match &self.converters {
            Some(converters) => {
                converters.convert(kind, bytes, time, usize::try_from(self.file_bytes).unwrap_or(usize::MAX))
            }
            None => convert(kind, bytes, time),
        }
    }
}

const BINARY: &str = "is a binary file of an unknown kind";
const NO_FILE: &str = "is a pipe, a socket or a device, not a file";
const UNMARKED: &str =
    "its markup is not understood, and was read as plain text; export it as Markdown or HTML";
const READ: &str = "Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, DOCX, PPTX, XLSX, mails, JSON, JSON Lines, YAML, TOML and CSV";

/// A file that did not become a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Path of the file.
    pub path: String,
    /// Why, and what to do about it.
    pub reason: String,
}

/// Loads documents one at a time, without a store.
///
/// Each item is a document, or the reason why there is none. Files of kinds that hold no text are
/// left out.
pub fn load(inputs: &[Input], limits: Limits) -> impl Iterator<Item = Result<ParsedDocument, Failure>> {
    let discovery = discover(inputs, limits.follow_links);
    let documents = discovery.files.into_iter().filter_map(move |file| {
        match file.read(&limits).and_then(|bytes| file.load(&bytes, &limits)) {
            Ok(document) => Some(Ok(document)),
            Err(LoadError::Failed(reason)) => Some(Err(Failure { path: file.shown(), reason })),
            Err(LoadError::Skipped(_)) => None,
        }
    });
    discovery.failed.into_iter().map(Err).chain(documents)
}

/// A file to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Absolute path; empty for bytes in memory.
    pub path: PathBuf,
    /// Path below the ingested folder, with `/` between its parts.
    pub source: String,
    /// Content, for bytes in memory.
    pub bytes: Option<Vec<u8>>,
    /// Whether a person named this file. If so, an unknown kind is a failure; otherwise the file is
    /// left out.
    pub named: bool,
}

/// A reason why a file is not a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The file should be a document, but cannot be read.
    Failed(String),
    /// The file is of a kind that holds no text, such as an image.
    Skipped(String),
}

impl From<String> for LoadError {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

impl SourceFile {
    /// Reads the bytes of the file.
    ///
    /// # Errors
    /// If it cannot be read, is no regular file, or is longer than the limit, also if it grows while it is read.
    pub fn read(&self, limits: &Limits) -> Result<Vec<u8>, LoadError> {
        if let Some(bytes) = &self.bytes {
            check_size(bytes.len() as u64, limits)?;
            return Ok(bytes.clone());
        }
        let failed = |error: std::io::Error| LoadError::Failed(format!("cannot be read: {error}"));
        let metadata = std::fs::metadata(&self.path).map_err(failed)?;
        // Opening a pipe would wait for somebody to write to it, and a device may never end.
        if !metadata.is_file() {
            let reason = format!("{NO_FILE}; give what it holds by standard input");
            return Err(LoadError::Failed(reason));
        }
        check_size(metadata.len(), limits)?;
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        let file = File::open(&self.path).map_err(failed)?;
        file.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        check_size(bytes.len() as u64, limits)?;
        Ok(bytes)
    }

    /// Returns the name of the file for people.
    pub fn shown(&self) -> String {
        if self.path.as_os_str().is_empty() { self.source.clone() } else { self.path.display().to_string() }
    }

    /// Returns the extensions of its name in small letters, the last one first.
    fn extensions(&self) -> impl Iterator<Item = String> {
        let name = self.source.rsplit('/').next().unwrap_or_default();
        let parts = name.split_once('.').map_or("", |(_, extensions)| extensions).rsplit('.');
        parts.map(str::to_lowercase)
    }

    fn stem(&self) -> &str {
        let name = self.source.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Creates a document from the bytes that [`read`](Self::read) returned.
    pub fn load(&self, bytes: &[u8], limits: &Limits) -> Result<ParsedDocument, LoadError> {
        if bytes.is_empty() {
            return Err(LoadError::Failed("is empty".to_owned()));
        }
        let kind = Kind::detect(self.extensions(), bytes);
        let is_text = !matches!(
            kind,
            Kind::Binary | Kind::Convertible(Convertible::Pdf | Convertible::Office | Convertible::Mail)
        );
        let (read, encoding) = if is_text { decode::in_utf8(bytes) } else { (bytes.into(), None) };
        let (mut pages, mut left_out) = (Vec::new(), None);
        let (mut format, text, title) = match kind {
            Kind::Text(format) => {
                let text = decode::decode(&read)?;
                let (format, text) = match format {
                    TextFormat::Csv => (format, records::normalise_csv(&text)?),
                    TextFormat::Json => (format, records::check_json(&text).map(|()| text)?),
                    TextFormat::JsonLines => (format, records::check_json_lines(&text).map(|()| text)?),
                    TextFormat::Plain => match records::delimited(&text) {
                        Some(table) => (TextFormat::Csv, table),
                        None => (format, text),
                    },
                    _ => (format, text),
                };
                (format, text, None)
            }
            Kind::Markup(markup) => {
                let text = decode::decode(&read)?;
                let text = match markup {
                    Markup::Rst => markup::rst(&text),
                    Markup::AsciiDoc => markup::asciidoc(&text),
                };
                (TextFormat::Markdown, text, None)
            }
            Kind::Unmarked => (TextFormat::Plain, decode::decode(&read)?, None),
            Kind::Convertible(kind) => {
                let converted = limits.convert(kind, &read)?;
                (pages, left_out) = (converted.pages, converted.remark);
                (converted.format, converted.text, converted.title)
            }
            Kind::Binary if self.named => {
                return Err(LoadError::Failed(format!("{BINARY}; {READ} are read")));
            }
            Kind::Binary => return Err(LoadError::Skipped(BINARY.to_owned())),
        };
        if text.trim().is_empty() {
            return Err(LoadError::Failed("has no text".to_owned()));
        }
        let data = Notation::of_format(format).map(|notation| read_file(&text, notation));
        let layout = match data {
            Some(Ok(blocks)) => Layout::of_blocks(blocks),
            Some(Err(reason)) => {
                (format, left_out) = (TextFormat::Plain, Some(reason));
                Layout::read(&text, format)
            }
            None => Layout::read(&text, format),
        };
        let (metadata, remark) = match &layout.front_matter {
            Some(Ok(map)) if matches!(kind, Kind::Text(_)) => (front_matter::properties(map), None),
            // The text says what it says, as that of a template (`title: <%= title %>`).
            Some(Err(remark)) if matches!(kind, Kind::Text(_)) => (Properties::new(), Some(remark.clone())),
            _ if kind == Kind::Unmarked => (Properties::new(), Some(UNMARKED.to_owned())),
            _ => (Properties::new(), left_out),
        };
        let remarks: Vec<String> = encoding.into_iter().chain(remark).collect();
        let remark = Some(remarks.join("; ")).filter(|remark| !remark.is_empty());
        let is_markdown = format == TextFormat::Markdown;
        // A heading of level one is the title; another may be one section of what front matter names.
        let title = title
            .or_else(|| layout.stated_title().filter(|_| is_markdown))
            .or_else(|| layout.heading(1).filter(|_| is_markdown))
            .or_else(|| metadata.get("title")?.as_str().map(str::to_owned))
            .or_else(|| layout.stated_name())
            .or_else(|| layout.title().filter(|_| is_markdown));
        let document = Document {
            id: self.source.clone(),
            source: self.source.clone(),
            title: title.unwrap_or_else(|| self.stem().to_owned()),
            text,
            format,
            hash: hash(bytes),
            metadata,
        };
        Ok(ParsedDocument::new(document, layout, remark).with_pages(pages))
    }
}

fn check_size(size: u64, limits: &Limits) -> Result<(), LoadError> {
    if size <= limits.file_bytes {
        return Ok(());
    }
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let (size, limit) = (megabytes(size), megabytes(limits.file_bytes));
    Err(LoadError::Failed(format!(
        "is {size:.1} MB long; the limit is {limit} MB for a file: split it, or raise the limit"
    )))
}

/// Converts a piece of HTML, such as the body of a post, to Markdown.
///
/// Keeps all of its text, while [`load`] picks the main text of a page.
///
/// ```
/// use graphwright_documents::load::html_to_markdown;
///
/// let text = html_to_markdown("<p>Use <code>EXPLAIN</code> &amp; <b>look</b>.</p>")?;
/// assert_eq!(text, "Use `EXPLAIN` & **look**.");
/// # Ok::<_, graphwright_documents::DocumentError>(())
/// ```
///
/// # Errors
/// Fails if the text cannot be parsed as HTML.
pub fn html_to_markdown(html: &str) -> Result<String, DocumentError> {
    let text = html::convert(html).map_err(|message| DocumentError::Html { message })?;
    Ok(with_plain_spaces(&text))
}

/// Replaces non-breaking spaces by plain ones. They are for layout and do not change a name.
fn with_plain_spaces(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

/// Returns the BLAKE3 hash in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Markup that is rewritten as Markdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Markup {
    Rst,
    AsciiDoc,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text(TextFormat),
    Markup(Markup),
    /// Text whose markup is not understood.
    Unmarked,
    Convertible(Convertible),
    Binary,
}

impl Kind {
    /// Detects the format by extension or, if that says nothing, by the first bytes. Of text, an extension before the last
    /// one says what it is, as in `page.md.erb`.
    fn detect(mut extensions: impl Iterator<Item = String>, bytes: &[u8]) -> Self {
        let last = extensions.next().and_then(|extension| Self::of_extension(&extension));
        last.unwrap_or_else(|| match Self::sniff(bytes) {
            text @ Self::Text(_) => {
                let mut kinds = extensions.filter_map(|extension| Self::of_extension(&extension));
                kinds.find(|kind| kind.is_text()).unwrap_or(text)
            }
            other => other,
        })
    }

    fn is_text(self) -> bool {
        !matches!(self, Self::Convertible(Convertible::Pdf | Convertible::Office) | Self::Binary)
    }

    fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "md" | "markdown" | "mdown" | "mdx" => Self::Text(TextFormat::Markdown),
            "txt" | "text" | "log" => Self::Text(TextFormat::Plain),
            "rst" | "rest" => Self::Markup(Markup::Rst),
            "adoc" | "asciidoc" | "asc" => Self::Markup(Markup::AsciiDoc),
            "org" | "tex" | "latex" => Self::Unmarked,
            "csv" | "tsv" => Self::Text(TextFormat::Csv),
            "json" => Self::Text(TextFormat::Json),
            "jsonl" | "ndjson" => Self::Text(TextFormat::JsonLines),
            "yaml" | "yml" => Self::Text(TextFormat::Yaml),
            "toml" => Self::Text(TextFormat::Toml),
            "html" | "htm" | "xhtml" => Self::Convertible(Convertible::Html),
            "pdf" => Self::Convertible(Convertible::Pdf),
            "eml" => Self::Convertible(Convertible::Mail),
            "docx" | "pptx" | "xlsx" => Self::Convertible(Convertible::Office),
            _ => return None,
        })
    }

    fn sniff(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(8192)];
        let lower = String::from_utf8_lossy(&head[..head.len().min(512)]).trim_start().to_lowercase();
        if head.starts_with(b"%PDF-") {
            Self::Convertible(Convertible::Pdf)
        } else if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
            Self::Convertible(Convertible::Html)
        } else if decode::looks_like_text(head) {
            let markdown = lower.lines().any(|line| line.starts_with("# ") || line.starts_with("## "));
            Self::Text(if markdown { TextFormat::Markdown } else { TextFormat::Plain })
        } else {
            Self::Binary
        }
    }
}

/// Loads all documents of the inputs, sorted by source, and lists what could not be loaded.
pub fn documents(inputs: &[Input], limits: &Limits) -> (Vec<ParsedDocument>, Vec<Failure>) {
    let mut failed = Vec::new();
    let loaded =
        load(inputs, limits.clone()).filter_map(|loaded| loaded.map_err(|failure| failed.push(failure)).ok());
    let loaded = loaded.collect();
    (loaded, failed)
}
