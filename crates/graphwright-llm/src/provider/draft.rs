//! A reply while its pieces come in.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::thoughts::{Heard, ThoughtFilter};
use crate::{
    ChatReply, Content, FinishReason, Message, Reasoning, Role, SealedReasoning, StreamEvent, ToolCall, Usage,
};

/// The reply as far as it has come, and the events that tell of it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    parts: Vec<Part>,
    thoughts: Vec<Thoughts>,
    closed_thoughts: usize,
    filter: ThoughtFilter,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    refused: bool,
    model: Option<String>,
    events: VecDeque<StreamEvent>,
    /// The items of which something was said.
    items: BTreeSet<String>,
    /// Whether the text held thoughts that no mark opened.
    pub(super) thought_unmarked: bool,
}

/// A part of the reply. Keys tell parts of one kind apart, in the provider's way.
#[derive(Debug)]
enum Part {
    Text(String),
    /// The place among the thoughts.
    Reasoning(usize),
    Call(Call),
}

/// A tool call as far as it has come.
#[derive(Debug)]
struct Call {
    key: String,
    /// The identifier that the provider gives it; some give none, or the same one twice.
    given: String,
    id: String,
    name: String,
    arguments: String,
}

impl Part {
    fn as_call(&mut self) -> Option<&mut Call> {
        match self {
            Self::Call(call) => Some(call),
            Self::Text(_) | Self::Reasoning(_) => None,
        }
    }
}

/// Thoughts, and what the provider wants back of them.
#[derive(Debug, Default)]
struct Thoughts {
    key: String,
    text: String,
    data: Value,
}

impl Draft {
    /// Creates a draft. With `hold` no text is passed on before the end.
    pub(super) fn new(hold: bool) -> Self {
        Self { filter: ThoughtFilter::new(hold), ..Self::default() }
    }

    /// Adds text, in which thoughts may stand.
    pub(super) fn say(&mut self, new: &str) {
        for heard in self.filter.hear(new) {
            self.take(heard);
        }
    }

    fn take(&mut self, heard: Heard) {
        match heard {
            Heard::Text(text) => {
                self.events.push_back(StreamEvent::Text(text.clone()));
                match self.parts.last_mut() {
                    Some(Part::Text(said)) => said.push_str(&text),
                    _ => self.parts.push(Part::Text(text)),
                }
            }
            Heard::Thought(text) => self.think("", &text),
            Heard::AllWasThought => {
                self.thought_unmarked = true;
                for part in &mut self.parts {
                    if let Part::Text(text) = part {
                        let text = std::mem::take(text);
                        *part = Part::Reasoning(self.thoughts.len());
                        self.thoughts.push(Thoughts { text, ..Thoughts::default() });
                    }
                }
            }
        }
    }

    /// Adds thoughts.
    pub(super) fn think(&mut self, key: &str, new: &str) {
        if !new.is_empty() {
            self.events.push_back(StreamEvent::Reasoning(new.to_owned()));
            self.reasoning(key).0.push_str(new);
        }
    }

    /// Returns what the provider wants back of thoughts, to be filled in.
    pub(super) fn seal(&mut self, key: &str) -> &mut Value {
        self.reasoning(key).1
    }

    fn reasoning(&mut self, wanted: &str) -> (&mut String, &mut Value) {
        let known = self.thoughts.iter().position(|thoughts| thoughts.key == wanted);
        let at = known.unwrap_or_else(|| {
            self.parts.push(Part::Reasoning(self.thoughts.len()));
            self.thoughts.push(Thoughts { key: wanted.to_owned(), ..Thoughts::default() });
            self.thoughts.len() - 1
        });
        let Thoughts { text, data, .. } = &mut self.thoughts[at];
        (text, data)
    }

    /// Begins a tool call, or adds to one that was begun under the key.
    pub(super) fn call(&mut self, wanted: &str, given: &str, name: &str) {
        let calls = self.parts.iter_mut().rev();
        let begun = calls.filter_map(Part::as_call).find(|call| call.key == wanted);
        // A provider that numbers all calls alike still gives each an identifier.
        if let Some(call) = begun.filter(|call| given.is_empty() || [given, ""].contains(&&*call.given)) {
            if call.name.is_empty() {
                name.clone_into(&mut call.name);
            }
            return;
        }
        let earlier: Vec<&mut Call> = self.parts.iter_mut().filter_map(Part::as_call).collect();
        let same = earlier.iter().filter(|call| !given.is_empty() && call.given == given).count();
        // Providers that give none do not tell calls of one tool apart.
        let id = match (given, same) {
            ("", _) => made_up_id(name, earlier.len() + 1),
            (given, 0) => given.to_owned(),
            (given, same) => format!("{given}#{}", same + 1),
        };
        self.events.push_back(StreamEvent::ToolCallStart { id: id.clone(), name: name.to_owned() });
        self.parts.push(Part::Call(Call {
            key: wanted.to_owned(),
            given: given.to_owned(),
            id,
            name: name.to_owned(),
            arguments: String::new(),
        }));
    }

    /// Adds to the arguments of a tool call that was begun.
    pub(super) fn arguments(&mut self, wanted: &str, new: &str) {
        let mut calls = self.parts.iter_mut().rev().filter_map(Part::as_call);
        if let Some(call) = calls.find(|call| call.key == wanted).filter(|_| !new.is_empty()) {
            call.arguments.push_str(new);
            self.events
                .push_back(StreamEvent::ToolCallDelta { id: call.id.clone(), arguments: new.to_owned() });
        }
    }

    /// Sets the arguments of a tool call that was begun, told from their beginning.
    pub(super) fn arguments_so_far(&mut self, wanted: &str, all: &str) {
        let mut calls = self.parts.iter_mut().rev().filter_map(Part::as_call);
        let known = calls.find(|call| call.key == wanted).map_or(0, |call| call.arguments.len());
        if let Some(new) = all.get(known..) {
            self.arguments(wanted, new);
        }
    }

    /// Returns how many tool calls were begun.
    pub(super) fn calls(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part, Part::Call(_))).count()
    }

    /// Returns the key of the thoughts that are open, for providers that have none. They are closed
    /// once something follows them.
    pub(super) fn next_thought(&mut self) -> String {
        let key = self.closed_thoughts.to_string();
        let open = self.thoughts.iter().position(|thoughts| thoughts.key == key);
        let last = matches!(self.parts.last(), Some(Part::Reasoning(at)) if Some(*at) == open);
        if open.is_some() && !last {
            self.close_thought();
        }
        self.closed_thoughts.to_string()
    }

    /// Ends the thoughts that are open: further ones are others.
    pub(super) fn close_thought(&mut self) {
        self.closed_thoughts += 1;
    }

    /// Returns whether nothing was said of an item so far, and notes that now something is.
    pub(super) fn is_new(&mut self, item: &str) -> bool {
        self.items.insert(item.to_owned())
    }

    /// Sets what was used, in place of what was said before.
    pub(super) fn used(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// Returns what was used, to be added to.
    pub(super) fn usage(&mut self) -> &mut Usage {
        self.usage.get_or_insert_default()
    }

    /// Sets the reason of the end.
    pub(super) fn end(&mut self, reason: FinishReason) {
        self.finish = Some(reason);
    }

    /// Notes that what is said is a refusal.
    pub(super) fn refuse(&mut self) {
        self.refused = true;
    }

    pub(super) fn answered_by(&mut self, model: &Value) {
        if let Some(model) = model.as_str().filter(|model| !model.is_empty()) {
            self.model = Some(model.to_owned());
        }
    }

    /// Returns whether the provider told the end.
    pub(super) const fn is_ended(&self) -> bool {
        self.finish.is_some()
    }

    /// Returns whether nothing was said, thought, called or counted.
    pub(super) fn is_void(&self) -> bool {
        self.parts.is_empty() && self.usage.is_none_or(|usage| usage.tokens() == 0)
    }

    pub(super) fn next_event(&mut self) -> Option<StreamEvent> {
        self.events.pop_front()
    }

    /// Passes on what was held back because a mark might have followed.
    pub(super) fn settle(&mut self) {
        for heard in self.filter.end() {
            self.take(heard);
        }
    }

    /// Returns the whole reply. `name` is the model's full name, `asked` the one asked for.
    pub(super) fn complete(mut self, name: &str, asked: &str) -> ChatReply {
        self.settle();
        let cut = !matches!(self.finish, None | Some(FinishReason::Stop | FinishReason::ToolCalls));
        let last = self.parts.len().saturating_sub(1);
        let calls = self.calls() > 0;
        let parts = self.parts.into_iter().enumerate();
        let content = parts.filter_map(|(at, part)| match part {
            Part::Text(text) => (!text.is_empty()).then_some(Content::Text(text)),
            Part::Reasoning(at) => {
                let Thoughts { text, data, .. } = std::mem::take(self.thoughts.get_mut(at)?);
                let sealed = (!data.is_null()).then(|| SealedReasoning { model: name.to_owned(), data });
                (!text.is_empty() || sealed.is_some())
                    .then_some(Content::Reasoning(Reasoning { text, sealed }))
            }
            Part::Call(Call { id, name, arguments, .. }) => {
                let arguments = read_arguments(arguments, cut && at == last);
                Some(Content::ToolCall(ToolCall { id, name, arguments }))
            }
        });
        let finish = match self.finish.unwrap_or_default() {
            // Several call them a plain end.
            FinishReason::Stop if self.refused => FinishReason::Refusal,
            FinishReason::Stop if calls => FinishReason::ToolCalls,
            // Some say it of replies without any.
            FinishReason::ToolCalls if !calls => FinishReason::Stop,
            finish => finish,
        };
        ChatReply {
            message: Message { role: Role::Assistant, content: content.collect() },
            finish,
            usage: Usage { requests: 1, ..self.usage.unwrap_or_default() },
            model: self.model.unwrap_or_else(|| asked.to_owned()),
        }
    }
}

/// Returns an identifier for the nth call of a reply whose provider gives none.
fn made_up_id(tool: &str, number: usize) -> String {
    format!("call_{tool}_{number}")
}

/// Returns whether the identifier of a call of this tool is one of ours.
pub(super) fn is_made_up(id: &str, tool: &str) -> bool {
    let number = id.strip_prefix("call_").and_then(|rest| rest.strip_prefix(tool)?.strip_prefix('_'));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// Reads the arguments of a call: an object, or the model's text if that is no JSON.
///
/// No arguments are an empty object, unless the call was cut off before them.
fn read_arguments(written: String, cut: bool) -> Value {
    if written.trim().is_empty() && !cut {
        return json!({});
    }
    serde_json::from_str(&written).unwrap_or(Value::String(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(draft: Draft) -> Vec<(String, Value)> {
        let reply = draft.complete("test/m", "m");
        reply.tool_calls().map(|call| (call.id.clone(), call.arguments.clone())).collect()
    }

    #[test]
    fn calls_are_told_apart_by_key_and_identifier() {
        let mut draft = Draft::default();
        // One number for all calls, as some servers have it.
        for (given, arguments) in [("a", "{\"n\":"), ("", "1}"), ("b", "{\"n\":2}")] {
            draft.call("0", given, "look");
            draft.arguments("0", arguments);
        }
        // One identifier for all calls.
        for (key, arguments) in [("1", "{\"n\":"), ("2", "{\"n\":4}"), ("1", "3}")] {
            draft.call(key, "c", "look");
            draft.arguments(key, arguments);
        }
        draft.call("3", "", "look");
        let expected = [("a", 1), ("b", 2), ("c", 3), ("c#2", 4)];
        let mut expected: Vec<_> =
            expected.iter().map(|(id, n)| ((*id).to_owned(), json!({"n": n}))).collect();
        expected.push(("call_look_5".to_owned(), json!({})));
        assert_eq!(calls(draft), expected);
    }

    #[test]
    fn a_call_that_was_cut_off_is_not_one_without_arguments() {
        for (written, arguments) in [("", json!("")), ("{\"n\": ", json!("{\"n\": ")), ("{}", json!({}))] {
            let mut draft = Draft::default();
            draft.call("0", "a", "look");
            draft.arguments("0", written);
            draft.end(FinishReason::Length);
            assert_eq!(calls(draft), [("a".to_owned(), arguments)]);
        }
    }
}
