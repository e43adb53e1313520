//! Parses the lines of a conversation: questions and commands.

use graphwright::{Answer, RouteVerdict, llm::Usage};

use crate::render;

pub(super) const HELP: &str = "\
/trace   what the agent did for the last answer
/graph   the paths that prove the last answer
/cost    what the model took so far
/right   the last answer is right
/wrong   the last answer is wrong
/help    these commands
/quit    ends; so does Ctrl-D";

/// A line of a conversation.
#[derive(Debug, PartialEq)]
pub(super) enum Command<'a> {
    Nothing,
    Quit,
    Judge(RouteVerdict),
    Show(Show<'a>),
    Ask(&'a str),
}

#[derive(Debug, PartialEq)]
pub(super) enum Show<'a> {
    Help,
    Trace,
    Graph,
    Cost,
    Unknown(&'a str),
}

impl<'a> Command<'a> {
    pub(super) fn from_line(line: &'a str) -> Self {
        match line {
            "" => Self::Nothing,
            "/quit" | "/exit" => Self::Quit,
            "/right" => Self::Judge(RouteVerdict::Right),
            "/wrong" => Self::Judge(RouteVerdict::Wrong),
            "/help" => Self::Show(Show::Help),
            "/trace" => Self::Show(Show::Trace),
            "/graph" => Self::Show(Show::Graph),
            "/cost" => Self::Show(Show::Cost),
            other if other.starts_with('/') => Self::Show(Show::Unknown(other)),
            question => Self::Ask(question),
        }
    }
}

pub(super) fn graph(answer: Option<&Answer>) -> String {
    let Some(answer) = answer else { return "There is no answer yet.".to_owned() };
    if answer.paths.is_empty() {
        return "The last answer rests on no path.".to_owned();
    }
    answer.paths.iter().map(|path| render::line(&render::path_text(path))).collect()
}

pub(super) fn cost(usage: &Usage) -> String {
    let Usage { requests, input_tokens, cached_tokens, output_tokens, cost, .. } = usage;
    let price = cost.map_or_else(|| "its price is not known".to_owned(), |dollars| format!("${dollars:.4}"));
    format!(
        "{requests} calls of the model: {input_tokens} tokens sent ({cached_tokens} from its cache), {output_tokens} received; {price}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_questions_or_commands() {
        assert_eq!(Command::from_line(""), Command::Nothing);
        assert_eq!(Command::from_line("/cost"), Command::Show(Show::Cost));
        assert_eq!(Command::from_line("/wrong"), Command::Judge(RouteVerdict::Wrong));
        assert_eq!(Command::from_line("/frobnicate"), Command::Show(Show::Unknown("/frobnicate")));
        assert_eq!(Command::from_line("Who owns ledger?"), Command::Ask("Who owns ledger?"));
    }

    #[test]
    fn what_it_cost_is_told_with_and_without_a_price() {
        let usage = Usage { requests: 2, input_tokens: 1_200, output_tokens: 80, ..Usage::default() };
        assert_eq!(
            cost(&usage),
            "2 calls of the model: 1200 tokens sent (0 from its cache), 80 received; its price is not known"
        );
        assert!(cost(&Usage { cost: Some(0.0123), ..usage }).ends_with("; $0.0123"));
    }
}
