//! Tests what a person reads when a dump cannot be imported.

use std::{fs, path::Path};

use graphwright::Graph;

use crate::site::{dump, import_from, open};

fn copy(to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in ["Posts.xml", "Users.xml", "Comments.xml"] {
        fs::copy(dump().join(file), to.join(file)).unwrap();
    }
}

async fn nodes(graph: &Graph) -> usize {
    graph.topology().await.unwrap().node_count()
}

/// Replaces a text in one file of the dump.
fn broken(folder: &Path, file: &str, from: &str, to: &str) {
    copy(folder);
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

const MISTAKES: [(&str, &str, &str); 11] = [
    ("Posts.xml", "<row Id=\"5\" PostTypeId", "garbage <row Id=\"5\" PostTypeId"),
    ("Posts.xml", "<row Id=\"5\" PostTypeId=\"2\" ", "<post Id=\"5\" "),
    ("Posts.xml", " Title=\"My rye starter smells of nail varnish\"", ""),
    ("Posts.xml", " ParentId=\"4\"", ""),
    ("Posts.xml", "Score=\"9\"", "Score=\"nine\""),
    ("Posts.xml", "CreationDate=\"2019-08-20T19:05:31.120\"", "CreationDate=\"yesterday\""),
    ("Posts.xml", "ViewCount=\"77\"", "ViewCount=\"77"),
    ("Posts.xml", "crisp &amp;amp; brown", "crisp &bogus; brown"),
    ("Users.xml", "<row Id=\"2\" Reputation", "<row Reputation"),
    ("Users.xml", "DisplayName=\"Oded Brandt\"", "DisplayName=Oded"),
    ("Comments.xml", "</comments>", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_is_named_with_file_and_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let mut told = Vec::new();
    for (file, from, to) in MISTAKES {
        let broken_dump = folder.path().join("dump");
        broken(&broken_dump, file, from, to);
        let error = import_from(&graph, &broken_dump, false).await.unwrap_err();
        told.push(format!("{error}\n  hint: {}", error.hint().unwrap_or_default()));
        assert_eq!(nodes(&graph).await, 0, "{error}");
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_with_mistakes_are_left_out_on_demand_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for (number, (file, from, to)) in MISTAKES.into_iter().enumerate() {
        let broken_dump = folder.path().join("dump");
        broken(&broken_dump, file, from, to);
        let own = tempfile::tempdir().unwrap();
        let graph = open(&own).await;
        match import_from(&graph, &broken_dump, true).await {
            Ok(imported) => {
                let skipped: Vec<_> = imported
                    .report
                    .skipped
                    .iter()
                    .map(|(kind, skipped)| format!("{} {}", skipped.count, kind.as_str()))
                    .collect();
                told.push(format!(
                    "{number}: {} nodes, left out {}",
                    nodes(&graph).await,
                    skipped.join(", ")
                ));
            }
            Err(error) => told.push(format!("{number}: {error}")),
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_file_is_said_to_be_cut() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let broken_dump = folder.path().join("dump");
    copy(&broken_dump);
    let path = broken_dump.join("Posts.xml");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 60, bytes.len() / 2, bytes.len() - 20] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = import_from(&graph, &broken_dump, true).await.unwrap_err().to_string();
        assert!(error.starts_with("Posts.xml"), "{error}");
        assert!(error.contains("ends") || error.contains("holds no table"), "{error}");
        assert_eq!(nodes(&graph).await, 0, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_what_is_needed_is_an_error_that_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let mut told = Vec::new();
    for file in ["Posts.xml", "Users.xml"] {
        let broken_dump = folder.path().join(format!("without {file}"));
        copy(&broken_dump);
        fs::remove_file(broken_dump.join(file)).unwrap();
        told.push(broken_dump);
    }
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    told.extend([empty, folder.path().join("nowhere")]);
    let mut messages = Vec::new();
    for path in told {
        let error = import_from(&graph, &path, false).await.unwrap_err();
        let message = format!("{error}\n  hint: {}", error.hint().unwrap_or_default());
        messages.push(message.replace(&folder.path().display().to_string(), "…"));
    }
    insta::assert_snapshot!(messages.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_without_end_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let broken_dump = folder.path().join("dump");
    copy(&broken_dump);
    fs::write(broken_dump.join("Posts.xml"), format!("<posts><row Body=\"{}", "x".repeat(40 << 20))).unwrap();
    let error = import_from(&graph, &broken_dump, true).await.unwrap_err();
    assert_eq!(error.to_string(), "Posts.xml, line 1: a row is longer than 16 MB, so this is no table");
}
