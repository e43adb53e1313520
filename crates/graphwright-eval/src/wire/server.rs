//! A local server that gives each caller the answer that waits under its path.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::{Error, Result};

/// The bytes that are sent at once. A prime, so that pieces end within lines and characters.
const PIECE: usize = 211;

/// An answer as it goes over the wire.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

type Answers = Arc<Mutex<HashMap<usize, Answer>>>;

#[derive(Debug)]
pub(super) struct Server {
    address: String,
    answers: Answers,
    next: AtomicUsize,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(Error::no_server)?;
        let address = format!("http://{}", listener.local_addr().map_err(Error::no_server)?);
        let answers = Answers::default();
        let task = tokio::spawn(serve(listener, Arc::clone(&answers)));
        Ok(Self { address, answers, next: AtomicUsize::new(0), task })
    }

    /// Keeps an answer, and returns the address under which every request gets it.
    pub(super) fn keep(&self, answer: Answer) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(number, answer);
        format!("{}/{number}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, answers: Answers) {
    while let Ok((connection, _)) = listener.accept().await {
        let answers = Arc::clone(&answers);
        tokio::spawn(async move {
            // A caller that hangs up early has seen enough.
            let _ = answer(connection, &answers).await;
        });
    }
}

/// Reads one request, and answers it in pieces.
async fn answer(connection: TcpStream, answers: &Answers) -> io::Result<()> {
    let mut connection = BufReader::new(connection);
    let mut line = String::new();
    connection.read_line(&mut line).await?;
    let number = line.split('/').nth(1).and_then(|number| number.parse().ok());
    let mut length = 0;
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut sent = vec![0; length];
    connection.read_exact(&mut sent).await?;
    let kept = number
        .and_then(|number| answers.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned());
    let Some(Answer { status, headers, body }) = kept else {
        return connection.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").await;
    };
    let mut head =
        format!("HTTP/1.1 {status} Recorded\r\ntransfer-encoding: chunked\r\nconnection: close\r\n");
    for (name, value) in headers {
        if !["content-length", "transfer-encoding", "connection", "content-encoding"]
            .contains(&name.to_ascii_lowercase().as_str())
        {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    connection.write_all(format!("{head}\r\n").as_bytes()).await?;
    for piece in body.chunks(PIECE) {
        connection.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
        connection.write_all(piece).await?;
        connection.write_all(b"\r\n").await?;
    }
    connection.write_all(b"0\r\n\r\n").await?;
    connection.flush().await
}
