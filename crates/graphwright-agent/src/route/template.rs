//! Tool calls with the slots of a question in place of what differs from question to question.

use graphwright_answer::{QueryTemplate, QuestionSlot, TextTemplate};
use serde_json::{Map, Value};

use super::RouteCall;
use crate::graph_tools::CYPHER_TOOL;

/// The argument of the tool that runs Cypher which holds the query.
const QUERY: &str = "query";

/// A call of a tool, as it was made for one question, ready for another one of its kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallTemplate {
    pub(super) tool: String,
    arguments: Template,
}

/// A value in which slots stand.
#[derive(Clone, Debug, PartialEq)]
enum Template {
    Constant(Value),
    Text(TextTemplate),
    Query(QueryTemplate),
    /// The number that a slot is, by the place of the slot.
    Number(usize),
    List(Vec<Template>),
    Object(Vec<(String, Template)>),
}

impl CallTemplate {
    /// Puts the slots of a question in place of their words in the arguments of a call. Returns `None` if a query cannot be read.
    pub(super) fn new(call: &RouteCall, slots: &[QuestionSlot]) -> Option<Self> {
        Self::of(&call.tool, &call.arguments, slots)
    }

    fn of(tool: &str, arguments: &Value, slots: &[QuestionSlot]) -> Option<Self> {
        let fields = arguments.as_object()?;
        let is_query = |name: &str| tool == CYPHER_TOOL && name == QUERY;
        // A null stands for an argument that is left out.
        let arguments = fields.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
            let template = match value {
                Value::String(text) if is_query(name) => Template::Query(QueryTemplate::new(text, slots)?),
                value => Template::new(value, slots),
            };
            Some((name.clone(), template))
        });
        Some(Self { tool: tool.to_owned(), arguments: Template::Object(arguments.collect::<Option<_>>()?) })
    }

    /// Writes the arguments for another question. Returns `None` if that lacks what a slot needs.
    pub(super) fn fill(&self, slots: &[QuestionSlot]) -> Option<Value> {
        self.arguments.fill(slots)
    }

    /// Tells whether the arguments differ with the slot at a place, for a question with these slots.
    pub(super) fn depends_on(&self, place: usize, slots: &[QuestionSlot]) -> bool {
        let mut other = slots.to_vec();
        if let Some(slot) = other.get_mut(place) {
            // A number stays one, so that it can be filled.
            let changed = match slot.value.parse::<u64>() {
                Ok(number) => (number + 1).to_string(),
                Err(_) => format!("{}{}", slot.value, slot.value),
            };
            let id = slot.id.as_ref().map(|id| format!("{id}{id}"));
            *slot = QuestionSlot { name: slot.name.clone(), phrase: changed.clone(), value: changed, id };
        }
        self.fill(&other) != self.fill(slots)
    }
}

/// Tells whether two calls of a tool are the same, however their queries are laid out.
pub(crate) fn is_same_call(tool: &str, one: &Value, other: &Value) -> bool {
    let read = |arguments: &Value| CallTemplate::of(tool, arguments, &[]);
    one == other || read(one).is_some_and(|one| Some(one) == read(other))
}

impl Template {
    fn new(value: &Value, slots: &[QuestionSlot]) -> Self {
        match value {
            Value::String(text) => Self::Text(TextTemplate::new(text, slots)),
            Value::Number(number) => {
                let text = number.to_string();
                let place = slots.iter().position(|slot| slot.value == text);
                place.map_or_else(|| Self::Constant(value.clone()), Self::Number)
            }
            Value::Array(items) => Self::List(items.iter().map(|item| Self::new(item, slots)).collect()),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), Self::new(value, slots)));
                Self::Object(fields.collect())
            }
            Value::Null | Value::Bool(_) => Self::Constant(value.clone()),
        }
    }

    fn fill(&self, slots: &[QuestionSlot]) -> Option<Value> {
        Some(match self {
            Self::Constant(value) => value.clone(),
            Self::Text(text) => text.fill(slots)?.into(),
            Self::Query(query) => query.fill(slots)?.into(),
            Self::Number(place) => {
                let number: serde_json::Number = slots.get(*place)?.value.parse().ok()?;
                number.into()
            }
            Self::List(items) => items.iter().map(|item| item.fill(slots)).collect::<Option<Value>>()?,
            Self::Object(fields) => {
                let fields = fields.iter().map(|(name, field)| Some((name.clone(), field.fill(slots)?)));
                Value::Object(fields.collect::<Option<Map<_, _>>>()?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn slot(value: &str) -> QuestionSlot {
        QuestionSlot { name: "<x>".into(), phrase: value.into(), value: value.into(), id: None }
    }

    fn call(tool: &str, arguments: Value) -> RouteCall {
        RouteCall {
            tool: tool.into(),
            arguments,
            failed: false,
            cited: false,
            told: false,
            characters: 0,
            rows: None,
        }
    }

    #[test]
    fn arguments_are_filled_by_type_at_any_depth() {
        let before = [slot("ledger"), slot("3")];
        let arguments = json!({"name": "ledger", "limit": 3, "hops": 5, "list": ["of ledger"], "deep": {"x": true}, "none": null});
        let template = CallTemplate::new(&call("search", arguments), &before).unwrap();
        assert_eq!(
            template.fill(&[slot("gateway"), slot("12")]),
            Some(
                json!({"name": "gateway", "limit": 12, "hops": 5, "list": ["of gateway"], "deep": {"x": true}})
            )
        );
        // What is no number does not become one.
        assert_eq!(template.fill(&[slot("gateway"), slot("many")]), None);
        assert!(template.depends_on(0, &before) && template.depends_on(1, &before));
    }

    #[test]
    fn a_query_is_filled_by_its_literals_alone() {
        let arguments = json!({"query": "MATCH (ledger {name: 'ledger'}) RETURN ledger.tier"});
        let template = CallTemplate::new(&call(CYPHER_TOOL, arguments), &[slot("ledger")]).unwrap();
        let filled = template.fill(&[slot("a'b")]).unwrap();
        assert_eq!(filled["query"], "MATCH (ledger {name: 'a\\'b'})\nRETURN ledger.tier");
        let constant =
            CallTemplate::new(&call(CYPHER_TOOL, json!({"query": "RETURN 1"})), &[slot("ledger")]).unwrap();
        assert!(!constant.depends_on(0, &[slot("ledger")]));
        assert!(CallTemplate::new(&call(CYPHER_TOOL, json!({"query": "MATCH ("})), &[]).is_none());
    }
}
