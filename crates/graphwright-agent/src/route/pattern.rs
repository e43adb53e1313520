//! Patterns of routes: which tools answer which kind of question.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::Serialize;

use super::{Route, RouteOutcome, RouteVerdict};

/// All runs that used the same tools, in the same order, for one kind of question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutePattern {
    /// The kind of question, as in [`Route::kind`].
    pub kind: String,
    /// The tools, in the order of their calls.
    pub tools: Vec<String>,
    /// The number of runs.
    pub runs: usize,
    /// The share of runs that [succeeded](Route::succeeded), from 0 to 1.
    pub success: f64,
    /// The number of runs whose answer the tool results support.
    pub answered: usize,
    /// The number of runs that found that the graph does not hold the answer.
    pub not_in_graph: usize,
    /// The number of runs whose answer was refused.
    pub refused: usize,
    /// The number of runs that failed.
    pub failed: usize,
    /// The number of runs whose answer the user judged right.
    pub right: usize,
    /// The number of runs whose answer the user judged wrong.
    pub wrong: usize,
    /// The mean number of model replies that called tools.
    pub mean_steps: f64,
    /// The mean number of tokens sent and received.
    pub mean_tokens: f64,
    /// The mean cost in US dollars, over the runs whose cost is known.
    pub mean_cost: Option<f64>,
    /// The mean duration in seconds.
    pub mean_seconds: f64,
    /// The identifier of the latest run.
    pub latest: String,
    /// The time of the latest run.
    pub latest_at: Timestamp,
}

impl RoutePattern {
    /// Groups routes into patterns.
    ///
    /// The kinds that are asked most come first. Within a kind, patterns are ordered by success,
    /// highest first, and then by tokens, fewest first.
    pub fn from_routes<'a>(routes: impl IntoIterator<Item = &'a Route>) -> Vec<Self> {
        let mut groups: BTreeMap<(&str, Vec<&str>), Vec<&Route>> = BTreeMap::new();
        let mut asked: HashMap<&str, usize> = HashMap::new();
        for route in routes {
            *asked.entry(&route.kind).or_default() += 1;
            groups.entry((&route.kind, route.tools().collect())).or_default().push(route);
        }
        let mut patterns: Vec<Self> = groups.values().filter_map(|runs| Self::from_group(runs)).collect();
        let asked = |pattern: &Self| asked.get(pattern.kind.as_str()).copied().unwrap_or(0);
        patterns.sort_by(|one, other| {
            asked(other)
                .cmp(&asked(one))
                .then_with(|| one.kind.cmp(&other.kind))
                .then_with(|| other.success.total_cmp(&one.success))
                .then_with(|| one.mean_tokens.total_cmp(&other.mean_tokens))
                .then_with(|| other.runs.cmp(&one.runs))
        });
        patterns
    }

    /// Makes a pattern from runs of one kind and the same tools; `None` if there are none.
    fn from_group(runs: &[&Route]) -> Option<Self> {
        let latest = runs.iter().max_by_key(|route| route.at)?;
        let count = |wanted: RouteOutcome| runs.iter().filter(|route| route.outcome == wanted).count();
        let judged = |wanted: RouteVerdict| runs.iter().filter(|route| route.verdict == Some(wanted)).count();
        let average = |number: fn(&Route) -> f64| mean(runs.iter().map(|route| number(route))).unwrap_or(0.0);
        Some(Self {
            kind: latest.kind.clone(),
            tools: latest.tools().map(str::to_owned).collect(),
            runs: runs.len(),
            success: average(|route| f64::from(u8::from(route.succeeded()))),
            answered: count(RouteOutcome::Answered),
            not_in_graph: count(RouteOutcome::NotInGraph),
            refused: count(RouteOutcome::Refused),
            failed: count(RouteOutcome::Failed),
            right: judged(RouteVerdict::Right),
            wrong: judged(RouteVerdict::Wrong),
            mean_steps: average(|route| route.steps as f64),
            mean_tokens: average(|route| route.usage.tokens() as f64),
            mean_cost: mean(runs.iter().filter_map(|route| route.usage.cost)),
            mean_seconds: average(|route| route.elapsed_ms as f64 / 1000.0),
            latest: latest.id.clone(),
            latest_at: latest.at,
        })
    }
}

/// Returns the mean; `None` if there are no numbers.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = numbers.fold((0_u32, 0.0), |(count, sum), number| (count + 1, sum + number));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use graphwright_llm::Usage;

    use super::*;
    use crate::route::book::tests::route;

    #[test]
    fn runs_of_one_kind_and_the_same_tools_are_one_pattern() {
        let paid = |tokens, cost| Usage { input_tokens: tokens, cost, ..Usage::default() };
        let owner = "who owns <Service>";
        let mut routes = [
            Route {
                usage: paid(100, Some(0.01)),
                steps: 1,
                elapsed_ms: 1000,
                ..route("1", owner, &["lookup"])
            },
            Route { usage: paid(300, None), steps: 2, elapsed_ms: 3000, ..route("2", owner, &["lookup"]) },
            Route { usage: paid(10, None), ..route("3", owner, &["lookup", "cypher"]) },
            route("4", "what is <Team>", &[]),
        ];
        routes[1].outcome = RouteOutcome::Refused;
        let patterns = RoutePattern::from_routes(&routes);
        let told: Vec<_> = patterns
            .iter()
            .map(|found| (found.kind.as_str(), found.tools.len(), found.runs, found.success))
            .collect();
        assert_eq!(told, [(owner, 2, 1, 1.0), (owner, 1, 2, 0.5), ("what is <Team>", 0, 1, 1.0)]);
        let looked_up = &patterns[1];
        assert_eq!((looked_up.answered, looked_up.refused), (1, 1));
        assert_eq!((looked_up.mean_steps, looked_up.mean_tokens, looked_up.mean_seconds), (1.5, 200.0, 2.0));
        assert_eq!((looked_up.mean_cost, patterns[0].mean_cost), (Some(0.01), None));
    }

    #[test]
    fn the_verdict_of_the_user_outweighs_the_outcome() {
        let mut routes = [route("1", "k", &[]), route("2", "k", &[]), route("3", "k", &[])];
        routes[0].verdict = Some(RouteVerdict::Wrong);
        routes[1].verdict = Some(RouteVerdict::Right);
        routes[1].outcome = RouteOutcome::NotInGraph;
        routes[2].outcome = RouteOutcome::Failed;
        let patterns = RoutePattern::from_routes(&routes);
        let [pattern] = patterns.as_slice() else { panic!("{patterns:?}") };
        assert!((pattern.success - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!((pattern.right, pattern.wrong, pattern.answered, pattern.failed), (1, 1, 1, 1));
        assert!(RoutePattern::from_routes(&[]).is_empty());
    }
}
