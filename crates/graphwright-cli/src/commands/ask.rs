//! Runs `graphwright ask`.

use std::{fmt::Write, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Result;
use graphwright::{
    Access, Answer, AnswerStatus, AskOptions, Event, FlowLimits, FlowName, FlowOptions, Graph, ToolContext,
    search::Passage,
};

use super::{
    agent::{NO_MODEL, agent_options},
    batch,
    context::options as evidence_options,
    open,
};
use crate::{
    arguments::{AskArguments, Global},
    failure::UsageError,
    hints,
    output::Output,
    render,
};

/// Number of passages shown to people; `--json` has all.
const SHOWN_PASSAGES: usize = 5;
/// Number of paths shown to people; `--json` has all.
const SHOWN_PATHS: usize = 10;

pub(crate) async fn run(global: &Global, arguments: &AskArguments, output: &Output) -> Result<ExitCode> {
    let is_of_nobody = match arguments.flow {
        Some(_) => arguments.limits.is_for_agents_alone(),
        None => arguments.limits.is_given() && !arguments.agent,
    };
    if is_of_nobody {
        let message = "options of an agent are given, and no agent is asked";
        return Err(UsageError::new(message, "add --agent, or leave them out").into());
    }
    let graph = open(global, Access::Read).await?;
    let graph = Arc::new(if arguments.limits.no_routes { graph.without_routes() } else { graph });
    if (arguments.agent || arguments.flow.is_some()) && graph.model().is_none() {
        output.note(NO_MODEL);
    }
    let mut options = AskOptions::default();
    options.reading = arguments.reading;
    options.all_readings = arguments.all_readings;
    options.without_model = arguments.no_model;
    options.without_learned = arguments.no_learned;
    options.strict = arguments.strict;
    options.hops = arguments.hops.map(usize::from);
    options.evidence = evidence_options(graph.settings().evidence.clone(), &arguments.evidence);
    let asking = Asking { graph, options, arguments, output };
    if arguments.batch {
        return batch::run(output, |item| {
            let asking = &asking;
            Box::pin(async move { asking.ask(&item.question).await })
        })
        .await;
    }
    let answer = asking.ask(&arguments.question.join(" ")).await?;
    if arguments.events {
        output.line(&Event::Done { answer: Box::new(answer) })?;
    } else {
        output.print(&answer, answer_text)?;
        let is_said =
            |step: &str| answer.answer.contains(step) || answer.notes.iter().any(|note| note == step);
        for step in answer.steps.iter().filter(|step| !is_said(step)) {
            output.note(step);
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Asking<'a> {
    graph: Arc<Graph>,
    options: AskOptions,
    arguments: &'a AskArguments,
    output: &'a Output,
}

impl Asking<'_> {
    async fn ask(&self, question: &str) -> Result<Answer> {
        let (output, events) = (self.output.clone(), self.arguments.events);
        let tell = move |event: Event| {
            // The caller prints the answer itself, as the last line.
            if events && !matches!(event, Event::Done { .. }) {
                let _ = output.line(&event);
            }
        };
        if let Some(flow) = self.arguments.flow.filter(|_| self.graph.model().is_some()) {
            return Ok(self.graph.ask_flow(question, &self.flow_options(flow), tell).await?);
        }
        if !self.arguments.agent || self.graph.model().is_none() {
            return Ok(self.graph.ask(question).with(self.options.clone()).events(tell).await?);
        }
        let agent = self.graph.agent(&agent_options(&self.arguments.limits)).await?;
        let agent = if self.arguments.strict { agent.strict() } else { agent };
        let context = ToolContext::new("ask").with_events(tell);
        Ok(self.graph.ask_agent(&agent, question, &context).await?)
    }

    fn flow_options(&self, flow: FlowName) -> FlowOptions {
        let usual = FlowLimits::default();
        let time = self.arguments.limits.max_seconds.map_or(usual.time, Duration::from_secs);
        let options = FlowOptions::new(flow).limits(FlowLimits { time, ..usual });
        let options = options.left_out(&self.arguments.leave_out);
        let options = if self.arguments.no_examples { options.without_examples() } else { options };
        if self.arguments.strict { options.strict() } else { options }
    }
}

/// Formats an answer for people: the text, the paths that prove it, and the passages that state it.
pub(crate) fn answer_text(answer: &Answer) -> String {
    let mut text = if answer.status == AnswerStatus::Quoted {
        quoted(answer)
    } else {
        format!("{}\n", hints::answer(answer).trim_end())
    };
    if answer.status == AnswerStatus::Ambiguous {
        for reading in &answer.readings {
            let names: Vec<_> = reading.entities.iter().map(|entity| entity.name.as_str()).collect();
            let names = render::shorten(&names.join(", "), 80);
            text.push_str(&render::line(&format!("  {}. {}: {names}", reading.number, reading.meaning)));
        }
    }
    if answer.status != AnswerStatus::Talk && !answer.suggestions.is_empty() {
        text.push_str("\nThis graph answers, for example\n");
    }
    for question in &answer.suggestions {
        text.push_str(&render::line(&format!("  {question}")));
    }
    if !answer.paths.is_empty() {
        text.push_str("\nPaths\n");
        for path in answer.paths.iter().take(SHOWN_PATHS) {
            text.push_str(&render::line(&format!("  {}", render::path_text(path))));
        }
        more(&mut text, answer.paths.len(), SHOWN_PATHS);
    }
    if !answer.passages.is_empty() {
        text.push_str("\nPassages\n");
        for passage in answer.passages.iter().take(SHOWN_PASSAGES) {
            let place = place(passage);
            let part = render::excerpt(&passage.text, &answer.question);
            text.push_str(&render::line(&format!("  {place}  {part}")));
        }
        more(&mut text, answer.passages.len(), SHOWN_PASSAGES);
    }
    text
}

/// Formats what the documents say, and what the graph says of it.
fn quoted(answer: &Answer) -> String {
    let mut text = String::new();
    for quote in &answer.quotes {
        let said = render::shorten(&quote.text, usize::MAX);
        text.push_str(&render::line(&format!("“{said}”")));
        text.push_str(&render::line(&format!("  {}", place(quote))));
    }
    text.push('\n');
    for note in &answer.notes {
        text.push_str(&render::line(note));
    }
    text
}

fn place(passage: &Passage) -> String {
    match passage.page {
        // What is offset in a text that was drawn on pages tells people nothing.
        Some(page) => format!("{}, page {page}", passage.document),
        None => format!("{}:{}-{}", passage.document, passage.start, passage.end),
    }
}

fn more(text: &mut String, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(text, "  and {} more (--json shows all)", all - shown);
    }
}
