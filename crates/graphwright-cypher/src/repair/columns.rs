//! The columns of a clause that cannot be parsed, found by their tokens.

use super::draft::Draft;

/// A column, by the indexes of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// The first token.
    pub(super) start: usize,
    /// The token behind the value.
    pub(super) value_end: usize,
    /// The name behind `AS`, if any.
    pub(super) alias: Option<usize>,
}

impl Column {
    /// Returns the number of tokens of the value.
    pub(super) fn length(&self) -> usize {
        self.value_end - self.start
    }

    /// Returns whether the value is a single name.
    pub(super) fn is_name(&self, draft: &Draft<'_>) -> bool {
        self.length() == 1 && draft.is_name(self.start)
    }

    /// Returns whether the value contains an aggregate.
    pub(super) fn aggregates(&self, draft: &Draft<'_>) -> bool {
        (self.start..self.value_end).any(|index| draft.is_aggregate_call(index))
    }
}

/// Returns the columns between the `WITH` or `RETURN` at token `begin` and token `end`. Returns
/// `None` if the clause has more parts.
pub(super) fn columns(draft: &Draft<'_>, begin: usize, end: usize) -> Option<Vec<Column>> {
    let first = begin + 1 + usize::from(draft.is(begin + 1, "DISTINCT"));
    let is_list = draft.is(begin, "WITH") || draft.is(begin, "RETURN");
    if !is_list || first >= end {
        return None;
    }
    let mut found = Vec::new();
    let mut start = first;
    let mut at = first;
    loop {
        if at >= end || draft.is(at, ",") {
            found.push(column(draft, start, at)?);
            start = at + 1;
            if at >= end {
                return Some(found);
            }
        }
        at = match draft.token(at) {
            "(" | "[" | "{" => draft.closing(at)? + 1,
            "*" if at == first => return None,
            _ if ["ORDER", "SKIP", "LIMIT", "WHERE"].iter().any(|word| draft.is(at, word)) => return None,
            _ => at + 1,
        };
    }
}

fn column(draft: &Draft<'_>, start: usize, end: usize) -> Option<Column> {
    let has_alias = end >= start + 3 && draft.is(end - 2, "AS") && draft.is_name(end - 1);
    let value_end = if has_alias { end - 2 } else { end };
    (value_end > start).then_some(Column { start, value_end, alias: has_alias.then(|| end - 1) })
}

/// Returns the names of columns, with new names for those without one.
pub(super) fn column_names(draft: &Draft<'_>, columns: &[Column]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let name = match column.alias {
            Some(alias) => draft.token(alias).to_owned(),
            None if column.is_name(draft) => draft.token(column.start).to_owned(),
            None => {
                let wanted = draft.name_for(column.start, column.value_end);
                let mut name = draft.fresh_name(&wanted);
                let mut number = 2;
                while names.contains(&name) {
                    name = draft.fresh_name(&format!("{wanted}_{number}"));
                    number += 1;
                }
                name
            }
        };
        names.push(name);
    }
    names
}

/// Returns `value AS name`, or the name alone if it is the value.
pub(super) fn aliased(value: &str, name: &str) -> String {
    if value == name { value.to_owned() } else { format!("{value} AS {name}") }
}
