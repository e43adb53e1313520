//! Settles open proposals: by names that leave no doubt, then by asking a model.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use graphwright_core::{GraphStore, NodeKey, text::quotable};
use graphwright_llm::{ChatModel, ChatRequest, LlmError, OutputFormat, Usage};
use serde_json::{Value as Json, json};

use super::{Merged, Review, Suggestion, compare::TYPE_WORDS, suggest::open_suggestions};
use crate::{IngestError, Result, ledger::Ledger};

const PROMPT: &str = include_str!("prompt.txt");

/// Number of pairs in a request.
const BATCH: usize = 30;
/// Number of requests of a run. The most alike pairs come first; the others stay open.
const MOST_REQUESTS: usize = 4;
/// Number of facts that the model sees of each entity.
const FACTS: usize = 4;

/// What came of the proposals.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settled {
    pub(crate) merged: Vec<Merged>,
    pub(crate) rejected: u64,
    pub(crate) usage: Usage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Different,
}

/// Merges entities whose names differ only in words that name their type, and asks the model about the others. Every
/// merge can be undone, and is then not made again.
///
/// # Errors
/// If the store fails. A model that fails leaves its pairs open.
pub(crate) async fn settle(
    store: &Arc<dyn GraphStore>,
    ledger: &mut Ledger,
    model: &dyn ChatModel,
) -> Result<Settled> {
    let review = Review::new(Arc::clone(store));
    let mut settled = Settled::default();
    let mut open = Vec::new();
    for pair in open_suggestions(store.as_ref()).await? {
        if pair.reason == TYPE_WORDS {
            settled.merged.extend(merge(&review, ledger, &pair, "name").await?);
        } else {
            open.push(pair);
        }
    }
    for batch in open.chunks(BATCH).take(MOST_REQUESTS) {
        let reply = match model.chat(request(batch, ledger)).await {
            Ok(reply) => reply,
            Err(LlmError::Cancelled) => return Err(IngestError::Cancelled),
            Err(error) => {
                tracing::warn!("pairs of names stay open: {error}");
                break;
            }
        };
        settled.usage += reply.usage;
        for (number, verdict) in verdicts(&reply.text()) {
            let Some(pair) = number.checked_sub(1).and_then(|index| batch.get(index)) else { continue };
            if verdict == Verdict::Same {
                settled.merged.extend(merge(&review, ledger, pair, "model").await?);
            } else {
                review.reject(pair).await?;
                settled.rejected += 1;
            }
        }
    }
    Ok(settled)
}

/// Merges a pair, unless what was merged before made it one already. Returns the merge, if there is one.
async fn merge(review: &Review, ledger: &mut Ledger, pair: &Suggestion, by: &str) -> Result<Option<Merged>> {
    let key = |id: &str| NodeKey::new(pair.label.as_str(), id);
    let (kept, merged) = (key(&pair.kept), key(&pair.merged));
    let (kept, merged) = (ledger.canonical(&kept).clone(), ledger.canonical(&merged).clone());
    if kept == merged {
        return Ok(None);
    }
    match review.merge_in(ledger, &kept, &merged, Some(by)).await {
        Ok(merged) => Ok(Some(merged)),
        // It has relationships that no document states; a person may decide.
        Err(IngestError::Merge { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn request(pairs: &[Suggestion], ledger: &Ledger) -> ChatRequest {
    let mut text = String::new();
    for (index, pair) in pairs.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", index + 1, pair.label);
        for id in [&pair.kept, &pair.merged] {
            let key = NodeKey::new(pair.label.as_str(), id.as_str());
            let _ = writeln!(text, "- {}", line(&ledger.name_of(&key)));
            let name = ledger.name_of(&key);
            let others = ledger.names_of(&key).into_iter().filter(|other| *other != name);
            let others: Vec<String> = others.take(FACTS).map(|other| line(&other)).collect();
            if !others.is_empty() {
                let _ = writeln!(text, "  also: {}", others.join(", "));
            }
            for fact in ledger.facts_of(&key, FACTS) {
                let _ = writeln!(text, "  {}", line(&fact));
            }
        }
    }
    let verdict = json!({"type": "string", "enum": ["same", "different", "unsure"]});
    let object = |properties: Json, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let pair = object(json!({"number": {"type": "integer"}, "verdict": verdict}), &["number", "verdict"]);
    let schema = object(json!({"pairs": {"type": "array", "items": pair}}), &["pairs"]);
    let output = OutputFormat::LenientJsonSchema { name: "pairs".to_owned(), schema };
    ChatRequest { output, temperature: Some(0.0), max_tokens: Some(2_048), ..ChatRequest::new(PROMPT, text) }
}

fn line(text: &str) -> String {
    quotable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the verdicts that settle something, by number. The last of several on one pair counts.
fn verdicts(reply: &str) -> BTreeMap<usize, Verdict> {
    let mut found = BTreeMap::new();
    for parsed in graphwright_llm::read_json(reply) {
        let list = parsed.value.get("pairs").unwrap_or(&parsed.value);
        for item in list.as_array().into_iter().flatten() {
            let number = item
                .get("number")
                .and_then(|number| number.as_u64().or_else(|| number.as_str()?.trim().parse().ok()));
            let verdict = item.get("verdict").and_then(Json::as_str).map(str::to_lowercase);
            let (Some(number), Some(verdict)) = (number, verdict) else { continue };
            let number = usize::try_from(number).unwrap_or_default();
            match verdict.as_str() {
                "same" => drop(found.insert(number, Verdict::Same)),
                "different" => drop(found.insert(number, Verdict::Different)),
                _ => drop(found.remove(&number)),
            }
        }
    }
    found
}
