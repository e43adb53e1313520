//! Checks the architecture: who may use whom, which names stay behind which door, that no modules go in a circle, and
//! that no name of test data stands in sources.

mod circles;
mod known_circles;
mod modules;
mod names;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use self::{circles::Circle, known_circles::KNOWN_CIRCLES, modules::Modules};

/// The rows of ARCHITECTURE.md, top first.
const LAYERS: &[(usize, &[&str])] = &[
    (0, &["graphwright-core", "graphwright-macros"]),
    (
        1,
        &[
            "graphwright-cypher",
            "graphwright-english",
            "graphwright-flow",
            "graphwright-journal",
            "graphwright-llm",
            "graphwright-worker",
        ],
    ),
    (2, &["graphwright-embedded", "graphwright-learn", "graphwright-neo4j", "graphwright-ontology"]),
    (3, &["graphwright-documents", "graphwright-retrieve"]),
    (4, &["graphwright-exchange", "graphwright-ingest", "graphwright-rules"]),
    (5, &["graphwright-answer"]),
    (6, &["graphwright-agent", "graphwright-text2cypher"]),
    (7, &["graphwright"]),
    (8, &["graphwright-eval", "graphwright-mcp"]),
    (9, &["graphwright-cli", "graphwright-differential", "graphwright-tck"]),
];

/// Crates that only the facade and what stands above it may use.
const STORES: &[&str] = &["graphwright-embedded", "graphwright-neo4j"];
const FACADE_LAYER: usize = 7;
const PRODUCT_LAYER: usize = 8;

/// Text that may stand only in the sources of some crates.
const DOORS: &[Door] = &[
    Door {
        text: "from_checked_text",
        only_in: &["graphwright-core", "graphwright-cypher", "graphwright-embedded"],
        why: "text made at run time reaches a store only through the gate of graphwright-cypher (workers of graphwright-embedded get it from there)",
    },
    Door {
        text: "from_built_text",
        only_in: &["graphwright-core", "graphwright-cypher"],
        why: "text put together by code reaches a store only through the safe builder of graphwright-cypher",
    },
    Door {
        text: "env::var",
        only_in: &["graphwright", "graphwright-cli", "graphwright-worker"],
        why: "only the command and `Settings::from_env` of the facade read environment variables (workers get the time zone passed on)",
    },
    Door {
        text: "anyhow",
        only_in: &["graphwright-cli"],
        why: "library crates have error types of their own",
    },
];

struct Door {
    text: &'static str,
    only_in: &'static [&'static str],
    why: &'static str,
}

/// Fails with every breach found.
pub(crate) fn check() -> Result<()> {
    let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
    let mut breaches = Vec::new();
    for package in library_packages(&metadata) {
        breaches.extend(wrong_dependencies(package));
        breaches.extend(wrong_words(package)?);
    }
    breaches.extend(wrong_circles(&metadata)?);
    breaches.extend(names::breaches(metadata.workspace_root.as_std_path())?);
    if breaches.is_empty() {
        println!("layers: {} crates keep to the architecture", library_packages(&metadata).count());
        return Ok(());
    }
    bail!("the architecture is broken:\n  {}", breaches.join("\n  "));
}

fn library_packages(metadata: &Metadata) -> impl Iterator<Item = &Package> {
    metadata.packages.iter().filter(|package| package.name.starts_with("graphwright"))
}

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().find(|(_, names)| names.contains(&name)).map(|(layer, _)| *layer)
}

fn wrong_dependencies(package: &Package) -> Vec<String> {
    let Some(layer) = layer_of(&package.name) else {
        return vec![format!("{} is in no row of xtask/src/layers.rs and ARCHITECTURE.md", package.name)];
    };
    let used = package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .map(|dependency| dependency.name.as_str());
    let wrong = used.filter(|used| match layer_of(used) {
        Some(below) => below >= layer || (STORES.contains(used) && layer < FACADE_LAYER),
        None => *used == "anyhow" && layer < PRODUCT_LAYER,
    });
    wrong.map(|used| format!("{} may not depend on {used}", package.name)).collect()
}

fn wrong_words(package: &Package) -> Result<Vec<String>> {
    let root = package.manifest_path.parent().context("a manifest has a folder")?;
    let mut breaches = Vec::new();
    let mut sources = Vec::new();
    for file in rust_files(&root.join("src").into_std_path_buf())? {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        sources.push((file, text));
    }
    for (file, text) in sources.iter().filter(|(file, _)| !is_test(file, &sources)) {
        for door in DOORS.iter().filter(|door| !door.only_in.contains(&package.name.as_str())) {
            for (number, line) in text.lines().enumerate() {
                if line.contains(door.text) && !line.trim_start().starts_with("//") {
                    let place = format!("{}:{}", file.display(), number + 1);
                    breaches.push(format!("{place}: `{}`: {}", door.text, door.why));
                }
            }
        }
    }
    Ok(breaches)
}

/// Circles of modules that are not known, and known ones that are no more.
fn wrong_circles(metadata: &Metadata) -> Result<Vec<String>> {
    let mut found: Vec<Circle> = Vec::new();
    for package in library_packages(metadata) {
        let folder = package.manifest_path.with_file_name("src");
        for target in package.targets.iter().filter(|target| target.src_path.starts_with(&folder)) {
            let modules = Modules::read(target.src_path.as_std_path())?;
            found.extend(circles::circles(&package.name, &modules, KNOWN_CIRCLES));
        }
    }
    Ok(circles::breaches(&found, KNOWN_CIRCLES))
}

/// Whether a file is a module of tests: below `tests`, or declared under `#[cfg(test)]`.
fn is_test(file: &Path, sources: &[(PathBuf, String)]) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let declared = format!("#[cfg(test)]\nmod {stem};");
    stem == "tests"
        || file.components().any(|part| part.as_os_str() == "tests")
        || sources.iter().any(|(_, text)| text.contains(&declared))
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_row_may_be_used_and_a_higher_may_not() {
        assert!(layer_of("graphwright-core") < layer_of("graphwright-cypher"));
        assert!(layer_of("graphwright-cli") > layer_of("graphwright"));
        assert_eq!(layer_of("serde"), None);
    }
}
