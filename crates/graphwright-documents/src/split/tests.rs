use graphwright_core::{Document, Properties};
use proptest::prelude::*;

use super::*;

fn document(format: TextFormat, text: &str) -> Document {
    Document {
        id: "a".to_owned(),
        source: "a".to_owned(),
        title: "A".to_owned(),
        text: text.to_owned(),
        format,
        hash: String::new(),
        metadata: Properties::new(),
    }
}

fn split(format: TextFormat, text: &str, size: usize) -> Vec<Chunk> {
    Splitter { size }.split(&document(format, text).into())
}

fn assert_covers(text: &str, chunks: &[Chunk]) {
    let joined: String = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    assert_eq!(joined, text);
    for (index, chunk) in chunks.iter().enumerate() {
        assert_eq!((chunk.index, &text[chunk.span.range()]), (index, chunk.text.as_str()));
    }
}

#[test]
fn passages_know_the_headings_above_them() {
    let text =
        "---\ntitle: T\n---\n\n# One\n\nFirst text here.\n\n## Two `x`\n\nSecond.\n\n# Three\n\nThird one.\n";
    let chunks = split(TextFormat::Markdown, text, 30);
    assert_covers(text, &chunks);
    let headings: Vec<_> = chunks.iter().map(|chunk| chunk.headings.join(" / ")).collect();
    assert_eq!(headings, ["", "One", "One / Two x", "Three"]);
}

#[test]
fn records_stay_whole() {
    let csv = "name,text\na,\"one\ntwo\"\nb,three\nc,a much longer text than the rest\n";
    let chunks = split(TextFormat::Csv, csv, 24);
    assert_covers(csv, &chunks);
    let starts: Vec<_> = chunks.iter().map(|chunk| &chunk.text[..2]).collect();
    assert_eq!(starts, ["na", "b,", "c,"]);

    let json = r#"[{"a": "x, [y"}, {"a": 2}, {"a": 3}]"#;
    let chunks = split(TextFormat::Json, json, 16);
    assert_covers(json, &chunks);
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks[1].text.trim(), r#"{"a": 2},"#);

    // One that is too long is split between its parts.
    let json = r#"{"a": {"b": [1, 2, 3], "c": {"d": "a, b"}}, "e": 3}"#;
    let texts = |size| -> Vec<String> {
        let chunks = split(TextFormat::Json, json, size);
        assert_covers(json, &chunks);
        chunks.iter().map(|chunk| chunk.text.trim().to_owned()).collect()
    };
    assert_eq!(texts(22), [r#"{"a": {"b": [1, 2, 3], "c": {"d": "a, b"}},"#, r#""e": 3}"#]);
    assert_eq!(texts(4), [r#"{"a": {"b": [1, 2, 3],"#, r#""c": {"d": "a, b"}},"#, r#""e": 3}"#]);

    let lines = "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n";
    let chunks = split(TextFormat::JsonLines, lines, 18);
    assert_covers(lines, &chunks);
    assert_eq!(chunks.len(), 2);
}

#[test]
fn a_long_line_is_split_between_words() {
    let text = "word ".repeat(1000);
    let chunks = split(TextFormat::Plain, &text, 100);
    assert_covers(&text, &chunks);
    assert!(chunks.iter().all(|chunk| chunk.text.chars().count() <= 100));
}

#[test]
fn a_long_text_is_covered_across_its_regions() {
    let section = format!("# Part\n\n{}\n\n", "some words äß ".repeat(400));
    for text in [section.repeat(15), section.replace('\n', " ").repeat(15)] {
        for format in [TextFormat::Markdown, TextFormat::Plain] {
            let chunks = split(format, &text, 1_500);
            assert_covers(&text, &chunks);
            assert!(chunks.iter().all(|chunk| chunk.text.chars().count() <= 1_500));
        }
    }
    let chunks = split(TextFormat::Markdown, &section.repeat(15), 1_500);
    assert!(chunks.iter().all(|chunk| chunk.headings == ["Part"]));
}

proptest! {
    #[test]
    fn passages_cover_any_text(text in "[ -~\\n#äß語\\-\\[\\]`*,\"{}]{1,300}", size in 1_usize..80) {
        for format in
            [TextFormat::Markdown, TextFormat::Plain, TextFormat::Csv, TextFormat::Json, TextFormat::JsonLines]
        {
            assert_covers(&text, &split(format, &text, size));
        }
    }
}

#[test]
fn passages_know_their_pages() {
    let text = "# A\n\nOne.\n\n# B\n\nTwo goes on.\n\n# C\n\nThree.\n";
    let starts = ["# A", "goes", "# C"].map(|begin| text.find(begin).unwrap());
    let parsed = ParsedDocument::from(document(TextFormat::Markdown, text)).with_pages(starts.to_vec());
    let chunks = Splitter { size: 20 }.split(&parsed);
    let pages =
        |chunk: &Chunk| chunk.pages.as_ref().map(|pages| (pages.first, pages.starts.clone())).unwrap();
    let found: Vec<_> = chunks.iter().map(pages).collect();
    assert_eq!(found, [(1, vec![]), (1, vec![starts[1]]), (3, vec![])]);
    assert_eq!(split(TextFormat::Markdown, text, 20)[0].pages, None);
}
