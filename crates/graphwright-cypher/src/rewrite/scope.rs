//! Which variables are known before a clause.

use std::collections::BTreeSet;

use super::projection::projection;
use crate::source::{Block, Clause, Keyword, Source};

/// The variables that are known before a clause of a block, as they are written.
pub(super) fn before<'a>(source: &Source<'a>, block: &Block, clause: &Clause) -> BTreeSet<&'a str> {
    let mut known = BTreeSet::new();
    for earlier in block.clauses.iter().take_while(|earlier| earlier.tokens.start < clause.tokens.start) {
        match earlier.keyword {
            Keyword::With => {
                let projection = projection(source, earlier);
                if !projection.items.iter().any(|item| item.is_star(source)) {
                    known.clear();
                }
                for item in &projection.items {
                    match item.alias {
                        Some(alias) => known.insert(source.text(alias)),
                        None => item.is_variable(source) && known.insert(source.text(item.expression.start)),
                    };
                }
            }
            Keyword::Union => known.clear(),
            Keyword::Call => called(source, earlier, &mut known),
            _ => patterns_and_aliases(source, earlier, &mut known),
        }
    }
    known
}

/// Variables in brackets of patterns, before `=` of paths, and after `AS`.
fn patterns_and_aliases<'a>(source: &Source<'a>, clause: &Clause, known: &mut BTreeSet<&'a str>) {
    for index in clause.tokens.clone() {
        let opened = source.before(index, |before| source.is_any_symbol(before, &["(", "["]));
        let ends = source.is_any_symbol(index + 1, &[")", "]", ":", "{", "*"]);
        let path = source.is_symbol(index + 1, "=")
            && source.before(index, |before| {
                source.is_symbol(before, ",") || source.is_any_word(before, &["MATCH", "CREATE", "MERGE"])
            });
        let alias = source.before(index, |before| source.is_word(before, "AS"));
        if source.is_name(index) && (opened && ends || path || alias) {
            known.insert(source.text(index));
        }
    }
}

/// What a subquery returns, or a procedure yields.
fn called<'a>(source: &Source<'a>, clause: &Clause, known: &mut BTreeSet<&'a str>) {
    let body = source.level(clause.tokens.clone()).find(|&index| source.is_symbol(index, "{"));
    let from = match body {
        Some(open) => {
            let inner = open + 1..source.partner(open);
            source
                .level(inner.clone())
                .filter(|&index| source.is_word(index, "RETURN"))
                .last()
                .map(|start| start..inner.end)
        }
        None => source
            .level(clause.tokens.clone())
            .find(|&index| source.is_word(index, "YIELD"))
            .map(|start| start..clause.tokens.end),
    };
    let Some(range) = from else { return };
    for part in super::projection::split(source, range.start + 1..range.end) {
        if let Some(last) = part.end.checked_sub(1).filter(|&last| source.is_name(last)) {
            known.insert(source.text(last));
        }
    }
}
