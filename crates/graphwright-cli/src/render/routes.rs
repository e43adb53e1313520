//! Formats routes for people.

use std::fmt::Write;

use graphwright::{Route, RouteCall, RoutePattern, RouteVerdict};

use super::{Table, count, shorten};

/// Maximum length of a question or a call on one line, in characters.
const LINE: usize = 100;

/// Formats which tools answer which kind of question, one pattern on each line.
pub(crate) fn patterns_text(patterns: &[RoutePattern]) -> String {
    let mut shown =
        Table::new(["Kind of question", "Tools", "Runs", "Success", "Steps", "Tokens", "Cost", "Seconds"]);
    for pattern in patterns {
        shown.add_row([
            shorten(&pattern.kind, LINE),
            sequence(pattern.tools.iter().map(String::as_str)),
            pattern.runs.to_string(),
            format!("{:.0} %", pattern.success * 100.0),
            format!("{:.1}", pattern.mean_steps),
            format!("{:.0}", pattern.mean_tokens),
            dollars(pattern.mean_cost),
            format!("{:.1}", pattern.mean_seconds),
        ]);
    }
    format!(
        "{shown}\nSteps, tokens, cost and seconds are averages of a run; `routes list` shows single runs.\n"
    )
}

/// Formats runs, one on each line.
pub(crate) fn routes_text(routes: &[&Route]) -> String {
    let mut shown = Table::new(["Run", "When (UTC)", "Outcome", "Tools", "Question"]);
    for route in routes {
        shown.add_row([
            route.id.clone(),
            route.at.strftime("%Y-%m-%d %H:%M").to_string(),
            outcome(route),
            sequence(route.tools()),
            shorten(&route.question, LINE),
        ]);
    }
    format!("{shown}\n")
}

/// Formats everything about one run.
pub(crate) fn route_text(route: &Route) -> String {
    let mut text = format!("Run {}, {} UTC\n\n", route.id, route.at.strftime("%Y-%m-%d %H:%M:%S"));
    let names: Vec<_> = route.links.iter().map(|link| format!("{} ({})", link.name, link.kind)).collect();
    let found = &route.result;
    let result = [(found.entities, "entity"), (found.paths, "path"), (found.passages, "passage")];
    let result: Vec<_> = result.into_iter().map(|(number, what)| count(number, what)).collect();
    let lines = [
        ("Question", route.question.clone()),
        ("Asked as", route.asked_as.clone().unwrap_or_default()),
        ("Kind", route.kind.clone()),
        ("Names", names.join(", ")),
        ("Outcome", outcome(route)),
        ("Followed", route.follows.as_ref().map(|id| format!("{id}, without a model")).unwrap_or_default()),
        ("Offered", route.offered.clone().unwrap_or_default()),
        ("Reason", route.reason.clone().unwrap_or_default()),
        ("Answer", found.answer.replace('\n', "\n          ")),
        ("Result", result.join(", ")),
        ("Evidence", route.evidence.join("\n          ")),
        ("Cypher", route.cypher.join("\n          ")),
        ("Took", took(route)),
        ("Store", format!("version {}", route.store_version)),
    ];
    for (name, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "{name:<9} {value}");
    }
    if !route.calls.is_empty() {
        text.push('\n');
    }
    for (number, call) in (1..).zip(&route.calls) {
        let arguments = shorten(&call.arguments.to_string(), LINE);
        let _ = writeln!(text, "{number}. {} {arguments}: {}", call.tool, came_out(call));
    }
    text
}

fn outcome(route: &Route) -> String {
    let outcome = route.outcome.as_str().replace('_', " ");
    match route.verdict.map(RouteVerdict::as_str) {
        Some(verdict) => format!("{outcome}, {verdict}"),
        None => outcome,
    }
}

fn took(route: &Route) -> String {
    let usage = &route.usage;
    let seconds = route.elapsed_ms as f64 / 1000.0;
    if route.follows.is_some() {
        return format!("no model, {seconds:.1} s");
    }
    format!(
        "{}, {} of {}, {}, {}, {seconds:.1} s",
        count(route.steps, "step"),
        count(usage.requests as usize, "call"),
        route.model,
        count(usage.tokens() as usize, "token"),
        usage.cost.map_or_else(|| "price not known".to_owned(), |cost| dollars(Some(cost)))
    )
}

fn came_out(call: &RouteCall) -> String {
    let size = match call.rows {
        Some(rows) => count(rows, "row"),
        None => count(call.characters, "character"),
    };
    let how = if call.failed { "failed, " } else { "" };
    let cited = if call.cited { ", cited" } else { "" };
    format!("{how}{size}{cited}")
}

fn dollars(cost: Option<f64>) -> String {
    cost.map_or_else(|| "?".to_owned(), |dollars| format!("${dollars:.4}"))
}

/// Formats a sequence of tools, such as `lookup_entity ×2 → run_cypher`.
fn sequence<'a>(tools: impl Iterator<Item = &'a str>) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for tool in tools {
        match runs.last_mut() {
            Some((last, times)) if *last == tool => *times += 1,
            _ => runs.push((tool, 1)),
        }
    }
    let told = runs.iter().map(|(tool, times)| match times {
        1 => (*tool).to_owned(),
        _ => format!("{tool} ×{times}"),
    });
    let told: Vec<_> = told.collect();
    if told.is_empty() { "none".to_owned() } else { told.join(" → ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_is_told_whole() {
        let route: Route = serde_json::from_value(json!({
            "id": "4f0c2a91d3", "at": "2024-05-01T10:00:00Z", "question": "Who owns it?", "asked_as": "Who owns ledger?",
            "kind": "who owns <Service>", "links": [{"id": "s1", "name": "ledger", "type": "Service", "score": 1.0}],
            "calls": [
                {"tool": "run_cypher", "arguments": {"query": "MATCH"}, "failed": true, "characters": 90},
                {"tool": "run_cypher", "arguments": {"query": "RETURN 1"}, "characters": 9, "rows": 1, "cited": true},
                {"tool": "search", "arguments": {"query": "x"}, "characters": 1},
            ],
            "cypher": ["RETURN 1"], "evidence": ["Team -[OWNS]-> Service"], "outcome": "not_in_graph", "verdict": "wrong",
            "result": {"answer": "Not in the graph.\nNothing says it.", "entities": 0, "paths": 1, "passages": 2},
            "steps": 3, "usage": {"requests": 4, "input_tokens": 1000, "cached_tokens": 0, "output_tokens": 50, "reasoning_tokens": 0, "cost": 0.00123},
            "elapsed_ms": 2340, "model": "openai/gpt-4o-mini", "store_version": "7",
        }))
        .unwrap();
        insta::assert_snapshot!(route_text(&route));
        assert_eq!(sequence(route.tools()), "run_cypher ×2 → search");
        assert_eq!(sequence([].into_iter()), "none");
        insta::assert_snapshot!("patterns", patterns_text(&RoutePattern::from_routes([&route])));
    }
}
