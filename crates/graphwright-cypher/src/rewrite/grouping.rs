//! What stands beside an aggregate in an expression must be a group of its own.

use std::ops::Range;

use super::{
    Result, RewriteError,
    columns::{Projection, is_aggregate_call, same},
    expression::{Expression, Shape, parse},
};
use crate::source::Source;

/// Refuses `n.x + count(*)` where neither `n.x` nor `n` is an item, and aggregates within a comprehension.
pub(super) fn check(source: &Source<'_>, projection: &Projection) -> Result<()> {
    let groups: Vec<Range<usize>> = projection
        .items
        .iter()
        .filter(|item| !item.aggregates(source))
        .map(|item| item.expression.clone())
        .filter(|group| group.clone().all(|index| source.is_name(index) || source.is_symbol(index, ".")))
        .collect();
    for item in projection.items.iter().filter(|item| item.aggregates(source)) {
        let Some(expression) = parse(source, item.expression.clone()) else { continue };
        beside(source, &expression, &groups, &mut Vec::new())?;
    }
    Ok(())
}

fn beside<'a>(
    source: &Source<'a>,
    expression: &Expression,
    groups: &[Range<usize>],
    locals: &mut Vec<&'a str>,
) -> Result<()> {
    let tokens = &expression.tokens;
    if groups.iter().any(|group| same(source, group, tokens)) || is_aggregate_call(source, tokens.start) {
        return Ok(());
    }
    match &expression.shape {
        Shape::Variable if !locals.contains(&source.text(tokens.start)) => {
            let message = format!("{} stands beside an aggregate but is no item", source.text_of(tokens));
            Err(RewriteError::syntax(message, source.span_of(tokens)))
        }
        Shape::Each(_, variables, parts) => {
            let depth = locals.len();
            for (number, part) in parts.iter().enumerate() {
                let is_list = number + 1 == variables.len();
                if !is_list && part.tokens.clone().any(|index| is_aggregate_call(source, index)) {
                    let message = "an aggregate cannot stand within a comprehension";
                    return Err(RewriteError::syntax(message, source.span_of(&part.tokens)));
                }
                if number == variables.len() {
                    locals.extend(variables.iter().map(|&variable| source.text(variable)));
                }
                beside(source, part, groups, locals)?;
            }
            locals.truncate(depth);
            Ok(())
        }
        Shape::Pattern(_) | Shape::Subquery(_) | Shape::Labelled(_) => Ok(()),
        _ => expression.parts().into_iter().try_for_each(|part| beside(source, part, groups, locals)),
    }
}
