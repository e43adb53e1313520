//! Learning: a run that healed itself leaves an example, if nothing speaks against it.

use std::{sync::Arc, time::Duration};

use graphwright_answer::{AnswerPath, QueryTemplate, QuestionKind};
use graphwright_core::Value;
use graphwright_retrieve::value_json;
use jiff::Timestamp;
use tokio::time::timeout;

use crate::{
    error::Result,
    event::{Draft, Found, Lesson, Outcome, Proof, ShownExample},
    examples::{Example, ExampleBook, ExampleOrigin, ExampleProof, ExampleStatus},
    session::Session,
    steps::{self, Verdict, in_background},
};

/// How long learning from an answer may take.
const LONGEST: Duration = Duration::from_secs(30);
/// The most shapes of paths that an example keeps.
const MOST_SHAPES: usize = 5;
/// With how many stored examples of its kind a query is compared.
const MOST_COMPARED: usize = 3;

/// Learns from an answer that a flow gave, within the time that is left, and says so. What keeps it from learning is told, and changes
/// nothing of the answer.
pub(crate) async fn learn(session: &Session, outcome: &Outcome, left: Duration) {
    let (Some(book), Some(lesson), Some(found)) = (&session.examples, &outcome.lesson, &outcome.found) else {
        return;
    };
    session.tell_step("learning from this: the query was wrong first, and came right");
    let lesson = Learning { session, book, lesson, found };
    match timeout(LONGEST.min(left), lesson.take(&outcome.proof)).await {
        Ok(Ok(said)) => session.note(said),
        Ok(Err(error)) => session.tell_step(format!("nothing was learned: {error}")),
        Err(_) => session.tell_step("nothing was learned within the time"),
    }
}

/// Counts that examples were shown for an answer, so that they do not age.
pub(crate) async fn count_uses(session: &Session, shown: Vec<String>) {
    let Some(book) = session.examples.clone().filter(|_| !shown.is_empty()) else { return };
    let counted = in_background(move || {
        book.change(|examples| {
            for example in examples.iter_mut().filter(|example| shown.contains(&example.id)) {
                example.used += 1;
                example.used_at = Some(Timestamp::now());
            }
        })
    });
    if let Err(error) = counted.await {
        session.tell_step(format!("the use of examples was not counted: {error}"));
    }
}

/// An answer that is learned from.
struct Learning<'a> {
    session: &'a Session,
    book: &'a Arc<ExampleBook>,
    lesson: &'a Lesson,
    found: &'a Found,
}

/// What stored examples of the same kind say of a query.
#[derive(Default)]
struct Compared {
    agreeing: Vec<String>,
    contradicting: Vec<String>,
}

impl Learning<'_> {
    fn question(&self) -> &str {
        &self.lesson.prepared.asked.question
    }

    /// Makes the example, or confirms one that is there. Returns what to say of it.
    async fn take(&self, proof: &Proof) -> Result<String> {
        let kind = self.session.answerer.question_kind(self.question());
        let compared = self.compare(&kind).await?;
        if !compared.agreeing.is_empty() && compared.contradicting.is_empty() {
            let ids = compared.agreeing;
            let said = format!("Example {} is confirmed by this answer.", ids.join(", "));
            self.change(move |examples| {
                of(examples, &ids).for_each(|example| {
                    example.confirmed += 1;
                    example.used_at = Some(Timestamp::now());
                });
            })
            .await?;
            return Ok(said);
        }
        let mut example = self.example(kind, proof);
        let is_contradicted = !compared.contradicting.is_empty();
        if let Some(doubt) = self.doubt(&mut example.proof, is_contradicted).await? {
            example.doubt(doubt);
        }
        let contradicting = if example.proof.judged { compared.contradicting } else { Vec::new() };
        if let Some(other) = contradicting.first() {
            example.doubt(format!("it contradicts example {other}"));
        }
        let said = match &example.reason {
            None => format!("Learned as example {}: it is shown for questions like this.", example.id),
            Some(reason) => format!("Remembered as candidate {}: {reason}.", example.id),
        };
        self.change(move |examples| {
            let is_same = |known: &Example| known.question == example.question;
            // What was kept for the question stays beside what contradicts it; what waited is outdated.
            let stays = |known: &Example| {
                known.is_reviewed || (known.status == ExampleStatus::Kept && !contradicting.is_empty())
            };
            examples.retain(|known| !is_same(known) || stays(known));
            of(examples, &contradicting).for_each(|other| other.contradict(&example.id));
            if !examples.iter().any(|known| is_same(known) && known.is_reviewed) {
                examples.push(example);
            }
        })
        .await?;
        Ok(said)
    }

    /// Says what speaks against keeping the example, if something does. Asks the model at most twice.
    async fn doubt(&self, proof: &mut ExampleProof, is_contradicted: bool) -> Result<Option<String>> {
        proof.judged = self.lesson.is_agreed || self.is_judged_right().await?;
        if !proof.judged {
            return Ok(Some("no judge said that its rows answer the question".to_owned()));
        }
        if is_contradicted {
            return Ok(None);
        }
        proof.written_again = self.is_written_again().await?;
        Ok((!proof.written_again)
            .then(|| "a second query, written with it in view, did not give the same rows".to_owned()))
    }

    async fn is_judged_right(&self) -> Result<bool> {
        let verdict = steps::judge(self.session, self.question(), self.found).await?;
        Ok(verdict == Verdict::Answers)
    }

    /// Tells whether the model writes a query with the same rows when it is shown this one as an example.
    async fn is_written_again(&self) -> Result<bool> {
        let mut prepared = (*self.lesson.prepared).clone();
        let (question, cypher) = (self.question().to_owned(), self.found.text.clone());
        prepared.examples = vec![ShownExample { id: String::new(), question, cypher }];
        let written = steps::generate(self.session, Draft::first(prepared), false).await?;
        let Ok(query) = steps::mend(self.session, written).await? else { return Ok(false) };
        self.gives_same_rows(&query.text).await
    }

    async fn gives_same_rows(&self, text: &str) -> Result<bool> {
        match steps::rows(self.session, text, &[].into()).await {
            Ok(found) => Ok(same_rows(&found.rows, &self.found.rows)),
            Err(fault) => fault.map(|_| false),
        }
    }

    /// Compares the query with stored examples of its kind, each with the values of this question in place of its own.
    async fn compare(&self, kind: &QuestionKind) -> Result<Compared> {
        let book = Arc::clone(self.book);
        let stored = in_background(move || book.read()).await?.examples;
        let mut compared = Compared::default();
        let is_comparable = |example: &&Example| {
            example.status == ExampleStatus::Kept
                && *example.schema == *self.session.fingerprint
                && example.kind == kind.kind
        };
        for example in stored.iter().filter(is_comparable).take(MOST_COMPARED) {
            let Some(text) = filled(example, kind) else { continue };
            let is_same = self.gives_same_rows(&text).await?;
            let into = if is_same { &mut compared.agreeing } else { &mut compared.contradicting };
            into.push(example.id.clone());
        }
        Ok(compared)
    }

    fn example(&self, kind: QuestionKind, proof: &Proof) -> Example {
        let mut paths: Vec<String> = Vec::new();
        for shape in proof.rows.iter().flatten().map(AnswerPath::shape) {
            if paths.len() < MOST_SHAPES && !paths.contains(&shape) {
                paths.push(shape);
            }
        }
        Example {
            kind: kind.kind,
            slots: kind.slots,
            schema: self.session.fingerprint.to_string(),
            origin: ExampleOrigin::SelfHealed,
            proof: ExampleProof {
                rows: self.found.rows.len(),
                paths,
                healed: self.lesson.healed.clone(),
                model: Some(self.session.model.name().to_owned()),
                ..ExampleProof::default()
            },
            is_reviewed: false,
            ..Example::by_person(self.question(), self.found.text.clone())
        }
    }

    async fn change(&self, change: impl FnOnce(&mut Vec<Example>) + Send + 'static) -> Result<()> {
        let book = Arc::clone(self.book);
        in_background(move || book.change(change)).await
    }
}

/// Returns the examples with these identifiers.
fn of<'e>(examples: &'e mut [Example], ids: &[String]) -> impl Iterator<Item = &'e mut Example> {
    examples.iter_mut().filter(|example| ids.contains(&example.id))
}

/// Returns the query of an example with the values of a question of its kind. `None` where its query does not depend on them.
fn filled(example: &Example, kind: &QuestionKind) -> Option<String> {
    if example.slots == kind.slots {
        return Some(example.cypher.clone());
    }
    let template = QueryTemplate::new(&example.cypher, &example.slots)?;
    let (text, before) = (template.fill(&kind.slots)?, template.fill(&example.slots)?);
    (text != before).then_some(text)
}

/// Tells whether two queries found the same, in whatever order of rows and columns.
fn same_rows(one: &[Vec<Value>], other: &[Vec<Value>]) -> bool {
    let sorted = |rows: &[Vec<Value>]| {
        let row = |row: &Vec<Value>| {
            let mut cells: Vec<String> = row.iter().map(|value| value_json(value).to_string()).collect();
            cells.sort_unstable();
            cells
        };
        let mut rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        rows.sort_unstable();
        rows
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use graphwright_answer::QuestionSlot;

    use super::*;

    #[test]
    fn the_order_of_rows_and_columns_does_not_count() {
        let rows = |rows: &[[i64; 2]]| -> Vec<Vec<Value>> {
            rows.iter().map(|row| row.iter().map(|number| (*number).into()).collect()).collect()
        };
        assert!(same_rows(&rows(&[[1, 2], [3, 4]]), &rows(&[[4, 3], [1, 2]])));
        assert!(!same_rows(&rows(&[[1, 2]]), &rows(&[[1, 2], [1, 2]])));
        assert!(!same_rows(&rows(&[[1, 2], [1, 2]]), &rows(&[[1, 2], [3, 4]])));
    }

    #[test]
    fn an_example_is_compared_by_the_values_of_the_question() {
        let slot = |name: &str| QuestionSlot {
            name: "<P>".into(),
            phrase: name.into(),
            value: name.into(),
            id: None,
        };
        let example = |cypher: &str| Example { slots: vec![slot("Ada")], ..Example::by_person("q", cypher) };
        let kind = |name: &str| QuestionKind { kind: "k".into(), links: Vec::new(), slots: vec![slot(name)] };
        let query = "MATCH (p {name: 'Ada'})\nRETURN p.born";
        assert_eq!(
            filled(&example(query), &kind("Bob")).as_deref(),
            Some("MATCH (p {name: 'Bob'})\nRETURN p.born")
        );
        assert_eq!(filled(&example(query), &kind("Ada")).as_deref(), Some(query));
        // Which of them a query without its value means cannot be told.
        assert_eq!(filled(&example("MATCH (p) RETURN p.born"), &kind("Bob")), None);
    }
}
