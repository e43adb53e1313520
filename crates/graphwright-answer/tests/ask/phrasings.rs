//! Questions in varied English over the gold facts of the sample and the corpora: `question = answer; answer`, one a line.

use std::{path::Path, sync::Arc};

use graphwright_answer::{AnswerStatus, Answerer, AskOptions};

use crate::support;

/// Share of the questions of one corpus that must be answered right.
const LEAST: f64 = 0.95;
/// Share of the questions of one corpus that may be answered right with a word told as not used, beside one that always may.
const MOST_WARNED: f64 = 0.05;

#[rstest::rstest]
#[case("clinical-trials")]
#[case("council")]
#[case("film-archive")]
#[case("grants")]
#[case("hospital")]
#[case("museum")]
#[case("port")]
#[case("railway")]
#[case("software-catalogue")]
#[case("wine")]
#[tokio::test]
async fn varied_english(#[case] corpus: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (topology, ontology) = support::gold_graph(&support::corpus(corpus));
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &ontology);
    let text = std::fs::read_to_string(here.join(format!("tests/ask/phrasings/{corpus}.txt"))).unwrap();
    let (mut all, mut right, mut warned) = (0, 0, 0);
    for line in text.lines() {
        let (question, wanted) = line.rsplit_once(" = ").unwrap();
        let answer = answerer.ask(question, &AskOptions::default()).await.unwrap();
        all += 1;
        if support::agrees(&answer, wanted) {
            right += 1;
            warned += u32::from(answer.status == AnswerStatus::Partial);
        } else {
            println!("MISSED {question}\n   wanted {wanted}\n   got {:?} {}", answer.status, answer.answer);
        }
    }
    println!("{corpus}: {right} of {all}, {warned} of them with a warning");
    assert!(f64::from(right) >= LEAST * f64::from(all), "{corpus}: {right} of {all}");
    assert!(f64::from(warned) <= MOST_WARNED * f64::from(all) + 1.0, "{corpus}: {warned} of {all} warned");
}
