//! Reports of runs.

use std::{collections::BTreeMap, fmt};

use crate::{case::Case, construct::Construct, pair::Verdict};

/// The number of queries with each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of all queries.
    pub queries: usize,
    /// The number of queries with equal rows.
    pub same: usize,
    /// The number of queries with equal rows, and at least one.
    pub with_rows: usize,
    /// The number of queries that fail on both stores.
    pub both_failed: usize,
    /// The number of queries that the embedded store refuses.
    pub refused: usize,
    /// The number of queries on which the stores differ.
    pub wrong: usize,
    /// The number of queries on which Neo4j differs from the embedded store and from itself.
    pub contradicted: usize,
    /// The number of queries that Neo4j does not answer in time.
    pub late: usize,
    /// The number of queries that the gate refuses.
    pub gated: usize,
}

/// The report of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// The number of queries with each verdict.
    pub figures: Figures,
    /// The number of queries that show each construct.
    pub constructs: BTreeMap<Construct, usize>,
    /// The refused constructs, each with its frequency and one query.
    pub refusals: BTreeMap<String, (usize, String)>,
    /// The failures on both stores, each with its frequency and one query.
    pub failures: BTreeMap<String, (usize, String)>,
    /// The contradictions of Neo4j with itself, each with its frequency and one query.
    pub contradictions: BTreeMap<String, (usize, String)>,
    /// The cases on which the stores differ, as small as possible, each with the difference.
    pub wrong: Vec<(Case, String)>,
}

impl Report {
    pub(crate) fn count(&mut self, query: &str, verdict: &Verdict) {
        let figures = &mut self.figures;
        figures.queries += 1;
        match verdict {
            Verdict::Same(rows) => {
                figures.same += 1;
                figures.with_rows += usize::from(*rows > 0);
            }
            Verdict::BothFailed(how) => {
                figures.both_failed += 1;
                note(&mut self.failures, how, query);
            }
            Verdict::Refused(construct) => {
                figures.refused += 1;
                note(&mut self.refusals, construct, query);
            }
            Verdict::Wrong(_) => figures.wrong += 1,
            Verdict::Contradicted(how) => {
                figures.contradicted += 1;
                note(&mut self.contradictions, how, query);
            }
            Verdict::Late => figures.late += 1,
            Verdict::Gated(how) => {
                figures.gated += 1;
                note(&mut self.failures, how, query);
            }
        }
    }

    /// Returns the constructs that fewer than `least` queries show, with their numbers.
    pub fn shown_less_than(&self, least: usize) -> Vec<(Construct, usize)> {
        let count = |construct| self.constructs.get(construct).copied().unwrap_or_default();
        let all = Construct::ALL.iter().map(|construct| (*construct, count(construct)));
        all.filter(|(_, count)| *count < least).collect()
    }

    /// Returns the share of queries that return rows, in percent.
    pub fn share_with_rows(&self) -> usize {
        self.figures.with_rows * 100 / self.figures.queries.max(1)
    }
}

fn note(notes: &mut BTreeMap<String, (usize, String)>, what: &str, query: &str) {
    let entry = notes.entry(what.to_owned()).or_insert_with(|| (0, query.to_owned()));
    entry.0 += 1;
    // The shortest query shows the cause best.
    if query.len() < entry.1.len() {
        query.clone_into(&mut entry.1);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { queries, same, with_rows, both_failed, refused, wrong, contradicted, late, gated } =
            self.figures;
        writeln!(
            formatter,
            "seed {}: {queries} queries, {same} the same ({with_rows} with rows), {refused} refused, {wrong} wrong, \
             {contradicted} contradicted by neo4j itself, {both_failed} fail on both, {late} late, {gated} gated",
            self.seed
        )?;
        let counts: Vec<_> =
            self.constructs.iter().map(|(construct, count)| format!("{construct} {count}")).collect();
        writeln!(formatter, "constructs: {}", counts.join(", "))?;
        let notes = [
            ("refused", &self.refusals),
            ("neo4j contradicts itself", &self.contradictions),
            ("fails on both", &self.failures),
        ];
        for (title, notes) in notes {
            for (what, (count, query)) in notes {
                writeln!(formatter, "{title} {count}: {what}\n    {query}")?;
            }
        }
        for (case, how) in &self.wrong {
            writeln!(formatter, "WRONG {how}\n{}", serde_json::to_string(case).unwrap_or_default())?;
        }
        Ok(())
    }
}
