//! Units of measure and scales: what a property's values are in, and what a text gives.

use crate::facts::{inflection, vocabulary};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Length,
    Mass,
    Area,
    Volume,
    Time,
    Power,
    Energy,
    Data,
    Share,
}

/// A unit: its dimension and how many base units it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::facts) struct Unit {
    dimension: Dimension,
    size: f64,
}

/// What a property's numbers are in, by the unit its name ends in or its description.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::facts) struct Measure {
    unit: Option<Unit>,
    /// The numbers are in thousands or millions.
    scale: Option<f64>,
}

impl Measure {
    /// `weight_kg`; "Length in metres."; "In millions of euros."
    pub(in crate::facts) fn of_property(suffix: Option<&str>, description: &str) -> Self {
        let words = vocabulary::words(&description.replace(['.', ',', ';', '(', ')'], " "));
        let after_in = words.windows(2).filter(|pair| pair[0] == "in").map(|pair| pair[1].as_str());
        let mut described = None;
        let mut scale = None;
        for word in after_in {
            described = described.or_else(|| unit(word));
            scale = scale.or(match word {
                "million" | "millions" => Some(1e6),
                "thousand" | "thousands" => Some(1e3),
                "billion" | "billions" => Some(1e9),
                _ => None,
            });
        }
        Self { unit: suffix.and_then(unit).or(described), scale }
    }

    /// An amount with the unit and magnitude that a text gives, as the property wants it; `None` when the unit
    /// measures something else.
    pub(in crate::facts) fn convert(self, amount: f64, magnitude: f64, given: &str) -> Option<f64> {
        if let (Some(own), Some(given)) = (self.unit, unit(given)) {
            let same = own.dimension == given.dimension;
            return same.then(|| tidy(amount * magnitude * given.size / own.size));
        }
        let whole = amount * magnitude;
        match self.scale {
            Some(scale) if magnitude > 1.0 || whole >= 10_000.0 => Some(tidy(whole / scale)),
            _ => Some(whole),
        }
    }

    /// Whether a text's unit is one of the property's kind.
    pub(in crate::facts) fn measures(self, given: &str) -> bool {
        matches!((self.unit, unit(given)), (Some(own), Some(given)) if own.dimension == given.dimension)
    }
}

/// Removes what floating point adds to a product of round numbers.
fn tidy(number: f64) -> f64 {
    let rounded = (number * 1e6).round() / 1e6;
    if (rounded - number).abs() < 1e-9 * number.abs().max(1.0) { rounded } else { number }
}

/// The unit that a word or sign names.
pub(in crate::facts) fn unit(word: &str) -> Option<Unit> {
    let lower = word.trim_end_matches('.').to_lowercase();
    let one = if lower.len() > 3 { inflection::singular(&lower).into_owned() } else { lower };
    let one = one.replace("meter", "metre").replace("liter", "litre");
    let (dimension, size) = match one.as_str() {
        "mm" | "millimetre" => (Dimension::Length, 1e-3),
        "cm" | "centimetre" => (Dimension::Length, 1e-2),
        "m" | "metre" => (Dimension::Length, 1.0),
        "km" | "kilometre" => (Dimension::Length, 1e3),
        "mi" | "mile" => (Dimension::Length, 1609.344),
        "yd" | "yard" => (Dimension::Length, 0.9144),
        "ft" | "foot" | "feet" => (Dimension::Length, 0.3048),
        "in" | "inch" | "inche" => (Dimension::Length, 0.0254),
        "mg" | "milligram" => (Dimension::Mass, 1e-6),
        "g" | "gram" => (Dimension::Mass, 1e-3),
        "kg" | "kilo" | "kilogram" => (Dimension::Mass, 1.0),
        "t" | "tonne" => (Dimension::Mass, 1e3),
        "lb" | "lbs" | "pound" => (Dimension::Mass, 0.453_592_37),
        "m2" | "m²" | "sqm" => (Dimension::Area, 1.0),
        "ha" | "hectare" => (Dimension::Area, 1e4),
        "km2" | "km²" => (Dimension::Area, 1e6),
        "acre" => (Dimension::Area, 4_046.856_422_4),
        "ml" | "millilitre" => (Dimension::Volume, 1e-3),
        "cl" | "centilitre" => (Dimension::Volume, 1e-2),
        "l" | "litre" => (Dimension::Volume, 1.0),
        "hl" | "hectolitre" => (Dimension::Volume, 100.0),
        "ms" | "millisecond" => (Dimension::Time, 1e-3),
        "s" | "sec" | "second" => (Dimension::Time, 1.0),
        "min" | "minute" => (Dimension::Time, 60.0),
        "h" | "hr" | "hour" => (Dimension::Time, 3600.0),
        "day" => (Dimension::Time, 86_400.0),
        "week" => (Dimension::Time, 604_800.0),
        "month" => (Dimension::Time, 2_629_746.0),
        "year" => (Dimension::Time, 31_556_952.0),
        "kw" | "kilowatt" => (Dimension::Power, 1e3),
        "mw" | "megawatt" => (Dimension::Power, 1e6),
        "gw" | "gigawatt" => (Dimension::Power, 1e9),
        "kwh" => (Dimension::Energy, 1.0),
        "mwh" => (Dimension::Energy, 1e3),
        "gwh" => (Dimension::Energy, 1e6),
        "mb" | "megabyte" => (Dimension::Data, 1.0),
        "gb" | "gigabyte" => (Dimension::Data, 1e3),
        "tb" | "terabyte" => (Dimension::Data, 1e6),
        "%" | "percent" | "pct" | "per cent" => (Dimension::Share, 1.0),
        _ => return None,
    };
    Some(Unit { dimension, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_converted_to_the_propertys_own() {
        let metres = Measure::of_property(Some("m"), "");
        assert_eq!(metres.convert(1.2, 1.0, "km"), Some(1200.0));
        assert_eq!(metres.convert(240.0, 1.0, "metres"), Some(240.0));
        assert_eq!(metres.convert(3.0, 1.0, "kg"), None);
        let hours = Measure::of_property(None, "Half-life in hours.");
        assert_eq!(hours.convert(2.0, 1.0, "days"), Some(48.0));
    }

    #[test]
    fn scales_are_those_of_the_description() {
        let millions = Measure::of_property(None, "In millions of euros.");
        assert_eq!(millions.convert(2.4, 1e6, "euros"), Some(2.4));
        assert_eq!(millions.convert(412_000.0, 1.0, ""), Some(0.412));
        assert_eq!(millions.convert(2.4, 1.0, ""), Some(2.4));
    }
}
