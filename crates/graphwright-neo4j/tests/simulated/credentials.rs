//! What the server learns about who connects.

use graphwright_neo4j::{Credentials, Neo4jStore};

use crate::cluster::Cluster;

/// Returns the scheme, user and secret of each logon.
fn logons(cluster: &Cluster) -> Vec<(String, Option<String>, Option<String>)> {
    let state = cluster.state();
    let mut logons: Vec<_> = state
        .logons
        .iter()
        .map(|logon| (logon.scheme.clone(), logon.principal.clone(), logon.credentials.clone()))
        .collect();
    logons.dedup();
    logons
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_sent_as_what_they_are() {
    let text = |text: &str| Some(text.to_owned());
    let basic = Credentials::Basic { user: "ada".to_owned(), password: "engine".to_owned().into() };
    for (credentials, sent) in [
        (Credentials::None, ("none".to_owned(), None, None)),
        (basic, ("basic".to_owned(), text("ada"), text("engine"))),
        (Credentials::Bearer("a.b.c".to_owned().into()), ("bearer".to_owned(), None, text("a.b.c"))),
    ] {
        let cluster = Cluster::start(1);
        cluster.state().announced.1 = vec![0];
        let mut options = cluster.options(0);
        options.credentials = credentials;
        Neo4jStore::connect(options).await.unwrap();
        assert_eq!(logons(&cluster), [sent]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_refused_is_not_shown() {
    let cluster = Cluster::start(1);
    let mut options = cluster.options(0);
    options.credentials = Credentials::Bearer("wrong".to_owned().into());
    let error = Neo4jStore::connect(options).await.unwrap_err();
    assert_eq!(error.code(), "unavailable");
    assert!(!format!("{error} {error:?}").contains("wrong"), "{error:?}");
    assert!(error.to_string().ends_with("the server does not accept the token"), "{error}");
    assert!(error.hint().unwrap().contains("NEO4J_BEARER_TOKEN"), "{:?}", error.hint());
}
