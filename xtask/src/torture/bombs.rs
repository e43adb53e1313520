//! Queries that are short and ask for much, under 2 GB of memory.

use std::time::Duration;

use anyhow::Result;
use fastrand::Rng;

use super::{Round, Victim, end};

/// The longest that a query may take that is given five seconds.
const LONGEST: Duration = Duration::from_secs(20);

pub(super) fn run(victim: &Victim, round: &mut Round) -> Result<String> {
    let folder = tempfile::tempdir()?;
    // Hubs, where each step multiplies what a pattern matches.
    let make = "UNWIND range(1, 3) AS h CREATE (hub:Node {number: 0, text: 'a hub'}) WITH hub UNWIND range(1, 700) AS i \
                CREATE (hub)-[:TO]->(:Node {number: i, text: 'a text of some length ' + toString(i)})";
    let arguments = ["cypher", "--write", "--yes", "--new-names", "--max-changes", "1000000", make];
    victim.succeed(folder.path(), &arguments)?;
    let (mut answered, mut refused, mut stopped) = (0, 0, 0);
    while round.next() {
        let query = bomb(&mut round.rng);
        let arguments = ["cypher", "--time-limit", "5", &query];
        let ending = end(victim.limited("ulimit -v 2000000", folder.path(), &arguments).spawn()?)?;
        if let Some(fault) = ending.fault() {
            round.fault(format!("{query}: {fault}"));
        } else if ending.errors.contains("cannot start") || ending.errors.contains("worker ended") {
            round.fault(format!("{query}: no reason of its own: {}", ending.errors));
        }
        if ending.time > LONGEST {
            round.fault(format!("{query}: took {:?}", ending.time));
        }
        match () {
            () if ending.status.success() => answered += 1,
            () if ending.errors.contains("budget") || ending.errors.contains("time limit") => stopped += 1,
            () => refused += 1,
        }
    }
    Ok(format!(
        "{answered} answered, {stopped} stopped at a budget or time limit, {refused} refused or in error"
    ))
}

/// Writes a query.
fn bomb(rng: &mut Rng) -> String {
    let times = [3, 8, 11, 30, 200, 3_000, 40_000, 900_000][rng.usize(..8)];
    let more = [2, 5, 20, 400, 3_000, 10_000][rng.usize(..6)];
    let value = value(rng, 2);
    match rng.u32(..12) {
        0 => format!("MATCH p = (a){}(b) RETURN count(*)", "--(:Node)".repeat(rng.usize(1..6))),
        1 => format!("MATCH (a)-[*1..{}]-(b) RETURN count(DISTINCT b), collect(a.text)", rng.u32(2..9)),
        2 => format!("RETURN reduce(x = {value}, i IN range(1, {times}) | {})", step(rng)),
        3 => {
            let doublings = " WITH x + x AS x".repeat(rng.usize(1..40));
            format!("MATCH (n:Node) WITH n.text AS x LIMIT 3{doublings} RETURN size(x)")
        }
        4 => format!(
            "UNWIND range(1, {times}) AS i UNWIND range(1, {more}) AS j RETURN collect([i, j, {value}])"
        ),
        5 => vec![format!("RETURN {value} AS x"); rng.usize(2..500)].join(" UNION "),
        6 => format!("RETURN [i IN range(1, {times}) | [j IN range(1, {more}) | {value}]]"),
        7 => format!(
            "MATCH (a), (b), (c) WHERE a.number < {more} RETURN a.text + b.text + c.text ORDER BY a.number"
        ),
        8 => format!("MATCH (n) RETURN {}", vec!["collect(n)"; rng.usize(1..20)].join(" + ")),
        9 => format!("MATCH (n:Node) RETURN [i IN range(0, n.number * {more}) | {value}]"),
        10 => format!("RETURN {}{value}{}", "[".repeat(rng.usize(1..99)), "]".repeat(99)),
        _ => format!("MATCH (n) WHERE n.text =~ '({})+b' RETURN count(n)", "a*".repeat(rng.usize(1..12))),
    }
}

fn value(rng: &mut Rng, depth: u32) -> String {
    match rng.u32(..if depth == 0 { 3 } else { 6 }) {
        0 => "1".to_owned(),
        1 => "'abcdefgh'".to_owned(),
        2 => "[1, 2]".to_owned(),
        3 => format!("[{}, {}]", value(rng, depth - 1), value(rng, depth - 1)),
        4 => format!("{{a: {}}}", value(rng, depth - 1)),
        _ => format!("toString({})", value(rng, depth - 1)),
    }
}

fn step(rng: &mut Rng) -> &'static str {
    let steps = [
        "x + x",
        "x + i",
        "[x]",
        "[x, x]",
        "{a: x, b: x}",
        "replace(x, 'a', 'aaaa')",
        "replace(x, 'a', x)",
        "[y IN x | [y, y]]",
        "reduce(z = x, y IN range(1, 3) | z + x)",
        "CASE WHEN i > 2 THEN x + x ELSE x END",
        "coalesce(x, i) + x",
        "reverse(x) + tail(x)",
        "toString(x) + toString(x)",
        "x + [n IN x | n] + [x]",
    ];
    steps[rng.usize(..steps.len())]
}
