//! What types a graph has, and the steps that its relationships allow from one type to another.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::scale::Scale;

/// A label, as a position in [`Schema::labels`].
pub(crate) type Label = u16;
/// A type of relationship, as a position in [`Schema::kinds`].
pub(crate) type Kind = u16;
/// A property, as a position in [`Schema::properties`].
pub(crate) type Property = u16;
/// A step, as a position in [`Schema::steps`].
pub(crate) type StepId = u16;

/// Which way a step goes along a relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Way {
    /// From its start to its end.
    Out,
    /// From its end to its start.
    In,
    /// Either way.
    Both,
}

/// A way from nodes of one label to nodes of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) from: Label,
    pub(crate) kind: Kind,
    pub(crate) way: Way,
    pub(crate) to: Label,
}

impl Step {
    pub(crate) fn reversed(self) -> Self {
        let way = match self.way {
            Way::Out => Way::In,
            Way::In => Way::Out,
            Way::Both => Way::Both,
        };
        Self { from: self.to, kind: self.kind, way, to: self.from }
    }
}

/// The types of a graph.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    pub(crate) labels: Vec<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) properties: Vec<String>,
    /// The properties of each label.
    pub(crate) has: Vec<BTreeSet<Property>>,
    /// What their values are measured by.
    pub(crate) scales: FxHashMap<(Label, Property), Scale>,
    pub(crate) steps: Vec<Step>,
    /// For each step, the steps that some node that it reaches has.
    pub(crate) next: Vec<Vec<StepId>>,
    /// The steps from each label.
    pub(crate) from: Vec<Vec<StepId>>,
    numbers: FxHashMap<Step, StepId>,
}

impl Schema {
    /// Builds the steps from the patterns that the graph has: label, type, label.
    pub(crate) fn connect(&mut self, patterns: &BTreeSet<(Label, Kind, Label)>) {
        let mut steps = BTreeSet::new();
        for &(from, kind, to) in patterns {
            steps.insert(Step { from, kind, way: Way::Out, to });
            steps.insert(Step { from: to, kind, way: Way::In, to: from });
            // Between things of one type a question may not say which way.
            if patterns.contains(&(to, kind, from)) {
                steps.insert(Step { from, kind, way: Way::Both, to });
            }
        }
        self.steps = steps.into_iter().collect();
        self.numbers = self.steps.iter().enumerate().map(|(at, step)| (*step, at as StepId)).collect();
        self.from = vec![Vec::new(); self.labels.len()];
        for (at, step) in self.steps.iter().enumerate() {
            self.from[usize::from(step.from)].push(at as StepId);
        }
        self.next = self.steps.iter().map(|step| self.from[usize::from(step.to)].clone()).collect();
    }

    /// What the values of a property are measured by.
    pub(crate) fn scale(&self, label: Label, property: Property) -> Scale {
        self.scales.get(&(label, property)).copied().unwrap_or_default()
    }

    pub(crate) fn step(&self, step: Step) -> Option<StepId> {
        self.numbers.get(&step).copied()
    }

    pub(crate) fn at(&self, step: StepId) -> Step {
        self.steps[usize::from(step)]
    }

    /// A step by its names.
    pub(crate) fn told(&self, step: usize) -> (String, String, Way, String) {
        let step = self.steps[step];
        let [from, to] = [step.from, step.to].map(|label| self.labels[usize::from(label)].clone());
        (from, self.kinds[usize::from(step.kind)].clone(), step.way, to)
    }

    pub(crate) fn label(&self, name: &str) -> Option<Label> {
        self.labels.iter().position(|label| label == name).map(|at| at as Label)
    }

    pub(crate) fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.iter().position(|kind| kind == name).map(|at| at as Kind)
    }

    pub(crate) fn property(&self, name: &str) -> Option<Property> {
        self.properties.iter().position(|property| property == name).map(|at| at as Property)
    }

    /// Returns a text that differs where labels, types, properties or what they connect differ.
    pub fn fingerprint(&self) -> String {
        let mut lines = BTreeMap::new();
        for (label, has) in self.labels.iter().zip(&self.has) {
            let has: BTreeSet<&str> =
                has.iter().map(|at| self.properties[usize::from(*at)].as_str()).collect();
            lines.insert(label.clone(), format!("{has:?}"));
        }
        for step in self.steps.iter().filter(|step| step.way == Way::Out) {
            let [from, to] = [step.from, step.to].map(|label| self.labels[usize::from(label)].as_str());
            let kind = &self.kinds[usize::from(step.kind)];
            lines.insert(format!("{from} {kind} {to}"), String::new());
        }
        format!("{:016x}", crate::features::hash(&format!("{lines:?}")))
    }
}
