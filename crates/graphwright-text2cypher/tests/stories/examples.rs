//! Examples: learned from runs that healed themselves, shown for questions like theirs.

use std::sync::Arc;

use graphwright_answer::{AnswerStatus, Event};
use graphwright_core::{
    GraphStore, NodeKey, Properties,
    store::{Change, ChangeSet},
};
use graphwright_llm::ScriptedModel;
use graphwright_text2cypher::{
    Example, ExampleBook, ExampleOrigin, ExampleStatus, FlowName, FlowOptions, Learning,
};

use crate::films::{Story, ask_of, films, flows};

const LANA: &str = "Which films did Lana Wachowski direct?";
const TONY: &str = "Which films did Tony Scott direct?";
const WRONG: &str = "MATCH (p:Person {name: 'Lana Wachowski'})-[:DIRECTED]->(m:Movie) RETURN m.caption";
const RIGHT: &str =
    "MATCH (p:Person {name: 'Lana Wachowski'})-[:DIRECTED]->(m:Movie) RETURN m.title ORDER BY m.title";
const OTHER: &str = "MATCH (m:Movie)<-[:DIRECTED]-(p:Person {name: 'Lana Wachowski'}) RETURN m.title";
const OF_TONY: &str = "MATCH (p:Person {name: 'Tony Scott'})-[:DIRECTED]->(m:Movie) RETURN m.title";
const WORDS: &str = "Cloud Atlas [2]. Speed Racer [3]. The Matrix [4].";
const YES: &str = r#"{"answers": true, "missing": ""}"#;
const NO: &str = r#"{"answers": false, "missing": "the years"}"#;

/// A graph with a book of examples.
struct Class {
    store: Arc<dyn GraphStore>,
    book: Arc<ExampleBook>,
    learning: Learning,
    _folder: tempfile::TempDir,
}

impl Class {
    async fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let book = Arc::new(ExampleBook::at(folder.path().join("search.examples.jsonl")));
        Self { store: films().await, book, learning: Learning::Own, _folder: folder }
    }

    /// Asks a question of a model that gives these replies.
    async fn ask(&self, options: &FlowOptions, question: &str, replies: &[&str]) -> Story {
        let model = ScriptedModel::replies(replies.iter().copied());
        let flows = flows(Arc::clone(&self.store), Arc::new(model.clone())).await;
        let flows = flows.with_examples(Arc::clone(&self.book), self.learning);
        let (answer, events) = ask_of(&flows, options, question).await;
        let asked = model.requests().into_iter().filter_map(|request| Some(request.messages.last()?.text()));
        Story { answer, events, asked: asked.collect() }
    }

    async fn auto(&self, question: &str, replies: &[&str]) -> Story {
        self.ask(&FlowOptions::new(FlowName::Auto), question, replies).await
    }

    /// Lets it learn one example.
    async fn learned() -> Self {
        let class = Self::begin().await;
        class.auto(LANA, &[WRONG, RIGHT, YES, WORDS, OTHER]).await;
        assert_eq!(class.only().status, ExampleStatus::Kept);
        class
    }

    fn examples(&self) -> Vec<Example> {
        self.book.read().unwrap().examples
    }

    fn only(&self) -> Example {
        let mut examples = self.examples();
        assert_eq!(examples.len(), 1, "{examples:#?}");
        examples.remove(0)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_healed_itself_leaves_an_example_for_questions_like_it() {
    let class = Class::begin().await;
    let story = class.auto(LANA, &[WRONG, RIGHT, YES, WORDS, OTHER]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered, "{:#?}", story.answer);
    let example = class.only();
    assert_eq!((example.status, example.origin), (ExampleStatus::Kept, ExampleOrigin::SelfHealed));
    assert_eq!((example.question.as_str(), example.cypher.as_str()), (LANA, RIGHT));
    assert_eq!(example.kind, "which films did <Person> direct");
    let proof = &example.proof;
    assert_eq!((proof.rows, proof.judged, proof.written_again), (3, true, true));
    assert_eq!(proof.paths, ["Person -[DIRECTED]-> Movie"]);
    assert!(proof.healed[0].contains("caption"), "{:?}", proof.healed);
    assert!(story.answer.steps.iter().any(|step| step.contains(&example.id)), "{:?}", story.answer.steps);
    // What learning took is part of the cost.
    assert_eq!(story.asked.len(), 5);
    assert!(story.asked[4].contains(RIGHT), "{}", story.asked[4]);

    let story = class.auto(TONY, &[OF_TONY, "Top Gun [2]."]).await;
    assert!(story.asked[0].contains(&format!("- {LANA}\n  {RIGHT}")), "{}", story.asked[0]);
    assert!(story.told().contains(&format!("showing examples: {}", example.id)), "{}", story.told());
    let used = class.only();
    assert_eq!(used.used, 1);
    assert!(used.used_at.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_right_at_once_teaches_nothing() {
    let class = Class::begin().await;
    let story = class.auto(LANA, &[RIGHT, WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered);
    assert!(class.examples().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_judge_or_a_second_query_does_not_bear_out_stays_a_candidate() {
    let class = Class::begin().await;
    // The flow has no judge of its own.
    let options = FlowOptions::new(FlowName::Retry);
    class.ask(&options, LANA, &[WRONG, RIGHT, WORDS, NO]).await;
    let example = class.only();
    assert_eq!(example.status, ExampleStatus::Candidate);
    assert_eq!(example.reason.as_deref(), Some("no judge said that its rows answer the question"));

    let all = "MATCH (p:Person)-[:DIRECTED]->(m:Movie) RETURN m.title";
    class.ask(&options, LANA, &[WRONG, RIGHT, WORDS, YES, all]).await;
    let example = class.only();
    assert_eq!((example.status, example.proof.judged), (ExampleStatus::Candidate, true));
    assert!(example.reason.unwrap().starts_with("a second query"));

    // A candidate is not shown.
    let story = class.ask(&options, TONY, &[OF_TONY, "Top Gun [2]."]).await;
    assert!(!story.asked[0].contains(RIGHT), "{}", story.asked[0]);

    class.ask(&options, LANA, &[WRONG, RIGHT, WORDS, YES, RIGHT]).await;
    assert_eq!(class.only().status, ExampleStatus::Kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_answer_confirms_or_contradicts_an_example_of_its_kind() {
    let class = Class::learned().await;
    let caption = "MATCH (p:Person {name: 'Tony Scott'})-[:DIRECTED]->(m:Movie) RETURN m.caption";
    let story = class.auto(TONY, &[caption, OF_TONY, YES, "Top Gun [2]."]).await;
    // No further call of the model is needed to see that they agree.
    assert_eq!(story.asked.len(), 4);
    assert_eq!((class.only().confirmed, class.only().contradicted), (1, 0));

    let years = "MATCH (p:Person {name: 'Tony Scott'})-[:DIRECTED]->(m:Movie) RETURN m.released";
    let (words, id) = ("1986 [2].", class.only().id);
    for contradicted in 1..=2 {
        class.auto(TONY, &[caption, years, YES, words]).await;
        let examples = class.examples();
        let (known, new) = (&examples[0], &examples[1]);
        assert_eq!((known.id.as_str(), known.contradicted), (id.as_str(), contradicted));
        assert_eq!(new.status, ExampleStatus::Candidate);
        let expected = if contradicted == 1 { ExampleStatus::Kept } else { ExampleStatus::Candidate };
        assert_eq!(known.status, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_of_unknown_people_teach_nothing_unless_that_is_allowed() {
    let options = FlowOptions::new(FlowName::Auto).anonymous();
    let replies = [WRONG, RIGHT, YES, WORDS, RIGHT];
    for (learning, options, learned) in [
        (Learning::Own, options.clone(), 0),
        (Learning::All, options, 1),
        (Learning::Off, FlowOptions::new(FlowName::Auto), 0),
        (Learning::All, FlowOptions::new(FlowName::Auto).without_examples(), 0),
    ] {
        let class = Class { learning, ..Class::begin().await };
        let story = class.ask(&options, LANA, &replies).await;
        assert_eq!(story.answer.status, AnswerStatus::Answered);
        assert_eq!(class.examples().len(), learned, "{learning:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_are_verified_again_when_the_schema_changes() {
    let class = Class::learned().await;
    let before = class.only().schema;
    let mut changes = ChangeSet::new();
    changes.upsert_node(
        NodeKey::new("Studio", "s"),
        &[],
        Properties::from([("name".into(), "Warner".into())]),
    );
    class.store.apply(changes).await.unwrap();
    let story = class.auto(TONY, &[OF_TONY, "Top Gun [2]."]).await;
    assert!(story.told().contains("verifying example"), "{}", story.told());
    assert!(story.asked[0].contains(RIGHT));
    assert_ne!(class.only().schema, before);
    // Once is enough.
    let story = class.auto(TONY, &[OF_TONY, "Top Gun [2]."]).await;
    assert!(!story.told().contains("verifying example") && story.asked[0].contains(RIGHT));

    let mut changes = ChangeSet::new();
    for (label, id) in [("Person", "Lana Wachowski"), ("Studio", "s")] {
        changes.push(Change::DeleteNode { key: NodeKey::new(label, id) });
    }
    class.store.apply(changes).await.unwrap();
    let story = class.auto(TONY, &[OF_TONY, "Top Gun [2]."]).await;
    assert!(!story.asked[0].contains(RIGHT), "{}", story.asked[0]);
    let example = class.only();
    assert_eq!(example.status, ExampleStatus::Candidate);
    assert!(example.reason.unwrap().ends_with("its query finds nothing"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_that_names_what_is_left_out_is_not_shown() {
    let class = Class::learned().await;
    let options = FlowOptions::new(FlowName::Naive).left_out(["DIRECTED"]);
    let story = class.ask(&options, TONY, &["MISSING: who directed what"]).await;
    assert!(!story.asked[0].contains("DIRECTED"), "{}", story.asked[0]);
    assert_eq!(class.only().status, ExampleStatus::Kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_stands_where_examples_cannot_be_read_or_kept() {
    let class = Class::begin().await;
    std::fs::create_dir_all(class.book.file()).unwrap();
    let story = class.auto(LANA, &[WRONG, RIGHT, YES, WORDS, RIGHT]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered);
    assert!(story.answer.steps.iter().any(|step| step.starts_with("Without examples: cannot read")));
    assert!(
        story
            .events
            .iter()
            .any(|event| matches!(event, Event::Step { what } if what.starts_with("nothing was learned")))
    );
}
