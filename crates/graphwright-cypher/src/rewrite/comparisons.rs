//! `a < b <= c` says `a < b AND b <= c`.

use std::ops::Range;

use super::{Pass, Result, pattern::paths};
use crate::{
    edit::Edits,
    gate::is_keyword,
    source::{Keyword, Source},
};

const OPERATORS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

/// Words within an operand of a comparison.
const WITHIN: [&str; 10] =
    ["IN", "STARTS", "ENDS", "CONTAINS", "IS", "NULL", "TRUE", "FALSE", "COUNT", "COLLECT"];

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let patterns: Vec<Range<usize>> =
        paths(source, pass.blocks).into_iter().map(|path| path.tokens).collect();
    let mut edits = Edits::default();
    let mut levels: Vec<Range<usize>> = std::iter::once(0..source.len()).collect();
    levels.extend(
        (0..source.len()).filter(|&index| source.opens(index)).map(|open| open + 1..source.partner(open)),
    );
    for level in levels {
        let mut start = level.start;
        let mut operators: Vec<usize> = Vec::new();
        let end = level.end;
        let tokens: Vec<usize> = source.level(level).collect();
        let mut skip = start;
        for index in tokens.into_iter().chain([end]) {
            if index < skip {
                continue;
            }
            if let Some(pattern) = patterns.iter().find(|pattern| pattern.start == index) {
                skip = pattern.end;
                continue;
            }
            if index < end && source.is_any_symbol(index, &OPERATORS) && !is_assignment(pass, index, start) {
                operators.push(index);
            } else if index == end || is_boundary(source, index) {
                if operators.len() > 1 {
                    edits.replace(source.span_of(&(start..index)), chain(source, start..index, &operators));
                    return Ok(edits);
                }
                operators.clear();
                start = index + 1;
            }
        }
    }
    Ok(edits)
}

fn is_boundary(source: &Source<'_>, index: usize) -> bool {
    source.is_any_symbol(index, &[",", "|", ";"])
        || source.is_symbol(index, ":") && source.is_map_colon(index)
        || is_keyword(source, index)
            && !source.is_any_word(index, &WITHIN)
            && !follows_string_test(source, index)
}

/// The second word of `STARTS WITH`, and of `IS NOT NULL`.
fn follows_string_test(source: &Source<'_>, index: usize) -> bool {
    source.before(index, |before| source.is_any_word(before, &["STARTS", "ENDS", "IS"]))
}

/// Whether `=` gives a value to a property, a path or an accumulator.
fn is_assignment(pass: &Pass<'_>, index: usize, start: usize) -> bool {
    let source = pass.source;
    if !source.is_symbol(index, "=") {
        return false;
    }
    let updates = pass.blocks.iter().flat_map(|block| &block.clauses).any(|clause| {
        clause.tokens.contains(&index)
            && matches!(clause.keyword, Keyword::Set | Keyword::Merge | Keyword::Create)
    });
    updates && !(start..index).any(|before| source.is_symbol(before, "="))
}

fn chain(source: &Source<'_>, range: Range<usize>, operators: &[usize]) -> String {
    let mut operands = Vec::new();
    let mut start = range.start;
    for &operator in operators {
        operands.push(source.text_of(&(start..operator)));
        start = operator + 1;
    }
    operands.push(source.text_of(&(start..range.end)));
    let pairs = operands.windows(2).zip(operators).map(|(pair, &operator)| {
        format!("{} {} {}", pair.first().unwrap_or(&""), source.text(operator), pair.last().unwrap_or(&""))
    });
    format!("({})", pairs.collect::<Vec<_>>().join(" AND "))
}
