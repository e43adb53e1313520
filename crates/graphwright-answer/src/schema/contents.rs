//! Finds the properties that hold dates and numbers.

use graphwright_core::{Value, text::identifier_words};
use graphwright_english::words;

use super::{Content, Kind, Label, Property, PropertyInfo, Schema};

impl Schema {
    pub(crate) fn is_date_like(&self, property: Property) -> bool {
        let property = self.property(property);
        property.content == Content::Date
            || property.dated == Some(true)
            || is_date_name(&property.name) && !counts_periods(property)
            || property.name.ends_with("_at")
            || property.name.ends_with("_by")
    }

    /// Tells whether a property holds times without a date: `09:15`, `1:34:50.616`.
    pub(crate) fn is_time_without_date(&self, property: Property) -> bool {
        let property = self.property(property);
        let name = identifier_words(&property.name);
        property.content == Content::Text
            && property.dated == Some(false)
            && name.last().is_some_and(|last| last == "time")
    }

    /// Tells whether a property holds how many of something there are.
    pub(crate) fn is_quantity(&self, property: Property) -> bool {
        let name = identifier_words(&self.property(property).name);
        name.last().is_some_and(|last| words::is_quantity(last))
    }

    /// Tells whether a property, of things or of relationships, holds the place of something in an order.
    pub(crate) fn is_rank(&self, property: Property) -> bool {
        let property = self.property(property);
        let name = identifier_words(&property.name);
        property.content == Content::Number && name.last().is_some_and(|last| words::is_rank(last))
    }

    /// The properties that hold the place of something in an order.
    pub(crate) fn ranks(&self) -> Vec<Property> {
        (0..self.properties.len() as Property).filter(|property| self.is_rank(*property)).collect()
    }

    /// The numbers of some types that hold how many of something there are.
    pub(crate) fn quantities_of(&self, labels: &[Label]) -> Vec<Property> {
        let mut numbers = self.number_properties(labels);
        numbers.retain(|property| self.is_quantity(*property));
        numbers
    }

    pub(crate) fn date_properties(&self, labels: &[Label]) -> Vec<Property> {
        let has = |property: &Property| {
            let own = &self.property(*property).labels;
            if labels.is_empty() { !own.is_empty() } else { labels.iter().any(|label| own.contains(label)) }
        };
        // Years and the like, of types that have no date.
        let is_date = |property: &Property| self.property(*property).content == Content::Date;
        let all: Vec<Property> = (0..self.properties.len() as Property)
            .filter(has)
            .filter(|property| self.is_date_like(*property))
            .collect();
        let lacks = |label: &Label| {
            !all.iter().any(|date| is_date(date) && self.property(*date).labels.contains(label))
        };
        let is_best = |property: &Property| {
            let mut own = self
                .property(*property)
                .labels
                .iter()
                .filter(|own| labels.is_empty() || labels.contains(own));
            is_date(property) || own.any(lacks)
        };
        all.iter().copied().filter(is_best).collect()
    }

    /// Lists the texts that things have of a property, of so many things at most.
    pub(crate) fn texts_of(&self, property: Property, limit: usize) -> impl Iterator<Item = String> {
        let name = &self.property(property).name;
        let labels = self.property(property).labels.iter();
        let nodes = labels.flat_map(|label| self.topology.nodes_with_label(self.label(*label))).take(limit);
        let of_node = move |node| self.topology.node(node).properties.get(name).cloned();
        nodes
            .filter_map(of_node)
            .flat_map(|value| match value {
                Value::List(values) => values,
                value => vec![value],
            })
            .filter_map(|value| value.as_str().map(str::to_owned))
    }

    /// Tells whether a property is the date of a birth or a death, or else tells of one.
    pub(crate) fn is_of_life(&self, property: Property) -> bool {
        let name = identifier_words(&self.property(property).name);
        name.iter().any(|word| words::is_birth(word) || words::is_death(word))
    }

    /// The dates and years of births of some types.
    pub(crate) fn birth_properties(&self, labels: &[Label]) -> Vec<Property> {
        let is_birth = |property: &PropertyInfo| {
            identifier_words(&property.name).iter().any(|word| words::is_birth(word))
        };
        let of_one = |property: &PropertyInfo| labels.iter().any(|label| property.labels.contains(label));
        let all = (0..self.properties.len() as Property).filter(|property| self.is_date_like(*property));
        all.filter(|property| {
            let own = self.property(*property);
            of_one(own) && is_birth(own) && own.content != Content::Text
        })
        .collect()
    }

    /// The texts of the same types that tell of what a date or number tells of: `birthCity` beside `birthYear`.
    pub(crate) fn texts_beside(&self, property: Property) -> Vec<Property> {
        let own = self.property(property);
        let words = identifier_words(&own.name);
        let is_beside = |other: &Property| {
            let other = self.property(*other);
            let others = identifier_words(&other.name);
            other.content == Content::Text
                && others.len() > 1
                && others.first() == words.first()
                && !other.labels.is_disjoint(&own.labels)
        };
        (0..self.properties.len() as Property).filter(is_beside).collect()
    }

    /// The relationships of the same types that tell of what a date or number tells of: `HAS_BIRTH_CITY` beside `birth_year`.
    pub(crate) fn kinds_beside(&self, property: Property) -> Vec<Kind> {
        let own = self.property(property);
        let words = identifier_words(&own.name);
        let is_beside = |kind: &Kind| {
            let others = identifier_words(self.kind(*kind));
            matches!(others.as_slice(), [has, first, _, ..] if has == "has" && Some(first) == words.first())
                && self.ends(*kind, true).iter().any(|label| own.labels.contains(label))
        };
        (0..self.kinds.len() as Kind).filter(is_beside).collect()
    }

    pub(crate) fn number_properties(&self, labels: &[Label]) -> Vec<Property> {
        let has = |property: &Property| {
            let own = &self.property(*property).labels;
            if labels.is_empty() { !own.is_empty() } else { labels.iter().any(|label| own.contains(label)) }
        };
        (0..self.properties.len() as Property)
            .filter(has)
            .filter(|property| {
                let own = self.property(*property);
                own.content == Content::Number && !self.is_date_like(*property) && !is_identifier(&own.name)
            })
            .collect()
    }
}

/// Whether numbers without a date among them are of periods and not in time: the `period` of an element, from 1 to 7.
fn counts_periods(property: &PropertyInfo) -> bool {
    let name = identifier_words(&property.name);
    let is_vague =
        matches!(name.last().map(String::as_str), Some("period" | "century" | "end" | "start" | "time"));
    is_vague && property.content == Content::Number && property.dated == Some(false)
}

/// Tells whether a name is that of a number that measures nothing: `userId`, `question_id`.
pub(crate) fn is_identifier(name: &str) -> bool {
    identifier_words(name).last().is_some_and(|last| last == "id")
}

/// Tells whether a name is that of a date or a time.
pub(crate) fn is_date_name(name: &str) -> bool {
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
