//! The parts of a request that are wishes: temperature, seed, effort, the limit of tokens.
//!
//! What a model is known not to take, or was found not to, is left out: the provider would refuse
//! the whole request. Settings go before the request.

use super::{asked::Asked, takes::EffortStep};
use crate::{Content, ModelName, Provider, ReasoningEffort, Role, ToolChoice, tokens::estimate_request};

/// The families of OpenAI's models that reason, and so take no temperature.
const REASONING_FAMILIES: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The families of OpenAI's models that do not, and so take no effort.
const UNREASONING_FAMILIES: [&str; 3] = ["gpt-3", "gpt-4", "chatgpt"];

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

/// The families of Anthropic's models that want a number of tokens for their thoughts. Newer ones
/// choose it by themselves.
const WITH_THOUGHT_TOKENS: [&str; 9] = [
    "claude-3",
    "claude-haiku-4",
    "claude-sonnet-4-0",
    "claude-sonnet-4-2",
    "claude-sonnet-4-5",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-2",
    "claude-opus-4-5",
];

/// The least context that is asked for where its length is ours to choose, in tokens.
const LEAST_CONTEXT: u64 = 8_192;
/// The room for a reply without a limit, in tokens.
const ROOM_FOR_REPLY: u64 = 2_048;

/// The wishes of a request that its model takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wishes {
    pub(super) temperature: Option<f64>,
    pub(super) seed: Option<u64>,
    pub(super) effort: Option<ReasoningEffort>,
    pub(super) max_tokens: Option<u32>,
}

impl Wishes {
    pub(super) fn new(asked: Asked<'_>) -> Self {
        let Asked { name, request, settings, limits, .. } = asked;
        let effort = settings.effort.or(request.reasoning_effort);
        let all = Self {
            temperature: settings.temperature.or(request.temperature).filter(|_| !limits.without_temperature),
            seed: request.seed.filter(|_| !limits.without_seed),
            effort: match limits.effort {
                EffortStep::None => None,
                EffortStep::AtLeastLow if effort == Some(ReasoningEffort::Minimal) => {
                    Some(ReasoningEffort::Low)
                }
                EffortStep::AsWished | EffortStep::AtLeastLow => effort,
            },
            max_tokens: settings
                .max_output_tokens
                .or(request.max_tokens)
                .filter(|_| !limits.without_max_tokens),
        };
        match name.provider {
            Provider::OpenAi | Provider::Azure | Provider::OpenAiResponses => Self {
                temperature: all.temperature.filter(|_| !reasons(name)),
                // Responses has no seed.
                seed: all.seed.filter(|_| name.provider != Provider::OpenAiResponses),
                effort: all.effort.filter(|_| !is_of(name, &UNREASONING_FAMILIES)),
                ..all
            },
            _ if name.model.starts_with("claude") || name.provider == Provider::Anthropic => {
                let effort = all.effort.filter(|effort| anthropic_can_think(*effort, asked, all.max_tokens));
                let takes = effort.is_none() && is_of(name, &WITH_TEMPERATURE);
                Self { temperature: all.temperature.filter(|_| takes), seed: None, effort, ..all }
            }
            _ => all,
        }
    }
}

/// Returns whether it is one of OpenAI's models that reason.
pub(super) fn reasons(name: &ModelName) -> bool {
    is_of(name, &REASONING_FAMILIES)
}

/// Returns whether it is one of Anthropic's models that choose how much they think.
pub(super) fn thinks_adaptively(name: &ModelName) -> bool {
    !is_of(name, &WITH_THOUGHT_TOKENS)
}

fn is_of(name: &ModelName, families: &[&str]) -> bool {
    families.iter().any(|family| name.model.starts_with(family))
}

/// Returns the tokens granted for thoughts at each effort. 1,024 is the least that is taken.
pub(super) const fn thought_tokens(effort: ReasoningEffort) -> u32 {
    match effort {
        ReasoningEffort::Minimal => 0,
        ReasoningEffort::Low => 1_024,
        ReasoningEffort::Medium => 8_000,
        ReasoningEffort::High => 24_000,
    }
}

/// Returns whether a request keeps Anthropic's rules for extended thinking.
///
/// They are: no forced tool, no tool calls since the person's last word without the thoughts before
/// them, and a limit of tokens above what the thoughts may take.
/// <https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking>
fn anthropic_can_think(effort: ReasoningEffort, asked: Asked<'_>, max_tokens: Option<u32>) -> bool {
    if effort == ReasoningEffort::Minimal {
        return false;
    }
    let messages = &asked.request.messages;
    let forced = matches!(asked.request.tool_choice, ToolChoice::Required | ToolChoice::Tool(_));
    let since = messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
    let mut turn = messages[since..]
        .iter()
        .filter(|message| message.content.iter().any(|part| matches!(part, Content::ToolCall(_))));
    // Only the first reply of a turn has to begin with thoughts.
    let thoughtless = turn.next().is_some_and(|message| {
        let mut parts = message.content.iter();
        asked.limits.without_thoughts || !parts.any(|part| asked.sealed(part).is_some())
    });
    let fits = thinks_adaptively(asked.name) || max_tokens.is_none_or(|limit| limit > thought_tokens(effort));
    !forced && !thoughtless && fits
}

/// Returns the length of context to ask for, in tokens: the one that is set, else one in which the
/// request and its reply have room.
///
/// It comes in few steps, since a server loads the model anew for another length.
pub(super) fn context_of(asked: Asked<'_>) -> u64 {
    let most = Wishes::new(asked).max_tokens.map_or(ROOM_FOR_REPLY, u64::from);
    // Half as many again as are estimated, since what does not fit would be lost.
    let needed = estimate_request(asked.request) * 3 / 2 + most;
    asked.settings.context.map_or_else(|| needed.next_power_of_two().max(LEAST_CONTEXT), u64::from)
}

#[cfg(test)]
mod tests {
    use super::{super::takes::Limits, *};
    use crate::{ChatRequest, ProviderSettings};

    fn request() -> ChatRequest {
        let effort = Some(ReasoningEffort::Low);
        let base = ChatRequest::new("", "Why?");
        ChatRequest { temperature: Some(0.0), seed: Some(1), reasoning_effort: effort, ..base }
    }

    fn wishes(name: &str, request: &ChatRequest, settings: &ProviderSettings) -> Wishes {
        let (name, limits) = (name.parse().unwrap(), Limits::default());
        Wishes::new(Asked { name: &name, request, settings, limits: &limits, stream: false })
    }

    fn kept(name: &str, request: &ChatRequest) -> (bool, bool, bool) {
        let wishes = wishes(name, request, &ProviderSettings::default());
        (wishes.temperature.is_some(), wishes.seed.is_some(), wishes.effort.is_some())
    }

    #[test]
    fn only_what_the_model_takes_is_kept() {
        assert_eq!(kept("openai/gpt-4o", &request()), (true, true, false));
        assert_eq!(kept("openai/gpt-5-mini", &request()), (false, true, true));
        assert_eq!(kept("openai-responses/o3", &request()), (false, false, true));
        assert_eq!(kept("ollama/qwen3", &request()), (true, true, true));
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &request()), (false, false, true));
        let short = ChatRequest { max_tokens: Some(500), ..request() };
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &short), (true, false, false));
        assert_eq!(kept("anthropic/claude-sonnet-5", &short), (false, false, true));
        let forced = ChatRequest { tool_choice: ToolChoice::Required, ..request() };
        assert_eq!(kept("anthropic/claude-sonnet-4-5", &forced), (true, false, false));
    }

    #[test]
    fn settings_go_before_the_request() {
        let settings = ProviderSettings {
            effort: Some(ReasoningEffort::High),
            temperature: Some(0.5),
            max_output_tokens: Some(900),
            ..ProviderSettings::default()
        };
        let wishes = wishes("openai/another", &request(), &settings);
        let expected = (Some(0.5), Some(ReasoningEffort::High), Some(900));
        assert_eq!((wishes.temperature, wishes.effort, wishes.max_tokens), expected);
    }
}
