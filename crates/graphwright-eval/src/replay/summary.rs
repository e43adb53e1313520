//! What the verdicts of a replay say together.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{Detection, Run, Verdict};

/// How many of the store's messages are listed.
const MESSAGES: usize = 40;

/// Counts over all verdicts, by file and graph, by graph, and together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Each graph in each file.
    pub parts: Vec<Part>,
    /// Each file, over its graphs.
    pub files: Vec<Part>,
    /// Each graph, over the files.
    pub graphs: Vec<Part>,
    /// All of it.
    pub total: Part,
    /// How many texts have a diagnostic of each code, as they were written.
    pub diagnostics: BTreeMap<&'static str, usize>,
    /// How many texts have one after repair.
    pub left: BTreeMap<&'static str, usize>,
    /// How many texts were changed in each way.
    pub changes: BTreeMap<String, usize>,
    /// How many texts repair refused, by reason.
    pub refused: BTreeMap<String, usize>,
    /// Why texts did not run, most frequent first.
    pub errors: Vec<ErrorCount>,
}

/// Counts of one part of the recordings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// The file, where it is of one.
    pub file: Option<String>,
    /// The graph, where it is of one.
    pub graph: Option<String>,
    /// The recordings in it.
    pub recordings: usize,
    /// How many texts repair changed.
    pub changed: usize,
    /// How many parser or semantic stage call broken.
    pub found_broken: usize,
    /// How many run, of those that were given to a store.
    pub executable: Share,
    /// How many did not run and do after repair.
    pub mended: usize,
    /// How many give the rows of the right query, of those where that one runs.
    pub right: Share,
    /// How many were wrong and are right after repair.
    pub gained: usize,
    /// How many were right and are wrong after repair.
    pub harmed: usize,
    /// Whether what is called broken was recorded as not executable.
    pub detection: Detection,
    /// Where the two disagree: how often for each reason.
    pub disagreements: BTreeMap<&'static str, usize>,
    /// Whether the runs before repair agree with what was recorded.
    pub agreement: Agreement,
}

/// A count before and after repair. As JSON it has percentages beside the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
    /// Of how many.
    pub of: usize,
}

/// How often our judgement is the one that was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Whether it runs: agreed.
    pub executable: usize,
    /// Of how many.
    pub executable_of: usize,
    /// It ran then and does not run now.
    pub ran_then: usize,
    /// Whether it is right: agreed.
    pub right: usize,
    /// Of how many.
    pub right_of: usize,
    /// It was right then and is not now.
    pub right_then: usize,
}

/// A reason for not running, and how often it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorCount {
    /// The kind of error.
    pub code: String,
    /// The message, with `…` for what it quotes.
    pub message: String,
    /// How often before repair.
    pub before: usize,
    /// How often after repair.
    pub after: usize,
    /// How often before repair, where neither parser nor semantic stage found anything.
    pub unseen: usize,
}

impl Share {
    /// Before and after, in percent; `None` of none.
    pub fn percentages(&self) -> Option<(f64, f64)> {
        let percent = |count| 100.0 * count as f64 / self.of as f64;
        (self.of > 0).then(|| (percent(self.before), percent(self.after)))
    }

    fn add(&mut self, before: bool, after: bool) {
        self.before += usize::from(before);
        self.after += usize::from(after);
        self.of += 1;
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let percentages = self.percentages();
        let mut fields = serializer.serialize_struct("Share", 5)?;
        fields.serialize_field("before", &self.before)?;
        fields.serialize_field("after", &self.after)?;
        fields.serialize_field("of", &self.of)?;
        fields.serialize_field("before_percent", &percentages.map(|(before, _)| before))?;
        fields.serialize_field("after_percent", &percentages.map(|(_, after)| after))?;
        fields.end()
    }
}

impl Part {
    /// The share of right queries that repair made wrong, in percent; `None` where none was right.
    pub fn harm(&self) -> Option<f64> {
        (self.right.before > 0).then(|| 100.0 * self.harmed as f64 / self.right.before as f64)
    }

    /// The share of failing queries that run after repair, in percent; `None` where none failed.
    pub fn mended_share(&self) -> Option<f64> {
        let failing = self.executable.of - self.executable.before;
        (failing > 0).then(|| 100.0 * self.mended as f64 / failing as f64)
    }

    fn add(&mut self, verdict: &Verdict) {
        self.recordings += 1;
        self.changed += usize::from(verdict.mended.text.is_some());
        self.found_broken += usize::from(verdict.found_broken);
        if let Some(ran) = verdict.labels.executable {
            self.detection.add(verdict.found_broken, !ran);
            if let Some(reason) = disagreement(verdict, ran) {
                *self.disagreements.entry(reason).or_default() += 1;
            }
        }
        if let (Some(before), Some(after)) = (&verdict.before, &verdict.after) {
            self.add_runs(before, after);
            self.agreement.add(verdict, before);
        }
    }

    fn add_runs(&mut self, before: &Run, after: &Run) {
        self.executable.add(before.is_executable(), after.is_executable());
        self.mended += usize::from(!before.is_executable() && after.is_executable());
        if let (Some(before), Some(after)) = (before.right, after.right) {
            self.right.add(before, after);
            self.gained += usize::from(!before && after);
            self.harmed += usize::from(before && !after);
        }
    }
}

/// Why what we say of a text is not what was recorded, as far as it can be told without reading it.
fn disagreement(verdict: &Verdict, ran: bool) -> Option<&'static str> {
    let error = verdict.before.as_ref().map(|run| run.error.as_ref().map(|error| error.code.as_str()));
    match (verdict.found_broken, ran, error) {
        (true, true, Some(Some(_))) => Some("called broken: it does not run, the label is wrong"),
        (true, true, Some(None)) => Some("called broken: it runs, the finding is wrong"),
        (true, true, None) => Some("called broken: recorded as executable, not run here"),
        (false, false, Some(Some("timed_out"))) => Some("not called broken: out of time"),
        (false, false, Some(Some("evaluation"))) => Some("not called broken: fails on the data"),
        (false, false, Some(Some(_))) => Some("not called broken: it does not run, the finding is missing"),
        (false, false, Some(None)) => Some("not called broken: it runs here"),
        (false, false, None) if verdict.is_gold => Some("not called broken: the right query itself failed"),
        (false, false, None) => Some("not called broken: recorded as failing, not run here"),
        _ => None,
    }
}

impl Agreement {
    fn add(&mut self, verdict: &Verdict, run: &Run) {
        if let Some(ran) = verdict.labels.executable {
            self.executable_of += 1;
            self.executable += usize::from(ran == run.is_executable());
            self.ran_then += usize::from(ran && !run.is_executable());
        }
        if let (Some(then), Some(now)) = (verdict.labels.right, run.right) {
            self.right_of += 1;
            self.right += usize::from(then == now);
            self.right_then += usize::from(then && !now);
        }
    }
}

impl Summary {
    /// Counts.
    pub fn of(verdicts: &[Verdict]) -> Self {
        let mut summary = Self::default();
        let mut parts: BTreeMap<(Option<&str>, Option<&str>), Part> = BTreeMap::new();
        let mut errors: BTreeMap<(String, String), ErrorCount> = BTreeMap::new();
        for verdict in verdicts {
            let (file, graph) = (Some(verdict.file.as_str()), Some(verdict.graph.as_str()));
            for key in [(file, graph), (file, None), (None, graph), (None, None)] {
                parts.entry(key).or_default().add(verdict);
            }
            summary.count_findings(verdict);
            count_errors(verdict, &mut errors);
        }
        for ((file, graph), part) in parts {
            let part = Part { file: file.map(str::to_owned), graph: graph.map(str::to_owned), ..part };
            match (file, graph) {
                (Some(_), Some(_)) => summary.parts.push(part),
                (Some(_), None) => summary.files.push(part),
                (None, Some(_)) => summary.graphs.push(part),
                (None, None) => summary.total = part,
            }
        }
        summary.errors = errors.into_values().collect();
        summary.errors.sort_by_key(|error| std::cmp::Reverse(error.before.max(error.after)));
        summary.errors.truncate(MESSAGES);
        summary
    }

    fn count_findings(&mut self, verdict: &Verdict) {
        for (codes, counts) in
            [(&verdict.diagnostics, &mut self.diagnostics), (&verdict.mended.left, &mut self.left)]
        {
            let mut codes = codes.clone();
            codes.sort_unstable();
            codes.dedup();
            for code in codes {
                *counts.entry(code.as_str()).or_default() += 1;
            }
        }
        let mut changes = verdict.mended.changes.clone();
        changes.sort_unstable();
        changes.dedup();
        for change in changes {
            *self.changes.entry(name(&change)).or_default() += 1;
        }
        if let Some(reason) = verdict.mended.refused {
            *self.refused.entry(name(&reason)).or_default() += 1;
        }
    }
}

/// The name that a code has for programs.
fn name(code: &impl Serialize) -> String {
    serde_json::to_value(code).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn count_errors(verdict: &Verdict, errors: &mut BTreeMap<(String, String), ErrorCount>) {
    let mut count = |run: &Option<Run>, count: fn(&mut ErrorCount)| {
        if let Some(error) = run.as_ref().and_then(|run| run.error.as_ref()) {
            let (code, message) = (error.code.clone(), without_quotes(&error.message));
            let entry = errors.entry((code.clone(), message.clone()));
            count(entry.or_insert_with(|| ErrorCount { code, message, ..ErrorCount::default() }));
        }
    };
    count(&verdict.before, |error| error.before += 1);
    count(&verdict.after, |error| error.after += 1);
    if !verdict.found_broken {
        count(&verdict.before, |error| error.unseen += 1);
    }
}

/// The first line of a message with `…` for what it quotes, so that messages of one kind are the same.
fn without_quotes(message: &str) -> String {
    let mut shown = String::new();
    let mut open = None;
    for character in message.lines().next().unwrap_or_default().chars() {
        match open {
            Some(quote) if quote == character => open = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"' | '`') => {
                open = Some(character);
                shown.push('…');
            }
            None => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{Labels, Mended, RunError};

    fn run(right: bool, error: Option<&str>) -> Run {
        let error = error.map(|code| RunError { code: code.to_owned(), message: "no `x` in 'y'".to_owned() });
        Run { rows: 1, right: Some(right), error }
    }

    fn verdict(line: usize, before: Run, after: Run, found_broken: bool) -> Verdict {
        Verdict {
            file: "f".to_owned(),
            line,
            graph: "g".to_owned(),
            labels: Labels { executable: Some(true), right: Some(true) },
            is_gold: false,
            found_broken,
            diagnostics: Vec::new(),
            mended: Mended::default(),
            before: Some(before),
            after: Some(after),
        }
    }

    #[test]
    fn each_kind_of_change_is_counted() {
        let summary = Summary::of(&[
            verdict(1, run(true, None), run(true, None), false),
            verdict(2, run(true, None), run(false, None), false),
            verdict(3, run(false, Some("syntax")), run(true, None), true),
            verdict(4, run(false, Some("syntax")), run(false, Some("syntax")), false),
        ]);
        let part = &summary.total;
        assert_eq!(part.executable, Share { before: 2, after: 3, of: 4 });
        assert_eq!(part.right, Share { before: 2, after: 2, of: 4 });
        assert_eq!((part.mended, part.gained, part.harmed), (1, 1, 1));
        assert_eq!((part.harm(), part.mended_share()), (Some(50.0), Some(50.0)));
        assert_eq!(part.agreement.executable, 2);
        assert_eq!(part.disagreements["called broken: it does not run, the label is wrong"], 1);
        assert_eq!(
            summary.parts[0],
            Part { file: Some("f".into()), graph: Some("g".into()), ..part.clone() }
        );
        let errors =
            ErrorCount {
                code: "syntax".into(), message: "no … in …".into(), before: 2, after: 1, unseen: 1
            };
        assert_eq!(summary.errors, [errors]);
    }
}
