//! Parameters of functions: their JSON Schema for the model, and their values in a call.

use std::{fmt::Display, ops::RangeInclusive};

use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::SchemaSettings,
    transform::{Transform, transform_subschemas},
};
use serde::{
    Deserializer, Serialize,
    de::{DeserializeOwned, Visitor},
};
use serde_json::{Map, Value, json};

use super::ToolError;

/// The parameters of a function, collected into a JSON Schema.
#[derive(Debug)]
pub struct Parameters {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Default for Parameters {
    fn default() -> Self {
        // Models understand a schema in place better than a reference to it.
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        Self { generator: settings.into_generator(), properties: Map::new(), required: Vec::new() }
    }
}

impl Parameters {
    /// Creates a list without parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a parameter. It is optional if it has a default or its type is an `Option`, under
    /// whichever alias.
    #[must_use]
    pub fn with<T: JsonSchema + DeserializeOwned>(
        mut self,
        name: &str,
        description: &str,
        default: Option<Value>,
        range: Option<(Value, Value)>,
    ) -> Self {
        let mut schema = self.generator.subschema_for::<T>();
        // Reading a missing value shows whether the type is an `Option`, whatever its alias.
        if default.is_none() && T::deserialize(Missing).is_err() {
            self.required.push(name.into());
        }
        drop_null(&mut schema);
        Plain.transform(&mut schema);
        if !description.is_empty() {
            schema.insert("description".to_owned(), description.into());
        }
        if let Some((least, most)) = range {
            schema.insert("minimum".to_owned(), least);
            schema.insert("maximum".to_owned(), most);
        }
        if let Some(default) = default {
            schema.insert("default".to_owned(), default);
        }
        self.properties.insert(name.to_owned(), schema.to_value());
        self
    }

    /// Returns the schema of an object with these parameters and no others. Unknown names are
    /// errors, so that the model learns of them instead of taking them to have an effect.
    pub(crate) fn into_schema(mut self) -> Value {
        let mut schema = json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": false,
        });
        let mut definitions = self.generator.take_definitions(true);
        if !definitions.is_empty() {
            for definition in definitions.values_mut() {
                if let Ok(definition) = <&mut Schema>::try_from(definition) {
                    Plain.transform(definition);
                }
            }
            schema["$defs"] = definitions.into();
        }
        schema
    }
}

/// Removes from schemas what models do not need or providers do not accept: the widths of numbers,
/// and null as a value of optional fields.
///
/// Leaving a field out says the same as null, and [`Toolbox::call`](super::Toolbox::call) accepts
/// null anyway.
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        let is_width =
            |format: &str| ["int", "uint", "float", "double"].iter().any(|kind| format.starts_with(kind));
        if object.get("format").and_then(Value::as_str).is_some_and(is_width) {
            object.remove("format");
        }
        let required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            for (name, property) in properties {
                if !required.iter().any(|required| required == name)
                    && let Ok(property) = <&mut Schema>::try_from(property)
                {
                    drop_null(property);
                    if property.get("default") == Some(&Value::Null) {
                        property.remove("default");
                    }
                }
            }
        }
    }
}

fn is_null_schema(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// Removes null from the types and values that a schema allows.
fn drop_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    for keyword in ["type", "enum"] {
        if let Some(Value::Array(items)) = object.get_mut(keyword) {
            items.retain(|item| !item.is_null() && (keyword != "type" || item != "null"));
            if let ("type", [kind]) = (keyword, items.as_slice()) {
                let kind = kind.clone();
                object.insert(keyword.to_owned(), kind);
            }
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| !is_null_schema(choice));
        if let [Value::Object(choice)] = choices.as_slice() {
            let choice = choice.clone();
            object.remove("anyOf");
            for (keyword, value) in choice {
                object.entry(keyword).or_insert(value);
            }
        }
    }
}

/// Writes a default value as JSON, for the schema that the model reads.
pub fn default_value<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A number type, or an `Option` of one, whose values can be limited to a range.
#[diagnostic::on_unimplemented(
    message = "`#[range(…)]` is for numbers, and `{Self}` is none",
    note = "bounds of other types stand in the type: `#[schemars(length(min = 1))]` on a field of a struct"
)]
pub trait Ranged {
    /// The type of the bounds.
    type Number;

    /// Returns the lowest and the highest value.
    fn bounds(range: RangeInclusive<Self::Number>) -> (Value, Value);
}

macro_rules! ranged {
    ($($number:ty),*) => {
        $(impl Ranged for $number {
            type Number = $number;

            fn bounds(range: RangeInclusive<$number>) -> (Value, Value) {
                ((*range.start()).into(), (*range.end()).into())
            }
        })*
    };
}
ranged!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;

    fn bounds(range: RangeInclusive<T::Number>) -> (Value, Value) {
        T::bounds(range)
    }
}

/// The arguments of a call.
#[derive(Debug)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    pub(crate) fn new(arguments: Value) -> Result<Self, ToolError> {
        match arguments {
            Value::Object(arguments) => Ok(Self(arguments)),
            Value::Null => Ok(Self(Map::new())),
            _ => Err(ToolError::bad_arguments("the arguments are not an object")),
        }
    }

    /// Takes the value of a parameter; an error if it is missing or has the wrong type.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, ToolError> {
        let wrong = |error: &dyn Display| {
            ToolError::bad_arguments(format!("the argument `{name}` is wrong: {error}"))
        };
        match self.0.remove(name) {
            Some(value) => serde_json::from_value(value).map_err(|error| wrong(&error)),
            None => T::deserialize(Missing).map_err(|error| wrong(&error)),
        }
    }

    /// Takes the value of a parameter, or its default if the value is missing or null.
    pub fn take_or<T: DeserializeOwned>(
        &mut self,
        name: &str,
        default: impl FnOnce() -> T,
    ) -> Result<T, ToolError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(default()),
            Some(_) => self.take(name),
        }
    }
}

/// Deserializes a missing argument: an `Option` becomes `None`, as in fields of structs, and every
/// other type fails.
struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("it is missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
