//! What a run has found, counted.

use std::collections::BTreeMap;

use graphwright::{FlowName, llm::Usage};
use serde::Serialize;

use super::{
    entry::{Entry, Key},
    fault::Fault,
    gleu::Gleu,
    gold::Opened,
};

/// What a run has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The sets of questions.
    pub sets: Vec<String>,
    /// The flows.
    pub flows: Vec<FlowName>,
    /// The models.
    pub models: Vec<String>,
    /// The judge of relevancy.
    pub judge: Option<String>,
    /// Each flow of each model, over all sets.
    pub cells: Vec<Cell>,
    /// The same for each set, if there are several.
    pub by_set: Vec<Cell>,
    /// What each flow gains over each other one.
    pub uplifts: Vec<Uplift>,
    /// The faults that players made, and what became of them.
    pub faults: Vec<Recovery>,
}

/// One flow of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// The set; `None` for all.
    pub set: Option<String>,
    /// The flow.
    pub flow: FlowName,
    /// The model.
    pub model: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
    /// Questions by kind, and how many of them are right.
    pub kinds: BTreeMap<String, Count>,
}

/// Figures of questions. Shares are percentages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Questions that were asked.
    pub asked: usize,
    /// Those at which the model, the judge, the store or the time failed.
    pub failed: usize,
    /// Those of which a query ran, of those that the graph answers.
    pub executable: Option<f64>,
    /// Those with the right rows or the right refusal.
    pub right: f64,
    /// Those whose first query is right as the model has written it, without lint and repair. Of the flow `naive` alone.
    pub as_written: Option<f64>,
    /// Those whose query is the gold query, of those that have one.
    pub exact: Option<f64>,
    /// Likeness of queries and gold queries, over all their sequences of tokens.
    pub gleu: Option<f64>,
    /// Mean relevancy of answers, where it was measured.
    pub relevancy: Option<f64>,
    /// Seconds for each question.
    pub seconds: f64,
    /// Calls of the model for each question, remembered replies included.
    pub calls: f64,
    /// Tokens for each question.
    pub tokens: f64,
    /// US dollars for all questions; `None` where the price is not known.
    pub cost: Option<f64>,
}

/// A number of questions, and how many of them are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The questions.
    pub asked: usize,
    /// Those that are right.
    pub right: usize,
}

/// What one flow gains over another one, with one model, on the questions that both were asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Uplift {
    /// The model.
    pub model: String,
    /// The flow that it is compared with.
    pub from: FlowName,
    /// The flow.
    pub to: FlowName,
    /// The questions that both were asked.
    pub asked: usize,
    /// Those that only the flow has right.
    pub gained: usize,
    /// Those that only the other one has right.
    pub lost: usize,
    /// The difference of both in percentage points.
    pub points: f64,
}

/// What became of the faults of a class that a player made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Recovery {
    /// The player.
    pub model: String,
    /// The class; `None` for questions at which it made no fault.
    pub fault: Option<Fault>,
    /// The questions, and how many of them are right all the same, by flow.
    pub flows: BTreeMap<FlowLabel, Count>,
}

/// A flow as a key, in the order of [`FlowName::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowLabel(pub FlowName);

impl FlowLabel {
    fn rank(self) -> Option<usize> {
        FlowName::ALL.iter().position(|flow| *flow == self.0)
    }
}

impl Ord for FlowLabel {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for FlowLabel {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for FlowLabel {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl Report {
    /// Counts entries. Sets, flows and models come in the order of `keys`.
    pub fn of(entries: &[Entry], judge: Option<String>, kinds: &BTreeMap<(String, String), String>) -> Self {
        let mut entries: Vec<&Entry> = entries.iter().collect();
        // The order in which questions were done must not show.
        entries.sort_by(|one, other| order(&one.key).cmp(&order(&other.key)));
        let sets = distinct(entries.iter().map(|entry| entry.key.set.clone()));
        let models = distinct(entries.iter().map(|entry| entry.key.model.clone()));
        let asked = |flow: &FlowName| entries.iter().any(|entry| entry.key.flow == *flow);
        let flows: Vec<FlowName> = FlowName::ALL.into_iter().filter(asked).collect();
        let mut report = Self { sets, flows, models, judge, ..Self::default() };
        report.count(&entries, kinds);
        report
    }

    fn count(&mut self, entries: &[&Entry], kinds: &BTreeMap<(String, String), String>) {
        for model in &self.models {
            for flow in &self.flows {
                let cell = |set: Option<&String>| {
                    let of = |entry: &&&Entry| {
                        entry.key.model == *model
                            && entry.key.flow == *flow
                            && set.is_none_or(|set| entry.key.set == *set)
                    };
                    let found: Vec<&Entry> = entries.iter().filter(of).copied().collect();
                    Cell::of(set.cloned(), *flow, model, &found, kinds)
                };
                self.cells.push(cell(None));
                if self.sets.len() > 1 {
                    self.by_set.extend(self.sets.iter().map(|set| cell(Some(set))));
                }
            }
            let of_model: Vec<&Entry> =
                entries.iter().filter(|entry| entry.key.model == *model).copied().collect();
            for from in &self.flows {
                let others = self.flows.iter().filter(|to| *to != from);
                self.uplifts.extend(others.map(|to| Uplift::of(model, *from, *to, &of_model)));
            }
            self.faults.extend(recoveries(model, &of_model));
        }
    }

    /// Returns the cell of a flow of a model.
    pub fn cell(&self, flow: FlowName, model: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.flow == flow && cell.model == model)
    }

    /// Returns what one flow gains over another one in percentage points, as the mean over all models.
    pub fn uplift(&self, from: FlowName, to: FlowName) -> Option<f64> {
        let of = |uplift: &&Uplift| uplift.from == from && uplift.to == to;
        mean(self.uplifts.iter().filter(of).map(|uplift| uplift.points)).map(rounded)
    }
}

fn order(key: &Key) -> (&str, &str, &str, &str, u32) {
    (&key.set, &key.question, key.flow.as_str(), &key.model, key.trial)
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

impl Cell {
    fn of(
        set: Option<String>,
        flow: FlowName,
        model: &str,
        entries: &[&Entry],
        kinds: &BTreeMap<(String, String), String>,
    ) -> Self {
        let mut counts: BTreeMap<String, Count> = BTreeMap::new();
        for entry in entries {
            let kind = kinds.get(&(entry.key.set.clone(), entry.key.question.clone()));
            counts.entry(kind.cloned().unwrap_or_default()).or_default().add(entry.score.right);
        }
        Self { set, flow, model: model.to_owned(), figures: Figures::of(entries), kinds: counts }
    }
}

impl Count {
    fn add(&mut self, right: bool) {
        self.asked += 1;
        self.right += usize::from(right);
    }

    /// Returns the share that is right, as a percentage; `None` of nothing.
    pub fn percent(self) -> Option<f64> {
        (self.asked > 0).then(|| rounded(100.0 * self.right as f64 / self.asked as f64))
    }
}

impl Figures {
    fn of(entries: &[&Entry]) -> Self {
        let scores = || entries.iter().map(|entry| &entry.score);
        let share = |found: Vec<bool>| percent(mean(found.into_iter().map(|is| f64::from(u8::from(is)))));
        let mut usage = Usage::default();
        let mut gleu: Option<Gleu> = None;
        for entry in entries {
            usage += entry.usage;
            if let Some(more) = entry.score.gleu {
                *gleu.get_or_insert_default() += more;
            }
        }
        let each = |whole: u64| whole as f64 / entries.len().max(1) as f64;
        let elapsed = entries.iter().map(|entry| entry.elapsed_ms).sum();
        Self {
            asked: entries.len(),
            failed: entries.iter().filter(|entry| entry.error.is_some()).count(),
            executable: share(scores().filter_map(|score| score.executable).collect()),
            right: share(scores().map(|score| score.right).collect()).unwrap_or_default(),
            as_written: share(scores().filter_map(|score| score.as_written).collect()),
            exact: share(scores().filter_map(|score| score.exact).collect()),
            gleu: percent(gleu.map(Gleu::share)),
            relevancy: mean(scores().filter_map(|score| score.relevancy)).map(|mean| fraction(mean, 1_000.0)),
            seconds: fraction(each(elapsed) / 1_000.0, 1_000.0),
            calls: rounded(each(usage.requests + usage.cached_replies)),
            tokens: each(usage.tokens()).round(),
            cost: usage.cost.map(|cost| fraction(cost, 1e6)),
        }
    }
}

impl Uplift {
    fn of(model: &str, from: FlowName, to: FlowName, entries: &[&Entry]) -> Self {
        let outcomes = |flow: FlowName| -> BTreeMap<(&str, &str, u32), bool> {
            let of = entries.iter().filter(|entry| entry.key.flow == flow);
            of.map(|entry| {
                let Key { set, question, trial, .. } = &entry.key;
                ((set.as_str(), question.as_str(), *trial), entry.score.right)
            })
            .collect()
        };
        let (before, after) = (outcomes(from), outcomes(to));
        let both: Vec<(bool, bool)> =
            before.iter().filter_map(|(key, right)| Some((*right, *after.get(key)?))).collect();
        let count = |wanted: (bool, bool)| both.iter().filter(|found| **found == wanted).count();
        let (gained, lost) = (count((false, true)), count((true, false)));
        let points = 100.0 * (gained as f64 - lost as f64) / both.len().max(1) as f64;
        Self { model: model.to_owned(), from, to, asked: both.len(), gained, lost, points: rounded(points) }
    }
}

/// What became of the faults of a player; nothing of a model, of which no fault is known.
fn recoveries(model: &str, entries: &[&Entry]) -> Vec<Recovery> {
    if entries.iter().all(|entry| entry.fault.is_none()) {
        return Vec::new();
    }
    let mut classes: BTreeMap<Option<Fault>, BTreeMap<FlowLabel, Count>> = BTreeMap::new();
    for entry in entries {
        let flows = classes.entry(entry.fault).or_default();
        flows.entry(FlowLabel(entry.key.flow)).or_default().add(entry.score.right);
    }
    let recovery = |(fault, flows)| Recovery { model: model.to_owned(), fault, flows };
    classes.into_iter().map(recovery).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn percent(share: Option<f64>) -> Option<f64> {
    share.map(|share| rounded(100.0 * share))
}

/// Rounds to one decimal.
fn rounded(value: f64) -> f64 {
    fraction(value, 10.0)
}

fn fraction(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// Returns the kind of each question by its set and identifier.
pub fn kinds(sets: &[Opened]) -> BTreeMap<(String, String), String> {
    let of = |opened: &Opened| {
        let set = opened.set.name.clone();
        let questions = opened.set.questions.clone();
        questions.into_iter().map(move |question| ((set.clone(), question.id), question.kind))
    };
    sets.iter().flat_map(of).collect()
}
