//! What of the matches is the answer.

use graphwright_english::words;

use super::{
    conditions::DECLARED,
    items::{Group, Items},
    owners::{holder, owner},
    parts::Condition,
};
use crate::{
    lexicon::PART_OF_NAME,
    question::{
        Form, Piece,
        plan::{Aggregate, Join, Order, Plan, Projection},
    },
    schema::{Content, Label, Property, is_date_name},
};

/// What a number or date as the answer to `who`, or a text to `how many`, leaves of a plan's score.
const MISFIT: f64 = 0.6;

pub(super) fn choose_projection(plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) {
    let content = |property: &Property| items.schema.property(*property).content;
    let when = items.head.form == Form::When;
    if let Some(group) = items.group.as_ref().filter(|_| plan.answer != usize::MAX) {
        plan.projection = match group {
            Group::Thing(thing) => {
                let counted = std::mem::replace(&mut plan.answer, *thing);
                match items.head.aggregate {
                    Some((Aggregate::Average, _)) => Projection::AverageNumber(counted),
                    _ => Projection::NumberForEach(counted),
                }
            }
            Group::Property(properties, order) => Projection::NumberForEachValue(properties.clone(), *order),
        };
        return;
    }
    // The sum or average of a property that holds numbers.
    let ranks = plan.answer != usize::MAX && items.ranks();
    if let Some((aggregate, _)) = items.head.aggregate.filter(|_| !ranks)
        && let Some(asked) = asked_property(plan, items, false)
        && asked
            .properties
            .iter()
            .any(|property| matches!(content(property), Content::Number | Content::Text))
    {
        plan.projection = match asked.choose(plan, items, used) {
            Projection::JoinValue(join, names) => Projection::JoinAggregate(aggregate, join, names),
            _ => Projection::Aggregate(aggregate, asked.properties.to_vec()),
        };
        return;
    }
    if let Some(projection) = extreme_value(plan, items, used) {
        plan.projection = projection;
        return;
    }
    // `On average` of what has no such property; how many there are is their number in total anyway.
    if let Some((Aggregate::Average, at)) = items.head.aggregate.filter(|_| !ranks) {
        plan.unused.push(at);
    }
    if let Some(times) = items.head.times {
        count_times(plan, items, times);
    } else if items.head.form == Form::Truth {
        plan.projection = Projection::Truth;
    } else if items.head.form == Form::Count && plan.answer != usize::MAX {
        plan.projection = acts_counted(plan, items).map_or(Projection::Number, Projection::Relationships);
    } else if let Some(asked) = asked_by_verb(plan, items) {
        plan.projection = asked.choose(plan, items, used);
    } else if let Some(properties) = told_with_them(plan, items, used) {
        plan.projection = Projection::Values(properties);
    } else if plan.answer != usize::MAX {
        // The entities, as it is.
    } else if let Some(asked) = asked_property(plan, items, when) {
        // `Who founded the firm` asks for no year, `how many people live in` not for what they are called.
        let is_date_like = |property: &Property| items.schema.is_date_like(*property);
        let mut properties = asked.properties.iter();
        let misfit = if items.asks_who() {
            properties.all(|property| content(property) != Content::Text || is_date_like(property))
        } else {
            items.head.form == Form::Count && properties.all(|property| content(property) == Content::Text)
        };
        plan.projection = asked.choose(plan, items, used);
        let counts = matches!(plan.projection, Projection::Aggregate(Aggregate::Length, _));
        plan.score *= if misfit && !counts { MISFIT } else { 1.0 };
    } else if when {
        choose_date(plan, items);
    } else if let Some(sum) = (items.head.form == Form::Count).then(|| quantity_in_all(plan, items)).flatten()
    {
        plan.projection = sum;
    } else {
        let open = plan.variables.iter().position(|variable| variable.entities.is_none());
        plan.answer = open.unwrap_or(usize::MAX);
        // `How far did they get` asks for none of them.
        plan.score *= if items.head.asks_how(items.tokens) { MISFIT } else { 1.0 };
        if open.is_some() && counts_values(items) {
            plan.projection = Projection::Number;
            return;
        }
        // A number is no list of things.
        plan.score *= if items.head.form == Form::Count { MISFIT } else { 1.0 };
    }
}

/// `What was the highest temperature`: of the values of a property, the greatest or least.
fn extreme_value(plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) -> Option<Projection> {
    let (at, order) =
        items.conditions.iter().enumerate().find_map(|(at, condition)| match condition.span.piece {
            Piece::Extreme(order @ Order { place: 1, count: 1, .. }, _) => Some((at, order)),
            _ => None,
        })?;
    let end = items.conditions[at].span.end;
    let asked = asked_property(plan, items, false).filter(|asked| asked.first == end)?;
    let is_number = |property: &Property| items.schema.property(*property).content == Content::Number;
    if plan.answer != usize::MAX || items.asks_who() || !asked.properties.iter().any(is_number) {
        return None;
    }
    // `The maximum dose of A` is one of its own.
    let Owner::Variable(owner) = asked.owner else { return None };
    if plan.variables[owner].entities.is_some() {
        return None;
    }
    let Projection::Values(properties) = asked.choose(plan, items, used) else { return None };
    used[at] = true;
    Some(Projection::Aggregate(if order.most { Aggregate::Greatest } else { Aggregate::Least }, properties))
}

/// `How many hostile mobs are there`, where that is a value of what is counted.
fn counts_values(items: &Items<'_>) -> bool {
    let asked = items.head.asker.map_or(0, |asker| asker + 2);
    let is_value = |condition: &Condition| {
        let span = &condition.span;
        matches!(span.piece, Piece::Value(_))
            && span.first >= asked
            && items.only_small_words(asked, span.first)
    };
    items.head.form == Form::Count && items.conditions.iter().any(is_value)
}

/// `How many goggles were sent`, where deliveries of goggles have a quantity: its sum. `None` where nothing has one.
fn quantity_in_all(plan: &mut Plan, items: &Items<'_>) -> Option<Projection> {
    let asked = items.head.asker.map_or(0, |asker| asker + 2);
    items.things.iter().find(|thing| thing.first == asked && !thing.members.is_empty())?;
    let has_quantity = |variable: usize| {
        let labels = plan.variables[variable].labels.as_deref()?;
        let quantities = items.schema.quantities_of(labels);
        (plan.variables[variable].entities.is_none() && !quantities.is_empty())
            .then_some((variable, quantities))
    };
    let (owner, quantities) = (0..plan.variables.len()).find_map(has_quantity)?;
    plan.answer = owner;
    Some(Projection::Aggregate(Aggregate::Sum, quantities))
}

/// `Suppliers from Japan with their phone numbers`: what is asked of them besides.
fn told_with_them(plan: &Plan, items: &Items<'_>, used: &mut [bool]) -> Option<Vec<Property>> {
    let labels = plan.variables.get(plan.answer)?.labels.as_deref()?;
    let is_with = |first: usize| {
        let word = |back: usize| first.checked_sub(back).map_or("", |at| items.tokens[at].lower.as_str());
        matches!(word(1), "their" | "its" | "his" | "her") && matches!(word(2), "with" | "and")
    };
    let at = items.conditions.iter().position(|condition| {
        let named = condition.properties().unwrap_or_default();
        is_with(condition.span.first) && named.iter().any(|property| items.schema.have(labels, *property))
    })?;
    used[at] = true;
    items.conditions[at].properties().map(<[_]>::to_vec)
}

/// `How many reviews does it have`, of things that people review: the relationships are counted, by their place among the joins.
fn acts_counted(plan: &Plan, items: &Items<'_>) -> Option<usize> {
    let act = items.links.iter().find(|link| link.is_act && link.own == Some(plan.answer))?;
    let is_it = |join: &Join| {
        (join.left == plan.answer || join.right == plan.answer)
            && act.readings.iter().any(|reading| reading.kind == join.kind)
    };
    plan.joins.iter().position(is_it)
}

/// `Who approved the plan?`, `who is the owner of the plan?`, where plans have `approvers` and an `owner`: what stands behind
/// the word that asks is a property of texts.
fn asked_by_verb<'i>(plan: &Plan, items: &'i Items<'_>) -> Option<Asked<'i>> {
    let asker = items.head.asker.filter(|_| items.asks_who())?;
    let is_passed = |word: &str| words::is_be(word) || words::is_article(word);
    let next = (asker + 1..items.tokens.len()).find(|at| !is_passed(&items.tokens[*at].lower))?;
    let is_text = |property: &Property| {
        let content = items.schema.property(*property).content;
        content == Content::Text && !items.schema.is_date_like(*property)
    };
    asked_property(plan, items, false)
        .filter(|asked| asked.first == next && asked.properties.iter().all(is_text))
}

/// `How often did Ada order tea`: so often as there is what stands between, or else what it was done to.
fn count_times(plan: &mut Plan, items: &Items<'_>, times: usize) {
    plan.projection = Projection::Number;
    let is_open = |at: &usize| plan.variables[*at].entities.is_none();
    // What is joined to the one who did it: orders, not what they contain.
    let is_beside = |at: &usize| {
        let ends = plan.joins.iter().filter_map(|join| join.from(*at)).map(|(other, _)| other);
        ends.into_iter().any(|other| other < items.things.len())
    };
    let added = || (items.things.len()..plan.variables.len()).filter(is_open);
    // `Ada ordered`, where she is only a name that orders have.
    let holder =
        (0..items.things.len()).filter(is_open).find(|at| items.things[*at].first == items.things[*at].end);
    let between = holder.or_else(|| added().find(is_beside)).or_else(|| added().next());
    match between.or_else(|| (0..items.things.len()).rfind(is_open)) {
        Some(counted) => plan.answer = counted,
        // Nothing is there to be counted.
        None => plan.unused.push(times),
    }
}

/// Properties whose value is asked for, and the variable that has them.
struct Asked<'i> {
    properties: &'i [Property],
    /// Where they stand.
    first: usize,
    owner: Owner,
    fit: f64,
}

/// What has a property.
enum Owner {
    Variable(usize),
    /// A relationship, by its place among the joins, with the names of the properties.
    Join(usize, Vec<String>),
}

impl Asked<'_> {
    /// Makes its owner what is looked for, and gives what is asked of it.
    fn choose(&self, plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) -> Projection {
        let mut is_named = false;
        for (condition, used) in items.conditions.iter().zip(used) {
            let others = condition.properties().unwrap_or_default();
            let is_asked = others.iter().any(|other| self.properties.contains(other));
            *used |= is_asked;
            is_named |= is_asked && condition.span.weight > PART_OF_NAME;
        }
        plan.score *= self.fit.max(0.85);
        match &self.owner {
            Owner::Variable(owner) => {
                plan.answer = *owner;
                // `How many plans were made in May`: no date is a number.
                let are_dates = self.properties.iter().all(|property| items.schema.is_date_like(*property));
                if items.head.form == Form::Count && are_dates {
                    return Projection::Number;
                }
                let named = plan.variables[*owner].entities.as_deref().unwrap_or_default();
                let holds_list =
                    |property: &Property| named.iter().any(|&node| items.schema.holds_list(node, *property));
                // `How many advisories` counts no `advisoryKeywords`.
                if items.head.form == Form::Count && is_named && self.properties.iter().any(holds_list) {
                    return Projection::Aggregate(Aggregate::Length, self.properties.to_vec());
                }
                Projection::Values(self.properties.to_vec())
            }
            Owner::Join(join, names) => {
                ask_at_join(plan, *join);
                // `How many ratings did Ada give`: the relationships are counted, not what they are of.
                let amounts = self.properties.iter().any(|property| items.schema.is_quantity(*property));
                if items.head.form == Form::Count && !amounts {
                    return Projection::Relationships(*join);
                }
                Projection::JoinValue(*join, names.clone())
            }
        }
    }
}

/// The property whose value is asked for: the first that some thing has. One right behind the word that asks for a
/// date (`in which year was Ada born`) comes last.
fn asked_property<'i>(plan: &Plan, items: &'i Items<'_>, when: bool) -> Option<Asked<'i>> {
    let candidates = items.conditions.iter().filter_map(|condition| {
        let properties = condition.properties()?;
        let is_date_like = |property: &Property| items.schema.is_date_like(*property);
        let (owner, fit) = if let Some((join, names)) = holder(plan, items, properties, &condition.span) {
            (Owner::Join(join, names), 1.0)
        } else {
            let (owner, fit) = owner(plan, items, properties, &condition.span, true)?;
            (Owner::Variable(owner), fit)
        };
        let asked = Asked { properties, first: condition.span.first, owner, fit };
        // `When did it begin`, where that is a number.
        let is_verb = || {
            let span = &condition.span;
            span.weight >= DECLARED
                && span.end == items.tokens.len()
                && span.first.checked_sub(1).is_some_and(|at| items.thing_at(at).is_some())
        };
        (!when || properties.iter().any(is_date_like) || is_verb()).then_some(asked)
    });
    candidates.min_by_key(|asked| items.head.date_word == Some(asked.first))
}

/// Looks for one end of a relationship whose values are asked for: the one that is named, or else the left one.
fn ask_at_join(plan: &mut Plan, join: usize) {
    let Join { left, right, .. } = plan.joins[join];
    let is_named = |end: usize| plan.variables[end].entities.is_some();
    plan.answer = if is_named(right) && !is_named(left) { right } else { left };
}

/// `When did Ada join the team?`: a date of the relationship, a thing that is a date, or a date of the thing.
fn choose_date(plan: &mut Plan, items: &Items<'_>) {
    for (number, join) in plan.joins.iter().enumerate() {
        let own = items.schema.edge_properties.get(&join.kind).into_iter().flatten();
        let dates = own.filter(|(name, content)| **content == Content::Date || is_date_name(name));
        let dates: Vec<String> = dates.map(|(name, _)| name.clone()).collect();
        if !dates.is_empty() {
            plan.projection = Projection::JoinValue(number, dates);
            ask_at_join(plan, number);
            return;
        }
    }
    let open = plan.variables.iter().position(|variable| {
        let labels = variable.labels.as_deref().unwrap_or_default();
        let is_date = |label: &Label| is_date_name(items.schema.label(*label));
        // A `StopTime` has times of its own.
        variable.entities.is_none()
            && labels.iter().any(is_date)
            && items.schema.date_properties(labels).is_empty()
    });
    if let Some(open) = open {
        plan.answer = open;
        return;
    }
    let dates_of = |variable: usize| {
        let labels = plan.variables[variable].labels.as_deref().unwrap_or_default();
        items.schema.date_properties(labels)
    };
    // `When does the trip get to Mill Street`: a date of the call, where neither the trip nor the street has one.
    let is_open = |variable: &usize| plan.variables[*variable].entities.is_none();
    let event = (0..plan.variables.len()).filter(is_open).find(|variable| !dates_of(*variable).is_empty());
    let dated = if dates_of(0).is_empty() { event.unwrap_or(0) } else { 0 };
    let dates = dates_of(dated);
    plan.answer = dated;
    plan.score *= if dates.len() == 1 { 0.8 } else { 0.5 };
    plan.projection = Projection::Values(dates);
}
