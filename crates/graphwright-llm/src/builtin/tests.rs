use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use tokenizers::{
    TokenizerBuilder, decoders::DecoderWrapper, models::wordpiece::WordPiece, normalizers::BertNormalizer,
    pre_tokenizers::bert::BertPreTokenizer, processors::PostProcessorWrapper,
};

use super::{
    WEIGHTS,
    table::{self, VOCABULARY},
    word_pieces::WordPieces,
};
use crate::{BuiltinEmbedder, Embedder, cosine};

fn vector(text: &str) -> Vec<f32> {
    BuiltinEmbedder::new().embed_text(text).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn pairs(value: &Value) -> Vec<(Vec<f32>, Vec<f32>)> {
    let text = |value: &Value| vector(value.as_str().unwrap());
    value.as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

#[test]
fn identity_carries_the_hash_of_the_table() {
    let mut hasher = blake3::Hasher::new();
    hasher.update(VOCABULARY.as_bytes()).update(table::WEIGHTS);
    assert_eq!(WEIGHTS, hasher.finalize().to_hex().as_str());
}

#[test]
fn vectors_equal_those_that_python_makes() {
    for line in include_str!("../../tests/data/builtin_reference.jsonl").lines() {
        let reference = json(line);
        let text = reference["text"].as_str().unwrap();
        let expected: Vec<f32> = reference["vector"]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number.as_f64().unwrap() as f32)
            .collect();
        let ours = vector(text);
        if expected.iter().all(|component| *component == 0.0) {
            assert_eq!(ours, expected, "{text:?}");
        } else {
            assert!(cosine(&ours, &expected) >= 0.9999, "{text:?}: {}", cosine(&ours, &expected));
        }
    }
}

#[test]
fn paraphrases_are_found_first() {
    let pairs = pairs(&json(include_str!("../../tests/data/paraphrases.json")));
    let hits = pairs.iter().enumerate().filter(|(index, (question, _))| {
        let scores = pairs.iter().map(|(_, passage)| cosine(question, passage));
        let best = scores.enumerate().max_by(|left, right| left.1.total_cmp(&right.1)).unwrap();
        best.0 == *index
    });
    assert!(hits.count() >= 43, "72 % of 60 on the day the table was made");
}

#[test]
fn names_of_one_thing_are_nearer_than_look_alikes() {
    let names = json(include_str!("../../tests/data/name_pairs.json"));
    let scores = |pairs: Vec<(Vec<f32>, Vec<f32>)>| -> Vec<f32> {
        pairs.iter().map(|(left, right)| cosine(left, right)).collect()
    };
    let (same, different) = (scores(pairs(&names["same"])), scores(pairs(&names["diff"])));
    let wins =
        same.iter().flat_map(|score| different.iter().map(move |other| score > other)).filter(|won| *won);
    let area = wins.count() as f64 / (same.len() * different.len()) as f64;
    assert!(area >= 0.73, "{area}: .736 on the day the table was made");
}

#[test]
fn text_without_known_tokens_gives_zero() {
    assert_eq!(vector(""), vec![0.0; 256]);
    assert_eq!(vector("日本語"), vec![0.0; 256]);
    assert!((cosine(&vector("database"), &vector("database")) - 1.0).abs() < 1e-6);
}

#[tokio::test]
async fn batches_keep_their_order() {
    let embedder = BuiltinEmbedder::new();
    let texts: Vec<String> = (0..200).map(|number| format!("service number {number}")).collect();
    let vectors = embedder.embed(&texts).await.unwrap();
    assert_eq!(vectors.len(), 200);
    assert!(texts.iter().zip(&vectors).all(|(text, expected)| vector(text) == *expected));
}

type BertTokenizer = tokenizers::TokenizerImpl<
    WordPiece,
    BertNormalizer,
    BertPreTokenizer,
    PostProcessorWrapper,
    DecoderWrapper,
>;

static OURS: LazyLock<WordPieces<'static>> = LazyLock::new(|| WordPieces::new(VOCABULARY));
static PEER: LazyLock<BertTokenizer> = LazyLock::new(peer);

fn peer() -> BertTokenizer {
    let vocabulary = concat!(env!("CARGO_MANIFEST_DIR"), "/data/builtin/vocabulary.txt");
    let model = WordPiece::from_file(vocabulary).build().unwrap();
    let builder = TokenizerBuilder::new().with_model(model).with_normalizer(Some(BertNormalizer::default()));
    builder
        .with_pre_tokenizer(Some(BertPreTokenizer))
        .with_post_processor(None)
        .with_decoder(None)
        .build()
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Compares our cutting with that of the `tokenizers` library, which costs far more to load.
    #[test]
    fn cuts_as_the_library_does(texts in prop::collection::vec("(\\PC|[ a-zA-Z0-9_.,#\\[\\]-]|[\u{0}-\u{20}]|[à-ÿ’—½ﬁ]){0,40}", 16)) {
        for text in texts {
            let mut found = Vec::new();
            OURS.visit(&text, |piece| found.push(piece));
            let expected = PEER.encode(text.as_str(), false).unwrap();
            let known = expected.get_ids().iter().map(|id| *id as usize).filter(|id| *id != 1);
            prop_assert_eq!(found, known.collect::<Vec<_>>(), "{:?}", text);
        }
    }
}
