//! Connecting to a server that is there.

use graphwright_core::{GraphStore, Statement, StoreError, store::QueryOptions};
use graphwright_neo4j::{Credentials, Neo4jStore};

use crate::support::{alone, connect, options, variable};

fn said(error: &StoreError) -> (String, String) {
    assert_eq!(error.code(), "unavailable");
    (error.to_string(), error.hint().unwrap())
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_wrong_password_and_an_unknown_database() {
    let _alone = alone().await;
    let mut wrong = options();
    wrong.credentials =
        Credentials::Basic { user: "neo4j".to_owned(), password: "surely not".to_owned().into() };
    let (message, hint) = said(&Neo4jStore::connect(wrong).await.unwrap_err());
    assert!(message.ends_with("the server does not accept user and password"), "{message}");
    assert!(hint.contains("NEO4J_PASSWORD"), "{hint}");

    let mut unknown = options();
    unknown.database = Some("nosuch".to_owned());
    let (message, hint) = said(&Neo4jStore::connect(unknown).await.unwrap_err());
    assert!(message.ends_with("there is no database `nosuch`"), "{message}");
    assert!(hint.contains("NEO4J_DATABASE"), "{hint}");
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_cluster_address_works_on_a_single_server() {
    let _alone = alone().await;
    let address = variable("NEO4J_URI").replace("bolt://", "neo4j://");
    let mut routed = options();
    routed.address = address.parse().unwrap();
    let store = Neo4jStore::connect(routed).await.unwrap();
    store.write(Statement::fixed("CREATE (:Routed {x: 1})"), QueryOptions::default()).await.unwrap();
    let rows = crate::support::rows(&store, "MATCH (n:Routed) RETURN n.x").await.unwrap();
    assert!(!rows.is_empty());
    store.write(Statement::fixed("MATCH (n:Routed) DELETE n"), QueryOptions::default()).await.unwrap();
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_reader_refuses_to_write() {
    let _alone = alone().await;
    let mut reader = options();
    reader.write = false;
    let store = Neo4jStore::connect(reader).await.unwrap();
    let refused = store.write(Statement::fixed("CREATE (:A)"), QueryOptions::default()).await;
    assert_eq!(refused.unwrap_err().code(), "read_only");
    let info = connect().await.info().await.unwrap();
    assert!(info.engine.starts_with("Neo4j ") && info.address.ends_with("(neo4j)"), "{info:?}");
}

async fn encrypted(scheme: &str) -> Result<Neo4jStore, StoreError> {
    let mut encrypted = options();
    encrypted.address = variable("NEO4J_URI").replace("bolt:", scheme).parse().unwrap();
    Neo4jStore::connect(encrypted).await
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn encrypted_connections() {
    let _alone = alone().await;
    for scheme in ["bolt+ssc:", "neo4j+ssc:"] {
        let store = encrypted(scheme).await.unwrap();
        assert_eq!(crate::support::rows(&store, "RETURN 1").await.unwrap(), [[1.into()]]);
    }
    for scheme in ["bolt+s:", "neo4j+s:"] {
        let (message, hint) = said(&encrypted(scheme).await.unwrap_err());
        assert!(message.contains("the server's certificate is not trusted"), "{message}");
        assert!(hint.contains("use +ssc in place of +s"), "{hint}");
    }
}

/// The trusted authorities are read once in a process, so this test runs itself in another one.
#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_certificate_of_a_trusted_authority() {
    let authority = format!("{}/certificates/bolt/authority.crt", variable("GRAPHWRIGHT_NEO4J_HOME"));
    if std::env::var("SSL_CERT_FILE").is_ok_and(|file| file == authority) {
        for scheme in ["bolt+s:", "neo4j+s:"] {
            let store = encrypted(scheme).await.unwrap();
            assert_eq!(crate::support::rows(&store, "RETURN 1").await.unwrap(), [[1.into()]]);
        }
        return;
    }
    let _alone = alone().await;
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "connecting::a_certificate_of_a_trusted_authority", "--ignored"]);
    let output = command.env("SSL_CERT_FILE", authority).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
