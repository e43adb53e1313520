//! Rewrites questions that refer back to a conversation.

use graphwright_llm::{ChatModel, ChatRequest, LlmError, Usage, without_thoughts};

/// Lets a model rewrite a question so that it can be understood without the conversation before it. Returns `None` in place of the text
/// if the question stands alone already.
///
/// # Errors
/// Fails as the model does.
pub async fn stand_alone(
    model: &dyn ChatModel,
    conversation: &str,
    question: &str,
) -> Result<(Option<String>, Usage), LlmError> {
    let told = format!("{conversation}\nQuestion: {question}\n");
    let mut request = ChatRequest::new(include_str!("../prompts/stand_alone.md"), told);
    request.temperature = Some(0.0);
    let reply = model.chat(request).await?;
    let text = reply.text();
    let rewritten = without_thoughts(&text).trim().trim_start_matches("Question:").trim();
    let is_new = !rewritten.is_empty() && rewritten != question.trim();
    Ok((is_new.then(|| rewritten.to_owned()), reply.usage))
}
