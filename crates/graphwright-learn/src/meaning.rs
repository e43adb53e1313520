//! What a question means: things joined into a tree, conditions on them, and what of them is asked for.

use graphwright_core::Statement;
use graphwright_core::Value;
use graphwright_cypher::{InvalidName, StatementBuilder};
use serde::{Deserialize, Serialize};

use crate::schema::{Label, Property, Schema, StepId, Way};

/// A condition: a property has a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    pub(crate) property: Property,
    pub(crate) value: Value,
}

/// A thing of the tree, with the step that leads to it from the one before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thing {
    pub(crate) label: Label,
    /// The thing before and the step from it; none for what is asked for, which comes first.
    pub(crate) before: Option<(usize, StepId)>,
    pub(crate) conditions: Vec<Condition>,
}

/// What is asked of the first thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Asked {
    Entities,
    Count,
    Values(Property),
}

/// Only the first by a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Rank {
    pub(crate) property: Property,
    pub(crate) descending: bool,
}

/// The meaning of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    pub(crate) things: Vec<Thing>,
    pub(crate) asked: Asked,
    pub(crate) rank: Option<Rank>,
    /// What is asked for is none of the things that have conditions (`films by the director of Heat`: not Heat).
    pub(crate) others: bool,
}

impl Meaning {
    /// Returns the things behind a thing.
    pub(crate) fn behind(&self, thing: usize) -> impl Iterator<Item = (usize, StepId)> + '_ {
        self.things.iter().enumerate().filter_map(move |(at, one)| {
            one.before.filter(|(before, _)| *before == thing).map(|(_, step)| (at, step))
        })
    }

    /// Returns a text that is equal for equal meanings, whatever the order of branches and conditions.
    pub(crate) fn key(&self) -> String {
        format!("{:?} {:?} {} {}", self.asked, self.rank, self.others, self.key_of(0))
    }

    fn key_of(&self, thing: usize) -> String {
        let own = &self.things[thing];
        let mut conditions: Vec<String> = own
            .conditions
            .iter()
            .map(|condition| format!("{}={:?}", condition.property, condition.value))
            .collect();
        conditions.sort();
        let mut branches: Vec<String> =
            self.behind(thing).map(|(at, step)| format!("{step}:{}", self.key_of(at))).collect();
        branches.sort();
        format!("{}{conditions:?}{branches:?}", own.label)
    }

    /// Writes the meaning as Cypher, with values as parameters.
    ///
    /// # Errors
    /// Fails if the schema has a name that cannot be one in Cypher.
    pub fn statement(&self, schema: &Schema) -> Result<Statement, InvalidName> {
        let mut builder = StatementBuilder::new("");
        if self.things.len() == 1 {
            builder = self.write_thing(builder.text("MATCH "), schema, 0);
        }
        for (at, _) in self.behind(0) {
            builder = self.write_thing(builder.text("MATCH "), schema, 0);
            let mut next = Some(at);
            while let Some(thing) = next {
                builder = self.write_step(builder, schema, thing);
                next = self.behind(thing).next().map(|(at, _)| at);
            }
            builder = builder.text(" ");
        }
        builder = self.write_conditions(builder, schema);
        builder = self.write_asked(builder, schema);
        builder.build()
    }

    fn write_thing(&self, builder: StatementBuilder, schema: &Schema, thing: usize) -> StatementBuilder {
        let label = &schema.labels[usize::from(self.things[thing].label)];
        builder.text("(x").number(thing).text(":").name(label).text(")")
    }

    fn write_step(&self, builder: StatementBuilder, schema: &Schema, thing: usize) -> StatementBuilder {
        let Some((_, step)) = self.things[thing].before else { return builder };
        let step = schema.at(step);
        let (left, right) = match step.way {
            Way::Out => ("-[:", "]->"),
            Way::In => ("<-[:", "]-"),
            Way::Both => ("-[:", "]-"),
        };
        let builder = builder.text(left).name(&schema.kinds[usize::from(step.kind)]).text(right);
        self.write_thing(builder, schema, thing)
    }

    fn write_conditions(&self, mut builder: StatementBuilder, schema: &Schema) -> StatementBuilder {
        let mut joint = "WHERE ";
        for (at, thing) in self.things.iter().enumerate() {
            for condition in &thing.conditions {
                let name = &schema.properties[usize::from(condition.property)];
                builder = builder.text(joint).text("x").number(at).text(".").name(name).text(" = ");
                builder = builder.value(condition.value.clone());
                joint = " AND ";
            }
            if self.others && at > 0 && !thing.conditions.is_empty() {
                builder = builder.text(joint).text("x0 <> x").number(at);
                joint = " AND ";
            }
        }
        builder
    }

    fn write_asked(&self, builder: StatementBuilder, schema: &Schema) -> StatementBuilder {
        let property = |at: Property| schema.properties[usize::from(at)].as_str();
        let builder = match self.asked {
            Asked::Entities => builder.text(" RETURN DISTINCT x0"),
            Asked::Count => builder.text(" RETURN count(DISTINCT x0)"),
            Asked::Values(asked) => builder.text(" RETURN x0.").name(property(asked)),
        };
        match self.rank {
            None => builder,
            Some(rank) => {
                let builder = builder.text(" ORDER BY x0.").name(property(rank.property));
                builder.text(if rank.descending { " DESC LIMIT 1" } else { " LIMIT 1" })
            }
        }
    }
}
