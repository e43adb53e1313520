//! Suggests stored values and names that a query may have meant.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright_core::{GraphStore, Statement, Value, schema::Target, store::QueryOptions};
use graphwright_cypher::{
    StatementBuilder,
    lint::{Matching, Suggest, SuggestError, Suggestion, WantedValue},
};
use graphwright_llm::{Embedder, cosine};

use crate::{HitKind, NameDictionary, RetrieveError, SearchIndex, SearchRequest, dictionary::tokens};

/// Maximum number of distinct values of a property that are compared with a text. For properties
/// with more, the search index adds what it finds.
const VALUES: usize = 2_000;

/// Maximum time of one look-up. Nobody waits for a suggestion as long as for an answer.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Minimum score of a suggestion.
const LEAST_SCORE: f64 = 0.55;

/// Score of values whose words abbreviate each other, such as `Sci-Fi` and `Science Fiction`.
const ABBREVIATED: f64 = 0.9;

/// Score of values that contain the wanted part in other case, such as `sci` in `Sci-Fi`.
const IN_OTHER_CASE: f64 = 0.95;

/// Suggests values by spelling, by abbreviation and, with an embedder, by meaning.
///
/// ```
/// use std::sync::Arc;
///
/// use graphwright_core::{GraphStore, NodeKey, Properties, schema::Target, store::ChangeSet};
/// use graphwright_cypher::lint::{Matching, Suggest, WantedValue};
/// use graphwright_embedded::EmbeddedStore;
/// use graphwright_retrieve::Suggestions;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = Arc::new(EmbeddedStore::in_memory());
/// let mut changes = ChangeSet::new();
/// let properties = Properties::from([("name".into(), "Sci-Fi".into())]);
/// changes.upsert_node(NodeKey::new("Genre", "1"), &[], properties);
/// store.apply(changes).await?;
///
/// let wanted = WantedValue {
///     targets: vec![Target::Label("Genre".into())],
///     property: "name".into(),
///     text: "Science Fiction".into(),
///     matching: Matching::Equals,
///     ignores_case: false,
/// };
/// let found = Suggestions::new(store).values(&wanted, 3).await?;
/// assert_eq!(found[0].text, "Sci-Fi");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Suggestions {
    store: Arc<dyn GraphStore>,
    index: Option<Arc<SearchIndex>>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Suggestions {
    /// Creates suggestions from the values in a store, by spelling and abbreviation.
    pub fn new(store: Arc<dyn GraphStore>) -> Self {
        Self { store, index: None, embedder: None }
    }

    /// Adds a search index, which finds names among values that are too many to compare.
    #[must_use]
    pub fn with_index(self, index: Arc<SearchIndex>) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Adds an embedder, which compares by meaning.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder: Some(embedder), ..self }
    }

    /// Returns the texts in the first column of a statement's rows.
    async fn texts(&self, statement: Statement) -> Result<Vec<String>, RetrieveError> {
        let options = QueryOptions { time_limit: Some(TIME_LIMIT), ..QueryOptions::default() };
        let table = self.store.read(statement, options).await?.collect().await?;
        let texts = table.rows.into_iter().filter_map(|row| row.first()?.as_str().map(str::to_owned));
        Ok(texts.collect())
    }

    /// Returns the values of a property: all, if there are not too many, and what the search index
    /// finds.
    async fn candidates(&self, wanted: &WantedValue) -> Result<Vec<String>, RetrieveError> {
        let mut candidates = BTreeSet::new();
        for target in &wanted.targets {
            let limit = i64::try_from(VALUES).unwrap_or(i64::MAX);
            let all = values_of(target, wanted)
                .text(" WHERE value IS NOT NULL RETURN DISTINCT value LIMIT ")
                .value(limit);
            let found = self.texts(built(all)?).await?;
            let is_all = found.len() < VALUES;
            candidates.extend(found);
            if let (Some(index), Target::Label(label), false) = (&self.index, target, is_all) {
                let request = SearchRequest {
                    kind: Some(HitKind::Node),
                    labels: vec![label.clone()],
                    limit: 20,
                    ..SearchRequest::new(&wanted.text)
                };
                let names: Vec<Value> =
                    index.search(&request).await?.hits.into_iter().map(|hit| hit.name.into()).collect();
                // The name of a hit may come from another property than the one that is asked for.
                let stored = values_of(target, wanted)
                    .text(" WHERE value IN ")
                    .value(Value::List(names))
                    .text(" RETURN DISTINCT value");
                candidates.extend(self.texts(built(stored)?).await?);
            }
        }
        Ok(candidates.into_iter().collect())
    }

    /// Returns whether a stored value of the property is exactly as wanted.
    async fn is_stored(&self, wanted: &WantedValue) -> Result<bool, RetrieveError> {
        for target in &wanted.targets {
            if !self.texts(built(as_wanted(target, wanted))?).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the texts most similar to `wanted`, best first. `part` says whether `wanted` may be
    /// a part of a text.
    async fn nearest(
        &self,
        wanted: &str,
        among: &[String],
        part: bool,
        limit: usize,
    ) -> Result<Vec<Suggestion>, RetrieveError> {
        let mut scores = vec![0.0_f64; among.len()];
        let mut dictionary = NameDictionary::new();
        let lower = wanted.to_lowercase();
        for (place, text) in among.iter().enumerate() {
            dictionary.insert(text, place);
            if part && text.to_lowercase().contains(&lower) {
                scores[place] = IN_OTHER_CASE;
            } else if is_abbreviation(wanted, text) {
                scores[place] = ABBREVIATED;
            }
        }
        for candidate in dictionary.suggest(wanted, among.len()) {
            scores[candidate.target] = scores[candidate.target].max(candidate.score);
        }
        if let Some(embedder) = &self.embedder {
            let texts: Vec<String> =
                std::iter::once(wanted).chain(among.iter().map(String::as_str)).map(words).collect();
            let vectors = embedder.embed(&texts).await?;
            if let Some((wanted, others)) = vectors.split_first() {
                for (score, vector) in scores.iter_mut().zip(others) {
                    *score = score.max(f64::from(cosine(wanted, vector)));
                }
            }
        }
        let mut found: Vec<Suggestion> = among
            .iter()
            .zip(scores)
            .filter(|(_, score)| *score >= LEAST_SCORE)
            .map(|(text, score)| Suggestion { text: text.clone(), score })
            .collect();
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found.truncate(limit);
        Ok(found)
    }
}

#[async_trait]
impl Suggest for Suggestions {
    async fn values(&self, wanted: &WantedValue, limit: usize) -> Result<Vec<Suggestion>, SuggestError> {
        if self.is_stored(wanted).await? {
            return Ok(vec![Suggestion { text: wanted.text.clone(), score: 1.0 }]);
        }
        let candidates = self.candidates(wanted).await?;
        Ok(self.nearest(&wanted.text, &candidates, wanted.matching.is_part(), limit).await?)
    }

    async fn names(
        &self,
        wanted: &str,
        among: &[String],
        limit: usize,
    ) -> Result<Vec<Suggestion>, SuggestError> {
        Ok(self.nearest(wanted, among, false, limit).await?)
    }
}

impl From<RetrieveError> for SuggestError {
    fn from(error: RetrieveError) -> Self {
        Self { message: error.to_string() }
    }
}

/// Builds a statement that finds one value of the property exactly as wanted.
fn as_wanted(target: &Target, wanted: &WantedValue) -> StatementBuilder {
    if wanted.matching == Matching::Element {
        let all = values_of(target, wanted).text(" WHERE value = ").value(wanted.text.as_str());
        return all.text(" RETURN value LIMIT 1");
    }
    let compared = match wanted.matching {
        Matching::Equals | Matching::Element => " = ",
        Matching::StartsWith => " STARTS WITH ",
        Matching::EndsWith => " ENDS WITH ",
        Matching::Contains => " CONTAINS ",
    };
    let (found, text) = if wanted.ignores_case {
        // `toStringOrNull` passes over values that are not texts.
        let found = matching(target).text(" WHERE toLower(toStringOrNull(x.");
        (found.name(&wanted.property).text("))"), wanted.text.to_lowercase())
    } else {
        // Compares the property itself, so that an index serves the query.
        (matching(target).text(" WHERE x.").name(&wanted.property), wanted.text.clone())
    };
    found.text(compared).value(text).text(" RETURN x.").name(&wanted.property).text(" LIMIT 1")
}

/// Builds `MATCH (x:Label)` or `MATCH ()-[x:TYPE]->()`.
fn matching(target: &Target) -> StatementBuilder {
    match target {
        Target::Label(label) => StatementBuilder::new("MATCH (x:").name(label).text(")"),
        Target::RelationshipType(kind) => StatementBuilder::new("MATCH ()-[x:").name(kind).text("]->()"),
    }
}

/// Adds each value of the property as `value` to [`matching`]; for lists, each element.
fn values_of(target: &Target, wanted: &WantedValue) -> StatementBuilder {
    let (before, after) = match wanted.matching {
        Matching::Element => (" UNWIND x.", " AS value WITH value"),
        _ => (" WITH x.", " AS value"),
    };
    matching(target).text(before).name(&wanted.property).text(after)
}

fn built(builder: StatementBuilder) -> Result<Statement, RetrieveError> {
    builder.build().map_err(|invalid| {
        RetrieveError::Store(graphwright_core::StoreError::Engine { message: invalid.to_string() })
    })
}

/// Returns whether each word of one begins a word of the other, in order.
fn is_abbreviation(one: &str, other: &str) -> bool {
    let (one, other) = (tokens(one), tokens(other));
    let begins = |short: &str, long: &str| short.len() >= 2 && long.starts_with(short);
    let words = one.iter().zip(&other);
    one.len() == other.len() && one.len() > 1 && { words }
        .all(|(one, other)| begins(&one.text, &other.text) || begins(&other.text, &one.text))
}

/// Splits a name into words: `ACTED_IN` and `releaseYear` become `acted in` and `release year`.
fn words(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() || matches!(letter, '_' | '-') {
            text.push(' ');
        }
        if !matches!(letter, '_' | '-') {
            text.extend(letter.to_lowercase());
        }
        before = letter;
    }
    text
}

#[cfg(test)]
mod tests {
    use graphwright_core::{NodeKey, Properties, store::ChangeSet, store::SchemaOptions};
    use graphwright_cypher::{lint::Lint, syntax::parse};
    use graphwright_embedded::EmbeddedStore;
    use graphwright_llm::BuiltinEmbedder;

    use super::*;

    async fn library() -> Arc<EmbeddedStore> {
        let store = EmbeddedStore::in_memory();
        let mut changes = ChangeSet::new();
        for (label, key, values) in [
            ("Genre", "name", ["Sci-Fi", "Drama", "Documentary", "Western"].as_slice()),
            ("Film", "title", ["Tron", "The Remains of the Day", "Blade Runner"].as_slice()),
        ] {
            for value in values {
                let tags = Value::List(vec![Value::from("slow burn"), format!("about {value}").into()]);
                let properties = Properties::from([
                    (key.to_owned(), (*value).into()),
                    ("note".into(), "x".into()),
                    ("tags".into(), tags),
                ]);
                changes.upsert_node(NodeKey::new(label, *value), &[], properties);
            }
        }
        // More than ten, so that the schema does not list them.
        for number in 0..20 {
            let properties = Properties::from([("name".to_owned(), format!("Genre of {number}").into())]);
            changes.upsert_node(NodeKey::new("Genre", format!("g{number}")), &[], properties);
        }
        store.apply(changes).await.unwrap();
        Arc::new(store)
    }

    async fn fixes(suggestions: &Suggestions, store: &EmbeddedStore, text: &str) -> Vec<String> {
        let schema = store.schema(SchemaOptions::default()).await.unwrap();
        let lint = Lint::new(&schema);
        let found = lint.suggest(&parse(text).tree, text, suggestions).await.unwrap();
        found.into_iter().filter_map(|found| found.fix).map(|fix| fix.text).collect()
    }

    #[tokio::test]
    async fn values_of_an_embedded_store_are_suggested() {
        let store = library().await;
        let suggestions = Suggestions::new(store.clone()).with_embedder(Arc::new(BuiltinEmbedder::new()));
        for (text, expected) in [
            ("MATCH (g:Genre {name: 'Science Fiction'}) RETURN g.name", "'Sci-Fi'"),
            ("MATCH (g:Genre) WHERE g.name IN ['Documentaries'] RETURN g.name", "'Documentary'"),
            ("MATCH (g:Genre) WHERE g.name = 'drama' RETURN g.name", "'Drama'"),
            ("MATCH (f:Film) WHERE 'Slow-burn' IN f.tags RETURN f.title", "'slow burn'"),
            ("MATCH (g:Genre) WHERE toLower(g.name) = 'science fiction' RETURN g.name", "'sci-fi'"),
            ("MATCH (g:Genre) WHERE toLower(g.name) = 'Sci-Fi' RETURN g.name", "'sci-fi'"),
            ("MATCH (g:Genre) WHERE g.name CONTAINS 'sci' RETURN g.name", "'Sci-Fi'"),
            ("MATCH (f:Film) WHERE f.title STARTS WITH 'Blade-runner' RETURN f.title", "'Blade Runner'"),
        ] {
            assert_eq!(fixes(&suggestions, &store, text).await, [expected], "{text}");
        }
        for text in [
            "MATCH (g:Genre {name: 'Western'}) RETURN g.name",
            "MATCH (g:Genre {name: 'Cookery'}) RETURN g.name",
            "MATCH (g:Genre) WHERE g.name CONTAINS 'Fi' AND toUpper(g.name) STARTS WITH 'SCI' RETURN g.name",
            "MATCH (g:Genre) WHERE toLower(g.name) = toLower('Sci-Fi') AND g.name ENDS WITH 'Fi' RETURN g.name",
            "MATCH (f:Film) WHERE 'slow burn' IN f.tags AND 'cookery' IN f.tags RETURN f.title",
        ] {
            assert!(fixes(&suggestions, &store, text).await.is_empty(), "{text}");
        }
    }

    #[tokio::test]
    async fn names_are_suggested_by_meaning() {
        let store = library().await;
        let by_spelling = Suggestions::new(store.clone());
        let text = "MATCH (m:Movie) RETURN m.title";
        assert!(fixes(&by_spelling, &store, text).await.is_empty());
        let by_meaning = Suggestions::new(store.clone()).with_embedder(Arc::new(BuiltinEmbedder::new()));
        assert_eq!(fixes(&by_meaning, &store, text).await, ["Film"]);
    }

    #[test]
    fn abbreviations_begin_the_words() {
        assert!(is_abbreviation("Science Fiction", "Sci-Fi"));
        assert!(!is_abbreviation("Science", "Sci"));
        assert!(!is_abbreviation("Science Fiction", "Sci-Fi Drama"));
    }
}
