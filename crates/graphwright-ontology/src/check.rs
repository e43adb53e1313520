//! Checks an ontology for errors and doubtful places.

use std::{collections::HashMap, fmt};

use graphwright_core::{names, text};
use indexmap::IndexMap;
use serde::Serialize;

use super::{DataType, Ontology, PropertyType};

/// Severity of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The ontology works, but probably not as meant.
    Warning,
    /// The ontology cannot be used.
    Error,
}

impl Severity {
    /// Returns a stable name for programs and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A finding of [`Ontology::check`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Severity of the finding.
    pub severity: Severity,
    /// Place in the file, such as `relationships.DEPENDS_ON.from`.
    pub place: String,
    /// What is wrong, and what to do about it.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// Properties of relationships that only the writer may set.
const OURS_ON_RELATIONSHIPS: [&str; 6] =
    [names::ID, names::CHUNKS, names::STARTS, names::ENDS, names::CONFIDENCE, names::RECORDED_AT];
/// Properties of entities that only the writer may set.
const OURS_ON_ENTITIES: [&str; 2] = [names::ID, names::EMBEDDING];

impl Ontology {
    /// Checks the ontology and returns all findings in the order of the file.
    ///
    /// Looks for unknown types, reserved names, values that do not fit their type, words with two
    /// meanings, and other things that cannot work.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        self.check_nodes(&mut findings);
        self.check_relationships(&mut findings);
        self.check_words(&mut findings);
        self.check_examples(&mut findings);
        findings.0
    }

    fn check_nodes(&self, findings: &mut Findings) {
        if self.nodes.is_empty() && self.inferred_from.is_none() {
            findings.error("nodes", "no type is named, so nothing could be read from documents".to_owned());
        }
        for (label, node) in &self.nodes {
            let place = format!("nodes.{label}");
            check_name(findings, &place, label, matches!(label.as_str(), names::DOCUMENT | names::CHUNK));
            if !label.starts_with(char::is_uppercase) || label.contains('_') {
                findings.warn(&place, "labels are written in PascalCase".to_owned());
            }
            check_properties(findings, &place, &node.properties, &OURS_ON_ENTITIES);
            let texts = DataType::List(Box::new(DataType::String));
            if node.properties.get(names::ALIASES).is_some_and(|aliases| aliases.kind != texts) {
                findings.error(
                    &format!("{place}.properties.{}", names::ALIASES),
                    format!("holds the other names of an entity, so its type is {texts}"),
                );
            }
            if let Some(key) = node.key.as_deref()
                && key != names::NAME
                && !node.properties.contains_key(key)
            {
                let known = node.properties.keys().map(String::as_str);
                findings.error(
                    &format!("{place}.key"),
                    format!("there is no property '{key}'{}", did_you_mean(key, known)),
                );
            }
            if node.closed && node.aliases.is_empty() {
                findings.warn(
                    &format!("{place}.closed"),
                    "no name is listed, so the type stays empty".to_owned(),
                );
            }
            for pattern in &node.from {
                if let Err(error) = globset::Glob::new(pattern) {
                    findings.error(&format!("{place}.from"), format!("is no pattern of paths: {error}"));
                }
            }
            let mut seen: HashMap<String, &str> = HashMap::new();
            for (name, aliases) in &node.aliases {
                for word in std::iter::once(name).chain(aliases) {
                    if let Some(other) = seen.insert(word.to_lowercase(), name)
                        && other != name
                    {
                        findings.error(
                            &format!("{place}.aliases.{name}"),
                            format!("'{word}' is already a name of '{other}'"),
                        );
                    }
                }
            }
        }
    }

    fn check_relationships(&self, findings: &mut Findings) {
        for (kind, relationship) in &self.relationships {
            let place = format!("relationships.{kind}");
            check_name(findings, &place, kind, names::is_lexical(kind));
            if kind.chars().any(char::is_lowercase) {
                findings.warn(&place, "relationship types are written in UPPER_SNAKE".to_owned());
            }
            for (side, types) in [("from", &relationship.from), ("to", &relationship.to)] {
                for label in types.iter().filter(|label| !self.nodes.contains_key(*label)) {
                    let known = self.nodes.keys().map(String::as_str);
                    findings.error(
                        &format!("{place}.{side}"),
                        format!("there is no node type '{label}'{}", did_you_mean(label, known)),
                    );
                }
                if types.is_empty() && !self.nodes.is_empty() {
                    findings
                        .warn(&format!("{place}.{side}"), "no type is named, so any is allowed".to_owned());
                }
            }
            for cue in relationship.cues.iter().filter(|cue| relationship.inverse_cues.contains(cue)) {
                let symmetric = relationship.from == relationship.to;
                if !symmetric {
                    findings
                        .error(&format!("{place}.cues"), format!("'{cue}' is also among the inverse cues"));
                }
            }
            check_properties(findings, &place, &relationship.properties, &OURS_ON_RELATIONSHIPS);
        }
    }

    /// Checks that examples keep the ontology, and that their text has what they say is in it.
    fn check_examples(&self, findings: &mut Findings) {
        for (index, example) in self.examples.iter().enumerate() {
            let place = format!("examples[{index}]");
            for entity in &example.entities {
                if !self.nodes.contains_key(&entity.kind) {
                    let near = did_you_mean(&entity.kind, self.nodes.keys().map(String::as_str));
                    findings.error(&place, format!("there is no node type '{}'{near}", entity.kind));
                }
                if !example.text.contains(&entity.name) {
                    findings.error(&place, format!("the text does not have '{}'", entity.name));
                }
            }
            for fact in &example.facts {
                if !self.relationships.contains_key(&fact.kind) {
                    let near = did_you_mean(&fact.kind, self.relationships.keys().map(String::as_str));
                    findings.error(&place, format!("there is no relationship type '{}'{near}", fact.kind));
                }
                for end in [&fact.from, &fact.to] {
                    if !example.entities.iter().any(|entity| entity.name == *end) {
                        findings.error(&place, format!("'{end}' is not among its entities"));
                    }
                }
            }
        }
    }

    /// Checks that no word means two types.
    fn check_words(&self, findings: &mut Findings) {
        let mut seen: HashMap<String, &str> = HashMap::new();
        for (label, node) in &self.nodes {
            for word in std::iter::once(label).chain(&node.synonyms) {
                match seen.insert(word.to_lowercase(), label) {
                    Some(other) if other == label => {
                        findings.warn(&format!("nodes.{label}.synonyms"), format!("'{word}' stands twice"));
                    }
                    Some(other) => findings
                        .error(&format!("nodes.{label}.synonyms"), format!("'{word}' already means {other}")),
                    None => {}
                }
            }
        }
    }
}

fn check_name(findings: &mut Findings, place: &str, name: &str, taken: bool) {
    let odd = |character: char| character == '`' || character == '\0' || character.is_control();
    if name.trim().is_empty() || name.contains(odd) {
        findings.error(
            place,
            "a name has at least one character, and no backtick or control character".to_owned(),
        );
    } else if taken || names::is_reserved(name) {
        findings.error(place, format!("'{name}' is used by Graphwright itself; choose another name"));
    }
}

fn check_properties(
    findings: &mut Findings,
    place: &str,
    properties: &IndexMap<String, PropertyType>,
    ours: &[&str],
) {
    let mut words: HashMap<String, &str> = HashMap::new();
    for (name, property) in properties {
        let place = format!("{place}.properties.{name}");
        check_name(findings, &place, name, ours.contains(&name.as_str()));
        for value in property.values.iter().filter(|value| property.kind.parse_json(value).is_none()) {
            findings.error(&format!("{place}.enum"), format!("{value} is not of type {}", property.kind));
        }
        let is_number = matches!(property.kind, DataType::Float | DataType::Integer);
        if name == names::WEIGHT && ours.contains(&names::CHUNKS) && !is_number {
            findings.error(&place, "the weight of a relationship is a float from 0 to 1".to_owned());
        }
        for word in std::iter::once(name).chain(&property.synonyms) {
            if let Some(other) = words.insert(word.to_lowercase(), name)
                && other != name
            {
                findings.error(&format!("{place}.synonyms"), format!("'{word}' already means '{other}'"));
            }
        }
    }
}

fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// Words have to be more alike than 0.75 for one to be taken for the other.
const LEAST_LIKENESS: f64 = 0.75_f64.next_up();

/// Returns the candidate most like `word`, or `None` if none is near.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    text::nearest(word, candidates, LEAST_LIKENESS)
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn error(&mut self, place: &str, message: String) {
        self.0.push(Finding { severity: Severity::Error, place: place.to_owned(), message });
    }

    fn warn(&mut self, place: &str, message: String) {
        self.0.push(Finding { severity: Severity::Warning, place: place.to_owned(), message });
    }
}
