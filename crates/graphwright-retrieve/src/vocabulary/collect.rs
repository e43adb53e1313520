//! Reads the words of a graph.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, hash_map},
    io,
};

use graphwright_core::{Value, names};
use graphwright_english::{
    inflection,
    questions::{Token, phrase_key, stem_key, tokenize},
    words,
};

use super::{
    entry::{self, About, Entry},
    names_of,
    summary::{Content, Summing},
};
use crate::{
    NodeIndex, Topology,
    mapped::{BlockWriter, Seal, put_number, put_text},
};

/// Values longer than this many bytes or words are text, not something one asks for by name.
const LONGEST_VALUE: (usize, usize) = (60, 6);

/// Of a relationship type with more of them, the values are not read: it would take as long as reading the whole graph.
const MOST_RELATIONSHIPS: usize = 1_000_000;

/// The words of a graph, before they are written.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) about: About,
    /// Values, each with the number of its property.
    records: Vec<u8>,
    offsets: Vec<u64>,
    entries: Vec<Entry>,
    /// The number of each value of a property; `None` once other forms of it are found too.
    seen: HashMap<(u32, String), Option<u32>>,
}

impl Collected {
    pub(super) fn of(topology: &Topology) -> Self {
        let mut collected = Self::default();
        (collected.about.longest_name, collected.about.longest_value) = (1, 1);
        let mut summing = Summing::default();
        for index in topology.entities() {
            let node = topology.read_node(index);
            summing.add(&node);
            names_of(&node).for_each(|name| collected.add_name(name, index));
            for (property, value) in &node.properties {
                if is_asked_for_by_value(property) {
                    let number = summing.property_number(property, value) as u32;
                    collected.add_values(number, value);
                }
            }
        }
        summing.add_relationships(topology);
        collected.add_values_of_relationships(topology, &mut summing);
        collected.about.summary = summing.summary;
        collected.seen = HashMap::new();
        collected.sort();
        collected
    }

    /// Adds the texts that relationships between entities have: `Neo` for the roles of those who acted.
    fn add_values_of_relationships(&mut self, topology: &Topology, summing: &mut Summing) {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (kind, property, content) in &summing.summary.edge_properties {
            let is_told = !names::is_bookkeeping(property) && property != names::STATUS;
            if *content == Content::Text && is_asked_for_by_value(property) && is_told {
                texts.entry(kind.clone()).or_default().push(property.clone());
            }
        }
        for (kind, properties) in texts {
            if topology.relationships_of_type(&kind).count() > MOST_RELATIONSHIPS {
                continue;
            }
            for relationship in topology.relationships_of_type(&kind) {
                let edge = topology.read_edge(relationship);
                for property in &properties {
                    let Some(value) = edge.properties.get(property) else { continue };
                    self.add_values(summing.property_number(property, value) as u32, value);
                }
            }
        }
    }

    /// Adds a text, or those of a list.
    fn add_values(&mut self, property: u32, value: &Value) {
        let items = value.as_list().unwrap_or(std::slice::from_ref(value));
        items.iter().filter_map(Value::as_str).for_each(|text| self.add_value(property, text));
    }

    fn add_name(&mut self, name: &str, node: NodeIndex) {
        let node = node.position() as u32;
        let tokens = tokenize(name);
        let plain = without_article(&tokens);
        for form in [&tokens, plain] {
            let key = phrase_key(form);
            if !key.is_empty() {
                self.entries.push(Entry::new(entry::NAME, &key, node, 0));
            }
        }
        self.about.longest_name = self.about.longest_name.max(tokens.len());
        let length = u8::try_from(plain.len()).unwrap_or(u8::MAX);
        for token in plain.iter().filter(|token| !words::is_filler(&token.lower)) {
            self.entries.push(Entry::new(entry::WORD, &token.lower, node, length));
        }
    }

    fn add_value(&mut self, property: u32, text: &str) {
        if text.len() > LONGEST_VALUE.0 {
            return;
        }
        match self.seen.entry((property, text.to_owned())) {
            hash_map::Entry::Occupied(mut known) => {
                // What several have is a kind, not a name, though it may begin as one: `drafts` for the status `Draft`.
                if is_words(text, true)
                    && let Some(number) = known.get_mut().take()
                {
                    self.add_forms(number, text);
                }
            }
            hash_map::Entry::Vacant(new) => {
                let tokens = tokenize(text);
                if tokens.len() > LONGEST_VALUE.1 || tokens.is_empty() {
                    return;
                }
                let number = self.offsets.len() as u32;
                let has_forms = is_words(text, false);
                new.insert(Some(number).filter(|_| !has_forms));
                self.about.longest_value = self.about.longest_value.max(tokens.len());
                self.offsets.push(self.records.len() as u64);
                put_number(&mut self.records, u64::from(property));
                put_text(&mut self.records, text);
                self.entries.push(Entry::new(entry::VALUE, &phrase_key(&tokens), number, 0));
                if let [first, _, ..] = tokens.as_slice()
                    && first.is_capital()
                {
                    self.entries.push(Entry::new(entry::BEGINNING, &first.lower, number, 0));
                }
                if has_forms {
                    self.add_forms(number, text);
                }
            }
        }
    }

    /// Lets a value be found by other forms of its words: `roses` for the value `rose`, which as a verb has another stem.
    fn add_forms(&mut self, number: u32, text: &str) {
        let plural = inflection::plural(text);
        for key in BTreeSet::from([stem_key(&tokenize(text)), stem_key(&tokenize(&plural))]) {
            self.entries.push(Entry::new(entry::STEMS, &key, number, 0));
        }
    }

    /// Sorts the entries. Of several names of one thing with one word, the first stays.
    fn sort(&mut self) {
        self.entries.sort_by_key(Entry::place);
        self.entries.dedup_by_key(|entry| entry.place());
        let mut names: Vec<u64> =
            self.entries.iter().filter(|entry| entry.form == entry::NAME).map(|entry| entry.hash).collect();
        names.dedup();
        self.about.names = names.len();
        self.about.values = self.offsets.len() as u32;
        self.about.records = self.records.len() as u64;
    }

    pub(super) fn write<W: io::Write>(&self, sink: W) -> io::Result<(W, Seal)> {
        let mut writer = BlockWriter::new(sink);
        writer.put(&self.records)?;
        for offset in self.offsets.iter().chain([&(self.records.len() as u64)]) {
            writer.put(&offset.to_le_bytes())?;
        }
        self.entries.iter().try_for_each(|entry| writer.put(&entry.to_bytes()))?;
        writer.finish()
    }
}

/// Returns whether one asks for things by what they have there.
fn is_asked_for_by_value(property: &str) -> bool {
    !names::is_reserved(property)
        && !matches!(property, names::NAME | names::ALIASES | "description" | "title")
}

/// Returns whether a text is of words that may stand in another form, unlike `.us`.
fn is_words(text: &str, may_have_capital: bool) -> bool {
    let rest = if may_have_capital { text.strip_prefix(char::is_uppercase).unwrap_or(text) } else { text };
    rest.chars().all(|letter| letter.is_lowercase() || matches!(letter, ' ' | '-' | '\''))
}

/// Returns a name without the article before it.
fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [first, rest @ ..] if !rest.is_empty() && words::is_article(&first.lower) => rest,
        _ => tokens,
    }
}
