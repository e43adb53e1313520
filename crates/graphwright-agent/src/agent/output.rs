//! Reading final answers as typed values.

use graphwright_llm::find_json;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A type that a run can return: text, or anything that has a JSON Schema and can be read from
/// JSON.
pub trait Output: DeserializeOwned + JsonSchema + Send {}

impl<T: DeserializeOwned + JsonSchema + Send> Output for T {}

/// The field that wraps a value which is not a JSON object, because providers only accept schemas
/// of objects.
const FIELD: &str = "answer";

/// The form in which an answer is requested and read.
#[derive(Debug)]
pub(super) struct Form {
    /// The schema given to the model; `None` for text.
    schema: Option<Value>,
    is_wrapped: bool,
}

impl Form {
    /// Derives the form from the schema of the type.
    pub(super) fn for_type<T: Output>() -> Self {
        let schema = schemars::schema_for!(T).to_value();
        let kind = schema.get("type").and_then(Value::as_str);
        let is_text =
            kind == Some("string") && schema.get("enum").is_none() && schema.get("format").is_none();
        if is_text {
            return Self { schema: None, is_wrapped: false };
        }
        if kind == Some("object") {
            return Self { schema: Some(schema), is_wrapped: false };
        }
        let mut inner = schema;
        let definitions = inner.as_object_mut().and_then(|schema| schema.remove("$defs"));
        let mut outer = json!({"type": "object", "properties": {FIELD: inner}, "required": [FIELD]});
        if let Some(definitions) = definitions {
            outer["$defs"] = definitions;
        }
        Self { schema: Some(outer), is_wrapped: true }
    }

    pub(super) fn schema(&self) -> Option<&Value> {
        self.schema.as_ref()
    }

    /// Reads the value from a reply; the error says what is wrong with the reply.
    pub(super) fn read<T: Output>(&self, reply: &str) -> Result<T, String> {
        if self.schema.is_none() {
            return serde_json::from_value(Value::String(reply.to_owned()))
                .map_err(|error| error.to_string());
        }
        let mut found = find_json(reply).ok_or("it holds no JSON")?;
        if self.is_wrapped
            && let Some(inner) = found.get_mut(FIELD)
        {
            found = inner.take();
        }
        serde_json::from_value(found).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Listing {
        names: Vec<String>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        Green,
    }

    #[test]
    fn text_is_taken_as_it_is() {
        let form = Form::for_type::<String>();
        assert_eq!(form.schema(), None);
        assert_eq!(form.read::<String>("{\"a\": 1}"), Ok("{\"a\": 1}".to_owned()));
    }

    #[test]
    fn objects_are_found_among_words() {
        let form = Form::for_type::<Listing>();
        assert_eq!(form.schema().unwrap()["type"], "object");
        let reply = "Here:\n```json\n{\"names\": [\"Ada\"]}\n```";
        assert_eq!(form.read::<Listing>(reply), Ok(Listing { names: vec!["Ada".to_owned()] }));
        assert_eq!(form.read::<Listing>("Ada"), Err("it holds no JSON".to_owned()));
        assert_eq!(form.read::<Listing>("{}").unwrap_err(), "missing field `names`");
    }

    #[test]
    fn what_is_no_object_is_put_into_one() {
        let numbers = Form::for_type::<Vec<u32>>();
        assert_eq!(numbers.schema().unwrap()["required"], json!(["answer"]));
        assert_eq!(numbers.read::<Vec<u32>>("{\"answer\": [1, 2]}"), Ok(vec![1, 2]));
        assert_eq!(Form::for_type::<Colour>().read::<Colour>("{\"answer\": \"green\"}"), Ok(Colour::Green));
        let many = Form::for_type::<Vec<Listing>>();
        assert!(many.schema().unwrap()["$defs"]["Listing"].is_object());
        assert_eq!(many.read::<Vec<Listing>>("[{\"names\": []}]"), Ok(vec![Listing { names: vec![] }]));
    }
}
