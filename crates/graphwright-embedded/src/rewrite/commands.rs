//! Rewrites schema commands, which have no tree: properties and labels get the names under which
//! the engine keeps them.

use graphwright_cypher::{
    lexer::{Token, tokenize},
    quote,
    syntax::tree::Command,
};

use super::reserved::{label_to_engine, property_to_engine};

pub(super) fn run(command: &mut Command) {
    // The statement has been read, so its parts can be.
    let tokens = tokenize(&command.text).unwrap_or_default().tokens;
    let mut text = String::with_capacity(command.text.len());
    let mut written = 0;
    for (place, token) in tokens.iter().enumerate() {
        let Some(name) = token.name(&command.text) else { continue };
        let before = |distance: usize| place.checked_sub(distance).and_then(|place| tokens.get(place));
        let is_symbol = |token: Option<&Token>, symbol| token.is_some_and(|token| token.is_symbol(symbol));
        let renamed = if is_symbol(before(1), ".") {
            property_to_engine(&name)
        } else if is_symbol(before(1), ":") && (is_symbol(before(2), "(") || is_symbol(before(3), "(")) {
            label_to_engine(&name)
        } else {
            continue;
        };
        if renamed != name
            && let Ok(quoted) = quote(&renamed)
        {
            text.push_str(command.text.get(written..token.span.start).unwrap_or_default());
            text.push_str(&quoted);
            written = token.span.end;
        }
    }
    text.push_str(command.text.get(written..).unwrap_or_default());
    command.text = text.into();
}
