//! The messages for somebody who wrote a wrong address. The servers are made up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{Read, Write},
    net::TcpListener,
    time::Duration,
};

use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};

async fn error(address: &str) -> (String, String) {
    let mut options = ConnectOptions::new(address.parse().unwrap(), Credentials::None);
    options.connect_timeout = Duration::from_secs(1);
    options.acquire_timeout = Duration::from_secs(2);
    let error = Neo4jStore::connect(options).await.unwrap_err();
    assert_eq!(error.code(), "unavailable");
    (error.to_string(), error.hint().unwrap())
}

/// Starts a server that answers each read of the client's bytes with the next of these.
fn server(answers: &'static [&'static [u8]]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut seen = [0; 4096];
            for answer in answers {
                if stream.read(&mut seen).is_err() || stream.write_all(answer).is_err() {
                    break;
                }
            }
        }
    });
    format!("127.0.0.1:{port}")
}

#[tokio::test]
async fn an_unknown_host() {
    let (message, hint) = error("bolt://nosuch.invalid").await;
    assert!(
        message.starts_with("cannot open bolt://nosuch.invalid:7687: the host `nosuch.invalid` is not known"),
        "{message}"
    );
    assert_eq!(hint, "check the name of the host");
}

#[tokio::test]
async fn a_port_where_nothing_answers() {
    for scheme in ["bolt", "neo4j", "bolt+s", "neo4j+ssc"] {
        let (message, hint) = error(&format!("{scheme}://127.0.0.1:1")).await;
        assert_eq!(message, format!("cannot open {scheme}://127.0.0.1:1: nothing answers at this port"));
        assert_eq!(hint, "start the server, or correct the port (Bolt's is 7687)");
    }
}

#[tokio::test]
async fn the_port_of_a_web_server() {
    let address = server(&[b"HTTP/1.1 400 Bad Request\r\n\r\n"]);
    let (message, hint) = error(&format!("bolt://{address}")).await;
    assert!(message.ends_with("a web server answers there"), "{message}");
    assert!(hint.starts_with("name the port of Bolt"), "{hint}");
}

#[tokio::test]
async fn a_server_that_speaks_no_version_of_ours() {
    let address = server(&[&[0, 0, 0, 0]]);
    let (message, hint) = error(&format!("bolt://{address}")).await;
    assert!(message.ends_with("the server is too old, or no Neo4j"), "{message}");
    assert_eq!(hint, "Graphwright needs Neo4j 5.13 or newer");
}

#[tokio::test]
async fn a_server_that_is_too_old() {
    // Bolt 4.4, then SUCCESS {server: "Neo4j/4.4.11", connection_id: "c"} to what comes.
    const SUCCESS: &[u8] = b"\x00\x27\xB1\x70\xA2\x86server\x8CNeo4j/4.4.11\x8Dconnection_id\x81c\x00\x00";
    let address = server(&[&[0, 0, 4, 4], SUCCESS, SUCCESS, SUCCESS]);
    let (message, hint) = error(&format!("bolt://{address}")).await;
    assert!(message.ends_with("the server is too old (Neo4j/4.4.11)"), "{message}");
    assert_eq!(hint, "Graphwright needs Neo4j 5.13 or newer");
}

#[tokio::test]
async fn an_encrypted_address_of_a_server_that_does_not_encrypt() {
    let address = server(&[&[0, 0, 0, 0]]);
    for scheme in ["bolt+s", "bolt+ssc"] {
        let (message, hint) = error(&format!("{scheme}://{address}")).await;
        assert!(message.contains("an encrypted connection could not be made"), "{message}");
        assert!(hint.contains("leave +s and +ssc out"), "{hint}");
    }
}

#[tokio::test]
async fn a_plain_address_of_a_server_that_only_encrypts() {
    let address = server(&[]);
    let (message, hint) = error(&format!("bolt://{address}")).await;
    assert!(message.ends_with("the server closed the connection at once"), "{message}");
    assert!(hint.contains("use bolt+s://"), "{hint}");
}

#[tokio::test]
async fn a_server_that_stays_silent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let started = std::time::Instant::now();
    let (message, _) = error(&format!("bolt://{}", listener.local_addr().unwrap())).await;
    assert!(message.ends_with("the server does not answer"), "{message}");
    assert!(started.elapsed() < Duration::from_secs(10));
}
