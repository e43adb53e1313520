//! Rewrites `trim(BOTH 'x' FROM text)`, `btrim(text, 'xy')` and the like. The engine removes only
//! blanks.

use graphwright_cypher::syntax::tree::{
    CallForm, Expression, ExpressionKind, FunctionCall, Literal, Name, TrimSide,
};

use super::{Context, template::cypher};

pub(super) fn is_one(name: &str) -> bool {
    matches!(name, "btrim" | "ltrim" | "rtrim")
}

/// Rewrites `trim(LEADING c FROM text)` as `ltrim(text, c)`. In the first, `c` must be one
/// character; the functions take a set of them.
pub(super) fn plain(call: &mut FunctionCall, context: &mut Context<'_>) {
    let CallForm::Trim(side) = std::mem::take(&mut call.form) else { return };
    call.name = vec![Name::new(match side {
        TrimSide::Both => "btrim",
        TrimSide::Leading => "ltrim",
        TrimSide::Trailing => "rtrim",
    })];
    call.arguments.reverse();
    let Some(character) = call.arguments.get_mut(1) else { return };
    let is_one = matches!(&character.kind, ExpressionKind::Literal(Literal::String(text)) if text.chars().count() == 1);
    if !is_one {
        let (value, span) = (std::mem::take(character), character.span);
        let checked = context.bind([value], |[character]| {
            cypher!(
                "CASE WHEN size($character) <> 1 THEN $fail ELSE $character END",
                character = character,
                fail = super::fails("trim() takes one character away, not several"),
            )
        });
        *character = Expression { span, ..checked };
    }
}

pub(super) fn replacement(
    name: &str,
    text: &Expression,
    characters: &Expression,
    context: &mut Context<'_>,
) -> Expression {
    let left = |text: &Expression, characters: &Expression| {
        cypher!(
            "substring($text, coalesce(head([_gw_i IN range(0, size($text) - 1) \
             WHERE NOT $characters CONTAINS substring($text, _gw_i, 1)]), size($text)))",
            text = text,
            characters = characters,
        )
    };
    let right = |text: &Expression, characters: &Expression| {
        cypher!(
            "left($text, coalesce(last([_gw_i IN range(0, size($text) - 1) \
             WHERE NOT $characters CONTAINS substring($text, _gw_i, 1)]) + 1, 0))",
            text = text,
            characters = characters,
        )
    };
    let within = context.fresh();
    context.bind([text.clone(), characters.clone()], |[text, characters]| {
        let trimmed = match name {
            "ltrim" => left(text, characters),
            "rtrim" => right(text, characters),
            _ => cypher!(
                "head([within IN [$right] | $left])",
                within = &within,
                right = right(text, characters),
                left = left(&super::template::Part::part(&within), characters),
            ),
        };
        cypher!(
            "CASE WHEN $text IS NULL OR $characters IS NULL THEN null ELSE $trimmed END",
            text = text,
            characters = characters,
            trimmed = trimmed,
        )
    })
}
