//! Ingest and ask through a real server: llama.cpp with a tiny model of random weights. What it says is nonsense, so form
//! and limits are checked, never content. `docs/testing.md` says what it needs.

#[path = "../../graphwright-llm/tests/llama_server/server.rs"]
mod server;

#[cfg(test)]
mod llama_server {
    use std::{path::Path, sync::Mutex};

    use graphwright::{
        Access, Answer, AnswerStatus, Event, ExtractorChoice, Graph, IngestOptions, Input, Ontology,
        Settings,
        documents::extraction::DropReason,
        llm::{Budget, ModelSettings, connect},
    };

    use crate::server::Server;

    const ONTOLOGY: &str = "\
nodes:
  Service: {properties: {tier: {type: integer}}}
  Library: {}
relationships:
  DEPENDS_ON: {from: [Service], to: [Library]}
";
    const LEDGER: &str =
        "# Ledger\n\nThe service `ledger` depends on the library `money-types`. It is of tier 1.\n";
    const CLOCK: &str = "# Clock\n\nThe service `clock` depends on the library `money-types`.\n";
    const QUESTION: &str = "Which services depend on money-types?";

    /// A graph whose model is the server's, with so many tokens to spend.
    async fn open(folder: &Path, server: &Server, budget: Budget) -> Graph {
        let mut settings = ModelSettings::new("openai-compatible/random".parse().unwrap());
        settings.provider.address = Some(server.address.clone());
        settings.budget = budget;
        settings.retries = 0;
        let graph = Graph::open(Settings::at(folder), Access::Write).await.unwrap();
        graph.with_model(connect(&settings).unwrap())
    }

    fn documents() -> [Input; 2] {
        let note = |name: &str, text: &str| Input::Bytes {
            source: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        [note("ledger.md", LEDGER), note("clock.md", CLOCK)]
    }

    fn by(extractor: ExtractorChoice) -> IngestOptions {
        let ontology = Ontology::parse(ONTOLOGY, Path::new("ontology.yaml")).unwrap();
        IngestOptions::default().ontology(ontology).extractor(extractor)
    }

    async fn ask(graph: &Graph) -> (Answer, Vec<Event>) {
        let events = Mutex::new(Vec::new());
        let keep = |event| events.lock().unwrap().push(event);
        let answer = graph.ask(QUESTION).events(keep).await.unwrap();
        (answer, events.into_inner().unwrap())
    }

    /// Whether everything that an answer cites is in the documents.
    fn cites_only_what_is_there(answer: &Answer) {
        for passage in &answer.passages {
            let text = if passage.document == "ledger.md" { LEDGER } else { CLOCK };
            assert_eq!(text.get(passage.start..passage.end), Some(passage.text.as_str()), "{passage:?}");
        }
        let names = ["ledger", "clock", "money-types"];
        let nodes = answer.paths.iter().flat_map(|path| &path.nodes).map(|node| node.name.as_str());
        let entities = answer.entities.iter().map(|entity| entity.name.as_str());
        for name in nodes.chain(entities) {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_model_reads_documents_and_what_the_text_does_not_bear_out_is_dropped() {
        let server = Server::start();
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::default();
        let graph = open(folder.path(), &server, budget.clone()).await;
        let done = graph.ingest(documents()).with(by(ExtractorChoice::Model)).await.unwrap();

        let report = done.report;
        assert_eq!(report.documents.added as usize + report.failed.len(), 2, "{report:?}");
        assert!(report.documents.added > 0, "{report:?}");
        assert_eq!(report.chunks.added, report.documents.added);
        // Random words are no names of the text.
        assert_eq!((report.entities.added, report.relationships.added), (0, 0), "{report:?}");
        let known = [
            DropReason::Malformed,
            DropReason::NotInText,
            DropReason::UnknownType,
            DropReason::LowConfidence,
        ];
        assert!(report.dropped.keys().all(|reason| known.contains(reason)), "{:?}", report.dropped);
        assert!(report.usage.requests >= 2 && report.usage.input_tokens > 500, "{:?}", report.usage);
        assert!(report.usage.output_tokens > 0);
        assert_eq!(budget.used().requests, report.usage.requests);

        let again = graph.ingest(documents()).with(by(ExtractorChoice::Model)).await.unwrap();
        assert_eq!(again.report.documents.unchanged, report.documents.added);
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_model_answers_from_the_evidence_or_the_graph_does() {
        let server = Server::start();
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::default();
        let graph = open(folder.path(), &server, budget.clone()).await;
        graph.ingest(documents()).with(by(ExtractorChoice::Rules)).await.unwrap();
        assert_eq!(budget.used().requests, 0, "the rules ask no model");

        let (answer, events) = ask(&graph).await;

        assert!(
            events
                .iter()
                .any(|event| *event == Event::Step { what: "asking openai-compatible/random".into() })
        );
        // One more where it is asked to write again what nothing bears out.
        assert!((1..=2).contains(&answer.usage.requests), "{:?}", answer.usage);
        assert!(answer.usage.output_tokens > 0, "{:?}", answer.usage);
        assert_eq!(budget.used().requests, answer.usage.requests);
        cites_only_what_is_there(&answer);
        if let Some(model) = &answer.model {
            assert_eq!(model, "openai-compatible/random");
            let told = |event: &Event| matches!(event, Event::Token { .. });
            assert!(events.iter().any(told), "what is checked is told");
        } else {
            assert!(events.iter().any(|event| matches!(event, Event::Fallback { .. })), "{events:?}");
            assert_eq!(answer.status, AnswerStatus::Answered);
            assert_eq!(answer.entities.len(), 2, "the graph alone knows it: {answer:?}");
        }
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_budget_that_is_too_small_ends_an_ingest_and_not_a_question() {
        let server = Server::start();
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(Some(10), None);
        let graph = open(folder.path(), &server, budget.clone()).await;
        let refused = graph.ingest(documents()).with(by(ExtractorChoice::Model)).await.unwrap_err();
        assert_eq!(refused.code(), "budget", "{refused}");
        assert!(refused.hint().unwrap().contains("budget"), "{:?}", refused.hint());

        graph.ingest(documents()).with(by(ExtractorChoice::Rules)).await.unwrap();
        let (answer, events) = ask(&graph).await;
        let told = |event: &Event| matches!(event, Event::Fallback { reason } if reason.contains("budget"));
        assert!(events.iter().any(told), "{events:?}");
        assert_eq!((answer.model.as_deref(), answer.entities.len()), (None, 2));
        assert_eq!(budget.used().requests, 0);
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_server_that_is_gone_is_told_and_the_graph_answers() {
        let server = Server::start();
        let folder = tempfile::tempdir().unwrap();
        let graph = open(folder.path(), &server, Budget::default()).await;
        graph.ingest(documents()).with(by(ExtractorChoice::Rules)).await.unwrap();
        drop(server);
        let (answer, events) = ask(&graph).await;
        assert!(events.iter().any(|event| matches!(event, Event::Fallback { .. })), "{events:?}");
        assert_eq!((answer.model.as_deref(), answer.entities.len()), (None, 2));
        let new = [Input::Bytes { source: "new.md".to_owned(), bytes: LEDGER.as_bytes().to_vec() }];
        let done = graph.ingest(new).with(by(ExtractorChoice::Model)).await.unwrap();
        let [failed] = done.report.failed.as_slice() else { panic!("{:?}", done.report) };
        assert_eq!(failed.path, "new.md");
        assert!(failed.reason.contains("is not available"), "{}", failed.reason);
    }
}
