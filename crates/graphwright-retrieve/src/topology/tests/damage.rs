//! Files that are damaged, old, cut or missing are told, and never taken for what was written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use graphwright_core::{GraphStore, NodeKey, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;

use crate::{
    Direction, NameIndex, NeighbourhoodOptions, PathOptions, Result, RetrieveError, Topology,
    fixture::{node, properties, relationship},
};

const VERSION: &str = "7";

fn make(folder: &Path) -> Topology {
    let mut nodes: Vec<_> = (0..60).map(|number| node(&format!("Thing|__Entity__:thing {number}"))).collect();
    let mut chunk = node("Chunk:c");
    chunk.properties.insert("text".into(), "What the passage says.".into());
    nodes.push(chunk);
    let links = (0..150).map(|number: usize| {
        let (start, end) = (number * 7 % 60, number * number % 60);
        let mut link =
            relationship(&format!("thing {start} -R{} 0.{}-> thing {end}", number % 3, 1 + number % 9));
        if number.is_multiple_of(10) {
            link.properties.extend(properties(&[(
                "valid_to",
                "2001-01-01".parse().map(graphwright_core::Value::Date).unwrap(),
            )]));
        }
        link
    });
    Topology::write(folder, VERSION, nodes, links).unwrap()
}

/// Reads everything in every way, as text.
fn read_all(topology: &Topology, names: &NameIndex) -> String {
    let mut text = format!("{} {}\n", topology.node_count(), topology.relationship_count());
    for node in topology.nodes() {
        let content = topology.read_node(node);
        text += &format!("{content:?} {:?} {:?}\n", topology.role(node), topology.text(node));
        text += &format!("{:?}\n", topology.steps(node, Direction::Both).collect::<Vec<_>>());
        text += &format!("{:?}\n", topology.node_by_id(content.id()));
        text += &format!("{:?}\n", topology.node_by_element_id(&content.element_id));
        let around = topology.neighbourhood(&[node], &NeighbourhoodOptions::default());
        text += &format!("{:?} {:?}\n", around.nodes, around.relationships);
        text += &format!("{:?}\n", names.find(content.display_name()));
    }
    for relationship in topology.relationships() {
        text += &format!("{:?}\n", topology.read_edge(relationship));
    }
    for (label, count) in topology.labels() {
        text += &format!("{label} {count} {:?}\n", topology.nodes_with_label(label).collect::<Vec<_>>());
    }
    for (kind, count) in topology.relationship_types() {
        text += &format!("{kind} {count} {:?}\n", topology.relationships_of_type(kind).collect::<Vec<_>>());
    }
    let all: Vec<_> = topology.nodes().collect();
    if let [first, .., last] = all[..] {
        text += &format!("{:?}\n", topology.shortest_paths(&[first], &[last], &PathOptions::default()));
        text += &format!("{:?}\n", topology.best_paths(&[first], &[last], &PathOptions::default()));
    }
    text
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.metadata().unwrap().len() > 0).collect();
    files.sort();
    files
}

/// Opens and reads everything. `None` if it was told that something is damaged, or not there.
fn opened(folder: &Path) -> Option<String> {
    let topology = match Topology::open(folder, VERSION) {
        Ok(topology) => topology?,
        Err(RetrieveError::DamagedTopology { .. }) => return None,
        Err(error) => panic!("{error}"),
    };
    let names = NameIndex::open_or_build(folder, &topology);
    let text = read_all(&topology, &names);
    (topology.damage().is_none() && names.damage().is_none()).then_some(text)
}

#[test]
fn no_changed_byte_changes_an_answer_without_being_told() {
    let folder = tempfile::tempdir().unwrap();
    let topology = make(folder.path());
    let whole = read_all(&topology, &NameIndex::open_or_build(folder.path(), &topology));
    drop(topology);
    assert_eq!(opened(folder.path()).as_ref(), Some(&whole));
    let kept: Vec<(PathBuf, Vec<u8>)> =
        files(folder.path()).into_iter().map(|file| (file.clone(), fs::read(&file).unwrap())).collect();
    assert_eq!(kept.len(), 5, "{kept:?}");
    let (mut told, mut unread) = (0, 0);
    for (file, content) in &kept {
        for place in (0..content.len()).step_by(content.len() / 25) {
            let mut changed = content.clone();
            changed[place] ^= 1 << (place % 8);
            // A new file, since another may have the old one mapped.
            fs::remove_file(file).unwrap();
            fs::write(file, changed).unwrap();
            match opened(folder.path()) {
                None => told += 1,
                Some(text) => {
                    assert_eq!(text, whole, "byte {place} of {}", file.display());
                    unread += 1;
                }
            }
            for (file, content) in &kept {
                fs::write(file, content).unwrap();
            }
        }
    }
    assert!(told > 60, "{told} told, {unread} not read or mended");
}

#[test]
fn cut_and_missing_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    drop(make(folder.path()));
    for file in files(folder.path()) {
        let content = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert!(opened(folder.path()).is_none(), "without {}", file.display());
        fs::write(&file, &content[..content.len() / 2]).unwrap();
        assert!(opened(folder.path()).is_none(), "half of {}", file.display());
        fs::remove_file(&file).unwrap();
        fs::write(&file, content).unwrap();
    }
    assert!(opened(folder.path()).is_some());
}

#[tokio::test]
async fn a_snapshot_follows_its_store_and_what_is_open_stays() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::in_memory();
    let add = async |id: &str| {
        let mut changes = ChangeSet::new();
        changes.upsert_node(NodeKey::new("Thing", id), &[], properties(&[("name", id.into())]));
        store.apply(changes).await.unwrap();
    };
    add("a").await;
    let first = Topology::open_or_build(folder.path(), &store).await?;
    assert!(Topology::open(folder.path(), &store.version().await?)?.is_some());
    add("b").await;
    assert!(Topology::open(folder.path(), &store.version().await?)?.is_none());
    let second = Topology::open_or_build(folder.path(), &store).await?;
    assert_eq!((first.node_count(), second.node_count()), (1, 2));
    assert_eq!(first.node(first.node_by_id("a").unwrap()).display_name(), "a");
    assert_ne!(first.fingerprint(), second.fingerprint());
    // A damaged one is made anew.
    let adjacency =
        files(folder.path()).into_iter().find(|file| file.display().to_string().contains("adjacency"));
    fs::remove_file(adjacency.unwrap()).unwrap();
    assert_eq!(Topology::open_or_build(folder.path(), &store).await?.node_count(), 2);
    // In a folder that cannot be made it is read into memory.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(Topology::open_or_build(&file.join("folder"), &store).await?.node_count(), 2);
    Ok(())
}
