//! Rewriting questions that refer back to the conversation.

use graphwright_llm::{ChatModel, ChatRequest, LlmError, Message, Usage, without_thoughts};

use super::window::transcript;

/// Rewrites a question so that it can be understood without the conversation. Returns `None` in
/// place of the text if the question stands alone already.
pub(super) async fn stand_alone(
    model: &dyn ChatModel,
    conversation: &[Message],
    question: &str,
) -> Result<(Option<String>, Usage), LlmError> {
    let told = format!("{}\nQuestion: {question}\n", transcript(conversation));
    let mut request = ChatRequest::new(include_str!("../../prompts/stand_alone.md"), told);
    request.temperature = Some(0.0);
    let reply = model.chat(request).await?;
    let text = reply.text();
    let rewritten = without_thoughts(&text).trim().trim_start_matches("Question:").trim();
    let is_new = !rewritten.is_empty() && rewritten != question.trim();
    Ok((is_new.then(|| rewritten.to_owned()), reply.usage))
}
