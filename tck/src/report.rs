//! Verdicts on scenarios, and their counts.

use std::fmt;

use crate::Scenario;

/// The verdict on a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The store gives the expected rows or error, and the expected side effects.
    Right,
    /// The store reports a construct that it does not run.
    Refused(String),
    /// The store gives other rows or side effects, or an error in place of rows.
    Wrong(String),
    /// The store gives rows in place of an error.
    NoError(String),
}

/// The number of scenarios with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of [`Verdict::Right`].
    pub right: usize,
    /// The number of [`Verdict::Refused`].
    pub refused: usize,
    /// The number of [`Verdict::Wrong`].
    pub wrong: usize,
    /// The number of [`Verdict::NoError`].
    pub no_error: usize,
}

impl Count {
    /// Returns the number of all scenarios.
    pub fn all(&self) -> usize {
        self.right + self.refused + self.wrong + self.no_error
    }

    /// Returns the number of scenarios that were not refused.
    pub fn evaluated(&self) -> usize {
        self.all() - self.refused
    }

    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Refused(_) => self.refused += 1,
            Verdict::Wrong(_) => self.wrong += 1,
            Verdict::NoError(_) => self.no_error += 1,
        }
    }
}

/// A report on all scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The counts of scenarios whose tested query only reads.
    pub reading: Count,
    /// The counts of the other scenarios.
    pub writing: Count,
    ended: Vec<(Scenario, Verdict)>,
}

impl Report {
    /// Adds the verdict on a scenario.
    pub fn add(&mut self, scenario: &Scenario, verdict: Verdict) {
        let count = if scenario.only_reads() { &mut self.reading } else { &mut self.writing };
        count.add(&verdict);
        if verdict != Verdict::Right {
            self.ended.push((scenario.clone(), verdict));
        }
    }

    /// Returns the identifiers of the scenarios whose verdict is wanted, in the order in which they
    /// ran. Right scenarios are not kept.
    pub fn ids(&self, wanted: impl Fn(&Verdict) -> bool) -> Vec<&str> {
        let ended = self.ended.iter().filter(|(_, verdict)| wanted(verdict));
        ended.map(|(scenario, _)| scenario.id.as_str()).collect()
    }

    /// Lists each scenario that is not right, with its queries and the reason.
    pub fn list(&self) -> String {
        let mut lines = String::new();
        for (scenario, verdict) in &self.ended {
            let (word, reason) = match verdict {
                Verdict::Right => continue,
                Verdict::Refused(reason) => ("refused", reason),
                Verdict::Wrong(reason) => ("wrong", reason),
                Verdict::NoError(reason) => ("no error", reason),
            };
            lines += &format!("{word}: {}\n", scenario.id);
            let queries = scenario.queries.iter().map(|query| ("query", &query.text));
            for (what, text) in scenario.setup.iter().map(|text| ("setup", text)).chain(queries) {
                lines += &format!("    {what}: {}\n", text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            if !scenario.parameters.is_empty() {
                lines += &format!("    parameters: {:?}\n", scenario.parameters);
            }
            lines += &format!("    {reason}\n");
        }
        lines
    }
}

impl fmt::Display for Report {
    /// Writes the counts as a table.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "| Tested query | Scenarios | Right | Refused | Wrong | Error expected, rows given | Right of all | \
             Right of evaluated |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
        )?;
        for (name, count) in [("reads", self.reading), ("writes", self.writing)] {
            let share = |of: usize| 100.0 * count.right as f64 / of.max(1) as f64;
            writeln!(
                formatter,
                "| {name} | {} | {} | {} | {} | {} | {:.1} % | {:.1} % |",
                count.all(),
                count.right,
                count.refused,
                count.wrong,
                count.no_error,
                share(count.all()),
                share(count.evaluated()),
            )?;
        }
        Ok(())
    }
}
