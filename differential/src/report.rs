//! What a run found.

use std::{collections::BTreeMap, fmt};

use crate::{case::Case, construct::Construct, pair::Verdict};

/// How many queries ended how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// All queries.
    pub queries: usize,
    /// Queries with the same rows.
    pub same: usize,
    /// Queries with the same rows, and at least one.
    pub with_rows: usize,
    /// Queries that fail on both.
    pub both_failed: usize,
    /// Queries that the embedded store refuses.
    pub refused: usize,
    /// Queries on which the stores differ.
    pub wrong: usize,
    /// Queries on which Neo4j differs from the embedded store and from itself.
    pub contradicted: usize,
    /// Queries that Neo4j does not answer in time.
    pub late: usize,
    /// Queries that the gate refuses.
    pub gated: usize,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// How many queries ended how.
    pub figures: Figures,
    /// How many queries show a construct.
    pub constructs: BTreeMap<Construct, usize>,
    /// What was refused, how often, and one query each.
    pub refusals: BTreeMap<String, (usize, String)>,
    /// How queries failed on both, how often, and one query each.
    pub failures: BTreeMap<String, (usize, String)>,
    /// How Neo4j differed from itself, how often, and one query each.
    pub contradictions: BTreeMap<String, (usize, String)>,
    /// The cases on which the stores differ, as small as they could be made, and how.
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

    /// The constructs that fewer queries show, with their number.
    pub fn shown_less_than(&self, least: usize) -> Vec<(Construct, usize)> {
        let count = |construct| self.constructs.get(construct).copied().unwrap_or_default();
        let all = Construct::ALL.iter().map(|construct| (*construct, count(construct)));
        all.filter(|(_, count)| *count < least).collect()
    }

    /// The share of queries that give rows, in percent.
    pub fn share_with_rows(&self) -> usize {
        self.figures.with_rows * 100 / self.figures.queries.max(1)
    }
}

fn note(notes: &mut BTreeMap<String, (usize, String)>, what: &str, query: &str) {
    let entry = notes.entry(what.to_owned()).or_insert_with(|| (0, query.to_owned()));
    entry.0 += 1;
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
