//! Making the tool calls of one reply.

use std::{sync::Arc, time::Instant};

use futures::{StreamExt, stream};
use graphwright_answer::Event;
use graphwright_llm::{Content, Message, Role, ToolCall};
use tracing::Instrument;

use super::{
    Step, Verdict,
    run::CallRecord,
    session::{Session, identity},
    trace::CallTrace,
};
use crate::{ToolError, ToolHints, ToolOutput};

/// A call, with an error in place of `()` if it must not be made.
type Planned = (ToolCall, Result<(), ToolError>);

impl Session<'_> {
    /// Makes the calls concurrently and returns the message with their results.
    pub(super) async fn make_calls(&mut self, calls: Vec<ToolCall>) -> Message {
        let mut planned = Vec::with_capacity(calls.len());
        for call in calls {
            // One after the other: a person is asked about one call at a time.
            let may = self.admit(&call).await;
            planned.push((call, may));
        }
        self.run_planned(planned).await
    }

    /// Repeats calls whose results were lost, if their tools only read or are idempotent.
    pub(super) async fn call_again(&mut self, calls: Vec<ToolCall>) {
        let mut planned = Vec::with_capacity(calls.len());
        for call in calls {
            let hints = self.hints(&call);
            let may = if hints.read_only || hints.idempotent {
                self.admit(&call).await
            } else {
                Err(ToolError::new("interrupted; whether it took effect is not known")
                    .with_hint("look whether it did before you call it again"))
            };
            planned.push((call, may));
        }
        let results = self.run_planned(planned).await;
        self.keep(results).await;
    }

    fn hints(&self, call: &ToolCall) -> ToolHints {
        self.agent.tools.get(&call.name).map(|tool| tool.hints()).unwrap_or_default()
    }

    /// Checks that a call may be made: that it is not repeated too often, and that it is approved
    /// if it has to be.
    async fn admit(&mut self, call: &ToolCall) -> Result<(), ToolError> {
        let made = self.made.entry(identity(call)).or_default();
        *made += 1;
        if *made > self.agent.limits.same_calls {
            let message = format!("this call was made {} times with the same arguments", *made - 1);
            return Err(ToolError::new(message).with_hint(
                "use its result, which you have, or do something else; the next such call ends the work",
            ));
        }
        if !self.hints(call).needs_approval {
            return Ok(());
        }
        let verdict = match &self.agent.approval {
            Some(approval) => approval.approve(call).await,
            None => Verdict::Refused { reason: Some("nobody is there to approve it".to_owned()) },
        };
        match verdict {
            Verdict::Approved => Ok(()),
            Verdict::Refused { reason } => {
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Err(ToolError::new(format!("this call was not approved{reason}"))
                    .with_hint("do without it, or say what you wanted to do"))
            }
        }
    }

    /// Runs the calls that may be made, and records all of them as a step.
    async fn run_planned(&mut self, planned: Vec<Planned>) -> Message {
        let at_once = self.agent.limits.calls_at_once.max(1);
        let runs = planned.into_iter().map(|(call, may)| self.start(call, may));
        // `buffered` keeps the order of the calls, on which the numbers of results rest.
        let records: Vec<CallRecord> =
            stream::iter(runs.collect::<Vec<_>>()).buffered(at_once).collect().await;
        let first = self.earlier.len() + self.steps.iter().map(|step| step.calls.len()).sum::<usize>() + 1;
        let numbers = self.agent.numbers_results;
        let content = (first..).zip(&records).map(|(number, record)| {
            let content = if numbers { format!("[{number}] {}", record.text) } else { record.text.clone() };
            Content::ToolResult { id: record.call.id.clone(), content }
        });
        let message = Message { role: Role::Tool, content: content.collect() };
        self.steps.push(Step { calls: records });
        message
    }

    /// Makes one call within the limits of the agent.
    fn start(&self, call: ToolCall, may: Result<(), ToolError>) -> impl Future<Output = CallRecord> + use<> {
        let tools = Arc::clone(&self.agent.tools);
        let context = self.context.clone();
        let limits = self.agent.limits;
        let trace = CallTrace::begin(&call, self.agent.traces_content);
        async move {
            let started = Instant::now();
            let ToolCall { id, name, arguments } = call.clone();
            context.emit(Event::ToolCall {
                id: id.clone(),
                name: name.clone(),
                arguments: arguments.clone(),
            });
            let outcome = if let Err(error) = may {
                Err(error)
            } else {
                let work = tools.call_within(limits.tool_time, &name, arguments, &context);
                work.instrument(trace.span().clone()).await
            };
            let (output, is_error) = match outcome {
                Ok(output) => (output, false),
                Err(error) => (format!("Error: {error}").into(), true),
            };
            let ToolOutput { text, structured } = output.within(limits.result_tokens);
            trace.end(&text, is_error);
            context.emit(Event::ToolResult { id, name, text: text.clone(), is_error });
            let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            CallRecord { call, text, structured, is_error, elapsed_ms }
        }
    }
}
