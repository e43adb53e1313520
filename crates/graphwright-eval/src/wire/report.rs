//! How much of the recordings was read right.

use std::collections::BTreeMap;

use super::exchange::Exchange;

/// Something that the client read otherwise than it stands in the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What was misread, as `usage`.
    pub what: &'static str,
    /// What stands in the recording.
    pub expected: String,
    /// What the client read.
    pub found: String,
}

/// What came of one exchange.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The provider.
    pub provider: String,
    /// The file, and the place of the exchange in it.
    pub name: String,
    /// What was misread.
    pub faults: Vec<Fault>,
    /// Why the exchange is not compared.
    pub left_out: Option<String>,
    /// Whether the cut stream was told as such. None where nothing could be cut.
    pub cut: Option<bool>,
}

impl Outcome {
    pub(super) fn new(exchange: &Exchange) -> Self {
        Self { provider: exchange.provider.clone(), name: exchange.name.clone(), ..Self::default() }
    }
}

/// The exchanges of one provider.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Row {
    /// The number of exchanges that are chat or responses.
    pub compared: usize,
    /// Those of them that were read right in everything.
    pub right: usize,
    /// How many have what misread.
    pub faults: BTreeMap<&'static str, usize>,
    /// The number of streams that were cut.
    pub cut: usize,
    /// Those of them of which the client said so.
    pub told: usize,
}

/// What came of all exchanges.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Every exchange, in the order of the files.
    pub outcomes: Vec<Outcome>,
}

impl Report {
    pub(super) fn new(outcomes: Vec<Outcome>) -> Self {
        Self { outcomes }
    }

    /// Returns a row for each provider, by name.
    pub fn rows(&self) -> BTreeMap<&str, Row> {
        let mut rows = BTreeMap::<&str, Row>::new();
        for outcome in &self.outcomes {
            rows.entry(&outcome.provider).or_default().add(outcome);
        }
        rows
    }

    /// Returns the row of all providers together.
    pub fn total(&self) -> Row {
        let mut total = Row::default();
        self.outcomes.iter().for_each(|outcome| total.add(outcome));
        total
    }

    /// Returns the reasons for which exchanges were left out, and how many.
    pub fn left_out(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for reason in self.outcomes.iter().filter_map(|outcome| outcome.left_out.as_deref()) {
            *reasons.entry(reason).or_default() += 1;
        }
        reasons
    }
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        if outcome.left_out.is_some() {
            return;
        }
        self.compared += 1;
        self.right += usize::from(outcome.faults.is_empty());
        for fault in &outcome.faults {
            *self.faults.entry(fault.what).or_default() += 1;
        }
        self.cut += usize::from(outcome.cut.is_some());
        self.told += usize::from(outcome.cut == Some(true));
    }

    /// Returns the share of compared exchanges that were read right. 1 if there are none.
    pub fn share(&self) -> f64 {
        if self.compared == 0 { 1.0 } else { self.right as f64 / self.compared as f64 }
    }
}
