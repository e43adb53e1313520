//! A model as judge of what the check cannot compare: whether the evidence that a statement cites supports all of it.
//!
//! The judge sees only what the check bears out, and can only take support away. Where it says nothing that can be read, the check
//! stands.

use std::{collections::BTreeMap, fmt::Write};

use graphwright_core::text::shorten;
use graphwright_llm::{ChatRequest, LlmError, OutputFormat, Usage, read_json, without_thoughts};
use serde_json::{Value, json};

use super::{AnswerCheck, CheckedText, Fault};

const INSTRUCTIONS: &str = include_str!("../../prompts/support.md");
/// The most characters that are shown of what a judge finds missing.
const MOST_MISSING: usize = 200;

/// A text after a judge has seen it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Judged {
    /// The text; what the judge finds unsupported has the fault [`Unsupported`](Fault::Unsupported).
    pub checked: CheckedText,
    /// How many statements the judge was asked about.
    pub asked: usize,
    /// Of how many of them it gave no verdict that can be read. The check stands for them.
    pub without_verdict: usize,
    /// What the judge used.
    pub usage: Usage,
    /// Why the judge gave no verdict at all.
    pub failure: Option<LlmError>,
}

impl Judged {
    /// Says of how many statements the judge gave no verdict, if there are some.
    pub fn note(&self) -> Option<String> {
        let Self { asked, without_verdict, failure, .. } = self;
        let stands = "the check alone stands for them";
        match failure {
            Some(error) => Some(format!("No judge of {asked} statements: {error}; {stands}.")),
            None if *without_verdict > 0 => Some(format!(
                "The judge gave no verdict on {without_verdict} of {asked} statements; {stands}."
            )),
            None => None,
        }
    }
}

/// What a judge says of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Supported,
    Unsupported { missing: String },
}

impl AnswerCheck<'_> {
    /// Checks a text, and lets the judge, if there is one, look at what the check bears out. Never fails: where the judge does, the
    /// check stands, and [`note`](Judged::note) says so.
    pub async fn judge(&self, text: &str) -> Judged {
        self.judged(self.check(text)).await
    }

    /// Takes over what a model wrote to a [`repair_prompt`](CheckedText::repair_prompt), as
    /// [`repaired`](CheckedText::repaired) does, and lets the judge look at it.
    pub async fn judge_repaired(&self, faulty: CheckedText, reply: &str) -> Judged {
        let before = faulty.text.clone();
        let repaired = faulty.repaired(reply, self);
        if repaired.text == before {
            return Judged { checked: repaired, ..Judged::default() };
        }
        self.judged(repaired).await
    }

    async fn judged(&self, mut checked: CheckedText) -> Judged {
        let open: Vec<usize> = (0..checked.statements.len())
            .filter(|at| checked.statements[*at].claims && checked.statements[*at].fault.is_none())
            .collect();
        let Some(judge) = self.judge.as_ref().filter(|_| !open.is_empty()) else {
            return Judged { checked, ..Judged::default() };
        };
        let asked = open.len();
        let reply = match judge.chat(self.request(&checked, &open)).await {
            Ok(reply) => reply,
            Err(error) => {
                let failure = Some(error);
                return Judged { checked, asked, without_verdict: asked, failure, ..Judged::default() };
            }
        };
        let verdicts = read(&reply.text(), asked);
        let without_verdict = asked - verdicts.len();
        for (number, verdict) in verdicts {
            if let Verdict::Unsupported { missing } = verdict {
                checked.statements[open[number - 1]].fault = Some(Fault::Unsupported { missing });
            }
        }
        Judged { checked, asked, without_verdict, usage: reply.usage, failure: None }
    }

    /// The request to judge the statements at these positions, numbered from 1.
    fn request(&self, checked: &CheckedText, open: &[usize]) -> ChatRequest {
        let mut cited: Vec<usize> =
            open.iter().flat_map(|at| &checked.statements[*at].cited).copied().collect();
        cited.sort_unstable();
        cited.dedup();
        let mut prompt = format!("Question: {}\n\nEvidence:\n", self.asked);
        for number in cited {
            let text = self.pieces.get(number - 1).map_or("", |piece| &piece.text);
            // Writing to a string cannot fail.
            let _ = writeln!(prompt, "[{number}] {}", text.trim());
        }
        prompt.push_str("\nStatements:\n");
        for (at, statement) in checked.statements.iter().enumerate() {
            let text = checked.text[statement.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = match open.iter().position(|open| *open == at) {
                Some(place) => writeln!(prompt, "{}: {text} (cites {:?})", place + 1, statement.cited),
                None => writeln!(prompt, "{text}"),
            };
        }
        let mut request = ChatRequest::new(INSTRUCTIONS.trim_end(), prompt);
        request.temperature = Some(0.0);
        request.output = OutputFormat::LenientJsonSchema { name: "verdicts".to_owned(), schema: schema() };
        request
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "statement": {"type": "integer"},
                "missing": {"type": "string"},
                "supported": {"type": "boolean"},
            },
            "required": ["statement", "missing", "supported"],
            "additionalProperties": false,
        }}},
        "required": ["verdicts"],
        "additionalProperties": false,
    })
}

/// Reads the verdicts on statements 1 to `asked`: as JSON in any dress, or as lines such as `1: no`. A statement of which a reply says
/// both has none.
fn read(reply: &str, asked: usize) -> BTreeMap<usize, Verdict> {
    let mut found: BTreeMap<usize, Option<Verdict>> = BTreeMap::new();
    let entries = read_json(reply).into_iter().flat_map(|json| entries(json.value));
    let mut said: Vec<(usize, Verdict)> = entries.filter_map(|entry| of_entry(&entry, asked)).collect();
    if said.is_empty() {
        said = without_thoughts(reply).lines().filter_map(|line| of_line(line, asked)).collect();
    }
    for (number, verdict) in said.into_iter().filter(|(number, _)| (1..=asked).contains(number)) {
        let is_other = |known: &Verdict| std::mem::discriminant(known) != std::mem::discriminant(&verdict);
        match found.get_mut(&number) {
            Some(known) if known.as_ref().is_some_and(is_other) => *known = None,
            Some(_) => {}
            None => {
                found.insert(number, Some(verdict));
            }
        }
    }
    found.into_iter().filter_map(|(number, verdict)| Some((number, verdict?))).collect()
}

/// The entries of a list of verdicts, however it is wrapped.
fn entries(value: Value) -> Vec<Value> {
    match value {
        Value::Array(entries) => entries,
        Value::Object(object) if object.contains_key("supported") => vec![Value::Object(object)],
        Value::Object(object) => {
            object.into_iter().filter_map(|(_, value)| value.as_array().cloned()).flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn of_entry(entry: &Value, asked: usize) -> Option<(usize, Verdict)> {
    let number = match &entry["statement"] {
        Value::Number(number) => usize::try_from(number.as_u64()?).ok()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ if asked == 1 => 1,
        _ => return None,
    };
    let supported = match &entry["supported"] {
        Value::Bool(supported) => *supported,
        Value::String(word) => yes_or_no(word)?,
        _ => return None,
    };
    Some((number, verdict(supported, entry["missing"].as_str().unwrap_or_default())))
}

/// Reads `1: no, the year is missing`, and without its number the verdict on an only statement.
fn of_line(line: &str, asked: usize) -> Option<(usize, Verdict)> {
    let line = line.trim_start_matches([' ', '*', '-', '#', '[']);
    let digits = line.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(line.len());
    let number = match line[..digits].parse() {
        Ok(number) => number,
        Err(_) if asked == 1 => 1,
        Err(_) => return None,
    };
    let said = line[digits..].trim_start_matches(|letter: char| !letter.is_alphabetic());
    let reason = said.split_once([',', '.', ':', '-', '–', '—']).map_or("", |(_, reason)| reason);
    Some((number, verdict(yes_or_no(said)?, reason)))
}

fn verdict(supported: bool, missing: &str) -> Verdict {
    if supported {
        return Verdict::Supported;
    }
    Verdict::Unsupported { missing: shorten(missing, MOST_MISSING).trim_end_matches('.').to_owned() }
}

fn yes_or_no(text: &str) -> Option<bool> {
    let first = text.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty())?;
    match first.to_lowercase().as_str() {
        "yes" | "true" | "supported" => Some(true),
        "no" | "not" | "false" | "unsupported" | "partially" | "partly" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use graphwright_llm::ScriptedModel;
    use rstest::rstest;

    use super::*;
    use crate::check::Citable;

    const TEXT: &str = "Ada owns ledger [1]. She wrote it alone [2]. Zoe sings [2].";

    fn check() -> AnswerCheck<'static> {
        let facts = ["Ada OWNS ledger", "Ada wrote ledger"].map(Citable::from);
        AnswerCheck::new("Who owns ledger?", facts.to_vec())
    }

    fn unsupported(missing: &str) -> Verdict {
        Verdict::Unsupported { missing: missing.into() }
    }

    #[rstest]
    #[case(r#"{"verdicts": [{"statement": 1, "missing": "", "supported": true}, {"statement": 2, "missing": "alone.", "supported": false}]}"#)]
    #[case(
        "<think>{}</think>\n```json\n[{'statement': '1', 'supported': 'Yes'}, {'statement': 2, 'supported': 'no', 'missing': 'alone'},]\n```"
    )]
    #[case(r#"{"verdicts": [{"statement": 1, "supported": true}, {"statement": 2, "missing": "alone", "supported": false}, {"statem"#)]
    #[case(r#"{"results": [{"statement": 1, "supported": true}, {"statement": 2, "missing": "alone", "supported": "partially"}]}"#)]
    #[case("1: yes\n2: no, alone")]
    #[case("**1**: Supported.\n- 2. Not supported: alone")]
    fn verdicts_are_read_in_any_dress(#[case] reply: &str) {
        let expected = BTreeMap::from([(1, Verdict::Supported), (2, unsupported("alone"))]);
        assert_eq!(read(reply, 2), expected);
    }

    #[rstest]
    #[case("")]
    #[case("I would rather not say.")]
    #[case(r#"{"verdicts": [{"statement": 7, "supported": true}, {"statement": -1, "supported": true}]}"#)]
    #[case(r#"{"verdicts": [{"statement": 1, "supported": "maybe"}, {"supported": true}, 3, null]}"#)]
    #[case(r#"[{"statement": 1, "supported": true}, {"statement": 1, "supported": false}]"#)]
    fn what_cannot_be_read_is_no_verdict(#[case] reply: &str) {
        assert_eq!(read(reply, 2), BTreeMap::new());
    }

    #[test]
    fn an_only_statement_needs_no_number() {
        assert_eq!(
            read("No. The year is missing.", 1),
            BTreeMap::from([(1, unsupported("The year is missing"))])
        );
        assert_eq!(read(r#"{"supported": true}"#, 1), BTreeMap::from([(1, Verdict::Supported)]));
    }

    #[tokio::test]
    async fn a_judge_takes_support_away_from_what_the_check_bears_out() {
        let judge = ScriptedModel::replies(["1: yes\n2: no, alone"]);
        let check = check().with_judge(Arc::new(judge.clone()));
        let judged = check.judge(TEXT).await;
        assert_eq!((judged.asked, judged.without_verdict, judged.usage.requests), (2, 0, 1));
        let faults: Vec<String> = judged.checked.faults().map(|(_, fault)| fault.to_string()).collect();
        assert_eq!(
            faults,
            [
                "a judge finds that the evidence does not support it: alone",
                "the cited evidence does not have Zoe"
            ]
        );
        let prompt = judge.requests()[0].messages[1].text();
        assert_eq!(
            prompt,
            "Question: Who owns ledger?\n\nEvidence:\n[1] Ada OWNS ledger\n[2] Ada wrote ledger\n\nStatements:\n\
                            1: Ada owns ledger [1]. (cites [1])\n2: She wrote it alone [2]. (cites [2])\nZoe sings [2].\n"
        );
    }

    #[tokio::test]
    async fn where_the_judge_says_nothing_the_check_stands() {
        let alone = check().check(TEXT);
        let mute = check().with_judge(Arc::new(ScriptedModel::replies(["Hm."])));
        let judged = mute.judge(TEXT).await;
        assert_eq!(judged.checked, alone);
        assert_eq!(
            judged.note().unwrap(),
            "The judge gave no verdict on 2 of 2 statements; the check alone stands for them."
        );
        let failing = check().with_judge(Arc::new(ScriptedModel::replies(Vec::<&str>::new())));
        let judged = failing.judge(TEXT).await;
        assert_eq!(judged.checked, alone);
        assert!(judged.note().unwrap().starts_with("No judge of 2 statements: "), "{:?}", judged.note());
        assert_eq!(check().judge(TEXT).await.note(), None);
    }

    #[tokio::test]
    async fn only_what_was_written_again_is_judged_again() {
        let judge = ScriptedModel::replies(["1: yes\n2: no, alone", "1: yes\n2: yes"]);
        let check = check().with_judge(Arc::new(judge.clone()));
        let judged = check.judge(TEXT).await;
        let same = check.judge_repaired(judged.checked.clone(), "Sorry.").await;
        assert_eq!((same.asked, same.checked.faults().count()), (0, 2));
        let better = check.judge_repaired(judged.checked, "1: Ada wrote ledger [2].\n2: -").await;
        assert_eq!(better.checked.text, "Ada owns ledger [1]. Ada wrote ledger [2].");
        assert_eq!((better.checked.faults().count(), judge.requests().len()), (0, 2));
    }
}
