//! Splits a script into statements at the semicolons.

use graphwright_core::Span;
use graphwright_cypher::lexer::{Token, tokenize};

use super::{
    super::{InputProblem, ProblemKind, item::Place},
    line_of,
};

/// A statement of a script.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) tokens: Vec<Token>,
}

/// Transaction commands of `cypher-shell`. They are ignored: each statement is a transaction of its
/// own.
const TRANSACTION_COMMANDS: [&str; 2] = ["begin", "commit"];

pub(super) fn split(text: &str, file: &str) -> Result<Vec<Part>, InputProblem> {
    let found = tokenize(text).map_err(|error| {
        let line = line_of(text, error.span.start);
        Place { file, line }.problem(
            ProblemKind::Form,
            error.message,
            "a script holds Cypher statements ended by ;",
        )
    })?;
    let mut parts = Vec::new();
    for tokens in found.tokens.split(|token| token.is_symbol(";")) {
        let tokens = without_shell_commands(text, file, tokens)?;
        if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
            parts.push(Part { span: Span::new(first.span.start, last.span.end), tokens: tokens.to_vec() });
        }
    }
    Ok(parts)
}

/// Strips commands such as `:begin` from the front of a statement. A command ends with its line.
fn without_shell_commands<'t>(
    text: &str,
    file: &str,
    mut tokens: &'t [Token],
) -> Result<&'t [Token], InputProblem> {
    while let [colon, word, ..] = tokens
        && colon.is_symbol(":")
    {
        if !TRANSACTION_COMMANDS.iter().any(|command| word.is_word(text, command)) {
            let place = Place { file, line: line_of(text, colon.span.start) };
            let message = format!("`:{}` is a command of cypher-shell, not Cypher", word.text(text));
            return Err(place.problem(
                ProblemKind::Form,
                message,
                "remove the line; write parameters as values",
            ));
        }
        let end = text
            .get(word.span.end..)
            .and_then(|rest| rest.find('\n'))
            .map_or(text.len(), |at| word.span.end + at);
        let next = tokens.iter().position(|token| token.span.start >= end).unwrap_or(tokens.len());
        tokens = tokens.get(next..).unwrap_or_default();
    }
    Ok(tokens)
}
