//! The model-free answer in words.

use graphwright_retrieve::{NodeIndex, Topology};

use crate::{
    answer::display,
    english::{forms, tokens::identifier_words},
    interpret::Outcome,
    question::plan::{Aggregate, Join, Plan, Projection, Ranking, Test},
    schema::{Label, Schema},
};

/// The line under every answer that no model wrote.
pub(crate) const NO_MODEL: &str = "(Read from the graph; no model was used.)";

/// More names than this are cut in the text; the answer set has them all.
const MOST_NAMES: usize = 25;

/// An answer in sentences.
pub(crate) fn text(outcome: &Outcome, topology: &Topology, schema: &Schema) -> String {
    let plan = &outcome.plan;
    let condition = condition(plan, topology, schema);
    let nodes: Vec<NodeIndex> = outcome.matches.iter().map(|found| found.node).collect();
    match &plan.projection {
        Projection::Truth => match outcome.truth {
            Some(true) => sentence(&format!("Yes: the graph says that {condition}")),
            _ => sentence(&format!("No: the graph does not say that {condition}")),
        },
        Projection::Number => {
            let noun = noun(plan, schema, nodes.len());
            let mut text = sentence(&format!("{} {noun} {condition}", nodes.len()));
            if !nodes.is_empty() {
                text.push(' ');
                text.push_str(&sentence(&list(&names(topology, &nodes))));
            }
            text
        }
        Projection::Values(properties) => {
            let lines = outcome.values.iter().take(MOST_NAMES).map(|(node, value, _)| {
                let own = &topology.node(*node).properties;
                let property = properties
                    .iter()
                    .map(|&property| schema.property(property))
                    .find(|p| own.contains_key(&p.name));
                let name = property.map_or_else(|| "value".to_owned(), |property| spoken(&property.name));
                sentence(&format!(
                    "The {name} of {} is {}",
                    topology.node(*node).display_name(),
                    display(value)
                ))
            });
            lines.collect::<Vec<_>>().join(" ")
        }
        Projection::Aggregate(how, properties) => {
            let property = properties.first().map_or_else(String::new, |&p| spoken(&schema.property(p).name));
            let number = outcome.aggregate.as_ref().map_or_else(String::new, display);
            let what = if *how == Aggregate::Sum { "total" } else { "average" };
            let parts: Vec<String> = outcome
                .values
                .iter()
                .map(|(node, value, _)| {
                    format!("{} ({})", topology.node(*node).display_name(), display(value))
                })
                .collect();
            sentence(&format!("The {what} {property} is {number}: {}", list(&parts)))
        }
        Projection::JoinValue(..) => {
            let lines = outcome.values.iter().take(MOST_NAMES).filter_map(|(_, value, relationship)| {
                let edge = topology.edge((*relationship)?);
                let (from, to) =
                    (topology.node(edge.start).display_name(), topology.node(edge.end).display_name());
                Some(sentence(&format!("{from} {} {to}: {}", spoken(&edge.kind), display(value))))
            });
            lines.collect::<Vec<_>>().join(" ")
        }
        Projection::Entities => {
            let noun = noun(plan, schema, nodes.len());
            let names = names(topology, &nodes);
            if nodes.len() == 1 {
                sentence(&format!("{} is the only {noun} {condition}", names[0]))
            } else {
                sentence(&format!("{} {noun} {condition}: {}", nodes.len(), list(&names)))
            }
        }
    }
}

/// What the graph was asked and has nothing for.
pub(crate) fn nothing(outcome: &Outcome, topology: &Topology, schema: &Schema) -> String {
    let plan = &outcome.plan;
    let condition = condition(plan, topology, schema);
    let text = match &plan.projection {
        Projection::Values(properties) | Projection::Aggregate(_, properties) => {
            let names: Vec<String> =
                properties.iter().map(|&property| spoken(&schema.property(property).name)).collect();
            let whose: Vec<String> = outcome
                .matches
                .iter()
                .map(|found| topology.node(found.node).display_name().to_owned())
                .collect();
            if whose.is_empty() {
                format!("the graph has nothing {condition}")
            } else {
                format!("the graph has no {} for {}", names.join(" or "), list(&whose))
            }
        }
        Projection::JoinValue(..) => format!("the graph has no date for this: {condition}"),
        _ => format!("the graph has no {} {condition}", noun(plan, schema, 1)),
    };
    sentence(&text)
}

/// The constraints of a plan in words: `whose language is Go, with service DEPENDS_ON auth-lib-v2`.
pub(crate) fn condition(plan: &Plan, topology: &Topology, schema: &Schema) -> String {
    let mut parts = Vec::new();
    for (number, variable) in plan.variables.iter().enumerate() {
        for filter in &variable.filters {
            let property =
                filter.properties.first().map_or_else(String::new, |&p| spoken(&schema.property(p).name));
            let whose = if number == plan.answer {
                "whose".to_owned()
            } else {
                format!("where for {} the", variable_name(plan, number, topology, schema))
            };
            let not = if filter.negated { " not" } else { "" };
            parts.push(format!("{whose} {property} is{not} {}", test(&filter.test)));
        }
    }
    for join in &plan.joins {
        parts.push(format!("where {}", joined(plan, join, topology, schema)));
    }
    for (number, variable) in plan.variables.iter().enumerate() {
        let name = || variable_name(plan, number, topology, schema);
        match &variable.ranking {
            Some(Ranking::Number(counted, most)) => {
                let what = variable_name(plan, *counted, topology, schema);
                parts.push(format!(
                    "with the {} {}",
                    if *most { "most" } else { "fewest" },
                    forms::plural(&what)
                ));
            }
            Some(Ranking::Property(properties, most)) => {
                let property =
                    properties.first().map_or_else(String::new, |&p| spoken(&schema.property(p).name));
                parts.push(format!(
                    "with the {} {property} of any {}",
                    if *most { "greatest" } else { "least" },
                    name()
                ));
            }
            None => {}
        }
        if !variable.excluded.is_empty() {
            parts.push(format!("other than {}", list(&names(topology, &variable.excluded))));
        }
    }
    if plan.projection == Projection::Truth {
        let text = parts.join(", ");
        return text.strip_prefix("where ").unwrap_or(&text).replace(", where ", " and ");
    }
    parts.join(", ").replace(", where ", " and ")
}

fn joined(plan: &Plan, join: &Join, topology: &Topology, schema: &Schema) -> String {
    let (start, end) = if join.forward { (join.left, join.right) } else { (join.right, join.left) };
    let (start, end) =
        (variable_name(plan, start, topology, schema), variable_name(plan, end, topology, schema));
    let not = if join.negated { "NOT " } else { "" };
    let any = if join.transitive { "*" } else { "" };
    let count = join
        .count
        .map_or_else(String::new, |(compare, amount)| format!(" ({compare:?} {amount})").to_lowercase());
    let test = join.test.as_ref().map_or_else(String::new, |found| format!(" ({})", test(found)));
    format!("{start} {not}{}{any} {end}{count}{test}", schema.kind(join.kind))
}

fn variable_name(plan: &Plan, variable: usize, topology: &Topology, schema: &Schema) -> String {
    let own = &plan.variables[variable];
    match &own.entities {
        Some(nodes) => names(topology, nodes).join(" or "),
        None => type_name(own.labels.as_deref(), schema),
    }
}

fn type_name(labels: Option<&[Label]>, schema: &Schema) -> String {
    match labels {
        Some([]) | None => "thing".to_owned(),
        Some(labels) => {
            let names: Vec<String> =
                labels.iter().take(3).map(|&label| spoken(schema.label(label))).collect();
            names.join(" or ")
        }
    }
}

fn noun(plan: &Plan, schema: &Schema, count: usize) -> String {
    let name = type_name(plan.variables[plan.answer].labels.as_deref(), schema);
    if count == 1 { name } else { forms::plural(&name) }
}

fn test(test: &Test) -> String {
    match test {
        Test::OneOf(values) => values.iter().map(display).collect::<Vec<_>>().join(" or "),
        Test::Time(compare, days) if days.first == days.last => format!("{} {}", words(*compare), days.first),
        Test::Time(compare, days) => format!("{} {} to {}", words(*compare), days.first, days.last),
        Test::Number(compare, amount) => format!("{} {amount}", words(*compare)),
        Test::Between(low, high) => format!("between {low} and {high}"),
        Test::Present => "given".to_owned(),
    }
}

fn words(compare: crate::question::Compare) -> &'static str {
    use crate::question::Compare;
    match compare {
        Compare::Is => "in",
        Compare::Below => "before",
        Compare::AtMost => "at most",
        Compare::Above => "after",
        Compare::AtLeast => "at least",
    }
}

pub(crate) fn names(topology: &Topology, nodes: &[NodeIndex]) -> Vec<String> {
    nodes.iter().map(|&node| topology.node(node).display_name().to_owned()).collect()
}

/// `a, b and c`.
pub(crate) fn list(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).cloned().collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// An identifier as words.
pub(crate) fn spoken(identifier: &str) -> String {
    identifier_words(identifier).join(" ")
}

/// With a capital letter and a full stop, and without the traces of empty parts.
pub(crate) fn sentence(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut joined = words.join(" ").replace(" :", ":");
    if !joined.ends_with('.') {
        joined.push('.');
    }
    let mut letters = joined.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() && joined.starts_with("the ") => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => joined,
    }
}

/// What the graph knows of an entity, in a sentence or two.
pub(crate) fn describe(topology: &Topology, node: NodeIndex) -> String {
    let content = topology.node(node);
    let mut parts = Vec::new();
    for (name, value) in &content.properties {
        let own = graphwright_core::names::is_reserved(name) || matches!(name.as_str(), "name" | "aliases");
        if !own {
            parts.push(format!("{} {}", spoken(name), display(value)));
        }
    }
    let mut facts = Vec::new();
    for step in topology.steps(node, graphwright_retrieve::Direction::Both) {
        if !topology.is_fact(step.relationship) {
            continue;
        }
        let kind = topology.edge(step.relationship).kind.to_string();
        let other = topology.node(step.node).display_name();
        facts.push(if step.forward { format!("{kind} {other}") } else { format!("{other} {kind} it") });
    }
    let mut text = format!("{} is a {}", content.display_name(), spoken(content.kind()));
    if !parts.is_empty() {
        text.push_str(" with ");
        text.push_str(&list(&parts));
    }
    text.push('.');
    if !facts.is_empty() {
        text.push(' ');
        text.push_str(&list(&facts));
        text.push('.');
    }
    text
}
