//! Words the hints of the libraries for this command. The libraries know none of its options.

use graphwright::{Answer, AnswerStatus};

/// The last sentence of an ambiguous answer in this command.
const CHOOSE_READING: &str = "Choose one with --reading N, or take all with --all-readings.";

/// Pairs of a library's hint and this command's words for it. `{}` stands for any text, which both
/// contain.
const WORDS: &[(&str, &str)] = &[
    ("open it for writing if you mean it", "open write mode with --write if you mean it"),
    (
        "open it for writing if you mean to change the graph; else {}",
        "add --write if you mean to change the graph; else {}",
    ),
    ("{}, or allow new names if it is to be new", "{}, or add --new-names if it is to be new"),
    ("approve it to write", "answer y to write, or give --yes"),
    (
        "narrow what is changed, or raise the limit of changes",
        "narrow what is changed, or raise the limit with --max-changes",
    ),
    ("narrow the query, or raise the time limit", "narrow the query, or raise the limit with --time-limit"),
    (
        "narrow the query (a label, a condition, fewer steps), or raise the memory budget",
        "narrow the query (a label, a condition, fewer steps), or raise the budget (`query_megabytes` in the settings)",
    ),
    (
        "name another store, and ingest again or import an export into it",
        "name another store with --store, and ingest again or import an export into it",
    ),
    (
        "repair it to go on with what is whole, or ingest again into another store",
        "`graphwright doctor --repair` goes on with what is whole; or ingest again into another store (--store)",
    ),
    (
        "build one from documents, or name another store",
        "build one with `graphwright ingest`, or name another store with --store",
    ),
    (
        "name a folder; a file can be imported into one",
        "name a folder with --store; `graphwright import` reads files",
    ),
    (
        "let this user read and write it, or choose another",
        "let this user read and write it, or choose another with --store",
    ),
    ("{}: split it, or raise the limit", "{}: split it, or raise the limit (--max-file-size)"),
    (
        "is a link out of the folder; follow links to read it",
        "is a link out of the folder; --follow-links follows it",
    ),
    ("import the files instead", "import files with graphwright import"),
    ("read files by importing them", "read files with `graphwright import`"),
    ("{}, or say the format", "{}, or say the format with --format"),
    ("{}, or leave such relationships out", "{}, or leave such relationships out (--skip-bad)"),
    ("{}, or leave such items out", "{}, or leave such items out (--skip-bad)"),
    (
        "docs/ontology.md shows the form",
        "docs/ontology.md shows the form; `graphwright ontology schema` prints it for editors",
    ),
    (
        "embed all texts anew, or choose the embedder {} again",
        "run `graphwright ingest --re-embed` to make all vectors anew, or choose the embedder {} again",
    ),
    (
        "ingest again to make it; the graph itself is not affected",
        "run `graphwright ingest` to make it; the graph itself is not affected",
    ),
    (
        "the list of duplicates shows identifiers that can be merged",
        "`graphwright duplicates list` shows identifiers that can be merged",
    ),
    (
        "the list of routes shows those of the graph",
        "`graphwright routes list` shows the routes of the graph that --store names",
    ),
    (
        "the list of examples shows those of the graph",
        "`graphwright examples list` shows the examples of the graph that --store names",
    ),
    ("leave the reading out", "leave --reading out"),
    (
        "choose reading 1 to {}, or none to see them",
        "choose one with --reading 1 to {}, or leave it out to see them",
    ),
    (
        "ask a question in words, as \"Which services use X?\"",
        "ask a question in words, as `graphwright ask \"Which services use X?\"`",
    ),
    ("{}, or leave the model out: none is needed", "{}, or leave --model out: no model is needed"),
    (
        "name one as provider/model, or extract by the rules",
        "name one with --model provider/model, or use --extractor rules",
    ),
    (
        "set one, as openai/gpt-4o-mini or ollama/qwen3",
        "set one with --model or GRAPHWRIGHT_MODEL, as openai/gpt-4o-mini or ollama/qwen3",
    ),
    ("name another provider", "name another provider with --model"),
    ("add it, as {}@1024", "add it: --embedder {}@1024"),
    (
        "pull {}, or name another (docs/models.md)",
        "fetch it with `graphwright models pull {}`, or name another (docs/models.md)",
    ),
    (
        "begin anew, or name another folder for the results",
        "begin anew with --fresh, or name another --output",
    ),
];

/// Words a hint of a library with the options and commands that it means.
pub(crate) fn worded(hint: String) -> String {
    WORDS.iter().find_map(|(neutral, ours)| filled(&hint, neutral, ours)).unwrap_or(hint)
}

/// Fills `ours` with what stands for `{}` in the hint, if the hint has the neutral form.
fn filled(hint: &str, neutral: &str, ours: &str) -> Option<String> {
    match neutral.split_once("{}") {
        None => (hint == neutral).then(|| ours.to_owned()),
        Some((before, after)) => {
            let inner = hint.strip_prefix(before)?.strip_suffix(after)?;
            Some(ours.replacen("{}", inner, 1))
        }
    }
}

/// Returns the text of an answer. An ambiguous one names the options with which to go on.
pub(crate) fn answer(answer: &Answer) -> String {
    match answer.answer.strip_suffix(Answer::CHOOSE_READING) {
        Some(text) if answer.status == AnswerStatus::Ambiguous => format!("{text}{CHOOSE_READING}"),
        _ => answer.answer.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use graphwright::{AnswerError, Error, StoreError, ingest::IngestError, search::RetrieveError};

    use super::*;

    fn hint(error: impl Into<Error>) -> String {
        worded(error.into().hint().expect("a hint"))
    }

    #[test]
    fn hints_of_libraries_name_the_options_of_the_command() {
        let store = |error: StoreError| hint(error);
        assert_eq!(
            store(StoreError::ReadOnly { context: "a snapshot".to_owned() }),
            "open write mode with --write if you mean it"
        );
        assert_eq!(
            store(StoreError::TooManyChanges { changes: 2, limit: 1 }),
            "narrow what is changed, or raise the limit with --max-changes"
        );
        assert_eq!(
            store(StoreError::TimedOut { limit: Duration::from_secs(1) }),
            "narrow the query, or raise the limit with --time-limit"
        );
        assert_eq!(
            store(StoreError::Corrupt {
                address: "graph".to_owned(),
                message: "short".to_owned(),
                repairable: false
            }),
            "name another store with --store, and ingest again or import an export into it"
        );
        assert_eq!(hint(Error::NotApproved), "answer y to write, or give --yes");
        assert_eq!(
            hint(AnswerError::NoSuchReading { asked: 9, known: 3 }),
            "choose one with --reading 1 to 3, or leave it out to see them"
        );
        assert_eq!(hint(AnswerError::NoSuchReading { asked: 9, known: 1 }), "leave --reading out");
        let merge = IngestError::Merge { message: "no such pair".to_owned() };
        assert_eq!(hint(merge), "`graphwright duplicates list` shows identifiers that can be merged");
        let lacking = RetrieveError::NoIndex { path: "search".into() };
        assert_eq!(hint(lacking), "run `graphwright ingest` to make it; the graph itself is not affected");
    }

    #[test]
    fn what_a_hint_names_is_kept_and_other_hints_stay() {
        let set = "set OPENAI_API_KEY, or leave the model out: none is needed";
        assert_eq!(worded(set.to_owned()), "set OPENAI_API_KEY, or leave --model out: no model is needed");
        let pull = "pull sentence-transformers/minilm, or name another (docs/models.md)";
        assert_eq!(
            worded(pull.to_owned()),
            "fetch it with `graphwright models pull sentence-transformers/minilm`, or name another (docs/models.md)"
        );
        assert_eq!(worded("write RETURN".to_owned()), "write RETURN");
    }

    #[test]
    fn an_ambiguous_answer_says_how_to_choose() {
        let text = format!("Two ways:\n{}", Answer::CHOOSE_READING);
        let ambiguous = Answer { status: AnswerStatus::Ambiguous, answer: text.clone(), ..Answer::default() };
        assert_eq!(answer(&ambiguous), format!("Two ways:\n{CHOOSE_READING}"));
        let other = Answer { status: AnswerStatus::Answered, answer: text.clone(), ..Answer::default() };
        assert_eq!(answer(&other), text);
    }
}
