//! Superlatives: by what the matches are ranked.

use graphwright_core::text::identifier_words;
use graphwright_english::{inflection, words};

use super::{
    conditions::{beside, keep_births},
    items::Items,
    owners::{holder, owner},
    parts::Condition,
};
use crate::{
    question::{
        Piece, Span,
        annotate::Measure,
        plan::{Aggregate, Holder, Order, Plan, Projection, Ranking, Variable},
    },
    schema::Property,
};

/// `Which film has the lowest rating`, `which supplier has the highest average price`: ranks by what relationships, or others that
/// it is joined to, have. Of their values alone, the greatest or least is the answer. Whether it could be read so.
fn rank_by_others(
    plan: &mut Plan,
    items: &Items<'_>,
    order: Order,
    measure: &Measure,
    named: &Condition,
    span: &Span,
) -> bool {
    let Some(properties) = named.properties() else { return false };
    let said = items.head.aggregate.map(|(aggregate, _)| aggregate);
    let counts = *measure == Measure::Number;
    let adds_up = adds_up(items, properties, named);
    // `The driver with the most points` has the most in all results together.
    let said = said.or((counts && adds_up).then_some(Aggregate::Sum));
    let extreme = if order.most { Aggregate::Greatest } else { Aggregate::Least };
    let joined = holder(plan, items, properties, span).map(|(join, names)| Holder::Join(join, names));
    let held = |plan: &Plan| {
        let (owner, _) = owner(plan, items, properties, span, false)?;
        let other = said.is_some() && owner != plan.answer && plan.variables[owner].entities.is_none();
        other.then(|| Holder::Variable(owner, properties.to_vec()))
    };
    let Some(holder) = joined.or_else(|| held(plan)) else { return false };
    if let (Projection::JoinValue(join, names), Order { place: 1, count: 1, .. }, None) =
        (&plan.projection, order, said)
    {
        plan.projection = Projection::JoinAggregate(extreme, *join, names.clone());
        return true;
    }
    let counted = match holder {
        // `The most ratings`: by those who gave one.
        Holder::Join(join, _) if counts && said.is_none() => plan.joins[join].from(plan.answer),
        _ => None,
    };
    let answer = &mut plan.variables[plan.answer];
    let is_open = answer.entities.is_none() && matches!(plan.projection, Projection::Entities);
    if is_open {
        answer.ranking = Some(match counted {
            Some((counted, _)) => Ranking::Number(counted, order),
            None => Ranking::Held(holder, said.unwrap_or(extreme), order),
        });
    }
    is_open
}

/// Whether values are added up: `points` may, and `freight`; of what has a `rating` each, ratings are counted.
fn adds_up(items: &Items<'_>, properties: &[Property], named: &Condition) -> bool {
    let is_plural_name = |property: &Property| {
        let name = identifier_words(&items.schema.property(*property).name);
        name.last().is_some_and(|last| inflection::is_plural(last))
    };
    !inflection::is_plural(&items.tokens[named.span.end - 1].lower) || properties.iter().all(is_plural_name)
}

/// `The top three cities by population`: the property behind `by`.
fn named_by(items: &Items<'_>, condition: &Condition, used: &[bool]) -> Option<usize> {
    let is_by = |at: usize| items.tokens.get(at).is_some_and(|token| token.lower == "by");
    items.conditions.iter().enumerate().position(|(number, other)| {
        let first = other.span.first;
        let behind = first > condition.span.end && (is_by(first - 1) || first > 1 && is_by(first - 2));
        behind && !used[number] && other.properties().is_some()
    })
}

/// Whether `and` joins a superlative to another one.
fn is_coordinated(items: &Items<'_>, condition: &Condition) -> bool {
    let is_joined = |from: usize, to: usize| {
        let between = items.tokens.get(from..to).unwrap_or_default();
        between.iter().any(|token| token.lower == "and")
            && between.iter().all(|token| token.lower == "and" || words::is_article(&token.lower))
    };
    items.conditions.iter().any(|other| {
        matches!(other.span.piece, Piece::Extreme(..))
            && (is_joined(other.span.end, condition.span.first)
                || is_joined(condition.span.end, other.span.first))
    })
}

/// Tells of `average` and `total` that nothing ranks by them.
fn tell_unused_aggregate(plan: &mut Plan, items: &Items<'_>) {
    let is_held = |variable: &Variable| matches!(variable.ranking, Some(Ranking::Held(..)));
    let is_used = matches!(
        plan.projection,
        Projection::Aggregate(..) | Projection::JoinAggregate(..) | Projection::AverageNumber(_)
    ) || plan.variables.iter().any(is_held);
    if let Some((_, at)) = items.head.aggregate.filter(|_| items.ranks() && !is_used) {
        plan.unused.push(at);
    }
}

pub(super) fn rank(plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) {
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Extreme(order, measure) = &condition.span.piece else { continue };
        if std::mem::replace(&mut used[number], true) {
            continue;
        }
        let end = condition.span.end;
        // `The first and the last`: two of which each would have to be met.
        if is_coordinated(items, condition) {
            plan.unused.extend(condition.span.first..end);
        }
        // Of the values of a relationship that are asked for, the greatest is asked for.
        let asked = matches!(plan.projection, Projection::JoinValue(..));
        let free = vec![false; used.len()];
        let beside = beside(items, condition, if asked { &free } else { &*used });
        let beside =
            beside.or_else(|| named_by(items, condition, used)).map(|at| (at, &items.conditions[at]));
        let named = beside.and_then(|(_, beside)| beside.properties());
        if let Some((at, beside)) = beside
            && rank_by_others(plan, items, *order, measure, beside, &condition.span)
        {
            used[at] = true;
            continue;
        }
        let next = items.things.iter().position(|thing| thing.first >= end && thing.first <= end + 1);
        if *measure == Measure::Number {
            let stands_first = |next: &usize| {
                beside.is_none_or(|(_, beside)| items.things[*next].first <= beside.span.first)
            };
            if let Some(counted) = next.filter(|next| *next != plan.answer && stands_first(next)) {
                plan.variables[plan.answer].ranking = Some(Ranking::Number(counted, *order));
                continue;
            }
            if beside.is_none() {
                plan.score *= 0.4;
                plan.unused.extend(condition.span.first..end);
                continue;
            }
        }
        // `The ward with the smallest population`: the thing that has the property named beside the superlative.
        let owner = || {
            let (owner, _) = owner(plan, items, named?, &condition.span, false)?;
            plan.variables[owner].entities.is_none().then_some(owner)
        };
        let next = next.filter(|&next| items.things[next].members.is_empty());
        let ranked = next.or_else(owner).unwrap_or(plan.answer);
        let labels =
            plan.variables.get(ranked).and_then(|variable| variable.labels.clone()).unwrap_or_default();
        let mut properties = match (named, measure) {
            (Some(named), _) => named.to_vec(),
            (None, Measure::Properties(properties)) => properties.clone(),
            (None, Measure::Date) => {
                let mut dates = items.schema.date_properties(&labels);
                keep_births(&mut dates, &labels, &condition.span, items);
                dates
            }
            // `The heaviest` of people of whom the graph has the height and the age is none that it knows.
            (None, _) => {
                Some(items.schema.number_properties(&labels)).filter(|all| all.len() == 1).unwrap_or_default()
            }
        };
        properties.retain(|property| labels.is_empty() || items.schema.have(&labels, *property));
        if let Some((beside, _)) = beside {
            used[beside] = true;
        }
        if properties.is_empty() || ranked >= plan.variables.len() {
            plan.score *= 0.4;
            plan.unused.extend(condition.span.first..end);
            continue;
        }
        plan.score *= if properties.len() > 1 && beside.is_none() { 0.85 } else { 1.0 };
        plan.variables[ranked].ranking = Some(Ranking::Property(properties, *order));
    }
    tell_unused_aggregate(plan, items);
}
