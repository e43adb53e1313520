use crate::bench::{Bench, assert_shown};

#[test]
fn models_that_are_not_there() {
    let bench = Bench::with_graph();
    let mut commands: Vec<&[&str]> = vec![
        &["--model", "openai/gpt-4o-mini", "ask", "Who?"],
        &["--model", "azure/mine", "ask", "Who?"],
        &["--model", "gpt-4o-mini", "ask", "Who?"],
        &["--model", "nobody/gpt", "ask", "Who?"],
        &["--model", "openai-compatible/mine", "ask", "Who?"],
        &["--json", "--model", "anthropic/claude", "ask", "Who?"],
        &["--embedder", "minilm", "search", "x"],
        &["--embedder", "sentence-transformers/minilm", "search", "x"],
        &["--embedder", "openai/unknown", "search", "x"],
        &["--reranker", "judge", "search", "x"],
        &["--reranker", "cross-encoder/minilm", "search", "x"],
    ];
    std::fs::create_dir(bench.path().join("folder")).unwrap();
    if !cfg!(feature = "sentence-transformers") {
        commands.push(&["--embedder", "folder", "search", "x"]);
        commands.push(&["models", "pull"]);
    }
    assert_shown!(bench.leaves_the_graph_alone(&commands));
}
