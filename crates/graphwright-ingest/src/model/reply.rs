//! Reads a model's reply item by item. What can be read is used, whatever surrounds it and however its parts are called.

use std::collections::BTreeMap;

use graphwright_llm::{read_json, without_thoughts};
use serde_json::{Map, Value};

/// Items of a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) entities: Vec<EntityItem>,
    pub(super) facts: Vec<FactItem>,
    /// What is wrong with the form of the reply, in words for the model.
    pub(super) faults: Vec<String>,
    /// Whether the reply has the frame that was asked for, even if it is empty.
    pub(super) framed: bool,
    /// Whether the reply ends in the middle of an item.
    pub(super) cut: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EntityItem {
    /// What facts call it; unique in the reply.
    pub(super) id: Option<String>,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) properties: Vec<PropertyItem>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PropertyItem {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) evidence: Evidence,
    pub(super) confidence: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FactItem {
    pub(super) id: Option<String>,
    /// Identifier or name of the start.
    pub(super) from: String,
    pub(super) from_type: Option<String>,
    pub(super) kind: String,
    pub(super) to: String,
    pub(super) to_type: Option<String>,
    pub(super) evidence: Evidence,
    pub(super) confidence: Option<f64>,
    pub(super) status: Status,
    pub(super) properties: Vec<PropertyItem>,
}

/// Where the text states something.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Evidence {
    /// Numbers of sentences.
    pub(super) sentences: Vec<usize>,
    /// The words of the text, where the model quotes.
    pub(super) quotation: String,
}

/// Whether what is stated is so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    #[default]
    Holds,
    Denied,
    Ended,
    Planned,
    Possible,
}

/// Words by which models call a part, the one that we ask for first. The others are those of common graph builders.
const ENTITIES: &[&str] = &["entities", "nodes"];
const FACTS: &[&str] = &["facts", "relationships", "relations", "edges", "triples"];
const DETAILS: &[&str] = &["details"];
const ID: &[&str] = &["id", "key"];
const NAME: &[&str] = &["name", "entity", "title", "text", "id"];
const KIND: &[&str] = &["type", "label", "kind", "entity_type", "category"];
const RELATION: &[&str] = &["type", "relation", "relationship", "predicate", "rel", "relation_type", "label"];
const FROM: &[&str] = &["from", "source", "subject", "head", "start", "start_node_id", "sub", "from_id"];
const TO: &[&str] = &["to", "target", "object", "tail", "end", "end_node_id", "obj", "to_id"];
const FROM_KIND: &[&str] = &["from_type", "source_type", "subject_type", "head_type"];
const TO_KIND: &[&str] = &["to_type", "target_type", "object_type", "tail_type"];
const PROPERTIES: &[&str] = &["properties", "attributes"];
const EVIDENCE: &[&str] = &["in", "sentences", "evidence", "sentence", "quote"];
const OF: &[&str] = &["of", "id"];
const ALIASES: &[&str] = &["aliases", "alias"];
const CONFIDENCE: &[&str] = &["confidence", "score"];

/// Reads a reply. Never fails: a reply without items has neither items nor frame.
pub(super) fn read(text: &str) -> Reading {
    let text = without_thoughts(text);
    let mut reading = Reading::default();
    let values = read_json(text);
    let mut details = Vec::new();
    for parsed in &values {
        reading.cut |= !parsed.whole;
        reading.frame(&parsed.value, &mut details, 0);
    }
    for detail in details {
        reading.detail(&detail);
    }
    if values.is_empty() {
        reading.facts.extend(text.lines().flat_map(line));
    }
    reading
}

impl Reading {
    /// Returns whether the reply says something, be it that there is nothing.
    pub(super) fn is_usable(&self) -> bool {
        self.framed || self.count() > 0
    }

    /// Adds the items of another reply about the same text. Its identifiers go over those here, so they are made apart.
    pub(super) fn join(&mut self, other: &Self) {
        let apart = |id: &str| format!("again {id}");
        let is_id = |said: &str| other.entities.iter().any(|entity| entity.id.as_deref() == Some(said));
        let end = |said: &str| if is_id(said) { apart(said) } else { said.to_owned() };
        let facts = other.facts.iter().map(|fact| FactItem {
            from: end(&fact.from),
            to: end(&fact.to),
            ..fact.clone()
        });
        self.facts.extend(facts);
        let entities = other.entities.iter();
        self.entities.extend(
            entities.map(|entity| EntityItem { id: entity.id.as_deref().map(apart), ..entity.clone() }),
        );
    }

    /// Returns the number of its items.
    pub(super) fn count(&self) -> usize {
        self.entities.len() + self.facts.len()
    }

    /// Takes the lists of a frame, the frame in its wrapping, or a bare item.
    fn frame(&mut self, value: &Value, details: &mut Vec<Value>, depth: usize) {
        match value {
            Value::Array(items) => {
                // A list without its frame; an empty one says that there is nothing.
                self.framed |= items.is_empty();
                for item in items {
                    self.item(item, details);
                }
            }
            Value::Object(map) => {
                let lists = [ENTITIES, FACTS, DETAILS].map(|names| get(map, names));
                if lists.iter().all(Option::is_none) {
                    // Arguments of a tool call, or the result under one key.
                    let inner = map.values().find(|inner| inner.is_object() || inner.is_array());
                    if is_fact(map) || is_entity(map) || inner.is_none() || depth > 2 {
                        self.item(value, details);
                    } else if let Some(inner) = inner {
                        self.frame(inner, details, depth + 1);
                    }
                    return;
                }
                self.framed = true;
                let [entities, facts, more] = lists;
                for (id, item) in entities.into_iter().flat_map(items) {
                    self.entity(item, id);
                }
                for (id, item) in facts.into_iter().flat_map(items) {
                    self.fact(item, id);
                }
                details.extend(more.into_iter().flat_map(items).map(|(_, item)| item.clone()));
            }
            _ => {}
        }
    }

    fn item(&mut self, item: &Value, details: &mut Vec<Value>) {
        match item {
            Value::Object(map) if is_fact(map) => self.fact(item, None),
            Value::Object(map) if is_entity(map) => self.entity(item, None),
            Value::Object(map) if get(map, OF).is_some() => details.push(item.clone()),
            Value::Array(_) => self.fact(item, None),
            Value::Object(map) if map.is_empty() => {}
            other => self.fault(other, "is neither an entity nor a fact"),
        }
    }

    fn fault(&mut self, item: &Value, what: &str) {
        self.faults.push(format!("{} {what}", graphwright_core::text::shorten(&item.to_string(), 120)));
    }

    fn entity(&mut self, item: &Value, id: Option<&str>) {
        let Value::Object(map) = item else { return self.fault(item, "is no object") };
        // Some put the name among the properties, and a number in its place.
        let among = get(map, PROPERTIES).and_then(Value::as_object).and_then(|own| text(own, &["name"]));
        let (Some(kind), Some(name)) = (text(map, KIND), among.or_else(|| text(map, NAME))) else {
            return self.fault(item, "lacks \"type\" or \"name\"");
        };
        self.entities.push(EntityItem {
            id: text(map, ID).or_else(|| id.map(str::to_owned)),
            kind,
            name,
            aliases: texts(get(map, ALIASES)),
            properties: properties(get(map, PROPERTIES)),
        });
    }

    fn fact(&mut self, item: &Value, id: Option<&str>) {
        if let Value::Array(parts) = item
            && let [Value::String(from), Value::String(kind), Value::String(to)] = parts.as_slice()
        {
            return self.facts.push(plain(from, kind, to));
        }
        let Value::Object(map) = item else { return self.fault(item, "is no object") };
        let (Some((from, from_type)), Some(kind), Some((to, to_type))) =
            (end(map, FROM, FROM_KIND), text(map, RELATION), end(map, TO, TO_KIND))
        else {
            return self.fault(item, "lacks \"from\", \"type\" or \"to\"");
        };
        let mut fact = FactItem {
            id: text(map, ID).or_else(|| id.map(str::to_owned)),
            from_type,
            to_type,
            evidence: evidence(get(map, EVIDENCE)),
            confidence: get(map, CONFIDENCE).and_then(confidence),
            ..plain(&from, &kind, &to)
        };
        match get(map, &["status"]).map(status) {
            Some(Some(status)) => fact.status = status,
            Some(None) => return self.fault(item, "has a \"status\" that is not known"),
            None => {}
        }
        for property in properties(get(map, PROPERTIES)) {
            fact.add(property);
        }
        self.facts.push(fact);
    }

    /// Adds what a detail says to the entity or fact that it is of.
    fn detail(&mut self, item: &Value) {
        let Value::Object(map) = item else { return self.fault(item, "is no object") };
        let (Some(of), Some(property)) = (text(map, OF), property(map)) else {
            return self.fault(item, "lacks \"of\", \"name\" or \"value\"");
        };
        let is = |id: &Option<String>| id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(&of));
        if let Some(fact) = self.facts.iter_mut().find(|fact| is(&fact.id)) {
            if !fact.add(property) {
                self.fault(item, "has a \"status\" that is not known");
            }
        } else if let Some(entity) =
            self.entities.iter_mut().find(|entity| is(&entity.id) || entity.name == of)
        {
            if ALIASES.contains(&property.name.as_str()) {
                entity.aliases.extend(texts(Some(&property.value)));
            } else {
                entity.properties.push(property);
            }
        } else {
            self.fault(item, "is of no entity and no fact of the reply");
        }
    }
}

impl FactItem {
    /// Adds a property, or what is said of the fact under the name of one. Returns false if it is no status that is known.
    fn add(&mut self, property: PropertyItem) -> bool {
        match property.name.to_lowercase().as_str() {
            "status" => match status(&property.value) {
                Some(status) => self.status = status,
                None => return false,
            },
            "confidence" => self.confidence = confidence(&property.value),
            _ => self.properties.push(property),
        }
        true
    }
}

fn plain(from: &str, kind: &str, to: &str) -> FactItem {
    FactItem {
        from: from.trim().to_owned(),
        kind: kind.trim().to_owned(),
        to: to.trim().to_owned(),
        ..FactItem::default()
    }
}

fn is_fact(map: &Map<String, Value>) -> bool {
    get(map, FROM).is_some() && get(map, TO).is_some()
}

fn is_entity(map: &Map<String, Value>) -> bool {
    get(map, KIND).is_some() && get(map, NAME).is_some()
}

/// Returns the part of the first of these names that is there and not null, whatever its case.
fn get<'a>(map: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    let found = |name: &&str| {
        map.get(*name)
            .or_else(|| map.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
    };
    names.iter().filter_map(found).find(|value| !value.is_null())
}

/// Returns a text, or a number as text.
fn text(map: &Map<String, Value>, names: &[&str]) -> Option<String> {
    as_text(get(map, names)?)
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(as_text).collect(),
        Some(value) => as_text(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Returns the items of a list, or of an object with their identifiers.
fn items(list: &Value) -> Vec<(Option<&str>, &Value)> {
    match list {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(map) => map.iter().map(|(id, item)| (Some(id.as_str()), item)).collect(),
        other => vec![(None, other)],
    }
}

/// Returns name and type of one end of a fact, which may be an entity in full.
fn end(map: &Map<String, Value>, names: &[&str], kinds: &[&str]) -> Option<(String, Option<String>)> {
    match get(map, names)? {
        Value::Object(entity) => Some((text(entity, NAME)?, text(entity, KIND))),
        value => Some((as_text(value)?, text(map, kinds))),
    }
}

/// Reads properties as a list of names and values, or as an object.
fn properties(value: Option<&Value>) -> Vec<PropertyItem> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_object).filter_map(property).collect(),
        Some(Value::Object(map)) => map
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| match value {
                Value::Object(said) if said.contains_key("value") => {
                    PropertyItem { name: name.clone(), ..property(said).unwrap_or_default() }
                }
                value => PropertyItem { name: name.clone(), value: value.clone(), ..PropertyItem::default() },
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn property(map: &Map<String, Value>) -> Option<PropertyItem> {
    Some(PropertyItem {
        name: text(map, &["name", "property", "key"]).unwrap_or_default(),
        value: get(map, &["value"])?.clone(),
        evidence: evidence(get(map, EVIDENCE)),
        confidence: get(map, CONFIDENCE).and_then(confidence),
    })
}

/// Reads numbers of sentences in any form (`3`, `[3, 4]`, `"S3-5"`), and words of the text.
fn evidence(value: Option<&Value>) -> Evidence {
    let mut read = Evidence::default();
    let all = match value {
        Some(Value::Array(items)) => items.iter().collect(),
        value => value.into_iter().collect::<Vec<_>>(),
    };
    for value in all {
        match value {
            Value::Number(number) => read.sentences.extend(number.as_u64().map(|number| number as usize)),
            Value::String(text) => match numbers(text) {
                Some(numbers) => read.sentences.extend(numbers),
                None => read.quotation.push_str(text),
            },
            _ => {}
        }
    }
    read
}

/// Reads numbers and ranges of sentences; `None` if there are other words.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let parts = text.split([',', ';', ' ', '[', ']', '(', ')', '.']).filter(|part| !part.is_empty());
    let mut read = Vec::new();
    for part in parts {
        let part = part.to_lowercase();
        if matches!(part.as_str(), "sentence" | "sentences" | "and" | "to") {
            continue;
        }
        let part = part.trim_start_matches('s');
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.trim_start_matches('s').parse().ok()?);
        read.extend((first..=last).take(20));
    }
    Some(read).filter(|read| !read.is_empty())
}

/// Reads a confidence: a share, a percentage, or a word. `None` if it is none of these.
fn confidence(value: &Value) -> Option<f64> {
    let number = |number: f64| match number {
        number if (0.0..=1.0).contains(&number) => Some(number),
        // Nobody is less sure than one in a hundred and says so.
        number if (1.0..=100.0).contains(&number) => Some(number / 100.0),
        _ => None,
    };
    let text = match value {
        Value::Number(said) => return number(said.as_f64()?),
        Value::String(text) => text.trim().to_lowercase(),
        _ => return None,
    };
    let plain = text.trim_end_matches('%').trim();
    if let Ok(said) = plain.parse() {
        return if text.ends_with('%') { number(said / 100.0) } else { number(said) };
    }
    match text.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty())? {
        "certain" | "stated" | "explicit" => Some(1.0),
        "high" | "very" | "sure" => Some(0.9),
        "medium" | "moderate" | "likely" | "implied" | "strongly" => Some(0.7),
        "low" | "weak" | "unlikely" | "hinted" | "uncertain" => Some(0.3),
        _ => None,
    }
}

/// Reads a status in any case. `None` if it is not known.
fn status(value: &Value) -> Option<Status> {
    let text = match value {
        Value::Null | Value::Bool(true) => return Some(Status::Holds),
        Value::Bool(false) => return Some(Status::Denied),
        Value::String(text) => text.trim().to_lowercase().replace(['-', ' '], "_"),
        _ => return None,
    };
    Some(match text.as_str() {
        "" | "holds" | "hold" | "current" | "present" | "true" | "active" | "stated" | "affirmed"
        | "ongoing" | "valid" => Status::Holds,
        "denied" | "denies" | "negated" | "negative" | "false" | "not" | "no" => Status::Denied,
        "ended" | "past" | "former" | "not_current" | "previous" | "historical" | "expired" | "over" => {
            Status::Ended
        }
        "planned" | "future" | "upcoming" | "expected" | "announced" | "not_begun" => Status::Planned,
        "possible" | "uncertain" | "hypothetical" | "conditional" | "proposed" | "doubtful" => {
            Status::Possible
        }
        _ => return None,
    })
}

/// Reads a line such as `- OWNED_BY(ledger, Payments)`. A comma may belong to a name, so each gives a fact of its own;
/// the text tells which has its names.
fn line(line: &str) -> Vec<FactItem> {
    let line = line
        .trim()
        .trim_start_matches(['-', '*', '•'])
        .trim_start()
        .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
        .trim();
    let mut facts = Vec::new();
    let mut rest = line;
    while let Some((kind, after)) = rest.split_once('(') {
        let kind = kind.trim_start_matches([',', ';', ' ']).trim();
        let is_kind = !kind.is_empty() && kind.len() <= 60 && kind.split_whitespace().count() <= 6;
        let (inside, next) = bracketed(after);
        if is_kind {
            facts.extend(
                inside
                    .match_indices(',')
                    .map(|(comma, _)| plain(&inside[..comma], kind, &inside[comma + 1..])),
            );
        }
        rest = next;
    }
    facts
}

/// Splits a text at the bracket that closes the one before it.
fn bracketed(text: &str) -> (&str, &str) {
    let mut open = 1;
    for (at, letter) in text.char_indices() {
        open += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if open == 0 {
            return (&text[..at], &text[at + 1..]);
        }
    }
    (text, "")
}

/// Counts how often each fault comes, for the model.
pub(super) fn in_words(faults: &[String]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for fault in faults {
        *counts.entry(fault).or_default() += 1;
    }
    let lines = counts.keys().take(8).map(|fault| format!("- {fault}"));
    lines.collect::<Vec<_>>().join("\n")
}
