//! Prompts that clients offer to their users.

use rmcp::{
    ErrorData,
    model::{GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role},
};
use serde_json::Value;

struct Template {
    name: &'static str,
    description: &'static str,
    argument: &'static str,
    argument_description: &'static str,
    /// Text of the prompt; `{}` stands for the argument.
    text: &'static str,
}

const TEMPLATES: [Template; 3] = [
    Template {
        name: "answer_from_graph",
        description: "Answer a question from the knowledge graph, with the path that proves the answer.",
        argument: "question",
        argument_description: "The question.",
        text: "Answer this question from the knowledge graph only: {}\n\nLook the names up first, then explore around them or find what \
               connects them; write Cypher last. Say after each claim which fact or passage it rests on. If the graph does not know, say so.",
    },
    Template {
        name: "explore",
        description: "Tell what the knowledge graph knows about something.",
        argument: "name",
        argument_description: "Its name.",
        text: "Tell what the knowledge graph knows about {}: what it is, what it is connected with and how, and which documents say so. \
               Look it up first; if several things have that name, say which there are.",
    },
    Template {
        name: "write_query",
        description: "Write a Cypher query against the schema of the graph, and run it.",
        argument: "task",
        argument_description: "What to find.",
        text: "Write one read-only Cypher query that finds: {}\n\nRead the schema first and use only its labels, types and properties. Run the \
               query, and mend it if it is refused. Show the query and what it returned.",
    },
];

pub(crate) fn list() -> Vec<Prompt> {
    let prompts = TEMPLATES.iter().map(|template| {
        let argument = PromptArgument::new(template.argument)
            .with_description(template.argument_description)
            .with_required(true);
        Prompt::new(template.name, Some(template.description), Some(vec![argument]))
    });
    prompts.collect()
}

pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let Some(template) = TEMPLATES.iter().find(|template| template.name == request.name) else {
        let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let message = format!("there is no prompt `{}`; there are {}", request.name, names.join(", "));
        return Err(ErrorData::invalid_params(message, None));
    };
    let given = request.arguments.as_ref().and_then(|arguments| arguments.get(template.argument));
    let Some(argument) = given.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()) else {
        let message = format!("the prompt `{}` needs `{}`", template.name, template.argument);
        return Err(ErrorData::invalid_params(message, None));
    };
    let message = PromptMessage::new_text(Role::User, template.text.replace("{}", argument));
    Ok(GetPromptResult::new(vec![message]).with_description(template.description))
}
