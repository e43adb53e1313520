//! Finds the properties that hold dates and numbers.

use graphwright_core::text::identifier_words;

use super::{Content, Label, Property, Schema};

impl Schema {
    pub(crate) fn is_date_like(&self, property: Property) -> bool {
        let property = self.property(property);
        property.content == Content::Date
            || property.dated == Some(true)
            || is_date_name(&property.name)
            || property.name.ends_with("_at")
            || property.name.ends_with("_by")
    }

    pub(crate) fn date_properties(&self, labels: &[Label]) -> Vec<Property> {
        let has = |property: &Property| {
            labels.is_empty() || labels.iter().any(|label| self.property(*property).labels.contains(label))
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
            labels.is_empty() || labels.iter().any(|label| self.property(*property).labels.contains(label))
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
