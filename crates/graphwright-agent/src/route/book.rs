//! The journal of routes: a file of JSON Lines that several processes may write.

use std::path::{Path, PathBuf};

use graphwright_journal::{Journal, find};
use serde::{Deserialize, Serialize};

use super::{Route, RouteVerdict};
use crate::{AgentError, Result};

/// The default limit for the size of the file, in bytes.
const MOST_BYTES: u64 = 8_000_000;
/// The fields in which secrets are not replaced: they hold none, and a chance match would break
/// them.
const OWN_FIELDS: [&str; 7] = ["id", "at", "outcome", "verdict", "schema", "offered", "follows"];

/// A journal of the routes of a graph, in a file of JSON Lines.
///
/// Each route is one line, added in one write, and each verdict is a further line. Processes that
/// write take turns with a lock file beside the journal; readers need no lock. When the file grows
/// beyond its limit, the oldest routes are removed until it takes up three quarters of the limit.
///
/// ```
/// use graphwright_agent::{RouteBook, RouteVerdict};
/// # use graphwright_agent::Route;
/// # let folder = std::env::temp_dir().join(format!("routes-{}", std::process::id()));
/// # let route: Route = serde_json::from_value(serde_json::json!({
/// #     "id": "4f0c2a91d3", "at": "2024-05-01T10:00:00Z", "question": "Who owns ledger?", "kind": "who owns <Service>",
/// #     "links": [], "calls": [], "outcome": "answered", "steps": 0, "elapsed_ms": 900, "model": "m", "store_version": "1",
/// # })).unwrap();
///
/// let book = RouteBook::at(folder.join("routes.jsonl"));
/// book.add(&route)?;
/// book.judge("4f0c", RouteVerdict::Right)?;
/// assert_eq!(book.read()?.routes[0].verdict, Some(RouteVerdict::Right));
/// assert_eq!(book.delete(|_| true)?, 1);
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<_, graphwright_agent::AgentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RouteBook {
    journal: Journal,
    most_bytes: u64,
}

/// The content of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    /// The routes, oldest first.
    pub routes: Vec<Route>,
    /// The number of lines that cannot be read, such as a line cut short when its process was
    /// killed.
    pub unreadable: usize,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Route(Box<Route>),
    Verdict(Judgement),
}

/// The user's verdict on the answer of a route.
#[derive(Serialize, Deserialize)]
struct Judgement {
    id: String,
    verdict: RouteVerdict,
}

impl RouteBook {
    /// Creates a journal in a file, which need not exist yet.
    pub fn at(file: impl Into<PathBuf>) -> Self {
        Self { journal: Journal::at(file), most_bytes: MOST_BYTES }
    }

    /// Sets the largest size of the file in bytes; 8 MB by default.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Replaces these secrets with `***` wherever they occur in a text that is written.
    #[must_use]
    pub fn concealing(self, secrets: impl IntoIterator<Item = String>) -> Self {
        Self { journal: self.journal.concealing(secrets), ..self }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        self.journal.file()
    }

    /// Adds a route. Texts longer than 4,000 characters are cut.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if other processes keep it locked for two seconds.
    pub fn add(&self, route: &Route) -> Result<()> {
        let writing = self.journal.write()?;
        writing.append(&self.line(route)?)?;
        if writing.bytes()? > self.most_bytes {
            writing.replace(&self.newest()?)?;
        }
        Ok(())
    }

    /// Reads all routes. A missing file holds none.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read(&self) -> Result<Routes> {
        let lines = self.journal.read::<Line>()?;
        let mut found = Routes { routes: Vec::new(), unreadable: lines.unreadable };
        for line in lines.entries {
            match line {
                Line::Route(route) => found.routes.push(*route),
                // The route may be deleted by now.
                Line::Verdict(judged) => {
                    if let Some(route) = found.routes.iter_mut().rfind(|route| route.id == judged.id) {
                        route.verdict = Some(judged.verdict);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Records the user's verdict on a route, named by its identifier or the beginning of it. A
    /// later verdict replaces an earlier one.
    ///
    /// # Errors
    /// Fails if there is not exactly one such route, or if the file cannot be read or written.
    pub fn judge(&self, id: &str, verdict: RouteVerdict) -> Result<Route> {
        // Looking first keeps a journal without routes from getting a lock file.
        let mut route = self.read()?.find(id)?.clone();
        let judged = Judgement { id: route.id.clone(), verdict };
        self.journal.write()?.append(&serde_json::json!({"verdict": judged}).to_string())?;
        route.verdict = Some(verdict);
        Ok(route)
    }

    /// Deletes the routes that meet the condition and all unreadable lines, and returns the number
    /// of routes deleted.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written. The file is then unchanged.
    pub fn delete(&self, is_meant: impl Fn(&Route) -> bool) -> Result<usize> {
        if !self.file().exists() {
            return Ok(0);
        }
        let writing = self.journal.write()?;
        let Routes { mut routes, .. } = self.read()?;
        let before = routes.len();
        routes.retain(|route| !is_meant(route));
        let lines = routes.iter().map(|route| self.line(route)).collect::<Result<Vec<_>>>()?;
        writing.replace(&lines)?;
        Ok(before - routes.len())
    }

    /// Returns the lines of the newest routes that take up three quarters of the limit.
    fn newest(&self) -> Result<Vec<String>> {
        let routes = self.read()?.routes;
        // With a quarter left free, not every further route rewrites the file.
        let mut room = self.most_bytes / 4 * 3;
        let mut kept = Vec::new();
        for route in routes.iter().rev() {
            let line = self.line(route)?;
            let Some(left) = room.checked_sub(line.len() as u64 + 1) else { break };
            room = left;
            kept.push(line);
        }
        kept.reverse();
        Ok(kept)
    }

    /// Writes a route as a line, without secrets.
    fn line(&self, route: &Route) -> Result<String> {
        Ok(self.journal.line("route", route, &OWN_FIELDS)?)
    }
}

impl Routes {
    /// Finds a route by its identifier or the beginning of it.
    ///
    /// # Errors
    /// Fails if there is not exactly one.
    pub fn find(&self, id: &str) -> Result<&Route> {
        find(&self.routes, id, |route| &route.id).map_err(|count| match count {
            0 => AgentError::UnknownRoute { id: id.to_owned() },
            count => AgentError::AmbiguousRoute { id: id.to_owned(), count },
        })
    }
}

#[cfg(test)]
pub(super) mod tests;
