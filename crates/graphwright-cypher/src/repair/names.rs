//! Variables whose spelling differs from their definition.

use super::{
    ChangeCode,
    draft::Draft,
    places, scope,
    step::{Outcome, Step},
};
use crate::{
    builder::quote,
    diagnostic::Diagnostic,
    syntax::tree::{ClauseKind, SingleQuery},
};

/// Corrects a misspelled variable, if only one is that near.
///
/// `MATCH (person) RETURN preson.name` → `RETURN person.name`
pub(super) fn misspelled_variable(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, used| {
        let known = visible(query, used);
        let near: Vec<&String> = known.iter().filter(|known| is_near(&name, known)).collect();
        let [meant] = near.as_slice() else { return None };
        let message = format!("`{meant}` in place of `{name}`, which nothing defines");
        let step = Step::new(ChangeCode::NameMended, message);
        Some(Outcome::Step(step.replace(fault.span, quote(meant).ok()?)))
    })
}

/// Returns the variables that a clause sees.
fn visible(query: &SingleQuery, used: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for clause in query.clauses.iter().take(used + 1) {
        let bound = places::bound_names(clause);
        if matches!(&clause.kind, ClauseKind::With(projection) if !projection.all) {
            names.clear();
        }
        names.extend(bound);
    }
    names.sort();
    names.dedup();
    names
}

/// Returns whether two names differ in case, in a number behind one of them, or in a letter or two
/// of a long word.
fn is_near(name: &str, known: &str) -> bool {
    let without_number = |name: &str| name.trim_end_matches(|part: char| part.is_ascii_digit()).to_owned();
    let same_base = without_number(name) == known || without_number(known) == name;
    // Short names often differ by one letter on purpose.
    let allowed = match name.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    name.eq_ignore_ascii_case(known) || same_base || strsim::osa_distance(name, known) <= allowed
}
