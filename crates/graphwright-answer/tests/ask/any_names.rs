//! Whatever things are called, a question gets an answer or an error: names that are words of questions, marks, numbers,
//! letters of other scripts, nothing at all, or very long.

use std::sync::Arc;

use graphwright_answer::{Answerer, AskOptions};
use graphwright_core::Value;
use graphwright_ontology::Ontology;
use graphwright_retrieve::Topology;
use proptest::{prelude::*, sample::select};

use crate::support;

/// Words that mean something to the reader of questions, words of the graph, and what is hardly a word.
const WORDS: &[&str] = &[
    "which", "what", "who", "whom", "whose", "where", "when", "why", "how", "many", "much", "is", "are",
    "was", "does", "did", "do", "has", "have", "can", "the", "a", "an", "all", "every", "no", "not",
    "without", "neither", "nor", "except", "other", "than", "and", "or", "both", "of", "in", "on", "by",
    "to", "from", "with", "between", "before", "after", "since", "at", "least", "most", "more", "fewest",
    "latest", "first", "average", "total", "number", "count", "sum", "list", "tell", "me", "about",
    "describe", "thing", "that", "people", "share", "same", "connect", "related", "path", "owner", "owns",
    "owned", "uses", "used", "service", "services", "team", "tier", "name", "director", "only", "one", "two",
    "1", "2", "2021", "10%", "March", "?", "!", ",", ".", "'s", "\"", "(", ")", "-", "’", "…", "🦀", "é",
    "日本", "\u{301}", "\u{200b}", "ß", "İ", "A", "X",
];
const TYPES: &[&str] = &["Service", "Team", "Which", "Person", "Name", "City"];
const KINDS: &[&str] = &["OWNS", "USES", "DIRECTED_BY", "WHO", "IS", "LOCATED_IN"];
const PROPERTIES: &[&str] = &["tier", "name", "which", "date", "owner", "1"];

/// Questions of the usual forms; `A` and `B` stand for names.
const QUESTIONS: &[&str] = &[
    "A",
    "A?",
    "What is A?",
    "Who is A?",
    "Who owns A?",
    "Which services does A own?",
    "Which A owns B?",
    "What A is B?",
    "A is owned by whom?",
    "The director of A is who",
    "Does A own B?",
    "Is A a service?",
    "Is A the team of B?",
    "How many services does A have?",
    "How are A and B connected?",
    "Tell me about A",
    "Where is A?",
    "When was A?",
    "What is the tier of A?",
    "What is A's tier?",
    "Who owns A and B?",
    "Which team owns neither A nor B?",
    "Which services other than A does B use?",
    "List all A of B",
    "Which services called A are used by B?",
    "What do A and B have in common?",
    "\"A\" owns what",
    "Which team owns the most services that use A?",
    "Which services have a tier above A?",
];

fn words(most: usize) -> impl Strategy<Value = String> {
    let cased = (select(WORDS), 0..3).prop_map(|(word, case)| match case {
        0 => word.to_owned(),
        1 => word.to_uppercase(),
        _ => word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect(),
    });
    prop::collection::vec(cased, 1..most).prop_map(|words| words.join(" "))
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => words(2),
        6 => words(5),
        3 => any::<String>(),
        1 => Just(String::new()),
        1 => (words(4), select(&[" ", ""][..])).prop_map(|(words, gap)| {
            format!("{words}{gap}").repeat(10_000 / (words.len() + gap.len()))
        }),
    ]
}

#[derive(Debug)]
struct Drawn {
    names: Vec<(&'static str, String)>,
    facts: Vec<(usize, &'static str, usize)>,
    values: Vec<(usize, &'static str, String)>,
    questions: Vec<String>,
}

impl Drawn {
    fn graph(&self) -> Arc<Topology> {
        let mut graph = support::GraphBuilder::default();
        let thing = |at: usize| {
            let (kind, name) = &self.names[at % self.names.len()];
            (*kind, name.as_str())
        };
        for (kind, name) in &self.names {
            graph.node(kind, name);
        }
        for &(from, kind, to) in &self.facts {
            graph.fact(thing(from), kind, thing(to));
        }
        for (at, property, value) in &self.values {
            let (kind, name) = thing(*at);
            let value = value.parse::<i64>().map_or_else(|_| Value::from(value.as_str()), Value::from);
            graph.node(kind, name).properties.insert((*property).to_owned(), value);
        }
        graph.build()
    }

    fn asked(&self) -> impl Iterator<Item = String> {
        let name = |at: usize| self.names[at % self.names.len()].1.as_str();
        self.questions.iter().enumerate().map(move |(at, question)| {
            let with_names = question.replace('A', "\u{1}").replace('B', "\u{2}");
            with_names.replace('\u{1}', name(at)).replace('\u{2}', name(at + 1))
        })
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let question = prop_oneof![2 => select(QUESTIONS).prop_map(str::to_owned), 1 => words(12)];
    (
        prop::collection::vec((select(TYPES), name()), 1..6),
        prop::collection::vec((0..6_usize, select(KINDS), 0..6_usize), 0..6),
        prop::collection::vec((0..6_usize, select(PROPERTIES), name()), 0..4),
        prop::collection::vec(question, 4),
    )
        .prop_map(|(names, facts, values, questions)| Drawn { names, facts, values, questions })
}

fn ask(topology: Arc<Topology>, questions: impl Iterator<Item = String>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &Ontology::default());
    for question in questions {
        // An answer or an error: what matters is that there is one.
        let _ = runtime.block_on(answerer.ask(&question, &AskOptions::default()));
    }
}

/// A question word opens a question, though something is called so; in a longer name it does not ask.
#[rstest::rstest]
#[case("Which services use auth-lib?", "ledger")]
#[case("Who owns ledger?", "Payments")]
#[case("Who owns Which?", "Payments")]
#[case("Who is the owner of \"Which\"?", "Payments")]
#[case("What does Payments own?", "ledger; Which")]
#[case("Which does Payments own?", "ledger; Which")]
#[case("What Women Want was directed by whom?", "Nancy Meyers")]
#[case("Who directed What Women Want?", "Nancy Meyers")]
#[case("What does Who use?", "The")]
#[tokio::test]
async fn names_that_are_words_of_questions(#[case] question: &str, #[case] expected: &str) {
    let topology = support::drawn_graph(
        "Team Payments -OWNS-> Service ledger
         Team Payments -OWNS-> Service Which
         Service ledger -USES-> Library auth-lib
         Team Who -USES-> Library The
         Film What Women Want -DIRECTED_BY-> Person Nancy Meyers",
    );
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &Ontology::default());
    let answer = answerer.ask(question, &AskOptions::default()).await.unwrap();
    assert!(support::agrees(&answer, expected), "{question} {}", answer.answer);
}

proptest! {
    #[test]
    fn any_names_and_any_question(drawn in drawn()) {
        ask(drawn.graph(), drawn.asked());
    }
}
