//! What is said of a query with what the graph holds: values and names that may have been meant.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use graphwright::{
    Access, CheckStatus, CypherOptions, Graph, Properties, QueryChecker, Settings,
    cypher::{
        Writes,
        lint::{Suggest, SuggestError, Suggestion, WantedValue},
    },
};

/// More genres than a schema lists.
const FILMS: &str = "UNWIND ['Sci-Fi', 'Drama', 'Documentary', 'Western', 'Comedy', 'Horror', 'Musical', 'Romance', 'Thriller',
    'War', 'Crime', 'Family'] AS genre
    CREATE (:Film {title: 'A film of ' + genre, colour: 'black and white'})-[:HAS_GENRE]->(:Genre {name: genre})";

async fn films(folder: &Path) -> Graph {
    let graph = Graph::open(Settings::at(folder), Access::Write).await.unwrap();
    let options = CypherOptions::default().write(true);
    graph.cypher(FILMS, Properties::new(), &options).await.unwrap();
    graph
}

#[tokio::test]
async fn a_value_that_is_not_stored_is_mapped_to_one_that_is() {
    let folder = tempfile::tempdir().unwrap();
    let checker = films(folder.path()).await.query_checker(Writes::None).await.unwrap();
    let text = "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre {name: 'Science Fiction'}) RETURN f.title";
    for checked in [checker.check(text).await, checker.check_script(text).await, checker.fix(text).await] {
        assert_eq!((checked.status, checked.fixed), (CheckStatus::Ok, None));
        let [found] = checked.diagnostics.as_slice() else { panic!("{:#?}", checked.diagnostics) };
        assert_eq!((found.code.as_str(), &*found.candidates), ("distant_value", &["Sci-Fi".to_owned()][..]));
        assert_eq!(&text[found.fix.as_ref().unwrap().span.range()], "'Science Fiction'");
    }
    // What is stored, and what is near to nothing.
    for text in
        ["MATCH (g:Genre {name: 'Drama'}) RETURN g.name", "MATCH (g:Genre {name: 'Cookery'}) RETURN g.name"]
    {
        assert!(checker.check(text).await.diagnostics.is_empty(), "{text}");
    }
    // One of the few values that the schema lists.
    let checked = checker.check("MATCH (f:Film {colour: 'Black & White'}) RETURN f.title").await;
    assert_eq!(checked.diagnostics[0].code.as_str(), "unknown_value");
    assert_eq!(checked.diagnostics[0].fix.as_ref().unwrap().text, "'black and white'");
}

#[tokio::test]
async fn a_name_is_found_by_its_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let checker = films(folder.path()).await.query_checker(Writes::None).await.unwrap();
    let checked = checker.check("MATCH (m:Movie) RETURN m.title").await;
    assert_eq!(checked.status, CheckStatus::Error);
    let found = &checked.diagnostics[0];
    assert_eq!((found.code.as_str(), &*found.candidates), ("unknown_label", &["Film".to_owned()][..]));
    // Nobody takes such a name unasked.
    assert_eq!(checked.fixed, None);
}

/// Of a property with more values than are compared one by one, the search index finds those with the same words.
#[tokio::test]
async fn the_search_index_knows_names_among_many() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::open(Settings::at(folder.path()), Access::Write).await.unwrap();
    let options = CypherOptions::default().write(true);
    let many = "UNWIND range(0, 2100) AS number CREATE (:Service {name: 'service ' + toString(number)})";
    graph.cypher(many, Properties::new(), &options).await.unwrap();
    let one = "CREATE (:Service {name: 'payment gateway of the north'})";
    graph.cypher(one, Properties::new(), &options).await.unwrap();
    graph.refresh_index(false).await.unwrap();
    let checker = graph.query_checker(Writes::None).await.unwrap();
    let text = "MATCH (s:Service {name: 'payment gateways north'}) RETURN s";
    let checked = checker.check(text).await;
    assert_eq!(checked.diagnostics[0].candidates[0], "payment gateway of the north");
}

#[tokio::test]
async fn a_query_that_finds_nothing_says_which_value_is_not_stored() {
    let folder = tempfile::tempdir().unwrap();
    let graph = films(folder.path()).await;
    let notices = async |text: &str| {
        let result = graph.cypher(text, Properties::new(), &CypherOptions::default()).await.unwrap();
        result.notices.into_iter().map(|notice| notice.message).collect::<Vec<_>>()
    };
    let nothing = "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre) WHERE g.name = 'Science Fiction' RETURN f.title";
    assert_eq!(notices(nothing).await, ["no stored `name` is 'Science Fiction'; near to it: 'Sci-Fi'"]);
    let nothing = "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre) WHERE toLower(g.name) CONTAINS 'science fiction' RETURN f.title";
    assert_eq!(
        notices(nothing).await,
        ["no stored `name` in lower case contains 'science fiction'; near to it: 'sci-fi'"]
    );
    let counted = "MATCH (g:Genre {name: 'Science Fiction'}) RETURN count(g)";
    assert_eq!(notices(counted).await, ["no stored `name` is 'Science Fiction'; near to it: 'Sci-Fi'"]);
    let by_parameter = "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre {name: $genre}) RETURN f.title";
    let parameters = Properties::from([("genre".into(), "Science Fiction".into())]);
    let result = graph.cypher(by_parameter, parameters, &CypherOptions::default()).await.unwrap();
    assert_eq!(result.notices[0].message, "no stored `name` is 'Science Fiction'; near to it: 'Sci-Fi'");
    for text in [
        "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre) WHERE g.name = 'Drama' RETURN f.title",
        "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre) WHERE g.name = 'Drama' AND f.title = 'A film of War' RETURN f",
        "MATCH (g:Genre {name: 'Drama'}) RETURN count(g)",
    ] {
        assert!(notices(text).await.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn an_order_that_begins_with_null_warns() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::open(Settings::at(folder.path()), Access::Write).await.unwrap();
    let write = CypherOptions::default().write(true);
    let films = "CREATE (:Film {title: 'Alien', year: 1979}), (:Film {title: 'Untitled'})";
    graph.cypher(films, Properties::new(), &write).await.unwrap();
    let text = "MATCH (f:Film) RETURN f.title AS title, f.year AS year ORDER BY year DESC LIMIT 1";
    let result = graph.cypher(text, Properties::new(), &CypherOptions::default()).await.unwrap();
    assert_eq!(result.rows[0][0].as_str(), Some("Untitled"));
    let [notice] = result.notices.as_slice() else { panic!("{:?}", result.notices) };
    assert_eq!(notice.code, "null_order");
    let told = "rows without `year` come first: null is the greatest value; add WHERE f.year IS NOT NULL";
    assert_eq!(notice.message, told);
    let fixed = graph.query_checker(Writes::None).await.unwrap().fix(text).await.fixed.unwrap();
    let result = graph.cypher(&fixed, Properties::new(), &CypherOptions::default()).await.unwrap();
    assert_eq!(result.rows[0][0].as_str(), Some("Alien"));
    assert!(result.notices.is_empty());
}

#[derive(Debug)]
struct Closed;

#[async_trait]
impl Suggest for Closed {
    async fn values(&self, _: &WantedValue, _: usize) -> Result<Vec<Suggestion>, SuggestError> {
        Err(SuggestError { message: "it is closed".into() })
    }

    async fn names(&self, _: &str, _: &[String], _: usize) -> Result<Vec<Suggestion>, SuggestError> {
        Err(SuggestError { message: "it is closed".into() })
    }
}

#[tokio::test]
async fn a_store_that_cannot_be_asked_is_told_beside_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let checker = films(folder.path()).await.query_checker(Writes::None).await.unwrap();
    let checker = QueryChecker { suggest: Some(Arc::new(Closed)), ..checker };
    let checked = checker.check("MATCH (m:Movie) RETURN m.title").await;
    assert_eq!(checked.diagnostics[0].code.as_str(), "unknown_label");
    assert_eq!(checked.notices[0].message, "values and names cannot be looked up: it is closed");
}
