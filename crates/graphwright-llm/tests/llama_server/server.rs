//! Starts `tools/llama-server`.

#![allow(clippy::expect_used, clippy::unwrap_used, unreachable_pub, reason = "this is for tests")]

use std::{
    env,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// A running server. It ends when dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// The address of its API.
    pub address: String,
}

impl Server {
    /// Starts the server. Takes about a second.
    pub fn start() -> Self {
        let python = env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/llama-server/serve.py");
        let mut process = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python starts");
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(!address.is_empty(), "the server starts; pip install -r tools/llama-server/requirements.txt");
        Self { process, address: address.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
