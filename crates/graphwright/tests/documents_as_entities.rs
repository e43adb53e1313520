//! Documents that are entities without an ontology, and questions that mean one by what it is about.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use graphwright::{Access, AnswerStatus, Graph, Ontology, Settings};

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

/// Records of decisions in the form of Nygard, with dates whose order only some show.
fn write_decisions(folder: &Path) {
    let record = |title: &str, date: &str, status: &str, text: &str| {
        format!("# {title}\n\nDate{date}\n\n## Status\n\n{status}\n\n## Context\n\n{text}\n")
    };
    let lost =
        "Mails are lost whenever the server is down, and nobody is told of it before the next morning comes.";
    let records = [
        ("001-queue.md", "Use a queue between billing and mail", ": 05/02/2018", "✅ Accepted", lost),
        (
            "002-console.md",
            "Retire the command line tool",
            ": 28/03/2018",
            "Accepted (for now)",
            "The console has all that people did with the tool in the years before, so that two of them are too many.",
        ),
        (
            "003-regions.md",
            "3. Split the database by region",
            " 04/07/2019",
            "Proposed",
            "One database cannot be kept within the law of every region, as [the first record](001-queue.md) has it.",
        ),
    ];
    for (file, title, date, status, text) in records {
        write(folder, file, &record(title, date, status, text));
    }
}

async fn answers(questions: &[&str]) -> Vec<(AnswerStatus, String)> {
    let folder = tempfile::tempdir().unwrap();
    let documents = folder.path().join("documents");
    let decisions = documents.join("architecture-decision-records");
    write_decisions(&decisions);
    let graph = Graph::open(Settings::at(folder.path().join("store")), Access::Write).await.unwrap();
    graph.ingest([documents]).await.unwrap();
    let mut found = Vec::new();
    for question in questions {
        let answer = graph.ask(*question).await.unwrap();
        found.push((answer.status, answer.answer));
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_is_meant_by_what_it_decides() {
    let found = answers(&[
        "When was the decision to split the database recorded?",
        "What is the status of the record about lost mails?",
        "On what date did we decide to retire the old command line tool?",
        "Which ADRs are accepted?",
        "What is the status of the ADR on the weather?",
    ])
    .await;
    let says = |at: usize, text: &str| assert!(found[at].1.contains(text), "{:?}", found[at]);
    says(0, "3. Split the database by region: date 2019-07-04.");
    says(0, "Read as: “the decision to split the database");
    says(1, "Use a queue between billing and mail: status Accepted.");
    says(2, "Retire the command line tool: date 2018-03-28.");
    says(3, "Retire the command line tool and Use a queue between billing and mail");
    assert_ne!(found[4].0, AnswerStatus::Answered, "{:?}", found[4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_in_figures_is_read_once_another_document_shows_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let documents = folder.path().join("documents");
    let decisions = documents.join("decisions");
    write_decisions(&decisions);
    let ontology = "name: decisions\nnodes:\n  Decision:\n    properties:\n      date: {type: date}\n      \
                    status: {type: string, enum: [Accepted, Proposed]}\n";
    let ontology = Ontology::parse(ontology, "decisions.yaml".as_ref()).unwrap();
    let console = std::fs::read(decisions.join("002-console.md")).unwrap();
    std::fs::remove_file(decisions.join("002-console.md")).unwrap();
    let graph = Graph::open(Settings::at(folder.path().join("store")), Access::Write).await.unwrap();
    let question = "What is the date of Use a queue between billing and mail?";
    graph.ingest([documents.clone()]).ontology(ontology.clone()).await.unwrap();
    let before = graph.ask(question).await.unwrap();
    assert!(before.values.is_empty(), "{}", before.answer);
    std::fs::write(decisions.join("002-console.md"), console).unwrap();
    graph.ingest([documents]).ontology(ontology).await.unwrap();
    let after = graph.ask(question).await.unwrap();
    assert_eq!(after.values, ["2018-02-05"], "{}", after.answer);
}
