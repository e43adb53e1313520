//! What a model does not take, learned from what its provider refuses.

mod remembered;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::remembered::Remembered;
use super::draft::Draft;

/// What is known of a model. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    limits: Arc<Mutex<Limits>>,
    remembered: Option<Remembered>,
}

impl Known {
    /// Recalls from a file what is known of a model at an address.
    pub(super) fn recall(file: &Path, model: &str, address: &str) -> Self {
        let remembered = Remembered::new(file, format!("{model} {address}"));
        Self { limits: Arc::new(Mutex::new(remembered.recall())), remembered: Some(remembered) }
    }

    /// Writes down what is known, after a request that was accepted for it.
    pub(super) async fn remember(&self) {
        let Some(remembered) = self.remembered.clone() else { return };
        let limits = self.limits();
        // It fails only when the runtime is going down.
        let _ = tokio::task::spawn_blocking(move || remembered.keep(&limits)).await;
    }

    fn lock(&self) -> MutexGuard<'_, Limits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn limits(&self) -> Limits {
        self.lock().clone()
    }

    /// Learns from a refusal of a body that was made within `limits`. False if it does not help to
    /// ask again.
    pub(super) fn learn(&self, limits: &Limits, body: &Value, refusal: &str) -> bool {
        let mut known = self.lock();
        // Another call may have learned meanwhile.
        *known != *limits || known.learn(body, refusal)
    }

    /// Notes how the model writes.
    pub(super) fn note(&self, draft: &Draft) {
        self.lock().thinks_unmarked |= draft.thought_unmarked;
    }
}

/// What a model was found not to take, so that it is not sent again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Limits {
    pub(super) without_temperature: bool,
    pub(super) without_seed: bool,
    pub(super) without_tool_choice: bool,
    pub(super) without_stream_options: bool,
    pub(super) without_store: bool,
    /// Whether earlier thoughts are not sent back, and not asked for.
    pub(super) without_thoughts: bool,
    pub(super) effort: EffortStep,
    /// Whether the limit of tokens goes by the other name, or is lower, than is usual.
    pub(super) other_max_tokens: bool,
    pub(super) without_max_tokens: bool,
    pub(super) output: OutputStep,
    /// Whether the model thinks in its text without marking the beginning.
    #[serde(skip)]
    pub(super) thinks_unmarked: bool,
}

/// How a reply is asked for that is JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OutputStep {
    /// By its schema.
    #[default]
    Schema,
    /// By words, and as some JSON object.
    Object,
    /// By words alone.
    Words,
}

impl OutputStep {
    pub(super) const fn needs_words(self) -> bool {
        matches!(self, Self::Object | Self::Words)
    }
}

/// How much of the wished effort is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EffortStep {
    #[default]
    AsWished,
    /// Low in place of minimal, which some models do not have.
    AtLeastLow,
    None,
}

/// A part of requests that may be refused.
struct Part {
    /// Where it stands in a body. Any of them shows that it was sent.
    sent: &'static [&'static str],
    /// The words by which providers name it, in small letters.
    named: &'static [&'static str],
    /// Takes a step back, by the words of the refusal. False if there is none left.
    step: fn(&mut Limits, &str) -> bool,
}

/// The parts, those with the plainest names first: a message may name several things.
const PARTS: [Part; 10] = [
    Part {
        sent: &["/tool_choice", "/toolConfig"],
        named: &[
            "tool_choice",
            "tool choice",
            "toolconfig",
            "function_calling_config",
            "functioncallingconfig",
        ],
        step: |limits, _| set(&mut limits.without_tool_choice),
    },
    Part {
        sent: &["/temperature", "/generationConfig/temperature", "/options/temperature"],
        named: &["temperature"],
        step: |limits, _| set(&mut limits.without_temperature),
    },
    Part {
        sent: &["/seed", "/generationConfig/seed", "/options/seed"],
        named: &["seed"],
        step: |limits, _| set(&mut limits.without_seed),
    },
    Part {
        sent: &["/max_tokens", "/max_completion_tokens", "/max_output_tokens"],
        named: &["max_tokens", "max_completion_tokens", "max_output_tokens"],
        step: |limits, _| set(&mut limits.other_max_tokens) || set(&mut limits.without_max_tokens),
    },
    Part {
        sent: &["/stream_options"],
        named: &["stream_options"],
        step: |limits, _| set(&mut limits.without_stream_options),
    },
    Part { sent: &["/store"], named: &["store"], step: |limits, _| set(&mut limits.without_store) },
    Part {
        sent: &[
            "/response_format",
            "/text/format",
            "/output_config/format",
            "/format",
            "/generationConfig/responseMimeType",
        ],
        named: &[
            "response_format",
            "response format",
            "json_schema",
            "json schema",
            "json mode",
            "schema",
            "output_config",
            "output_format",
            "text.format",
            "response_mime_type",
            "response mime type",
            "responsemimetype",
            "structured output",
            "grammar",
        ],
        step: |limits, _| {
            let next = match limits.output {
                OutputStep::Schema => OutputStep::Object,
                OutputStep::Object => OutputStep::Words,
                OutputStep::Words => return false,
            };
            limits.output = next;
            true
        },
    },
    Part {
        sent: &[
            "/reasoning_effort",
            "/reasoning/effort",
            "/thinking",
            "/think",
            "/generationConfig/thinkingConfig",
            "/output_config/effort",
        ],
        named: &["effort", "thinking", "thinkingconfig", "reasoning.effort", "reasoning is not supported"],
        step: |limits, refusal| {
            let next = match limits.effort {
                // It takes efforts, but not this one.
                EffortStep::AsWished if refusal.contains("minimal") => EffortStep::AtLeastLow,
                EffortStep::AsWished | EffortStep::AtLeastLow => EffortStep::None,
                EffortStep::None => return false,
            };
            limits.effort = next;
            true
        },
    },
    Part {
        sent: &["/include"],
        named: &["include", "encrypted"],
        step: |limits, _| set(&mut limits.without_thoughts),
    },
    Part {
        sent: &["/messages", "/input", "/contents"],
        named: &[
            "reasoning_content",
            "reasoning_details",
            "encrypted_content",
            "thinking block",
            "signature",
            "'reasoning'",
            "\"reasoning\"",
            "`reasoning`",
        ],
        step: |limits, _| set(&mut limits.without_thoughts),
    },
];

/// Sets a mark. False if it was set.
fn set(mark: &mut bool) -> bool {
    !std::mem::replace(mark, true)
}

impl Limits {
    /// Learns from a refusal which part of the body the model does not take. False if it names none
    /// that could be left out.
    pub(super) fn learn(&mut self, body: &Value, refusal: &str) -> bool {
        let refusal = words_of(refusal).to_lowercase();
        let refused = |part: &&Part| {
            part.named.iter().any(|name| refusal.contains(name))
                && part.sent.iter().any(|path| body.pointer(path).is_some_and(|sent| !sent.is_null()))
        };
        let before = self.clone();
        PARTS.iter().filter(refused).any(|part| (part.step)(self, &refusal)) && *self != before
    }
}

/// Returns what a refusal says. Some servers repeat the request in it, which says nothing.
fn words_of(refusal: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(refusal) else { return refusal.to_owned() };
    let mut words = String::new();
    collect_words(&body, &mut words);
    words
}

fn collect_words(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push_str(text);
            words.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        Value::Object(fields) => {
            let telling = fields.iter().filter(|(name, _)| !["input", "ctx"].contains(&name.as_str()));
            telling.for_each(|(_, value)| collect_words(value, words));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Refusals as providers write them.
    #[test]
    fn a_refusal_names_what_is_left_out_next_time() {
        let body = json!({
            "messages": [], "temperature": 0.0, "seed": 1, "max_tokens": 9, "tool_choice": "required",
            "response_format": {}, "reasoning_effort": "minimal", "stream_options": {}, "store": false,
        });
        let learned = |refusal: &str| {
            let mut limits = Limits::default();
            limits.learn(&body, refusal).then_some(limits)
        };
        let default = Limits::default;
        for (refusal, expected) in [
            (
                "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
                Limits { without_temperature: true, ..default() },
            ),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Limits { other_max_tokens: true, ..default() },
            ),
            (
                "Thinking mode does not support this tool_choice",
                Limits { without_tool_choice: true, ..default() },
            ),
            (
                "This response_format type is unavailable now",
                Limits { output: OutputStep::Object, ..default() },
            ),
            (
                "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.",
                Limits { effort: EffortStep::AtLeastLow, ..default() },
            ),
            (
                "Unrecognized request argument supplied: reasoning_effort",
                Limits { effort: EffortStep::None, ..default() },
            ),
            ("Unknown parameter: 'store'.", Limits { without_store: true, ..default() }),
            ("property 'reasoning_content' is unsupported", Limits { without_thoughts: true, ..default() }),
        ] {
            assert_eq!(learned(refusal), Some(expected), "{refusal}");
        }
        assert_eq!(learned("Invalid model: no-such-model"), None);
        let mut limits = Limits::default();
        assert!(!limits.learn(&json!({"messages": []}), "temperature is not supported"), "it was not sent");
    }

    #[test]
    fn a_request_that_is_repeated_in_its_refusal_names_nothing() {
        let body = json!({"temperature": 0.0, "seed": 1, "tool_choice": "required"});
        let detail = json!({"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": body});
        let mut limits = Limits::default();
        assert!(limits.learn(&body, &json!({"detail": [detail]}).to_string()));
        assert_eq!(limits, Limits { without_seed: true, ..Limits::default() });
    }

    #[test]
    fn steps_come_to_an_end() {
        let body = json!({"response_format": {}});
        let mut limits = Limits::default();
        let refuse = |limits: &mut Limits| limits.learn(&body, "json_schema is not supported");
        assert!(refuse(&mut limits) && refuse(&mut limits) && !refuse(&mut limits));
        assert_eq!(limits.output, OutputStep::Words);
    }
}
