//! Property tests of repairs: of generated queries, and of right ones that were broken.

use std::collections::BTreeSet;

use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

use super::{ChangeCode, Repair, draft::Draft, inventory::Inventory};
use crate::{
    diagnose,
    lexer::{TokenKind, scan, unescape},
    syntax::{parse, print, print::generate::trees},
};

/// Right queries of the kinds that models write.
const QUERIES: [&str; 12] = [
    "MATCH (p:Person)-[r:WROTE]->(b:Book {lang: 'en'}) WHERE b.year > 1990 RETURN p.name, b.title ORDER BY b.year DESC LIMIT 5",
    "MATCH (p:Person)-[:WROTE]->(b:Book) WITH p, count(b) AS books WHERE books > 2 RETURN p.name, books",
    "MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q:Person) WITH DISTINCT p, q RETURN p.name, count(DISTINCT q) AS friends",
    "MATCH (n:City) WHERE n.name STARTS WITH 'New' AND NOT n.name IN ['New York', 'Newark'] RETURN n.name, n.area * 2.5 AS area",
    "CALL { MATCH (a:Author) RETURN a, a.born AS born } WITH a, born WHERE born < 1900 RETURN a.name, born",
    "MATCH (a:Airport) CALL { WITH a MATCH (a)<-[:TO]-(f:Flight) RETURN count(f) AS flights } RETURN a.code, flights",
    "MATCH path = (a:Stop {id: 1})-[:NEXT*1..5]->(b:Stop {id: 7}) RETURN length(path), [n IN nodes(path) | n.name] AS names",
    "MATCH (m:Movie) WHERE EXISTS { (m)<-[:ACTED_IN]-(:Person {name: 'Ada'}) } RETURN m.title AS title UNION MATCH (s:Show) RETURN s.title AS title",
    "UNWIND [1, 2, 3] AS x WITH x, x * x AS square WHERE square > 3 RETURN sum(square) / count(x) AS mean",
    "MATCH (n:Person) RETURN CASE WHEN n.age < 18 THEN 'child' ELSE 'adult' END AS kind, avg(n.income) AS income, count(*) AS people",
    "MATCH (a:Person {name: 'Ada'}), (b:Person {name: 'Bob'}), p = shortestPath((a)-[:KNOWS*]-(b)) RETURN [r IN relationships(p) | r.since] AS since",
    "MATCH (s:Sensor)-[:AT]->(l:Place) WHERE s.time >= date('2020-01-01') AND l.name =~ '(?i)ber.*' RETURN l.name, max(s.value) AS highest SKIP 3 LIMIT 10",
];

/// The ways to break a text at one of its tokens.
#[derive(Clone, Copy, Debug)]
enum Mutation {
    Delete,
    Double,
    Swap,
    Insert(&'static str),
}

fn mutations() -> impl Strategy<Value = Vec<(Mutation, prop::sample::Index)>> {
    let inserted = select(vec![
        "WHERE", "RETURN", "GROUP BY", "HAVING", "LIKE", "NOT", "AND", "DISTINCT", "BETWEEN", ",", ")", "(",
        "{", "}", "]", "-", ">", "?", "'", "`", "``` ", "AS", "WITH", "null", ".", ";", "\\n", "“", "&lt;",
        "||", "IS", "SELECT",
    ]);
    let mutation = prop_oneof![
        Just(Mutation::Delete),
        Just(Mutation::Double),
        Just(Mutation::Swap),
        inserted.prop_map(Mutation::Insert),
    ];
    vec((mutation, any::<prop::sample::Index>()), 1..4)
}

fn mutated(text: &str, mutations: &[(Mutation, prop::sample::Index)]) -> String {
    let mut words: Vec<String> =
        scan(text).0.tokens.iter().map(|token| token.text(text).to_owned()).collect();
    for (mutation, place) in mutations {
        if words.is_empty() {
            break;
        }
        let at = place.index(words.len());
        match mutation {
            Mutation::Delete => drop(words.remove(at)),
            Mutation::Double => words.insert(at, words[at].clone()),
            Mutation::Swap => {
                let next = (at + 1) % words.len();
                words.swap(at, next);
            }
            Mutation::Insert(word) => words.insert(at, (*word).to_owned()),
        }
    }
    words.join(" ")
}

/// Returns what a text names: the words of its literals, its properties, labels and types, but not
/// its functions.
fn said(text: &str) -> BTreeSet<String> {
    let (found, errors) = scan(text);
    if !errors.is_empty() {
        return BTreeSet::new();
    }
    let tokens = &found.tokens;
    let mut said = BTreeSet::new();
    for (index, token) in tokens.iter().enumerate() {
        let written = token.text(text);
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let is_part = before.is_some_and(|before| before.is_symbol(".") || before.is_symbol(":"));
        let is_call = tokens.get(index + 1).is_some_and(|next| next.is_symbol("("));
        let words = match token.kind {
            TokenKind::String => unescape(written).into_owned(),
            TokenKind::Integer | TokenKind::Float => written.to_owned(),
            TokenKind::Word | TokenKind::QuotedName if is_part && !is_call && token.keyword.is_none() => {
                written.to_owned()
            }
            _ => continue,
        };
        let words = words.split(|part: char| !part.is_alphanumeric()).filter(|word| !word.is_empty());
        said.extend(words.map(str::to_owned));
    }
    said
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let repair = Repair::default();
    let repaired = repair.repair(text);
    prop_assert_eq!(&repaired.diagnostics, &diagnose(&repaired.text, None));
    if Draft::read(text.to_owned(), None).is_settled() {
        prop_assert_eq!(&repaired.text, text);
        prop_assert!(repaired.changes.is_empty());
        return Ok(());
    }
    if repaired.is_clean() {
        let again = repair.repair(&repaired.text);
        prop_assert_eq!(again.text, repaired.text.clone());
    }
    let is_extracted = repaired
        .changes
        .iter()
        .any(|change| matches!(change.code, ChangeCode::Extracted | ChangeCode::Characters));
    if !is_extracted {
        let lost: Vec<_> = said(text).difference(&said(&repaired.text)).cloned().collect();
        prop_assert!(
            lost.is_empty() || said(&repaired.text).is_empty(),
            "lost {:?}: {}",
            lost,
            repaired.text
        );
        let (before, after) =
            (Inventory::from_tree(&parse(text).tree), Inventory::from_tree(&parse(&repaired.text).tree));
        prop_assert!(after.holds(&before, usize::MAX / 2), "{}", repaired.text);
    }
    Ok(())
}

#[test]
fn right_queries_stay() {
    for query in QUERIES {
        let repaired = Repair::default().repair(query);
        assert!(repaired.is_clean(), "{query}: {:?}", repaired.diagnostics);
        assert_eq!(repaired.text, query);
        assert!(repaired.changes.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn broken_queries_lose_nothing(query in select(QUERIES.to_vec()), mutations in mutations()) {
        check(&mutated(query, &mutations))?;
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,80}") {
        let repaired = Repair::default().repair(&text);
        prop_assert_eq!(&repaired.diagnostics, &diagnose(&repaired.text, None));
    }
}

/// Runs on a thread of its own, because generated trees are deep.
#[test]
fn generated_queries_lose_nothing() {
    let run = || {
        let mut runner = TestRunner::new(ProptestConfig { cases: 200, ..ProptestConfig::default() });
        let texts = trees().prop_map(|tree| print(&tree));
        let broken = (texts, prop::option::of(mutations())).prop_map(|(text, mutations)| match mutations {
            Some(mutations) => mutated(&text, &mutations),
            None => text,
        });
        runner.run(&broken, |text| check(&text)).unwrap();
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}
