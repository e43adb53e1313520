//! From a draft of joined things to a plan: conditions, what is asked for, rankings.

use super::{
    items::{Condition, Items},
    joins::Draft,
};
use crate::{
    english::tokens::identifier_words,
    question::{
        Form, Piece,
        annotate::{Compare, Measure},
        plan::{Filter, Plan, Projection, Ranking, Test, Variable},
    },
    schema::{Content, Label, Property, Schema},
};

/// Completes a draft; `None` when there is nothing to look for.
pub(super) fn finish(draft: Draft, items: &Items<'_>, schema: &Schema) -> Option<Plan> {
    let variables = variables(&draft, items, schema)?;
    if variables.is_empty() {
        return None;
    }
    let mut plan = Plan {
        variables,
        joins: draft.joins,
        answer: usize::MAX,
        projection: Projection::Entities,
        score: draft.score,
        unexplained: Vec::new(),
        guessed: draft.guessed,
    };
    for (left, right) in draft.different {
        let entities = plan.variables[right].entities.clone().unwrap_or_default();
        plan.variables[left].excluded.extend(entities);
    }
    if let Some(answer) = items.answer {
        plan.answer = answer;
    }
    let mut used = vec![false; items.conditions.len()];
    choose_projection(&mut plan, items, schema, &mut used);
    if plan.answer == usize::MAX {
        plan.answer = plan.variables.iter().position(|variable| variable.entities.is_some()).unwrap_or(0);
    }
    for (counted, most) in draft.extremes {
        let answer = plan.answer;
        plan.variables[answer].ranking = Some(Ranking::Number(counted, most));
    }
    rank(&mut plan, items, schema, &mut used);
    filter(&mut plan, items, schema, &mut used);
    exclude(&mut plan, items);
    expand_groups(&mut plan, items);
    if says_nothing(&plan, items) {
        return None;
    }
    narrow_by_properties(&mut plan, schema);
    let named =
        plan.variables.iter().any(|variable| variable.entities.is_some() || variable.labels.is_some());
    named.then_some(plan)
}

/// `Who has the highest salary` asks for something that has a salary.
fn narrow_by_properties(plan: &mut Plan, schema: &Schema) {
    for variable in
        plan.variables.iter_mut().filter(|variable| variable.labels.is_none() && variable.entities.is_none())
    {
        let ranked = match &variable.ranking {
            Some(Ranking::Property(properties, _)) => properties.as_slice(),
            _ => &[],
        };
        let filtered = variable.filters.iter().flat_map(|filter| &filter.properties);
        let mut labels: Vec<Label> = filtered
            .chain(ranked)
            .flat_map(|property| schema.property(*property).labels.iter().copied())
            .collect();
        labels.sort_unstable();
        labels.dedup();
        variable.labels = (!labels.is_empty()).then_some(labels);
    }
}

/// Whether it only repeats what the question names.
fn says_nothing(plan: &Plan, items: &Items<'_>) -> bool {
    let bare = plan.joins.is_empty() && plan.variables.iter().all(|variable| variable.filters.is_empty());
    let named = plan.variables[plan.answer].entities.is_some();
    let kind = items.things.iter().any(|thing| thing.kind_asked);
    match plan.projection {
        Projection::Truth => bare && !kind,
        Projection::Entities | Projection::Number => bare && named,
        _ => false,
    }
}

fn variables(draft: &Draft, items: &Items<'_>, schema: &Schema) -> Option<Vec<Variable>> {
    let mut variables = Vec::new();
    for (number, labels) in draft.labels.iter().enumerate() {
        let mut variable = Variable { labels: labels.clone(), ..Variable::default() };
        if let Some(thing) = items.things.get(number) {
            variable.at = thing.first;
            let members = if thing.all {
                thing.members.first().cloned()
            } else {
                (!thing.members.is_empty()).then(|| thing.members.concat())
            };
            variable.alternatives = thing.members.len() == 1;
            variable.entities = members.map(|mut nodes| {
                nodes.retain(|&node| match (schema.label_of(node), labels) {
                    (Some(label), Some(labels)) => labels.contains(&label),
                    _ => true,
                });
                nodes
            });
            if variable.entities.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
        }
        variables.push(variable);
    }
    Some(variables)
}

/// Several names that must all be met become several variables.
fn expand_groups(plan: &mut Plan, items: &Items<'_>) {
    for (number, thing) in items.things.iter().enumerate() {
        if !thing.all || thing.members.len() < 2 || thing.excluded {
            continue;
        }
        let joins: Vec<usize> = (0..plan.joins.len())
            .filter(|&join| plan.joins[join].left == number || plan.joins[join].right == number)
            .collect();
        let [join] = joins.as_slice() else {
            plan.variables[number].entities = Some(thing.members.concat());
            plan.variables[number].alternatives = false;
            continue;
        };
        for nodes in &thing.members[1..] {
            let copy = plan.variables.len();
            let mut variable = plan.variables[number].clone();
            variable.entities = Some(nodes.clone());
            plan.variables.push(variable);
            let mut join = plan.joins[*join].clone();
            if join.left == number {
                join.left = copy;
            } else {
                join.right = copy;
            }
            plan.joins.push(join);
        }
    }
}

fn exclude(plan: &mut Plan, items: &Items<'_>) {
    for thing in items.things.iter().filter(|thing| thing.excluded) {
        let answer = plan.answer;
        plan.variables[answer].excluded.extend(thing.members.iter().flatten());
    }
}

fn choose_projection(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    match items.head.form {
        Form::Truth => {
            plan.projection = Projection::Truth;
            return;
        }
        Form::Count if plan.answer != usize::MAX => {
            plan.projection = Projection::Number;
            return;
        }
        _ => {}
    }
    if plan.answer != usize::MAX {
        return;
    }
    let when = items.head.form == Form::When;
    let asked = items.conditions.iter().position(|condition| match &condition.span.piece {
        Piece::Property(properties) => {
            !when || properties.iter().any(|(property, _)| is_date_like(schema, *property))
        }
        _ => false,
    });
    if let Some(asked) = asked
        && let Piece::Property(properties) = &items.conditions[asked].span.piece
    {
        let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
        let span = &items.conditions[asked].span;
        if let Some((owner, fit)) = owner(plan, items, schema, &properties, span.first, span.end, true) {
            for (number, condition) in items.conditions.iter().enumerate() {
                let same = matches!(&condition.span.piece, Piece::Property(others) if others.iter().any(|(other, _)| properties.contains(other)));
                used[number] |= same;
            }
            used[asked] = true;
            plan.answer = owner;
            plan.score *= fit.max(0.85);
            plan.projection = Projection::Values(properties);
            return;
        }
    }
    if when {
        choose_date(plan, schema);
        return;
    }
    let open = plan.variables.iter().position(|variable| variable.entities.is_none());
    plan.answer = open.unwrap_or(usize::MAX);
}

/// `When did Ada join the team?`: a date of the relationship, a thing that is a date, or a date of the thing.
fn choose_date(plan: &mut Plan, schema: &Schema) {
    for (number, join) in plan.joins.iter().enumerate() {
        let dates: Vec<String> = schema
            .edge_properties
            .get(&join.kind)
            .into_iter()
            .flatten()
            .filter(|(name, content)| **content == Content::Date || is_date_name(name))
            .map(|(name, _)| name.clone())
            .collect();
        if !dates.is_empty() {
            plan.projection = Projection::JoinValue(number, dates);
            return;
        }
    }
    let open = plan.variables.iter().position(|variable| {
        let labels = variable.labels.as_deref().unwrap_or_default();
        variable.entities.is_none() && labels.iter().any(|label| is_date_name(schema.label(*label)))
    });
    if let Some(open) = open {
        plan.answer = open;
        return;
    }
    let labels: Vec<Label> =
        plan.variables.first().and_then(|variable| variable.labels.clone()).unwrap_or_default();
    let dates = date_properties(schema, &labels);
    plan.answer = 0;
    plan.score *= if dates.len() == 1 { 0.8 } else { 0.5 };
    plan.projection = Projection::Values(dates);
}

/// The variable that has the property, by what stands near.
fn owner(
    plan: &Plan,
    items: &Items<'_>,
    schema: &Schema,
    properties: &[Property],
    first: usize,
    end: usize,
    asked: bool,
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (number, variable) in plan.variables.iter().enumerate().take(items.things.len()) {
        let thing = &items.things[number];
        let fits = variable.labels.as_ref().is_none_or(|labels| {
            properties
                .iter()
                .any(|property| labels.iter().any(|label| schema.property(*property).labels.contains(label)))
        });
        if !fits || thing.excluded {
            continue;
        }
        let between = |from: usize, to: usize| {
            items.things.iter().filter(|other| other.first >= from && other.end <= to).count()
        };
        let near = if thing.first >= end {
            let gap = between(end, thing.first) as i32;
            let base = match (asked, thing.first - end) {
                (true, _) | (false, 0) => 1.0,
                (false, _) => 0.7,
            };
            base * 0.8_f64.powi(gap)
        } else {
            let gap = between(thing.end, first) as i32;
            0.95 * 0.8_f64.powi(gap)
        };
        let named =
            if thing.members.is_empty() || asked || items.head.form == Form::Truth { 1.0 } else { 0.6 };
        let known = if variable.labels.is_some() { 1.0 } else { 0.6 };
        let fit = near * named * known;
        if best.is_none_or(|(_, other)| fit > other) {
            best = Some((number, fit));
        }
    }
    best
}

fn rank(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Extreme(most, measure) = &condition.span.piece else { continue };
        used[number] = true;
        let end = condition.span.end;
        let beside = beside(items, condition, used, |piece| matches!(piece, Piece::Property(_)));
        let next = items.things.iter().position(|thing| thing.first >= end && thing.first <= end + 1);
        let counts = *measure == Measure::Number
            && next.is_some_and(|next| next != plan.answer)
            && beside.is_none_or(|beside| {
                next.is_some_and(|next| items.things[next].first <= items.conditions[beside].span.first)
            });
        if let Some(counted) = next.filter(|_| counts) {
            let answer = plan.answer;
            plan.variables[answer].ranking = Some(Ranking::Number(counted, *most));
            continue;
        }
        if *measure == Measure::Number && beside.is_none() {
            plan.score *= 0.4;
            continue;
        }
        let ranked = next.filter(|&next| items.things[next].members.is_empty()).unwrap_or(plan.answer);
        let labels =
            plan.variables.get(ranked).and_then(|variable| variable.labels.clone()).unwrap_or_default();
        let mut properties: Vec<Property> = match beside.map(|beside| &items.conditions[beside].span.piece) {
            Some(Piece::Property(properties)) => properties.iter().map(|(property, _)| *property).collect(),
            _ => match measure {
                Measure::Properties(properties) => properties.clone(),
                Measure::Date => date_properties(schema, &labels),
                _ => number_properties(schema, &labels),
            },
        };
        properties.retain(|property| {
            labels.is_empty() || labels.iter().any(|label| schema.property(*property).labels.contains(label))
        });
        if let Some(beside) = beside {
            used[beside] = true;
        }
        if properties.is_empty() || ranked >= plan.variables.len() {
            plan.score *= 0.4;
            continue;
        }
        plan.score *= if properties.len() > 1 && beside.is_none() { 0.85 } else { 1.0 };
        plan.variables[ranked].ranking = Some(Ranking::Property(properties, *most));
    }
}

/// The nearest unused condition of a sort that stands next to another, with at most two small words between.
fn beside(
    items: &Items<'_>,
    condition: &Condition,
    used: &[bool],
    wanted: impl Fn(&Piece) -> bool,
) -> Option<usize> {
    let span = &condition.span;
    let gap = |other: &Condition| {
        if other.span.first >= span.end {
            other.span.first - span.end
        } else {
            span.first.saturating_sub(other.span.end)
        }
    };
    let candidates = items.conditions.iter().enumerate().filter(|(number, other)| {
        let (from, to) = if other.span.first >= span.end {
            (span.end, other.span.first)
        } else {
            (other.span.end, span.first)
        };
        let things_between = items.things.iter().any(|thing| thing.first >= from && thing.end <= to);
        !used[*number]
            && wanted(&other.span.piece)
            && other.span != *span
            && gap(other) <= 2
            && !things_between
    });
    candidates.min_by_key(|(_, other)| gap(other)).map(|(number, _)| number)
}

fn filter(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    for number in 0..items.conditions.len() {
        if used[number] {
            continue;
        }
        let condition = &items.conditions[number];
        let test = match &condition.span.piece {
            Piece::Value(_) => None,
            Piece::Time(compare, days) => Some(Test::Time(*compare, *days)),
            Piece::Quantity(compare, amount) => Some(Test::Number(*compare, *amount)),
            _ => continue,
        };
        used[number] = true;
        let neighbour = beside(items, condition, used, |piece| matches!(piece, Piece::Property(_)));
        let named: Option<Vec<Property>> =
            neighbour.and_then(|neighbour| match &items.conditions[neighbour].span.piece {
                Piece::Property(properties) => {
                    Some(properties.iter().map(|(property, _)| *property).collect())
                }
                _ => None,
            });
        let negated =
            condition.negated || neighbour.is_some_and(|neighbour| items.conditions[neighbour].negated);
        let taken = match (&condition.span.piece, test) {
            (Piece::Value(values), _) => {
                filter_by_value(plan, items, schema, condition, values, named.as_deref(), negated)
            }
            (_, Some(test)) => {
                filter_by_measure(plan, items, schema, condition, test, named.as_deref(), negated)
            }
            _ => None,
        };
        match taken {
            Some(with_neighbour) => {
                if let Some(neighbour) = neighbour.filter(|_| with_neighbour) {
                    used[neighbour] = true;
                }
            }
            None => plan.score *= 0.3,
        }
    }
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Property(properties) = &condition.span.piece else { continue };
        if used[number] {
            continue;
        }
        let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
        let span = &condition.span;
        match owner(plan, items, schema, &properties, span.first, span.end, false) {
            Some((owner, fit)) => {
                plan.score *= 0.75 * fit.max(0.7);
                let filter = Filter { properties, test: Test::Present, negated: condition.negated };
                plan.variables[owner].filters.push(filter);
            }
            None => plan.score *= 0.3,
        }
    }
}

/// Whether a property beside it was part of the condition; `None` when nothing can have the value.
fn filter_by_value(
    plan: &mut Plan,
    items: &Items<'_>,
    schema: &Schema,
    condition: &Condition,
    values: &[(Property, graphwright_core::Value)],
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let with_name: Vec<_> =
        values.iter().filter(|(property, _)| named.is_some_and(|named| named.contains(property))).collect();
    let together = !with_name.is_empty();
    let chosen = if together { with_name } else { values.iter().collect() };
    let properties: Vec<Property> = chosen.iter().map(|(property, _)| *property).collect();
    let first = condition.span.first;
    let (owner, fit) = owner(plan, items, schema, &properties, first, condition.span.end, false)?;
    plan.score *= fit.max(0.6).sqrt();
    let test = Test::OneOf(chosen.iter().map(|(_, value)| value.clone()).collect());
    plan.variables[owner].filters.push(Filter { properties, test, negated });
    Some(together)
}

fn filter_by_measure(
    plan: &mut Plan,
    items: &Items<'_>,
    schema: &Schema,
    condition: &Condition,
    test: Test,
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let (first, end) = (condition.span.first, condition.span.end);
    let time = matches!(test, Test::Time(..));
    if let Some(named) = named
        && let Some((owner, _)) = owner(plan, items, schema, named, first, end, false)
    {
        let test = exact(test, named, schema);
        plan.variables[owner].filters.push(Filter { properties: named.to_vec(), test, negated });
        return Some(true);
    }
    if named.is_none() {
        let on_join = plan.joins.iter().position(|join| {
            let own = schema.edge_properties.get(&join.kind);
            own.is_some_and(|own| {
                own.iter().any(|(name, content)| {
                    if time {
                        *content == Content::Date || is_date_name(name)
                    } else {
                        *content == Content::Number
                    }
                })
            })
        });
        if let Some(join) = on_join {
            plan.joins[join].test = Some(test);
            plan.score *= 0.95;
            return Some(false);
        }
    }
    let all: Vec<Label> =
        plan.variables.iter().filter_map(|variable| variable.labels.clone()).flatten().collect();
    let properties = if time { date_properties(schema, &all) } else { number_properties(schema, &all) };
    let (owner, fit) = owner(plan, items, schema, &properties, first, end, false)?;
    let labels = plan.variables[owner].labels.clone().unwrap_or_default();
    let own: Vec<Property> = properties
        .into_iter()
        .filter(|property| labels.iter().any(|label| schema.property(*property).labels.contains(label)))
        .collect();
    plan.score *= fit.max(0.5) * if own.len() == 1 { 0.85 } else { 0.6 };
    plan.variables[owner].filters.push(Filter { properties: own, test, negated });
    Some(false)
}

/// A date against a property that holds text is compared as a date where the text is one.
fn exact(test: Test, properties: &[Property], schema: &Schema) -> Test {
    match test {
        Test::Time(Compare::AtMost, days)
            if properties.iter().all(|property| schema.property(*property).name.ends_with("_by")) =>
        {
            Test::Time(Compare::Is, days)
        }
        other => other,
    }
}

pub(super) fn is_date_name(name: &str) -> bool {
    identifier_words(name).iter().any(|word| {
        matches!(
            word.as_str(),
            "date"
                | "year"
                | "day"
                | "month"
                | "since"
                | "until"
                | "deadline"
                | "time"
                | "start"
                | "end"
                | "started"
                | "ended"
                | "founded"
                | "established"
                | "born"
                | "opened"
                | "closed"
                | "from"
                | "to"
                | "valid"
                | "century"
                | "period"
        )
    })
}

fn is_date_like(schema: &Schema, property: Property) -> bool {
    let property = schema.property(property);
    property.content == Content::Date
        || property.dated == Some(true)
        || is_date_name(&property.name)
        || property.name.ends_with("_at")
        || property.name.ends_with("_by")
}

fn date_properties(schema: &Schema, labels: &[Label]) -> Vec<Property> {
    let has = |property: &Property| {
        labels.is_empty() || labels.iter().any(|label| schema.property(*property).labels.contains(label))
    };
    let all = 0..schema.properties.len() as Property;
    let dates: Vec<Property> = all
        .clone()
        .filter(has)
        .filter(|property| schema.property(*property).content == Content::Date)
        .collect();
    if dates.is_empty() {
        all.filter(has).filter(|property| is_date_like(schema, *property)).collect()
    } else {
        dates
    }
}

fn number_properties(schema: &Schema, labels: &[Label]) -> Vec<Property> {
    let has = |property: &Property| {
        labels.is_empty() || labels.iter().any(|label| schema.property(*property).labels.contains(label))
    };
    (0..schema.properties.len() as Property)
        .filter(has)
        .filter(|property| schema.property(*property).content == Content::Number)
        .collect()
}
