//! Sets of tools, and checked calls of them.

use std::{
    any::Any,
    fmt::{self, Debug, Formatter},
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures::FutureExt;
use graphwright_core::text;
use graphwright_llm::ToolSpec;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::{Tool, ToolContext, ToolError, ToolErrorKind, ToolOutput, Toolset};
use crate::{AgentError, Result};

/// The largest number of faults in the arguments of a call that the model is told.
const MOST_FAULTS: usize = 5;
/// The most characters of broken arguments that the model is shown.
const MOST_QUOTED: usize = 80;
/// How alike an unknown name must be to an existing one to be suggested, from 0 to 1.
const LEAST_LIKENESS: f64 = 0.7;

/// A set of tools with unique names, which checks each call before it runs. Clones share the tools.
///
/// ```
/// use graphwright_agent::{Tool, ToolContext, ToolError, ToolOutput, Toolbox};
/// use graphwright_llm::ToolSpec;
/// use serde_json::{Value, json};
///
/// #[derive(Debug)]
/// struct Double(ToolSpec);
///
/// #[async_trait::async_trait]
/// impl Tool for Double {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///
///     async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
///         let number = arguments["number"].as_i64().unwrap_or_default();
///         Ok((number * 2).to_string().into())
///     }
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let parameters = json!({
///     "type": "object",
///     "properties": {"number": {"type": "integer"}},
///     "required": ["number"],
/// });
/// let spec = ToolSpec { name: "double".into(), description: "Doubles a number.".into(), parameters };
/// let tools = Toolbox::new().with(Double(spec))?;
/// let context = ToolContext::new("thread-1");
///
/// assert_eq!(tools.call("double", json!({"number": 21}), &context).await?.text, "42");
/// let error = tools.call("double", json!({"number": "many"}), &context).await.unwrap_err();
/// assert!(error.message.contains("\"many\" is not of type \"integer\""));
/// # Ok::<_, ToolError>(())
/// # }).unwrap();
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Toolbox {
    entries: Vec<Arc<Entry>>,
}

/// A tool with the validator of its arguments.
struct Entry {
    tool: Arc<dyn Tool>,
    schema: Validator,
}

impl Entry {
    fn name(&self) -> &str {
        &self.tool.spec().name
    }
}

impl Toolbox {
    /// Creates a toolbox without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a toolbox from the methods of a type that has the attribute
    /// [`toolbox`](macro@crate::toolbox).
    ///
    /// # Errors
    /// Fails like [`with`](Self::with).
    pub fn from_set(set: impl Toolset) -> Result<Self> {
        Self::from_shared_set(Arc::new(set))
    }

    /// Creates a toolbox from the methods of a shared value.
    ///
    /// # Errors
    /// Fails like [`with`](Self::with).
    pub fn from_shared_set(set: Arc<impl Toolset>) -> Result<Self> {
        set.tools().into_iter().try_fold(Self::new(), Self::with_shared)
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// Fails if there is a tool of that name already, or if the JSON Schema of the tool is not
    /// valid.
    pub fn with(self, tool: impl Tool + 'static) -> Result<Self> {
        self.with_shared(Arc::new(tool))
    }

    /// Adds a shared tool.
    ///
    /// # Errors
    /// Fails like [`with`](Self::with).
    pub fn with_shared(self, tool: Arc<dyn Tool>) -> Result<Self> {
        let spec = tool.spec();
        let schema = jsonschema::validator_for(&spec.parameters).map_err(|error| {
            AgentError::BadToolSchema { tool: spec.name.clone(), message: error.to_string() }
        })?;
        self.with_entry(Arc::new(Entry { tool, schema }))
    }

    /// Adds the tools of another toolbox.
    ///
    /// # Errors
    /// Fails if a name is in both.
    pub fn merge(self, other: Self) -> Result<Self> {
        other.entries.into_iter().try_fold(self, Self::with_entry)
    }

    fn with_entry(mut self, entry: Arc<Entry>) -> Result<Self> {
        if self.get(entry.name()).is_some() {
            return Err(AgentError::DuplicateTool { tool: entry.name().to_owned() });
        }
        self.entries.push(entry);
        Ok(self)
    }

    /// Keeps only the tools that meet the condition, such as those that only read.
    #[must_use]
    pub fn retain(mut self, condition: impl Fn(&dyn Tool) -> bool) -> Self {
        self.entries.retain(|entry| condition(&*entry.tool));
        self
    }

    /// Returns all tools, in the order in which they were added.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &Arc<dyn Tool>> {
        self.entries.iter().map(|entry| &entry.tool)
    }

    /// Tells whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the tool with the name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.entry(name).map(|entry| &entry.tool)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name() == name).map(|entry| &**entry)
    }

    /// Returns the specifications of all tools, as a model is told of them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools().map(|tool| tool.spec().clone()).collect()
    }

    /// Returns the list of tools as JSON: `name`, `description`, `parameters` and `hints` of each.
    pub fn to_json(&self) -> Value {
        let tool = |tool: &Arc<dyn Tool>| {
            let ToolSpec { name, description, parameters } = tool.spec();
            json!({"name": name, "description": description, "parameters": parameters, "hints": tool.hints()})
        };
        self.tools().map(tool).collect()
    }

    /// Checks a call and runs it.
    ///
    /// Arguments are accepted in the forms in which models write them: JSON inside a string,
    /// null when there are no arguments, and null for an optional argument. An empty string is a call that was cut off before its
    /// arguments.
    ///
    /// # Errors
    /// Fails if the call is wrong, if the tool fails or panics, or if the work is cancelled. The
    /// model can read each of these errors; [`ToolError::kind`] tells which it is.
    pub async fn call(
        &self,
        name: &str,
        arguments: Value,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let entry = self.entry(name).ok_or_else(|| self.unknown(name))?;
        let arguments = entry.check(arguments)?;
        let call = AssertUnwindSafe(entry.tool.call(arguments, context)).catch_unwind();
        match context.cancellation().run_until_cancelled(call).await {
            Some(Ok(result)) => result,
            Some(Err(panic)) => Err(broken(name, &*panic)),
            None => Err(ToolError::with_kind(ToolErrorKind::Cancelled, "the work was stopped")),
        }
    }

    /// Creates the error for a name that no tool has, with a similar name or the list of tools.
    fn unknown(&self, name: &str) -> ToolError {
        let error =
            ToolError::with_kind(ToolErrorKind::UnknownTool, format!("there is no tool named `{name}`"));
        let likeness = |entry: &Arc<Entry>| text::likeness(entry.name(), name);
        let nearest = self.entries.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
        match nearest {
            Some(entry) if likeness(entry) >= LEAST_LIKENESS => {
                error.with_hint(format!("did you mean `{}`?", entry.name()))
            }
            Some(_) => {
                let names: Vec<&str> = self.entries.iter().map(|entry| entry.name()).collect();
                error.with_hint(format!("the tools are {}", names.join(", ")))
            }
            None => error.with_hint("there are no tools"),
        }
    }
}

impl Debug for Toolbox {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.entries.iter().map(|entry| entry.name())).finish()
    }
}

impl Entry {
    /// Checks the arguments against the schema and returns them in the form that the tool expects.
    fn check(&self, arguments: Value) -> Result<Value, ToolError> {
        let parameters = &self.tool.spec().parameters;
        let mut arguments = match arguments {
            Value::Null => json!({}),
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            arguments => arguments,
        };
        if let Value::String(text) = &arguments {
            let text = text::cut(text, MOST_QUOTED);
            let message = format!(
                "the arguments of `{}` are wrong: they are no whole JSON object: {text:?}",
                self.name()
            );
            return Err(self.bad_arguments(message));
        }
        drop_nulls(parameters, parameters, &mut arguments);
        let mut faults = self.schema.iter_errors(&arguments).map(|fault| {
            let place = fault.instance_path().to_string();
            if place.is_empty() { fault.to_string() } else { format!("at {place}: {fault}") }
        });
        let told: Vec<String> = faults.by_ref().take(MOST_FAULTS).collect();
        if told.is_empty() {
            // The iterator borrows the arguments.
            drop(faults);
            return Ok(arguments);
        }
        let more = faults.count();
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let message = format!("the arguments of `{}` are wrong: {}{more}", self.name(), told.join("; "));
        Err(self.bad_arguments(message))
    }

    fn bad_arguments(&self, message: String) -> ToolError {
        let schema = &self.tool.spec().parameters;
        let hint = format!("call it again with arguments that keep this JSON Schema: {schema}");
        ToolError::bad_arguments(message).with_hint(hint)
    }
}

/// Removes nulls that stand for optional arguments, because providers make models name every
/// argument.
fn drop_nulls(root: &Value, schema: &Value, value: &mut Value) {
    let schema = resolve(root, schema);
    match value {
        Value::Object(fields) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
            fields.retain(|name, field| !field.is_null() || is_required(name));
            let none = Map::new();
            let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
            for (name, field) in fields {
                if let Some(schema) = properties.get(name) {
                    drop_nulls(root, schema, field);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for item in items {
                drop_nulls(root, schema, item);
            }
        }
        _ => {}
    }
}

/// Follows a reference to the schema that it names, and a choice between a schema and null to that
/// schema.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(named) = reference.and_then(|name| root.pointer(name.strip_prefix('#')?)) {
        return named;
    }
    let choices = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice);
    match choices {
        Some([choice, null] | [null, choice]) if null.get("type") == Some(&json!("null")) => {
            resolve(root, choice)
        }
        _ => schema,
    }
}

/// Creates the error for a tool that panicked.
fn broken(name: &str, panic: &(dyn Any + Send)) -> ToolError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    ToolError::new(format!("the tool `{name}` broke: {}", text.unwrap_or("it does not say why")))
        .with_hint("do without it, or call it with other arguments")
}

#[cfg(test)]
mod tests;
