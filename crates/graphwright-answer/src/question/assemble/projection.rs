//! What of the matches is the answer.

use graphwright_english::words;

use super::{
    conditions::owner,
    items::{Group, Items},
};
use crate::{
    question::{
        Form,
        plan::{Aggregate, Plan, Projection},
    },
    schema::{Content, Property, is_date_name},
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
                Projection::NumberForEach(counted)
            }
            Group::Property(properties) => Projection::NumberForEachValue(properties.clone()),
        };
        return;
    }
    // The sum or average of a property that holds numbers.
    if let Some((aggregate, _)) = items.head.aggregate
        && let Some(asked) = asked_property(plan, items, false)
        && asked
            .properties
            .iter()
            .any(|property| matches!(content(property), Content::Number | Content::Text))
    {
        asked.choose(plan, items, used);
        plan.projection = Projection::Aggregate(aggregate, asked.properties.to_vec());
        return;
    }
    // `On average` of what has no such property; how many there are is their number in total anyway.
    if let Some((Aggregate::Average, at)) = items.head.aggregate {
        plan.unused.push(at);
    }
    if let Some(times) = items.head.times {
        count_times(plan, items, times);
    } else if items.head.form == Form::Truth {
        plan.projection = Projection::Truth;
    } else if items.head.form == Form::Count && plan.answer != usize::MAX {
        plan.projection = Projection::Number;
    } else if let Some(asked) = asked_by_verb(plan, items) {
        asked.choose(plan, items, used);
        plan.projection = Projection::Values(asked.properties.to_vec());
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
        asked.choose(plan, items, used);
        plan.score *= if misfit { MISFIT } else { 1.0 };
        plan.projection = Projection::Values(asked.properties.to_vec());
    } else if when {
        choose_date(plan, items);
    } else {
        let open = plan.variables.iter().position(|variable| variable.entities.is_none());
        plan.answer = open.unwrap_or(usize::MAX);
    }
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
    let between = (items.things.len()..plan.variables.len()).find(is_open);
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
    owner: usize,
    fit: f64,
}

impl Asked<'_> {
    fn choose(&self, plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) {
        for (condition, used) in items.conditions.iter().zip(used) {
            let others = condition.properties().unwrap_or_default();
            *used |= others.iter().any(|other| self.properties.contains(other));
        }
        plan.answer = self.owner;
        plan.score *= self.fit.max(0.85);
    }
}

/// The property whose value is asked for: the first that some thing has. One right behind the word that asks for a
/// date (`in which year was Ada born`) comes last.
fn asked_property<'i>(plan: &Plan, items: &'i Items<'_>, when: bool) -> Option<Asked<'i>> {
    let candidates = items.conditions.iter().filter_map(|condition| {
        let properties = condition.properties()?;
        let is_date_like = |property: &Property| items.schema.is_date_like(*property);
        let (owner, fit) = owner(plan, items, properties, &condition.span, true)?;
        let asked = Asked { properties, first: condition.span.first, owner, fit };
        (!when || properties.iter().any(is_date_like)).then_some(asked)
    });
    candidates.min_by_key(|asked| items.head.date_word == Some(asked.first))
}

/// `When did Ada join the team?`: a date of the relationship, a thing that is a date, or a date of the thing.
fn choose_date(plan: &mut Plan, items: &Items<'_>) {
    for (number, join) in plan.joins.iter().enumerate() {
        let own = items.schema.edge_properties.get(&join.kind).into_iter().flatten();
        let dates = own.filter(|(name, content)| **content == Content::Date || is_date_name(name));
        let dates: Vec<String> = dates.map(|(name, _)| name.clone()).collect();
        if !dates.is_empty() {
            plan.projection = Projection::JoinValue(number, dates);
            return;
        }
    }
    let open = plan.variables.iter().position(|variable| {
        let labels = variable.labels.as_deref().unwrap_or_default();
        variable.entities.is_none() && labels.iter().any(|label| is_date_name(items.schema.label(*label)))
    });
    if let Some(open) = open {
        plan.answer = open;
        return;
    }
    let labels = plan.variables.first().and_then(|variable| variable.labels.clone()).unwrap_or_default();
    let dates = items.schema.date_properties(&labels);
    plan.answer = 0;
    plan.score *= if dates.len() == 1 { 0.8 } else { 0.5 };
    plan.projection = Projection::Values(dates);
}
