//! [`Program`].

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The argument that makes a program a worker.
pub const ARGUMENT: &str = "worker";

/// The program that is started as a worker: one that calls [`serve`](crate::serve) when its argument is [`ARGUMENT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Names the program.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns the path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        // Keys of providers and passwords stay here. A local date needs the time zone; Windows needs its own folder.
        let kept = ["TZ", "SystemRoot"].map(|name| (name, std::env::var_os(name)));
        command.arg(ARGUMENT).env_clear();
        command.envs(kept.into_iter().filter_map(|(name, value)| Some((name, value?))));
        // Ctrl-C at the terminal is for the parent, which then ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}
