//! The journal of routes: a file of JSON Lines that several processes may write.

use std::{
    borrow::Cow,
    fmt::{self, Debug, Formatter},
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use graphwright_core::text::cut;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Route, RouteVerdict};
use crate::{AgentError, Result};

/// How many bytes the file has at most, unless another number is set.
const MOST_BYTES: u64 = 8_000_000;
/// A text is kept as far as so many characters.
const LONGEST_TEXT: usize = 4_000;
/// How long another process may write before this one gives up.
const PATIENCE: Duration = Duration::from_secs(2);
/// What stands in place of a secret.
const CONCEALED: &str = "***";
/// What cannot hold a secret, and would be broken if it looked like one.
const OWN_FIELDS: [&str; 4] = ["id", "at", "outcome", "verdict"];

/// The routes of a graph, in a file of JSON Lines.
///
/// A route is one line, added in one write. A verdict is a further line. Processes that write take turns by a lock file beside it; those that read need
/// none. When the file is longer than it may be, the oldest quarter goes.
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
#[derive(Clone)]
pub struct RouteBook {
    file: PathBuf,
    most_bytes: u64,
    secrets: Vec<String>,
}

/// What a book holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routes {
    /// The routes, the oldest first.
    pub routes: Vec<Route>,
    /// Lines that cannot be read, as one that a kill cut.
    pub unreadable: usize,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Route(Box<Route>),
    Verdict(Judgement),
}

/// What the user says of the answer of a route.
#[derive(Serialize, Deserialize)]
struct Judgement {
    id: String,
    verdict: RouteVerdict,
}

impl RouteBook {
    /// In a file, which need not be there yet.
    pub fn at(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), most_bytes: MOST_BYTES, secrets: Vec::new() }
    }

    /// The same with another limit for the bytes of the file; 8 MB by default.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// The same, but `***` is written wherever one of these secrets stands in a text.
    #[must_use]
    pub fn concealing(self, secrets: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
        // One may be part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { secrets, ..self }
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Adds a route. Texts in it are kept as far as 4,000 characters.
    ///
    /// # Errors
    /// If the file cannot be written, or other processes write it for two seconds.
    pub fn add(&self, route: &Route) -> Result<()> {
        let _lock = self.lock()?;
        self.append(&self.line(route)?)?;
        let length = self.done("read", fs::metadata(&self.file))?.len();
        if length > self.most_bytes { self.forget_oldest() } else { Ok(()) }
    }

    /// All routes. A file that is not there holds none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Routes> {
        let bytes = match fs::read(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => self.done("read", read)?,
        };
        let mut found = Routes::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Line::Route(route)) => found.routes.push(*route),
                // The route may be gone.
                Ok(Line::Verdict(judged)) => {
                    if let Some(route) = found.routes.iter_mut().rfind(|route| route.id == judged.id) {
                        route.verdict = Some(judged.verdict);
                    }
                }
                Err(_) => found.unreadable += 1,
            }
        }
        Ok(found)
    }

    /// Notes what the user says of the answer of a route, which is named by its identifier or the beginning of it; a later verdict replaces an earlier one.
    ///
    /// # Errors
    /// If there is not exactly one such route, or the file cannot be read or written.
    pub fn judge(&self, id: &str, verdict: RouteVerdict) -> Result<Route> {
        // A book without routes gets no lock.
        let mut route = self.read()?.find(id)?.clone();
        let _lock = self.lock()?;
        let judged = Judgement { id: route.id.clone(), verdict };
        self.append(&serde_json::json!({"verdict": judged}).to_string())?;
        route.verdict = Some(verdict);
        Ok(route)
    }

    /// Deletes routes, and lines that cannot be read; returns how many routes.
    ///
    /// # Errors
    /// If the file cannot be read or written; it is as it was then.
    pub fn delete(&self, is_meant: impl Fn(&Route) -> bool) -> Result<usize> {
        if !self.file.exists() {
            return Ok(0);
        }
        let _lock = self.lock()?;
        let Routes { mut routes, .. } = self.read()?;
        let before = routes.len();
        routes.retain(|route| !is_meant(route));
        self.replace(&routes)?;
        Ok(before - routes.len())
    }

    /// Leaves three quarters of what the file may hold.
    fn forget_oldest(&self) -> Result<()> {
        let mut routes = self.read()?.routes;
        let mut room = self.most_bytes / 4 * 3;
        let mut kept = 0;
        for route in routes.iter().rev() {
            let Some(left) = room.checked_sub(self.line(route)?.len() as u64 + 1) else { break };
            room = left;
            kept += 1;
        }
        routes.drain(..routes.len() - kept);
        self.replace(&routes)
    }

    fn replace(&self, routes: &[Route]) -> Result<()> {
        if routes.is_empty() {
            return match fs::remove_file(&self.file) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                removed => self.done("delete", removed),
            };
        }
        let mut text = String::new();
        for route in routes {
            text.push_str(&self.line(route)?);
            text.push('\n');
        }
        // Whoever reads meanwhile sees all of the old file or all of the new one.
        let fresh = self.file.with_extension("new");
        self.done("write", fs::write(&fresh, text))?;
        self.done("replace", fs::rename(&fresh, &self.file))
    }

    fn append(&self, line: &str) -> Result<()> {
        self.done("write", append(&self.file, line))
    }

    /// Waits until no other process writes.
    fn lock(&self) -> Result<File> {
        if let Some(folder) = self.file.parent() {
            self.done("write", fs::create_dir_all(folder))?;
        }
        let lock = self.done("write", File::create(self.file.with_extension("lock")))?;
        let begun = Instant::now();
        loop {
            let error = match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                    continue;
                }
                Err(TryLockError::WouldBlock) => io::Error::other("another process has locked it"),
                Err(TryLockError::Error(error)) => error,
            };
            return self.done("lock", Err(error));
        }
    }

    /// A route as a line, without secrets.
    fn line(&self, route: &Route) -> Result<String> {
        let mut route = self.done("write", serde_json::to_value(route).map_err(io::Error::from))?;
        for (field, value) in route.as_object_mut().into_iter().flatten() {
            if !OWN_FIELDS.contains(&field.as_str()) {
                self.conceal(value);
            }
        }
        Ok(serde_json::json!({"route": route}).to_string())
    }

    fn conceal(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                for secret in &self.secrets {
                    if text.contains(secret) {
                        *text = text.replace(secret, CONCEALED);
                    }
                }
                if let Cow::Owned(shown) = cut(text, LONGEST_TEXT) {
                    *text = shown;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.conceal(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.conceal(field)),
            _ => {}
        }
    }

    fn done<T>(&self, what: &'static str, result: io::Result<T>) -> Result<T> {
        result.map_err(|source| AgentError::RouteFile { what, path: self.file.clone(), source })
    }
}

impl Routes {
    /// The route of an identifier, or of the beginning of one.
    ///
    /// # Errors
    /// If there is not exactly one.
    pub fn find(&self, id: &str) -> Result<&Route> {
        let mut found = self.routes.iter().filter(|route| !id.is_empty() && route.id.starts_with(id));
        match (found.next(), found.count()) {
            (Some(route), 0) => Ok(route),
            (None, _) => Err(AgentError::UnknownRoute { id: id.to_owned() }),
            (Some(_), more) => Err(AgentError::AmbiguousRoute { id: id.to_owned(), count: more + 1 }),
        }
    }
}

impl Debug for RouteBook {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("RouteBook");
        fields.field("file", &self.file).field("most_bytes", &self.most_bytes).finish_non_exhaustive()
    }
}

/// Adds a line in one write. After a line that a kill cut it begins a new one.
fn append(file: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let start = if last == *b"\n" { "" } else { "\n" };
    file.write_all(format!("{start}{line}\n").as_bytes())
}

#[cfg(test)]
pub(super) mod tests;
