//! All checks of a text in one call.

use crate::{
    diagnostic::Diagnostic,
    lint::{Lint, Suggest, SuggestError},
    syntax::{check, parse},
};

/// Returns the faults of a text: those of the parser, or else those of the semantic checks and the
/// lint.
///
/// The later stages run only on text that parses, so that their findings are not mere consequences
/// of a fault before.
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

/// Returns the faults of a text as [`diagnose`] does, with the store's suggestions of values and
/// names ([`Lint::suggest`]).
///
/// # Errors
///
/// Returns the error of `suggest` if a value or name cannot be looked up.
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
