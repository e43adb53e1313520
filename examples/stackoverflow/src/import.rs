//! Imports posts into a graph: from a dump, or from the published graph of Stack Overflow's
//! questions about Neo4j.

mod archive;
mod write;

use std::path::{Path, PathBuf};

use graphwright::{
    Graph, Result,
    exchange::ExchangeError,
    exchange::{ImportOptions, ImportProgress, ImportReport, InputProblem, ProblemKind},
    search::RefreshReport,
};

use crate::dump::Dump;

/// A source of posts.
#[derive(Clone, Debug)]
pub enum Source {
    /// A dump of a site.
    Dump(Dump),
    /// The published graph: an archive of Neo4j's Data Importer.
    Archive(PathBuf),
}

/// Result of an import.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Changes in the graph.
    pub report: ImportReport,
    /// Changes in the search index.
    pub index: RefreshReport,
    /// Notes on what was left out without being a mistake.
    pub notes: Vec<String>,
}

impl Source {
    /// Detects what a folder or file holds.
    ///
    /// `site` is the host of the dump's site, for links to posts. Without it, the folder's name is
    /// used if it is a host.
    ///
    /// # Errors
    /// If the path holds neither a dump nor an archive.
    pub fn from_path(path: &Path, site: Option<String>) -> Result<Self> {
        if path.is_file() && is_archive(path) {
            return Ok(Self::Archive(path.to_owned()));
        }
        let files = files_of(path)?;
        let has_table = files.iter().any(|file| file.extension().is_some_and(|extension| extension == "xml"));
        let archives: Vec<&PathBuf> = files.iter().filter(|file| is_archive(file)).collect();
        match archives.as_slice() {
            [archive] if !has_table => Ok(Self::Archive((*archive).clone())),
            [] if !has_table => {
                let message = "here is neither a dump nor an archive";
                Err(unusable(
                    path,
                    message,
                    "name the folder of Posts.xml, Users.xml and Comments.xml, or a zip of the Data Importer",
                ))
            }
            [_, ..] if !has_table => Err(unusable(path, "here are several archives", "name one of them")),
            _ => Ok(Self::Dump(Dump::open(path, site.or_else(|| host(path))).map_err(ExchangeError::from)?)),
        }
    }
}

/// Imports posts into a graph, and updates the search index so that they can be searched by
/// similarity.
///
/// Importing again changes nothing, and completes an import that was interrupted.
///
/// # Errors
/// A mistake in the source, before anything is written, unless the options skip such rows; or an
/// error of the store or the embedder.
pub async fn import(
    graph: &Graph,
    source: &Source,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<Imported> {
    graph.check_embedder().await?;
    let mut imported = match source {
        Source::Dump(dump) => write::import(&**graph.store(), dump, options, progress).await?,
        Source::Archive(path) => archive::import(&**graph.store(), path, options, progress).await?,
    };
    graph.store().checkpoint().await?;
    imported.index = graph.refresh_index(false).await?;
    Ok(imported)
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zip")
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable =
        |error: std::io::Error| ExchangeError::Read { path: folder.to_owned(), message: error.to_string() };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        files.push(entry.map_err(unreadable)?.path());
    }
    files.sort();
    Ok(files)
}

/// Returns the host that a folder is named for. Archives of archive.org are unpacked into folders
/// such as `cooking.stackexchange.com`.
fn host(folder: &Path) -> Option<String> {
    let is_host = folder.extension().is_some_and(|extension| extension == "com" || extension == "net");
    Some(folder.file_name()?.to_str()?.to_owned()).filter(|_| is_host)
}

fn unusable(path: &Path, message: &str, hint: &str) -> graphwright::Error {
    let (file, message, hint) = (path.display().to_string(), message.to_owned(), hint.to_owned());
    let problem = InputProblem { file, line: 0, column: None, kind: ProblemKind::Form, message, hint };
    ExchangeError::from(problem).into()
}
