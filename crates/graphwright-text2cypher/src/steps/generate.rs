//! Generate: the model writes a query.

use std::fmt::Write;

use graphwright_llm::{ChatRequest, Message};
use graphwright_retrieve::{one_item, value_json};

use crate::{
    error::Result,
    event::{Draft, Prepared, Written},
    session::Session,
};

const INSTRUCTIONS: &str = include_str!("../../prompts/generate.md");
const SEVERAL: &str = include_str!("../../prompts/several.md");

/// Lets the model write a query, in the light of what was wrong with those before. `may_split` says whether it may reply that one query
/// cannot answer.
pub(crate) async fn generate(session: &Session, draft: Draft, may_split: bool) -> Result<Written> {
    let instructions = if may_split { format!("{INSTRUCTIONS}{SEVERAL}") } else { INSTRUCTIONS.to_owned() };
    let mut request = ChatRequest::new(instructions, prompt(&draft.prepared));
    for attempt in &draft.attempts {
        request.messages.push(Message::assistant(attempt.reply.clone()));
        request.messages.push(Message::user(attempt.fault.clone()));
    }
    let what = if draft.attempts.is_empty() { "for a query" } else { "for a better query" };
    let reply = session.chat(what, request).await?;
    Ok(Written { draft, reply })
}

fn prompt(prepared: &Prepared) -> String {
    let Prepared { asked, schema, values, examples } = prepared;
    let mut prompt = format!("Schema:\n{}\n", schema.text);
    if !schema.is_whole {
        prompt.push_str(
            "This is a part of the schema. Write MISSING: if it lacks something, and more is shown.\n",
        );
    }
    if !values.is_empty() {
        prompt.push_str("Values that the question may mean:\n");
        for value in values {
            let _ = writeln!(prompt, "- {}", one_item(value));
        }
        prompt.push('\n');
    }
    if !examples.is_empty() {
        prompt.push_str("Questions like it, with queries that answered them:\n");
        for example in examples {
            let (question, cypher) = (one_item(&example.question), one_item(&example.cypher));
            let _ = writeln!(prompt, "- {question}\n  {cypher}");
        }
        prompt.push('\n');
    }
    if !asked.bound.is_empty() {
        prompt.push_str(
            "Results of earlier queries, given to this one as parameters; compare with them by IN:\n",
        );
        for bound in &asked.bound {
            let values: Vec<_> = bound.values.iter().map(value_json).collect();
            let values = serde_json::Value::from(values);
            let line = format!("${}: the {} = {values}", bound.name, bound.meaning);
            let _ = writeln!(prompt, "- {}", one_item(&line));
        }
        prompt.push('\n');
    }
    let _ = writeln!(prompt, "Question: {}", asked.question);
    prompt
}
