//! Recorded answers of providers, read through our client.

use std::{fmt::Write, fs, path::Path};

use graphwright_eval::wire::{Report, replay};

fn told(report: &Report) -> String {
    let mut text = String::new();
    for outcome in &report.outcomes {
        for fault in &outcome.faults {
            let _ = writeln!(text, "{}: {} {:?} {:?}", outcome.name, fault.what, fault.expected, fault.found);
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn what_providers_say_is_read_as_it_stands_and_a_cut_stream_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/wire");
    let report = replay(&folder).await.unwrap();
    assert_eq!(told(&report), "");
    let total = report.total();
    assert_eq!((total.right, total.told), (total.compared, total.cut));
    assert!(total.compared > 30 && total.cut > 5, "{total:?}");
    assert_eq!(report.rows().len(), 11, "providers");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_otherwise_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let provider = folder.path().join("someone");
    fs::create_dir(&provider).unwrap();
    let body = r#"{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"<think>x</think>A </think> B"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3.0,"completion_tokens":2}}"#;
    let recording = format!(
        "when:\n  path: /v1/chat/completions\n  method: POST\nthen:\n  status: 200\n  header:\n  - name: content-type\n    value: application/json\n  body: '{body}'\n---\nwhen:\n  path: /v1/models\n  method: GET\nthen:\n  status: 200\n"
    );
    fs::write(provider.join("one.yaml"), recording).unwrap();
    let report = replay(folder.path()).await.unwrap();
    // The client reads numbers with fractions, which the plain reading does not.
    assert_eq!(told(&report), "someone/one.yaml#1: usage \"[0, 0, 2, 0]\" \"[3, 0, 2, 0]\"\n");
    let reasons: Vec<_> = report.left_out().into_iter().collect();
    assert_eq!(reasons, [("GET /v1/models: no request to a model", 1)]);
}

#[tokio::test]
async fn a_recording_that_is_none_says_where_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.yaml"), "what: 1\n").unwrap();
    let error = replay(folder.path()).await.unwrap_err();
    assert!(error.to_string().contains("one.yaml: "), "{error}");
    assert!(error.hint().unwrap().contains("`when`"));
}
