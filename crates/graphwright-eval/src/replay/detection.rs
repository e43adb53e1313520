//! How well something that is said of each case fits what is true of it.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// Counts of cases by what was said and what was true. As JSON it has `precision`, `recall` and `f1` beside the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// Said and true.
    pub found: usize,
    /// Said, and not true.
    pub wrong: usize,
    /// True, and not said.
    pub missed: usize,
    /// Neither.
    pub rest: usize,
}

impl Detection {
    /// Counts a case.
    pub fn add(&mut self, said: bool, is_true: bool) {
        *match (said, is_true) {
            (true, true) => &mut self.found,
            (true, false) => &mut self.wrong,
            (false, true) => &mut self.missed,
            (false, false) => &mut self.rest,
        } += 1;
    }

    /// The share of what was said that is true; `None` where nothing was said.
    pub fn precision(&self) -> Option<f64> {
        share(self.found, self.found + self.wrong)
    }

    /// The share of what is true that was said; `None` where nothing is true.
    pub fn recall(&self) -> Option<f64> {
        share(self.found, self.found + self.missed)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.found, 2 * self.found + self.wrong + self.missed)
    }
}

impl Serialize for Detection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Detection", 7)?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("wrong", &self.wrong)?;
        fields.serialize_field("missed", &self.missed)?;
        fields.serialize_field("rest", &self.rest)?;
        fields.serialize_field("precision", &self.precision())?;
        fields.serialize_field("recall", &self.recall())?;
        fields.serialize_field("f1", &self.f1())?;
        fields.end()
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_was_said_and_of_what_is_true() {
        let mut detection = Detection::default();
        assert_eq!((detection.precision(), detection.recall(), detection.f1()), (None, None, None));
        for (said, is_true) in
            [(true, true), (true, true), (true, false), (false, true), (false, true), (false, false)]
        {
            detection.add(said, is_true);
        }
        assert_eq!(detection.precision(), Some(2.0 / 3.0));
        assert_eq!(detection.recall(), Some(0.5));
        assert_eq!(detection.f1(), Some(4.0 / 7.0));
    }
}
