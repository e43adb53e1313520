//! Plans: the calls that answered questions of a kind, filled in for another question of it.

use std::collections::BTreeSet;

use graphwright_answer::{QuestionKind, QuestionSlot};
use serde_json::Value;

use super::{Route, template::CallTemplate};
use crate::graph_tools::CYPHER_TOOL;

/// How many of the latest runs of a kind are looked at.
const MOST_RUNS: usize = 200;
/// The least number of runs of a route that has proved itself.
const LEAST_RUNS: usize = 5;
/// The least share of them that succeeded.
const LEAST_SUCCESS: f64 = 0.9;

/// After how many runs to which a plan was offered it is seen whether that saves anything.
const LEAST_OFFERED: usize = 2;

/// The calls of a route, with the words of a question in their slots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// The identifier of the latest run that made these calls.
    pub(crate) route: String,
    pub(crate) calls: Vec<PlannedCall>,
    /// How many runs made these calls.
    pub(crate) runs: usize,
    /// How many of them succeeded.
    pub(crate) succeeded: usize,
    /// Whether runs to which it was offered took no more tokens than the others, as far as that is known.
    pub(crate) saves: bool,
    /// The call whose rows are the answer, if the route has proved itself and rests on nothing else.
    pub(crate) proven: Option<PlannedCall>,
}

/// A call of a tool, filled in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedCall {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
}

/// Runs that made the same calls but for what stands in the slots of their questions.
struct Group<'r> {
    calls: Vec<CallTemplate>,
    runs: Vec<&'r Route>,
}

impl Plan {
    /// Returns the best plan for a question: of the routes of its kind under the same schema, those that succeeded more often than not;
    /// of them the one that succeeded most, then the one with the fewest tokens.
    pub(crate) fn best(routes: &[Route], question: &QuestionKind, schema: &str) -> Option<Self> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let runs = routes.iter().rev().filter(|route| is_evidence(route, question, schema)).take(MOST_RUNS);
        // Runs that only followed others prove nothing, unless somebody judged them: then they speak of what they followed.
        let (own, following): (Vec<&Route>, Vec<&Route>) = runs.partition(|route| route.follows.is_none());
        for route in own {
            let Some(calls) = templates(route) else { continue };
            match groups.iter_mut().find(|group| group.calls == calls) {
                Some(group) => group.runs.push(route),
                None => groups.push(Group { calls, runs: vec![route] }),
            }
        }
        for route in following.into_iter().filter(|route| route.verdict.is_some()) {
            let is_followed = |run: &&Route| Some(&run.id) == route.follows.as_ref();
            if let Some(group) = groups.iter_mut().find(|group| group.runs.iter().any(is_followed)) {
                group.runs.push(route);
            }
        }
        groups.retain(|group| {
            group.succeeded() * 2 > group.runs.len() && group.is_known_to_vary(&question.slots)
        });
        groups.sort_by(|one, other| {
            let tokens = |group: &Group<'_>| group.tokens(|_| true).unwrap_or_default();
            other.success().total_cmp(&one.success()).then_with(|| tokens(one).total_cmp(&tokens(other)))
        });
        groups.iter().find_map(|group| group.plan(&question.slots))
    }
}

/// Tells whether a run can say something of how to answer a question.
fn is_evidence(route: &Route, question: &QuestionKind, schema: &str) -> bool {
    let names = |slots: &[QuestionSlot]| slots.iter().map(|slot| slot.name.clone()).collect::<Vec<_>>();
    // What a question within a conversation means hangs on what was said before.
    !route.in_conversation
        && route.kind == question.kind
        && route.schema.as_deref() == Some(schema)
        && names(&route.slots) == names(&question.slots)
}

/// Returns the calls of a run that did not fail. `None` if there are none, or if one cannot be read.
fn templates(route: &Route) -> Option<Vec<CallTemplate>> {
    let calls = route.calls.iter().filter(|call| !call.failed);
    let calls: Option<Vec<_>> = calls.map(|call| CallTemplate::new(call, &route.slots)).collect();
    calls.filter(|calls| !calls.is_empty())
}

impl Group<'_> {
    fn succeeded(&self) -> usize {
        self.runs.iter().filter(|route| route.succeeded()).count()
    }

    fn success(&self) -> f64 {
        self.succeeded() as f64 / self.runs.len() as f64
    }

    /// Returns the mean tokens of the runs that meet a condition, of those in which a model was asked. `None` if there are none.
    fn tokens(&self, is_meant: impl Fn(&Route) -> bool) -> Option<f64> {
        let meant = self.runs.iter().filter(|route| route.follows.is_none() && is_meant(route));
        let tokens: Vec<f64> = meant.map(|route| route.usage.tokens() as f64).collect();
        (!tokens.is_empty()).then(|| tokens.iter().sum::<f64>() / tokens.len() as f64)
    }

    /// Tells whether offering this costs no tokens, or whether that is not known yet.
    fn saves(&self) -> bool {
        let offered = self.runs.iter().filter(|route| route.offered.is_some()).count();
        let means =
            self.tokens(|route| route.offered.is_some()).zip(self.tokens(|route| route.offered.is_none()));
        offered < LEAST_OFFERED || means.is_none_or(|(offered, without)| offered <= without)
    }

    /// Tells whether it is known what becomes of the calls for these slots: each has a value that was asked for before, or had several
    /// values. Else what is a slot and what is constant cannot be told apart.
    fn is_known_to_vary(&self, slots: &[QuestionSlot]) -> bool {
        slots.iter().enumerate().all(|(place, slot)| {
            let values: BTreeSet<&str> = self
                .runs
                .iter()
                .filter_map(|route| route.slots.get(place))
                .map(|slot| slot.value.as_str())
                .collect();
            values.len() > 1 || values.contains(slot.value.as_str())
        })
    }

    fn plan(&self, slots: &[QuestionSlot]) -> Option<Plan> {
        let calls = self.calls.iter().map(|call| planned(call, slots)).collect::<Option<Vec<_>>>()?;
        let proven = if self.has_proved_itself(slots) { calls.last().cloned() } else { None };
        let route = self.runs.first()?.id.clone();
        let (runs, succeeded, saves) = (self.runs.len(), self.succeeded(), self.saves());
        Some(Plan { route, calls, runs, succeeded, saves, proven })
    }

    /// Tells whether the rows of the last call are known to be the answer, so that no model need be asked.
    fn has_proved_itself(&self, slots: &[QuestionSlot]) -> bool {
        let Some(last) = self.calls.last().filter(|call| call.tool == CYPHER_TOOL) else { return false };
        let depends_on_all = || (0..slots.len()).all(|place| last.depends_on(place, slots));
        let answers = |route: &&Route| {
            let mut calls = route.calls.iter().filter(|call| !call.failed).rev();
            let is_told = calls.next().is_some_and(|last| last.cited && last.told);
            is_told && calls.all(|call| !call.cited)
        };
        self.runs.len() >= LEAST_RUNS
            && self.success() >= LEAST_SUCCESS
            && depends_on_all()
            && self.runs.iter().filter(|route| route.succeeded()).all(answers)
    }
}

fn planned(call: &CallTemplate, slots: &[QuestionSlot]) -> Option<PlannedCall> {
    Some(PlannedCall { tool: call.tool.clone(), arguments: call.fill(slots)? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{RouteCall, RouteOutcome, RouteVerdict, route::book::tests::route};

    const KIND: &str = "who owns <Service>";

    fn slot(name: &str) -> QuestionSlot {
        QuestionSlot {
            name: "<Service>".into(),
            phrase: name.into(),
            value: name.into(),
            id: Some(format!("{name}-id")),
        }
    }

    fn question(name: &str) -> QuestionKind {
        QuestionKind { kind: KIND.into(), links: Vec::new(), slots: vec![slot(name)] }
    }

    fn call(tool: &str, arguments: Value, cited: bool) -> RouteCall {
        RouteCall {
            tool: tool.into(),
            arguments,
            failed: false,
            cited,
            told: cited,
            characters: 9,
            rows: Some(1),
        }
    }

    /// A run that looked a service up and then asked who owns it.
    fn run(id: &str, name: &str) -> Route {
        let query = format!("MATCH (t:Team)-[:OWNS]->(:Service {{name: '{name}'}}) RETURN t.name");
        Route {
            slots: vec![slot(name)],
            schema: Some("s".into()),
            calls: vec![
                call("lookup_entity", json!({"name": name}), false),
                call(CYPHER_TOOL, json!({"query": query}), true),
            ],
            ..route(id, KIND, &[])
        }
    }

    fn runs() -> Vec<Route> {
        ["ledger", "gateway", "mail", "report", "auth"]
            .iter()
            .enumerate()
            .map(|(at, name)| run(&at.to_string(), name))
            .collect()
    }

    #[test]
    fn a_plan_has_the_words_of_the_question_in_its_slots() {
        let plan = Plan::best(&runs()[..2], &question("O'Neil"), "s").unwrap();
        assert_eq!((plan.route.as_str(), plan.runs, plan.succeeded, &plan.proven), ("1", 2, 2, &None));
        assert_eq!(plan.calls[0].arguments, json!({"name": "O'Neil"}));
        assert_eq!(
            plan.calls[1].arguments["query"],
            "MATCH (t:Team)-[:OWNS]->(:Service {name: 'O\\'Neil'})\nRETURN t.name"
        );
    }

    #[test]
    fn five_runs_of_which_nine_in_ten_succeed_prove_a_route() {
        let mut routes = runs();
        let proven = |routes: &[Route]| Plan::best(routes, &question("x"), "s").and_then(|plan| plan.proven);
        assert_eq!(proven(&routes).unwrap().tool, CYPHER_TOOL);
        assert_eq!(proven(&routes[1..]), None);
        routes[0].verdict = Some(RouteVerdict::Wrong);
        assert_eq!(proven(&routes), None);
        routes[0].verdict = None;
        // Its answers must rest on the last call alone, and tell of each of its rows.
        routes[0].calls[0].cited = true;
        assert_eq!(proven(&routes), None);
        routes[0].calls[0].cited = false;
        routes[0].calls[1].told = false;
        assert_eq!(proven(&routes), None);
    }

    #[test]
    fn only_runs_of_the_same_kind_schema_and_standing_count() {
        let best = |change: fn(&mut Route)| {
            let mut routes = runs();
            routes.iter_mut().for_each(change);
            Plan::best(&routes, &question("x"), "s")
        };
        assert!(best(|_| {}).is_some());
        assert_eq!(best(|route| route.schema = None), None);
        assert_eq!(best(|route| route.schema = Some("other".into())), None);
        assert_eq!(best(|route| route.in_conversation = true), None);
        assert_eq!(best(|route| route.follows = Some("0".into())), None);
        assert_eq!(best(|route| route.outcome = RouteOutcome::Refused), None);
        assert_eq!(best(|route| route.calls.clear()), None);
        assert_eq!(best(|route| route.kind = "who wrote <Service>".into()), None);
        assert_eq!(best(|route| route.slots[0].name = "<Library>".into()), None);
    }

    #[test]
    fn what_is_neither_constant_nor_a_slot_is_not_used_again() {
        let mut routes = runs();
        // Each run went on with something that the run before it had found.
        for (at, route) in routes.iter_mut().enumerate() {
            route.calls[0].arguments = json!({"name": format!("found-{at}")});
        }
        assert_eq!(Plan::best(&routes, &question("x"), "s"), None);
        // The same question again may be answered as it was.
        assert!(Plan::best(&routes, &question("mail"), "s").is_some());
    }

    #[test]
    fn a_plan_that_saves_nothing_where_it_is_offered_is_known_to() {
        let saves = |tokens: u64, offered: usize| {
            let mut routes = runs();
            for route in &mut routes {
                route.usage.input_tokens = 100;
            }
            for route in routes.iter_mut().take(offered) {
                (route.offered, route.usage.input_tokens) = (Some("x".into()), tokens);
            }
            Plan::best(&routes, &question("x"), "s").unwrap().saves
        };
        assert!(saves(110, 0) && saves(110, 1) && saves(90, 2));
        assert!(!saves(110, 2));
    }

    #[test]
    fn the_best_of_several_routes_is_taken() {
        let mut routes = runs();
        for (at, route) in routes.iter_mut().enumerate().skip(2) {
            route.calls.remove(0);
            route.usage.input_tokens = 100;
            if at == 4 {
                route.verdict = Some(RouteVerdict::Wrong);
            }
        }
        // Two of two against two of three.
        assert_eq!(Plan::best(&routes, &question("x"), "s").unwrap().calls.len(), 2);
        routes[4].verdict = None;
        routes[0].usage.input_tokens = 300;
        assert_eq!(Plan::best(&routes, &question("x"), "s").unwrap().calls.len(), 1);
    }
}
