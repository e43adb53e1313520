use std::fs;

use serde_json::json;

use super::*;

/// Creates a route with calls of these tools and an answer.
pub(in crate::route) fn route(id: &str, kind: &str, tools: &[&str]) -> Route {
    let call = |tool: &&str| json!({"tool": tool, "arguments": {}, "characters": 3});
    serde_json::from_value(json!({
        "id": id, "at": "2024-05-01T10:00:00Z", "question": kind, "kind": kind, "links": [],
        "calls": tools.iter().map(call).collect::<Vec<_>>(), "outcome": "answered", "steps": tools.len(),
        "elapsed_ms": 5, "model": "scripted/model", "store_version": "1",
    }))
    .unwrap()
}

fn book() -> (tempfile::TempDir, RouteBook) {
    let folder = tempfile::tempdir().unwrap();
    let book = RouteBook::at(folder.path().join("deeper").join("search.routes.jsonl"));
    (folder, book)
}

fn ids(book: &RouteBook) -> Vec<String> {
    book.read().unwrap().routes.into_iter().map(|route| route.id).collect()
}

#[test]
fn what_is_added_is_read_by_the_next_process() {
    let (_folder, book) = book();
    assert_eq!(book.read().unwrap(), Routes::default());
    let (one, two) = (route("0a", "who owns <Service>", &["lookup_entity"]), route("0b", "what", &[]));
    book.add(&one).unwrap();
    book.add(&two).unwrap();
    let again = RouteBook::at(book.file());
    assert_eq!(again.read().unwrap(), Routes { routes: vec![one, two], unreadable: 0 });
}

#[test]
fn a_verdict_is_kept_and_may_change() {
    let (_folder, book) = book();
    book.add(&route("0a", "k", &[])).unwrap();
    book.add(&route("1b", "k", &[])).unwrap();
    assert_eq!(book.judge("0a", RouteVerdict::Right).unwrap().verdict, Some(RouteVerdict::Right));
    book.judge("0", RouteVerdict::Wrong).unwrap();
    let verdicts = || book.read().unwrap().routes.iter().map(|route| route.verdict).collect::<Vec<_>>();
    assert_eq!(verdicts(), [Some(RouteVerdict::Wrong), None]);
    // Rewriting the file keeps the verdict.
    book.delete(|route| route.id == "1b").unwrap();
    assert_eq!(verdicts(), [Some(RouteVerdict::Wrong)]);
}

#[test]
fn a_route_is_named_by_what_begins_its_identifier_alone() {
    let (_folder, book) = book();
    assert!(matches!(book.judge("0a", RouteVerdict::Right), Err(AgentError::UnknownRoute { .. })));
    assert!(!book.file().parent().unwrap().exists());
    book.add(&route("0a1", "k", &[])).unwrap();
    book.add(&route("0a2", "k", &[])).unwrap();
    assert!(matches!(
        book.judge("0a", RouteVerdict::Right),
        Err(AgentError::AmbiguousRoute { count: 2, .. })
    ));
    assert!(matches!(book.judge("", RouteVerdict::Right), Err(AgentError::UnknownRoute { .. })));
    assert_eq!(book.read().unwrap().find("0a2").unwrap().id, "0a2");
}

#[test]
fn a_line_that_a_kill_cut_is_skipped_and_counted() {
    let (_folder, book) = book();
    book.add(&route("0a", "k", &[])).unwrap();
    let whole = fs::read(book.file()).unwrap();
    let mut cut = whole.clone();
    cut.extend_from_slice(&whole[..whole.len() / 2]);
    fs::write(book.file(), cut).unwrap();
    book.add(&route("0b", "k", &[])).unwrap();
    let read = book.read().unwrap();
    assert_eq!((ids(&book), read.unreadable), (vec!["0a".to_owned(), "0b".to_owned()], 1));
    assert_eq!(book.delete(|route| route.id == "0a").unwrap(), 1);
    assert_eq!((ids(&book), book.read().unwrap().unreadable), (vec!["0b".to_owned()], 0));
}

#[test]
fn the_oldest_go_when_the_file_is_full() {
    let (_folder, book) = book();
    let line = book.line(&route("00", "k", &[])).unwrap().len() as u64 + 1;
    let book = book.with_most_bytes(line * 8);
    for number in 0..20 {
        book.add(&route(&format!("{number:02}"), "k", &[])).unwrap();
        assert!(fs::metadata(book.file()).unwrap().len() <= line * 8);
    }
    let kept = ids(&book);
    let latest: Vec<String> = (20 - kept.len()..20).map(|number| format!("{number:02}")).collect();
    assert_eq!(kept, latest);
    assert!((6..=8).contains(&kept.len()), "{kept:?}");
}

#[test]
fn several_writers_lose_nothing() {
    let (_folder, book) = book();
    let file = book.file().to_owned();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let file = &file;
            scope.spawn(move || {
                let book = RouteBook::at(file);
                for number in 0..25 {
                    let id = format!("{writer}-{number}");
                    book.add(&route(&id, "k", &[])).unwrap();
                    match number % 5 {
                        0 => drop(book.judge(&id, RouteVerdict::Right).unwrap()),
                        1 => assert_eq!(book.delete(|route| route.id == id).unwrap(), 1),
                        _ => {}
                    }
                }
            });
        }
    });
    let read = book.read().unwrap();
    assert_eq!((read.routes.len(), read.unreadable), (4 * 20, 0));
    let judged = read.routes.iter().filter(|route| route.verdict.is_some());
    assert_eq!(judged.count(), 4 * 5);
}

#[test]
fn another_process_that_holds_the_lock_does_not_stop_for_ever() {
    let (_folder, book) = book();
    let held = book.journal.write().unwrap();
    let error = book.add(&route("0a", "k", &[])).unwrap_err().to_string();
    assert!(error.contains("another process has locked it"), "{error}");
    drop(held);
    book.add(&route("0a", "k", &[])).unwrap();
}

#[test]
fn secrets_are_not_written_and_long_texts_are_cut() {
    let (_folder, book) = book();
    let book =
        book.concealing(["sk-12345".to_owned(), "sk-123".to_owned(), String::new(), "2024".to_owned()]);
    let mut route = route("0a", "k", &["run_cypher"]);
    route.question = "Is sk-12345 my key, or sk-123?".to_owned();
    route.calls[0].arguments = json!({"query": "RETURN 'sk-12345'", "params": {"list": ["sk-123"]}});
    route.result.answer = "ä".repeat(5_000);
    book.add(&route).unwrap();
    let text = fs::read_to_string(book.file()).unwrap();
    assert!(!text.contains("sk-1"), "{text}");
    let read = book.read().unwrap().routes.remove(0);
    assert_eq!(read.question, "Is *** my key, or ***?");
    assert_eq!(read.calls[0].arguments["params"]["list"][0], "***");
    assert_eq!(read.result.answer.chars().count(), 4_001);
    // Secrets are not replaced in the time of recording.
    assert_eq!(read.at, route.at);
    assert!(!format!("{book:?}").contains("sk-1"));
}

#[test]
fn a_file_that_cannot_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let book = RouteBook::at(folder.path().join("file").join("routes.jsonl"));
    let error = book.add(&route("0a", "k", &[])).unwrap_err();
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}

#[test]
fn a_book_whose_last_route_is_deleted_has_no_file() {
    let (_folder, book) = book();
    assert_eq!(book.delete(|_| true).unwrap(), 0);
    book.add(&route("0a", "k", &[])).unwrap();
    assert_eq!(book.delete(|_| true).unwrap(), 1);
    assert!(!book.file().exists());
}
