//! Finds the files to load.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use super::{Failure, Input, NO_FILE, SourceFile};

/// Result of looking for files.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Files in the order of their source, each once.
    pub files: Vec<SourceFile>,
    /// Paths that cannot be read.
    pub failed: Vec<Failure>,
    /// Paths that are not files, and links that are not followed.
    pub skipped: Vec<Failure>,
    /// Absolute paths of folders that were searched as a whole.
    pub folders: Vec<PathBuf>,
}

/// Finds the files of `inputs`. Reports paths that cannot be read, and goes on with the others.
///
/// A link within a folder that leads to a file within it counts as that file. Other links, which may lead anywhere, are
/// followed only if `follow_links` is true. A path that is given itself may always be a link.
pub fn discover(inputs: &[Input], follow_links: bool) -> Discovery {
    let mut discovery = Discovery::default();
    let mut found: BTreeMap<PathBuf, SourceFile> = BTreeMap::new();
    let mut given = Vec::new();
    for input in inputs {
        match input {
            Input::Path(path) if path.is_dir() => {
                let folder = absolute(path);
                if !walk(&folder, None, follow_links, &mut found, &mut discovery) {
                    discovery.failed.push(failure(path, "the folder holds no files".to_owned()));
                }
                discovery.folders.push(folder);
            }
            Input::Path(path) if path.exists() => {
                let path = absolute(path);
                let root = path.parent().unwrap_or(&path).to_owned();
                add(&path, &root, true, &mut found);
            }
            Input::Path(path) => {
                let reason = match path.symlink_metadata() {
                    Ok(_) => why_dangling(path),
                    Err(_) => "there is no such file or folder".to_owned(),
                };
                discovery.failed.push(failure(path, reason));
            }
            Input::Glob(pattern) => find_matching(pattern, follow_links, &mut found, &mut discovery),
            Input::Bytes { source, bytes } => given.push(SourceFile {
                path: PathBuf::new(),
                source: source.clone(),
                bytes: Some(bytes.clone()),
                named: true,
            }),
        }
    }
    discovery.files = found.into_values().chain(given).collect();
    discovery
        .files
        .sort_by(|left, right| left.source.cmp(&right.source).then_with(|| left.path.cmp(&right.path)));
    tell_apart(&mut discovery.files);
    discovery
}

fn find_matching(
    pattern: &str,
    follow_links: bool,
    found: &mut BTreeMap<PathBuf, SourceFile>,
    discovery: &mut Discovery,
) {
    let fail = |reason: String| failure(Path::new(pattern), reason);
    if pattern.contains("://") {
        let reason = "is an address; fetch it and name the file, or read it from standard input";
        return discovery.failed.push(fail(reason.to_owned()));
    }
    // The folder above the first part with a wildcard is the root of the search.
    let fixed: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']))
        .collect();
    let root = if fixed.as_os_str().is_empty() { PathBuf::from(".") } else { fixed.clone() };
    let rest =
        Path::new(pattern).strip_prefix(&fixed).unwrap_or(Path::new(pattern)).to_string_lossy().into_owned();
    let matcher = match GlobBuilder::new(&rest).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => return discovery.failed.push(fail(format!("is not a pattern: {error}"))),
    };
    if !root.is_dir() {
        return discovery.failed.push(fail(format!("there is no folder {}", root.display())));
    }
    if !walk(&absolute(&root), Some(&matcher), follow_links, found, discovery) {
        discovery.failed.push(fail("no file matches".to_owned()));
    }
}

/// Finds the files of a folder. Returns whether there was a file, or a path that cannot be read.
fn walk(
    folder: &Path,
    matcher: Option<&GlobMatcher>,
    follow_links: bool,
    found: &mut BTreeMap<PathBuf, SourceFile>,
    discovery: &mut Discovery,
) -> bool {
    let failed_before = discovery.failed.len();
    let mut any_file = false;
    let walk = WalkBuilder::new(folder)
        .require_git(false)
        .follow_links(follow_links)
        .add_custom_ignore_filename(".graphwrightignore")
        .build();
    let is_wanted = |path: &Path| {
        let below = path.strip_prefix(folder).unwrap_or(path);
        matcher.is_none_or(|matcher| matcher.is_match(below))
    };
    // Sorted, so that of several links to one file always the same one names it.
    let mut linked = BTreeSet::new();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                discovery.note(folder, error);
                continue;
            }
        };
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir() && is_wanted(entry.path())) else {
            continue;
        };
        if kind.is_symlink() || (follow_links && absolute(entry.path()) != entry.path()) {
            linked.insert(entry.into_path());
        } else if kind.is_file() {
            any_file = true;
            add(entry.path(), folder, false, found);
        } else {
            discovery.skipped.push(failure(entry.path(), NO_FILE.to_owned()));
        }
    }
    let mut known: HashSet<PathBuf> =
        if linked.is_empty() { HashSet::new() } else { found.keys().map(|path| absolute(path)).collect() };
    for link in linked {
        let target = absolute(&link);
        match link.metadata() {
            Ok(_) if !follow_links && !target.starts_with(folder) => {
                let reason = "is a link out of the folder; follow links to read it".to_owned();
                discovery.skipped.push(failure(&link, reason));
            }
            Ok(metadata) if metadata.is_file() => {
                any_file = true;
                // The target may have been found by itself, or through another link.
                if known.insert(target) {
                    add(&link, folder, false, found);
                }
            }
            Ok(metadata) => {
                let reason = if metadata.is_dir() {
                    "is a link to a folder that is read where it lies"
                } else {
                    NO_FILE
                };
                discovery.skipped.push(failure(&link, reason.to_owned()));
            }
            Err(_) => discovery.failed.push(failure(&link, why_dangling(&link))),
        }
    }
    any_file || discovery.failed.len() > failed_before
}

impl Discovery {
    /// Notes why a path in `folder` was not looked at.
    fn note(&mut self, folder: &Path, error: ignore::Error) {
        match error {
            ignore::Error::WithDepth { err, .. } => self.note(folder, *err),
            ignore::Error::WithPath { path, err } => self.note(&path, *err),
            ignore::Error::Loop { child, .. } => {
                self.skipped.push(failure(&child, "is a link to a folder that it lies in".to_owned()));
            }
            other => self.failed.push(failure(folder, format!("cannot be looked at: {other}"))),
        }
    }
}

/// Explains why a link leads to nothing.
fn why_dangling(link: &Path) -> String {
    let target = link.read_link().unwrap_or_default();
    match link.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("is a link to {}, which does not exist", target.display())
        }
        Err(error) => format!("is a link to {} that cannot be followed: {error}", target.display()),
        Ok(_) => "is a link that leads to no file".to_owned(),
    }
}

fn failure(path: &Path, reason: String) -> Failure {
    Failure { path: path.display().to_string(), reason }
}

fn add(path: &Path, root: &Path, named: bool, found: &mut BTreeMap<PathBuf, SourceFile>) {
    let source = slashed(path.strip_prefix(root).unwrap_or(path));
    let file = SourceFile { path: path.to_owned(), source, bytes: None, named };
    found.entry(path.to_owned()).and_modify(|known| known.named |= named).or_insert(file);
}

/// Adds parent folders to the sources of files with equal sources until all differ.
fn tell_apart(files: &mut [SourceFile]) {
    for depth in 1..64 {
        let mut seen = BTreeSet::new();
        let twice: BTreeSet<String> = files
            .iter()
            .filter(|file| !seen.insert(file.source.clone()))
            .map(|file| file.source.clone())
            .collect();
        if twice.is_empty() {
            return;
        }
        for file in files.iter_mut().filter(|file| twice.contains(&file.source)) {
            file.source = with_parents(file, depth);
        }
    }
}

/// Returns the source with `more` further parent folders in front.
pub fn with_parents(file: &SourceFile, more: usize) -> String {
    let parts = file.source.split('/').count() + more;
    let all: Vec<_> = file.path.components().collect();
    slashed(&all[all.len().saturating_sub(parts)..].iter().collect::<PathBuf>())
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
