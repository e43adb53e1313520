//! Shows what `graphwright eval live` measured.

use graphwright::llm::Usage;
use graphwright_eval::{
    corpus::percent,
    live::{AnswerScore, LiveReport, ReadingScore},
};

pub(crate) fn live_text(report: &LiveReport) -> String {
    let mut text = format!("{}\n\n{}", report.model, reading(&report.reading));
    text.push_str(&answers("Answers from evidence", &report.answers));
    if let Some(agent) = &report.agent {
        text.push_str(&answers("Answers as an agent", agent));
    }
    text
}

fn reading(score: &ReadingScore) -> String {
    let ReadingScore { documents, words, incomplete, failed, facts, usage, elapsed_ms } = score;
    let per_thousand = |tokens: u64| tokens as f64 * 1_000.0 / (*words).max(1) as f64;
    format!(
        "Reading: {documents} documents of {words} words, {failed} failed, {incomplete} passages without a usable reply\n  \
           facts       precision {:.1} % ({}/{}), recall {:.1} % ({}/{})\n  \
           tokens      {:.0} sent and {:.0} received for a thousand words\n{}",
        facts.precision(),
        facts.right,
        facts.found,
        facts.recall(),
        facts.right,
        facts.gold,
        per_thousand(usage.input_tokens),
        per_thousand(usage.output_tokens),
        cost(usage, *elapsed_ms),
    )
}

fn answers(title: &str, score: &AnswerScore) -> String {
    let AnswerScore { asked, right, by_model, refused, unverified, tool_calls, usage, elapsed_ms } = score;
    let calls = if *tool_calls == 0 { String::new() } else { format!(", {tool_calls} calls of tools") };
    format!(
        "\n{title}: {right} of {asked} right ({:.1} %)\n  \
           check       {by_model} in the model's words, {unverified} statements marked, {refused} answered by the graph instead{calls}\n{}",
        percent(*right, *asked),
        cost(usage, *elapsed_ms),
    )
}

fn cost(usage: &Usage, elapsed_ms: u64) -> String {
    let cost = usage.cost.map_or("price not known".to_owned(), |cost| format!("{cost:.4} US dollars"));
    format!(
        "  took        {} requests, {} + {} tokens ({} from a cache), {cost}, {:.1} s\n",
        usage.requests,
        usage.input_tokens,
        usage.output_tokens,
        usage.cached_tokens,
        elapsed_ms as f64 / 1_000.0
    )
}
