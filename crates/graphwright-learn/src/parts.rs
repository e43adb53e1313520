//! The parts of meanings that words speak for, by numbers.

use rustc_hash::FxHashMap;

use graphwright_core::text::identifier_words;
use graphwright_english::{inflection::base_stem, thesaurus};

use crate::{
    features::{Part, Weights, hash},
    meaning::{Asked, Rank},
    scale::Scale,
    schema::{Label, Property, Schema, StepId, Way},
};

/// Nothing: the words that every question may have.
pub(crate) const NOTHING: Part = 0;
/// Any condition.
pub(crate) const CONDITION: Part = 1;
/// Transitions and other features of the whole.
pub(crate) const WHOLE: Part = 2;

/// What the words of a name say for what it names before anything is learned.
const SAID_BY_NAMES: f32 = 2.0;
/// What words say that people use for those.
const SAID_BY_NEIGHBOURS: f32 = 1.0;
/// How fast is learned what holds for one use of a property alone, so that rather what it is called is learned, which holds for all.
const OWN_PACE: f32 = 0.3;

/// The numbers of parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    names: Vec<String>,
    numbers: FxHashMap<String, Part>,
    steps: Vec<[Part; 2]>,
    things: Vec<[Part; 2]>,
    conditions: FxHashMap<(Label, Property), [Part; 2]>,
    asked: FxHashMap<(Label, Asked), Vec<Part>>,
    ranks: FxHashMap<(Label, Rank), Vec<Part>>,
}

impl Parts {
    pub(crate) fn of(schema: &Schema) -> Self {
        let mut parts = Self::default();
        for name in ["nothing", "condition", "whole"] {
            parts.number(name.to_owned());
        }
        for step in &schema.steps {
            let [from, to] = [step.from, step.to].map(|label| schema.labels[usize::from(label)].as_str());
            let kind = &schema.kinds[usize::from(step.kind)];
            let way = match step.way {
                Way::Out => ">",
                Way::In => "<",
                Way::Both => "-",
            };
            let pair =
                [parts.number(format!("step {from} {kind}{way} {to}")), parts.number(format!("kind {kind}"))];
            parts.steps.push(pair);
        }
        for (at, name) in schema.labels.iter().enumerate() {
            let pair = [parts.number(format!("target {name}")), parts.number(format!("thing {name}"))];
            parts.things.push(pair);
            for property in &schema.has[at] {
                parts.add_property(schema, at as Label, *property);
            }
            parts.add_asked(at as Label, Asked::Entities, "entities", None);
            parts.add_asked(at as Label, Asked::Count, "count", None);
        }
        parts
    }

    fn add_property(&mut self, schema: &Schema, label: Label, property: Property) {
        let name = &schema.properties[usize::from(property)];
        let scale = schema.scale(label, property);
        // What a property is called, whether it is asked for, sorted by or a condition.
        let called = self.number(format!("property {name}"));
        let own = self.number(format!("own condition {} {name}", schema.labels[usize::from(label)]));
        self.conditions.insert((label, property), [own, called]);
        let values = [self.number(format!("own values {name}")), called];
        let measured = self.scale(scale, "values");
        self.add_asked(label, Asked::Values(property), "values", values.into_iter().chain(measured));
        for descending in [true, false] {
            let order = if descending { "last" } else { "first" };
            let mut parts =
                vec![self.number(format!("own {order} {name}")), self.number(order.to_owned()), called];
            parts.extend(self.scale(scale, order));
            self.ranks.insert((label, Rank { property, descending }), parts);
        }
    }

    /// What is measured alike is asked for and sorted in the same words.
    fn scale(&mut self, scale: Scale, used_for: &str) -> Option<Part> {
        (scale != Scale::None).then(|| self.number(format!("scale {} {used_for}", scale.name())))
    }

    /// What is asked for is asked in the same words of all things.
    fn add_asked(&mut self, label: Label, asked: Asked, kind: &str, more: impl IntoIterator<Item = Part>) {
        let parts = std::iter::once(self.number(format!("{kind} anything"))).chain(more).collect();
        self.asked.insert((label, asked), parts);
    }

    fn number(&mut self, name: String) -> Part {
        let next = self.names.len() as Part;
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        number
    }

    /// How fast something is learned of a part.
    pub(crate) fn pace(&self, part: Part) -> f32 {
        if self.names[usize::from(part)].starts_with("own ") { OWN_PACE } else { 1.0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn named(&self, name: &str) -> Option<Part> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, part: Part) -> &str {
        &self.names[usize::from(part)]
    }

    pub(crate) fn step(&self, step: StepId) -> &[Part] {
        &self.steps[usize::from(step)]
    }

    pub(crate) fn thing(&self, label: Label, is_target: bool) -> &[Part] {
        let pair = &self.things[usize::from(label)];
        if is_target { pair } else { &pair[1..] }
    }

    pub(crate) fn condition(&self, label: Label, property: Property) -> &[Part] {
        self.conditions.get(&(label, property)).map_or(&[], |three| three)
    }

    pub(crate) fn asked(&self, label: Label, asked: Asked) -> &[Part] {
        self.asked.get(&(label, asked)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn rank(&self, label: Label, rank: Rank) -> &[Part] {
        self.ranks.get(&(label, rank)).map_or(&[], Vec::as_slice)
    }

    /// Lets the words of names speak for what they name before anything is learned, and words that people use for them less.
    pub(crate) fn say_their_names(&self, weights: &mut Weights) {
        for (part, name) in self.names.iter().enumerate().skip(3) {
            let (kind, name) = name.split_once(' ').unwrap_or(("", name));
            if matches!(kind, "step" | "entities" | "count" | "scale" | "own") {
                continue;
            }
            for word in name.split(' ').flat_map(identifier_words) {
                let stem = base_stem(&word);
                let alike = thesaurus::noun_neighbours(&stem).iter().chain(thesaurus::verb_neighbours(&stem));
                for neighbour in alike.filter(|neighbour| neighbour.words.len() == 1) {
                    weights.set(hash(&format!("s={}", neighbour.words[0])), part as Part, SAID_BY_NEIGHBOURS);
                }
                weights.set(hash(&format!("s={stem}")), part as Part, SAID_BY_NAMES);
            }
        }
    }
}
