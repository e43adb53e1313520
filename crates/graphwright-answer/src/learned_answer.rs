//! Answers to questions that pairs of questions have taught to read.

use graphwright_core::Value;
use graphwright_learn::{Outline, OutlinedAsked, Way};
use graphwright_retrieve::{NodeIndex, RelationshipIndex};

use crate::{
    Answer, AnswerWay, Answerer, Learned,
    evaluate::Match,
    evidence::Wanted,
    interpret::Outcome,
    question::plan::{Filter, Join, Order, Plan, Projection, Ranking, Test, Variable},
    schema::Schema,
};

impl Answerer {
    /// Sets what was learned from pairs: questions that it reads with confidence are answered so.
    #[must_use]
    pub fn with_learned(mut self, learned: Learned) -> Self {
        self.learned = Some(learned);
        self
    }

    /// Answers a question as pairs have taught. None where that is not sure enough, or the graph has nothing for it.
    pub(crate) fn answer_as_learned(&self, question: &str) -> Option<(Answer, Wanted)> {
        let Learned { model, graph } = self.learned.as_ref()?;
        let understood = model.understand(question, graph.graph())?;
        if understood.confidence < model.threshold() {
            return None;
        }
        let schema = graph.graph().schema();
        let found = graph.graph().run(&understood.meaning);
        let outline = understood.meaning.outline(schema);
        // What the graph lacks is no zero: the reader of questions knows where it is complete.
        if found.nodes.is_empty() {
            return None;
        }
        let plan = plan(&outline, &self.interpreter.schema)?;
        let matches = graph.matches(&understood.meaning, &found, &self.topology);
        let values = self.values(&matches, &outline);
        let outcome = Outcome {
            plan,
            matches,
            values,
            truth: None,
            aggregate: None,
            groups: Vec::new(),
            exceptions: Vec::new(),
            closed: false,
            score: understood.confidence,
        };
        let mut answer =
            Answer { question: question.to_owned(), way: AnswerWay::Learned, ..Answer::default() };
        let mut wanted = Wanted::default();
        self.put(&mut answer, &outcome, &mut wanted);
        answer
            .steps
            .push(format!("Read as learned from pairs, with confidence {:.2}.", understood.confidence));
        answer.cypher = understood.meaning.statement(schema).ok().map(|statement| with_values(&statement));
        Some((answer, wanted))
    }

    fn values(
        &self,
        matches: &[Match],
        outline: &Outline<'_>,
    ) -> Vec<(NodeIndex, Value, Option<RelationshipIndex>)> {
        let OutlinedAsked::Values(name) = outline.asked else { return Vec::new() };
        let value = |found: &Match| {
            let own = &self.topology.node(found.node).properties;
            own.get(name).map(|value| (found.node, value.clone(), None))
        };
        matches.iter().filter_map(value).collect()
    }
}

/// The statement with its values behind it, for people.
fn with_values(statement: &graphwright_core::Statement) -> String {
    let values: Vec<String> = statement
        .parameters()
        .iter()
        .map(|(name, value)| format!("${name} = {}", crate::answer::json(value)))
        .collect();
    if values.is_empty() {
        return statement.text().to_owned();
    }
    format!("{} // {}", statement.text(), values.join(", "))
}

/// A meaning as a plan, to put it into words. None where it has names that questions are not read by.
fn plan(outline: &Outline<'_>, schema: &Schema) -> Option<Plan> {
    let number = |at: Option<usize>| at.and_then(|at| u16::try_from(at).ok());
    let label = |name: &str| number(schema.labels.iter().position(|known| known == name));
    let kind = |name: &str| number(schema.kinds.iter().position(|known| known == name));
    let property = |name: &str| number(schema.properties.iter().position(|known| known.name == name));
    let (mut variables, mut joins) = (Vec::new(), Vec::new());
    for (at, thing) in outline.things.iter().enumerate() {
        let mut variable = Variable { labels: Some(vec![label(thing.label)?]), at, ..Variable::default() };
        for (name, value) in &thing.conditions {
            let test = Test::OneOf(vec![(*value).clone()]);
            variable.filters.push(Filter { properties: vec![property(name)?], test, negated: false, at });
        }
        if let Some((left, name, way)) = thing.before {
            let (kind, forward) = (kind(name)?, way != Way::In);
            joins.push(Join { forward, ..Join::new(left, kind, at) });
        }
        variables.push(variable);
    }
    if let Some((name, descending)) = outline.rank {
        variables[0].ranking = Some(Ranking::Property(vec![property(name)?], Order::first(descending)));
    }
    let projection = match outline.asked {
        OutlinedAsked::Entities => Projection::Entities,
        OutlinedAsked::Count => Projection::Number,
        OutlinedAsked::Values(name) => Projection::Values(vec![property(name)?]),
    };
    let (unused, different) = (Vec::new(), Vec::new());
    Some(Plan {
        variables,
        joins,
        answer: 0,
        projection,
        score: 1.0,
        unused,
        guessed: 0,
        claim: None,
        different,
    })
}
