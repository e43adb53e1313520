//! Properties and labels under the names that the engine keeps them.

use graphwright_core::Value;

use super::{
    Pass, Result,
    clean::BEFORE_OPERAND,
    reserved::{VECTOR_MARK, label_to_engine, property_to_engine},
};
use crate::{builder::quote, edit::Edits, lexer::TokenKind, source::Source};

/// Words that the engine does not read as names of properties, labels and aliases either.
const RESERVED: [&str; 29] = [
    "MATCH", "OPTIONAL", "WHERE", "RETURN", "WITH", "AS", "AND", "OR", "NOT", "IN", "IS", "NULL", "UNWIND",
    "UNION", "ALL", "DISTINCT", "CREATE", "SET", "DELETE", "DETACH", "MERGE", "REMOVE", "FOREACH", "CASE",
    "WHEN", "THEN", "ELSE", "EXISTS", "XOR",
];

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for index in 0..source.len() {
        if source.is_name(index) {
            name(source, index, &mut edits);
            listing(pass, index, &mut edits);
        } else if source.is_symbol(index, "[") {
            lookup(pass, index, &mut edits);
            list_after_in(source, index, &mut edits);
        }
    }
    Ok(edits)
}

fn name(source: &Source<'_>, index: usize, edits: &mut Edits) {
    let Some(name) = source.name(index) else { return };
    if source.is_any_word(index, &RESERVED) && source.is_name_position(index) {
        edits.replace(source.span(index), format!("`{name}`"));
        return;
    }
    let is_call = source.is_symbol(index + 1, "(");
    let after_dot = source.before(index, |before| source.is_symbol(before, "."));
    let renamed = if source.is_map_colon(index + 1) || after_dot && !is_call {
        property_to_engine(&name)
    } else if is_label(source, index) {
        label_to_engine(&name)
    } else if is_projected_variable(source, index) {
        let key = property_to_engine(&name);
        if key != name {
            edits.insert(source.span(index).start, format!("{key}: "));
        }
        return;
    } else {
        return;
    };
    if renamed != name
        && let Ok(quoted) = quote(&renamed)
    {
        edits.replace(source.span(index), quoted);
    }
}

fn is_label(source: &Source<'_>, index: usize) -> bool {
    let in_relationship = source.around(index).is_some_and(|open| {
        source.is_symbol(open, "[") && source.before(open, |before| source.is_symbol(before, "-"))
    });
    !in_relationship
        && source.is_name_position(index)
        && source.before(index, |before| source.is_any_symbol(before, &[":", "|", "&", "!"]))
}

/// `n {name}`: a variable whose name becomes a key.
fn is_projected_variable(source: &Source<'_>, index: usize) -> bool {
    source.around(index).is_some_and(|open| {
        source.is_symbol(open, "{")
            && source.subquery(open).is_none()
            && source.before(index, |before| before == open || source.is_symbol(before, ","))
            && (source.is_symbol(index + 1, ",") || index + 1 == source.partner(open))
    })
}

const PROPERTIES: &str = "id|title|name|type|label|node_type|__id|__title|__overflow_data|__overflow_offsets";
const LABELS: &str = "Node|KgliteRecipe|KgliteSkill";

/// `keys(n)` and `labels(n)` give names as values, with entries of the engine's own.
fn listing(pass: &mut Pass<'_>, index: usize, edits: &mut Edits) {
    let source = pass.source;
    let is_call =
        source.is_symbol(index + 1, "(") && !source.before(index, |before| source.is_symbol(before, "."));
    let names = match () {
        () if !is_call => return,
        () if source.is_word(index, "keys") => PROPERTIES,
        () if source.is_word(index, "labels") => LABELS,
        () => return,
    };
    let each = pass.fresh();
    let own = names.split('|').map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let hidden = if names == PROPERTIES {
        format!(" AND NOT {each} STARTS WITH '{VECTOR_MARK}'")
    } else {
        String::new()
    };
    edits.insert(source.span(index).start, format!("([{each} IN "));
    edits.insert(
        source.span(source.partner(index + 1)).end,
        format!(
            " WHERE NOT {each} IN [{own}]{hidden} | CASE WHEN {each} =~ '({names})_+' THEN substring({each}, 0, size({each}) - 1) ELSE {each} END])"
        ),
    );
}

/// The engine reads only the items of a list after `IN`, unless the list stands in parentheses.
fn list_after_in(source: &Source<'_>, open: usize, edits: &mut Edits) {
    let after_in = source.before(open, |before| source.is_word(before, "IN"));
    let comprehension = source.is_word(open + 2, "IN") || source.is_any_symbol(open + 1, &["("]);
    if after_in && comprehension {
        edits.insert(source.span(open).start, "(");
        edits.insert(source.span(source.partner(open)).end, ")");
    }
}

/// `n[key]`: the key is only known when the query runs.
fn lookup(pass: &mut Pass<'_>, open: usize, edits: &mut Edits) {
    let source = pass.source;
    let after_operand = source.before(open, |before| {
        source.is_any_symbol(before, &[")", "]", "}"])
            || source.kind(before) == Some(TokenKind::Parameter)
            || source.is_name(before)
                && (source.is_name_position(before)
                    || !source.is_any_word(before, &BEFORE_OPERAND) && !source.is_word(before, "EACH"))
    });
    let inner = open + 1..source.partner(open);
    let in_pattern = source.is_symbol(inner.end + 1, "-");
    if !after_operand
        || inner.is_empty()
        || in_pattern && source.before(open, |before| source.is_symbol(before, "-"))
    {
        return;
    }
    if inner.len() == 1 {
        match source.kind(inner.start) {
            Some(TokenKind::Integer) => return,
            Some(TokenKind::String) => {
                let text = source.text(inner.start);
                let key = text.get(1..text.len() - 1).unwrap_or_default();
                edits.replace(source.span(inner.start), format!("'{}'", property_to_engine(key)));
                return;
            }
            Some(TokenKind::Parameter) => {
                let given = source.name(inner.start).unwrap_or_default().into_owned();
                if let Some(Value::String(key)) = pass.rewritten.parameters.get(&given) {
                    let key = Value::from(property_to_engine(key).into_owned());
                    let name = pass.fresh();
                    edits.replace(source.span(inner.start), format!("${name}"));
                    pass.rewritten.parameters.insert(name, key);
                }
                return;
            }
            _ => {}
        }
    }
    let is_position = source.level(inner.clone()).any(|index| {
        source.is_any_symbol(index, &["..", "-", "*", "/", "%", "["])
            || source.is_any_word(index, &["size", "length"])
    });
    if is_position || inner.clone().any(|index| source.is_symbol(index, "[")) {
        return;
    }
    let key = source.text_of(&inner);
    edits.replace(
        source.span_of(&inner),
        format!("CASE WHEN toString({key}) =~ '({PROPERTIES})_*' THEN {key} + '_' ELSE {key} END"),
    );
}
