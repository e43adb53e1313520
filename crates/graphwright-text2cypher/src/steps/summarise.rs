//! Summarise: the rows become words, each borne out by the rows.

use graphwright_answer::{
    Answer, AnswerEntity, AnswerPath, AnswerStatus, CheckedText, Citable, Event, Judged,
};
use graphwright_core::{Value, text::shorten};
use graphwright_llm::{ChatRequest, Message, estimate_tokens, without_thoughts};
use graphwright_retrieve::{in_words, one_item, value_json};
use serde_json::Value as Json;

use crate::{
    error::Result,
    event::{Asked, Found, Outcome, Proof, Proved},
    query::meaning::meaning,
    session::Session,
};

/// The most tokens of rows that the model is shown.
const ROW_TOKENS: u64 = 6_000;
/// The longest value that is shown, in characters.
const LONGEST_VALUE: usize = 300;
/// How many rows an answer lists that no model has put into words.
const MOST_LISTED: usize = 20;

/// Rows, what proves them, and the question that they answer.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) question: String,
    pub(crate) found: Found,
    pub(crate) proof: Proof,
}

/// Makes the answer of one query.
pub(crate) async fn conclude(session: &Session, proved: Proved) -> Result<Outcome> {
    let Proved { asked, found, proof, doubt, lesson, shown } = proved;
    let source = Source { question: asked.question.clone(), found, proof };
    let outcome = summarise(session, &asked, vec![source], doubt).await?;
    // What a model says to be no answer teaches nothing.
    let is_answered = outcome.answer.status == AnswerStatus::Answered;
    let lesson = lesson.filter(|_| is_answered);
    let shown = if is_answered { shown } else { Vec::new() };
    Ok(Outcome { lesson, shown, ..outcome })
}

/// Makes the answer. The last source has its rows; those before led to it.
pub(crate) async fn summarise(
    session: &Session,
    asked: &Asked,
    sources: Vec<Source>,
    doubt: Option<String>,
) -> Result<Outcome> {
    let Some(last) = sources.last() else {
        return Ok(Outcome::without_rows(
            session.no_answer(asked, "No answer: nothing was asked.".to_owned()),
        ));
    };
    let mut answer = answer_of(session, asked, last);
    if last.found.rows.is_empty() {
        answer.answer.push_str("Nothing was found: nothing in the graph fits the query.");
    } else {
        answer.status = AnswerStatus::Answered;
        answer.answer = plain(&last.found);
        if !asked.wants_rows {
            put_into_words(session, &mut answer, asked, &sources).await;
        }
        if let Some(doubt) = doubt.filter(|_| answer.status == AnswerStatus::Answered) {
            answer.status = AnswerStatus::Partial;
            answer.answer = format!("Not fully answered: {doubt}.\n{}", answer.answer);
        }
    }
    for source in &sources {
        add_paths(&mut answer, source);
    }
    let last = last.clone();
    Ok(Outcome { found: Some(Box::new(last.found)), proof: last.proof, ..Outcome::without_rows(answer) })
}

/// The answer of rows, without words.
fn answer_of(session: &Session, asked: &Asked, source: &Source) -> Answer {
    let found = &source.found;
    let mut answer = session.no_answer(asked, String::new());
    answer.cypher = Some(found.text.clone());
    answer.entities = entities(found, &source.proof);
    answer.values = values(found);
    for change in &found.changes {
        session.note(format!("To find anything: {change}."));
    }
    if let Some(truncated) = &found.truncated {
        session.note(format!("Not all is shown: {truncated}; {}.", rows_line(found)));
    }
    answer
}

/// Lets the model put rows into words, and checks each of its statements. If that fails, the rows stand as they are.
async fn put_into_words(session: &Session, answer: &mut Answer, asked: &Asked, sources: &[Source]) {
    let evidence = evidence(sources);
    let checked = match written(session, asked, sources, &evidence).await {
        Ok(checked) => checked,
        Err(error) => {
            session.note(format!("The rows were not put into words: {error}."));
            return;
        }
    };
    for (text, fault) in checked.faults() {
        session.note(format!("Not borne out: {text:?}: {fault}."));
    }
    if checked.has_support() {
        answer.answer = checked.shown(session.options.strict);
    } else if checked.is_refusal {
        answer.status = AnswerStatus::NotInGraph;
        answer.answer = format!(
            "Not in the graph: {} finds no answer in the rows of the query.\n{}",
            session.model.name(),
            answer.answer
        );
    } else {
        session.note("The words of the model were left out: no row bears them out.".to_owned());
    }
    session.tell(Event::Token { text: answer.answer.clone() });
}

/// Asks for the words, and once more for what the rows do not bear out.
async fn written(
    session: &Session,
    asked: &Asked,
    sources: &[Source],
    evidence: &[Citable],
) -> Result<CheckedText> {
    let check = session.answerer.check(&asked.question, evidence.to_vec());
    let prompt = prompt(&asked.question, sources, evidence);
    let mut request = ChatRequest::new(include_str!("../../prompts/summarise.md"), prompt);
    let reply = session.chat("to put the rows into words", request.clone()).await?;
    let checked = taken(session, check.judge(without_thoughts(&reply)).await);
    let Some(prompt) = checked.repair_prompt().filter(|_| !checked.is_refusal) else { return Ok(checked) };
    request.messages.push(Message::assistant(checked.text.clone()));
    request.messages.push(Message::user(prompt));
    match session.chat("to write again what the rows do not bear out", request).await {
        Ok(reply) => Ok(taken(session, check.judge_repaired(checked, without_thoughts(&reply)).await)),
        Err(error) => {
            session.note(format!("What the rows do not bear out could not be written again: {error}."));
            Ok(checked)
        }
    }
}

/// Counts what the judge has cost, and tells what it left open.
fn taken(session: &Session, judged: Judged) -> CheckedText {
    session.spend(judged.usage);
    if let Some(note) = judged.note() {
        session.note(note);
    }
    judged.checked
}

/// The numbered evidence: for each query what it asks and how many rows it has, then its rows, as far as there is room.
fn evidence(sources: &[Source]) -> Vec<Citable> {
    let mut evidence = Vec::new();
    let mut left = ROW_TOKENS;
    for Source { question, found, proof } in sources {
        let text = format!("{question} {}", rows_line(found));
        evidence.push(Citable::from(text.as_str()));
        for (at, row) in found.rows.iter().enumerate() {
            let text = row_line(&found.columns, row);
            let tokens = estimate_tokens(&text);
            if tokens > left {
                break;
            }
            left -= tokens;
            let paths = proof.rows.get(at).cloned().unwrap_or_default();
            evidence.push(Citable { text, paths, failed: false });
        }
    }
    evidence
}

fn prompt(question: &str, sources: &[Source], evidence: &[Citable]) -> String {
    let mut prompt = String::new();
    for source in sources {
        prompt.push_str(&format!("Query:\n{}\n\nThe query in words:\n", source.found.text));
        for line in meaning(&source.found.text) {
            prompt.push_str(&format!("- {line}\n"));
        }
        for change in &source.found.changes {
            prompt.push_str(&format!("- To find anything: {change}.\n"));
        }
        prompt.push('\n');
    }
    prompt.push_str("Evidence:\n");
    for (at, piece) in evidence.iter().enumerate() {
        prompt.push_str(&format!("[{}] {}\n", at + 1, one_item(&piece.text)));
    }
    let rows: usize = sources.iter().map(|source| source.found.rows.len()).sum();
    let shown = evidence.len() - sources.len();
    if shown < rows {
        prompt.push_str(&format!("({} more rows are not shown)\n", rows - shown));
    }
    prompt.push_str(&format!("\nQuestion: {question}\n"));
    prompt
}

/// Says how many rows there are: `3 rows`, `the first 100 of 171 rows`.
pub(super) fn rows_line(found: &Found) -> String {
    let shown = found.rows.len();
    match (found.total, shown, &found.truncated) {
        (Some(total), _, _) if total.is_at_least => {
            format!("the first {shown} of at least {} rows", total.count)
        }
        (Some(total), _, _) => format!("the first {shown} of {} rows", total.count),
        (None, _, Some(_)) => format!("{shown} rows, and perhaps more"),
        (None, 1, None) => "1 row".to_owned(),
        (None, _, None) => format!("{shown} rows"),
    }
}

/// Writes a row on one line: `title: The Matrix; released: 1999`.
pub(super) fn row_line(columns: &[String], row: &[Value]) -> String {
    let cells = columns.iter().zip(row).map(|(column, value)| format!("{column}: {}", shown(value)));
    cells.collect::<Vec<_>>().join("; ")
}

/// Writes a value: a node by its name, what has no words as JSON.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => "(none)".to_owned(),
        Value::Node(node) => format!("{} ({})", node.display_name(), node.kind()),
        value => match in_words(value) {
            empty if empty.is_empty() => value_json(value).to_string(),
            words => words,
        },
    };
    shorten(&text, LONGEST_VALUE)
}

/// The rows as an answer that no model has put into words.
fn plain(found: &Found) -> String {
    match (found.columns.as_slice(), found.rows.as_slice()) {
        ([_], rows) if rows.len() <= MOST_LISTED => {
            let values = rows.iter().flatten().map(shown);
            values.collect::<Vec<_>>().join(", ")
        }
        (columns, rows) => {
            let lines = rows.iter().take(MOST_LISTED).map(|row| format!("- {}", row_line(columns, row)));
            let mut text = lines.collect::<Vec<_>>().join("\n");
            if rows.len() > MOST_LISTED {
                text.push_str(&format!("\n({})", rows_line(found)));
            }
            text
        }
    }
}

/// The entities of the rows: nodes, and those on the paths of a row whose name stands in it.
fn entities(found: &Found, proof: &Proof) -> Vec<AnswerEntity> {
    let mut entities: Vec<AnswerEntity> = Vec::new();
    let mut add = |id: &str, name: &str, kind: &str| {
        if !entities.iter().any(|known| known.id == id) {
            let (id, name, kind) = (id.to_owned(), name.to_owned(), kind.to_owned());
            entities.push(AnswerEntity { id, name, kind, score: 1.0 });
        }
    };
    for (at, row) in found.rows.iter().enumerate() {
        for value in row {
            if let Value::Node(node) = value {
                add(node.id(), node.display_name(), node.kind());
            }
        }
        let nodes = proof.rows.get(at).into_iter().flatten().flat_map(|path| &path.nodes);
        for node in nodes.filter(|node| row.iter().any(|value| value.as_str() == Some(node.name.as_str()))) {
            add(&node.id, &node.name, &node.kind);
        }
    }
    entities
}

/// The values of the rows: of one column each value, of several each row as a list.
fn values(found: &Found) -> Vec<Json> {
    let is_node = |row: &Vec<Value>| row.iter().all(|value| matches!(value, Value::Node(_)));
    let rows = found.rows.iter().filter(|row| !is_node(row));
    rows.map(|row| match row.as_slice() {
        [value] => value_json(value),
        row => row.iter().map(value_json).collect(),
    })
    .collect()
}

fn add_paths(answer: &mut Answer, source: &Source) {
    let paths = source.proof.rows.iter().flatten();
    for path in paths {
        if !answer.paths.iter().any(|known: &AnswerPath| known == path) {
            answer.paths.push(path.clone());
        }
    }
    answer.steps.extend(source.proof.lacking.clone());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Total;

    fn found(columns: &[&str], rows: Vec<Vec<Value>>) -> Found {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Found { columns, rows, ..Found::default() }
    }

    #[test]
    fn rows_are_listed_without_a_model() {
        assert_eq!(plain(&found(&["n"], vec![vec![38.into()]])), "38");
        let rows = vec![vec!["Tron".into(), 1982.into()], vec!["Heat".into(), Value::Null]];
        assert_eq!(
            plain(&found(&["title", "year"], rows)),
            "- title: Tron; year: 1982\n- title: Heat; year: (none)"
        );
    }

    #[test]
    fn rows_that_are_not_shown_are_counted() {
        let rows = vec![vec![1.into()], vec![2.into()]];
        let cut = Found { truncated: Some("limit".to_owned()), ..found(&["n"], rows) };
        assert_eq!(rows_line(&cut), "2 rows, and perhaps more");
        let counted = |is_at_least| Found { total: Some(Total { count: 7, is_at_least }), ..cut.clone() };
        assert_eq!(rows_line(&counted(false)), "the first 2 of 7 rows");
        assert_eq!(rows_line(&counted(true)), "the first 2 of at least 7 rows");
    }
}
