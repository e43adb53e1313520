//! The address that data is sent to: a server on this machine that records its requests.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

pub(crate) struct Listener {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming() {
                // A client that goes away in between is none of our business.
                let _ = stream.and_then(|stream| answer(stream, &heard));
            }
        });
        Self { address, requests }
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn forget(&self) {
        self.requests.lock().unwrap().clear();
    }

    /// Returns the paths that were asked for.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, heard: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let reply = if path == "/redirect" {
        "HTTP/1.1 302 Found\r\nLocation: /inside\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    } else {
        "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\na,b\n1,2\n"
    };
    heard.lock().unwrap().push(path);
    stream.write_all(reply.as_bytes())
}
