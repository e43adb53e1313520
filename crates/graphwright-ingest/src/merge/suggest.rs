//! Proposes merges of entities.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graphwright_core::{
    GraphStore, NodeKey, Properties, Statement, Value, names,
    store::{Change, ChangeSet, QueryOptions},
    text::without_bracket,
};
use graphwright_english::names::name_key;
use graphwright_llm::Embedder;

use super::{
    Suggestion,
    compare::{Likeness, Name, compare},
};
use crate::{Result, ledger::Ledger};

/// Maximum number of names that share a word and are compared for it alone.
const FREQUENT: usize = 40;
/// Minimum text similarity of names that are proposed without vectors.
const LIKE_AS_TEXT: f64 = 0.85;
/// Minimum cosine similarity of the vectors of names that are less similar as text.
const NEAR_AS_VECTORS: f64 = 0.9;

/// Two entities of one type that may be the same.
struct Pair {
    kept: NodeKey,
    merged: NodeKey,
    names: [String; 2],
    likeness: Likeness,
    certain: bool,
}

/// Updates the open proposals to the claims. Rejected ones stay rejected.
pub(crate) async fn suggest(
    store: &dyn GraphStore,
    ledger: &Ledger,
    embedder: Option<&dyn Embedder>,
) -> Result<()> {
    let pairs = candidates(ledger);
    let vectors = embed(&pairs, embedder).await?;
    let mut wanted: BTreeMap<NodeKey, Properties> = BTreeMap::new();
    for pair in &pairs {
        let cosine = match (vectors.get(&pair.names[0]), vectors.get(&pair.names[1])) {
            (Some(left), Some(right)) => Some(dot(left, right)),
            _ => None,
        };
        let string = pair.likeness.string_similarity;
        let near = cosine.is_some_and(|cosine| cosine >= NEAR_AS_VECTORS);
        if pair.certain || string >= LIKE_AS_TEXT || near {
            wanted.insert(suggestion_key(&pair.kept.id, &pair.merged.id), describe(pair, cosine));
        }
    }
    let stored = stored_suggestions(store).await?;
    let mut changes = ChangeSet::new();
    for (key, properties) in &stored {
        let open = status(properties) == "open";
        if open && !wanted.contains_key(key) {
            changes.push(Change::DeleteNode { key: key.clone() });
        }
    }
    for (key, properties) in wanted {
        let known = stored.get(&key);
        if known.is_none_or(|known| status(known) == "open" && *known != properties) {
            changes.upsert_node(key, &[], properties);
        }
    }
    if !changes.is_empty() {
        store.apply(changes).await?;
    }
    Ok(())
}

/// Returns the pairs worth comparing: of one type, with a common word, equal letters, or initials
/// that fit.
fn candidates(ledger: &Ledger) -> Vec<Pair> {
    let mut by_label: BTreeMap<&str, Vec<&NodeKey>> = BTreeMap::new();
    for key in ledger.entities() {
        by_label.entry(&key.label).or_default().push(key);
    }
    let mut pairs = Vec::new();
    for (label, mut keys) in by_label {
        // In a fixed order, since it decides which of two entities with as many mentions is kept.
        keys.sort();
        let generic = ledger.words_for(label);
        let names: Vec<Name> = keys.iter().map(|key| Name::new(&ledger.name_of(key), &generic)).collect();
        let mut blocks: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            let marks =
                name.words.iter().cloned().chain([name.squashed(), format!("initials {}", name.initials())]);
            let short = (name.words.len() == 1).then(|| format!("initials {}", name.squashed()));
            for mark in marks.chain(short).collect::<BTreeSet<_>>() {
                blocks.entry(mark).or_default().push(index);
            }
        }
        let mut seen = BTreeSet::new();
        for block in blocks.into_values().filter(|block| block.len() <= FREQUENT) {
            for (position, &left) in block.iter().enumerate() {
                seen.extend(block[position + 1..].iter().map(|&right| (left, right)));
            }
        }
        // What stands in brackets after one name tells different things apart.
        let told_apart = |left: usize, right: usize| {
            let alone = |index: usize| {
                Some(without_bracket(&names[index].text)).filter(|alone| *alone != names[index].text)
            };
            alone(left).is_some() && alone(left) == alone(right)
        };
        for (left, right) in seen.into_iter().filter(|(left, right)| !told_apart(*left, *right)) {
            let shares_alias = ledger.share_a_name(keys[left], keys[right]);
            let likeness = compare(&names[left], &names[right]).or_else(|| {
                shares_alias.then(|| Likeness {
                    string_similarity: 0.0,
                    reason: "a document gives them one name".to_owned(),
                })
            });
            let Some(likeness) = likeness else { continue };
            // That most words are the same is too little; it takes like letters or vectors too.
            let certain = shares_alias || !likeness.reason.starts_with("most");
            let (kept, merged) = if ledger.mentions_of(keys[left]) >= ledger.mentions_of(keys[right]) {
                (left, right)
            } else {
                (right, left)
            };
            pairs.push(Pair {
                kept: keys[kept].clone(),
                merged: keys[merged].clone(),
                names: [names[kept].text.clone(), names[merged].text.clone()],
                likeness,
                certain,
            });
        }
    }
    pairs
}

async fn embed(pairs: &[Pair], embedder: Option<&dyn Embedder>) -> Result<HashMap<String, Vec<f32>>> {
    let Some(embedder) = embedder else { return Ok(HashMap::new()) };
    let texts: BTreeSet<&String> = pairs.iter().flat_map(|pair| &pair.names).collect();
    let texts: Vec<String> = texts.into_iter().cloned().collect();
    if texts.is_empty() {
        return Ok(HashMap::new());
    }
    let vectors = embedder.embed(&texts).await?;
    Ok(texts.into_iter().zip(vectors).collect())
}

/// Returns the cosine similarity. Embedders return vectors of length 1.
fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

fn describe(pair: &Pair, cosine: Option<f64>) -> Properties {
    let string = pair.likeness.string_similarity;
    let score = string.max(cosine.unwrap_or(0.0)).clamp(0.0, 1.0);
    let mut properties = Properties::from([
        ("label".to_owned(), pair.kept.label.as_str().into()),
        ("kept".to_owned(), pair.kept.id.as_str().into()),
        ("kept_name".to_owned(), pair.names[0].as_str().into()),
        ("merged".to_owned(), pair.merged.id.as_str().into()),
        ("merged_name".to_owned(), pair.names[1].as_str().into()),
        ("score".to_owned(), score.into()),
        ("string_similarity".to_owned(), string.into()),
        ("reason".to_owned(), pair.likeness.reason.as_str().into()),
        ("status".to_owned(), "open".into()),
    ]);
    if let Some(cosine) = cosine {
        properties.insert("vector_similarity".to_owned(), cosine.into());
    }
    properties
}

async fn stored_suggestions(store: &dyn GraphStore) -> Result<BTreeMap<NodeKey, Properties>> {
    let statement = Statement::fixed("MATCH (s:`__Suggestion__`) RETURN s");
    let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
    let nodes = table.rows.into_iter().flatten().filter_map(|value| match value {
        Value::Node(node) => Some(*node),
        _ => None,
    });
    Ok(nodes
        .map(|node| {
            let key = NodeKey::new(names::SUGGESTION, node.id());
            let mut properties = node.properties;
            properties.remove(names::ID);
            (key, properties)
        })
        .collect())
}

pub(super) async fn open_suggestions(store: &dyn GraphStore) -> Result<Vec<Suggestion>> {
    let stored = stored_suggestions(store).await?;
    let open = stored.values().filter(|properties| status(properties) == "open");
    let mut found: Vec<Suggestion> = open.map(read).collect();
    found.sort_by(|left, right| right.score.total_cmp(&left.score).then_with(|| left.kept.cmp(&right.kept)));
    Ok(found)
}

fn read(properties: &Properties) -> Suggestion {
    let text = |name: &str| properties.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |name: &str| properties.get(name).and_then(Value::as_float);
    Suggestion {
        label: text("label"),
        kept: text("kept"),
        kept_name: text("kept_name"),
        merged: text("merged"),
        merged_name: text("merged_name"),
        score: number("score").unwrap_or_default(),
        string_similarity: number("string_similarity").unwrap_or_default(),
        vector_similarity: number("vector_similarity"),
        reason: text("reason"),
    }
}

/// Counts the open proposals.
pub(crate) async fn count_suggestions(store: &dyn GraphStore) -> Result<u64> {
    let stored = stored_suggestions(store).await?;
    Ok(stored.values().filter(|properties| status(properties) == "open").count() as u64)
}

fn status(properties: &Properties) -> &str {
    properties.get("status").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the key of a proposal, whichever of the two is kept.
pub(super) fn suggestion_key(left: &str, right: &str) -> NodeKey {
    let (first, second) = if left <= right { (left, right) } else { (right, left) };
    NodeKey::new(names::SUGGESTION, format!("{first}|{second}"))
}

impl Ledger {
    /// Returns whether documents give both entities a common name.
    fn share_a_name(&self, left: &NodeKey, right: &NodeKey) -> bool {
        let names = |key: &NodeKey| -> BTreeSet<String> {
            self.names_of(key).iter().map(|name| name_key(name)).collect()
        };
        !names(left).is_disjoint(&names(right))
    }
}
