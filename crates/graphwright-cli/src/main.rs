//! The `graphwright` command. Each command has a file in `commands/`.

mod arguments;
mod commands;
mod failure;
mod hints;
mod log;
mod output;
mod render;
mod settings;

use std::process::ExitCode;

use clap::{Parser, error::ErrorKind};

use crate::{arguments::Arguments, output::Output};

fn main() -> ExitCode {
    match graphwright::serve_worker() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return failure::usage(&clap::Error::raw(ErrorKind::Io, format!("{error}\n"))),
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error),
    };
    let output = Output::new(&arguments.global);
    failure::watch_for_defects();
    let _log = log::start(arguments.global.verbose);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failure::report(&error.into(), &output),
    };
    match runtime.block_on(commands::run(arguments, &output)) {
        Ok(code) => code,
        Err(error) => failure::report(&error, &output),
    }
}
