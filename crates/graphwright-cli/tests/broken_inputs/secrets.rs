//! Tests that no key and no password is printed: not by errors, results or reports, and not by the
//! log, whatever it is asked to show.

#![allow(clippy::expect_used, reason = "this is a test")]

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use assert_cmd::Command;

use crate::{
    bench::Bench,
    failing_models::{KEY, MODEL},
};

/// Parts of addresses that nobody may see.
const SECRETS: [&str; 3] = ["opensesame", "hunter-two", KEY];

/// Asserts that a command prints none of the secrets, and returns what it prints.
fn run(mut command: Command, arguments: &[&str]) -> String {
    let output = command.args(arguments).write_stdin("Who owns ledger?\n").output().expect("runs");
    let shown = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    for secret in SECRETS {
        assert!(!shown.contains(secret), "{arguments:?} prints {secret} in {shown}");
    }
    shown
}

/// Starts a server that says in head and body of each reply what it was sent. Returns its port.
fn echo(status: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || repeat(stream, status));
        }
    });
    port
}

fn repeat(mut stream: TcpStream, status: &str) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while reader.read_line(&mut head).ok()? > 2 {}
    let said = head.trim().replace("\r\n", " | ");
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\nx-said: {said}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{said}",
        said.len()
    )
    .ok()
}

#[test]
fn a_server_that_repeats_the_key_gets_it_into_no_log() {
    let bench = Bench::with_graph();
    bench.write("graphwright.toml", "[providers.openai]\nretries = 0\n");
    let filters = [
        "trace",
        "genai=trace",
        "hyper=trace,hyper_util=trace,h2=trace",
        "reqwest=trace,rustls=trace",
        "graphwright=trace,graphwright_llm=trace,genai=debug",
        "[{}]=trace",
        "off",
    ];
    for status in ["401 Unauthorized", "200 OK"] {
        let port = echo(status);
        for filter in filters {
            let mut command = bench.command();
            command.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", format!("http://127.0.0.1:{port}/v1/"));
            command.env("RUST_LOG", filter);
            let shown = run(command, &["--model", MODEL, "ask", "--agent", "What depends on money-types?"]);
            assert!(filter != "off" || !shown.contains("graphwright_llm"), "{shown}");
            assert!(
                filter != "trace"
                    || shown.contains("TRACE graphwright")
                    || shown.contains("DEBUG graphwright"),
                "{shown}"
            );
            for library in ["genai", "hyper", "reqwest", "rustls", "mio", "kglite", "tantivy"] {
                for level in ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] {
                    assert!(!shown.contains(&format!("{level} {library}")), "{filter}: {shown}");
                }
            }
        }
    }
}

#[test]
fn a_filter_that_cannot_be_read_is_said() {
    let bench = Bench::with_graph();
    let mut command = bench.command();
    command.env("RUST_LOG", "graphwright=loud");
    let shown = run(command, &["schema"]);
    assert!(shown.contains("warning: RUST_LOG is left aside: \"graphwright=loud\" is no filter"), "{shown}");
}

#[test]
fn the_address_of_a_store_is_printed_without_what_opens_it() {
    let bench = Bench::new();
    for store in [
        "bolt://neo4j:opensesame@127.0.0.1:1",
        "bolt://neo4j:open/opensesame@127.0.0.1:1?password=hunter-two",
        "neo4j://127.0.0.1:1?password=hunter-two&policy=opensesame",
        "neo4j://127.0.0.1:x?token=hunter-two",
        "bolt://127.0.0.1:1?api_key=hunter-two",
        "http://neo4j:opensesame@127.0.0.1:1/db?token=hunter-two",
        "neo4j:opensesame@127.0.0.1",
        "127.0.0.1;user=neo4j;password=hunter-two",
    ] {
        bench.write("store.toml", format!("store = {store:?}\n"));
        for arguments in [
            &["doctor"][..],
            &["schema"],
            &["routes"],
            &["ask", "Who owns ledger?"],
            &["chat"],
            &["export"],
            &["ingest", "note.md"],
            &["index", "create", "A", "b"],
            &["mcp"],
        ] {
            for option in ["-vv", "--json"] {
                run(bench.command(), &[&["--store", store, option], arguments].concat());
                let mut command = bench.command();
                command.env("NEO4J_URI", store).env("RUST_LOG", "trace").env("NEO4J_USERNAME", "neo4j");
                run(command, &[&[option], arguments].concat());
                let mut command = bench.command();
                command.env("NEO4J_PASSWORD", "opensesame").env("NEO4J_USERNAME", "neo4j");
                run(command, &[&["--config", "store.toml", option], arguments].concat());
            }
        }
        // Without a graph, which a text that is no address names as a folder.
        let bench = Bench::new();
        run(bench.command(), &["eval", "replay", "note.md", "--graph", &format!("g={store}")]);
        run(bench.command(), &["ingest", store]);
        run(bench.command(), &["import", store]);
        run(bench.command(), &["models", "pull", "a/b", "--hub", store]);
        run(bench.command(), &["mcp", "--http", store]);
        run(bench.command(), &["doctor", "--time-limit", store]);
        run(bench.command(), &["--budget", store]);
        run(bench.command(), &[store]);
    }
}

#[test]
fn the_address_of_a_model_is_printed_without_what_opens_it() {
    let bench = Bench::with_graph();
    bench.write("graphwright.toml", "[providers.openai]\nretries = 0\n");
    let port = echo("404 Not Found");
    for address in [
        format!("http://me:opensesame@127.0.0.1:{port}/v1/"),
        format!("http://127.0.0.1:{port}/v1?token=hunter-two"),
        "http://me:opensesame@127.0.0.1:1/v1?token=hunter-two".to_owned(),
        "me:opensesame@127.0.0.1/v1?token=hunter-two".to_owned(),
        "ftp://me:opensesame@127.0.0.1/v1".to_owned(),
    ] {
        for arguments in [
            &["doctor"][..],
            &["--json", "doctor"],
            &["-vv", "ask", "--agent", "What depends on money-types?"],
            &["--embedder", "openai/text-embedding-3-small", "search", "ledger"],
        ] {
            let mut command = bench.command();
            command.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", &address).env("RUST_LOG", "trace");
            run(command, &[&["--model", MODEL], arguments].concat());
        }
    }
}
