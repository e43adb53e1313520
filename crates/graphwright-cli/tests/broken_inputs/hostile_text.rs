//! Tests that text from elsewhere reaches a terminal only as text: documents, file names, names in
//! the graph, what a model says, and what is asked for.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

use std::{fs, process::Output, thread};

use crate::{
    bench::Bench,
    failing_models::{KEY, MODEL, Reply, provider},
};

/// Sets the clipboard, clears the screen, overwrites the line, turns what follows around, ends lines,
/// and hides.
const EVIL: &str = "\u{1b}]52;c;aGk=\u{7}\u{1b}[2J\rgone\u{202e}\u{2066}\u{61c}\u{85}\u{2028}\u{2029}\u{b}\u{c}\u{8}\u{7f}\u{9b}2J\u{feff}\u{e0041}x\u{200b}";

/// Whether a character steers a terminal or what is seen on it. A list of its own, by the charts of
/// Unicode rather than by the code under test.
fn is_forbidden(character: char) -> bool {
    let bidirectional = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&character)
        || ('\u{202a}'..='\u{202e}').contains(&character)
        || ('\u{2066}'..='\u{2069}').contains(&character);
    let breaks = ['\u{85}', '\u{2028}', '\u{2029}'].contains(&character);
    let hidden = ['\u{200b}', '\u{2060}', '\u{feff}'].contains(&character)
        || ('\u{e0000}'..='\u{e007f}').contains(&character);
    (character.is_control() && !['\n', '\t'].contains(&character)) || bidirectional || breaks || hidden
}

fn assert_safe(output: &Output, what: &[&str]) {
    for printed in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(printed).expect("UTF-8");
        let found: Vec<char> = text.chars().filter(|character| is_forbidden(*character)).collect();
        assert!(found.is_empty(), "{what:?} prints {found:?} in {text:?}");
    }
}

/// Runs a command and returns what it prints, all of it safe.
fn run(bench: &Bench, arguments: &[&str], input: &str) -> String {
    let output = bench.command().args(arguments).write_stdin(input).output().expect("runs");
    assert_safe(&output, arguments);
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

/// A folder of documents that mean harm, and a graph of them with a node that does too.
fn graph() -> Bench {
    let bench = Bench::new();
    let name = |ending: &str| format!("docs/{}{ending}", EVIL.replace('/', ""));
    let ontology = "nodes:\n  Service: {}\n  Library: {}\nrelationships:\n  DEPENDS_ON: {from: [Service], to: [Library]}\n";
    bench.write("ontology.yaml", ontology);
    bench.write(
        &name(".md"),
        format!(
            "---\nowner: \"team \\e]52;c;aGk=\\a\\u202e\\L\\N\"\n---\n# Ledger {EVIL}\n\nThe service `ledger {EVIL}` depends on the library \
             `money{EVIL}`.\nThe service `billing` depends on the library `dates`. {EVIL}\n\n## {EVIL}\n\n- {EVIL}\n"
        ),
    );
    bench.write(&name(".json"), "{");
    let ingest = ["-vv", "ingest", "docs", "--ontology", "ontology.yaml"];
    let told = run(&bench, &ingest, "");
    assert!(told.contains("documents  1 added") && told.contains("failed: "), "{told}");
    assert!(told.contains(r"\u{1b}]52;c;aGk=\u{7}\u{1b}[2J\rgone\u{202e}"), "{told}");
    let parameter = format!("name={}", serde_json::json!(format!("Rex{EVIL}")));
    let create = format!(
        "CREATE (:`La{EVIL}` {{name: $name, `pro{EVIL}`: [$name]}})-[:`TO{EVIL}`]->(:Dog {{name: 'Ada'}})"
    );
    run(&bench, &["cypher", "--write", "--yes", "--new-names", "--param", &parameter, &create], "");
    run(&bench, &["ingest", "docs", "--re-embed"], "");
    bench
}

#[test]
fn every_command_prints_text_as_text() {
    let bench = graph();
    let rex = format!("Rex{EVIL}");
    let query = format!("MATCH p = (n)-->(m) RETURN n AS `a{EVIL}`, m, p, keys(n), n.name");
    let unknown = format!("MATCH (n:`X{EVIL}`) RETURN n.`y{EVIL}`");
    let question = format!("What depends on the library money{EVIL}?");
    let commands: &[&[&str]] = &[
        &["schema"],
        &["schema", "--all"],
        &["schema", "--prompt", "--all"],
        &["search", "ledger"],
        &["search", &rex],
        &["lookup", &rex],
        &["lookup", "Ada"],
        &["lookup", "--type", EVIL, "billing"],
        &["path", "Ada", &rex],
        &["path", "billing", EVIL],
        &["ask", "What does billing depend on?"],
        &["ask", &question],
        &["ask", "What is Ada?"],
        &["cypher", &query],
        &["cypher", "--explain", &query],
        &["cypher", "--profile", &query],
        &["cypher", &unknown],
        &["cypher", &format!("RETURN {EVIL}")],
        &["cypher", "--param", EVIL, "RETURN 1"],
        &["index", "list"],
        &["index", "create", EVIL, EVIL],
        &["index", "drop", EVIL],
        &["duplicates", "list"],
        &["duplicates", "merge", EVIL, &rex],
        &["routes"],
        &["routes", "show", EVIL],
        &["export"],
        &["export", EVIL],
        &["export", "--format", "csv", &format!("csv{EVIL}")],
        &["import", &format!("no{EVIL}.jsonl")],
        &["ingest", &format!("no{EVIL}.md")],
        &["ontology", "check", EVIL],
        &["ontology", "infer", "docs"],
        &["doctor"],
        &["doctor", "--store", EVIL],
        &["schema", "--config", EVIL],
        &["models", "pull", EVIL],
        &["ask", "--model", EVIL, "What?"],
        &["--embedder", EVIL, "search", "x"],
        &[&format!("--no{EVIL}")],
        &[EVIL],
        &["cypher", "check", &format!("no{EVIL}.cypher")],
    ];
    for arguments in commands {
        for option in ["-vv", "--json"] {
            run(&bench, &[&[option], *arguments].concat(), "");
        }
    }
    let shown = run(&bench, &["lookup", &rex], "");
    assert!(shown.contains(r"La\u{1b}]52;c;aGk=\u{7}\u{1b}[2J\rgone\u{202e}"), "{shown}");
    let chat = format!("What does billing depend on?\n/graph\n/trace\n/{EVIL}\nWhat is {rex}?\n/right\n");
    run(&bench, &["chat"], &chat);
    run(&bench, &["chat", "--json"], &chat);
    let lines = format!("{}\n{EVIL}\n", serde_json::json!({"id": EVIL, "question": question}));
    run(&bench, &["ask", "--batch"], &lines);
    run(&bench, &["search", "--batch"], &lines);
    run(&bench, &["cypher", "--batch"], &lines);
    run(&bench, &["cypher", "check"], &unknown);
}

#[test]
fn json_is_the_same_data_and_files_hold_it_exactly() {
    let bench = graph();
    let rows =
        run(&bench, &["--json", "cypher", "MATCH (n) WHERE n.name STARTS WITH 'Rex' RETURN n.name"], "");
    assert!(rows.contains(r"\u001b]52;c;aGk=\u0007\u001b[2J\rgone\u202e"), "{rows}");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    assert_eq!(rows["rows"][0][0], format!("Rex{EVIL}"));
    run(&bench, &["export", "all.jsonl"], "");
    let file = fs::read_to_string(bench.path().join("all.jsonl")).expect("reads");
    assert!(file.contains('\u{202e}'));
    let lines = |text: &str| -> Vec<serde_json::Value> {
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    assert_eq!(lines(&run(&bench, &["export"], "")), lines(&file));
}

/// Who sends a query through the command gets it back as it was, not as it would be shown.
#[test]
fn a_query_that_goes_to_a_program_is_not_changed() {
    let bench = Bench::new();
    let query = "RETURN '\u{202e}\u{85}' AS text\n";
    let output = bench.command().args(["cypher", "format"]).write_stdin(query).output().expect("runs");
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), query);
}

#[test]
fn what_a_model_says_and_how_it_fails_is_text() {
    let bench = graph();
    let says: &'static str = Box::leak(format!("billing depends on dates [1]. {EVIL}").into_boxed_str());
    let fails: &'static str =
        Box::leak(serde_json::json!({"error": {"message": EVIL}}).to_string().into_boxed_str());
    for reply in [Reply::Says(says), Reply::Whole(400, fails), Reply::Whole(500, says)] {
        let address = provider(reply);
        let check = |arguments: &[&str]| {
            let mut command = bench.command();
            command.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", format!("{address}/v1/"));
            command
                .args(["--model", MODEL])
                .args(arguments)
                .write_stdin("What does billing depend on?\n/trace\n");
            assert_safe(&command.output().expect("runs"), arguments);
        };
        // Side by side: what fails is tried again after some time.
        thread::scope(|scope| {
            for arguments in [
                &["-vv", "ask", "What does billing depend on?"][..],
                &["ask", "--events", "What does billing depend on?"],
                &["ask", "--agent", "What does billing depend on?"],
                &["chat"],
                &["doctor"],
                &["ingest", "docs", "--extractor", "model"],
            ] {
                scope.spawn(move || check(arguments));
            }
        });
    }
}

/// Names in a PDF may hold anything, and its reader may give up over one.
#[test]
fn what_a_pdf_names_is_not_shown() {
    let bench = Bench::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../graphwright-ingest/tests/formats/lights.pdf");
    let file = fs::read(path).expect("reads");
    let name = b"/WinAnsiEncoding";
    let at = file.windows(name.len()).position(|window| window == name).expect("an encoding");
    let damaged = [&file[..at], b"/Win\x1bnsiEncoding", &file[at + name.len()..]].concat();
    bench.write("docs/damaged.pdf", damaged);
    let told = run(&bench, &["ingest", "docs"], "");
    assert!(told.contains("documents  1 added") && !told.contains("panicked"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_file_name_may_be_no_text_at_all() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let bench = Bench::new();
    let name = OsStr::from_bytes(b"lone-\xed\xa0\x80-\xff\x1b[2J.json");
    fs::create_dir(bench.path().join("docs")).expect("a folder");
    fs::write(bench.path().join("docs").join(name), "{").expect("writes");
    let told = run(&bench, &["ingest", "docs"], "");
    assert!(told.contains("failed: ") && told.contains(r"\u{1b}[2J.json"), "{told}");
    let output = bench.command().args(["cypher", "check"]).arg(name).output().expect("runs");
    assert_safe(&output, &["cypher", "check"]);
    let output = bench.command().arg("lookup").arg(name).output().expect("runs");
    assert_safe(&output, &["lookup"]);
    assert_eq!(output.status.code(), Some(2));
}
