//! Tests `graphwright cypher check`, `fix` and `format`: what people and programs see.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

use std::{fs, path::Path};

use assert_cmd::Command;

const SCHEMA: &str = r#"{
  "labels": [{"name": "Service", "count": 3}, {"name": "Library", "count": 2}],
  "relationship_types": [{"name": "DEPENDS_ON", "count": 4}],
  "properties": [
    {"on": "label", "of": "Service", "name": "name", "types": ["string"], "count": 3},
    {"on": "label", "of": "Library", "name": "name", "types": ["string"], "count": 2}
  ],
  "patterns": [{"from": "Service", "type": "DEPENDS_ON", "to": "Library", "count": 4}]
}"#;

/// Returns what is printed for `input` on standard input, and the exit code.
fn run(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graphwright"));
    command.current_dir(folder).env_clear().env("HOME", folder);
    let output = command.args(arguments).write_stdin(input).output().unwrap();
    let shown = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!(
        "$ graphwright {}\n{}{}exit code {}\n",
        arguments.join(" "),
        shown(&output.stdout),
        shown(&output.stderr),
        output.status.code().unwrap()
    )
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("schema.json"), SCHEMA).unwrap();
    folder
}

#[test]
fn a_check_says_what_is_wrong_and_where() {
    let folder = folder();
    let check = |arguments: &[&str], input: &str| run(folder.path(), arguments, input);
    let with_schema = ["cypher", "check", "--schema-file", "schema.json"];
    let with_schema_as_json = ["cypher", "check", "--schema-file", "schema.json", "--json"];
    let wrong = "MATCH (s:Servise)<-[:DEPENDS_ON]-(l:Library)\nRETURN s.name, l.nmae\n";
    let shown = [
        check(&with_schema, wrong),
        check(&with_schema_as_json, wrong),
        check(&with_schema, "MATCH (s:Service)-[:DEPENDS_ON]->(l:Library) RETURN s.name, l.name"),
        check(&["cypher", "check"], "MATCH (n) RETRUN n"),
        check(&["cypher", "check", "--no-schema"], "RETURN 1;\nMATCH (n) DELETE n;"),
        check(&["cypher", "check", "--no-schema", "--write"], "RETURN 1;\nMATCH (n) DELETE n;"),
        check(&["cypher", "check", "missing.cypher"], ""),
        check(&["cypher", "check", "--schema-file", "missing.json"], "RETURN 1"),
        check(&["cypher", "RETURN 1", "check"], ""),
        check(
            &["cypher", "check", "--batch", "--no-schema"],
            "{\"id\": 1, \"query\": \"RETURN 1\"}\n{\"id\": 2, \"query\": \"RETURN\"}\n",
        ),
    ];
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_fix_repairs_what_is_clear_and_tells_what_is_left() {
    let folder = folder();
    let model_output = "Here is the query:\n```cypher\nMATCH (s:Servise)<-[:DEPENDS_ON]-(l:Library)\nRETURN s.name LIKE 'a%'\n```\n";
    fs::write(folder.path().join("answer.txt"), model_output).unwrap();
    fs::write(folder.path().join("right.cypher"), "RETURN 1\n").unwrap();
    let fix = |arguments: &[&str], input: &str| {
        let all = [&["cypher", "fix", "--schema-file", "schema.json"], arguments].concat();
        run(folder.path(), &all, input)
    };
    let shown = [
        fix(&["answer.txt"], ""),
        fix(&["answer.txt", "--json"], ""),
        fix(&[], "I do not know."),
        fix(&[], "MATCH (s:Service) RETURN s.name, count("),
        fix(&["--in-place", "answer.txt", "right.cypher"], ""),
        fix(&["answer.txt", "right.cypher"], ""),
    ];
    insta::assert_snapshot!(shown.join("\n"));
    insta::assert_snapshot!("fixed_file", fs::read_to_string(folder.path().join("answer.txt")).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("right.cypher")).unwrap(), "RETURN 1\n");
}

#[test]
fn format_writes_one_form() {
    let folder = folder();
    fs::write(folder.path().join("a.cypher"), "match (n) // all\nreturn n;return 1").unwrap();
    fs::write(folder.path().join("b.cypher"), "MATCH (n)\nRETURN n\n").unwrap();
    fs::write(folder.path().join("c.cypher"), "match (n return n").unwrap();
    let format =
        |arguments: &[&str]| run(folder.path(), &[&["cypher", "format"], arguments].concat(), "return 1");
    let shown = [
        format(&[]),
        format(&["--json"]),
        format(&["a.cypher"]),
        format(&["--check", "a.cypher", "b.cypher", "c.cypher"]),
        format(&["a.cypher", "b.cypher"]),
        format(&["--in-place", "a.cypher", "b.cypher"]),
        format(&["--check", "a.cypher", "b.cypher"]),
        format(&["--in-place"]),
    ];
    insta::assert_snapshot!(shown.join("\n"));
}

/// Tests that a check says before a query runs what the query says when it runs.
#[test]
fn a_check_knows_what_the_graph_holds() {
    let folder = folder();
    let run = |arguments: &[&str], input: &str| run(folder.path(), arguments, input);
    let made = run(&["cypher", "--write", "--yes", "CREATE (:A {x: 1})-[:R]->(:A {x: 2})"], "");
    assert!(made.ends_with("exit code 0\n"), "{made}");
    let product = "MATCH (a:A), (b:A), (c:A) RETURN count(*) AS n";
    let ends = |shown: &str, code: u8| assert!(shown.ends_with(&format!("exit code {code}\n")), "{shown}");
    ends(&run(&["cypher", product], ""), 0);
    ends(&run(&["cypher", "check"], product), 0);
    ends(&run(&["cypher", "check", "--no-schema"], product), 1);
    for (query, code) in [("CREATE (:A {x: 3})", 0), ("CREATE (:Other)", 1)] {
        ends(&run(&["cypher", "check", "--write"], query), code);
        ends(&run(&["cypher", "--write", "--yes", "--dry-run", query], ""), code);
    }
}

/// Tests that a value that is not stored is shown with similar ones, to people and to programs.
#[test]
fn a_check_knows_the_values_of_the_graph() {
    let folder = folder();
    let run = |arguments: &[&str], input: &str| run(folder.path(), arguments, input);
    let genres = "UNWIND ['Sci-Fi', 'Drama', 'Documentary', 'Western', 'Comedy', 'Horror', 'Musical', 'Romance', 'Thriller', \
                  'War', 'Crime', 'Family'] AS name CREATE (:Film {title: name})-[:HAS_GENRE]->(:Genre {name: name})";
    let made = run(&["cypher", "--write", "--yes", genres], "");
    assert!(made.ends_with("exit code 0\n"), "{made}");
    let query = "MATCH (g:Genre {name: 'Science Fiction'})\nRETURN g.name";
    let shown = [
        run(&["cypher", "check"], query),
        run(&["cypher", "check", "--json"], query),
        run(&["cypher", "fix"], query),
        run(&["cypher", "check"], "MATCH (m:Movie) RETURN m.title"),
    ];
    insta::assert_snapshot!(shown.join("\n"));
    let found_nothing = run(&["cypher", query], "");
    assert!(
        found_nothing.contains("note: no stored `name` is 'Science Fiction'; near to it: 'Sci-Fi'\n"),
        "{found_nothing}"
    );
}
