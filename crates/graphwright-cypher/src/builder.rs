//! The statement builder: statements from text in source code, names and values.

use graphwright_core::{Properties, Statement, Value};
use thiserror::Error;

use crate::lexer::{is_name_part, is_name_start};

/// The error for a label, relationship type or property name that no store can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` cannot be a name in Cypher: {reason}", name.escape_debug())]
pub struct InvalidName {
    name: String,
    reason: &'static str,
}

/// The words that Cypher reads as part of its grammar where a name could stand, sorted.
const RESERVED: &[&str] = &[
    "all",
    "allshortestpaths",
    "and",
    "any",
    "as",
    "asc",
    "ascending",
    "by",
    "call",
    "case",
    "collect",
    "constraint",
    "contains",
    "count",
    "create",
    "cypher",
    "delete",
    "desc",
    "descending",
    "detach",
    "distinct",
    "drop",
    "else",
    "end",
    "ends",
    "exists",
    "explain",
    "false",
    "filter",
    "finish",
    "for",
    "foreach",
    "from",
    "if",
    "in",
    "index",
    "insert",
    "is",
    "let",
    "limit",
    "load",
    "match",
    "merge",
    "none",
    "not",
    "null",
    "offset",
    "on",
    "optional",
    "or",
    "order",
    "profile",
    "reduce",
    "remove",
    "return",
    "set",
    "shortestpath",
    "show",
    "single",
    "skip",
    "starts",
    "then",
    "true",
    "union",
    "unique",
    "unwind",
    "use",
    "using",
    "when",
    "where",
    "with",
    "xor",
];

/// Quotes a name so that Cypher reads it as that name: in back-ticks if needed.
///
/// # Errors
///
/// Returns an error for the empty name, for control characters, and for a backslash before `u`.
/// Neo4j reads the latter as a character escape even within back-ticks, so that it could close
/// them.
///
/// ```
/// use graphwright_cypher::quote;
///
/// assert_eq!(quote("DEPENDS_ON")?, "DEPENDS_ON");
/// assert_eq!(quote("a`b c")?, "`a``b c`");
/// # Ok::<_, graphwright_cypher::InvalidName>(())
/// ```
pub fn quote(name: &str) -> Result<String, InvalidName> {
    let invalid = |reason| Err(InvalidName { name: name.to_owned(), reason });
    if name.is_empty() {
        return invalid("it is empty");
    }
    if name.contains(char::is_control) {
        return invalid("it contains a control character");
    }
    if name.contains("\\u") || name.contains("\\U") {
        return invalid("a backslash before u is a character escape");
    }
    if is_plain(name) { Ok(name.to_owned()) } else { Ok(format!("`{}`", name.replace('`', "``"))) }
}

/// Returns whether every engine reads the name without quotes.
fn is_plain(name: &str) -> bool {
    name.is_ascii()
        && name.starts_with(is_name_start)
        && name.chars().all(is_name_part)
        && RESERVED.binary_search(&name.to_ascii_lowercase().as_str()).is_err()
}

/// A builder of statements from text in source code, names and values.
///
/// Names are quoted and values become parameters, so that neither can change what the statement
/// does.
///
/// ```
/// use graphwright_cypher::StatementBuilder;
///
/// let (label, property) = ("Service", "written in");
/// let statement = StatementBuilder::new("MATCH (n:")
///     .name(label)
///     .text(") WHERE n.")
///     .name(property)
///     .text(" = ")
///     .value("Go")
///     .text(" RETURN n")
///     .build()?;
/// assert_eq!(statement.text(), "MATCH (n:Service) WHERE n.`written in` = $value_0 RETURN n");
/// # Ok::<_, graphwright_cypher::InvalidName>(())
/// ```
#[derive(Clone, Debug)]
pub struct StatementBuilder {
    text: String,
    parameters: Properties,
    values: usize,
    invalid: Option<InvalidName>,
}

impl StatementBuilder {
    /// Creates a builder that begins with text from source code.
    pub fn new(text: &'static str) -> Self {
        Self { text: text.to_owned(), parameters: Properties::new(), values: 0, invalid: None }
    }

    /// Adds text from source code.
    #[must_use]
    pub fn text(mut self, text: &'static str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Adds a label, relationship type, property name or variable.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        match quote(name) {
            Ok(quoted) => self.text.push_str(&quoted),
            // The error waits for `build`, so that calls can be chained.
            Err(invalid) => self.invalid = self.invalid.or(Some(invalid)),
        }
        self
    }

    /// Adds several names separated by `separator`, as labels by `:` or types by `|`.
    #[must_use]
    pub fn names<N: AsRef<str>>(
        mut self,
        names: impl IntoIterator<Item = N>,
        separator: &'static str,
    ) -> Self {
        for (place, name) in names.into_iter().enumerate() {
            if place > 0 {
                self.text.push_str(separator);
            }
            self = self.name(name.as_ref());
        }
        self
    }

    /// Adds a whole number, such as the bound of a path, which cannot be a parameter.
    #[must_use]
    pub fn number(mut self, number: usize) -> Self {
        self.text.push_str(&number.to_string());
        self
    }

    /// Adds a value as a new parameter.
    #[must_use]
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        let name = format!("value_{}", self.values);
        self.values += 1;
        self.text.push('$');
        self.text.push_str(&name);
        self.parameters.insert(name, value.into());
        self
    }

    /// Sets a parameter that the text names.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.parameters.insert(name.to_owned(), value.into());
        self
    }

    /// Builds the statement.
    ///
    /// # Errors
    ///
    /// Returns the first added name that cannot be one.
    pub fn build(self) -> Result<Statement, InvalidName> {
        match self.invalid {
            Some(invalid) => Err(invalid),
            None => Ok(Statement::from_built_text(self.text).with_all(self.parameters)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexer::tokenize;

    #[test]
    fn reserved_words_are_sorted_and_quoted() {
        assert!(RESERVED.is_sorted());
        assert_eq!(quote("Match").unwrap(), "`Match`");
        assert_eq!(quote("größe").unwrap(), "`größe`");
        assert_eq!(quote("1st").unwrap(), "`1st`");
    }

    #[test]
    fn names_that_could_break_out_are_refused() {
        for name in ["", "a\nb", "x\\u0060) DETACH DELETE n //", "\0"] {
            assert!(quote(name).is_err(), "{name:?}");
        }
        let statement = StatementBuilder::new("MATCH (n:").name("").text(") RETURN n").build();
        assert_eq!(statement.unwrap_err().to_string(), "`` cannot be a name in Cypher: it is empty");
    }

    #[test]
    fn several_names_and_values() {
        let statement = StatementBuilder::new("MATCH p = (a)-[:")
            .names(["A", "B C"], "|")
            .text("*1..")
            .number(3)
            .text("]->(b) WHERE a.x = ")
            .value(1)
            .text(" AND b.y IN ")
            .value(vec!["x"])
            .text(" RETURN p LIMIT $limit")
            .with("limit", 5)
            .build()
            .unwrap();
        insta::assert_snapshot!(statement.text(), @"MATCH p = (a)-[:A|`B C`*1..3]->(b) WHERE a.x = $value_0 AND b.y IN $value_1 RETURN p LIMIT $limit");
        assert_eq!(statement.parameters().len(), 3);
    }

    proptest! {
        #[test]
        fn a_quoted_name_is_one_token_with_that_name(name in any::<String>()) {
            if let Ok(quoted) = quote(&name) {
                let tokens = tokenize(&quoted).unwrap().tokens;
                prop_assert_eq!(tokens.len(), 1);
                prop_assert_eq!(tokens[0].name(&quoted).unwrap(), name);
            }
        }
    }
}
