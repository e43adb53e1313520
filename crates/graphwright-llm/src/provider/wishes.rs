//! The parts of a request that are wishes: temperature, seed and effort.
//!
//! What a model does not take is left out, since the provider would refuse the whole request.

use crate::{ChatRequest, Content, ModelName, Provider, ReasoningEffort, ToolChoice};

/// The families of OpenAI's models that reason, and so take no temperature.
const REASONING_FAMILIES: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The families of Anthropic's models that still take a temperature. Newer ones refuse it.
const WITH_TEMPERATURE: [&str; 7] = [
    "claude-3",
    "claude-haiku-4",
    "claude-sonnet-4",
    "claude-opus-4-1",
    "claude-opus-4-2",
    "claude-opus-4-5",
    "claude-opus-4-6",
];

/// The wishes of a request that its model takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wishes {
    pub(super) temperature: Option<f64>,
    pub(super) seed: Option<u64>,
    pub(super) effort: Option<ReasoningEffort>,
}

impl Wishes {
    pub(super) fn new(name: &ModelName, request: &ChatRequest) -> Self {
        let ChatRequest { temperature, seed, reasoning_effort: effort, .. } = *request;
        let all = Self { temperature, seed, effort };
        match name.provider {
            Provider::OpenAi | Provider::Azure => {
                Self { temperature: temperature.filter(|_| !reasons(name)), ..all }
            }
            // Responses has no seed.
            Provider::OpenAiResponses => {
                Self { temperature: temperature.filter(|_| !reasons(name)), seed: None, ..all }
            }
            Provider::Anthropic => {
                let effort = effort.filter(|effort| anthropic_can_think(*effort, request));
                let takes = effort.is_none() && is_of(name, &WITH_TEMPERATURE);
                Self { temperature: temperature.filter(|_| takes), seed: None, effort }
            }
            Provider::Gemini | Provider::Ollama | Provider::OpenAiCompatible => all,
        }
    }
}

fn reasons(name: &ModelName) -> bool {
    is_of(name, &REASONING_FAMILIES)
}

fn is_of(name: &ModelName, families: &[&str]) -> bool {
    families.iter().any(|family| name.model.starts_with(family))
}

/// Returns whether a request keeps Anthropic's rules for extended thinking.
///
/// They are: no forced tool, no earlier tool calls without their thoughts (which we do not keep),
/// and a limit of tokens above what the thoughts may take.
/// <https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking>
fn anthropic_can_think(effort: ReasoningEffort, request: &ChatRequest) -> bool {
    // The tokens that the client library grants for thoughts at each effort.
    let thoughts = match effort {
        ReasoningEffort::Minimal => return false,
        ReasoningEffort::Low => 1_024,
        ReasoningEffort::Medium => 8_000,
        ReasoningEffort::High => 24_000,
    };
    let forced = matches!(request.tool_choice, ToolChoice::Required | ToolChoice::Tool(_));
    let parts = request.messages.iter().flat_map(|message| &message.content);
    let called = parts.into_iter().any(|part| matches!(part, Content::ToolCall(_)));
    !forced && !called && request.max_tokens.is_none_or(|limit| limit > thoughts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> ChatRequest {
        let effort = Some(ReasoningEffort::Low);
        let base = ChatRequest::new("", "Why?");
        ChatRequest { temperature: Some(0.0), seed: Some(1), reasoning_effort: effort, ..base }
    }

    fn kept(name: &str, request: &ChatRequest) -> (bool, bool, bool) {
        let wishes = Wishes::new(&name.parse().unwrap(), request);
        (wishes.temperature.is_some(), wishes.seed.is_some(), wishes.effort.is_some())
    }

    #[test]
    fn only_what_the_model_takes_is_kept() {
        assert_eq!(kept("openai/gpt-4o", &request()), (true, true, true));
        assert_eq!(kept("openai/gpt-5-mini", &request()), (false, true, true));
        assert_eq!(kept("openai-responses/o3", &request()), (false, false, true));
        assert_eq!(kept("ollama/qwen3", &request()), (true, true, true));
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &request()), (false, false, true));
        let short = ChatRequest { max_tokens: Some(500), ..request() };
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &short), (true, false, false));
        assert_eq!(kept("anthropic/claude-sonnet-5", &short), (false, false, false));
        let forced = ChatRequest { tool_choice: ToolChoice::Required, ..request() };
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &forced), (true, false, false));
    }
}
