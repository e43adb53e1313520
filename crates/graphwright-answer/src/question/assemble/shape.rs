//! From a draft of joined things to a plan: conditions, what is asked for, rankings.

use std::collections::HashMap;

use graphwright_english::questions::Token;

use super::{
    claim::make_claim,
    conditions::filter,
    draft::Draft,
    items::{Items, distinct},
    parts::{Class, Thing},
    projection::choose_projection,
    ranking::rank,
};
use crate::{
    question::{
        Form,
        annotate::Compare,
        plan::{Join, Plan, Projection, Quantifier, Ranking, Variable},
    },
    schema::Schema,
};

/// What is left of the score of a plan that leaves out nothing of what the question does.
const LEFT_OUT: f64 = 0.6;

/// Completes a draft; `None` when there is nothing to look for.
pub(super) fn finish(draft: Draft, items: &Items<'_>) -> Option<Plan> {
    let variables = variables(&draft, items)?;
    if variables.is_empty() || comes_back(&draft, items) {
        return None;
    }
    let mut plan = Plan {
        variables,
        joins: draft.joins,
        answer: usize::MAX,
        projection: Projection::Entities,
        score: draft.score,
        unused: draft.unused,
        guessed: draft.guessed,
        claim: None,
        different: draft.different,
    };
    if let Some(answer) = items.answer {
        plan.answer = answer;
    }
    let mut used = vec![false; items.conditions.len()];
    choose_projection(&mut plan, items, &mut used);
    if plan.answer == usize::MAX {
        // What is closed or counted is seen from another one: `is Ada the only author of X`.
        let is_named = |variable: &Variable| variable.entities.is_some();
        let is_free = |variable: &Variable| is_named(variable) && variable.quantifier.is_none();
        let answer = plan.variables.iter().position(is_free).or(plan.variables.iter().position(is_named));
        plan.answer = answer.unwrap_or(0);
    }
    for (counted, quantifier) in draft.counts {
        plan.variables[counted].quantifier = Some(quantifier);
    }
    for (counted, order) in draft.extremes {
        let answer = plan.answer;
        plan.variables[answer].ranking = Some(Ranking::Number(counted, order));
    }
    rank(&mut plan, items, &mut used);
    take_several(&mut plan);
    filter(&mut plan, items, &mut used);
    exclude(&mut plan, items);
    exclude_named(&mut plan, items);
    expand_groups(&mut plan, items);
    add_classes(&mut plan, items);
    tell_of_times(&mut plan, items);
    if says_nothing(&plan, items) {
        return None;
    }
    tell_of_only_beyond(&mut plan, items);
    narrow_by_properties(&mut plan, items);
    make_claim(&mut plan, items);
    let named =
        plan.variables.iter().any(|variable| variable.entities.is_some() || variable.labels.is_some());
    named.then_some(plan)
}

/// How many times something is done to a thing is not looked for where the thing is asked for, or stands alone.
fn tell_of_times(plan: &mut Plan, items: &Items<'_>) {
    for (number, thing) in items.things.iter().enumerate() {
        let Some((first, end)) = thing.times else { continue };
        let is_joined = plan.joins.iter().any(|join| join.from(number).is_some());
        if plan.answer == number || !is_joined {
            plan.score *= LEFT_OUT;
            plan.unused.extend(first..end);
        }
    }
}

/// `Comedies`: joins the films to the genre that they are called by.
fn add_classes(plan: &mut Plan, items: &Items<'_>) {
    for (number, thing) in items.things.iter().enumerate() {
        let Some(Class::Node(kind, node)) = thing.class else { continue };
        let right = plan.variables.len();
        let labels = items.schema.label_of(node).map(|label| vec![label]);
        plan.variables.push(Variable {
            labels,
            entities: Some(vec![node]),
            between: true,
            at: thing.first,
            ..Variable::default()
        });
        plan.joins.push(Join::new(number, kind, right));
    }
}

/// Whether what is asked for is what is named: the route of a trip of a route, as a trip has one route only.
fn comes_back(draft: &Draft, items: &Items<'_>) -> bool {
    let differs = |thing: &Thing| thing.other || thing.excluded || thing.own.is_some();
    if !draft.different.is_empty() || items.things.iter().any(differs) {
        return false;
    }
    let is_one = |variable: usize, kind| {
        let labels = draft.labels[variable].as_deref().unwrap_or_default();
        !labels.is_empty() && labels.iter().all(|label| items.schema.determines(*label, kind))
    };
    let leaving = |join: &Join| {
        let (start, end) = if join.forward { (join.left, join.right) } else { (join.right, join.left) };
        (!join.negated && join.others.is_empty() && is_one(start, join.kind))
            .then_some((start, join.kind, end))
    };
    let all: Vec<_> = draft.joins.iter().filter_map(leaving).collect();
    let is_named = |thing: usize| items.things.get(thing).is_some_and(|thing| !thing.members.is_empty());
    let asks = |thing: usize| items.answer == Some(thing);
    all.iter().enumerate().any(|(at, (start, kind, end))| {
        all[at + 1..].iter().any(|(other, same, back)| {
            start == other && kind == same && (asks(*end) && is_named(*back) || asks(*back) && is_named(*end))
        })
    })
}

/// `Which three films have most reviews`: the first three.
fn take_several(plan: &mut Plan) {
    let answer = &mut plan.variables[plan.answer];
    if let (Some(Quantifier::Count(Compare::Is, count)), Some(ranking)) =
        (answer.quantifier, &mut answer.ranking)
    {
        ranking.order_mut().count = count.clamp(1.0, 1e6) as usize;
    }
}

/// `Flown only on Columbia`, where missions stand between: that no other is behind any of them is not looked for.
fn tell_of_only_beyond(plan: &mut Plan, items: &Items<'_>) {
    let is_beyond = |number: usize| {
        let ends = plan.joins.iter().filter_map(|join| match (join.left == number, join.right == number) {
            (true, _) => Some(join.right),
            (_, true) => Some(join.left),
            _ => None,
        });
        ends.into_iter().all(|other| plan.variables[other].between)
    };
    let only = |number: &usize| plan.variables[*number].quantifier == Some(Quantifier::Only);
    let things = 0..items.things.len().min(plan.variables.len());
    if !plan.joins.is_empty() && things.into_iter().filter(only).any(is_beyond) {
        let says = |token: &Token| {
            matches!(token.lower.as_str(), "only" | "solely" | "exclusively" | "just" | "alone")
        };
        plan.unused.extend((0..items.tokens.len()).filter(|&at| says(&items.tokens[at])));
    }
}

/// `Who has the highest salary` asks for something that has a salary.
fn narrow_by_properties(plan: &mut Plan, items: &Items<'_>) {
    for variable in
        plan.variables.iter_mut().filter(|variable| variable.labels.is_none() && variable.entities.is_none())
    {
        let ranked = match &variable.ranking {
            Some(Ranking::Property(properties, _)) => properties.as_slice(),
            _ => &[],
        };
        let filtered = variable.filters.iter().flat_map(|filter| &filter.properties);
        let labels = filtered.chain(ranked).flat_map(|property| &items.schema.property(*property).labels);
        let labels = distinct(labels.copied());
        variable.labels = (!labels.is_empty()).then_some(labels);
    }
}

/// Whether it only repeats what the question names.
fn says_nothing(plan: &Plan, items: &Items<'_>) -> bool {
    let is_free = |variable: &Variable| variable.filters.is_empty() && variable.ranking.is_none();
    let bare = plan.joins.is_empty() && plan.variables.iter().all(is_free);
    let named = plan.variables[plan.answer].entities.is_some();
    let kind = items.things.iter().any(|thing| thing.kind_asked);
    // `How many droids are there`, where one thing is called so: it is one.
    let is_one = plan.variables[plan.answer].entities.as_ref().is_some_and(|nodes| nodes.len() == 1);
    let counts = items.head.form == Form::Count && items.head.times.is_none();
    match plan.projection {
        Projection::Truth => bare && !kind,
        Projection::Entities | Projection::Number => bare && named || counts && is_one,
        _ => false,
    }
}

fn variables(draft: &Draft, items: &Items<'_>) -> Option<Vec<Variable>> {
    let mut variables = Vec::new();
    for (number, labels) in draft.labels.iter().enumerate() {
        let mut variable = Variable { labels: labels.clone(), ..Variable::default() };
        let copied = draft.copies.iter().find(|(copy, _)| *copy == number).map(|(_, of)| *of);
        variable.between = copied.unwrap_or(number) >= items.things.len();
        variable.at = draft.places.iter().find(|(thing, _)| *thing == number).map_or(0, |(_, at)| *at);
        if let Some(thing) = items.things.get(copied.unwrap_or(number)) {
            variable.at = thing.first;
            let members = if thing.all {
                thing.members.first().cloned()
            } else {
                (!thing.members.is_empty()).then(|| thing.members.concat())
            };
            variable.quantifier = thing.quantifier;
            variable.called.clone_from(&thing.called);
            variable.compared.clone_from(&thing.compared);
            variable.between |= thing.passed;
            // The Reds of all years are meant together.
            variable.alternatives = thing.members.len() == 1
                && thing.quantifier.is_none()
                && !items.schema.are_called_alike(&thing.members[0]);
            variable.entities = members.map(|mut nodes| {
                // Whether it is of the type may be what is asked.
                let fits = |node| labels.as_ref().is_none_or(|labels| items.schema.is_of(node, labels));
                nodes.retain(|&node| thing.kind_asked || fits(node));
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
        let Some(branch) = branch_to(plan, number, items.things.len(), items.schema) else {
            plan.variables[number].entities = Some(thing.members.concat());
            plan.variables[number].alternatives = false;
            continue;
        };
        for nodes in &thing.members[1..] {
            let mut copies: HashMap<usize, usize> = HashMap::new();
            for &(variable, _) in &branch {
                copies.insert(variable, plan.variables.len());
                plan.variables.push(plan.variables[variable].clone());
            }
            plan.variables[copies[&number]].entities = Some(nodes.clone());
            let differ = plan.different.iter().filter(|(_, right)| *right == number);
            let differ: Vec<_> = differ.map(|(left, _)| (*left, copies[&number])).collect();
            plan.different.extend(differ);
            for &(_, join) in &branch {
                let mut join = plan.joins[join].clone();
                for end in [&mut join.left, &mut join.right] {
                    *end = copies.get(end).copied().unwrap_or(*end);
                }
                plan.joins.push(join);
            }
        }
    }
}

/// The way from a variable to the next one that the question speaks of, each variable with the join that leaves it: of several
/// that must all be met, each is met in its own way. `None` if the variable itself stands between others.
fn branch_to(plan: &Plan, from: usize, spoken_of: usize, schema: &Schema) -> Option<Vec<(usize, usize)>> {
    let mut branch: Vec<(usize, usize)> = Vec::new();
    let mut variable = from;
    loop {
        let is_new = |join: &usize| !branch.iter().any(|(_, known)| known == join);
        let joins = (0..plan.joins.len()).filter(is_new);
        let leaving: Vec<usize> = joins
            .filter(|&join| plan.joins[join].left == variable || plan.joins[join].right == variable)
            .collect();
        let [join] = *leaving.as_slice() else { break };
        branch.push((variable, join));
        let Join { left, right, .. } = plan.joins[join];
        variable = if left == variable { right } else { left };
        // A track is of one genre: of tracks in both of two there are some of each.
        let has_one = plan.joins[join].forward == (left == variable)
            && plan.variables[variable].labels.as_deref().is_some_and(|labels| {
                labels.iter().all(|label| schema.determines(*label, plan.joins[join].kind))
            });
        if variable < spoken_of && (variable == plan.answer || !has_one) {
            break;
        }
    }
    (!branch.is_empty()).then_some(branch)
}

/// `Which other films`: none of those that the question names.
fn exclude_named(plan: &mut Plan, items: &Items<'_>) {
    let named: Vec<_> =
        plan.variables.iter().filter_map(|variable| variable.entities.clone()).flatten().collect();
    for (variable, thing) in plan.variables.iter_mut().zip(&items.things).filter(|(_, thing)| thing.other) {
        if thing.members.is_empty() {
            variable.excluded.extend(&named);
        }
    }
}

/// `Cities other than Rome`, `who uses a currency other than the euro`: what is asked for, or the thing of that type before.
fn exclude(plan: &mut Plan, items: &Items<'_>) {
    for (number, thing) in items.things.iter().enumerate().filter(|(_, thing)| thing.excluded) {
        let may_be = |variable: usize| match (&plan.variables[variable].labels, &thing.labels) {
            (Some(own), Some(labels)) => own.iter().any(|label| labels.contains(label)),
            _ => true,
        };
        let is_open = |variable: &usize| plan.variables[*variable].entities.is_none() && may_be(*variable);
        let before = || (0..number).rev().find(is_open);
        if let Some(variable) = Some(plan.answer).filter(|answer| may_be(*answer)).or_else(before) {
            plan.variables[variable].excluded.extend(thing.members.iter().flatten());
        } else {
            // Nothing could be it anyway: what has to do with it is meant.
            plan.score *= LEFT_OUT;
            plan.unused.extend(thing.first..thing.end);
        }
    }
}
