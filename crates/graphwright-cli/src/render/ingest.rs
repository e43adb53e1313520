//! Formats the report of an ingest for people.

use std::{collections::BTreeMap, fmt::Write, time::Duration};

use graphwright::{
    IngestReport,
    documents::extraction::DropReason,
    ingest::{Count, Homonym, NewType, OntologyOrigin, Unread, merge::Merged},
    text::without_credentials,
};

use super::{count, failure_text, line};

/// Number of types shown; `--json` has all.
const SHOWN_TYPES: usize = 12;
/// Number of merges shown; `--json` has all.
const SHOWN_MERGED: usize = 5;
/// Number of entities shown that may be two; `--json` has all.
const SHOWN_HOMONYMS: usize = 5;
/// Number of documents named whose files are gone; `--json` has all.
const SHOWN_GONE: usize = 5;

/// Formats the report, with each dropped item that it lists if they are asked for, ending with what to
/// do next where hardly anything was found.
pub(crate) fn ingest_text(report: &IngestReport, show_dropped: bool) -> String {
    let mut text = String::new();
    if report.documents != Count::default() || report.failed.is_empty() {
        counts(&mut text, report);
    }
    if report.ontology == OntologyOrigin::Inferred && report.documents.added > 0 {
        text.push_str("The ontology was inferred; `graphwright ontology show` prints it, to edit and give with --ontology.\n");
    }
    if report.ontology == OntologyOrigin::Proposed {
        text.push_str("The model proposed the ontology, or what is new in it; `graphwright ontology show` prints it, to edit and give with --ontology.\n");
    }
    if !report.dropped.is_empty() {
        let _ = writeln!(text, "Not taken over: {}", reasons_text(&report.dropped));
    }
    if show_dropped {
        dropped_items(&mut text, report);
    }
    unread(&mut text, &report.unread);
    new_types(&mut text, &report.new_types);
    homonyms(&mut text, &report.homonyms);
    merged(&mut text, &report.merged);
    if report.suggestions > 0 {
        let pairs = count(report.suggestions as usize, "pair");
        let _ =
            writeln!(text, "{pairs} of entities may be the same; `graphwright duplicates list` shows them.");
    }
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for skipped in &report.skipped {
        *left_out.entry(&skipped.reason).or_default() += 1;
    }
    for (reason, files) in left_out {
        text.push_str(&line(&format!("left out: {}: {reason}", count(files, "file"))));
    }
    if report.ambiguous_links > 0 {
        let links = count(report.ambiguous_links as usize, "link");
        let _ = writeln!(text, "left out: {links} that could lead to several documents");
    }
    languages(&mut text, &report.languages);
    for remark in &report.remarks {
        text.push_str(&line(&without_credentials(&format!("remark: {}: {}", remark.path, remark.reason))));
    }
    for failure in &report.failed {
        text.push_str(&failure_text(failure));
    }
    gone(&mut text, &report.gone);
    next_step(&mut text, report);
    let seconds = Duration::from_millis(report.elapsed_ms).as_secs_f64();
    let _ = writeln!(text, "{seconds:.1} s");
    text
}

/// Says which types came in from passages.
fn new_types(text: &mut String, types: &[NewType]) {
    for new in types {
        let documents = count(new.documents as usize, "document");
        text.push_str(&line(&format!("new type: {} ({documents}, as {})", new.name, new.example)));
    }
}

/// Says which entities may be two, and why.
fn homonyms(text: &mut String, homonyms: &[Homonym]) {
    for homonym in homonyms.iter().take(SHOWN_HOMONYMS) {
        let Homonym { label, name, .. } = homonym;
        text.push_str(&line(&format!("may be two: {label} {name}: {}", homonym.told().join(", "))));
    }
    if homonyms.len() > SHOWN_HOMONYMS {
        let _ = writeln!(text, "may be two: {} more; --json lists them", homonyms.len() - SHOWN_HOMONYMS);
    }
}

/// Says which entities were merged, and how to part them.
fn merged(text: &mut String, merged: &[Merged]) {
    for pair in merged.iter().take(SHOWN_MERGED) {
        text.push_str(&line(&format!(
            "merged: {} is now part of {}; `graphwright duplicates undo {:?}` parts them",
            pair.merged, pair.kept, pair.merged
        )));
    }
    if merged.len() > SHOWN_MERGED {
        let _ = writeln!(text, "merged: {} more; --json lists them", merged.len() - SHOWN_MERGED);
    }
}

/// Says how many passages a model did not read, and why.
fn unread(text: &mut String, unread: &Unread) {
    if unread.passages == 0 {
        return;
    }
    let reasons = unread.reasons.iter().map(|(reason, number)| format!("{number} × {reason}"));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let (passages, of) = (unread.passages, count(unread.of as usize, "passage"));
    text.push_str(&line(&without_credentials(&format!(
        "not read: {passages} of {of} ({reasons}); the next ingest tries them again"
    ))));
}

/// Says how many documents are in other languages, and what they give.
fn languages(text: &mut String, languages: &BTreeMap<String, u64>) {
    let documents: u64 = languages.values().sum();
    if documents == 0 {
        return;
    }
    let (codes, are) =
        (languages.keys().cloned().collect::<Vec<_>>(), if documents == 1 { "is" } else { "are" });
    let documents = count(documents as usize, "document");
    let _ =
        writeln!(text, "{documents} {are} not in English ({}): structure and search only", codes.join(", "));
}

fn counts(text: &mut String, report: &IngestReport) {
    let none = BTreeMap::new();
    let counts = [
        ("documents", &report.documents, &none),
        ("passages", &report.chunks, &none),
        ("entities", &report.entities, &report.entity_types),
        ("facts", &report.relationships, &report.relationship_types),
        ("links", &report.links, &none),
    ];
    for (name, count, types) in counts {
        let _ = writeln!(text, "{name:<10} {}", count_text(count));
        let types = types_text(types);
        if !types.is_empty() {
            text.push_str(&line(&format!("{:<10} {types}", "")));
        }
    }
}

fn count_text(count: &Count) -> String {
    let parts = [
        (count.added, "added"),
        (count.changed, "changed"),
        (count.removed, "removed"),
        (count.unchanged, "unchanged"),
    ];
    let parts: Vec<_> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Formats how many of which type are new, most first.
fn types_text(types: &BTreeMap<String, Count>) -> String {
    let mut added: Vec<(&str, u64)> =
        types.iter().map(|(name, count)| (name.as_str(), count.added)).collect();
    added.retain(|(_, number)| *number > 0);
    added.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let shown = added.iter().take(SHOWN_TYPES).map(|(name, number)| format!("{number} {name}"));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if added.len() > SHOWN_TYPES {
        let _ = write!(text, " and {} more", count(added.len() - SHOWN_TYPES, "type"));
    }
    text
}

/// Formats each dropped item that the report lists, and how many others there are.
fn dropped_items(text: &mut String, report: &IngestReport) {
    let mut rest = report.dropped.clone();
    for item in &report.dropped_items {
        let place = format!("{}:{}-{}", item.document, item.start, item.end);
        text.push_str(&line(&format!("  {}: {}  {place}", reason_text(item.reason), item.what)));
        if let Some(number) = rest.get_mut(&item.reason) {
            *number = number.saturating_sub(1);
        }
    }
    rest.retain(|_, number| *number > 0);
    if !rest.is_empty() {
        let _ = writeln!(text, "  not listed, as the list ends at 1,000: {}", reasons_text(&rest));
    }
}

fn reasons_text(dropped: &BTreeMap<DropReason, u64>) -> String {
    let reasons = dropped.iter().map(|(reason, number)| format!("{number} {}", reason_text(*reason)));
    reasons.collect::<Vec<_>>().join(", ")
}

fn reason_text(reason: DropReason) -> String {
    let name = serde_json::to_value(reason).ok().and_then(|name| name.as_str().map(str::to_owned));
    name.unwrap_or_default().replace('_', " ")
}

fn gone(text: &mut String, documents: &[String]) {
    if documents.is_empty() {
        return;
    }
    let (have, them) = if documents.len() == 1 { ("has", "it") } else { ("have", "them") };
    let mut names = documents.iter().take(SHOWN_GONE).cloned().collect::<Vec<_>>().join(", ");
    if documents.len() > SHOWN_GONE {
        let _ = write!(names, " and {} more", documents.len() - SHOWN_GONE);
    }
    let documents = count(documents.len(), "document");
    text.push_str(&line(&format!(
        "{documents} in the graph {have} no file any more: {names}; --prune removes {them}"
    )));
}

/// Says what helps where documents were read and hardly a fact was found.
fn next_step(text: &mut String, report: &IngestReport) {
    let all = |count: &Count| count.added + count.changed + count.unchanged;
    let facts = all(&report.relationships);
    let read = report.documents.added + report.documents.changed > 0;
    if !read || facts >= all(&report.documents) {
        return;
    }
    let found = if facts == 0 { "No facts were found" } else { "Fewer facts than documents were found" };
    let model = if report.usage.requests == 0 { ", or let a model read them (--model)" } else { "" };
    let _ = writeln!(
        text,
        "{found}. Write into the ontology which types and relationships the documents tell of, and in which words (`cues`){model}."
    );
    if let Some(unlisted) = report.dropped.get(&DropReason::Unlisted) {
        let names = count(*unlisted as usize, "name");
        let _ = writeln!(
            text,
            "{names} of closed types not taken: list them under `aliases` of the type, or take `closed: true` out."
        );
    }
}

#[cfg(test)]
mod tests {
    use graphwright::ingest::{Difference, DroppedItem};

    use super::*;

    fn added(number: u64) -> Count {
        Count { added: number, ..Count::default() }
    }

    fn types<const N: usize>(numbers: [(&str, u64); N]) -> BTreeMap<String, Count> {
        numbers.into_iter().map(|(name, number)| (name.to_owned(), added(number))).collect()
    }

    #[test]
    fn what_was_found_dropped_and_is_gone() {
        let item = DroppedItem {
            document: "a.md".to_owned(),
            reason: DropReason::BadValue,
            what: "ledger.tier = \"high\"".to_owned(),
            start: 3,
            end: 9,
        };
        let report = IngestReport {
            documents: added(2),
            chunks: added(2),
            entities: added(5),
            relationships: added(9),
            entity_types: types([("Service", 1), ("Team", 4)]),
            relationship_types: types([("OWNS", 9), ("USES", 0)]),
            dropped: BTreeMap::from([(DropReason::BadValue, 1), (DropReason::Negated, 19)]),
            dropped_items: vec![item],
            merged: vec![Merged {
                label: "Team".to_owned(),
                kept: "Team:payments".to_owned(),
                merged: "Team:payments team".to_owned(),
            }],
            languages: BTreeMap::from([("de".to_owned(), 2), ("fr".to_owned(), 1)]),
            gone: (0..7).map(|number| format!("{number}.md")).collect(),
            homonyms: vec![Homonym {
                label: "Person".to_owned(),
                name: "Ada Lind".to_owned(),
                documents: ["a.md".to_owned(), "b.md".to_owned()],
                properties: vec![
                    Difference {
                        property: "born".to_owned(),
                        values: ["1950".to_owned(), "1982".to_owned()],
                    },
                    Difference {
                        property: "town".to_owned(),
                        values: ["Oslo".to_owned(), "Bergen".to_owned()],
                    },
                ],
            }],
            new_types: vec![NewType {
                name: "Invoice".to_owned(),
                documents: 2,
                example: "INV-7".to_owned(),
            }],
            unread: Unread {
                passages: 2,
                of: 30,
                reasons: BTreeMap::from([("the reply was cut off".to_owned(), 2)]),
            },
            ontology: OntologyOrigin::Given,
            ..IngestReport::default()
        };
        insta::assert_snapshot!(ingest_text(&report, true), @r#"
        documents  2 added
        passages   2 added
        entities   5 added
                   4 Team, 1 Service
        facts      9 added
                   9 OWNS
        links      none
        Not taken over: 1 bad value, 19 negated
          bad value: ledger.tier = "high"  a.md:3-9
          not listed, as the list ends at 1,000: 19 negated
        not read: 2 of 30 passages (2 × the reply was cut off); the next ingest tries them again
        new type: Invoice (2 documents, as INV-7)
        may be two: Person Ada Lind: born 1950, town Oslo (a.md), born 1982, town Bergen (b.md)
        merged: Team:payments team is now part of Team:payments; `graphwright duplicates undo "Team:payments team"` parts them
        3 documents are not in English (de, fr): structure and search only
        7 documents in the graph have no file any more: 0.md, 1.md, 2.md, 3.md, 4.md and 2 more; --prune removes them
        0.0 s
        "#);
    }

    #[test]
    fn where_hardly_anything_was_found_the_next_step_is_told() {
        let report = IngestReport {
            documents: added(2),
            relationships: added(1),
            dropped: BTreeMap::from([(DropReason::Unlisted, 3)]),
            gone: vec!["a.md".to_owned()],
            ontology: OntologyOrigin::Given,
            ..IngestReport::default()
        };
        insta::assert_snapshot!(ingest_text(&report, false), @"
        documents  2 added
        passages   none
        entities   none
        facts      1 added
        links      none
        Not taken over: 3 unlisted
        1 document in the graph has no file any more: a.md; --prune removes it
        Fewer facts than documents were found. Write into the ontology which types and relationships the documents tell of, and in which words (`cues`), or let a model read them (--model).
        3 names of closed types not taken: list them under `aliases` of the type, or take `closed: true` out.
        0.0 s
        ");
    }
}
