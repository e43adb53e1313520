//! Runs a Neo4j server for tests: `cargo xtask neo4j start|stop|status`.
//!
//! Fetches Neo4j Community from Maven Central and starts it from its jars. Nothing is installed,
//! and nothing of it is shipped. One home is one server with one graph, since Community has one
//! database.

mod home;
mod java;
mod server;

use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use clap::{Args, Subcommand};
use serde_json::json;

use home::Home;

/// What to do with the server.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Starts the server, unless it runs, and waits until it answers
    Start(StartOptions),
    /// Stops the server, if it runs
    Stop(HomeOptions),
    /// Lets the server stand still, as if the machine hung
    Pause(HomeOptions),
    /// Lets a paused server go on
    Resume(HomeOptions),
    /// Ends the server at once, as a loss of power would
    Kill(HomeOptions),
    /// Says whether the server runs, and how to reach it
    Status(StatusOptions),
}

#[derive(Debug, Args)]
pub(crate) struct HomeOptions {
    /// The server's folder; `neo4j` in cargo's target folder when none is named
    #[arg(long)]
    home: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct StartOptions {
    #[command(flatten)]
    home: HomeOptions,
    /// The version to run; a home keeps the one that it was made with
    #[arg(long)]
    version: Option<String>,
    /// The port of Bolt; a free one when none is named
    #[arg(long)]
    port: Option<u16>,
    /// A dump (`neo4j.dump`) that a new home begins with
    #[arg(long)]
    load: Option<PathBuf>,
    /// The password of a new home, for several servers that are used together; a random one when none is named
    #[arg(long)]
    password: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StatusOptions {
    #[command(flatten)]
    home: HomeOptions,
    /// Prints one object, with the password
    #[arg(long, conflicts_with = "shell")]
    json: bool,
    /// Prints lines that a shell evaluates: `eval "$(cargo xtask neo4j status --shell)"`
    #[arg(long)]
    shell: bool,
}

/// Version that is started by default: the last long-term line of Neo4j 5.
const DEFAULT_VERSION: &str = "5.26.12";

pub(crate) fn run(action: &Action) -> Result<()> {
    match action {
        Action::Start(options) => start(options),
        Action::Stop(options) => {
            let home = open(options)?;
            let stopped = server::stop(&home)?;
            println!("{}", if stopped { "stopped" } else { "it was not running" });
            Ok(())
        }
        Action::Pause(options) => server::signal(&open(options)?, "-STOP"),
        Action::Resume(options) => server::signal(&open(options)?, "-CONT"),
        Action::Kill(options) => server::kill(&open(options)?),
        Action::Status(options) => status(options),
    }
}

fn start(options: &StartOptions) -> Result<()> {
    let home = open(&options.home)?;
    if let Some(running) = server::running(&home)? {
        running.require(options.version.as_deref(), options.port)?;
        println!("runs at {}", running.address());
        return Ok(());
    }
    let version = home.version(options.version.as_deref(), DEFAULT_VERSION)?;
    let java = java::find(java::least_version(&version))?;
    let jars = java::fetch_jars(&java, &version, &target_folder()?)?;
    let state = home.prepare(&java, &jars, &version, options)?;
    server::start(&home, &java, &jars, state)?;
    println!("runs at {}", home.state()?.context("the server's state was not written")?.address());
    Ok(())
}

fn status(options: &StatusOptions) -> Result<()> {
    let home = open(&options.home)?;
    let running = server::running(&home)?;
    let state = home.state()?;
    if options.json {
        let object = json!({
            "running": running.is_some(),
            "home": home.folder(),
            "version": state.as_ref().map(|state| &state.version),
            "address": running.as_ref().map(home::State::address),
            "username": home::USER,
            "password": state.as_ref().map(|state| &state.password),
            "database": home::DATABASE,
            "pid": running.as_ref().and_then(|state| state.pid),
        });
        println!("{object}");
        return Ok(());
    }
    match (running, options.shell) {
        (Some(state), true) => {
            println!("export NEO4J_URI={}", state.address());
            println!("export NEO4J_USERNAME={} NEO4J_PASSWORD={}", home::USER, state.password);
            // Tests pause and kill the server with these.
            println!("export GRAPHWRIGHT_NEO4J_HOME={}", home.folder().display());
            println!("export GRAPHWRIGHT_XTASK={}", std::env::current_exe()?.display());
        }
        (None, true) => anyhow::bail!("no server runs in {}", home.folder().display()),
        (Some(state), false) => println!("Neo4j {} runs at {}", state.version, state.address()),
        (None, false) => println!("not running"),
    }
    Ok(())
}

fn open(options: &HomeOptions) -> Result<Home> {
    let folder = match &options.home {
        Some(folder) => std::path::absolute(folder)?,
        None => target_folder()?.join("neo4j"),
    };
    Ok(Home::new(folder))
}

fn target_folder() -> Result<PathBuf> {
    let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
    Ok(metadata.target_directory.into_std_path_buf())
}
