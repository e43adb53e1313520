//! Documents that end or stall a careless reader. Each is named if it cannot be read, and the others go in.

use std::{
    fs,
    io::{Cursor, Write},
    time::Duration,
};

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::Value;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::{Round, Victim, end};

/// The files that are ingested together.
const TOGETHER: u32 = 5;
/// The longest for a file.
const LONGEST: Duration = Duration::from_secs(15);
const GOOD: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`.\n";

pub(super) fn run(victim: &Victim, round: &mut Round) -> Result<String> {
    let (mut named, mut read) = (0, 0);
    while round.next() {
        let folder = tempfile::tempdir()?;
        let documents = folder.path().join("documents");
        fs::create_dir(&documents)?;
        fs::write(documents.join("good.md"), GOOD)?;
        let mut names = Vec::new();
        loop {
            let (name, bytes) = file(&mut round.rng)?;
            let name = format!("{}-{name}", names.len());
            fs::write(documents.join(&name), bytes)?;
            names.push(name);
            if names.len() as u32 == TOGETHER || !round.next() {
                break;
            }
        }
        let store = folder.path().join("store");
        let path = documents.display().to_string();
        let ending =
            end(victim.limited("ulimit -v 3000000", &store, &["--json", "ingest", &path]).spawn()?)?;
        if let Some(fault) = ending.fault() {
            round.fault(format!("{names:?}: {fault}"));
            continue;
        }
        if ending.time > LONGEST * (1 + names.len() as u32) {
            round.fault(format!("{names:?}: took {:?}", ending.time));
        }
        let report: Value = serde_json::from_str(&ending.output).context("the report")?;
        let failed = report["failed"].as_array().map_or(0, Vec::len) as u64;
        let skipped = report["skipped"].as_array().map_or(0, Vec::len) as u64;
        let added = report["documents"]["added"].as_u64().unwrap_or(0);
        if added == 0 || added + failed + skipped != names.len() as u64 + 1 {
            round.fault(format!("{names:?}: {added} added, {failed} failed, {skipped} skipped"));
        }
        named += failed + skipped;
        read += added.saturating_sub(1);
        let found = victim.succeed(&store, &["search", "ledger"])?;
        if !found.contains("money-types") {
            round.fault(format!("{names:?}: the good document cannot be found"));
        }
    }
    Ok(format!("{named} named with a reason, {read} read"))
}

fn file(rng: &mut Rng) -> Result<(&'static str, Vec<u8>)> {
    let many = [100, 2_000, 10_000][rng.usize(..3)];
    Ok(match rng.u32(..14) {
        0 => ("tags.html", format!("<html><body>{}deep", tag(rng).repeat(many)).into_bytes()),
        1 => ("quotes.md", format!("{}deep\n", "> ".repeat(many)).into_bytes()),
        2 => (
            "lists.md",
            (0..many.min(3_000))
                .map(|level| format!("{}- item\n", " ".repeat(level * 2)))
                .collect::<String>()
                .into_bytes(),
        ),
        3 => ("deep.json", format!("{}1{}", "[".repeat(many), "]".repeat(many)).into_bytes()),
        4 => (
            "wide.json",
            format!("{{{}}}", (0..many).map(|key| format!("\"k{key}\":{key}")).collect::<Vec<_>>().join(","))
                .into_bytes(),
        ),
        5 => ("line.txt", "word ".repeat(many * 10).into_bytes()),
        6 => ("word.md", "x".repeat(many * 10).into_bytes()),
        7 => ("names.md", "Alpha Beta Gamma and ".repeat(many).into_bytes()),
        8 => ("brackets.md", "[a](b ![".repeat(many).into_bytes()),
        9 => ("columns.csv", format!("{}\n{}\n", "a,".repeat(many), "1,".repeat(many)).into_bytes()),
        10 => (
            "yaml.md",
            format!(
                "---\na: &a [x, x]\n{}---\ntext\n",
                (0..12).map(|level| format!("b{level}: &b{level} [*a, *a, *a, *a]\n")).collect::<String>()
            )
            .into_bytes(),
        ),
        11 => ("bomb.docx", office(rng, many)?),
        12 => (
            "noise.pdf",
            noise(rng, b"%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n", many.min(5_000)),
        ),
        _ => ("noise.xlsx", noise(rng, b"PK\x03\x04\x14\0\0\0\x08\0", many.min(5_000))),
    })
}

fn tag(rng: &mut Rng) -> &'static str {
    ["<div>", "<table><tr><td>", "<ul><li>", "<b>", "<blockquote>", "<a href=x>", "<svg>", "<!--", "<p><h1>"]
        [rng.usize(..9)]
}

fn noise(rng: &mut Rng, head: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = head.to_vec();
    bytes.extend((0..length).map(|_| rng.u8(..)));
    bytes
}

/// Makes a text document that is small packed and large or deep unpacked.
fn office(rng: &mut Rng, many: usize) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let mut add = |name: &str, parts: &[(&str, usize)]| -> Result<()> {
        zip.start_file(name, options)?;
        parts
            .iter()
            .try_for_each(|(part, times)| (0..*times).try_for_each(|_| zip.write_all(part.as_bytes())))?;
        Ok(())
    };
    let types = "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default \
                 Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override \
                 PartName=\"/word/document.xml\" \
                 ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let relations = "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship \
                     Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" \
                     Target=\"word/document.xml\"/></Relationships>";
    add("[Content_Types].xml", &[(types, 1)])?;
    add("_rels/.rels", &[(relations, 1)])?;
    let head = "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>";
    let tail = "</w:body></w:document>";
    let text = "<w:p><w:r><w:t>a paragraph of text</w:t></w:r></w:p>";
    if rng.bool() {
        let (open, close) = ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>");
        add("word/document.xml", &[(head, 1), (open, many), (text, 1), (close, many), (tail, 1)])?;
    } else {
        add("word/document.xml", &[(head, 1), (text, many * 40), (tail, 1)])?;
    }
    Ok(zip.finish()?.into_inner())
}
