//! Values: the words of the question, linked to what is stored.

use std::time::Duration;

use graphwright_core::schema::Target;
use graphwright_cypher::lint::{Matching, WantedValue};
use graphwright_retrieve::in_words;
use tokio::time::timeout;

use crate::{
    event::{Described, Linked},
    session::Session,
};

/// How many phrases that the graph does not know are compared with stored values.
const MOST_PHRASES: usize = 3;
/// With how many properties each of them is compared.
const MOST_PROPERTIES: usize = 8;
/// How many candidates a phrase gets.
const MOST_CANDIDATES: usize = 3;
/// How long candidates are looked for.
const LONGEST: Duration = Duration::from_secs(5);

/// Links the words of the question to stored values: exact ones and synonyms by the reader of questions, others by spelling, words and
/// meaning, as candidates.
pub(crate) async fn link(session: &Session, Described { asked, schema }: Described) -> Linked {
    let terms = session.answerer.question_terms(&asked.question);
    let mut values: Vec<String> = Vec::new();
    for named in &terms.values {
        let (phrase, value) = (&named.phrase, in_words(&named.value));
        let place = match &named.label {
            Some(label) => format!("{label}.{}", stored_as(session, label, &named.property)),
            None => named.property.clone(),
        };
        values.push(format!("{phrase:?} is the stored value {value:?} of {place}"));
    }
    // What takes longer than this is left to the mapping of values when a query finds nothing.
    let found = timeout(LONGEST, candidates(session, &terms.unknown)).await.unwrap_or_default();
    values.extend(found);
    Linked { asked, schema, values }
}

/// Returns the property that holds the name of what has a label. Some stores show a title as a name, too, which no query finds.
fn stored_as<'a>(session: &Session, label: &str, property: &'a str) -> &'a str {
    let holds = |property: &str| {
        let label = session.schema.labels.iter().find(|known| known.name == label);
        label.is_some_and(|label| label.properties.iter().any(|known| known.name == property))
    };
    if !holds(property) && holds("title") { "title" } else { property }
}

/// Finds stored values that are near to phrases.
async fn candidates(session: &Session, phrases: &[String]) -> Vec<String> {
    let texts: Vec<(&str, &str)> = session
        .schema
        .labels
        .iter()
        .flat_map(|label| label.properties.iter().map(move |property| (label, property)))
        .filter(|(_, property)| property.types.iter().any(|kind| kind == "STRING"))
        .map(|(label, property)| (label.name.as_str(), property.name.as_str()))
        .take(MOST_PROPERTIES)
        .collect();
    let mut lines = Vec::new();
    for phrase in phrases.iter().take(MOST_PHRASES) {
        for (label, property) in &texts {
            let wanted = WantedValue {
                targets: vec![Target::Label((*label).to_owned())],
                property: (*property).to_owned(),
                text: phrase.clone(),
                matching: Matching::Equals,
                ignores_case: false,
            };
            // A store that cannot be asked for candidates can still be asked the query.
            let found = session.suggest.values(&wanted, MOST_CANDIDATES).await.unwrap_or_default();
            if found.is_empty() {
                continue;
            }
            let near: Vec<String> = found.iter().map(|found| format!("{:?}", found.text)).collect();
            lines.push(format!(
                "{phrase:?} may be one of the stored values {} of {label}.{property}",
                near.join(", ")
            ));
        }
    }
    lines
}
