//! Agents as tools of other agents.

use std::time::Duration;

use async_trait::async_trait;
use graphwright_answer::Event;
use graphwright_llm::ToolSpec;
use serde_json::{Value, json};

use super::Agent;
use crate::{Tool, ToolContext, ToolError, ToolHints, ToolOutput};

/// An agent that another agent calls as a tool.
///
/// It works on a task by itself, such as exploring a region of the graph, and reports back. What it
/// uses counts in the budget of the calling agent, and its events reach the same listener as
/// [`Event::Nested`].
#[derive(Debug)]
pub struct SubAgent {
    spec: ToolSpec,
    agent: Agent,
}

impl SubAgent {
    /// Creates a tool from an agent. The description tells the calling model what the agent is for.
    pub fn new(name: impl Into<String>, description: impl Into<String>, agent: Agent) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": {"task": {
                "type": "string",
                "description": "What to find out, with all names that are needed: it does not see this conversation.",
            }},
            "required": ["task"],
            "additionalProperties": false,
        });
        let name = name.into();
        let agent = agent.with_name(name.clone());
        Self { spec: ToolSpec { name, description: description.into(), parameters }, agent }
    }
}

#[async_trait]
impl Tool for SubAgent {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Combines the hints of the agent's tools. A call of the sub-agent itself needs no approval,
    /// because the calls of its tools are approved one by one.
    fn hints(&self) -> ToolHints {
        let all = |may: fn(&ToolHints) -> bool| self.agent.tools().tools().all(|tool| may(&tool.hints()));
        ToolHints {
            read_only: all(|hints| hints.read_only),
            destructive: !all(|hints| hints.read_only || !hints.destructive),
            idempotent: all(|hints| hints.read_only || hints.idempotent),
            needs_approval: false,
        }
    }

    /// Returns the agent's own time limit, so that the shorter limit of a tool call does not cut it
    /// off.
    fn time_limit(&self) -> Option<Duration> {
        Some(self.agent.limits.time.unwrap_or(Duration::MAX))
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let task = arguments["task"].as_str().unwrap_or_default();
        let (name, outer) = (self.spec.name.clone(), context.clone());
        let inner = context.clone().with_events(move |event| {
            outer.emit(Event::Nested { agent: name.clone(), inner: Box::new(event) });
        });
        let run = self.agent.run::<String>(task, &inner).await?;
        let notices = run.notices.iter().map(|notice| format!("\n({notice})"));
        let text = notices.fold(run.output, |text, notice| text + &notice);
        let structured = json!({"answer": text, "steps": run.steps.len(), "usage": run.usage});
        Ok(ToolOutput { text, structured: Some(structured) })
    }
}
