//! Words an answer without a model: first what answers the question, then what the graph says of
//! it.

mod phrase;

use std::collections::{HashMap, HashSet};

use graphwright_core::{
    Node, Value, names as core_names,
    text::{identifier_words, shorten, without_bracket},
};
use graphwright_retrieve::{Direction, NodeIndex, Topology};
use phrase::Phrase;

pub(crate) use phrase::{plural_verb, verb, with_article};

use crate::{
    Answer, AnswerStatus,
    answer::display,
    interpret::{Outcome, Valued},
    question::plan::{Aggregate, Plan, Projection, Test},
    schema::{Property, Schema},
};

/// Says of an answer that no model wrote it.
pub(crate) fn tell_of_no_model(answer: &mut Answer) {
    answer.add_remark(match answer.status {
        AnswerStatus::Quoted => "(Quoted from the documents; no model was used.)",
        _ => "(Read from the graph; no model was used.)",
    });
}

/// The most names in the text. The answer's entities list all.
const MOST_NAMES: usize = 25;

/// Words an outcome in sentences.
pub(crate) fn text(outcome: &Outcome, topology: &Topology, schema: &Schema) -> String {
    let phrase = Phrase { plan: &outcome.plan, topology, schema };
    let nodes: Vec<NodeIndex> = outcome.matches.iter().map(|found| found.node).collect();
    let names = names(topology, &nodes);
    let number = || outcome.aggregate.as_ref().map_or_else(String::new, display);
    let relationships = |names: &[String]| -> Vec<String> {
        let shown = outcome.values.iter().take(MOST_NAMES);
        shown.filter_map(|value| of_relationship(value, names, topology)).collect()
    };
    match &outcome.plan.projection {
        Projection::Truth if outcome.plan.claim.is_some() => {
            let said = claim(outcome, phrase, topology);
            let is_so = outcome.truth == Some(true);
            format!("{}: {said}", if is_so { "Yes" } else { "No" })
        }
        Projection::Truth if !outcome.groups.is_empty() => {
            let word = if outcome.truth == Some(true) { "Yes" } else { "No" };
            let numbers = outcome.groups.iter().map(|(group, count)| format!("{}: {count}", display(group)));
            sentence(&format!("{word}: {}", list(&numbers.collect::<Vec<_>>())))
        }
        Projection::Truth if let Some(values) = values_compared(&outcome.plan, topology, schema) => {
            let word = if outcome.truth == Some(true) { "Yes" } else { "No" };
            format!("{word}: {values}")
        }
        Projection::Truth => match outcome.truth {
            Some(true) => sentence(&format!("Yes: {}", phrase.statement())),
            _ => sentence(&format!("No: the graph does not say that {}", phrase.statement())),
        },
        Projection::Number if nodes.is_empty() => {
            sentence(&format!("0 {}: the graph has no {}", phrase.noun(0), phrase.answer()))
        }
        Projection::Number => {
            let count = nodes.len();
            let names = list(&names);
            let each = with_article(&phrase.answer());
            sentence(&format!("{count} {}: {names}; each is {each}", phrase.noun(count)))
        }
        Projection::NumberForEach(counted) => {
            groups(outcome, |count| phrase.noun_of_variable(*counted, count))
        }
        Projection::NumberForEachValue(..) => groups(outcome, |count| phrase.noun(count)),
        Projection::Values(properties) => {
            let lines = outcome.values.iter().take(MOST_NAMES).map(|(node, value, _)| {
                let name = held_property(*node, properties, topology, schema);
                format!("{}: {name} {}", topology.node(*node).display_name(), display(value))
            });
            sentence(&lines.collect::<Vec<_>>().join("; "))
        }
        Projection::Aggregate(how, properties) => {
            let property = properties.first().map_or_else(String::new, |&p| spoken(&schema.property(p).name));
            let what = made(*how);
            let parts: Vec<String> = outcome
                .values
                .iter()
                .map(|(node, value, _)| format!("{} {}", topology.node(*node).display_name(), display(value)))
                .collect();
            sentence(&format!("{} is the {what} of {property}: {}", number(), list(&parts)))
        }
        Projection::JoinValue(_, names) => sentence(&relationships(names).join("; ")),
        Projection::JoinAggregate(how, _, names) => {
            let (what, name) = (made(*how), names.first().map_or_else(String::new, |name| spoken(name)));
            sentence(&format!("{} is the {what} of {name}: {}", number(), list(&relationships(names))))
        }
        Projection::Relationships(_) => {
            sentence(&format!("{} in all: {}", outcome.values.len(), list(&relationships(&[]))))
        }
        Projection::AverageNumber(counted) => {
            let (counted, each) = (phrase.noun_of_variable(*counted, 2), with_article(&phrase.noun(1)));
            sentence(&format!("{} {counted} for {each} on average", number()))
        }
        Projection::Entities => sentence(&which(&names, phrase)),
    }
}

/// Of one thing that is compared with another, the values of both.
fn values_compared(plan: &Plan, topology: &Topology, schema: &Schema) -> Option<String> {
    let variable = &plan.variables[plan.answer];
    let ([one], [filter]) = (variable.entities.as_deref()?, variable.filters.as_slice()) else { return None };
    let Test::Than(_, others) = &filter.test else { return None };
    let [other] = others.as_slice() else { return None };
    let mut names = filter.properties.iter().map(|&property| &schema.property(property).name);
    names.find_map(|name| values_of(topology, [*one, *other], name))
}

/// The values that two things have: `Ada: birthday 1815-12-10; Bob: birthday 1820-01-01`.
pub(crate) fn values_of(topology: &Topology, both: [NodeIndex; 2], name: &str) -> Option<String> {
    let value = |node: NodeIndex| {
        let content = topology.node(node);
        let value = display(content.properties.get(name)?);
        Some(format!("{}: {} {value}", content.display_name(), spoken(name)))
    };
    let [one, other] = both.map(value);
    Some(sentence(&format!("{}; {}", one?, other?)))
}

/// Names what several numbers became.
fn made(how: Aggregate) -> &'static str {
    match how {
        Aggregate::Sum => "total",
        Aggregate::Average => "average",
        Aggregate::Greatest => "greatest",
        Aggregate::Least => "least",
        Aggregate::Length => "number",
    }
}

/// Words the value of a relationship: `Ada reviewed Top Gun: rating 80`.
fn of_relationship(valued: &Valued, names: &[String], topology: &Topology) -> Option<String> {
    let (_, value, relationship) = valued;
    let edge = topology.edge((*relationship)?);
    let (from, to) = (topology.node(edge.start).display_name(), topology.node(edge.end).display_name());
    let said = format!("{from} {} {to}", verb(&edge.kind));
    let name = names.iter().find(|name| edge.properties.contains_key(*name));
    Some(name.map_or_else(|| said.clone(), |name| format!("{said}: {} {}", spoken(name), display(value))))
}

/// Says of what a claim holds and of what it does not: `2 of 3 services: billing and ledger: each is …. Not search.`
fn claim(outcome: &Outcome, phrase: Phrase<'_>, topology: &Topology) -> String {
    let held: Vec<NodeIndex> = outcome.matches.iter().map(|found| found.node).collect();
    let all = held.len() + outcome.exceptions.len();
    let count = format!("{} of {all} {}", held.len(), phrase.noun(all));
    let mut text = if held.is_empty() {
        format!("{count} {} {}", if all == 1 { "is" } else { "are" }, with_article(&phrase.answer()))
    } else {
        format!("{count}: {}", which(&names(topology, &held), phrase))
    };
    text.push('.');
    let denied: Vec<String> = outcome
        .values
        .iter()
        .map(|(node, value, _)| format!("{} ({})", topology.node(*node).display_name(), display(value)))
        .collect();
    let not = if denied.is_empty() { names(topology, &outcome.exceptions) } else { denied };
    if !not.is_empty() {
        text.push_str(&format!(" Not {}.", list(&not)));
    }
    text
}

/// Words numbers: `Payments: 3 services; Platform: 1 service`.
fn groups(outcome: &Outcome, noun: impl Fn(usize) -> String) -> String {
    let shown = outcome.groups.iter().take(MOST_NAMES);
    let mut parts: Vec<String> =
        shown.map(|(group, count)| format!("{}: {count} {}", display(group), noun(*count))).collect();
    let more = outcome.groups.len().saturating_sub(MOST_NAMES);
    parts.extend((more > 0).then(|| format!("{more} more")));
    sentence(&parts.join("; "))
}

/// Words names and their description: `ledger is the service that …`, `ledger and order-service:
/// each is a service that …`.
fn which(names: &[String], phrase: Phrase<'_>) -> String {
    match names {
        [one] => format!("{one} is the {}", phrase.answer()),
        _ => format!("{}: each is {}", list(names), with_article(&phrase.answer())),
    }
}

fn held_property(node: NodeIndex, properties: &[Property], topology: &Topology, schema: &Schema) -> String {
    let own = &topology.node(node).properties;
    let held = properties.iter().map(|&property| schema.property(property));
    let held = held.into_iter().find(|property| own.contains_key(&property.name));
    held.map_or_else(|| "value".to_owned(), |property| spoken(&property.name))
}

/// Says what the graph was asked and has nothing for. That there is none is said only where the graph would know.
pub(crate) fn nothing(outcome: &Outcome, topology: &Topology, schema: &Schema) -> String {
    let phrase = Phrase { plan: &outcome.plan, topology, schema };
    let has_no = |noun: &str| {
        if outcome.closed {
            format!("Not in the graph. The graph has no {noun}")
        } else {
            format!("Nothing in the graph tells of {}", with_article(noun))
        }
    };
    let text = match &outcome.plan.projection {
        Projection::Values(properties) | Projection::Aggregate(_, properties) => {
            let mut properties: Vec<String> =
                properties.iter().map(|&property| spoken(&schema.property(property).name)).collect();
            properties.dedup();
            let whose: Vec<NodeIndex> = outcome.matches.iter().map(|found| found.node).collect();
            if whose.is_empty() {
                has_no(&phrase.answer())
            } else {
                let whose = list(&names(topology, &whose));
                has_no(&format!("{} of {whose}", properties.join(" or ")))
            }
        }
        Projection::JoinValue(_, names) | Projection::JoinAggregate(_, _, names) => {
            let names: Vec<String> = names.iter().map(|name| spoken(name)).collect();
            has_no(&format!("{} for this: {}", names.join(" or "), phrase.answer()))
        }
        Projection::Truth if outcome.plan.claim.is_some() && !outcome.exceptions.is_empty() => {
            let noun = phrase.noun(2);
            format!(
                "Nothing in the graph says that it is so of all {noun}. {}",
                claim(outcome, phrase, topology)
            )
        }
        Projection::Truth => format!("Nothing in the graph says whether {}", phrase.statement()),
        _ => has_no(&phrase.answer()),
    };
    sentence(&text)
}

/// Says what a plan looks for: `service whose language is Go and that depends on auth-lib-v2`.
pub(crate) fn meaning(plan: &Plan, topology: &Topology, schema: &Schema) -> String {
    let phrase = Phrase { plan, topology, schema };
    let asked = match &plan.projection {
        Projection::Truth => return phrase.statement(),
        Projection::Values(properties) | Projection::Aggregate(_, properties) => {
            properties.first().map(|&property| format!("{} of ", spoken(&schema.property(property).name)))
        }
        Projection::NumberForEach(counted) => {
            Some(format!("number of {} for each ", phrase.noun_of_variable(*counted, 2)))
        }
        Projection::JoinValue(_, names) | Projection::JoinAggregate(_, _, names) => {
            names.first().map(|name| format!("{} of ", spoken(name)))
        }
        Projection::AverageNumber(counted) => {
            Some(format!("average number of {} for ", phrase.noun_of_variable(*counted, 2)))
        }
        Projection::NumberForEachValue(..) => Some("number for each value of ".to_owned()),
        _ => None,
    };
    format!("{}{}", asked.unwrap_or_default(), phrase.answer())
}

pub(crate) fn names(topology: &Topology, nodes: &[NodeIndex]) -> Vec<String> {
    nodes.iter().map(|&node| topology.node(node).display_name().to_owned()).collect()
}

/// Names things of which any may be meant: once what things are all called that a bracket tells apart.
pub(crate) fn any_of(topology: &Topology, nodes: &[NodeIndex]) -> String {
    let names = names(topology, nodes);
    let mut called: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *called.entry(without_bracket(name)).or_default() += 1;
    }
    let own = |name: &String| {
        let alone = without_bracket(name);
        if called[alone] > 1 { alone.to_owned() } else { name.clone() }
    };
    let mut any: Vec<String> = names.iter().map(own).collect();
    let mut seen = HashSet::new();
    any.retain(|name| seen.insert(name.clone()));
    any.join(" or ")
}

/// Joins names as `a, b and c`; with semicolons where a name has a comma itself.
pub(crate) fn list(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).cloned().collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => {
            let between = if names.iter().any(|name| name.contains(", ")) { "; " } else { ", " };
            format!("{} and {last}", first.join(between))
        }
    }
}

/// Spells an identifier as words.
pub(crate) fn spoken(identifier: &str) -> String {
    identifier_words(identifier).join(" ")
}

/// Ends the text with a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// Describes what the graph knows of an entity, in a sentence or two. Values are cut to `longest`
/// characters.
pub(crate) fn describe(topology: &Topology, node: NodeIndex, longest: usize) -> String {
    let content = topology.node(node);
    let said = |(property, value): (&String, &Value)| {
        format!("{} {}", spoken(property), shorten(&display(value), longest))
    };
    let parts: Vec<String> = shown_properties(content).map(said).collect();
    let mut text = format!("{} is {}", content.display_name(), with_article(&spoken(content.kind())));
    if !parts.is_empty() {
        text.push_str(&format!(" ({})", parts.join(", ")));
    }
    text.push('.');
    let facts = facts(topology, node, |_| true);
    if !facts.is_empty() {
        let facts = facts.join("; ");
        let rest = facts.strip_prefix("it ");
        text.push_str(&rest.map_or_else(|| format!(" {facts}."), |rest| format!(" It {rest}.")));
    }
    text
}

/// Tells whether the graph knows more of an entity than its name and type.
pub(crate) fn is_known(topology: &Topology, node: NodeIndex) -> bool {
    let has_facts = || topology.steps(node, Direction::Both).any(|step| topology.is_fact(step.relationship));
    shown_properties(topology.node(node)).next().is_some() || has_facts()
}

/// The properties of an entity that say more than its name.
fn shown_properties(content: &Node) -> impl Iterator<Item = (&String, &Value)> {
    let name = content.display_name();
    content.properties.iter().filter(move |(property, value)| {
        let own = core_names::is_reserved(property)
            || matches!(property.as_str(), core_names::NAME | core_names::ALIASES);
        !own && value.as_str() != Some(name)
    })
}

/// What connects an entity with others of some kind, as sentences without an end.
pub(crate) fn facts_with(
    topology: &Topology,
    node: NodeIndex,
    is_wanted: impl Fn(NodeIndex) -> bool,
) -> Option<String> {
    let facts = facts(topology, node, is_wanted);
    (!facts.is_empty()).then(|| format!("{}: {}", topology.node(node).display_name(), facts.join("; ")))
}

/// Lists the entity's facts, grouped by type: `it depends on a and b`, `c and d own it`. Only those with others that are wanted.
fn facts(topology: &Topology, node: NodeIndex, is_wanted: impl Fn(NodeIndex) -> bool) -> Vec<String> {
    let mut groups: Vec<(String, bool, Vec<String>)> = Vec::new();
    for step in topology.steps(node, Direction::Both) {
        if !topology.is_fact(step.relationship) || !is_wanted(step.node) {
            continue;
        }
        let verb = verb(&topology.edge(step.relationship).kind);
        let other = topology.node(step.node).display_name().to_owned();
        let group = groups.iter_mut().find(|group| group.0 == verb && group.1 == step.forward);
        match group {
            Some(group) => group.2.push(other),
            None => groups.push((verb, step.forward, vec![other])),
        }
    }
    let said = groups.iter().map(|(verb, forward, others)| match (forward, others.len()) {
        (true, _) => format!("it {verb} {}", list(others)),
        (false, 1) => format!("{} {verb} it", others[0]),
        (false, _) => format!("{} {} it", list(others), plural_verb(verb)),
    });
    said.collect()
}

#[cfg(test)]
mod tests {
    use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
    use graphwright_embedded::EmbeddedStore;

    use super::*;

    #[tokio::test]
    async fn long_values_are_cut_where_nobody_asked_for_them() {
        let store = EmbeddedStore::in_memory();
        let mut changes = ChangeSet::new();
        let body = format!("First line.\n\n{}", "word ".repeat(100));
        let properties = Properties::from([
            ("name".into(), "Reset".into()),
            ("body".into(), body.into()),
            ("score".into(), 7.into()),
        ]);
        changes.upsert_node(NodeKey::new("Post", "1"), &[], properties);
        store.apply(changes).await.unwrap();
        let topology = Topology::load(&store).await.unwrap();
        let node = topology.node_by_id("1").unwrap();
        assert_eq!(describe(&topology, node, 21), "Reset is a post (body First line. word word…, score 7).");
        assert!(describe(&topology, node, usize::MAX).contains("word word, score 7"));
    }
}
