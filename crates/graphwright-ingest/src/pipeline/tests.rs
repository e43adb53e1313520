mod broken;
mod flow;
mod open;
mod toy;

use std::{collections::BTreeMap, fs, path::Path, sync::Mutex};

use futures::StreamExt;
use graphwright_core::{GraphStore, Value, names};
use graphwright_documents::extraction::DropReason;
use graphwright_embedded::EmbeddedStore;
use pretty::dump;
use toy::{ToyExtractor, ontology};

use super::*;
use crate::Review;

mod pretty;

pub(super) struct Bench {
    folder: tempfile::TempDir,
    store: Arc<EmbeddedStore>,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let bench = Self {
            folder: tempfile::tempdir().expect("a folder"),
            store: Arc::new(EmbeddedStore::in_memory()),
        };
        for (name, text) in files {
            bench.write(name, text);
        }
        bench
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("writes");
    }

    fn delete(&self, name: &str) {
        fs::remove_file(self.path().join(name)).expect("deletes");
    }

    fn ingest(&self) -> Ingest {
        let store: Arc<dyn GraphStore> = Arc::clone(&self.store) as _;
        Ingest::new(store, Arc::new(ToyExtractor)).ontology(ontology())
    }

    async fn run_with(&self, ingest: Ingest) -> IngestReport {
        ingest.run(&[Input::Path(self.path().to_owned())], &|_| {}).await.expect("ingests")
    }

    async fn run(&self) -> IngestReport {
        self.run_with(self.ingest()).await
    }

    async fn dump(&self) -> String {
        dump(self.store.as_ref()).await
    }

    fn review(&self) -> Review {
        Review::new(Arc::clone(&self.store) as _)
    }
}

fn counts(count: crate::Count) -> (u64, u64, u64, u64) {
    (count.added, count.changed, count.removed, count.unchanged)
}

const FILES: [(&str, &str); 3] = [
    ("a.md", "# Alpha\n\nAlpha uses Beta. Alpha has tier 1.\n\nSee [b](sub/b.md#beta).\n"),
    (
        "sub/b.md",
        "# Beta\n\nBeta uses Gamma since 2024. Alpha uses Beta.\n\nBack to [a](../a.md) and [c][1].\n\n[1]: c.md\n",
    ),
    ("sub/c.md", "# Gamma\n\nGamma has tier high.\n\nGamma uses Gamma. Delta likes Gamma.\n"),
];

#[tokio::test]
async fn documents_become_a_graph_with_provenance() {
    let bench = Bench::new(&FILES);
    let report = bench.run().await;
    assert_eq!(counts(report.documents), (3, 0, 0, 0));
    assert_eq!(counts(report.entities), (4, 0, 0, 0));
    assert_eq!(counts(report.relationships), (2, 0, 0, 0));
    assert_eq!(counts(report.links), (3, 0, 0, 0));
    assert_eq!(report.dropped[&DropReason::BadValue], 1);
    assert_eq!(report.dropped[&DropReason::UnknownRelationship], 1);
    assert_eq!(report.failed, vec![]);
    let items: Vec<_> =
        report.dropped_items.iter().map(|item| format!("{} {}", item.document, item.what)).collect();
    let gamma = ["Gamma.tier = \"high\"", "Gamma USES Gamma", "Delta LIKES Gamma"];
    assert_eq!(items, gamma.map(|what| format!("sub/c.md {what}")));
    assert_eq!(report.entity_types, BTreeMap::from([("Service".to_owned(), report.entities)]));
    assert_eq!(report.relationship_types, BTreeMap::from([("USES".to_owned(), report.relationships)]));
    insta::assert_snapshot!(bench.dump().await);
}

#[tokio::test]
async fn where_the_files_are_stays_between_us_and_the_store() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    let folder = bench.path().canonicalize().expect("the folder").to_string_lossy().into_owned();
    let mut batches = bench.store.scan(graphwright_core::store::ScanOptions::default()).await.expect("scans");
    let mut hidden = 0;
    while let Some(batch) = batches.next().await {
        for (name, value) in batch.expect("a batch").nodes.into_iter().flat_map(|node| node.properties) {
            let told = format!("{value:?}").contains(&folder);
            assert!(!told || names::is_reserved(&name), "{name} says {value:?}");
            hidden += usize::from(told);
        }
    }
    assert_eq!(hidden, FILES.len());
}

#[tokio::test]
async fn an_entity_of_which_documents_contradict_each_other_may_be_two() {
    let text = "nodes: {Service: {properties: {tier: {type: integer}, port: {type: integer}}}}";
    let ontology = Ontology::parse(text, Path::new("ports.yaml")).expect("reads");
    let homonyms = async |files: &[(&str, &str)]| {
        let bench = Bench::new(files);
        bench.run_with(bench.ingest().ontology(ontology.clone())).await.homonyms
    };
    let one = ("a.md", "Alpha has tier 1. Alpha has port 80.");
    let found = homonyms(&[one, ("b.md", "Alpha has tier 2. Alpha has port 81.")]).await;
    let difference = |property: &str, one: &str, other: &str| crate::Difference {
        property: property.to_owned(),
        values: [one.to_owned(), other.to_owned()],
    };
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].name.as_str(), &found[0].documents),
        ("Alpha", &["a.md".to_owned(), "b.md".to_owned()])
    );
    assert_eq!(found[0].properties, [difference("port", "80", "81"), difference("tier", "1", "2")]);
    for other in [
        "Alpha has tier 2. Alpha has port 80.",
        "Alpha has tier 2.",
        "Alpha has tier 2. Alpha has port 81. Alpha has port 82.",
        "Beta has tier 2. Beta has port 81.",
    ] {
        assert_eq!(homonyms(&[one, ("b.md", other)]).await, [], "{other}");
    }
}

#[tokio::test]
async fn running_again_changes_nothing() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    let (before, version) = (bench.dump().await, bench.store.version().await.expect("a version"));
    let report = bench.run().await;
    for count in [report.documents, report.chunks, report.entities, report.relationships, report.links] {
        assert_eq!((count.added, count.changed, count.removed), (0, 0, 0));
        assert!(count.unchanged > 0);
    }
    assert_eq!(bench.dump().await, before);
    assert_eq!(bench.store.version().await.expect("a version"), version);
}

#[tokio::test]
async fn reading_all_again_changes_only_the_record_of_it() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    let before = bench.dump().await;
    let size = Splitter { size: 1_501 };
    let report = bench.run_with(bench.ingest().splitter(size)).await;
    assert_eq!(counts(report.documents), (0, 3, 0, 0));
    for count in [report.chunks, report.entities, report.relationships, report.links] {
        assert_eq!((count.added, count.changed, count.removed), (0, 0, 0));
    }
    assert_eq!(bench.dump().await.replace("size-1501", "size-1500"), before);
}

#[tokio::test]
async fn a_changed_document_replaces_its_facts_and_takes_orphans_with_it() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    bench.write("sub/b.md", "# Beta\n\nBeta uses Epsilon.\n");
    let report = bench.run().await;
    assert_eq!(counts(report.documents), (0, 1, 0, 2));
    assert_eq!((report.entities.added, report.entities.removed), (1, 0));
    // Beta uses Gamma is gone, Alpha uses Beta has one statement less, Beta uses Epsilon is new.
    assert_eq!(counts(report.relationships), (1, 1, 1, 0));
    assert_eq!((report.links.removed, report.links.unchanged), (2, 1));

    let fresh = Bench::new(&[FILES[0], ("sub/b.md", "# Beta\n\nBeta uses Epsilon.\n"), FILES[2]]);
    fresh.run().await;
    assert_eq!(bench.dump().await, fresh.dump().await);
}

#[tokio::test]
async fn pruning_removes_documents_with_their_orphans() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    bench.delete("sub/b.md");
    let kept = bench.run().await;
    assert_eq!((kept.documents.removed, kept.documents.unchanged), (0, 2));
    assert_eq!(kept.gone, ["sub/b.md"]);
    let report = bench.run_with(bench.ingest().prune(true)).await;
    assert_eq!(counts(report.documents), (0, 0, 1, 2));
    assert!(report.gone.is_empty());
    assert_eq!(counts(report.relationships), (0, 1, 1, 0));
    let fresh = Bench::new(&[FILES[0], FILES[2]]);
    fresh.run().await;
    assert_eq!(bench.dump().await, fresh.dump().await);
}

#[tokio::test]
async fn a_deleted_document_goes_with_what_only_it_says() {
    let bench = Bench::new(&FILES);
    bench.run().await;
    let report = bench.ingest().delete("sub/b.md").await.expect("deletes");
    assert_eq!(counts(report.documents), (0, 0, 1, 2));
    assert_eq!(counts(report.relationships), (0, 1, 1, 0));
    let fresh = Bench::new(&[FILES[0], FILES[2]]);
    fresh.run().await;
    assert_eq!(bench.dump().await, fresh.dump().await);

    let unknown = bench.ingest().delete("sub/b.md").await.unwrap_err();
    assert_eq!(unknown.to_string(), "the graph has no document `sub/b.md`");
    let unknown = bench.ingest().delete(&format!("docs/{}", FILES[0].0)).await.unwrap_err();
    assert_eq!(unknown.hint().expect("a hint"), format!("did you mean `{}`?", FILES[0].0));
}

#[tokio::test]
async fn piece_by_piece_gives_the_same_graph_as_at_once() {
    let at_once = Bench::new(&FILES);
    at_once.run().await;
    let piecewise = Bench::new(&[]);
    for (name, text) in FILES.iter().rev() {
        piecewise.write(name, text);
        piecewise.run().await;
    }
    assert_eq!(piecewise.dump().await, at_once.dump().await);
}

#[tokio::test]
async fn a_name_introduced_later_is_found_in_earlier_documents() {
    let bench = Bench::new(&[("a.md", "Alpha uses Zed.\n")]);
    bench.run().await;
    bench.write("b.md", "Omega is also called Zed.\n");
    let report = bench.run().await;
    assert_eq!(counts(report.relationships), (1, 0, 1, 0));
    assert!(
        bench
            .dump()
            .await
            .contains("(Service:alpha)-[USES Service:alpha|USES|Service:omega]->(Service:omega)")
    );
}

#[tokio::test]
async fn a_heading_that_recurs_since_is_found_in_earlier_documents() {
    let bench = Bench::new(&[("a.md", "# Alpha\n\n## Context\n"), ("b.md", "# Beta\n\n## Context\n")]);
    bench.run().await;
    bench.write("c.md", "# Gamma\n\n## Other\n");
    assert_eq!(bench.run().await.documents.unchanged, 2);
    bench.write("d.md", "# Delta\n\n## Context\n");
    assert_eq!(bench.run().await.documents.unchanged, 1);
    assert_eq!(bench.run().await.documents.unchanged, 4);
}

#[tokio::test]
async fn documents_in_other_languages_are_counted() {
    let german = "Das Tor wird jeden Morgen vom Hafenmeister geöffnet und abends geschlossen, wenn alle Boote da sind.\n";
    let bench = Bench::new(&[("a.md", "Alpha uses Beta.\n"), ("b.md", german)]);
    let expected = BTreeMap::from([("de".to_owned(), 1)]);
    assert_eq!(bench.run().await.languages, expected);
    assert_eq!(bench.run().await.languages, expected);
    assert!(bench.dump().await.contains("language: de"));
}

#[tokio::test]
async fn a_name_within_another_does_not_hide_it() {
    let bench = Bench::new(&[("a.md", "Alpha uses Zedra.\n")]);
    bench.run().await;
    bench.write("b.md", "Omega is also called Zed.\n");
    bench.write("c.md", "Tau is also called Zedra.\n");
    bench.run().await;
    let dump = bench.dump().await;
    assert!(dump.contains("(Service:alpha)-[USES Service:alpha|USES|Service:tau]->(Service:tau)"), "{dump}");
}

#[tokio::test]
async fn contradicting_statements_stay_apart() {
    let bench = Bench::new(&[
        ("a.md", "Alpha uses Beta since 2020."),
        ("b.md", "Alpha uses Beta."),
        ("c.md", "Alpha uses Beta since 2021."),
    ]);
    let report = bench.run().await;
    assert_eq!(report.relationships.added, 2);
    let dump = bench.dump().await;
    let facts: Vec<_> = dump.lines().filter(|line| line.contains("[USES")).collect();
    assert_eq!(facts.len(), 2, "{dump}");
    assert!(facts[0].contains("since: 2020-01-01") && facts[0].contains("a.md#0, b.md#0"), "{}", facts[0]);
    assert!(facts[1].contains("since: 2021-01-01") && facts[1].contains("[c.md#0]"), "{}", facts[1]);
}

#[tokio::test]
async fn what_violates_the_ontology_is_kept_aside_when_asked() {
    let bench = Bench::new(&FILES);
    bench.run_with(bench.ingest().keep_invalid(true)).await;
    let invalid = |dump: String| dump.lines().filter(|line| line.starts_with("(:__Invalid__")).count();
    let kept = invalid(bench.dump().await);
    assert!(kept >= 2);
    bench.write("sub/c.md", "Gamma uses Delta.\n");
    bench.run_with(bench.ingest().keep_invalid(true)).await;
    assert_eq!(invalid(bench.dump().await), 0);
}

#[tokio::test]
async fn a_cancelled_run_leaves_whole_documents_and_the_next_one_goes_on() {
    let bench = Bench::new(&FILES);
    let cancel = CancellationToken::new();
    let (moment, stop) = (jiff::Zoned::default(), cancel.clone());
    // The time is asked for when a document has been read.
    let clock = Arc::new(move || {
        stop.cancel();
        moment.clone()
    });
    let ingest = bench.ingest().concurrency(1).cancel(cancel).clock(clock);
    let outcome = ingest.run(&[Input::Path(bench.path().to_owned())], &|_| {}).await;
    let error = outcome.expect_err("was cancelled");
    assert_eq!(error.to_string(), "cancelled (1 of 3 documents were read and stay in the graph)");
    let report = bench.run().await;
    assert_eq!(counts(report.documents), (2, 0, 0, 1));
    let fresh = Bench::new(&FILES);
    fresh.run().await;
    assert_eq!(bench.dump().await, fresh.dump().await);
}

#[tokio::test]
async fn two_folders_with_equal_names_stay_apart_and_files_keep_their_names() {
    let bench = Bench::new(&[("one/x.md", "Alpha uses Beta.\n"), ("two/x.md", "Beta uses Gamma.\n")]);
    let one = [Input::Path(bench.path().join("one"))];
    let two = [Input::Path(bench.path().join("two"))];
    bench.ingest().run(&one, &|_| {}).await.expect("ingests");
    bench.ingest().run(&two, &|_| {}).await.expect("ingests");
    let again =
        bench.ingest().run(&[Input::Path(bench.path().join("two/x.md"))], &|_| {}).await.expect("ingests");
    assert_eq!(counts(again.documents), (0, 0, 0, 1));
    let dump = bench.dump().await;
    assert!(dump.contains("(:Document x.md") && dump.contains("(:Document two/x.md"), "{dump}");
}

#[tokio::test]
async fn the_clock_and_the_progress_are_the_callers() {
    let bench = Bench::new(&FILES);
    let moment: jiff::Zoned = "2024-03-01T12:00:00[UTC]".parse().expect("a moment");
    let clock = moment.clone();
    let events = Mutex::new(Vec::new());
    let ingest = bench.ingest().clock(Arc::new(move || clock.clone()));
    let note = |event: Progress| events.lock().expect("not poisoned").push(event);
    ingest.run(&[Input::Path(bench.path().to_owned())], &note).await.expect("ingests");
    let events = events.into_inner().expect("not poisoned");
    assert_eq!(events[0], Progress::Found { files: 3 });
    let last = Progress::Written { document: "sub/c.md".to_owned(), done: 3, total: 3 };
    assert_eq!(events.last(), Some(&last));
    let statement =
        graphwright_core::Statement::fixed("MATCH (:Service)-[r:USES]->() RETURN DISTINCT r.recorded_at");
    let table = bench
        .store
        .read(statement, graphwright_core::store::QueryOptions::default())
        .await
        .expect("reads")
        .collect()
        .await
        .expect("rows");
    assert_eq!(table.rows, vec![vec![Value::from(moment)]]);
}

#[tokio::test]
async fn merging_and_undoing_gives_back_what_was_there() {
    let bench = Bench::new(&[
        ("a.md", "Alpha uses Beta. Alpha has tier 1.\n"),
        ("b.md", "Alfa uses Gamma. Delta uses Alfa. Beta uses Alpha.\n"),
    ]);
    bench.run().await;
    let before = bench.dump().await;
    let review = bench.review();
    review.merge("Service:alpha", "Service:alfa").await.expect("merges");
    let merged = bench.dump().await;
    assert!(!merged.contains("(:Service:__Entity__ Service:alfa"), "{merged}");
    assert!(
        merged.contains("(Service:delta)-[USES Service:delta|USES|Service:alpha]->(Service:alpha)"),
        "{merged}"
    );
    assert!(merged.contains("aliases: [Alfa]"), "{merged}");

    // What is ingested in between stays with the names that the documents use.
    bench.write("c.md", "Alfa uses Zeta.\n");
    bench.run().await;
    assert!(
        bench.dump().await.contains("(Service:alpha)-[USES Service:alpha|USES|Service:zeta]->(Service:zeta)")
    );
    review.undo("Service:alfa").await.expect("undoes");
    let undone = bench.dump().await;
    assert!(
        undone.contains("(Service:alfa)-[USES Service:alfa|USES|Service:zeta]->(Service:zeta)"),
        "{undone}"
    );
    bench.delete("c.md");
    bench.run_with(bench.ingest().prune(true)).await;
    assert_eq!(bench.dump().await, before);

    let refused = review.undo("Service:alfa").await.expect_err("is refused").to_string();
    assert_eq!(refused, "'Service:alfa' was not merged");
    let refused = review.merge("Service:alpha", "Service:nobody").await.expect_err("is refused").to_string();
    assert_eq!(refused, "there is no entity 'Service:nobody' that was read from documents");
}

#[tokio::test]
async fn near_duplicates_are_proposed_with_evidence_and_rejections_stay() {
    let bench = Bench::new(&[
        (
            "a.md",
            "Payments-Gateway uses Auth-Lib-v1. Payment-Gateway uses Auth-Lib-v2. AuthLib-v2 uses Core.\n",
        ),
        ("b.md", "Payments-Gateway uses Core.\n"),
    ]);
    let report = bench.run().await;
    let review = bench.review();
    let found = review.suggestions().await.expect("lists");
    let pairs: Vec<_> = found.iter().map(|one| (one.kept_name.as_str(), one.merged_name.as_str())).collect();
    assert_eq!(pairs.len() as u64, report.suggestions);
    let mut sorted = pairs.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [("Auth-Lib-v2", "AuthLib-v2"), ("Payments-Gateway", "Payment-Gateway")]);
    review.reject(&found[0]).await.expect("rejects");
    bench.write("b.md", "Payments-Gateway uses Core. Core uses Base.\n");
    assert_eq!(bench.run().await.suggestions, 1);
}

#[tokio::test]
async fn an_embedder_compares_names_and_leaves_no_vector() {
    let bench = Bench::new(&[("a.md", "Payments-Gateway uses Core. Payment-Gateway uses Base.\n")]);
    let embedded_by =
        |name: &str| bench.ingest().embedder(Arc::new(toy::LengthEmbedder::new(name)) as Arc<dyn Embedder>);
    bench.run_with(embedded_by("first")).await;
    let found = bench.review().suggestions().await.expect("lists");
    assert_eq!(found.len(), 1);
    assert!(found[0].vector_similarity.is_some_and(|cosine| cosine > 0.99), "{found:?}");
    for label in ["Service", "Chunk"] {
        let vectors = bench.store.vectors(label, names::EMBEDDING).await.expect("streams");
        assert_eq!(futures::StreamExt::count(vectors).await, 0, "{label}");
    }
    bench.write("b.md", "Alpha uses Beta.\n");
    assert_eq!(counts(bench.run_with(embedded_by("second")).await.documents), (1, 0, 0, 1));
}

#[tokio::test]
async fn a_document_that_was_moved_is_not_read_twice() {
    let bench = Bench::new(&[("docs/a.md", "Alpha uses Beta.\n")]);
    bench.ingest().run(&[Input::Path(bench.path().join("docs"))], &|_| {}).await.expect("ingests");
    fs::rename(bench.path().join("docs"), bench.path().join("texts")).expect("moves");
    let report =
        bench.ingest().run(&[Input::Path(bench.path().join("texts"))], &|_| {}).await.expect("ingests");
    assert_eq!(counts(report.documents), (0, 1, 0, 0));
    assert_eq!(counts(report.relationships), (0, 0, 0, 1));
}

#[tokio::test]
async fn bytes_are_ingested_like_files() {
    let bench = Bench::new(&[]);
    let input = [Input::Bytes { source: "stdin".to_owned(), bytes: b"# T\n\nAlpha uses Beta.\n".to_vec() }];
    let first = bench.ingest().run(&input, &|_| {}).await.expect("ingests");
    assert_eq!((counts(first.documents), counts(first.relationships)), ((1, 0, 0, 0), (1, 0, 0, 0)));
    let second = bench.ingest().run(&input, &|_| {}).await.expect("ingests");
    assert_eq!(counts(second.documents), (0, 0, 0, 1));
}

#[tokio::test]
async fn required_properties_that_are_missing_are_reported() {
    let bench = Bench::new(&FILES);
    let mut ontology = ontology();
    ontology.nodes["Service"].properties["tier"].required = true;
    let report = bench.run_with(bench.ingest().ontology(ontology)).await;
    assert_eq!(report.incomplete, BTreeMap::from([("Service.tier".to_owned(), 3)]));
    assert_eq!(names::ENTITY, "__Entity__");
}

#[tokio::test]
async fn a_closed_type_takes_no_names_but_those_listed() {
    let bench = Bench::new(&[("a.md", "Alpha uses Beta. Alpha uses Gamma.\n\nGamma is also called Beta.\n")]);
    let mut closed = ontology();
    let service = &mut closed.nodes["Service"];
    service.closed = true;
    service.aliases = ["Alpha", "Beta"].map(|name| (name.to_owned(), Vec::new())).into_iter().collect();
    let report = bench.run_with(bench.ingest().ontology(closed)).await;
    assert_eq!(counts(report.entities), (2, 0, 0, 0));
    assert_eq!(counts(report.relationships), (1, 0, 0, 0));
    assert!(report.dropped[&DropReason::Unlisted] > 0, "{:?}", report.dropped);
}

#[tokio::test]
async fn descriptions_of_images_state_nothing() {
    let ontology = "nodes: {Term: {closed: true, aliases: {Kestrel: [], Falcon: []}}}\n\
                    relationships: {USES: {from: [Term], to: [Term]}}";
    let ontology = Ontology::parse(ontology, Path::new("o.yaml")).expect("reads");
    let text =
        ":::image source=\"a.png\" alt-text=\"Kestrel uses Falcon.\":::\n\n![Kestrel uses Falcon.](b.png)\n";
    let bench = Bench::new(&[("a.md", text)]);
    let store: Arc<dyn GraphStore> = Arc::clone(&bench.store) as _;
    let rules = || Arc::new(graphwright_rules::RulesExtractor::default());
    let ingest = || Ingest::new(Arc::clone(&store), rules()).ontology(ontology.clone());
    assert_eq!(counts(bench.run_with(ingest()).await.relationships), (0, 0, 0, 0));
    bench.write("a.md", "Kestrel uses Falcon.\n");
    assert_eq!(counts(bench.run_with(ingest()).await.relationships), (1, 0, 0, 0));
}

#[tokio::test]
async fn a_panic_while_reading_names_the_document_and_is_no_cancellation() {
    let bench = Bench::new(&[("a.md", "Alpha uses Beta.\n"), ("b.md", "A defect.\n")]);
    let run = bench.ingest().run(&[Input::Path(bench.path().to_owned())], &|_| {}).await;
    let message = run.unwrap_err().to_string();
    assert!(message.contains("b.md met a defect of this program"), "{message}");
}

#[tokio::test]
async fn records_that_refer_to_others_by_their_keys_find_them_in_any_order() {
    let ontology = "nodes: {Country: {}, Trip: {}}\nrelationships: {GOES_TO: {from: [Trip], to: [Country], synonyms: [country]}}";
    let ontology = Ontology::parse(ontology, Path::new("o.yaml")).expect("reads");
    let files = [
        ("trips.csv", "name,country\nSpring,IRL\nSummer,PER\n"),
        ("countries.json", r#"[{"name": "Ireland", "cca3": "IRL"}, {"name": "Peru", "cca3": "PER"}]"#),
    ];
    let ingest = |bench: &Bench| {
        let rules = Arc::new(graphwright_rules::RulesExtractor::default());
        Ingest::new(Arc::clone(&bench.store) as _, rules).ontology(ontology.clone())
    };
    let at_once = Bench::new(&files);
    at_once.run_with(ingest(&at_once)).await;
    let dump = at_once.dump().await;
    assert!(dump.contains("Country:ireland") && !dump.contains("Country:irl"), "{dump}");
    for first in 0..2 {
        let bench = Bench::new(&files[first..=first]);
        bench.run_with(ingest(&bench)).await;
        let (name, text) = files[1 - first];
        bench.write(name, text);
        bench.run_with(ingest(&bench)).await;
        assert_eq!(bench.dump().await, dump, "{name} later");
    }
}
