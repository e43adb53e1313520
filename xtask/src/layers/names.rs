//! No name of test data in sources: what a comment, a test beside the code or a list of words takes from a corpus, the
//! rules have seen before they are measured on it.
//!
//! Names are the titles of a corpus's documents and the names of the entities in its gold facts, where two or more of
//! their words begin with a capital: `Annual report 2023` and `heart failure` are English, and a single word may be.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use aho_corasick::AhoCorasick;
use anyhow::{Context, Result};
use graphwright_documents::load::{self, Input, Limits};
use serde_json::Value;

/// Each place in a crate's `src` that holds a name of a corpus.
pub(super) fn breaches(workspace: &Path) -> Result<Vec<String>> {
    let crates = folders(&workspace.join("crates"))?;
    let mut names = BTreeSet::new();
    for folder in &crates {
        for corpus in folders(&folder.join("tests/corpora"))? {
            names.extend(names_of(&corpus)?);
        }
    }
    let names: Vec<String> = names.into_iter().collect();
    let searcher = AhoCorasick::new(&names)?;
    let mut breaches = Vec::new();
    for folder in &crates {
        for file in files(&folder.join("src"))? {
            // What is no text holds no name that a person wrote.
            let Ok(text) = fs::read_to_string(&file) else { continue };
            for (line, name) in found(&text, &searcher) {
                let name = &names[name];
                breaches.push(format!("{}:{line}: `{name}` is a name of test data", file.display()));
            }
        }
    }
    Ok(breaches)
}

/// The names of a corpus.
fn names_of(corpus: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let gold = corpus.join("gold.jsonl");
    if gold.exists() {
        let text = fs::read_to_string(&gold).with_context(|| gold.display().to_string())?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let fact: Value = serde_json::from_str(line).with_context(|| gold.display().to_string())?;
            let entities = ["from", "to", "entity"].into_iter();
            names.extend(entities.filter_map(|entity| fact[entity]["name"].as_str().map(ToOwned::to_owned)));
        }
    }
    let (documents, _) = load::documents(&[Input::Path(corpus.join("documents"))], &Limits::default());
    names.extend(documents.into_iter().map(|document| document.into_document().title));
    names.retain(|name| is_proper(name));
    Ok(names)
}

fn is_proper(name: &str) -> bool {
    name.split_whitespace().filter(|word| word.starts_with(char::is_uppercase)).count() > 1
}

/// The names in a text, by number and line. They are whole words and may run over the end of a line of a comment.
fn found(text: &str, searcher: &AhoCorasick) -> Vec<(usize, usize)> {
    let mut joined = String::with_capacity(text.len());
    let mut starts = Vec::new();
    for line in text.lines() {
        starts.push(joined.len());
        joined.push_str(
            line.trim_start().trim_start_matches(['/', '!']).trim().trim_end_matches('\\').trim_end(),
        );
        joined.push(' ');
    }
    let is_whole = |start: usize, end: usize| {
        !joined[..start].ends_with(char::is_alphanumeric) && !joined[end..].starts_with(char::is_alphanumeric)
    };
    let found = searcher.find_overlapping_iter(&joined).filter(|found| is_whole(found.start(), found.end()));
    found
        .map(|found| (starts.partition_point(|start| *start <= found.start()), found.pattern().as_usize()))
        .collect()
}

/// The folders in a folder; none where it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_two_words_with_a_capital() {
        assert!(is_proper("Slate Harbour"));
        assert!(is_proper("A Lamp for the Ferry"));
        assert!(is_proper("Minister for Fog"));
        for english in ["Annual report 2023", "heart failure", "Slate", "", "K-2018-04"] {
            assert!(!is_proper(english), "{english}");
        }
    }

    #[test]
    fn names_are_found_as_whole_words_and_over_the_ends_of_lines() {
        let searcher = AhoCorasick::new(["Slate Harbour", "Harbour Light", "Slate"]).unwrap();
        let text = "/// `Slate Harbour`\n//! the Slate\n    /// Harbour Light\nlet slate = \"Slates of \\\n   Slate Harbours\";";
        assert_eq!(found(text, &searcher), [(1, 2), (1, 0), (2, 2), (2, 0), (3, 1), (5, 2)]);
    }

    #[test]
    fn names_of_a_corpus_are_those_of_its_gold_facts_and_titles() {
        let corpus = tempfile::tempdir().unwrap();
        let fact =
            r#"{"from": {"name": "Ada Quay"}, "to": {"name": "fog"}, "entity": {"name": "Lamp Nine"}}"#;
        fs::write(corpus.path().join("gold.jsonl"), format!("{fact}\n\n")).unwrap();
        fs::create_dir(corpus.path().join("documents")).unwrap();
        fs::write(corpus.path().join("documents/a.md"), "# The Slate Harbour\n\nIt is old.\n").unwrap();
        fs::write(corpus.path().join("documents/b.md"), "# Annual report\n\nIt was quiet.\n").unwrap();
        let names: Vec<String> = names_of(corpus.path()).unwrap().into_iter().collect();
        assert_eq!(names, ["Ada Quay", "Lamp Nine", "The Slate Harbour"]);
    }
}
