//! Finds the properties that hold dates and numbers.

use graphwright_core::text::identifier_words;
use graphwright_english::words;

use super::{Content, Label, Property, PropertyInfo, Schema};

impl Schema {
    pub(crate) fn is_date_like(&self, property: Property) -> bool {
        let property = self.property(property);
        property.content == Content::Date
            || property.dated == Some(true)
            || is_date_name(&property.name) && !counts_periods(property)
            || property.name.ends_with("_at")
            || property.name.ends_with("_by")
    }

    /// Tells whether a property holds how many of something there are.
    pub(crate) fn is_quantity(&self, property: Property) -> bool {
        let name = identifier_words(&self.property(property).name);
        name.last().is_some_and(|last| words::is_quantity(last))
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
        let all = 0..self.properties.len() as Property;
        let dates: Vec<Property> = all
            .clone()
            .filter(has)
            .filter(|property| self.property(*property).content == Content::Date)
            .collect();
        if dates.is_empty() {
            all.filter(has).filter(|property| self.is_date_like(*property)).collect()
        } else {
            dates
        }
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
    let is_vague = matches!(name.last().map(String::as_str), Some("period" | "century" | "end" | "start"));
    is_vague && property.content == Content::Number && property.dated == Some(false)
}

/// Tells whether a name is that of a number that measures nothing: `userId`, `question_id`.
fn is_identifier(name: &str) -> bool {
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
