//! A writer, a second writer, and readers.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use graphwright_core::StoreError;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

use crate::batches;

/// A started process that answers each line with a line.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(role: &str, path: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([role, path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut process = Self { child, input, output };
        assert_eq!(process.hear(), "open");
        process
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
        self.hear()
    }

    fn end(mut self) {
        self.input.take();
        assert!(self.child.wait().unwrap().success());
    }
}

pub(crate) fn a_second_writer_is_told_who_writes() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let writer = Process::start("child-write", path);
    let runtime = Runtime::new().unwrap();
    let error = runtime.block_on(EmbeddedStore::open(path, OpenOptions::writer())).unwrap_err();
    let StoreError::Locked { holder, .. } = &error else { panic!("{error:?}") };
    assert!(holder.starts_with(&format!("process {} (processes-", writer.child.id())), "{holder}");
    assert!(holder.ends_with(" child-write)"), "{holder}");
    assert!(error.is_retryable());
    writer.end();
    runtime.block_on(EmbeddedStore::open(path, OpenOptions::writer())).unwrap();
    String::new()
}

pub(crate) fn readers_see_the_last_commit() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let runtime = Runtime::new().unwrap();
    let nothing = runtime.block_on(EmbeddedStore::open(path, OpenOptions::reader())).unwrap_err();
    assert!(nothing.hint().unwrap().contains("build one from documents"), "{nothing:?}");

    let mut writer = Process::start("child-write", path);
    let mut reader = Process::start("child-read", path);
    let own = runtime.block_on(EmbeddedStore::open(path, OpenOptions::reader())).unwrap();
    for number in 1..=12 {
        let checkpoint = if number % 4 == 0 { "checkpoint" } else { "" };
        assert_eq!(writer.ask(checkpoint), "done");
        assert_eq!(reader.ask(""), number.to_string());
        let found = runtime.block_on(batches::found(&own)).unwrap();
        assert_eq!(found.len(), number);
        assert!(found.values().all(|counts| *counts == batches::WHOLE));
    }
    writer.end();
    assert_eq!(reader.ask(""), "12");
    reader.end();
    String::new()
}
