//! Every fact that the rules read in the corpora, every ontology that they infer and every answer without a model, word
//! for word, beside what is kept in `xtask/golden`: a change of code shows exactly what it changes of these.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use graphwright_core::{Document, Span};
use graphwright_documents::{
    Extraction,
    load::{self, Input, Limits},
};
use graphwright_ontology::Ontology;
use serde_json::Value;

use crate::{answers, extraction};

/// What to compare, or to write.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Writes what there is now in place of what is kept
    #[arg(long)]
    write: bool,
    /// The command to ask; the one that stands beside this program when none is named
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// Compares what the code gives now with the golden files, or writes them.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = answers::binary(options.binary.as_deref())?;
    let (mut facts, mut ontologies, mut answered) = (String::new(), String::new(), String::new());
    for folder in extraction::corpora()? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        facts.push_str(&format!("## {name}\n\n{}", self::facts(&folder)?));
        let inferred = answers::infer(&folder, &binary)?;
        ontologies.push_str(&format!("## {name}\n\n{inferred}\n"));
        answered.push_str(&format!("## {name}\n\n"));
        for (source, answer) in answers::all(&folder, &binary)? {
            answered.push_str(&format!("{source}: {}", self::answer(&answer)));
        }
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut changed = Vec::new();
    for (name, text) in [("facts.txt", &facts), ("ontologies.txt", &ontologies), ("answers.txt", &answered)] {
        let path = kept.join(name);
        if options.write {
            fs::create_dir_all(&kept)?;
            fs::write(&path, text)?;
        } else {
            let before = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            changed.extend(first_difference(&before, text).map(|found| format!("{name}: {found}")));
        }
    }
    if !changed.is_empty() {
        bail!(
            "the golden files differ; `cargo xtask golden --write` and `git diff` show where:\n  {}",
            changed.join("\n  ")
        );
    }
    let lines = [&facts, &ontologies, &answered].map(|text| text.lines().count());
    println!("golden: {} lines of facts, {} of ontologies, {} of answers", lines[0], lines[1], lines[2]);
    Ok(())
}

fn first_difference(before: &str, now: &str) -> Option<String> {
    let (mut before, mut now) = (before.lines(), now.lines());
    for number in 1.. {
        match (before.next(), now.next()) {
            (None, None) => break,
            (kept, got) if kept == got => {}
            (kept, got) => {
                return Some(format!(
                    "line {number}: kept `{}`, now `{}`",
                    kept.unwrap_or("nothing"),
                    got.unwrap_or("nothing")
                ));
            }
        }
    }
    None
}

/// What the rules read in the documents of a corpus.
fn facts(folder: &Path) -> Result<String> {
    let ontology = fs::read_to_string(folder.join("ontology.yaml"))?;
    let ontology: Ontology = serde_saphyr::from_str(&ontology).context("the ontology does not parse")?;
    let (documents, _) = load::documents(&[Input::Path(folder.join("documents"))], &Limits::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let extractions = runtime.block_on(extraction::extract(&ontology, &documents))?;
    let mut text = String::new();
    for (document, extraction) in documents.iter().zip(&extractions) {
        describe(&mut text, document, extraction)?;
    }
    Ok(text)
}

fn describe(text: &mut String, document: &Document, extraction: &Extraction) -> Result<()> {
    writeln!(text, "# {}", document.source)?;
    for entity in &extraction.entities {
        let mentions: Vec<String> = entity.mentions.iter().copied().map(range).collect();
        writeln!(text, "{} {:?} {:?} at {}", entity.kind, entity.name, entity.aliases, mentions.join(" "))?;
        for property in &entity.properties {
            let value = serde_json::to_string(&property.value)?;
            writeln!(
                text,
                "    .{} = {value} {} at {}",
                property.name,
                property.confidence,
                range(property.span)
            )?;
        }
    }
    for fact in &extraction.facts {
        let (from, to) = (&extraction.entities[fact.from].name, &extraction.entities[fact.to].name);
        let properties = serde_json::to_string(&fact.properties)?;
        let (kind, confidence) = (&fact.kind, fact.confidence);
        writeln!(text, "{from:?} -{kind}-> {to:?} {properties} {confidence} at {}", range(fact.span))?;
    }
    writeln!(text, "left out: {}\n", serde_json::to_string(&extraction.dropped)?)?;
    Ok(())
}

fn range(span: Span) -> String {
    format!("{}-{}", span.start, span.end)
}

/// An answer of `ask --batch` without what differs from run to run; passages by their place.
fn answer(answer: &Value) -> String {
    let mut answer = answer.clone();
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("elapsed_ms");
    }
    for passage in answer["passages"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        passage.remove("text");
    }
    let mut text = format!("{}\n", answer["id"].as_str().unwrap_or_default());
    for (name, value) in answer.as_object().into_iter().flatten() {
        match value {
            Value::Array(items) if items.is_empty() => {}
            Value::Array(items) => {
                text.push_str(&format!("    {name}:\n"));
                for item in items {
                    text.push_str(&format!("        {item}\n"));
                }
            }
            Value::Null => {}
            _ if name == "id" => {}
            value => text.push_str(&format!("    {name}: {value}\n")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told_with_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n").as_deref(), Some("line 2: kept `b`, now `c`"));
        assert_eq!(first_difference("a\n", "a\nc\n").as_deref(), Some("line 2: kept `nothing`, now `c`"));
    }
}
