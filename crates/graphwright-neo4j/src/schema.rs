//! Describes what is in the graph, from the server's counts and from samples.
//!
//! No library on the server is needed.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{
    GraphSchema, Record, Result, StoreError, Value,
    schema::{ElementSchema, Observer, Pattern},
    store::SchemaOptions,
};
use neo4j::ValueSend;

use crate::{
    call::Call,
    index::{self, quoted},
    scan,
    server::Server,
    values::Parameters,
    vectors::VectorNames,
};

/// The most relationships of a type that are read one by one to see which labels they connect.
const EXACT: u64 = 20_000;
/// The number of counts that are asked for in one statement.
const COUNTS: usize = 50;

/// Describes the graph.
pub(crate) fn describe(server: &Server, call: &Call, options: &SchemaOptions) -> Result<GraphSchema> {
    let labels = names(server, call, "CALL db.labels() YIELD label RETURN label")?;
    let labels: Vec<_> = labels.into_iter().filter(|label| options.labels.includes(label)).collect();
    let kinds =
        names(server, call, "CALL db.relationshipTypes() YIELD relationshipType AS name RETURN name")?;
    let kinds: Vec<_> = kinds.into_iter().filter(|kind| options.relationship_types.includes(kind)).collect();
    let label_counts = counts(server, call, labels.iter().map(|label| node_pattern(label)))?;
    let kind_counts = counts(server, call, kinds.iter().map(|kind| relationship_pattern("", kind, "")))?;
    let used = |names: Vec<String>, counts: Vec<u64>| -> Vec<(String, u64)> {
        names.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect()
    };
    let vectors = VectorNames::load(server, call)?;
    let (labels, kinds) = (used(labels, label_counts), used(kinds, kind_counts));
    let elements =
        |named: &[(String, u64)], pattern: fn(&str) -> Result<String>| -> Result<Vec<ElementSchema>> {
            let elements = named.iter().map(|(name, count)| {
                let seen = sample(server, call, &pattern(name)?, &vectors, options)?.with_count(*count);
                Ok(seen.into_schema(name.clone(), options))
            });
            Ok(ElementSchema::sorted(elements.collect::<Result<_>>()?))
        };
    let constraints = index::list_constraints(server, call)?;
    Ok(GraphSchema {
        labels: elements(&labels, |label| Ok(format!("(x:{})", quoted(label)?)))?,
        relationship_types: elements(&kinds, |kind| Ok(format!("()-[x:{}]->()", quoted(kind)?)))?,
        patterns: patterns(server, call, &labels, &kinds)?,
        indexes: index::list(server, call)?,
        constraints: constraints
            .into_iter()
            .filter(|constraint| options.labels.includes(&constraint.label))
            .collect(),
    })
}

fn names(server: &Server, call: &Call, text: &str) -> Result<Vec<String>> {
    let rows = server.rows(call, text, &Parameters::new())?;
    Ok(rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned)).collect())
}

/// Counts the matches of each pattern with `x`. The server has these numbers without looking at the
/// data.
fn counts(
    server: &Server,
    call: &Call,
    patterns: impl IntoIterator<Item = Result<String>>,
) -> Result<Vec<u64>> {
    let patterns: Vec<String> = patterns.into_iter().collect::<Result<_>>()?;
    let mut counts = vec![0; patterns.len()];
    for (chunk, found) in patterns.chunks(COUNTS).zip(counts.chunks_mut(COUNTS)) {
        let parts: Vec<_> = chunk
            .iter()
            .enumerate()
            .map(|(place, pattern)| {
                format!("MATCH {pattern} WITH count(x) AS number RETURN {place} AS place, number")
            })
            .collect();
        for row in server.rows(call, &parts.join(" UNION ALL "), &Parameters::new())? {
            if let [Value::Integer(place), Value::Integer(number)] = row.as_slice()
                && let Some(count) = usize::try_from(*place).ok().and_then(|place| found.get_mut(place))
            {
                *count = u64::try_from(*number).unwrap_or_default();
            }
        }
    }
    Ok(counts)
}

fn node_pattern(label: &str) -> Result<String> {
    Ok(format!("(x:{})", quoted(label)?))
}

/// Writes `(:from)-[x:kind]->(:to)`. An empty label stands for any node.
fn relationship_pattern(from: &str, kind: &str, to: &str) -> Result<String> {
    let end = |label: &str| {
        if label.is_empty() { Ok(String::new()) } else { quoted(label).map(|label| format!(":{label}")) }
    };
    Ok(format!("({})-[x:{}]->({})", end(from)?, quoted(kind)?, end(to)?))
}

/// Looks at the properties of some elements.
fn sample(
    server: &Server,
    call: &Call,
    pattern: &str,
    vectors: &VectorNames,
    options: &SchemaOptions,
) -> Result<Observer> {
    let mut seen = Observer::default();
    if options.sample == 0 {
        return Ok(seen);
    }
    let limit = i64::try_from(options.sample).unwrap_or(i64::MAX);
    let mut parameters = Parameters::from([("sample".to_owned(), ValueSend::Integer(limit))]);
    let properties = vectors.properties("x", &mut parameters);
    let text = format!("MATCH {pattern} WITH x LIMIT $sample RETURN {properties}");
    for row in server.rows(call, &text, &parameters)? {
        if let Some(given) = row.into_iter().next() {
            seen.observe(&scan::properties(given), options);
        }
    }
    Ok(seen)
}

/// Returns which labels each type connects.
///
/// Types of moderate size are read. Of large ones the server knows the pairs, and how often each
/// label stands at each end, of which the smaller number is taken: it is exact if one of the two
/// labels is at all of that type's ends, and too large otherwise.
fn patterns(
    server: &Server,
    call: &Call,
    labels: &[(String, u64)],
    kinds: &[(String, u64)],
) -> Result<Vec<Pattern>> {
    let selected = |label: &String| labels.iter().any(|(name, _)| name == label);
    let mut patterns = Vec::new();
    for (kind, _) in kinds.iter().filter(|(_, count)| *count <= EXACT) {
        patterns.extend(read_patterns(server, call, kind, selected)?);
    }
    let large: Vec<&str> =
        kinds.iter().filter(|(_, count)| *count > EXACT).map(|(kind, _)| kind.as_str()).collect();
    if !large.is_empty() {
        patterns.extend(known_patterns(server, call, &large, selected)?);
    }
    Pattern::sort(&mut patterns);
    Ok(patterns)
}

fn read_patterns(
    server: &Server,
    call: &Call,
    kind: &str,
    selected: impl Fn(&String) -> bool,
) -> Result<Vec<Pattern>> {
    let text = format!("MATCH (a)-[r:{}]->(b) RETURN labels(a), labels(b), count(r)", quoted(kind)?);
    let mut pairs: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in server.rows(call, &text, &Parameters::new())? {
        let [from, to, Value::Integer(number)] = row.as_slice() else { continue };
        for from in texts(from).filter(&selected) {
            for to in texts(to).filter(&selected) {
                *pairs.entry((from.clone(), to)).or_default() += u64::try_from(*number).unwrap_or_default();
            }
        }
    }
    let pattern = |((from, to), count)| Pattern { from, kind: kind.to_owned(), to, count };
    Ok(pairs.into_iter().map(pattern).collect())
}

fn known_patterns(
    server: &Server,
    call: &Call,
    kinds: &[&str],
    selected: impl Fn(&String) -> bool,
) -> Result<Vec<Pattern>> {
    let rows = server.rows(call, "CALL db.schema.visualization()", &Parameters::new())?;
    let mut triples = triples(&rows)?;
    triples.retain(|(from, kind, to)| kinds.contains(&kind.as_str()) && selected(from) && selected(to));
    let starts = triples.iter().map(|(from, kind, _)| relationship_pattern(from, kind, ""));
    let starts = counts(server, call, starts)?;
    let ends = counts(server, call, triples.iter().map(|(_, kind, to)| relationship_pattern("", kind, to)))?;
    let patterns = triples.into_iter().zip(starts.into_iter().zip(ends));
    let patterns =
        patterns.map(|((from, kind, to), (start, end))| Pattern { from, kind, to, count: start.min(end) });
    Ok(patterns.filter(|pattern| pattern.count > 0).collect())
}

/// Reads the drawing of `db.schema.visualization`.
///
/// It has a node for each label, and a relationship for each pair of labels that a type connects.
fn triples(rows: &[Record]) -> Result<Vec<(String, String, String)>> {
    let Some([Value::List(nodes), Value::List(relationships)]) = rows.first().map(Vec::as_slice) else {
        return Err(StoreError::Engine { message: "the server does not describe its schema".to_owned() });
    };
    let labels: HashMap<_, _> = nodes
        .iter()
        .filter_map(Value::as_node)
        .filter_map(|node| Some((&node.element_id, node.labels.first()?)))
        .collect();
    let triples = relationships.iter().filter_map(Value::as_relationship).filter_map(|relationship| {
        let (from, to) = (labels.get(&relationship.start)?, labels.get(&relationship.end)?);
        Some(((*from).clone(), relationship.kind.clone(), (*to).clone()))
    });
    Ok(triples.collect())
}

fn texts(value: &Value) -> impl Iterator<Item = String> {
    value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned)
}
