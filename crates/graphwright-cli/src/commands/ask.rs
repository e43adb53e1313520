//! `graphwright ask`

use std::{fmt::Write, process::ExitCode};

use anyhow::Result;
use graphwright::{Access, Answer, AnswerPath, AnswerStatus, AskOptions, Event};

use super::{batch, open};
use crate::{
    arguments::{AskArguments, Global},
    output::Output,
    render,
};

/// Passages shown to people; `--json` has all.
const SHOWN_PASSAGES: usize = 5;
/// Paths shown to people; `--json` has all.
const SHOWN_PATHS: usize = 10;

pub(crate) async fn run(global: &Global, arguments: &AskArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let options = AskOptions {
        reading: arguments.reading,
        all_readings: arguments.all_readings,
        without_model: arguments.no_model,
    };
    let tell = |event: Event| {
        // The answer itself is the last line, from below.
        if arguments.events && !matches!(event, Event::Done { .. }) {
            let _ = output.line(&event);
        }
    };
    if arguments.batch {
        return batch::run(output, |item| {
            let (graph, options, tell) = (&graph, &options, &tell);
            async move { Ok(graph.ask_with_events(&item.question, options, tell).await?) }
        })
        .await;
    }
    let answer = graph.ask_with_events(&arguments.question.join(" "), &options, &tell).await?;
    if arguments.events {
        output.line(&Event::Done { answer: Box::new(answer) })?;
    } else {
        output.print(&answer, answer_text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The answer for people: the text, the paths that prove it, the passages that state it.
pub(crate) fn answer_text(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.answer.trim_end());
    if answer.status == AnswerStatus::Ambiguous {
        for reading in &answer.readings {
            let names: Vec<_> = reading.entities.iter().map(|entity| entity.name.as_str()).collect();
            let _ = writeln!(
                text,
                "  {}. {}: {}",
                reading.number,
                reading.meaning,
                render::shorten(&names.join(", "), 80)
            );
        }
    }
    if !answer.paths.is_empty() {
        text.push_str("\nPaths\n");
        for path in answer.paths.iter().take(SHOWN_PATHS) {
            let _ = writeln!(text, "  {}", path_text(path));
        }
        more(&mut text, answer.paths.len(), SHOWN_PATHS);
    }
    if !answer.passages.is_empty() {
        text.push_str("\nPassages\n");
        for passage in answer.passages.iter().take(SHOWN_PASSAGES) {
            let place = format!("{}:{}-{}", passage.document, passage.start, passage.end);
            let _ = writeln!(text, "  {place}  {}", render::shorten(&passage.text, 160));
        }
        more(&mut text, answer.passages.len(), SHOWN_PASSAGES);
    }
    text
}

fn more(text: &mut String, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(text, "  and {} more (--json shows all)", all - shown);
    }
}

/// `order-service -[DEPENDS_ON]-> auth-lib-v2 <-[DEPRECATES]- DEP-014`.
pub(crate) fn path_text(path: &AnswerPath) -> String {
    let mut text = path.nodes.first().map_or_else(String::new, |node| node.name.clone());
    for (relationship, pair) in path.relationships.iter().zip(path.nodes.windows(2)) {
        let [here, next] = pair else { continue };
        let forward = relationship.from == here.id;
        let (left, right) = if forward { ("-", "->") } else { ("<-", "-") };
        let _ = write!(text, " {left}[{}]{right} {}", relationship.kind, next.name);
    }
    text
}
