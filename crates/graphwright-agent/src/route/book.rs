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

/// The default limit for the size of the file, in bytes.
const MOST_BYTES: u64 = 8_000_000;
/// The number of characters at which a text is cut.
const LONGEST_TEXT: usize = 4_000;
/// The longest time to wait while another process writes.
const PATIENCE: Duration = Duration::from_secs(2);
/// The text that replaces a secret.
const CONCEALED: &str = "***";
/// The fields in which secrets are not replaced: they hold none, and a chance match would break
/// them.
const OWN_FIELDS: [&str; 4] = ["id", "at", "outcome", "verdict"];

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
#[derive(Clone)]
pub struct RouteBook {
    file: PathBuf,
    most_bytes: u64,
    secrets: Vec<String>,
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
        Self { file: file.into(), most_bytes: MOST_BYTES, secrets: Vec::new() }
    }

    /// Sets the largest size of the file in bytes; 8 MB by default.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Replaces these secrets with `***` wherever they occur in a text that is written.
    #[must_use]
    pub fn concealing(self, secrets: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
        // Longer secrets go first, because a shorter one may be part of a longer one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { secrets, ..self }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Adds a route. Texts longer than 4,000 characters are cut.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if other processes keep it locked for two seconds.
    pub fn add(&self, route: &Route) -> Result<()> {
        let _lock = self.lock()?;
        self.append(&self.line(route)?)?;
        let length = self.done("read", fs::metadata(&self.file))?.len();
        if length > self.most_bytes { self.forget_oldest() } else { Ok(()) }
    }

    /// Reads all routes. A missing file holds none.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read(&self) -> Result<Routes> {
        let bytes = match fs::read(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => self.done("read", read)?,
        };
        let mut found = Routes::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Line::Route(route)) => found.routes.push(*route),
                // The route may be deleted by now.
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

    /// Records the user's verdict on a route, named by its identifier or the beginning of it. A
    /// later verdict replaces an earlier one.
    ///
    /// # Errors
    /// Fails if there is not exactly one such route, or if the file cannot be read or written.
    pub fn judge(&self, id: &str, verdict: RouteVerdict) -> Result<Route> {
        // Looking first keeps a journal without routes from getting a lock file.
        let mut route = self.read()?.find(id)?.clone();
        let _lock = self.lock()?;
        let judged = Judgement { id: route.id.clone(), verdict };
        self.append(&serde_json::json!({"verdict": judged}).to_string())?;
        route.verdict = Some(verdict);
        Ok(route)
    }

    /// Deletes the routes that meet the condition and all unreadable lines, and returns the number
    /// of routes deleted.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written. The file is then unchanged.
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

    /// Removes the oldest routes until the file takes up three quarters of its limit.
    fn forget_oldest(&self) -> Result<()> {
        let mut routes = self.read()?.routes;
        // With a quarter left free, not every further route rewrites the file.
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

    /// Replaces the file by one with these routes, or deletes it if there are none.
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
        // A rename lets readers see either the whole old file or the whole new one.
        let fresh = self.file.with_extension("new");
        self.done("write", fs::write(&fresh, text))?;
        self.done("replace", fs::rename(&fresh, &self.file))
    }

    fn append(&self, line: &str) -> Result<()> {
        self.done("write", append(&self.file, line))
    }

    /// Takes the lock, waiting while another process holds it.
    fn lock(&self) -> Result<File> {
        if let Some(folder) = self.file.parent() {
            self.done("write", fs::create_dir_all(folder))?;
        }
        // A file of its own: the journal is replaced by a rename, and a lock on it would go with
        // it.
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

    /// Writes a route as a line, without secrets.
    fn line(&self, route: &Route) -> Result<String> {
        let mut route = self.done("write", serde_json::to_value(route).map_err(io::Error::from))?;
        for (field, value) in route.as_object_mut().into_iter().flatten() {
            if !OWN_FIELDS.contains(&field.as_str()) {
                self.conceal(value);
            }
        }
        Ok(serde_json::json!({"route": route}).to_string())
    }

    /// Replaces secrets in all texts of a value, and cuts texts that are too long.
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

    /// Adds the operation and the file to an error.
    fn done<T>(&self, what: &'static str, result: io::Result<T>) -> Result<T> {
        result.map_err(|source| AgentError::RouteFile { what, path: self.file.clone(), source })
    }
}

impl Routes {
    /// Finds a route by its identifier or the beginning of it.
    ///
    /// # Errors
    /// Fails if there is not exactly one.
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

/// Appends a line in one write. If the last line was cut short, a line break comes first.
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
