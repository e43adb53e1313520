use std::fs;

use crate::bench::{Bench, assert_shown};

#[test]
fn stores_that_are_not_there() {
    let bench = Bench::new();
    bench.write("file", "text");
    let shown = [
        &["ask", "Who?"] as &[&str],
        &["search", "words"],
        &["schema"],
        &["export"],
        &["duplicates", "list"],
        &["ontology", "show"],
        &["doctor"],
        &["--json", "ask", "Who?"],
        &["--store", "bolt://127.0.0.1:1", "ask", "Who?"],
        &["--store", "neo4j+s://me:secret@graph.example.org", "ingest", "file"],
        &["--store", "http://localhost:7474", "ask", "Who?"],
        &["--store", "file", "ask", "Who?"],
        &["--store", "file", "ingest", "file"],
    ]
    .map(|arguments| bench.run(arguments));
    assert_shown!(shown.join("\n"));
    assert!(!bench.path().join(".graphwright").exists(), "reading makes no store");
}

#[test]
fn a_store_of_other_content() {
    let bench = Bench::new();
    bench.write("graph/graph.kgl", "This is no graph.\n");
    bench.write("note.md", "# Note\n\nText.\n");
    let shown = [
        &["--store", "graph", "ask", "Who?"] as &[&str],
        &["--store", "graph", "ingest", "note.md"],
        &["--store", "graph", "doctor"],
    ]
    .map(|arguments| bench.run(arguments));
    assert_shown!(shown.join("\n"));
    assert_eq!(fs::read_to_string(bench.path().join("graph/graph.kgl")).unwrap(), "This is no graph.\n");
}

#[test]
fn a_cut_store() {
    let bench = Bench::with_graph();
    let file = bench.path().join(".graphwright/graph.kgl");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let shown = [&["ask", "Who?"] as &[&str], &["ingest", "note.md"]].map(|arguments| bench.run(arguments));
    for shown in &shown {
        assert!(
            shown.contains("is damaged") && shown.contains("hint: ") && shown.ends_with("exit code 1\n"),
            "{shown}"
        );
    }
    assert_eq!(fs::read(&file).unwrap(), bytes[..bytes.len() / 2], "it is left as it was found");
}

#[test]
fn a_damaged_log() {
    let bench = Bench::with_graph();
    let file = bench.path().join(".graphwright/graph.kgl-wal");
    // Two commits, neither of which holds what its sum says.
    let commit = |held: &[u8]| [&(held.len() as u32).to_le_bytes(), b"sums".as_slice(), held].concat();
    let header = b"KWAL\x0d".as_slice();
    fs::write(&file, [header, &commit(b"not what was written"), &commit(b"nor this")].concat()).unwrap();
    let query = "MATCH (s:Service) RETURN s.name";
    let commands = [
        &["cypher", query] as &[&str],
        &["ingest", "note.md"],
        &["doctor"],
        &["doctor", "--repair"],
        &["cypher", query],
    ];
    let shown = commands.map(|arguments| bench.run(arguments)).join("\n");
    let (before, after) = shown.split_once("wal.damaged-").unwrap();
    let after = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    assert_shown!(format!("{before}wal.damaged-TIME{after}"));
    assert_eq!(fs::read(&file).unwrap(), header);
}

#[cfg(unix)]
#[test]
fn a_second_writer_is_told_who_writes_and_readers_are_not_held_up() {
    use std::{
        io::{BufRead, BufReader, Write},
        process::{Command, Stdio},
    };
    let bench = Bench::with_graph();
    let mut writer = Command::new(env!("CARGO_BIN_EXE_graphwright"))
        .current_dir(bench.path())
        .env_remove("NEO4J_URI")
        .args(["cypher", "--write", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = writer.stdin.take().unwrap();
    input.write_all(b"{\"id\": 1, \"query\": \"RETURN 1\"}\n").unwrap();
    let mut line = String::new();
    BufReader::new(writer.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("\"id\":1"), "{line}");

    let shown = bench.leaves_the_graph_alone(&[
        &["ingest", "note.md"],
        &["cypher", "--write", "CREATE (:A)"],
        &["cypher", "MATCH (s:Service) RETURN s.name"],
    ]);
    drop(input);
    writer.wait().unwrap();
    assert_shown!(shown);
}

#[test]
fn settings_that_cannot_be_used() {
    let bench = Bench::with_graph();
    bench.write("unknown.toml", "stor = \"graph\"\n");
    bench.write("syntax.toml", "store = \n");
    bench.write("type.toml", "budget = \"much\"\n");
    bench.write("provider.toml", "[providers.nobody]\nretries = 1\n");
    bench.write("limit.toml", "[providers.openai]\nrequests_a_minute = 1\n");
    bench.write("none.toml", "[providers.openai]\nrequests_per_minute = 0\n");
    bench.write("prices.toml", "prices = \"prices.json\"\n");
    bench.write("prices.json", "{\"models\": [{\"name\": \"ollama/qwen3\", \"input\": -1, \"output\": 0}]}");
    bench.write("cache.toml", "cache = \"note.md/cache\"\nmodel = \"ollama/qwen3\"\n");
    let shown = [
        bench.leaves_the_graph_alone(&[
            &["--config", "missing.toml", "ask", "Who?"],
            &["--config", "unknown.toml", "ask", "Who?"],
            &["--config", "syntax.toml", "ask", "Who?"],
            &["--config", "type.toml", "ask", "Who?"],
            &["--json", "--config", "type.toml", "ask", "Who?"],
            &["--config", "provider.toml", "ask", "Who?"],
            &["--config", "limit.toml", "ask", "Who?"],
            &["--config", "none.toml", "ask", "Who?"],
            &["--config", "prices.toml", "ask", "Who?"],
            &["--config", "cache.toml", "ask", "Who?"],
            &["--stoer", "x", "ask", "Who?"],
            &["aks", "Who?"],
        ]),
        {
            let output =
                bench.command().env("GRAPHWRIGHT_BUDGET", "much").args(["ask", "Who?"]).output().unwrap();
            assert_eq!(output.status.code(), Some(2));
            String::from_utf8(output.stderr).unwrap()
        },
    ];
    assert_shown!(shown.join("\n"));
}

/// Simulates a full disk by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_full_disk() {
    use std::{fmt::Write, process::Command};
    let bench = Bench::with_graph();
    let mut text = String::from("# Services\n");
    for number in 0..4_000 {
        let _ = writeln!(text, "\nThe service `s{number:x}` depends on the library `l{number:x}`.");
    }
    bench.write("large.md", text);
    let before = bench.graph();
    let limited = "trap '' XFSZ; ulimit -f 300; exec \"$0\" ingest large.md";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_graphwright")])
        .current_dir(bench.path())
        .env_remove("NEO4J_URI")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(
        shown.starts_with("error: cannot write to .graphwright/graph.kgl-wal: File too large"),
        "{shown}"
    );
    assert!(shown.contains("hint: check the space left and the disk"), "{shown}");
    assert_eq!(bench.graph(), before);
}

#[cfg(unix)]
#[test]
fn an_export_that_does_not_fit_leaves_the_old_file() {
    use std::process::Command;
    let bench = Bench::with_graph();
    for (target, arguments) in
        [("graph.jsonl", "graph.jsonl"), ("graph.gexf", "graph.gexf"), ("csv/Service-__Entity__.csv", "csv/")]
    {
        bench.write(target, "old");
        let limited = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" export {arguments}");
        let output = Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_graphwright")])
            .current_dir(bench.path())
            .env_remove("NEO4J_URI")
            .output()
            .unwrap();
        let shown = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{shown}");
        let path = bench.path().join(target);
        let folder = path.parent().unwrap();
        assert!(shown.starts_with("error: cannot write "), "{shown}");
        assert!(shown.contains("File too large"), "{shown}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let left = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(left.filter(|name| name.starts_with(".tmp")).count(), 0);
    }
    assert_eq!(bench.run(&["export", "graph.jsonl"]).lines().last(), Some("exit code 0"), "with room");
}
