//! Runs `graphwright routes`.

use std::{io::IsTerminal, process::ExitCode};

use anyhow::Result;
use graphwright::{Error, Route, RouteBook, RouteOutcome, RoutePattern, RouteVerdict, Routes};
use serde_json::json;

use super::{confirmation::confirm, lines::write_lines};
use crate::{
    arguments::{DeleteArguments, Global, ListArguments, RoutesArguments, RoutesCommand},
    output::Output,
    render::{self, count},
    settings,
};

pub(crate) async fn run(global: &Global, arguments: RoutesArguments, output: &Output) -> Result<ExitCode> {
    let settings = settings::read(global)?;
    let book = settings.route_book()?;
    let none = format!(
        "No run of an agent is recorded for {} yet; `graphwright ask --agent` and `graphwright chat` record them.",
        settings.store
    );
    match arguments.command {
        None => patterns(&read(&book, output)?, arguments.kind.as_deref(), &none, output)?,
        Some(RoutesCommand::List(arguments)) => list(&read(&book, output)?, &arguments, &none, output)?,
        Some(RoutesCommand::Show { id }) => {
            let routes = read(&book, output)?;
            output.print(routes.find(&id).map_err(Error::from)?, render::route_text)?;
        }
        Some(RoutesCommand::Verdict { id, verdict }) => {
            let route = judge(&book, &id, verdict.into())?;
            output.print(&route, |route| {
                let verdict = route.verdict.map_or("", RouteVerdict::as_str);
                format!("The answer to {:?} is {verdict}.", route.question)
            })?;
        }
        Some(RoutesCommand::Export { file }) => {
            write_lines(&read(&book, output)?.routes, file.as_deref(), "run", output)?;
        }
        Some(RoutesCommand::Delete(arguments)) => delete(&book, &arguments, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Records a person's verdict on an answer.
pub(super) fn judge(book: &RouteBook, id: &str, verdict: RouteVerdict) -> Result<Route, Error> {
    Ok(book.judge(id, verdict)?)
}

fn read(book: &RouteBook, output: &Output) -> Result<Routes> {
    let routes = book.read().map_err(Error::from)?;
    if routes.unreadable > 0 {
        let lines = count(routes.unreadable, "line");
        output.note(&format!(
            "{lines} of {} cannot be read, as after a kill; left out.",
            book.file().display()
        ));
    }
    Ok(routes)
}

fn patterns(routes: &Routes, kind: Option<&str>, none: &str, output: &Output) -> Result<()> {
    let patterns = RoutePattern::from_routes(routes.routes.iter().filter(|route| is_of_kind(route, kind)));
    let object = json!({"patterns": patterns, "runs": routes.routes.len(), "unreadable": routes.unreadable});
    output.print(&object, |_| match (routes.routes.len(), patterns.is_empty()) {
        (0, _) => none.to_owned(),
        (all, true) => format!("None of {} is of this kind.", count(all, "run")),
        _ => render::patterns_text(&patterns),
    })
}

fn list(routes: &Routes, arguments: &ListArguments, none: &str, output: &Output) -> Result<()> {
    let outcome = arguments.outcome.map(RouteOutcome::from);
    let wanted = routes.routes.iter().rev().filter(|route| {
        is_of_kind(route, arguments.kind.as_deref()) && outcome.is_none_or(|outcome| route.outcome == outcome)
    });
    let found: Vec<&Route> = wanted.take(arguments.limit).collect();
    let object = json!({"routes": found, "unreadable": routes.unreadable});
    output.print(&object, |_| match (routes.routes.len(), found.is_empty()) {
        (0, _) => none.to_owned(),
        (all, true) => format!("None of {} is like this.", count(all, "run")),
        _ => render::routes_text(&found),
    })
}

fn is_of_kind(route: &Route, words: Option<&str>) -> bool {
    words.is_none_or(|words| route.kind.to_lowercase().contains(&words.trim().to_lowercase()))
}

async fn delete(book: &RouteBook, arguments: &DeleteArguments, output: &Output) -> Result<()> {
    let routes = read(book, output)?;
    let one = arguments.id.as_ref().map(|id| routes.find(id).map(|route| route.id.clone()));
    let one = one.transpose().map_err(Error::from)?;
    let is_meant = |route: &Route| match (&one, arguments.before) {
        (Some(id), _) => route.id == *id,
        (None, Some(moment)) => route.at < moment,
        (None, None) => arguments.all,
    };
    let meant = routes.routes.iter().filter(|route| is_meant(route)).count();
    if meant > 0 && !arguments.yes && std::io::stdin().is_terminal() {
        let question = format!("This deletes {} of {}. Do it?", count(meant, "run"), routes.routes.len());
        if !confirm(question).await {
            return Err(Error::NotApproved.into());
        }
    }
    let deleted = book.delete(is_meant).map_err(Error::from)?;
    output.print(&json!({"deleted": deleted}), |_| format!("{} deleted", count(deleted, "run")))
}
