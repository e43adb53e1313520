//! Which files there are to load.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use super::{Failure, Input, SourceFile};

/// The files that were found.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// In the order of their source, each once.
    pub files: Vec<SourceFile>,
    /// What cannot be looked at.
    pub failed: Vec<Failure>,
    /// The absolute paths of the folders that were looked through as a whole.
    pub folders: Vec<PathBuf>,
}

/// Looks for files. What cannot be looked at is reported, the others are found all the same.
pub(crate) fn discover(inputs: &[Input]) -> Discovery {
    let mut discovery = Discovery::default();
    let mut found: BTreeMap<PathBuf, SourceFile> = BTreeMap::new();
    let mut given = Vec::new();
    for input in inputs {
        match input {
            Input::Path(path) if path.is_dir() => {
                let folder = absolute(path);
                walk(&folder, None, &mut found, &mut discovery.failed);
                discovery.folders.push(folder);
            }
            Input::Path(path) if path.exists() => {
                let path = absolute(path);
                let root = path.parent().unwrap_or(&path).to_owned();
                add(&path, &root, true, &mut found);
            }
            Input::Path(path) => discovery.failed.push(Failure {
                path: path.display().to_string(),
                reason: "there is no such file or folder".to_owned(),
            }),
            Input::Glob(pattern) => find_matching(pattern, &mut found, &mut discovery.failed),
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

fn find_matching(pattern: &str, found: &mut BTreeMap<PathBuf, SourceFile>, failed: &mut Vec<Failure>) {
    let fail = |reason: String| Failure { path: pattern.to_owned(), reason };
    // The folder above the first part with a wildcard.
    let fixed: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']))
        .collect();
    let root = if fixed.as_os_str().is_empty() { PathBuf::from(".") } else { fixed.clone() };
    let rest =
        Path::new(pattern).strip_prefix(&fixed).unwrap_or(Path::new(pattern)).to_string_lossy().into_owned();
    let matcher = match GlobBuilder::new(&rest).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => return failed.push(fail(format!("is not a pattern: {error}"))),
    };
    if !root.is_dir() {
        return failed.push(fail(format!("there is no folder {}", root.display())));
    }
    let before = found.len();
    walk(&absolute(&root), Some(&matcher), found, failed);
    if found.len() == before {
        failed.push(fail("no file matches".to_owned()));
    }
}

fn walk(
    folder: &Path,
    matcher: Option<&GlobMatcher>,
    found: &mut BTreeMap<PathBuf, SourceFile>,
    failed: &mut Vec<Failure>,
) {
    let walk =
        WalkBuilder::new(folder).require_git(false).add_custom_ignore_filename(".graphwrightignore").build();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
                if matcher.is_none_or(|matcher| matcher.is_match(below)) {
                    add(entry.path(), folder, false, found);
                }
            }
            Ok(_) => {}
            Err(error) => {
                failed.push(Failure { path: folder.display().to_string(), reason: error.to_string() });
            }
        }
    }
}

fn add(path: &Path, root: &Path, named: bool, found: &mut BTreeMap<PathBuf, SourceFile>) {
    let source = slashed(path.strip_prefix(root).unwrap_or(path));
    let file = SourceFile { path: path.to_owned(), source, bytes: None, named };
    found.entry(path.to_owned()).and_modify(|known| known.named |= named).or_insert(file);
}

/// Two files of one name get the folders above them in front, as many as it takes.
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

/// The source with `more` further folders in front.
pub(crate) fn with_parents(file: &SourceFile, more: usize) -> String {
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
