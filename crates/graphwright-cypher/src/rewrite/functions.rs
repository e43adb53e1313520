//! Functions that the engine lacks, calls otherwise or computes otherwise.

use std::ops::Range;

use super::{Pass, Result, RewriteError, projection::split};
use crate::{edit::Edits, lexer::TokenKind, source::Source};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    // The innermost call comes first, so that arguments that are written twice need no second look.
    for open in (0..source.len()).rev().filter(|&index| source.is_symbol(index, "(")) {
        let Some((name, start)) = called(source, open) else { continue };
        let arguments: Vec<&str> =
            split(source, open + 1..source.partner(open)).iter().map(|range| source.text_of(range)).collect();
        refuse_unknown(source, &name, start..open)?;
        let changed =
            replacement(&name, &arguments).or_else(|| end_as_value(source, &name, open, &arguments));
        if let Some(changed) = changed {
            edits.replace(source.span_of(&(start..source.partner(open) + 1)), changed);
            return Ok(edits);
        }
    }
    Ok(edits)
}

/// The function that parentheses belong to, in lower case, and where its name begins.
fn called(source: &Source<'_>, open: usize) -> Option<(String, usize)> {
    let mut start = open.checked_sub(1).filter(|&name| source.is_name(name))?;
    while start >= 2 && source.is_symbol(start - 1, ".") && source.is_name(start - 2) {
        start -= 2;
    }
    // A name in back-ticks is the engine's own.
    if source.kind(open - 1) == Some(TokenKind::QuotedName) {
        return None;
    }
    let is_procedure = source.before(start, |before| source.is_word(before, "CALL"));
    let name: String = (start..open)
        .filter_map(|index| if source.is_symbol(index, ".") { Some(".".into()) } else { source.name(index) })
        .collect();
    (!is_procedure).then(|| (name.to_lowercase(), start))
}

fn replacement(name: &str, arguments: &[&str]) -> Option<String> {
    Some(match (name, arguments) {
        ("percentilecont", [value, share]) => format!("percentile_cont({value}, {share})"),
        // The engine gives a float; the value itself is wanted.
        ("percentiledisc", [value, share]) => {
            let found = format!("percentile_disc({value}, {share})");
            format!("head([_gw_v IN collect({value}) WHERE _gw_v = {found}])")
        }
        // One value or none gives null.
        ("stdev", [value]) => format!("coalesce(`stDev`({value}), 0.0)"),
        ("stdevp", [value]) => format!(
            "CASE WHEN count({value}) < 2 THEN 0.0 ELSE `stDev`({value}) * sqrt((count({value}) - 1.0) / count({value})) END"
        ),
        (name, _) if let Some(kind) = clock(name) => format!("{kind}({})", arguments.join(", ")),
        ("timestamp", []) => "datetime().epochMillis".to_owned(),
        ("e", []) => "exp(1)".to_owned(),
        ("tostringornull", [value]) => format!("toString({value})"),
        ("tointegerornull", [value]) => format!("toInteger({value})"),
        ("tofloatornull", [value]) => format!("toFloat({value})"),
        ("tostringlist", [list]) => format!("[_gw_v IN {list} | toString(_gw_v)]"),
        ("tointegerlist", [list]) => format!("[_gw_v IN {list} | toInteger(_gw_v)]"),
        ("tofloatlist", [list]) => format!("[_gw_v IN {list} | toFloat(_gw_v)]"),
        ("isempty", [value]) => format!("(size({value}) = 0)"),
        ("nullif", [left, right]) => format!("CASE WHEN {left} = {right} THEN null ELSE {left} END"),
        ("char_length" | "character_length", [value]) => format!("size({value})"),
        ("datetime.fromepochmillis", [value]) => {
            format!("(datetime('1970-01-01T00:00:00Z') + duration({{milliseconds: {value}}}))")
        }
        ("datetime.fromepoch", [seconds, nanoseconds]) => format!(
            "(datetime('1970-01-01T00:00:00Z') + duration({{seconds: {seconds}, nanoseconds: {nanoseconds}}}))"
        ),
        ("datetime", [map]) => from_epoch(map)?,
        ("vector.similarity.cosine", [left, right]) => {
            let sum = |product: String| {
                format!("reduce(_gw_s = 0.0, _gw_i IN range(0, size({left}) - 1) | _gw_s + {product})")
            };
            let dot = sum(format!("({left})[_gw_i] * ({right})[_gw_i]"));
            let square = |value: &str| sum(format!("({value})[_gw_i] * ({value})[_gw_i]"));
            format!("((1.0 + {dot} / (sqrt({}) * sqrt({}))) / 2.0)", square(left), square(right))
        }
        ("vector.similarity.euclidean", [left, right]) => {
            let difference = format!("(({left})[_gw_i] - ({right})[_gw_i])");
            format!(
                "(1.0 / (1.0 + reduce(_gw_s = 0.0, _gw_i IN range(0, size({left}) - 1) | _gw_s + {difference} * {difference})))"
            )
        }
        // The engine counts days alone; Cypher counts months, then days, then seconds.
        ("duration.between", [from, to]) => {
            let months = format!("duration.inMonths({from}, {to})");
            let days = format!("duration.inDays({from} + {months}, {to})");
            format!("({months} + {days} + duration.inSeconds({from} + {months} + {days}, {to}))")
        }
        _ => return None,
    })
}

/// `date.statement()` and its like: the engine has one clock.
fn clock(name: &str) -> Option<&str> {
    let (kind, clock) = name.split_once('.')?;
    let temporal = ["date", "datetime", "localdatetime", "time", "localtime"].contains(&kind);
    (temporal && ["transaction", "statement", "realtime"].contains(&clock)).then_some(kind)
}

/// Functions with a namespace are the temporal and spatial ones; others belong to libraries of Neo4j.
fn refuse_unknown(source: &Source<'_>, name: &str, tokens: Range<usize>) -> Result<()> {
    const NAMESPACES: [&str; 8] =
        ["date", "datetime", "localdatetime", "time", "localtime", "duration", "point", "vector"];
    match name.split_once('.') {
        Some((namespace, _)) if !NAMESPACES.contains(&namespace) => {
            let construct = format!("the function {}", source.text_of(&tokens));
            Err(RewriteError::unsupported(
                construct,
                "use a function of standard Cypher",
                source.span_of(&tokens),
            ))
        }
        _ => Ok(()),
    }
}

/// `startNode(r)` as a value: the engine gives the node's name in its place, but the whole node in a comprehension.
fn end_as_value(source: &Source<'_>, name: &str, open: usize, arguments: &[&str]) -> Option<String> {
    const READERS: [&str; 6] = ["labels", "id", "elementId", "properties", "keys", "count"];
    let close = source.partner(open);
    let compares = |index: usize| source.is_any_symbol(index, &["=", "<>"]) || source.is_word(index, "IN");
    let is_read = source.is_any_symbol(close + 1, &[".", ":", "["])
        || compares(close + 1)
        || open.checked_sub(2).is_some_and(compares)
        || open.checked_sub(3).is_some_and(|reader| source.is_any_word(reader, &READERS));
    let [relationship] = arguments else { return None };
    if is_read || close != open + 2 {
        return None;
    }
    let pattern = match name {
        "startnode" => format!("(_gw_e)-[{relationship}]->()"),
        "endnode" => format!("()-[{relationship}]->(_gw_e)"),
        _ => return None,
    };
    Some(format!("CASE WHEN {relationship} IS NULL THEN null ELSE [{pattern} | _gw_e][0] END"))
}

/// `datetime({epochMillis: x})` and `datetime({epochSeconds: x})`.
fn from_epoch(map: &str) -> Option<String> {
    let inner = map.strip_prefix('{')?.strip_suffix('}')?;
    let (key, value) = inner.split_once(':')?;
    let unit = match key.trim().to_lowercase().as_str() {
        "epochmillis" => "milliseconds",
        "epochseconds" => "seconds",
        _ => return None,
    };
    let value = value.trim();
    (!value.contains(','))
        .then(|| format!("(datetime('1970-01-01T00:00:00Z') + duration({{{unit}: {value}}}))"))
}

/// The calls of aggregate functions within a range, outermost only.
pub(super) fn aggregate_calls(source: &Source<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut calls = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if super::projection::is_aggregate_call(source, at) {
            let end = source.partner(at + 1) + 1;
            calls.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    calls
}
