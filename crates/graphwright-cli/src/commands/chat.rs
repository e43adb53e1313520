//! Runs `graphwright chat`.

mod commands;
mod screen;

use std::{io::IsTerminal, process::ExitCode, sync::Arc};

use anyhow::{Context, Result};
use graphwright::{
    Access, AgentOptions, Answer, Error, Event, Graph, MemoryThreads, RouteVerdict, StoreError, ThreadStore,
    ToolContext, llm::Usage,
};

use self::{commands::Command, screen::Screen};
use super::{
    agent::{NO_MODEL, agent_options},
    ask::answer_text,
    lines::next_line,
    open, routes,
};
use crate::{
    arguments::{ChatArguments, Global},
    hints,
    output::Output,
};

const GREETING: &str = "Ask the graph; /help lists what else there is, Ctrl-D ends.";

pub(crate) async fn run(global: &Global, arguments: &ChatArguments, output: &Output) -> Result<ExitCode> {
    let mut chat = Chat::open(global, arguments, output).await?;
    if !chat.is_kept {
        return converse(&mut chat, arguments, output).await;
    }
    let graph = Arc::clone(&chat.graph);
    // A conversation that ends with an error has changed the store too, so its result is an inner
    // one.
    let conversation = Box::pin(async { Ok(converse(&mut chat, arguments, output).await) });
    graph.keep_search_index(conversation).await?
}

async fn converse(chat: &mut Chat<'_>, arguments: &ChatArguments, output: &Output) -> Result<ExitCode> {
    if arguments.resume {
        chat.resume().await?;
    }
    let is_person = std::io::stdin().is_terminal() && !output.json && !arguments.events;
    if is_person {
        output.note(GREETING);
    }
    let mut code = ExitCode::SUCCESS;
    loop {
        if is_person {
            output.piece("> ")?;
        }
        // Not kept locked: a question before a deletion reads from it too.
        let read = next_line(&mut std::io::stdin().lock());
        let Some(line) = read.context("cannot read standard input")? else { return Ok(code) };
        let line = String::from_utf8(line).context("cannot read standard input")?;
        match Command::from_line(line.trim()) {
            Command::Nothing => {}
            Command::Quit => return Ok(code),
            Command::Judge(verdict) => output.text(&chat.judge(verdict))?,
            Command::Show(what) => output.text(&chat.show(&what))?,
            Command::Ask(question) => {
                if !chat.answer(question).await? && !is_person {
                    code = ExitCode::FAILURE;
                }
            }
        }
    }
}

struct Chat<'a> {
    graph: Arc<Graph>,
    options: AgentOptions,
    thread: String,
    /// Whether the conversation is written to the store.
    is_kept: bool,
    output: &'a Output,
    screen: Arc<Screen>,
    last: Option<Answer>,
    usage: Usage,
}

impl<'a> Chat<'a> {
    async fn open(global: &Global, arguments: &ChatArguments, output: &'a Output) -> Result<Self> {
        let (graph, is_kept) = match &arguments.thread {
            Some(_) => open_to_keep(global, output).await?,
            None => (open(global, Access::Read).await?, false),
        };
        let graph = if arguments.agent.no_routes { graph.without_routes() } else { graph };
        let threads: Arc<dyn ThreadStore> = match &arguments.thread {
            Some(_) => Arc::new(graph.threads()),
            None => Arc::new(MemoryThreads::new()),
        };
        if graph.model().is_none() {
            output.note(NO_MODEL);
        }
        let options = agent_options(&arguments.agent).threads(threads);
        let screen = Arc::new(Screen::new(output.clone(), arguments.events));
        let thread = arguments.thread.clone().unwrap_or_else(|| "chat".to_owned());
        Ok(Self {
            graph: Arc::new(graph),
            options,
            thread,
            is_kept,
            output,
            screen,
            last: None,
            usage: Usage::default(),
        })
    }

    /// Answers a question, and reports an error so that the conversation can go on. Returns whether
    /// there is an answer.
    async fn answer(&mut self, question: &str) -> Result<bool> {
        self.screen.begin();
        let answer = match self.graph.model() {
            None => self.graph.ask(question).await,
            Some(_) => self.ask_agent(question).await,
        };
        match answer {
            Ok(answer) => self.tell(answer).map(|()| true),
            Err(error) => {
                crate::failure::report(&error.into(), self.output);
                Ok(false)
            }
        }
    }

    async fn ask_agent(&self, question: &str) -> Result<Answer, Error> {
        let agent = self.graph.agent(&self.options).await?;
        self.graph.ask_agent(&agent, question, &self.context()).await
    }

    async fn resume(&mut self) -> Result<()> {
        self.screen.begin();
        let agent = self.graph.agent(&self.options).await?;
        let answer = self.graph.resume_agent(&agent, &self.context()).await?;
        self.tell(answer)
    }

    fn context(&self) -> ToolContext {
        let screen = Arc::clone(&self.screen);
        ToolContext::new(self.thread.as_str()).with_events(move |event| screen.show(&event))
    }

    fn tell(&mut self, answer: Answer) -> Result<()> {
        self.usage += answer.usage;
        if self.screen.prints_events() {
            self.output.line(&Event::Done { answer: Box::new(answer.clone()) })?;
        } else if self.output.json {
            self.output.line(&answer)?;
        } else {
            self.output.text(&self.screen.rest(&answer_text(&answer), &hints::answer(&answer)))?;
        }
        self.last = Some(answer);
        Ok(())
    }

    /// Records a person's verdict on the last answer.
    fn judge(&self, verdict: RouteVerdict) -> String {
        let Some(answer) = &self.last else { return "There is no answer yet.".to_owned() };
        let Some(id) = &answer.route else {
            return "Nothing is recorded of the last answer, so the verdict is not kept.".to_owned();
        };
        let judged = self.graph.routes().and_then(|book| routes::judge(&book, id, verdict));
        match judged {
            Ok(_) => format!("Kept: the last answer is {} (run {id}).", verdict.as_str()),
            Err(error) => format!("The verdict is not kept: {error}."),
        }
    }

    fn show(&self, what: &commands::Show<'_>) -> String {
        match what {
            commands::Show::Help => commands::HELP.to_owned(),
            commands::Show::Trace => self.screen.trace(),
            commands::Show::Graph => commands::graph(self.last.as_ref()),
            commands::Show::Cost => commands::cost(&self.usage),
            commands::Show::Unknown(name) => format!("There is no {name}; /help lists what there is."),
        }
    }
}

/// Opens the graph for writing, which a kept conversation needs.
///
/// If another process is writing, tells the person and opens it for reading; the conversation is
/// not kept then.
async fn open_to_keep(global: &Global, output: &Output) -> Result<(Graph, bool)> {
    match open(global, Access::Write).await {
        Err(error) if is_locked(&error) => {
            output
                .note("Another process writes to the store, so this conversation can be read but not kept.");
            Ok((open(global, Access::Read).await?, false))
        }
        opened => Ok((opened?, true)),
    }
}

fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<Error>(), Some(Error::Store(StoreError::Locked { .. })))
}
