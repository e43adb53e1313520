//! `planner`: sub-questions one after another, the results of the earlier ones given to the later ones.

use std::{collections::HashSet, sync::Arc};

use graphwright_core::Value;
use graphwright_flow::{Batch, Context, FlowError, OneOf, Runner, flow};
use serde::{Deserialize, Serialize};

use super::Retry;
use crate::{
    error::Result,
    event::{
        Accepted, Asked, Bound, Clear, Closed, Described, Found, Open, Outcome, Prepared, Round, Settled,
        Split,
    },
    session::Session,
    steps::{self, Guarded, Source, SubQuestion},
};

/// The most rounds of sub-questions.
const ROUNDS: usize = 3;
/// The most values that a result gives to a later query.
const MOST_BOUND: usize = 25;

/// Asks one query where that can answer, and otherwise makes a plan of sub-questions: side by side where they are independent, else with
/// the results of those before.
#[derive(Clone, Debug)]
pub struct Planner {
    session: Arc<Session>,
    retry: Runner<Retry>,
}

/// The plan, and what is answered of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    asked: Asked,
    questions: Vec<SubQuestion>,
    closed: Vec<Closed>,
}

impl Plan {
    fn found(&self, number: usize) -> Option<&Found> {
        self.closed.iter().find(|closed| closed.number == number)?.outcome.found.as_deref()
    }

    /// The sub-questions that are not asked yet and need nothing more.
    fn ready(&self) -> Vec<&SubQuestion> {
        let is_open = |number: usize| !self.closed.iter().any(|closed| closed.number == number);
        let is_ready = |question: &&SubQuestion| {
            is_open(question.number) && question.needs.iter().all(|need| !is_open(*need))
        };
        self.questions.iter().filter(is_ready).collect()
    }

    /// The last sub-question, if it has no rows at all: it was to give the answer.
    fn unanswered(&self) -> Option<&Closed> {
        let last = self.closed.iter().max_by_key(|closed| closed.number)?;
        last.outcome.found.is_none().then_some(last)
    }

    /// How many rounds were asked: the longest way through what is answered.
    fn rounds(&self) -> usize {
        let mut depths: Vec<usize> = Vec::new();
        for question in &self.questions {
            let needs = question.needs.iter().filter_map(|need| depths.get(need - 1));
            depths.push(needs.max().map_or(1, |depth| depth + 1));
        }
        let closed = self.closed.iter().filter_map(|closed| depths.get(closed.number - 1));
        closed.max().copied().unwrap_or_default()
    }

    /// The first sub-question that found nothing although others need it, or that could not be asked.
    fn dead_end(&self) -> Option<&Closed> {
        self.closed.iter().find(|closed| {
            let is_needed = self.questions.iter().any(|question| question.needs.contains(&closed.number));
            let is_empty = closed.outcome.found.as_ref().is_none_or(|found| found.rows.is_empty());
            is_empty && is_needed
        })
    }
}

#[derive(OneOf)]
enum Planned {
    Round(Round),
    Split(Split),
}

#[derive(OneOf)]
enum Gathered {
    Round(Round),
    Settled(Settled),
}

impl Planner {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        let retry = Runner::new(Retry(Arc::clone(&session)));
        Self { session, retry }
    }

    /// The answer of a plan that a sub-question has ended.
    fn failed(&self, asked: &Asked, failed: &Closed) -> Outcome {
        let text = format!("{} (\"{}\")", failed.outcome.answer.answer, failed.question);
        let mut answer = self.session.no_answer(asked, text);
        answer.cypher.clone_from(&failed.outcome.answer.cypher);
        Outcome::without_rows(answer)
    }

    /// Gives a sub-question the results that it needs.
    fn open(&self, plan: &Plan, question: &SubQuestion) -> Open {
        let mut bound = Vec::new();
        for &need in &question.needs {
            let meaning = plan.questions.iter().find(|question| question.number == need);
            let meaning = meaning.map_or("", |question| question.question.as_str());
            if let Some(found) = plan.found(need) {
                bound.extend(self.bound(need, meaning, found));
            }
        }
        let asked = Asked {
            question: question.question.clone(),
            bound,
            is_accepted: true,
            wants_rows: true,
            ..Asked::default()
        };
        Open { number: question.number, asked }
    }

    /// The columns of a result as parameters: `step1`, and `step1_2` for the second column.
    fn bound(&self, number: usize, meaning: &str, found: &Found) -> Vec<Bound> {
        let mut bound = Vec::new();
        for (at, column) in found.columns.iter().enumerate() {
            let mut known = HashSet::new();
            let mut values: Vec<Value> = found
                .rows
                .iter()
                .filter_map(|row| steps::scalar(row.get(at)?))
                .filter(|value| known.insert(format!("{value:?}")))
                .collect();
            if values.is_empty() {
                continue;
            }
            if values.len() > MOST_BOUND {
                let all = values.len();
                self.session.note(format!(
                    "Only {MOST_BOUND} of the {all} values of \"{meaning}\" were given to the next query."
                ));
                values.truncate(MOST_BOUND);
            }
            let name = if at == 0 { format!("step{number}") } else { format!("step{number}_{}", at + 1) };
            bound.push(Bound {
                name,
                meaning: format!("values of {column} that answer \"{meaning}\""),
                values,
            });
        }
        bound
    }
}

#[flow(start = Asked, stop = Outcome, state = Plan)]
impl Planner {
    /// Is the question about this graph?
    #[step]
    async fn guard(&self, asked: Asked) -> Result<Guarded> {
        steps::guard(&self.session, asked).await
    }

    /// Makes the question stand alone.
    #[step]
    async fn rewrite(&self, accepted: Accepted) -> Clear {
        steps::rewrite(&self.session, accepted).await
    }

    /// Chooses the part of the schema.
    #[step]
    async fn schema(&self, clear: Clear) -> Described {
        steps::describe(&self.session, clear).await
    }

    /// Lets the model make a plan.
    #[step]
    async fn plan(&self, described: Described, ctx: &Context<Self>) -> Result<Planned> {
        let Described { asked, schema } = described;
        let prepared = Prepared { asked, schema, values: Vec::new(), examples: Vec::new() };
        let questions = steps::plan(&self.session, &prepared).await?;
        let asked = prepared.asked;
        if questions.is_empty() {
            return Ok(Split(asked).into());
        }
        for question in &questions {
            self.session.note(format!("Sub-question {}: {}", question.number, question.question));
        }
        ctx.update(move |plan| *plan = Plan { asked, questions, closed: Vec::new() });
        Ok(Round(1).into())
    }

    /// Asks one query, since that can answer.
    #[step]
    async fn single(&self, split: Split, ctx: &Context<Self>) -> Result<Outcome, FlowError> {
        ctx.run(&self.retry, split.0).await
    }

    /// Opens the sub-questions that need nothing more.
    #[step(at_most = 3)]
    async fn round(&self, round: Round, ctx: &Context<Self>) -> Batch<Open> {
        let plan = ctx.state();
        let ready = plan.ready();
        self.session.tell_step(format!("round {}: {} sub-questions", round.0, ready.len()));
        ctx.send_all(ready.into_iter().map(|question| self.open(&plan, question)))
    }

    /// Asks a sub-question.
    #[step(workers = 4)]
    async fn answer(&self, open: Open, ctx: &Context<Self>) -> Result<Closed, FlowError> {
        let question = open.asked.question.clone();
        let outcome = ctx.run(&self.retry, open.asked).await?;
        Ok(Closed { number: open.number, question, outcome })
    }

    /// Waits for the sub-questions of a round, and sees what is left.
    #[step]
    async fn gather(&self, closed: Closed, ctx: &Context<Self>) -> Option<Gathered> {
        let closed: Vec<Closed> = ctx.collect(closed).await?;
        let mut plan = (*ctx.state()).clone();
        plan.closed.extend(closed.clone());
        ctx.update(move |plan| plan.closed.extend(closed));
        let rounds = plan.rounds();
        let goes_on = !plan.ready().is_empty() && plan.dead_end().is_none() && rounds < ROUNDS;
        Some(if goes_on { Round(rounds + 1).into() } else { Settled.into() })
    }

    /// Puts the rows of all sub-questions into words.
    #[step]
    async fn summarise(&self, _settled: Settled, ctx: &Context<Self>) -> Result<Outcome> {
        let plan = ctx.state();
        if let Some(failed) = plan.dead_end().or_else(|| plan.unanswered()) {
            return Ok(self.failed(&plan.asked, failed));
        }
        let mut sources = Vec::new();
        for closed in &plan.closed {
            let (question, proof) = (closed.question.clone(), closed.outcome.proof.clone());
            match closed.outcome.found.clone() {
                Some(found) => sources.push((closed.number, Source { question, found: *found, proof })),
                None => {
                    self.session.note(format!("Without \"{question}\": {}", closed.outcome.answer.answer));
                }
            }
        }
        sources.sort_by_key(|(number, _)| *number);
        let left = plan.questions.len() - plan.closed.len();
        let doubt = (left > 0)
            .then(|| format!("{left} of the sub-questions were not asked: the plan takes too many rounds"));
        let sources = sources.into_iter().map(|(_, source)| source).collect();
        steps::summarise(&self.session, &plan.asked, sources, doubt).await
    }
}
