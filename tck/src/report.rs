//! How the scenarios end.

use std::fmt;

use crate::Scenario;

/// How a scenario ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rows, the error and the side effects that it should give.
    Right,
    /// An error that says which construct the store does not run.
    Refused(String),
    /// Other rows or side effects, or an error where rows should be.
    Wrong(String),
    /// Rows where an error should be.
    NoError(String),
}

/// How many scenarios end how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// [`Verdict::Right`].
    pub right: usize,
    /// [`Verdict::Refused`].
    pub refused: usize,
    /// [`Verdict::Wrong`].
    pub wrong: usize,
    /// [`Verdict::NoError`].
    pub no_error: usize,
}

impl Count {
    /// All scenarios.
    pub fn all(&self) -> usize {
        self.right + self.refused + self.wrong + self.no_error
    }

    /// Those that were not refused.
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

/// How all scenarios ended.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Scenarios whose tested query only reads.
    pub reading: Count,
    /// The others.
    pub writing: Count,
    ended: Vec<(Scenario, Verdict)>,
}

impl Report {
    /// Counts a scenario.
    pub fn add(&mut self, scenario: &Scenario, verdict: Verdict) {
        let count = if scenario.only_reads() { &mut self.reading } else { &mut self.writing };
        count.add(&verdict);
        if verdict != Verdict::Right {
            self.ended.push((scenario.clone(), verdict));
        }
    }

    /// The identifiers of the scenarios with a verdict, in order.
    pub fn ids(&self, wanted: impl Fn(&Verdict) -> bool) -> Vec<&str> {
        let ended = self.ended.iter().filter(|(_, verdict)| wanted(verdict));
        ended.map(|(scenario, _)| scenario.id.as_str()).collect()
    }

    /// Each scenario that is not right, with its queries and the reason.
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
    /// The counts as a table.
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
