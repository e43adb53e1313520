//! Tests that commands print equal output on the embedded store and on the Neo4j server that
//! `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD` name. Empties the server's database.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{
    fs,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use assert_cmd::Command;
use sample::{SAMPLE, content_of, export, graphwright, lines};
use serde_json::{Value as Json, json};

/// A store by its `--store`, and the folder in which programs keep their data beside it.
struct Store<'a> {
    name: String,
    folder: &'a Path,
}

impl Store<'_> {
    fn command(&self) -> Command {
        let mut command = graphwright();
        command.current_dir(self.folder).env("XDG_DATA_HOME", self.folder.join("data"));
        // Both stores are searched by the same index, so that scores are equal.
        command.env("GRAPHWRIGHT_SEARCH_INDEX", "local");
        command.args(["--store", &self.name]);
        command
    }

    fn run(&self, arguments: &[&str]) -> String {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> String {
        let output = self.command().args(arguments).write_stdin(input).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {arguments:?}: {said}", self.name);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Returns the objects that are printed, without what depends on the store and the clock.
    fn json_with(&self, arguments: &[&str], input: &str) -> Vec<Json> {
        let lines = self.run_with(arguments, input);
        lines.lines().map(|line| without_circumstances(serde_json::from_str(line).expect("JSON"))).collect()
    }

    fn empty(&self) {
        sample::empty(|arguments| self.run(arguments));
    }

    fn content(&self) -> std::collections::BTreeSet<String> {
        content_of(&export(&mut self.command()))
    }
}

/// The two stores, empty.
struct Both<'a> {
    embedded: Store<'a>,
    server: Store<'a>,
    /// Lets one test at a time use the server.
    _alone: MutexGuard<'static, ()>,
}

impl<'a> Both<'a> {
    fn empty(folder: &'a Path) -> Self {
        static SERVER: Mutex<()> = Mutex::new(());
        let alone = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        let embedded = Store { name: folder.join("graph").display().to_string(), folder };
        let server = Store { name: std::env::var("NEO4J_URI").expect("NEO4J_URI is set"), folder };
        server.empty();
        Self { embedded, server, _alone: alone }
    }

    /// Checks that both print equal objects, and returns them.
    fn same(&self, arguments: &[&str]) -> Vec<Json> {
        self.same_with(arguments, "")
    }

    fn same_with(&self, arguments: &[&str], input: &str) -> Vec<Json> {
        let [one, other] = [&self.embedded, &self.server].map(|store| store.json_with(arguments, input));
        assert_eq!(one, other, "{arguments:?}");
        one
    }

    /// Checks that both hold equal content, and returns it.
    fn same_content(&self) -> std::collections::BTreeSet<String> {
        let content = self.server.content();
        assert_eq!(content, self.embedded.content());
        content
    }
}

fn without_circumstances(mut value: Json) -> Json {
    match &mut value {
        Json::Object(map) => {
            map.retain(|key, _| {
                !matches!(key.as_str(), "elapsed_ms" | "store" | "recorded_at" | "ingested_at")
            });
            // A property of the schema that holds times of writing.
            if map.get("types").is_some_and(|types| *types == json!(["ZONED DATETIME"])) {
                map.retain(|key, _| !matches!(key.as_str(), "samples" | "values" | "min" | "max"));
            }
            for member in map.values_mut() {
                *member = without_circumstances(member.take());
            }
        }
        Json::Array(items) => {
            for item in items {
                *item = without_circumstances(item.take());
            }
        }
        Json::String(text) if text.contains("_at: ") => {
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("ingested_at: "));
            *text = lines.collect::<Vec<_>>().join("\n");
        }
        _ => {}
    }
    value
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("reads") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copies");
        }
    }
}

#[test]
#[ignore = "needs neo4j"]
fn every_command_says_the_same_on_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    copy(&Path::new(SAMPLE).join("documents"), &folder.join("documents"));
    fs::copy(Path::new(SAMPLE).join("ontology.yaml"), folder.join("ontology.yaml")).expect("copies");
    let both = Both::empty(folder);
    let Both { embedded, server, .. } = &both;
    let same = |arguments: &[&str]| both.same(arguments);

    // Ingests the documents, again unchanged, then changed and partly removed.
    let ingest = ["ingest", "documents", "--ontology", "ontology.yaml", "--json"];
    assert_eq!(same(&ingest)[0]["documents"]["added"], 25);
    both.same_content();
    assert_eq!(same(&ingest)[0]["documents"]["unchanged"], 25);

    let questions: String = lines("questions.jsonl").iter().map(|question| format!("{question}\n")).collect();
    let answers = both.same_with(&["ask", "--batch"], &questions);
    assert!(answers.iter().filter(|answer| answer["status"] == "answered").count() > 3);

    same(&["search", "ledger bookkeeping", "--json"]);
    same(&["lookup", "edge-gateway", "--json"]);
    same(&["path", "edge-gateway", "DEP-014", "--json"]);
    same(&["schema", "--json"]);
    for query in [
        "MATCH (s:Service)-[:DEPENDS_ON]->(l:Library) RETURN s.name, l.name, l.licence ORDER BY s.name, l.name",
        "MATCH (s:Service) RETURN s.language AS language, count(*) AS services ORDER BY services DESC, language",
        "MATCH p = (:Service {name: 'ledger'})-[:DEPENDS_ON*1..2]->(l) RETURN length(p) AS hops, l.name ORDER BY hops, l.name",
        "MATCH (i:Incident) RETURN i.name, i.date, i.minutes ORDER BY i.date",
        "MATCH (s:Service) WHERE NOT EXISTS { (s)<-[:DEPENDS_ON]-() } RETURN s.name ORDER BY s.name",
    ] {
        assert!(
            !same(&["cypher", query, "--json"])[0]["rows"].as_array().expect("rows").is_empty(),
            "{query}"
        );
    }

    fs::write(
        folder.join("documents/services/ledger.md"),
        "# ledger\n\nlanguage: Rust\n\nledger depends on passkey-sdk.\n",
    )
    .expect("writes");
    fs::remove_file(folder.join("documents/incidents/inc-207.md")).expect("removes");
    let changed = same(&["ingest", "documents", "--ontology", "ontology.yaml", "--prune", "--json"]);
    assert_eq!(
        (&changed[0]["documents"]["changed"], &changed[0]["documents"]["removed"]),
        (&json!(1), &json!(1))
    );
    let whole = both.same_content();
    assert_ne!(both.same_with(&["ask", "--batch"], &questions), answers);
    assert!(server.run(&["doctor"]).contains("search index"));

    // What one exports, the other imports without loss.
    for (one, other, file) in
        [(server, embedded, "from-server.jsonl"), (embedded, server, "from-folder.jsonl")]
    {
        one.run(&["export", file]);
        let fresh = Store { name: folder.join(format!("{file}-graph")).display().to_string(), folder };
        let target = if other.name == server.name {
            server.empty();
            server
        } else {
            &fresh
        };
        target.run(&["import", file]);
        assert_eq!(target.content(), whole, "{file}");
    }
}

/// The gold rows of the benchmark of flows are those of the gold queries on both stores.
#[test]
#[ignore = "needs neo4j"]
fn gold_queries_have_the_same_rows_on_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = Both::empty(folder.path());
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphwright-eval/data/text2cypher");
    let kept = fs::read_to_string(data.join("questions.jsonl")).expect("questions");
    let mut questions: Vec<Json> =
        kept.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // The order of rows is free.
    let rows = |question: &Json| {
        let mut rows: Vec<String> =
            question["rows"].as_array().into_iter().flatten().map(Json::to_string).collect();
        rows.sort();
        rows
    };
    let expected: Vec<_> = questions.iter().map(rows).collect();
    for question in &mut questions {
        question.as_object_mut().expect("an object").remove("rows");
    }
    let bare: String = questions.iter().map(|question| format!("{question}\n")).collect();
    for store in [&both.embedded, &both.server] {
        let file = folder.path().join("bare.jsonl");
        fs::write(&file, &bare).expect("writes");
        store.run(&["import", data.join("graph.jsonl").to_str().expect("UTF-8")]);
        store.run(&["eval", "text2cypher", "--data", file.to_str().expect("UTF-8"), "--fill"]);
        let filled = fs::read_to_string(&file).expect("reads");
        for (line, expected) in filled.lines().zip(&expected) {
            let question: Json = serde_json::from_str(line).expect("JSON");
            assert_eq!(rows(&question), *expected, "{question}");
        }
    }
}

#[test]
#[ignore = "needs neo4j"]
fn values_that_may_have_been_meant_are_found_on_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = Both::empty(folder.path());
    let genres = "UNWIND ['Sci-Fi', 'Drama', 'Documentary', 'Western', 'Comedy', 'Horror', 'Musical', 'Romance', 'Thriller', \
                  'War', 'Crime', 'Family'] AS name CREATE (:Genre {name: name})";
    for store in [&both.embedded, &both.server] {
        store.run(&["cypher", "--write", "--yes", genres]);
    }
    let query = "MATCH (g:Genre {name: 'Science Fiction'}) RETURN g.name";
    let checked = both.same_with(&["cypher", "check", "--json"], query);
    let found = &checked[0]["diagnostics"][0];
    assert_eq!((&found["code"], &found["candidates"]), (&json!("distant_value"), &json!(["Sci-Fi"])));
    both.same_with(&["cypher", "fix", "--json"], query);
    let result = both.same(&["cypher", query, "--json"]);
    assert_eq!(result[0]["notices"][0]["code"], "distant_value");
    for condition in
        ["toLower(g.name) = 'science fiction'", "g.name CONTAINS 'sci-'", "g.name STARTS WITH 'Science F'"]
    {
        let query = format!("MATCH (g:Genre) WHERE {condition} RETURN g.name");
        let result = both.same(&["cypher", &query, "--json"]);
        assert_eq!(result[0]["notices"][0]["code"], "distant_value", "{condition}");
    }
    let found = both.same(&[
        "cypher",
        "MATCH (g:Genre) WHERE g.name ENDS WITH 'Fi' AND g.name = 'War' RETURN g",
        "--json",
    ]);
    assert_eq!(found[0]["notices"], json!([]));
}

#[test]
#[ignore = "needs neo4j"]
fn entities_that_may_be_the_same_are_reviewed_on_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = Both::empty(folder.path());
    let ontology = "nodes: {Service: {}}\n\
                    relationships: {USES: {from: [Service], to: [Service], cues: [uses]}}\n";
    fs::write(folder.path().join("services.yaml"), ontology).expect("writes");
    let text = "The service Payments-Gateway uses the service Auth-Lib-v1. \
                The service Payment-Gateway uses the service Auth-Lib-v2. \
                The service AuthLib-v2 uses the service Core.\n";
    fs::write(folder.path().join("notes.md"), text).expect("writes");
    both.same(&["ingest", "notes.md", "--ontology", "services.yaml", "--json"]);
    let list = ["duplicates", "list", "--json"];
    let before = both.same_content();
    let found = both.same(&list)[0].clone();
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let pair = |number: usize| {
        ["kept", "merged"].map(|end| found[number][end].as_str().expect("an identifier").to_owned())
    };

    let [kept, merged] = pair(0);
    both.same(&["duplicates", "merge", &kept, &merged, "--json"]);
    let count = "MATCH (s:Service) RETURN count(s)";
    assert_eq!(both.same(&["cypher", count, "--json"])[0]["rows"], json!([[5]]));
    assert_ne!(both.same_content(), before);
    both.same(&["duplicates", "undo", &merged, "--json"]);
    assert_eq!(both.same(&["cypher", count, "--json"])[0]["rows"], json!([[6]]));

    let [kept, merged] = pair(1);
    both.same(&["duplicates", "reject", &kept, &merged, "--json"]);
    let left = both.same(&list)[0].clone();
    assert!(left.as_array().is_some_and(|left| left.iter().all(|one| one["kept"] != *kept)), "{left}");
    both.same_content();
}

#[test]
#[ignore = "needs neo4j"]
fn ontologies_and_models_are_the_same_beside_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = Both::empty(folder.path());
    copy(&Path::new(SAMPLE).join("documents"), &folder.path().join("documents"));
    fs::copy(Path::new(SAMPLE).join("ontology.yaml"), folder.path().join("ontology.yaml")).expect("copies");
    // Before the graph has an ontology.
    let failed = |arguments: &[&str]| {
        let [one, other] = [&both.embedded, &both.server].map(|store| {
            let output = store.command().args(arguments).output().expect("runs");
            (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
        });
        assert_eq!(one, other, "{arguments:?}");
        assert!(one.0.is_some_and(|code| code > 0), "{arguments:?}: {one:?}");
        one.1
    };
    for store in [&both.embedded, &both.server] {
        store.run(&["cypher", "--write", "CREATE (:A)"]);
    }
    assert!(failed(&["ontology", "show"]).contains("no ontology"));

    both.same(&["ingest", "documents", "--ontology", "ontology.yaml", "--json"]);
    let shown = both.same(&["ontology", "show", "--json"]);
    assert!(shown[0]["nodes"]["Service"].is_object(), "{}", shown[0]);
    for arguments in
        [&["ontology", "check", "ontology.yaml", "--json"][..], &["ontology", "infer", "documents", "--json"]]
    {
        both.same(arguments);
    }
    let [one, other] = [&both.embedded, &both.server].map(|store| store.run(&["ontology", "schema"]));
    assert_eq!(one, other);
    // No hub listens there.
    failed(&["models", "pull", "--hub", "http://127.0.0.1:1"]);
}

#[test]
#[ignore = "needs neo4j"]
fn a_server_that_does_not_let_in_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |variables: &[(&str, &str)]| {
        let mut command = graphwright();
        command.current_dir(folder.path()).env("XDG_DATA_HOME", folder.path());
        command.env("NEO4J_URI", std::env::var("NEO4J_URI").expect("NEO4J_URI is set"));
        let output =
            command.envs(variables.iter().copied()).args(["schema", "--json"]).output().expect("runs");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let wrong = run(&[("NEO4J_PASSWORD", "surely not this")]);
    assert!(wrong.contains("does not accept user and password"), "{wrong}");
    assert!(!wrong.contains("surely not this"), "{wrong}");
    let unknown = run(&[("NEO4J_DATABASE", "nosuch")]);
    assert!(unknown.contains("there is no database `nosuch`"), "{unknown}");
    let odd = run(&[("NEO4J_URI", "http://localhost:7474")]);
    assert!(odd.contains("the scheme is not bolt"), "{odd}");
}
