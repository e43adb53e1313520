//! Everything that can be known to be wrong with a text.

use crate::{
    diagnostic::Diagnostic,
    lint::{Lint, Suggest, SuggestError},
    syntax::{check, parse},
};

/// What is wrong with a text: first what cannot be read, then what Cypher refuses, then what does not fit the graph. Each stage expects
/// a text that the one before has nothing against, so there is only what the first stage finds that finds something.
///
/// ```
/// use graphwright_cypher::diagnose;
///
/// let found = diagnose("MATCH (n) RETURN m", None);
/// assert_eq!(found[0].message, "expected a variable that is defined, found `m`");
/// ```
pub fn diagnose(text: &str, lint: Option<&Lint>) -> Vec<Diagnostic> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return parsed.diagnostics;
    }
    let mut diagnostics = check(&parsed.tree, text);
    if let Some(lint) = lint {
        diagnostics.extend(lint.check(&parsed.tree, text));
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    }
    diagnostics
}

/// The same as [`diagnose`], with what the store knows of values and names ([`Lint::suggest`]).
///
/// # Errors
///
/// What `suggest` cannot look up.
pub async fn diagnose_with(
    text: &str,
    lint: &Lint,
    suggest: &dyn Suggest,
) -> Result<Vec<Diagnostic>, SuggestError> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return Ok(parsed.diagnostics);
    }
    let mut diagnostics = check(&parsed.tree, text);
    diagnostics.extend(lint.suggest(&parsed.tree, text, suggest).await?);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Ok(diagnostics)
}
