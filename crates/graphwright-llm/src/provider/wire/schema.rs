//! Schemas within what a provider takes.

use serde_json::{Map, Value, json};

/// What a provider takes of schemas.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The keywords that it knows beside the structural ones.
    keywords: &'static [&'static str],
    /// Whether all properties must be required, and no others allowed.
    closed: bool,
    /// Whether no others than the named properties may be allowed.
    names_all: bool,
}

/// OpenAI's strict mode, which many servers took over.
/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>
pub(super) const OPENAI: Dialect = Dialect {
    keywords: &[
        "pattern",
        "format",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "minItems",
        "maxItems",
    ],
    closed: true,
    names_all: true,
};

/// <https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs#json-schema-limitations>
pub(super) const ANTHROPIC: Dialect = Dialect { keywords: &["format"], closed: false, names_all: true };

/// <https://ai.google.dev/api/generate-content#FIELDS.response_json_schema>
pub(super) const GEMINI: Dialect = Dialect {
    keywords: &["format", "minItems", "maxItems", "minimum", "maximum", "prefixItems"],
    closed: false,
    names_all: false,
};

/// llama.cpp's grammars, which Ollama makes of schemas.
pub(super) const GRAMMAR: Dialect = Dialect {
    keywords: &[
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "prefixItems",
    ],
    closed: false,
    names_all: false,
};

/// The most values of all enumerations together (OpenAI: 1,000).
const MOST_VALUES: usize = 1_000;
/// The most values of one enumeration beyond which their length is limited, and that length.
const LONG_ENUMERATION: (usize, usize) = (250, 15_000);
/// The most levels of objects (OpenAI: 10).
const DEEPEST: usize = 10;
/// The keywords that all know.
const STRUCTURE: [&str; 12] = [
    "type",
    "title",
    "description",
    "enum",
    "const",
    "properties",
    "required",
    "items",
    "anyOf",
    "$ref",
    "$defs",
    "additionalProperties",
];

/// A schema that a provider takes.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) schema: Value,
    /// Whether it can be kept strictly: no object in it has free names.
    pub(super) strict: bool,
}

/// Makes a schema as small and plain as the provider wants it.
///
/// What it then allows too much is found when the reply is checked under the whole schema.
pub(super) fn fit(schema: &Value, dialect: &Dialect) -> Fitted {
    let mut fitter = Fitter { dialect, strict: true };
    let mut schema = fitter.fit(schema, 0);
    shorten_enumerations(&mut schema);
    Fitted { schema, strict: fitter.strict }
}

struct Fitter<'d> {
    dialect: &'d Dialect,
    strict: bool,
}

impl Fitter<'_> {
    fn fit(&mut self, schema: &Value, depth: usize) -> Value {
        let Some(schema) = schema.as_object() else {
            // `true` and `false` in place of a schema.
            return schema.clone();
        };
        let mut fitted = Map::new();
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                    let named =
                        named.iter().map(|(name, schema)| (name.clone(), self.fit(schema, depth + 1)));
                    fitted.insert(keyword.clone(), Value::Object(named.collect()));
                }
                ("items", value) => {
                    fitted.insert(keyword.clone(), self.fit(value, depth));
                }
                // Of the two, only this one is known everywhere.
                ("anyOf" | "oneOf", Value::Array(schemas)) => {
                    let schemas = schemas.iter().map(|schema| self.fit(schema, depth));
                    fitted.insert("anyOf".to_owned(), schemas.collect());
                }
                ("allOf", Value::Array(schemas)) if schemas.len() == 1 => {
                    if let Some(only) = self.fit(&schemas[0], depth).as_object() {
                        fitted.extend(only.clone());
                    }
                }
                ("additionalProperties", _) => {}
                (known, value) if STRUCTURE.contains(&known) || self.dialect.keywords.contains(&known) => {
                    fitted.insert(keyword.clone(), value.clone());
                }
                _ => {}
            }
        }
        self.close(schema, &mut fitted);
        if depth > DEEPEST {
            self.strict = false;
        }
        Value::Object(fitted)
    }

    /// Says of an object which names it has.
    fn close(&mut self, schema: &Map<String, Value>, fitted: &mut Map<String, Value>) {
        let named = fitted
            .get("properties")
            .and_then(Value::as_object)
            .map(|named| named.keys().cloned().map(Value::String).collect::<Vec<_>>());
        let Some(names) = named else {
            let object = schema.get("type").is_some_and(|kind| kind == "object");
            if object {
                self.strict = false;
                if let Some(others) = schema.get("additionalProperties") {
                    let others = self.fit(others, 0);
                    fitted.insert("additionalProperties".to_owned(), others);
                }
            }
            return;
        };
        if self.dialect.closed {
            fitted.insert("required".to_owned(), Value::Array(names));
        }
        if self.dialect.names_all {
            fitted.insert("additionalProperties".to_owned(), json!(false));
        }
    }
}

/// Lets the largest enumerations go until their values are few enough: any text may stand there.
fn shorten_enumerations(schema: &mut Value) {
    let mut sizes = Vec::new();
    visit_enumerations(schema, &mut |values| sizes.push((values.len(), length(values))));
    let mut total: usize = sizes.iter().map(|(values, _)| values).sum();
    let (many, longest) = LONG_ENUMERATION;
    sizes.sort_unstable();
    let mut limit = usize::MAX;
    while let Some((values, length)) = sizes.pop() {
        if total <= MOST_VALUES && (values <= many || length <= longest) {
            break;
        }
        total -= values;
        limit = values;
    }
    if limit < usize::MAX {
        open_enumerations(schema, limit);
    }
}

fn length(values: &[Value]) -> usize {
    values.iter().filter_map(Value::as_str).map(str::len).sum()
}

fn visit_enumerations(schema: &Value, visit: &mut impl FnMut(&[Value])) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Array(values)) = fields.get("enum") {
                visit(values);
            }
            fields.values().for_each(|value| visit_enumerations(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| visit_enumerations(item, visit)),
        _ => {}
    }
}

/// Puts any text in place of enumerations of so many values or more.
fn open_enumerations(schema: &mut Value, limit: usize) {
    match schema {
        Value::Object(fields) => {
            if fields.get("enum").and_then(Value::as_array).is_some_and(|values| values.len() >= limit) {
                fields.remove("enum");
                fields.entry("type").or_insert_with(|| json!("string"));
            }
            fields.values_mut().for_each(|value| open_enumerations(value, limit));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| open_enumerations(item, limit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_that_are_not_known_are_left_out_and_objects_are_closed() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "pattern": "^a"},
                "kind": {"oneOf": [{"const": "a"}, {"type": "null"}]},
                "parts": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {
                    "type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": [],
                }},
            },
            "required": ["name"],
        });
        let openai = fit(&schema, &OPENAI);
        assert!(openai.strict);
        insta::assert_json_snapshot!("openai", openai.schema);
        insta::assert_json_snapshot!("anthropic", fit(&schema, &ANTHROPIC).schema);
        insta::assert_json_snapshot!("gemini", fit(&schema, &GEMINI).schema);
    }

    #[test]
    fn names_that_are_free_cannot_be_kept_strictly() {
        let free =
            json!({"type": "object", "properties": {"properties": {"type": "object"}}, "required": []});
        assert!(!fit(&free, &OPENAI).strict);
    }

    #[test]
    fn the_largest_enumerations_go_until_all_are_few_enough() {
        let values =
            |count: usize| (0..count).map(|number| json!(format!("name {number}"))).collect::<Value>();
        let schema = |many: usize| json!({"type": "object", "properties": {"kind": {"enum": values(20)}, "name": {"enum": values(many)}}});
        let kept = fit(&schema(240), &OPENAI).schema;
        assert_eq!(kept["properties"]["name"]["enum"].as_array().map(Vec::len), Some(240));
        // So many names has a real ontology.
        let small = fit(&schema(1_084), &OPENAI).schema;
        assert_eq!(small["properties"]["name"], json!({"type": "string"}));
        assert_eq!(small["properties"]["kind"]["enum"].as_array().map(Vec::len), Some(20));
    }
}
