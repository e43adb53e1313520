//! Lists the rules that find the steps of a repair.

use super::{
    ChangeCode, aggregates, aliases, brackets, clauses, date_differences,
    draft::Draft,
    functions, groups, map_conditions, names, operators, patterns, placeholders, scope,
    step::{Outcome, Step},
    subqueries,
};
use crate::diagnostic::Diagnostic;

/// A rule: looks for a way to mend a fault of a query.
type Rule = fn(&Draft<'_>, &Diagnostic) -> Option<Outcome>;

/// The rules, in the order in which they are tried.
const RULES: &[Rule] = &[
    safe_fix,
    placeholders::lost_value,
    map_conditions::condition_of_map,
    operators::like,
    operators::not_before_operator,
    operators::between,
    operators::is_value_test,
    operators::turned_comparison,
    operators::matches,
    operators::cast,
    operators::page_order,
    operators::direction_behind_key,
    operators::bars_between_conditions,
    functions::foreign_function,
    functions::chained_method,
    date_differences::difference_function,
    date_differences::subtraction,
    functions::length_of_list,
    functions::current_time,
    patterns::exists_without_braces,
    patterns::single_dash,
    patterns::node_with_dot,
    patterns::type_as_operator,
    patterns::missing_node,
    patterns::node_without_brackets,
    patterns::repeated_relationship,
    patterns::counted_pattern,
    patterns::pattern_with_variables,
    patterns::pattern_among_columns,
    clauses::condition_behind_return,
    clauses::return_in_the_middle,
    clauses::subquery_at_the_end,
    clauses::and_in_place_of_comma,
    clauses::and_between_columns,
    clauses::distinct_first,
    clauses::values_in_brackets,
    groups::group_by,
    groups::selected_column,
    groups::other_language,
    aggregates::condition_in_aggregate,
    aggregates::aggregate_in_condition,
    aggregates::aggregate_into_with,
    aggregates::aggregate_before,
    aggregates::order_by_column,
    aggregates::column_of_the_same_clause,
    subqueries::import,
    subqueries::export,
    // Before the next one: a variable carried through DISTINCT would leave more rows.
    scope::condition_before_distinct,
    scope::carried_variable,
    names::misspelled_variable,
    aliases::column_name,
    aliases::repeated_column,
    aliases::columns_of_union,
    brackets::unescaped_quote,
    brackets::name_with_blanks,
    brackets::date_without_quotes,
    brackets::missing_colon,
    brackets::extra_comma,
    brackets::missing_bracket,
    brackets::extra_bracket,
    clauses::comma_between_columns,
    brackets::truncated,
];

/// Returns the outcomes of the rules for a fault.
pub(super) fn outcomes<'d>(
    draft: &'d Draft<'d>,
    fault: &'d Diagnostic,
) -> impl Iterator<Item = Outcome> + 'd {
    RULES.iter().filter_map(move |rule| rule(draft, fault))
}

/// Applies the safe fix that comes with a fault.
fn safe_fix(_: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let fix = fault.fix.as_ref().filter(|fix| fix.safe)?;
    let message = format!("{}; changed to `{}`", fault.message, fix.text);
    Some(Outcome::Step(Step::new(ChangeCode::Fix, message).replace(fix.span, fix.text.as_str())))
}
