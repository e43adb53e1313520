//! Answer relevancy, as RAGAS defines it.
//!
//! Es, James, Espinosa-Anke, Schockaert, "RAGAS: Automated Evaluation of Retrieval Augmented Generation" (2023,
//! arXiv:2309.15217), section 3: a judge writes questions from the answer alone; the relevancy is the mean cosine between their
//! vectors and that of the question. As in its program, an answer that commits to nothing has 0.

use std::sync::Arc;

use graphwright_llm::{ChatModel, ChatRequest, Embedder, LlmError, OutputFormat, cosine, find_json};
use serde_json::{Value, json};

/// A model that writes questions from answers, and the embedder that compares them.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// The embedder.
    pub embedder: Arc<dyn Embedder>,
}

/// Measures how relevant an answer is to a question, from 0 to 1 (a cosine below 0 counts as it is).
///
/// # Errors
/// Fails as model and embedder do, and if the reply of the judge cannot be read.
pub(super) async fn relevancy(
    judge: &dyn ChatModel,
    embedder: &dyn Embedder,
    question: &str,
    answer: &str,
) -> Result<f64, LlmError> {
    let mut request =
        ChatRequest::new(include_str!("../../prompts/relevancy.md"), format!("Answer:\n{answer}\n"));
    request.temperature = Some(0.0);
    request.output = OutputFormat::LenientJsonSchema { name: "questions".to_owned(), schema: schema() };
    let reply = judge.chat(request).await?.text();
    let (questions, is_noncommittal) = read(&reply).ok_or_else(|| LlmError::BadReply {
        model: judge.name().to_owned(),
        message: "it holds no questions".to_owned(),
    })?;
    if is_noncommittal {
        return Ok(0.0);
    }
    let texts: Vec<String> = std::iter::once(question.to_owned()).chain(questions).collect();
    let vectors = embedder.embed(&texts).await?;
    let [asked, written @ ..] = vectors.as_slice() else { return Ok(0.0) };
    let sum: f64 = written.iter().map(|vector| f64::from(cosine(asked, vector))).sum();
    Ok(sum / written.len().max(1) as f64)
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "questions": {"type": "array", "items": {"type": "string"}},
            "noncommittal": {"type": "boolean"},
        },
        "required": ["questions", "noncommittal"],
        "additionalProperties": false,
    })
}

fn read(reply: &str) -> Option<(Vec<String>, bool)> {
    let json = find_json(reply)?;
    let questions: Vec<String> =
        json["questions"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let is_noncommittal = json["noncommittal"].as_bool().or_else(|| Some(json["noncommittal"].as_u64()? > 0));
    (!questions.is_empty()).then_some((questions, is_noncommittal.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use graphwright_llm::{BuiltinEmbedder, ScriptedModel};

    use super::*;

    async fn measured(reply: &str) -> Result<f64, LlmError> {
        let judge = ScriptedModel::replies([reply]);
        relevancy(&judge, &BuiltinEmbedder::new(), "Who directed Salt and Iron?", "Claire Dumont [2].").await
    }

    #[tokio::test]
    async fn questions_near_to_the_one_that_was_asked_are_relevant() {
        let same = r#"{"questions": ["Who directed Salt and Iron?"], "noncommittal": false}"#;
        let near =
            r#"{"questions": ["Who directed Salt and Iron?", "Who made the film?"], "noncommittal": 0}"#;
        let far = "```json\n{\"questions\": [\"How is bread baked?\"], \"noncommittal\": false}\n```";
        let (same, near, far) =
            (measured(same).await.unwrap(), measured(near).await.unwrap(), measured(far).await.unwrap());
        assert!((same - 1.0).abs() < 1e-6, "{same}");
        assert!(far < near && near < same, "{far} {near}");
    }

    #[tokio::test]
    async fn what_commits_to_nothing_is_not_relevant() {
        let evasive = r#"{"questions": ["Who directed Salt and Iron?"], "noncommittal": true}"#;
        assert!(measured(evasive).await.unwrap().abs() < 1e-9);
        assert!(measured("I cannot say.").await.unwrap_err().to_string().contains("it holds no questions"));
    }
}
