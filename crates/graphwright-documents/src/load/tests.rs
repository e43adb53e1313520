use std::{fs, path::Path};

use graphwright_core::Value;
use rstest::rstest;

use super::*;

fn load(name: &str, bytes: &[u8]) -> Result<ParsedDocument, LoadError> {
    let file = SourceFile {
        path: PathBuf::new(),
        source: name.to_owned(),
        bytes: Some(bytes.to_vec()),
        named: true,
    };
    file.load(&file.read(&Limits::default())?, &Limits::default())
}

fn reason(name: &str, bytes: &[u8]) -> String {
    match load(name, bytes) {
        Err(LoadError::Failed(reason) | LoadError::Skipped(reason)) => reason,
        Ok(document) => panic!("must fail, gave {document:?}"),
    }
}

#[rstest]
#[case("a.md", b"", "is empty")]
#[case("a.md", b" \n", "has no text")]
#[case("a.md", b"\xc3\xa9b\xffcd", "is not valid UTF-8 (byte 0xff at offset 3); save it as UTF-8")]
#[case("a.txt", b"\xef\xbb\xbfa\xff", "is not valid UTF-8 (byte 0xff at offset 4); save it as UTF-8")]
#[case("a.txt", b"a\0b", "is a binary file, not text (a zero byte at offset 1)")]
#[case("a.txt", b"\x89PNG\0\xff", "is a binary file, not text (byte 0x89 at offset 0)")]
#[case("a.txt", b"\xff\xfea\0b", "is not valid UTF-16 (half a character at offset 4)")]
#[case("a.txt", b"\xff\xfe\x00\xd8a\0", "is not valid UTF-16 (half a pair at offset 2); save it as UTF-8")]
#[case(
    "a.bin",
    b"\x7fELF\0\0\xff",
    "is a binary file of an unknown kind; Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, DOCX, PPTX, XLSX, mails, JSON, JSON Lines, YAML, TOML and CSV are read"
)]
#[case("a.json", b"{\"a\": }", "is not valid JSON: expected value at line 1 column 7")]
#[case("a.jsonl", b"{}\n{\n", "line 2 is not valid JSON: EOF while parsing an object at line 1 column 1")]
#[case("a.csv", b"a,b\n1,2\n3\n", "line 3 has 1 fields where the header has 2")]
#[case("a.json", &[b'['; 128], "is nested more than 127 deep; flatten it")]
#[case("a.jsonl", &[b'['; 128], "line 1 is nested more than 127 deep; flatten it")]
fn what_cannot_be_read_says_why(#[case] name: &str, #[case] bytes: &[u8], #[case] expected: &str) {
    assert_eq!(reason(name, bytes), expected);
}

#[rstest]
#[case("a.pdf", b"%PDF-1.4\nnothing")]
#[case("a.docx", b"PK\x03\x04nothing")]
fn damaged_files_are_refused(#[case] name: &str, #[case] bytes: &[u8]) {
    assert!(reason(name, bytes).starts_with("cannot be read as "), "{}", reason(name, bytes));
}

#[test]
fn byte_order_marks_are_understood() {
    assert_eq!(load("a.txt", b"\xef\xbb\xbfabc").expect("loads").text, "abc");
    assert_eq!(load("a.txt", b"\xff\xfea\0\xe4\0").expect("loads").text, "aä");
    assert_eq!(load("a.txt", b"\xfe\xff\0a\0b").expect("loads").text, "ab");
}

#[test]
fn markdown_has_title_and_front_matter() {
    let text = "---\ntitle: From front matter\nowner: Ada\ntags: [x, y]\nnested: {a: 1}\n---\n\n## Sub\n\n# The *title*\n";
    let document = load("a.md", text.as_bytes()).expect("loads");
    assert_eq!(document.title, "The title");
    assert_eq!(document.text, text);
    assert_eq!(document.metadata["owner"], Value::from("Ada"));
    assert_eq!(document.metadata["tags"], Value::from(vec!["x", "y"]));
    assert!(!document.metadata.contains_key("nested"));
    assert_eq!(load("a.md", b"---\ntitle: T\n---\ntext\n").expect("loads").title, "T");
    assert_eq!(load("a.md", b"---\ntitle: T\n---\n## Sub\n").expect("loads").title, "T");
    assert_eq!(load("dir/name.md", b"text\n").expect("loads").title, "name");
    let template = b"---\nowner: Ada\ntitle: <%= x %>: [\n---\n# T\n\nA text.\n";
    let document = load("a.md", template).expect("loads");
    let remark =
        "its front matter is not valid YAML (line 3) and was read as text; correct it or take it out";
    assert_eq!((document.title.as_str(), document.remark()), ("T", Some(remark)));
    assert_eq!((document.text.as_bytes(), document.metadata.len()), (&template[..], 0));
    assert_eq!(load("a.md", b"# Head\n\n---\nx: [\n---\n").expect("a rule is no front matter").title, "Head");
}

#[test]
fn html_becomes_markdown_without_navigation() {
    let html = "<html><head><title>Page</title><script>var x;</script></head><body><nav>Menu</nav><h1>Billing</h1>\
                <p>It uses <a href='auth.html'>Auth</a>.</p><table><tr><th>A</th></tr><tr><td>1</td></tr></table>\
                </body></html>";
    let document = load("a.html", html.as_bytes()).expect("loads");
    assert_eq!((document.title.as_str(), document.format), ("Billing", TextFormat::Markdown));
    assert!(document.text.contains("[Auth](auth.html)"), "{}", document.text);
    assert!(!document.text.contains("Menu") && !document.text.contains("var x"), "{}", document.text);
}

#[rstest]
#[case("page.html.md.erb", b"A [link](b.md) and\n\n## Gates\n", "Gates")]
#[case("page.html.erb", b"<title>Moorings</title><p>Tie up at <%= place %>.</p>", "Moorings")]
#[case("page.v2.erb", b"A text of its own.\n", "page.v2")]
#[case("plan.pdf.sig", b"A signature.\n", "plan.pdf")]
#[case("2024.html.txt", b"<title>No page</title>", "2024.html")]
fn a_template_is_read_as_what_it_is_one_of(#[case] name: &str, #[case] bytes: &[u8], #[case] title: &str) {
    assert_eq!(load(name, bytes).expect("loads").title, title);
}

#[test]
fn csv_with_other_delimiters_becomes_comma_separated() {
    assert_eq!(load("a.csv", b"a;b\n1,5;2\n").expect("loads").text, "a,b\n\"1,5\",2\n");
    assert_eq!(load("a.tsv", b"a\tb\n1\t2\n").expect("loads").text, "a,b\n1,2\n");
}

#[test]
fn a_text_that_is_a_table_is_read_as_one() {
    let format = |text: &str| load("stops.txt", text.as_bytes()).expect("loads").format;
    assert_eq!(format("stop_id,stop_name,lat\n1,\"Main St, North\",5.5\n"), TextFormat::Csv);
    assert_eq!(format("id\tname\n1\tMain St\n2\tMill Lane\n"), TextFormat::Csv);
    assert_eq!(format("Dear Ann, dear Bo\nthank you, both\nsee you, soon\n"), TextFormat::Plain);
    assert_eq!(format("Dear Ann, dear Bo, dear Cy\nthank you\n"), TextFormat::Plain);
    assert_eq!(format("Eggs, milk, bread\nflour, sugar, salt\n"), TextFormat::Plain);
    assert_eq!(format("2024-01-02,INFO,started\n2024-01-03,INFO,ended\n"), TextFormat::Plain);
}

#[test]
fn a_file_over_the_limit_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("big.txt");
    fs::File::create(&path).and_then(|file| file.set_len(100_000_001)).expect("a sparse file");
    let file = SourceFile { path, source: "big.txt".to_owned(), bytes: None, named: true };
    let reason = "is 100.0 MB long; the limit is 50 MB for a file: split it, or raise the limit".to_owned();
    assert_eq!(file.read(&Limits::default()), Err(LoadError::Failed(reason)));
}

fn sources(discovery: &Discovery) -> Vec<&str> {
    discovery.files.iter().map(|file| file.source.as_str()).collect()
}

fn write(folder: &Path, files: &[&str]) {
    for file in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, "text").expect("writes");
    }
}

#[test]
fn folders_globs_and_files_are_found_once_and_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, &["b.md", "a/c.md", "a/d.txt", ".hidden/e.md", "skip/f.md", "one/x.md", "two/x.md"]);
    fs::write(root.join(".gitignore"), "skip/\n").expect("writes");

    let all = discover(&[Input::Path(root.to_owned())], false);
    assert_eq!(sources(&all), ["a/c.md", "a/d.txt", "b.md", "one/x.md", "two/x.md"]);
    assert_eq!(all.failed, vec![]);

    let pattern = root.join("**/c.*").display().to_string();
    assert_eq!(sources(&discover(&[Input::parse(&pattern)], false)), ["a/c.md"]);

    let both = discover(&[Input::Path(root.join("one")), Input::Path(root.join("two"))], false);
    assert_eq!(sources(&both), ["one/x.md", "two/x.md"]);

    let twice = discover(&[Input::Path(root.join("a")), Input::Path(root.join("a/c.md"))], false);
    assert_eq!(sources(&twice), ["c.md", "d.txt"]);
    let pattern = Input::parse(&root.join("a/*.md").display().to_string());
    let again = discover(&[Input::Path(root.to_owned()), Input::Path(root.join("a")), pattern], false);
    assert!(
        again.failed.is_empty(),
        "what an earlier input found too is no empty folder: {:?}",
        again.failed
    );
}

#[test]
fn documents_are_loaded_without_a_store() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &["a.md", "b.txt"]);
    fs::write(folder.path().join("c.md"), b"").expect("writes");
    fs::write(folder.path().join("d.png"), b"\x89PNG\0").expect("writes");
    let loaded: Vec<_> = super::load(&[Input::Path(folder.path().to_owned())], Limits::default()).collect();
    let shown = |one: &Result<ParsedDocument, Failure>| match one {
        Ok(document) => document.source.clone(),
        Err(failure) => failure.reason.clone(),
    };
    assert_eq!(loaded.iter().map(shown).collect::<Vec<_>>(), ["a.md", "b.txt", "is empty"]);
}

#[test]
fn what_is_not_there_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.md");
    let nothing = folder.path().join("*.md").display().to_string();
    let discovery =
        discover(&[Input::Path(missing), Input::parse(&nothing), Input::Path(folder.path().into())], false);
    let reasons: Vec<_> = discovery.failed.iter().map(|failure| failure.reason.as_str()).collect();
    assert_eq!(reasons, ["there is no such file or folder", "no file matches", "the folder holds no files"]);
}

#[test]
fn a_file_that_is_longer_than_it_says_is_refused() {
    let source = "stdin.md".to_owned();
    let limits = Limits { file_bytes: 3, ..Limits::default() };
    let file = SourceFile { path: PathBuf::new(), source, bytes: Some(b"four".to_vec()), named: true };
    assert!(matches!(file.read(&limits), Err(LoadError::Failed(reason)) if reason.contains("the limit is")));
    // Files of the kernel say that they are empty.
    let path = PathBuf::from("/proc/self/status");
    if path.exists() {
        let file = SourceFile { path, source: "status".to_owned(), bytes: None, named: true };
        assert!(
            matches!(file.read(&limits), Err(LoadError::Failed(reason)) if reason.contains("the limit is"))
        );
    }
}

#[cfg(unix)]
#[test]
fn what_may_never_end_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    for path in [pipe, PathBuf::from("/dev/zero")] {
        let (_, failed) = documents(&[Input::Path(path)], &Limits::default());
        let reasons: Vec<_> = failed.iter().map(|failure| failure.reason.as_str()).collect();
        assert_eq!(
            reasons,
            ["is a pipe, a socket or a device, not a file; give what it holds by standard input"]
        );
    }
    let discovery = discover(&[Input::Path(folder.path().to_owned())], true);
    assert_eq!(last_parts(&discovery.skipped), ["pipe.md is a pipe, a socket or a device, not a file"]);
}

/// Shows the names of files with the reasons.
fn last_parts(failures: &[Failure]) -> Vec<String> {
    let name = |path: &str| path.rsplit('/').next().map(str::to_owned).unwrap_or_default();
    failures.iter().map(|failure| format!("{} {}", name(&failure.path), failure.reason)).collect()
}

#[cfg(unix)]
fn folder_with_links() -> tempfile::TempDir {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &["elsewhere/far.md", "docs/near.md", "docs/deep/c.md"]);
    for (target, link) in [
        ("near.md", "docs/again.md"),
        ("../elsewhere/far.md", "docs/far.md"),
        ("../elsewhere", "docs/farther"),
        ("gone.md", "docs/dangling.md"),
        ("two.md", "docs/one.md"),
        ("one.md", "docs/two.md"),
        ("deep", "docs/deeper"),
        (".", "docs/loop"),
        ("/dev/null", "docs/null.md"),
    ] {
        symlink(target, folder.path().join(link)).expect("a link");
    }
    folder
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_not_followed() {
    let folder = folder_with_links();
    let discovery = discover(&[Input::Path(folder.path().join("docs"))], false);
    assert_eq!(sources(&discovery), ["deep/c.md", "near.md"]);
    assert_eq!(
        last_parts(&discovery.failed),
        [
            "dangling.md is a link to gone.md, which does not exist",
            "one.md is a link to two.md that cannot be followed: Too many levels of symbolic links (os error 40)",
            "two.md is a link to one.md that cannot be followed: Too many levels of symbolic links (os error 40)",
        ]
    );
    assert_eq!(
        last_parts(&discovery.skipped),
        [
            "deeper is a link to a folder that is read where it lies",
            "far.md is a link out of the folder; follow links to read it",
            "farther is a link out of the folder; follow links to read it",
            "loop is a link to a folder that is read where it lies",
            "null.md is a link out of the folder; follow links to read it",
        ]
    );
    let named = discover(&[Input::Path(folder.path().join("docs/far.md"))], false);
    assert_eq!(sources(&named), ["far.md"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_on_request_to_each_file_once() {
    let folder = folder_with_links();
    let discovery = discover(&[Input::Path(folder.path().join("docs"))], true);
    assert_eq!(sources(&discovery), ["deep/c.md", "far.md", "near.md"]);
    let mut skipped = last_parts(&discovery.skipped);
    skipped.sort();
    assert_eq!(
        skipped,
        ["loop is a link to a folder that it lies in", "null.md is a pipe, a socket or a device, not a file",]
    );
}
