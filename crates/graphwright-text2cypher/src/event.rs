//! What flows between steps.

use graphwright_answer::Answer;
use graphwright_core::{Properties, Value, text::shorten};
use graphwright_flow::Event;
use serde::{Deserialize, Serialize};

use crate::options::Turn;

/// The longest fault that a lesson keeps, in characters.
const LONGEST_FAULT: usize = 300;

/// A question comes in: what every flow starts with.
#[derive(Clone, Debug, Default, Serialize, Deserialize, Event)]
pub struct Asked {
    pub(crate) question: String,
    pub(crate) conversation: Vec<Turn>,
    /// The results of earlier sub-questions, if this is one of several.
    pub(crate) bound: Vec<Bound>,
    /// Whether it is known to be about this graph, as what one flow hands to another is.
    pub(crate) is_accepted: bool,
    /// Whether rows are wanted rather than words, for a flow that asks this as a sub-question.
    pub(crate) wants_rows: bool,
}

/// The result of an earlier sub-question, as a parameter of the query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bound {
    /// The name of the parameter.
    pub(crate) name: String,
    /// What its values are, in words.
    pub(crate) meaning: String,
    pub(crate) values: Vec<Value>,
}

/// The question is about this graph.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Accepted(pub(crate) Asked);

/// The question stands alone.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Clear(pub(crate) Asked);

/// The part of the schema is chosen.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Described {
    pub(crate) asked: Asked,
    pub(crate) schema: SchemaText,
}

/// A schema as the model is told it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SchemaText {
    pub(crate) text: String,
    /// Whether it is all of the schema.
    pub(crate) is_whole: bool,
}

/// The words of the question are linked to stored values.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Linked {
    pub(crate) asked: Asked,
    pub(crate) schema: SchemaText,
    /// What the words of the question mean among the stored values, one a line.
    pub(crate) values: Vec<String>,
}

/// All is there that a query is written from.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Prepared {
    pub(crate) asked: Asked,
    pub(crate) schema: SchemaText,
    /// What the words of the question mean among the stored values, one a line.
    pub(crate) values: Vec<String>,
    /// Questions that are like this one, with their queries.
    pub(crate) examples: Vec<ShownExample>,
}

/// An example as the model is shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShownExample {
    pub(crate) id: String,
    pub(crate) question: String,
    pub(crate) cypher: String,
}

/// A query is to be written, in the light of what was wrong with those before.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Draft {
    pub(crate) prepared: Box<Prepared>,
    pub(crate) attempts: Vec<Attempt>,
    /// What an earlier query found that a judge was not content with: better than nothing.
    pub(crate) kept: Option<Box<Kept>>,
}

/// Rows in reserve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) found: Found,
    /// What the judge misses.
    pub(crate) doubt: String,
}

/// A reply of the model, and what was wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) reply: String,
    pub(crate) fault: String,
}

impl Draft {
    pub(crate) fn first(prepared: Prepared) -> Self {
        Self { prepared: Box::new(prepared), attempts: Vec::new(), kept: None }
    }

    /// Returns the parameters that the query runs with.
    pub(crate) fn parameters(&self) -> Properties {
        let bound = self.prepared.asked.bound.iter();
        bound.map(|bound| (bound.name.clone(), Value::List(bound.values.clone()))).collect()
    }

    /// Returns the draft after one more attempt that was wrong.
    pub(crate) fn after(mut self, reply: String, fault: String) -> Self {
        self.attempts.push(Attempt { reply, fault });
        self
    }
}

/// The model wrote something.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Written {
    pub(crate) draft: Draft,
    pub(crate) reply: String,
}

/// A query is there that may run.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Query {
    pub(crate) draft: Draft,
    pub(crate) reply: String,
    pub(crate) text: String,
    /// What was mended in it.
    pub(crate) changes: Vec<String>,
    /// Whether what was mended could change its meaning, or the lint still warns of something.
    pub(crate) is_doubtful: bool,
    /// What the lint warns of.
    pub(crate) warnings: String,
}

/// The query has run.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Ran {
    pub(crate) query: Query,
    pub(crate) found: Box<Found>,
}

/// What a query found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The query that gave the rows, which may differ from the one that was written.
    pub(crate) text: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// Why rows may be missing.
    pub(crate) truncated: Option<String>,
    /// How many rows there are in all, if more than are shown.
    pub(crate) total: Option<Total>,
    /// What was changed to find anything.
    pub(crate) changes: Vec<String>,
}

/// A number of rows that was counted beyond those that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Total {
    pub(crate) count: usize,
    /// Whether counting stopped there.
    pub(crate) is_at_least: bool,
}

/// The rows were judged, or need not be.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Judged {
    pub(crate) draft: Draft,
    pub(crate) found: Found,
    /// What the judge misses, if it still misses something.
    pub(crate) doubt: Option<String>,
    /// Whether a judge said that the rows answer the question.
    pub(crate) is_agreed: bool,
    /// What was mended in the query before it ran.
    pub(crate) mended: Vec<String>,
}

impl Judged {
    /// Rows that nobody judged.
    pub(crate) fn unseen(Ran { query, found }: Ran) -> Self {
        let Query { draft, changes, .. } = query;
        Self { draft, found: *found, doubt: None, is_agreed: false, mended: changes }
    }

    /// Returns what can be learned from these rows: something, where the query was wrong first and nothing is left to doubt.
    pub(crate) fn lesson(&self) -> Option<Lesson> {
        let Self { draft, found, .. } = self;
        let asked = &draft.prepared.asked;
        let is_whole = found.truncated.is_none() && !found.rows.is_empty();
        let stands_alone = asked.bound.is_empty() && !asked.wants_rows;
        if self.doubt.is_some() || !is_whole || !stands_alone {
            return None;
        }
        let faults = draft.attempts.iter().map(|attempt| shorten(&attempt.fault, LONGEST_FAULT));
        let healed: Vec<String> = faults.chain(self.mended.clone()).chain(found.changes.clone()).collect();
        let prepared = draft.prepared.clone();
        (!healed.is_empty()).then_some(Lesson { prepared, healed, is_agreed: self.is_agreed })
    }
}

/// What can be learned from rows: an example whose query is the one that gave them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lesson {
    /// What the query was written from.
    pub(crate) prepared: Box<Prepared>,
    /// What was wrong first.
    pub(crate) healed: Vec<String>,
    /// Whether a judge said that the rows answer the question.
    pub(crate) is_agreed: bool,
}

/// What proves the rows is there.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Proved {
    pub(crate) asked: Asked,
    pub(crate) found: Found,
    pub(crate) proof: Proof,
    pub(crate) doubt: Option<String>,
    pub(crate) lesson: Option<Lesson>,
    /// The identifiers of the examples that the model was shown.
    pub(crate) shown: Vec<String>,
}

/// What proves rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Proof {
    /// The paths of each row.
    pub(crate) rows: Vec<Vec<graphwright_answer::AnswerPath>>,
    /// Why there are none, if there are none.
    pub(crate) lacking: Option<String>,
}

/// The end of a flow: an answer, and the rows that it rests on.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub struct Outcome {
    pub(crate) answer: Box<Answer>,
    pub(crate) found: Option<Box<Found>>,
    pub(crate) proof: Proof,
    pub(crate) lesson: Option<Lesson>,
    /// The identifiers of the examples that the model was shown.
    pub(crate) shown: Vec<String>,
}

impl Outcome {
    /// An answer without rows.
    pub(crate) fn without_rows(answer: Answer) -> Self {
        let (found, proof, lesson, shown) = (None, Proof::default(), None, Vec::new());
        Self { answer: Box::new(answer), found, proof, lesson, shown }
    }
}

/// One query cannot answer the question.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Split(pub(crate) Asked);

/// A round of sub-questions is to be asked.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Round(pub(crate) usize);

/// A sub-question is to be asked, with the results that it needs.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Open {
    pub(crate) number: usize,
    pub(crate) asked: Asked,
}

/// A sub-question has its rows, or none.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Closed {
    pub(crate) number: usize,
    pub(crate) question: String,
    pub(crate) outcome: Outcome,
}

/// All that was asked is answered, or cannot be.
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
pub(crate) struct Settled;
