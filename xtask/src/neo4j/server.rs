//! Starts, stops and observes the server's process.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    home::{Home, State},
    java::{Java, last_lines},
};

/// Options that Neo4j's own scripts pass to Java.
pub(super) const OPTIONS: [&str; 8] = [
    "-Xmx512m",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
];

/// A program that starts the server. The class with `main` differs between versions; the classes
/// that it calls do not.
const LAUNCHER: &str = "\
import org.neo4j.server.CommunityBootstrapper;
import org.neo4j.server.NeoBootstrapper;

class Launcher {
    public static void main(String[] arguments) {
        int status = NeoBootstrapper.start(new CommunityBootstrapper(), arguments);
        if (status != 0) System.exit(status);
    }
}
";

/// Maximum time for the server to answer, or to end.
const PATIENCE: Duration = Duration::from_mins(2);

/// Returns the state of a home if its server runs.
pub(super) fn running(home: &Home) -> Result<Option<State>> {
    let Some(state) = home.state()?.filter(|state| state.pid.is_some_and(|pid| is_ours(home, pid))) else {
        return Ok(None);
    };
    if !answers(state.port) {
        bail!(
            "the server in {} runs but does not answer\nhint: stop it (cargo xtask neo4j stop) and start it again",
            home.folder().display()
        );
    }
    Ok(Some(state))
}

/// Starts the server and waits until Bolt answers.
pub(super) fn start(home: &Home, java: &Java, jars: &Path, mut state: State) -> Result<()> {
    let launcher = home.folder().join("Launcher.java");
    fs::write(&launcher, LAUNCHER)?;
    let log = File::create(home.log())?;
    let mut process = java
        .command()
        .args(OPTIONS)
        .arg("-cp")
        .arg(jars.join("*"))
        .arg(launcher)
        .arg(format!("--home-dir={}", home.folder().display()))
        .arg(format!("--config-dir={}", home.folder().join("conf").display()))
        .env("NEO4J_HOME", home.folder())
        .env("NEO4J_CONF", home.folder().join("conf"))
        .stdout(log.try_clone()?)
        .stderr(log)
        .stdin(Stdio::null())
        // A Ctrl-C in the terminal must not reach the server.
        .process_group(0)
        .spawn()
        .context("cannot start java")?;
    state.pid = Some(process.id());
    home.keep(&state)?;
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if answers(state.port) {
            return Ok(());
        }
        if let Some(status) = process.try_wait()? {
            bail!("the server ended ({status}) before it answered:\n{}", end_of_log(home));
        }
        sleep(Duration::from_millis(100));
    }
    process.kill()?;
    bail!("the server did not answer within {} s:\n{}", PATIENCE.as_secs(), end_of_log(home))
}

/// Ends the server. Returns whether there was one.
pub(super) fn stop(home: &Home) -> Result<bool> {
    let Some(pid) = process(home)? else { return Ok(false) };
    // A paused server handles the signal only once it continues.
    send(pid, "-TERM")?;
    send(pid, "-CONT")?;
    wait_for_end(home, pid)?;
    Ok(true)
}

/// Ends the server without letting it finish anything.
pub(super) fn kill(home: &Home) -> Result<()> {
    let Some(pid) = process(home)? else { bail!("no server runs in {}", home.folder().display()) };
    send(pid, "-KILL")?;
    wait_for_end(home, pid)
}

/// Sends a signal to the server.
pub(super) fn signal(home: &Home, signal: &str) -> Result<()> {
    match process(home)? {
        Some(pid) => send(pid, signal),
        None => bail!("no server runs in {}", home.folder().display()),
    }
}

/// Returns the server's process, if it runs.
fn process(home: &Home) -> Result<Option<u32>> {
    Ok(home.state()?.and_then(|state| state.pid).filter(|pid| is_ours(home, *pid)))
}

fn send(pid: u32, signal: &str) -> Result<()> {
    let status = Command::new("kill").args([signal, &pid.to_string()]).status().context("cannot run kill")?;
    ensure!(status.success(), "process {pid} takes no signal");
    Ok(())
}

fn wait_for_end(home: &Home, pid: u32) -> Result<()> {
    let started = Instant::now();
    while is_ours(home, pid) {
        ensure!(
            started.elapsed() < PATIENCE,
            "process {pid} does not end\nhint: end it with `cargo xtask neo4j kill`"
        );
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Returns what the logs say about the server's last end. It prints little; the reason is in a log
/// of its own.
fn end_of_log(home: &Home) -> String {
    let logs = [home.log(), home.folder().join("logs/neo4j.log")];
    let text: String = logs.iter().map(|log| fs::read_to_string(log).unwrap_or_default()).collect();
    let [printed, log] = logs.map(|log| log.display().to_string());
    format!("{}\nthe logs are {printed} and {log}", reason_in(&text))
}

/// Returns the errors since the last start with their causes, or the last lines if there are none.
fn reason_in(log: &str) -> String {
    let last = log.rsplit("Starting...").next().unwrap_or_default();
    let tells = |line: &&str| line.contains(" ERROR ") || line.starts_with("Caused by: ");
    let reasons: Vec<_> = last.lines().filter(tells).collect();
    if reasons.is_empty() { last_lines(log, 20) } else { last_lines(&reasons.join("\n"), 8) }
}

/// Returns whether a process is the server of this home, and not another one that got its number.
fn is_ours(home: &Home, pid: u32) -> bool {
    let output = Command::new("ps").args(["-ww", "-o", "args=", "-p", &pid.to_string()]).output();
    let home = format!("--home-dir={} ", home.folder().display());
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&home))
}

/// Returns whether a Bolt server answers at `port`.
///
/// The handshake sends the magic bytes and four proposals; the server answers with the version that
/// it accepts.
fn answers(port: u16) -> bool {
    const HELLO: [u8; 20] = [0x60, 0x60, 0xB0, 0x17, 0, 8, 8, 5, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0];
    let shake = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), Duration::from_secs(2))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(&HELLO)?;
        let mut version = [0; 4];
        stream.read_exact(&mut version)?;
        Ok(version != [0; 4])
    };
    shake().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_the_last_start_is_found() {
        let log = "10:00 INFO  Starting...\n10:01 ERROR Old.\n10:02 INFO  Starting...\n10:03 INFO  This instance is x\n\
                   10:04 ERROR Failed to start.\njava.lang.RuntimeException: Error\n\tat Some.class\n\
                   Caused by: java.io.IOException: the disk is full\n10:05 INFO  Stopped.\n";
        assert_eq!(
            reason_in(log),
            "10:04 ERROR Failed to start.\nCaused by: java.io.IOException: the disk is full"
        );
        assert_eq!(reason_in("Unrecognized option: -Xx\n"), "Unrecognized option: -Xx");
        assert_eq!(reason_in(""), "");
    }
}
