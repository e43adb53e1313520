//! Dates in figures: the documents of one folder write day and month in one order, which those show that have a day after
//! the twelfth.

use graphwright_core::Value;
use graphwright_documents::extraction::folder_of;
use graphwright_english::dates::FigureOrder;
use graphwright_ontology::{DataType, PropertyType};

use super::{Entity, Walk};

/// The keys under which it is known of a thing in which order its folder writes dates.
const ORDERS: [(&str, FigureOrder); 2] = [
    ("dates with the day first", FigureOrder::DayFirst),
    ("dates with the month first", FigureOrder::MonthFirst),
];

impl Walk<'_> {
    /// Makes known in which order a document writes dates, where one shows it.
    pub(super) fn note_order_of_dates(&mut self, entity: &Entity, shown: &str) {
        let order = FigureOrder::shown_by(shown);
        if let Some((key, _)) = ORDERS.iter().find(|(_, known)| Some(*known) == order) {
            self.collector.key(entity, key, folder_of(&self.source));
        }
    }

    /// Reads a date that only the other documents of the folder tell how to read.
    pub(super) fn date_in_order(&self, shown: &str, definition: &PropertyType) -> Option<Value> {
        let folder = folder_of(&self.source);
        let is_said =
            |key: &str| self.keys.iter().any(|known| known.column == key && known.names.contains_key(folder));
        let mut orders = ORDERS.iter().filter(|(key, _)| is_said(key));
        let (_, order) = orders.next().filter(|_| orders.next().is_none())?;
        let date = order.read(shown)?;
        match definition.kind {
            DataType::Date => Some(Value::Date(date)),
            DataType::DateTime => Some(Value::from(date.at(0, 0, 0, 0))),
            _ => None,
        }
    }
}
