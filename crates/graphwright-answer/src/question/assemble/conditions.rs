//! Values, dates and numbers: which thing has them, and in which property.

use graphwright_core::{Value, text::identifier_words};
use graphwright_english::{dates::Days, inflection, thesaurus, words};

use super::{
    items::Items,
    owners::{holder, owner},
    parts::Condition,
};
use crate::{
    question::{
        Piece, Span,
        annotate::Compare,
        plan::{Filter, Join, JoinTest, Plan, Test, Variable},
    },
    schema::{Content, Hop, Label, Property, Schema, is_date_name},
};

/// From this weight on, words are those of the graph and its ontology.
pub(super) const DECLARED: f64 = 0.9;

/// The nearest unused property that stands next to a condition, with at most two small words between.
pub(super) fn beside(items: &Items<'_>, condition: &Condition, used: &[bool]) -> Option<usize> {
    let span = &condition.span;
    let gap = |other: &Span| {
        if other.first >= span.end { (span.end, other.first) } else { (other.end, span.first) }
    };
    let width = |(from, to): (usize, usize)| to.saturating_sub(from);
    // `Two discontinued products` have no number of being discontinued.
    let is_number = matches!(span.piece, Piece::Quantity(..) | Piece::Between(..) | Piece::Extreme(..));
    let is_truth = |property: &Property| items.schema.property(*property).content == Content::Truth;
    let candidates = items.conditions.iter().enumerate().filter(|(number, other)| {
        let (from, to) = gap(&other.span);
        let is_told = is_number && other.properties().is_some_and(|named| named.iter().all(is_truth));
        !used[*number]
            && !is_told
            && matches!(other.span.piece, Piece::Property(_))
            && other.span != *span
            && width((from, to)) <= 2
            && !items
                .things
                .iter()
                .any(|thing| thing.first >= from && thing.end <= to && thing.first < thing.end)
    });
    candidates.min_by_key(|(_, other)| width(gap(&other.span))).map(|(number, _)| number)
}

pub(super) fn filter(plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) {
    for (number, condition) in items.conditions.iter().enumerate() {
        let test = match &condition.span.piece {
            Piece::Value(_) => None,
            Piece::Time(compare, days) => Some(Test::Time(*compare, *days)),
            Piece::Month(month) => Some(Test::Month(*month)),
            Piece::SameYear(others) => Some(Test::SameYear(others.clone())),
            Piece::Quantity(compare, amount, _) => Some(Test::Number(*compare, *amount)),
            Piece::Between(low, high) => Some(Test::Between(*low, *high)),
            Piece::Than(compare, others, _) => Some(Test::Than(*compare, others.clone())),
            _ => continue,
        };
        if std::mem::replace(&mut used[number], true) {
            continue;
        }
        let neighbour = beside(items, condition, used);
        // `In the same region as Kenya are landlocked`: the words say themselves what is compared.
        let measured = match &condition.span.piece {
            Piece::Quantity(.., measured) | Piece::Than(.., measured) if !measured.is_empty() => {
                Some(measured.as_slice())
            }
            _ => None,
        };
        let neighbour = neighbour.filter(|_| measured.is_none());
        let named = measured.or(neighbour.and_then(|at| items.conditions[at].properties()));
        let negated_beside = neighbour.is_some_and(|at| items.conditions[at].negated);
        // `In Asia and not landlocked`: the property beside a value need not be the value's own.
        let is_own = match &condition.span.piece {
            Piece::Value(values) => {
                values.iter().any(|(property, _)| named.is_some_and(|named| named.contains(property)))
            }
            // `On 1 May never left`: no day is denied.
            _ if test.as_ref().is_some_and(Test::is_date) => {
                named.is_some_and(|named| named.iter().any(|property| items.schema.is_date_like(*property)))
            }
            _ => true,
        };
        let negated = condition.negated || negated_beside && is_own;
        let taken = match (&condition.span.piece, test) {
            (Piece::Value(values), _) => {
                filter_by_value(plan, items, &condition.span, values, named, negated)
            }
            (_, Some(test)) => filter_by_measure(plan, items, &condition.span, test, named, negated),
            _ => None,
        };
        match (taken, neighbour) {
            (Some(true), Some(neighbour)) => used[neighbour] = true,
            (Some(_), _) => {}
            (None, _) => leave_out(plan, &condition.span),
        }
    }
    for (_, condition) in items.conditions.iter().enumerate().filter(|(number, _)| !used[*number]) {
        let Some(properties) = condition.properties() else { continue };
        if let Some((join, names)) = holder(plan, items, properties, &condition.span)
            && !condition.negated
            && plan.joins[join].test.is_none()
        {
            plan.score *= 0.9;
            plan.joins[join].test = Some(JoinTest { names, test: Test::Present });
            continue;
        }
        // `Shipped late`: that there is a date says nothing of late.
        let owned = owner(plan, items, properties, &condition.span, false);
        let is_declared = condition.span.weight >= DECLARED;
        match owned.filter(|_| is_declared || !is_graded(items, &condition.span, properties)) {
            Some((owner, fit)) => {
                // What is true of a thing is said by its word alone; that it has some value seldom is.
                let is_truth =
                    |property: &Property| items.schema.property(*property).content == Content::Truth;
                let sure = if is_declared && properties.iter().all(is_truth) { 0.92 } else { 0.75 };
                plan.score *= sure * fit.max(0.7);
                add_filter(
                    plan,
                    owner,
                    &condition.span,
                    properties.to_vec(),
                    Test::Present,
                    condition.negated,
                );
            }
            None => leave_out(plan, &condition.span),
        }
    }
}

/// Whether the word is an adjective for how much there is of what the properties hold, and none of their names.
fn is_graded(items: &Items<'_>, span: &Span, properties: &[Property]) -> bool {
    let Some(token) = items.tokens.get(span.first).filter(|_| span.end == span.first + 1) else {
        return false;
    };
    let is_named = |property: &Property| {
        let name = &items.schema.property(*property).name;
        identifier_words(name).iter().any(|word| inflection::base_stem(word) == token.stem)
    };
    !thesaurus::measures(&token.stem).is_empty() && !properties.iter().any(is_named)
}

/// Nothing has what the words say.
fn leave_out(plan: &mut Plan, span: &Span) {
    plan.score *= 0.3;
    plan.unused.extend(span.first..span.end);
}

fn add_filter(
    plan: &mut Plan,
    owner: usize,
    span: &Span,
    properties: Vec<Property>,
    test: Test,
    negated: bool,
) {
    plan.variables[owner].filters.push(Filter { properties, test, negated, at: span.first });
}

/// Whether a property beside it was part of the condition; `None` when nothing can have the value.
fn filter_by_value(
    plan: &mut Plan,
    items: &Items<'_>,
    span: &Span,
    values: &[(Property, Value)],
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let is_named = |property: &Property| named.is_some_and(|named| named.contains(property));
    let together = values.iter().any(|(property, _)| is_named(property));
    let chosen = values.iter().filter(|(property, _)| !together || is_named(property)).cloned();
    let (properties, values): (Vec<Property>, Vec<Value>) = chosen.unzip();
    // `Who played Neo`, where the roles are those of having acted.
    if let Some((join, names)) = holder(plan, items, &properties, span)
        && !negated
        && plan.joins[join].test.is_none()
    {
        plan.joins[join].test = Some(JoinTest { names, test: Test::OneOf(values) });
        return Some(together);
    }
    let (owner, fit) = owner(plan, items, &properties, span, false)?;
    plan.score *= fit.max(0.6).sqrt();
    add_filter(plan, owner, span, properties, Test::OneOf(values), negated);
    Some(together)
}

fn filter_by_measure(
    plan: &mut Plan,
    items: &Items<'_>,
    span: &Span,
    test: Test,
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let is_compared = matches!(test, Test::Than(..) | Test::SameYear(_));
    let is_date = test.is_date();
    let (schema, is_time) = (items.schema, is_compared || is_date);
    // `Before Ada` speaks of time.
    let is_date =
        is_date || is_compared && matches!(items.tokens[span.first].lower.as_str(), "before" | "after");
    // A date is no text and no amount: `shipped before 1996` speaks of no address to ship to.
    let fits = |property: &&Property| match test {
        Test::Number(..) | Test::Between(..) => schema.property(**property).content == Content::Number,
        _ => !is_date || schema.is_date_like(**property),
    };
    let fitting: Option<Vec<Property>> = named.map(|named| named.iter().filter(fits).copied().collect());
    let named = fitting.as_deref().filter(|named| !named.is_empty());
    let is_rank = named.is_some_and(|named| named.iter().all(|property| schema.is_rank(*property)));
    if let Some((join, names)) = named.and_then(|named| holder(plan, items, named, span))
        && !negated
        && !is_compared
        && plan.joins[join].test.is_none()
    {
        plan.joins[join].test = Some(JoinTest { names, test });
        // A place in an order is one that the relationship gives.
        plan.guessed = plan.guessed.saturating_sub(usize::from(is_rank));
        return Some(true);
    }
    if let Some(named) = named
        && let Some((owner, _)) = owner(plan, items, named, span, false)
    {
        add_filter(plan, owner, span, named.to_vec(), exact(test, named, items), negated);
        return Some(true);
    }
    // A place in an order is no other number.
    if is_rank {
        return None;
    }
    // `The same as Chai`, of which nothing says what is the same.
    if named.is_none() && matches!(test, Test::Than(Compare::Is, _)) && !items.says_date(span) {
        return None;
    }
    let is_measured = |(name, content): (&String, &Content)| {
        if is_time { *content == Content::Date || is_date_name(name) } else { *content == Content::Number }
    };
    let measured = |join: &Join| -> Vec<String> {
        let own = schema.edge_properties.get(&join.kind).into_iter().flatten();
        own.filter(|own| is_measured(*own)).map(|(name, _)| name.clone()).collect()
    };
    let mut joins = plan.joins.iter_mut().filter(|_| named.is_none() && !is_compared);
    if let Some(join) = joins.find(|join| join.test.is_none() && !measured(join).is_empty()) {
        let names = measured(join);
        // `More than 20` of what, where a relationship has a price and an amount?
        let is_clear = is_time || names.len() == 1;
        join.test = Some(JoinTest { names, test });
        plan.score *= if is_clear { 0.95 } else { 0.5 };
        if !is_clear {
            plan.unused.extend(span.first..span.end);
        }
        return Some(false);
    }
    let all: Vec<_> =
        plan.variables.iter().filter_map(|variable| variable.labels.clone()).flatten().collect();
    // A bare `2018` of things with dates is a year.
    let is_bare = named.is_none() && span.end == span.first + 1;
    let year = year_of(&test).filter(|_| is_bare && !schema.date_properties(&all).is_empty());
    let is_time = is_time || year.is_some();
    let test = year.unwrap_or(test);
    let mut properties = if is_time { schema.date_properties(&all) } else { schema.number_properties(&all) };
    let is_said = |property: &Property| items.says_word_of(&schema.property(*property).name);
    if is_compared && is_time {
        keep_births(&mut properties, &all, span, items);
    }
    // `Played for Norway before 2000` tells of no birth.
    if is_time && !is_compared {
        properties.retain(|property| !schema.is_time_without_date(*property));
        properties.retain(|property| is_said(property) || !schema.is_of_life(*property));
    }
    if properties.iter().any(is_said) {
        properties.retain(is_said);
    }
    let mut found = owner(plan, items, &properties, span, false);
    if found.is_none() && is_time && !is_compared {
        found = add_dated(plan, items, span.first).map(|dated| (dated, 1.0));
        properties = found.map_or(Vec::new(), |(dated, _)| dates_of(plan, dated, schema));
    }
    let (owner, fit) = found?;
    let labels = plan.variables[owner].labels.as_deref().unwrap_or_default();
    properties.retain(|property| schema.have(labels, *property));
    plan.score *= fit.max(0.5) * if properties.len() == 1 { 0.85 } else { 0.6 };
    add_filter(plan, owner, span, properties, test, negated);
    Some(false)
}

fn dates_of(plan: &Plan, variable: usize, schema: &Schema) -> Vec<Property> {
    let labels = plan.variables[variable].labels.as_deref().unwrap_or_default();
    let mut dates = schema.date_properties(labels);
    dates.retain(|date| !labels.is_empty() && !schema.is_of_life(*date));
    dates
}

/// `Whom did he drive for in 2008`: adds the race of the result, as what happened has no date of its own. `None` where nothing that
/// only happens with what is named is of one thing that has a date.
fn add_dated(plan: &mut Plan, items: &Items<'_>, at: usize) -> Option<usize> {
    let schema = items.schema;
    let has_dates = |hop: &&Hop| {
        let dates = schema.date_properties(&[hop.to]);
        dates.iter().any(|date| !schema.is_of_life(*date))
    };
    let dated = |event: usize| {
        let labels = plan.variables[event].labels.as_deref()?;
        let hops = schema.determined(labels);
        let mut dated = hops.iter().filter(has_dates);
        Some((event, *dated.next().filter(|_| dated.next().is_none())?))
    };
    let (left, hop) = (items.things.len()..plan.variables.len()).find_map(dated)?;
    let right = plan.variables.len();
    plan.variables.push(Variable { labels: Some(vec![hop.to]), between: true, at, ..Variable::default() });
    plan.joins.push(Join::new(left, hop.kind, right));
    Some(right)
}

/// `Older than Ada`, `the youngest employee`: of all that are dates, that of the birth.
pub(super) fn keep_births(dates: &mut Vec<Property>, labels: &[Label], span: &Span, items: &Items<'_>) {
    let of_age = (span.first..span.end).any(|at| words::is_of_age(&items.tokens[at].lower));
    let births = if of_age { items.schema.birth_properties(labels) } else { Vec::new() };
    if !births.is_empty() {
        *dates = births;
    }
}

/// The test of a date that a number of four digits is.
fn year_of(test: &Test) -> Option<Test> {
    let Test::Number(compare, amount) = test else { return None };
    let year = amount.to_string();
    let days = Days::at_start_of(&[&year]).filter(|_| year.len() == 4)?.0;
    Some(Test::Time(*compare, days))
}

/// A date by which something is due is that date: `due by March` asks for what is due in March.
fn exact(test: Test, properties: &[Property], items: &Items<'_>) -> Test {
    let is_due = |property: &Property| items.schema.property(*property).name.ends_with("_by");
    match test {
        Test::Time(Compare::AtMost, days) if properties.iter().all(is_due) => Test::Time(Compare::Is, days),
        other => other,
    }
}
