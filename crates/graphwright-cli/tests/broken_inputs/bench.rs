//! Gives each test a folder of its own, and captures what a person sees there.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use assert_cmd::Command;

/// The document in a graph that a test tries to harm.
const NOTE: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`.\n";
const ONTOLOGY: &str = "\
nodes:
  Service: {}
  Library: {}
relationships:
  DEPENDS_ON: {from: [Service], to: [Library]}
";

/// A folder in which the command runs.
pub(crate) struct Bench(tempfile::TempDir);

impl Bench {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// Creates a folder with a graph of one document in the default place.
    pub(crate) fn with_graph() -> Self {
        let bench = Self::new();
        bench.write("note.md", NOTE);
        bench.write("ontology.yaml", ONTOLOGY);
        let output = bench.command().args(["ingest", "note.md", "--ontology", "ontology.yaml"]).output();
        assert!(output.expect("runs").status.success());
        bench
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().canonicalize().expect("the folder")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("writes");
    }

    /// Returns the command, to run here without the settings of the person who runs the tests.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_graphwright"));
        command.current_dir(self.0.path()).timeout(Duration::from_mins(2));
        command.env_clear().env("HOME", self.0.path());
        command
    }

    /// Returns what is printed, and the exit code.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.run_with(arguments, "")
    }

    /// Does what [`run`](Self::run) does, with `input` on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> String {
        self.show(self.command(), arguments, input)
    }

    /// Does what [`run_with`](Self::run_with) does, with a command that has more in its
    /// environment.
    pub(crate) fn show(&self, mut command: Command, arguments: &[&str], input: &str) -> String {
        let output = command.args(arguments).write_stdin(input).output().expect("runs");
        let shown = |bytes: &[u8]| self.without_place(&String::from_utf8_lossy(bytes));
        format!(
            "$ graphwright {}\n{}{}exit code {}\n",
            arguments.join(" "),
            shown(&output.stdout),
            shown(&output.stderr),
            output.status.code().expect("an exit code"),
        )
    }

    /// Replaces the path of the folder, which differs between runs.
    fn without_place(&self, text: &str) -> String {
        text.replace(&self.path().display().to_string(), "[FOLDER]")
    }

    /// Returns everything in the graph in the default place.
    pub(crate) fn graph(&self) -> String {
        let output = self.command().arg("export").output().expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        // The header names the export.
        text.split_once('\n').expect("a header").1.to_owned()
    }

    /// Runs all commands on a graph, and checks that none of them changes it.
    pub(crate) fn leaves_the_graph_alone(&self, commands: &[&[&str]]) -> String {
        let before = self.graph();
        assert!(before.contains("DEPENDS_ON"), "{before}");
        let shown: Vec<_> = commands.iter().map(|arguments| self.run(arguments)).collect();
        assert_eq!(self.graph(), before);
        shown.join("\n")
    }
}

/// Compares with a snapshot. Times are replaced, since they differ between runs.
macro_rules! assert_shown {
    ($shown:expr) => {
        insta::with_settings!({filters => vec![
            (r"\d+\.\d s\b", "[TIME] s"),
            (r#""elapsed_ms":[\d.e-]+"#, r#""elapsed_ms":0"#),
            (r", \d+ nodes and relationships a second", ""),
            (r"\b\d+ ms\b", "[TIME] ms"),
            (r"process \d+", "process [ID]"),
        ]}, { insta::assert_snapshot!($shown) });
    };
}
pub(crate) use assert_shown;

/// Creates a link, if the system has links.
#[cfg(unix)]
pub(crate) fn link(target: &str, link: &Path) {
    std::os::unix::fs::symlink(target, link).expect("a link");
}
