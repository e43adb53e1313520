//! Query text apart from its parameters.

use std::{borrow::Cow, fmt};

use crate::{Properties, Value};

/// What a store runs: Cypher text and, apart from it, parameters.
///
/// There are three ways to get one, so that no text made at run time reaches a store unchecked:
/// [`Statement::fixed`] takes text that was written in source code; the safe builder and the gate of
/// `graphwright-cypher` make the others.
///
/// ```
/// use graphwright_core::Statement;
///
/// let statement = Statement::fixed("MATCH (n {name: $name}) RETURN n").with("name", "Ada");
/// assert_eq!(statement.text(), "MATCH (n {name: $name}) RETURN n");
/// ```
///
/// Text that is made while the program runs has no such door: not as the text of a fixed statement,
///
/// ```compile_fail,E0597
/// let name = "Ada".to_owned();
/// let text = format!("MATCH (n {{name: '{name}'}}) RETURN n");
/// let statement = graphwright_core::Statement::fixed(&text);
/// ```
///
/// not by a conversion,
///
/// ```compile_fail,E0277
/// let text = "MATCH (n) RETURN n".to_owned();
/// let statement = graphwright_core::Statement::from(text);
/// ```
///
/// and not by the parts of one.
///
/// ```compile_fail,E0451
/// let text = std::borrow::Cow::from("MATCH (n) RETURN n".to_owned());
/// let statement = graphwright_core::Statement { text, parameters: Default::default() };
/// ```
#[derive(Clone, PartialEq)]
pub struct Statement {
    text: Cow<'static, str>,
    parameters: Properties,
}

impl Statement {
    /// A statement whose text stands in source code. Values go in by [`with`](Self::with).
    pub fn fixed(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), parameters: Properties::new() }
    }

    /// The door for text made at run time. `cargo xtask layers` sees to it that only
    /// `graphwright-cypher` calls this, after it has checked the text.
    #[doc(hidden)]
    pub fn from_checked_text(text: String) -> Self {
        Self { text: Cow::Owned(text), parameters: Properties::new() }
    }

    /// Sets a parameter (`$name` in the text).
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Sets several parameters.
    #[must_use]
    pub fn with_all(mut self, parameters: Properties) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// The query text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parameters by name, without `$`.
    pub fn parameters(&self) -> &Properties {
        &self.parameters
    }
}

impl fmt::Debug for Statement {
    /// Shows the text and the names of the parameters; values may be private.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Statement")
            .field("text", &self.text)
            .field("parameters", &self.parameters.keys())
            .finish()
    }
}
