//! What is searched when files of an index are damaged.

use std::fs;

use super::*;

const QUERIES: [&str; 2] = ["tokens that never expire", "authent* \"at noon\""];

async fn made(folder: &Path, store: &EmbeddedStore, embedder: Arc<dyn Embedder>) -> RefreshReport {
    SearchIndex::refresh(folder, store, Some(embedder), RefreshOptions::default()).await.unwrap().1
}

async fn opened(folder: &Path, store: &EmbeddedStore, embedder: Arc<dyn Embedder>) -> SearchIndex {
    SearchIndex::open_or_build(folder, store, Some(embedder), None).await.unwrap()
}

async fn answers(index: &SearchIndex) -> Vec<SearchResults> {
    let mut all = Vec::new();
    for query in QUERIES {
        for mode in [SearchMode::Hybrid, SearchMode::Text] {
            let request = SearchRequest { mode, ..SearchRequest::new(query) };
            all.push(index.search(&request).await.unwrap());
        }
    }
    all
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Returns what a file may have become, `None` for a file that is gone.
fn mutations(bytes: &[u8]) -> Vec<(String, Option<Vec<u8>>)> {
    let mut all = vec![
        ("deleted".to_owned(), None),
        ("emptied".to_owned(), Some(Vec::new())),
        ("longer".to_owned(), Some([bytes, b"\0"].concat())),
        ("zeroes".to_owned(), Some(vec![0; bytes.len()])),
    ];
    for place in [0, bytes.len() / 2, bytes.len() - 1] {
        all.push((format!("cut at {place}"), Some(bytes[..place].to_vec())));
        let mut flipped = bytes.to_vec();
        flipped[place] ^= 1 << (place % 8);
        all.push((format!("a bit of {place}"), Some(flipped)));
    }
    all
}

/// An embedder that costs nothing, and takes less time than the built-in one.
fn free() -> Arc<dyn Embedder> {
    let name = BuiltinEmbedder::NAME.to_owned();
    Arc::new(Other(EmbedderIdentity { name, weights: String::new(), dimensions: 2 }))
}

#[tokio::test]
async fn no_damage_changes_an_answer_without_saying_so() {
    let (folder, store) = (tempfile::tempdir().unwrap(), library().await);
    made(folder.path(), &store, free()).await;
    let whole = answers(&opened(folder.path(), &store, free()).await).await;
    let files: Vec<(PathBuf, Vec<u8>)> =
        files(folder.path()).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    let mut told = 0;
    for (number, (path, bytes)) in files.iter().enumerate().filter(|(_, (_, bytes))| !bytes.is_empty()) {
        let other = &files[(number + 1) % files.len()];
        let mut changes = mutations(bytes);
        changes.push((format!("like {}", other.0.display()), Some(other.1.clone())));
        for (change, content) in changes {
            let what = format!("{}: {change}", path.display());
            match &content {
                Some(content) => fs::write(path, content).unwrap(),
                None => fs::remove_file(path).unwrap(),
            }
            let index = opened(folder.path(), &store, free()).await;
            for (now, before) in answers(&index).await.iter().zip(&whole) {
                told += usize::from(!now.notices.is_empty());
                assert!(
                    now.hits == before.hits || now.mode != before.mode && !now.notices.is_empty(),
                    "{what}"
                );
            }
            let same = content.as_ref() == Some(bytes);
            let unread = path.ends_with("refresh.lock") || change == "deleted" && path.ends_with("CURRENT");
            assert_eq!(index.damage().is_some(), !same && !unread, "{what}");
            fs::write(path, bytes).unwrap();
        }
    }
    assert!(told > 400, "{told}");
}

#[tokio::test]
async fn damage_is_mended_by_a_refresh_that_keeps_the_vectors_that_are_whole() {
    let store = library().await;
    for (name, embedded) in [
        ("generation-000001/nodes-0000/text/meta.json", 0),
        ("generation-000001/nodes-0000/vectors.f32", 3),
        ("generation-000001/chunks-0001/hashes.blake3", 3),
        ("generation-000001/MANIFEST", 6),
        ("CURRENT", 6),
    ] {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path(), &store, other(2)).await;
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[5] ^= 4;
        fs::write(&path, bytes).unwrap();
        let before = opened(folder.path(), &store, other(2)).await;
        assert!(before.damage().unwrap().contains(name), "{name}");
        assert!(before.search(&words("noon")).await.unwrap().hits[0].id == "c2", "{name}");
        let report = made(folder.path(), &store, other(2)).await;
        assert_eq!(
            (report.damaged, report.embedded, report.reused),
            (true, embedded, 6 - embedded),
            "{name}"
        );
        let after = opened(folder.path(), &store, other(2)).await;
        assert_eq!(after.damage(), None, "{name}");
        assert!(after.search(&words("noon")).await.unwrap().notices.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_damaged_index_is_named_and_vectors_that_cost_are_not_made_in_passing() {
    let (folder, store) = (tempfile::tempdir().unwrap(), library().await);
    assert_eq!(SearchIndex::open(folder.path(), None).unwrap_err().code(), "no_index");
    made(folder.path(), &store, other(2)).await;
    fs::write(folder.path().join("generation-000001/chunks-0001/vectors.f32"), [0; 24]).unwrap();
    let results =
        opened(folder.path(), &store, other(2)).await.search(&SearchRequest::new("noon")).await.unwrap();
    assert_eq!(results.mode, SearchMode::Text);
    let notice = results.notices[0].replace(&folder.path().display().to_string(), "INDEX");
    insta::assert_snapshot!(notice, @"the search index is damaged: INDEX/generation-000001/chunks-0001/vectors.f32: it is not what was written; the next ingest mends it, so only words were compared");
    fs::write(folder.path().join("CURRENT"), "{").unwrap();
    assert_eq!(SearchIndex::open(folder.path(), Some(other(2))).unwrap_err().code(), "damaged_index");
    let results =
        opened(folder.path(), &store, other(2)).await.search(&SearchRequest::new("noon")).await.unwrap();
    assert_eq!(results.mode, SearchMode::Text);
    let notice = results.notices[0].replace(&folder.path().display().to_string(), "INDEX");
    insta::assert_snapshot!(notice, @"the search index is damaged: INDEX/CURRENT: it is cut, or of another version of this program; the texts were read from the graph, and the next ingest mends it");
}

#[tokio::test]
async fn what_was_opened_is_not_read_again() {
    let (folder, store) = (tempfile::tempdir().unwrap(), library().await);
    made(folder.path(), &store, builtin()).await;
    let first = opened(folder.path(), &store, builtin()).await;
    write(&store, vec![chunk("c1", "Deprecations", "A new text.")]).await;
    let again = || SearchIndex::open_or_build(folder.path(), &store, Some(builtin()), Some(&first));
    let stale = again().await.unwrap();
    assert!(stale.is_stale() && Arc::ptr_eq(&stale.sections, &first.sections));
    made(folder.path(), &store, builtin()).await;
    assert_eq!(found(&again().await.unwrap(), words("new text")).await, ["c1"]);
}
