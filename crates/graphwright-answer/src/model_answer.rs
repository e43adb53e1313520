//! Answers that a model writes from the evidence: checked, repaired once, and shown as they are checked.

use std::sync::Mutex;

use graphwright_llm::{ChatModel, ChatRequest, LlmError, Message, Usage, without_thoughts};

use crate::{
    AnswerCheck, CheckedBlocks, CheckedText, Event,
    answer::Answer,
    dossier::{Dossier, Source},
    reply::stream_reply,
};

const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");

/// What a model wrote, with what became of it.
pub(crate) struct Written {
    pub(crate) checked: CheckedText,
    pub(crate) blocks: CheckedBlocks,
    pub(crate) usage: Usage,
    /// What happened on the way that the answer should not hide.
    pub(crate) steps: Vec<String>,
}

/// Lets a model write an answer, and write again what the evidence does not bear out. Tokens are told once they are checked.
pub(crate) async fn write(
    model: &dyn ChatModel,
    question: &str,
    dossier: &Dossier,
    check: &AnswerCheck<'_>,
    events: &(dyn Fn(Event) + Send + Sync),
) -> Result<Written, LlmError> {
    let mut request = ChatRequest::new(INSTRUCTIONS, dossier.prompt(question));
    request.temperature = Some(0.0);
    let blocks = Mutex::new(CheckedBlocks::default());
    let with_blocks = |act: &mut dyn FnMut(&mut CheckedBlocks)| {
        // Nobody panics while they hold it.
        if let Ok(mut blocks) = blocks.lock() {
            act(&mut blocks);
        }
    };
    let emit = |event| match event {
        Event::Token { text } => with_blocks(&mut |blocks| {
            if let Some(text) = blocks.push(&text, check) {
                events(Event::Token { text });
            }
        }),
        Event::Restarted { .. } => {
            with_blocks(&mut CheckedBlocks::restart);
            events(event);
        }
        other => events(other),
    };
    let reply = stream_reply(model, request.clone(), emit).await?;
    let mut usage = reply.usage;
    let judged = check.judge(without_thoughts(&reply.text())).await;
    usage += judged.usage;
    let mut steps = Vec::from_iter(judged.note());
    let checked = judged.checked;
    let checked = match checked.repair_prompt().filter(|_| !checked.is_refusal) {
        None => checked,
        Some(prompt) => {
            let faults = checked.faults().count();
            let what = format!("asking {} to write {} again", model.name(), counted(faults));
            events(Event::Step { what });
            request.messages.push(Message::assistant(checked.text.clone()));
            request.messages.push(Message::user(prompt));
            match model.chat(request).await {
                Ok(reply) => {
                    let judged = check.judge_repaired(checked, without_thoughts(&reply.text())).await;
                    usage += reply.usage;
                    usage += judged.usage;
                    steps.extend(judged.note());
                    judged.checked
                }
                Err(error) => {
                    steps.push(format!(
                        "{} could not write {} again: {error}.",
                        model.name(),
                        counted(faults)
                    ));
                    checked
                }
            }
        }
    };
    steps.extend(checked.faults().map(|(text, fault)| format!("Not borne out: {text:?}: {fault}.")));
    Ok(Written { checked, blocks: blocks.into_inner().unwrap_or_default(), usage, steps })
}

fn counted(faults: usize) -> String {
    if faults == 1 { "a statement".to_owned() } else { format!("{faults} statements") }
}

/// Replaces the paths and passages of the answer by the cited ones, if any are cited.
pub(crate) fn take(answer: &mut Answer, dossier: &Dossier, cited: &[usize]) {
    let (mut paths, mut passages) = (Vec::new(), Vec::new());
    for source in cited.iter().flat_map(|&number| dossier.sources(number)) {
        match source {
            Source::Fact(path) if !paths.contains(path) => paths.push(path.clone()),
            Source::Passage(passage) if !passages.contains(passage) => passages.push(passage.clone()),
            _ => {}
        }
    }
    if !paths.is_empty() {
        answer.paths = paths;
    }
    if !passages.is_empty() {
        answer.passages = passages;
    }
}
