//! The words that point into a graph: taken from its ontology, its schema, its names and its values.

mod frames;
mod names;
mod pages;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use graphwright_core::{
    Value, names as core_names,
    text::{identifier_words, likeness},
};
use graphwright_english::{
    codes,
    derivation::{Derivation, derivations},
    inflection::base_stem,
    questions::{Token, phrase_key, stem_key, tokenize},
    thesaurus, words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{Topology, Vocabulary};

pub(crate) use frames::{Frames, PhraseMatch, Reading, Shape, Spot, Voice};
pub(crate) use names::Names;
pub(crate) use pages::Pages;

use crate::schema::{Content, Label, Property, PropertyInfo, Schema, is_identifier};

/// What a phrase may mean, relationships and names apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    Type(Label),
    Property(Property),
    Value(Property, Value),
}

/// A meaning with how well the phrase says it, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sense {
    pub(crate) meaning: Meaning,
    pub(crate) weight: f64,
}

/// All vocabulary of a graph.
#[derive(Debug)]
pub(crate) struct Lexicon {
    phrases: HashMap<String, Vec<Sense>>,
    vocabulary: Arc<Vocabulary>,
    /// The properties of the schema, by their names.
    properties: HashMap<String, Property>,
    /// Those that hold how many of something there are.
    quantities: Vec<Property>,
    /// The properties that hold numbers, years apart.
    numbers: HashSet<Property>,
    /// The properties that hold a part of a time or date.
    parts_of_time: HashSet<Property>,
    pub(crate) longest: usize,
    pub(crate) frames: Frames,
    pub(crate) names: Names,
    pub(crate) pages: Pages,
    /// Types of documents by the stems of verbs for writing one: `decide` of a decision.
    page_verbs: HashMap<String, Vec<Label>>,
}

/// What a phrase says of a value that has another form of its words.
const OTHER_FORM: f64 = 0.9;
/// What one word of several says of the property that they name.
pub(crate) const PART_OF_NAME: f64 = 0.7;
/// The letters of a code of a language (ISO 639-1).
const CODE_OF_LANGUAGE: usize = 2;
/// What words say of a property that is called by their first letters.
const INITIALS: f64 = 0.9;

impl Lexicon {
    pub(crate) fn build(
        topology: &Topology,
        vocabulary: &Arc<Vocabulary>,
        schema: &Schema,
        ontology: &Ontology,
    ) -> Self {
        let numbered = schema.properties.iter().enumerate();
        let mut lexicon = Self {
            phrases: HashMap::new(),
            properties: numbered.map(|(at, property)| (property.name.clone(), at as Property)).collect(),
            quantities: quantities(schema),
            numbers: numbers(schema),
            parts_of_time: parts_of_time(schema),
            longest: vocabulary.longest_value().max(codes::LONGEST_NAME),
            frames: Frames::build(schema, ontology),
            names: Names::build(topology, Arc::clone(vocabulary), schema, ontology),
            pages: Pages::build(topology, schema),
            page_verbs: HashMap::new(),
            vocabulary: Arc::clone(vocabulary),
        };
        lexicon.add_types(schema, ontology);
        lexicon.add_pages(schema);
        lexicon.add_properties(schema, ontology);
        lexicon.add_starts(schema);
        lexicon
    }

    /// Whether a question has a word for documents that are entities, or for writing one.
    pub(crate) fn speaks_of_pages(&self, question: &str) -> bool {
        let is_page = |sense: &Sense| match &sense.meaning {
            Meaning::Type(label) => self.pages.labels.contains(label),
            _ => false,
        };
        !self.pages.labels.is_empty()
            && tokenize(question).iter().any(|token| {
                self.phrases.get(&token.stem).is_some_and(|senses| senses.iter().any(is_page))
                    || self.page_verbs.contains_key(&token.stem)
            })
    }

    /// Types of documents that a verb says were written: `decide`.
    pub(crate) fn pages_by_verb(&self, token: &Token) -> &[Label] {
        self.page_verbs.get(&token.stem).map_or(&[], Vec::as_slice)
    }

    /// What a span of words may mean as a type, a property, or another form of a value.
    pub(crate) fn phrases(&self, tokens: &[Token]) -> Vec<Sense> {
        let key = stem_key(tokens);
        let mut senses = self.phrases.get(&key).cloned().unwrap_or_default();
        let mut others = self.vocabulary.values_by_stems(&key).peekable();
        if others.peek().is_some() {
            // `Implementable` is not `implemented`, where both are values of one property.
            let exact: Vec<&str> =
                self.vocabulary.values(&phrase_key(tokens)).map(|(property, _)| property).collect();
            let others = others.filter(|(property, _)| !exact.contains(property));
            senses.extend(self.senses(others, OTHER_FORM));
        }
        senses
    }

    /// The types that words are for.
    pub(crate) fn types(&self, tokens: &[Token]) -> Vec<Label> {
        let senses = self.phrases(tokens).into_iter();
        let labels = senses.filter_map(|sense| match sense.meaning {
            Meaning::Type(label) => Some(label),
            _ => None,
        });
        labels.collect()
    }

    /// Whether a word is one for a type.
    pub(crate) fn has_type(&self, token: &Token) -> bool {
        !self.types(std::slice::from_ref(token)).is_empty()
    }

    /// Which stored values a span of words is.
    pub(crate) fn values(&self, tokens: &[Token]) -> Vec<Sense> {
        let key = phrase_key(tokens);
        let found = self.vocabulary.values(&key);
        let found = found.filter(|(_, text)| !is_other_number(tokens, text) && !is_other_word(tokens, text));
        self.senses(found, 1.0).collect()
    }

    /// Values of more words that begin with these; none when more than `limit` begin so.
    pub(crate) fn values_beginning_with(&self, tokens: &[Token], limit: usize) -> Vec<Sense> {
        let Some((first, further)) = tokens.split_first() else { return Vec::new() };
        let goes_on = |text: &str| {
            let own = tokenize(text);
            further.iter().zip(own.iter().skip(1)).filter(|(said, own)| said.lower == own.lower).count()
                == further.len()
        };
        let found = self.vocabulary.values_beginning_with(&first.lower);
        let found = self.senses(found.filter(|(_, text)| further.is_empty() || goes_on(text)), 1.0);
        let found: Vec<Sense> = found.take(limit + 1).collect();
        if found.len() > limit { Vec::new() } else { found }
    }

    fn senses<'a>(
        &'a self,
        values: impl Iterator<Item = (&'a str, &'a str)>,
        weight: f64,
    ) -> impl Iterator<Item = Sense> {
        values.filter_map(move |(property, text)| {
            let property = *self.properties.get(property)?;
            Some(Sense { meaning: Meaning::Value(property, Value::from(text)), weight })
        })
    }

    /// Properties that are called by the first letters of several words: `dob` for `date of birth`.
    pub(crate) fn properties_by_initials(&self, tokens: &[Token]) -> Option<Sense> {
        let initials: String = tokens.iter().filter_map(|token| token.lower.chars().next()).collect();
        let named = || self.properties.get(initials.as_str());
        let property = (tokens.len() > 1).then(named)??;
        Some(Sense { meaning: Meaning::Property(*property), weight: INITIALS })
    }

    /// Values that are the first letters of several words, as they are written: `AL` for `American League`.
    pub(crate) fn values_by_initials(&self, tokens: &[Token]) -> Vec<Sense> {
        let is_word = |token: &Token| {
            let says_nothing = words::is_auxiliary(&token.lower) || words::is_question_word(&token.lower);
            let is_written = token.is_capital() && token.text.contains(char::is_lowercase);
            is_written && !says_nothing && token.quote.is_none()
        };
        if tokens.len() < 2 || !tokens.iter().all(is_word) {
            return Vec::new();
        }
        let initials: String = tokens.iter().filter_map(|token| token.text.chars().next()).collect();
        let key = initials.to_lowercase();
        let found = self.vocabulary.values(&key).filter(|(_, text)| *text == initials);
        self.senses(found, INITIALS).collect()
    }

    /// Types that a general word may stand for, where the graph's own words do not have it.
    pub(crate) fn types_by_thesaurus(&self, token: &Token) -> Vec<Sense> {
        self.neighbours(thesaurus::noun_neighbours(&token.stem), |meaning| {
            matches!(meaning, Meaning::Type(_))
        })
    }

    /// Properties that an adjective or general noun may ask for.
    pub(crate) fn properties_by_thesaurus(&self, token: &Token) -> Vec<Sense> {
        let property = |meaning: &Meaning| matches!(meaning, Meaning::Property(_));
        let mut found = self.neighbours(thesaurus::measures(&token.stem), property);
        found.retain(|sense| token.stem != "long" || !self.is_part_of_time(&sense.meaning));
        found.extend(self.neighbours(thesaurus::noun_neighbours(&token.stem), property));
        // To play in a game is to attend it, and no attendance.
        let no_number = |meaning: &Meaning| matches!(meaning, Meaning::Property(property) if !self.numbers.contains(property));
        found.extend(self.neighbours(thesaurus::verb_neighbours(&token.stem), no_number));
        found
    }

    /// Whether a property is a part of a time, as `hour` and `minute` are, and not how long anything takes.
    fn is_part_of_time(&self, meaning: &Meaning) -> bool {
        matches!(meaning, Meaning::Property(property) if self.parts_of_time.contains(property))
    }

    /// Properties that two words measure, as `made of` asks for the material.
    pub(crate) fn properties_by_measure(&self, tokens: &[Token]) -> Vec<Sense> {
        let property = |meaning: &Meaning| matches!(meaning, Meaning::Property(_));
        let mut found = self.neighbours(thesaurus::measures(&stem_key(tokens)), property);
        for sense in &mut found {
            sense.weight = 0.95;
        }
        found
    }

    /// Properties that hold how many of something there are: `quantity`.
    pub(crate) fn quantities(&self) -> &[Property] {
        &self.quantities
    }

    /// Relationships whose noun two words stand for, as `kind of` asks for the genre.
    pub(crate) fn nouns_by_measure(&self, tokens: &[Token]) -> Vec<Reading> {
        let neighbours = thesaurus::measures(&stem_key(tokens)).iter();
        neighbours.flat_map(|neighbour| self.frames.nouns(&neighbour.words[0])).collect()
    }

    fn neighbours(
        &self,
        neighbours: &[thesaurus::Neighbour],
        wanted: impl Fn(&Meaning) -> bool,
    ) -> Vec<Sense> {
        let mut found: Vec<Sense> = Vec::new();
        for neighbour in neighbours {
            for sense in self.phrases.get(&neighbour.words.join(" ")).into_iter().flatten() {
                if wanted(&sense.meaning) && !found.iter().any(|other| other.meaning == sense.meaning) {
                    found.push(Sense { meaning: sense.meaning.clone(), weight: sense.weight * 0.75 });
                }
            }
        }
        found
    }

    fn add_phrase(&mut self, phrase: &str, meaning: Meaning, weight: f64) {
        let tokens: Vec<Token> = tokenize(phrase);
        let tokens = without_edges(&tokens);
        if tokens.is_empty() {
            return;
        }
        self.longest = self.longest.max(tokens.len());
        push_sense(self.phrases.entry(stem_key(tokens)).or_default(), meaning, weight);
    }

    fn add_types(&mut self, schema: &Schema, ontology: &Ontology) {
        for (number, label) in schema.labels.iter().enumerate() {
            let words = identifier_words(label);
            let meaning = Meaning::Type(number as Label);
            self.add_phrase(&words.join(" "), meaning.clone(), 1.0);
            for synonym in ontology.nodes.get(label).map_or(&[][..], |node| &node.synonyms) {
                self.add_phrase(synonym, meaning.clone(), 0.97);
            }
            if words.len() > 1
                && let Some(head) = words.last()
            {
                self.add_phrase(head, meaning, 0.6);
            }
        }
    }

    /// What documents of a type are called, where no type has the word for itself; and the verbs of these nouns.
    fn add_pages(&mut self, schema: &Schema) {
        let labels: Vec<Label> = self.pages.labels.iter().copied().collect();
        let own: HashSet<String> = self.phrases.keys().cloned().collect();
        for label in labels {
            let name = schema.label(label);
            let mut nouns = identifier_words(name);
            for (word, weight) in pages::other_words(name) {
                if !own.contains(&stem_key(&tokenize(&word))) {
                    self.add_phrase(&word, Meaning::Type(label), weight);
                }
                nouns.push(word);
            }
            for (verb, derivation) in nouns.iter().flat_map(|noun| derivations(noun)) {
                let labels = self.page_verbs.entry(verb).or_default();
                if derivation == Derivation::Act && !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
    }

    fn add_properties(&mut self, schema: &Schema, ontology: &Ontology) {
        // How many properties have a word in their names.
        let mut uses: HashMap<String, usize> = HashMap::new();
        for word in schema.properties.iter().flat_map(|property| identifier_words(&property.name)) {
            *uses.entry(word).or_default() += 1;
        }
        for (number, property) in schema.properties.iter().enumerate() {
            if property.name == core_names::NAME {
                continue;
            }
            let meaning = Meaning::Property(number as Property);
            let words = identifier_words(&property.name);
            self.add_phrase(&words.join(" "), meaning.clone(), 1.0);
            // `French name` for `name_fr`.
            if let Some((code, words)) = words.split_last().filter(|(code, _)| code.len() == CODE_OF_LANGUAGE)
                && let Some(language) = codes::language(code)
            {
                self.add_phrase(&format!("{language} {}", words.join(" ")), meaning.clone(), 0.97);
                self.add_phrase(&format!("{} in {language}", words.join(" ")), meaning.clone(), 0.97);
                // `What is Gent called in French`.
                if words.last().is_none_or(|last| last == core_names::NAME) {
                    self.add_phrase(language, meaning.clone(), PART_OF_NAME);
                }
            }
            // `Spacewalk hours` for `spaceWalkHours`.
            for phrase in joined_words(&words) {
                self.add_phrase(&phrase, meaning.clone(), 0.97);
            }
            for node in ontology.nodes.values() {
                let declared = node.properties.get(&property.name);
                for synonym in declared.map_or(&[][..], |property| &property.synonyms) {
                    self.add_phrase(synonym, meaning.clone(), 0.98);
                }
            }
            // `Created` asks for the `creation date`.
            let says: Vec<&String> = words.iter().filter(|word| !words::is_date_word(word)).collect();
            if let [word] = says.as_slice() {
                self.add_verbs(word, &meaning);
            }
            // What an identifier is of is not asked by it: `player` is no `playerID`.
            if words.len() > 1 && !is_identifier(&property.name) {
                // A short word where it can only be this one: `CP` for `maxCP`.
                let is_unit = |word: &str| words::is_unit(word) || words::is_unit_of_name(word);
                let is_own = |word: &String| word.len() > 1 && !is_unit(word) && uses[word] == 1;
                // `Second` is a place in an order, and no `second group stage`.
                let says = |word: &&String| {
                    (word.len() > 3 || is_own(word))
                        && !words::is_filler(word)
                        && words::ordinal(word).is_none()
                };
                for word in words.iter().filter(says) {
                    // `product` is the type, not its `productID`.
                    let senses = self.phrases.get(&base_stem(word)).map_or(&[][..], Vec::as_slice);
                    if senses.iter().any(|sense| matches!(sense.meaning, Meaning::Type(_))) {
                        continue;
                    }
                    self.add_phrase(word, meaning.clone(), PART_OF_NAME);
                }
            }
        }
    }

    /// A `date` is that of the start, where an end date is beside it and no other start.
    fn add_starts(&mut self, schema: &Schema) {
        let says = |property: &PropertyInfo| -> Vec<String> {
            let words = identifier_words(&property.name).into_iter();
            words.filter(|word| !words::is_date_word(word) && word != "time").collect()
        };
        let is_date = |number: usize| schema.is_date_like(number as Property);
        let dates: Vec<(usize, &PropertyInfo, Vec<String>)> = (schema.properties.iter().enumerate())
            .filter(|(number, _)| is_date(*number))
            .map(|(number, property)| (number, property, says(property)))
            .collect();
        for (number, property, _) in dates.iter().filter(|(_, _, says)| says.is_empty()) {
            let beside = |word: &str| {
                dates
                    .iter()
                    .any(|(_, other, says)| *says == [word] && !property.labels.is_disjoint(&other.labels))
            };
            let is_whole = property.content == Content::Date;
            if is_whole && beside("end") && !beside("start") && !beside("begin") {
                self.add_phrase("start", Meaning::Property(*number as Property), PART_OF_NAME);
                self.add_phrase("start date", Meaning::Property(*number as Property), OTHER_FORM);
            }
        }
    }

    /// `weigh` asks for the `weight`.
    fn add_verbs(&mut self, noun: &str, meaning: &Meaning) {
        for (root, _) in derivations(noun) {
            if !self.phrases.contains_key(&root) {
                push_sense(self.phrases.entry(root).or_default(), meaning.clone(), 0.8);
            }
        }
    }
}

fn numbers(schema: &Schema) -> HashSet<Property> {
    let numbered = schema.properties.iter().zip(0..);
    let is_amount =
        |own: &PropertyInfo, number| own.content == Content::Number && !schema.is_date_like(number);
    numbered.filter(|(own, number)| is_amount(own, *number)).map(|(_, number)| number).collect()
}

fn parts_of_time(schema: &Schema) -> HashSet<Property> {
    let is_part = |own: &PropertyInfo| {
        let name = identifier_words(&own.name);
        let last = name.last().map_or("", String::as_str);
        own.content == Content::Date
            || matches!(last, "second" | "minute" | "hour" | "day" | "week" | "month" | "year")
    };
    let numbered = schema.properties.iter().zip(0..);
    numbered.filter(|(own, _)| is_part(own)).map(|(_, number)| number).collect()
}

/// The properties of relationships that hold how many of something there are.
fn quantities(schema: &Schema) -> Vec<Property> {
    let numbered = schema.properties.iter().zip(0..);
    let is_number = |own: &PropertyInfo| !own.kinds.is_empty() && own.content == Content::Number;
    let numbers = numbered.filter(|(own, _)| is_number(own)).map(|(_, number)| number);
    numbers.filter(|number| schema.is_quantity(*number)).collect()
}

/// Some words with two of them written as one, each pair once: `space walk hours` → `spacewalk hours`, `space walkhours`.
fn joined_words(words: &[String]) -> Vec<String> {
    let join = |at: usize| {
        let pair = [words[at - 1].as_str(), words[at].as_str()].concat();
        let before = words[..at - 1].iter().cloned();
        before.chain([pair]).chain(words[at + 1..].iter().cloned()).collect::<Vec<_>>().join(" ")
    };
    (1..words.len()).map(join).collect()
}

/// Whether a code in capitals is also a verb, as which it is written: `GO` in `to go to Rome`.
fn is_other_word(tokens: &[Token], value: &str) -> bool {
    let [token] = tokens else { return false };
    let is_code = value.len() <= 3 && value.chars().all(char::is_uppercase);
    is_code
        && !token.is_capital()
        && (words::is_common_verb(&token.lower) || words::is_likely_verb(&token.lower))
}

/// Whether a word is a whole number and a value is one with a fraction that has its digits: 1997 is not 19.97.
fn is_other_number(tokens: &[Token], value: &str) -> bool {
    let is_whole = |token: &Token| token.text.chars().all(|letter| letter.is_ascii_digit());
    matches!(tokens, [token] if is_whole(token))
        && value.trim().contains('.')
        && value.trim().parse::<f64>().is_ok()
}

fn push_sense(senses: &mut Vec<Sense>, meaning: Meaning, weight: f64) {
    match senses.iter_mut().find(|sense| sense.meaning == meaning) {
        Some(sense) => sense.weight = sense.weight.max(weight),
        None => senses.push(Sense { meaning, weight }),
    }
}

/// Without articles and helping verbs at the beginning.
fn without_edges(tokens: &[Token]) -> &[Token] {
    let first = tokens
        .iter()
        .position(|token| !words::is_auxiliary(&token.lower) && !words::is_article(&token.lower));
    first.map_or(&[], |first| &tokens[first..])
}

/// Names of types and properties near to a word, for hints.
pub(crate) fn words_like(word: &str, schema: &Schema) -> Vec<String> {
    let mut near: BTreeSet<String> = BTreeSet::new();
    let all = schema.labels.iter().chain(&schema.kinds).chain(schema.properties.iter().map(|p| &p.name));
    for name in all.filter(|name| !core_names::is_reserved(name)) {
        let parts = identifier_words(name);
        if parts.iter().any(|part| likeness(part, word) > 0.88) {
            near.insert(name.clone());
        }
    }
    near.into_iter().collect()
}
