//! Precision and recall of a finding.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// Counts of cases by whether a finding was made and whether it is true. Its JSON also has
/// `precision`, `recall` and `f1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// Cases with a finding that is true.
    pub found: usize,
    /// Cases with a finding that is not true.
    pub wrong: usize,
    /// Cases without a finding where it would be true.
    pub missed: usize,
    /// Cases without a finding where it would not be true.
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

    /// Returns the share of findings that are true, or `None` without findings.
    pub fn precision(&self) -> Option<f64> {
        share(self.found, self.found + self.wrong)
    }

    /// Returns the share of true cases that were found, or `None` without true cases.
    pub fn recall(&self) -> Option<f64> {
        share(self.found, self.found + self.missed)
    }

    /// Returns the harmonic mean of precision and recall, or `None` without findings and true
    /// cases.
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
