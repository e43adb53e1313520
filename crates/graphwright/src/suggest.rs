//! Suggests values and names that a query may have meant.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use graphwright_core::{
    GraphSchema, Notice, Properties, Value,
    schema::Target,
    store::{SchemaOptions, Selection},
};
use graphwright_cypher::{
    Code, Diagnostic, Lookup, comparisons, descending, diagnose, diagnose_with, lint::Lint,
};
use graphwright_llm::BuiltinEmbedder;
use graphwright_retrieve::{RetrieveError, SearchIndex, Suggestions};

use crate::{Graph, Result, check::no_suggestions};

/// The longest text, in bytes, that is looked for among the stored values.
const LONGEST_TEXT: usize = 200;

/// How long it may take to find out why a query found nothing, or whether its order begins with null.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Keeps the parameters that may name a stored value, to be looked at after the query has run.
pub(crate) fn short_texts(parameters: &Properties) -> Properties {
    let is_short = |value: &Value| value.as_str().is_some_and(|text| text.len() <= LONGEST_TEXT);
    let texts = parameters.iter().filter(|(_, value)| is_short(value));
    texts.map(|(name, value)| (name.clone(), value.clone())).collect()
}

impl Graph {
    /// Builds the source of suggestions: the values that are stored, and names near in meaning.
    ///
    /// Nearness in meaning always comes from the built-in embedder, because thousands of values may
    /// be compared, which must be fast and free. If there is a search index, its words are
    /// searched.
    pub(crate) fn suggestions(&self) -> Result<Suggestions> {
        let suggestions =
            Suggestions::new(Arc::clone(self.store())).with_embedder(Arc::new(BuiltinEmbedder::new()));
        match SearchIndex::open(self.index_folder(), None) {
            Ok(index) => Ok(suggestions.with_index(Arc::new(index))),
            Err(RetrieveError::NoIndex { .. }) => Ok(suggestions),
            Err(error @ RetrieveError::Damaged { .. }) => {
                tracing::warn!("{error}; names are suggested without it");
                Ok(suggestions)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Finds the texts that a query without results asks for and the store does not hold, with
    /// stored values that are near. Only the labels and types whose values the query compares are
    /// described.
    pub(crate) async fn missing_values(&self, text: &str, parameters: Properties) -> Vec<Notice> {
        let compared = comparisons(text);
        if compared.is_empty() {
            return Vec::new();
        }
        in_time("values that may have been meant", self.look_for_values(text, parameters, &compared)).await
    }

    /// Warns of orders that begin with the elements that lack the property, before a query runs.
    pub(crate) async fn null_orders(&self, text: &str) -> Vec<Notice> {
        let ordered = descending(text);
        if ordered.is_empty() {
            return Vec::new();
        }
        let look = async {
            let lint = Lint::new(&self.schema_of(&ordered).await?);
            Ok(notices(diagnose(text, Some(&lint)), &[Code::NullOrder]))
        };
        in_time("orders that begin with null", look).await
    }

    /// Reads the part of the schema that has the labels and types of lookups.
    async fn schema_of(&self, lookups: &BTreeSet<Lookup>) -> Result<GraphSchema> {
        let name = |lookup: &Lookup| match &lookup.target {
            Target::Label(name) | Target::RelationshipType(name) => name.clone(),
        };
        let names = Selection::only(lookups.iter().map(name));
        let options =
            SchemaOptions { labels: names.clone(), relationship_types: names, ..SchemaOptions::default() };
        Ok(self.store().schema(options).await?)
    }

    async fn look_for_values(
        &self,
        text: &str,
        parameters: Properties,
        compared: &BTreeSet<Lookup>,
    ) -> Result<Vec<Notice>> {
        let lint = Lint::new(&self.schema_of(compared).await?).with_parameters(parameters);
        match diagnose_with(text, &lint, &self.suggestions()?).await {
            Ok(found) => Ok(notices(found, &[Code::DistantValue, Code::UnknownValue])),
            Err(error) => Ok(vec![no_suggestions(&error)]),
        }
    }
}

/// Looks for something that the query itself does not need. That it could not be looked for is told.
async fn in_time(what: &str, look: impl Future<Output = Result<Vec<Notice>>>) -> Vec<Notice> {
    match tokio::time::timeout(TIME_LIMIT, look).await {
        Ok(Ok(notices)) => notices,
        Ok(Err(error)) => vec![no_suggestions(&error)],
        Err(_) => vec![no_suggestions(&format!("{what} were not looked for to the end: it took too long"))],
    }
}

/// Makes notices of findings of some codes. Others would need the rest of the schema.
fn notices(found: Vec<Diagnostic>, codes: &[Code]) -> Vec<Notice> {
    let found = found.into_iter().filter(|found| codes.contains(&found.code)).map(|found| {
        let help = found.help.map(|help| format!("; {help}")).unwrap_or_default();
        Notice { code: found.code.as_str().to_owned(), message: format!("{}{help}", found.message) }
    });
    found.collect()
}
