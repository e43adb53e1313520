//! The summary of a replay's verdicts.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{Detection, Run, Verdict};

/// The most messages of the store that are listed.
const MESSAGES: usize = 40;

/// Counts over all verdicts, by file and graph, by graph, and in total.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The counts of each graph in each file.
    pub parts: Vec<Part>,
    /// The counts of each file, over its graphs.
    pub files: Vec<Part>,
    /// The counts of each graph, over the files.
    pub graphs: Vec<Part>,
    /// The counts of all recordings.
    pub total: Part,
    /// The number of texts with a diagnostic of each code, as written.
    pub diagnostics: BTreeMap<&'static str, usize>,
    /// The number of texts with a diagnostic of each code after repair.
    pub left: BTreeMap<&'static str, usize>,
    /// The number of texts with each kind of change.
    pub changes: BTreeMap<String, usize>,
    /// The number of texts that repair refused, by reason.
    pub refused: BTreeMap<String, usize>,
    /// The reasons why texts did not run, most frequent first.
    pub errors: Vec<ErrorCount>,
}

/// Counts of one part of the recordings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// The file, if the part belongs to one.
    pub file: Option<String>,
    /// The graph, if the part belongs to one.
    pub graph: Option<String>,
    /// The number of recordings.
    pub recordings: usize,
    /// The number of texts that repair changed.
    pub changed: usize,
    /// The number of texts that the parser or the semantic checks call broken.
    pub found_broken: usize,
    /// The number of texts that run, of those given to a store.
    pub executable: Share,
    /// The number of texts that run only after repair.
    pub mended: usize,
    /// The number of texts that return the rows of the right query, of those whose right query
    /// runs.
    pub right: Share,
    /// The number of wrong texts that are right after repair.
    pub gained: usize,
    /// The number of right texts that are wrong after repair.
    pub harmed: usize,
    /// How well texts called broken match those recorded as not executable.
    pub detection: Detection,
    /// The number of disagreements between the two, by reason.
    pub disagreements: BTreeMap<&'static str, usize>,
    /// How well the runs before repair agree with what was recorded.
    pub agreement: Agreement,
}

/// A count before and after repair. Its JSON also has percentages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The count before repair.
    pub before: usize,
    /// The count after repair.
    pub after: usize,
    /// The total.
    pub of: usize,
}

/// Counts of how often our judgement agrees with the recorded one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// The number of agreements on whether a text runs.
    pub executable: usize,
    /// The number of texts compared in this.
    pub executable_of: usize,
    /// The number of texts that ran when recorded and do not run now.
    pub ran_then: usize,
    /// The number of agreements on whether a text is right.
    pub right: usize,
    /// The number of texts compared in this.
    pub right_of: usize,
    /// The number of texts that were right when recorded and are not now.
    pub right_then: usize,
}

/// A reason for not running, with its frequency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorCount {
    /// The kind of error.
    pub code: String,
    /// The message, with `…` for what it quotes.
    pub message: String,
    /// The number of occurrences before repair.
    pub before: usize,
    /// The number of occurrences after repair.
    pub after: usize,
    /// The number of occurrences before repair where neither parser nor semantic checks found
    /// anything.
    pub unseen: usize,
}

impl Share {
    /// Returns the shares before and after repair, in percent. Returns `None` if the total is zero.
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
    /// Returns the share of right queries that repair made wrong, in percent. Returns `None` if
    /// none was right.
    pub fn harm(&self) -> Option<f64> {
        (self.right.before > 0).then(|| 100.0 * self.harmed as f64 / self.right.before as f64)
    }

    /// Returns the share of failing queries that run after repair, in percent. Returns `None` if
    /// none failed.
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

/// Returns why our finding differs from what was recorded, as far as that can be told without
/// reading the text.
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
    /// Counts verdicts.
    pub fn from_verdicts(verdicts: &[Verdict]) -> Self {
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

/// Returns the name of a code for programs.
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

/// Returns the first line of a message, with `…` for each quoted part, so that messages of one kind
/// are equal.
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
        let summary = Summary::from_verdicts(&[
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
