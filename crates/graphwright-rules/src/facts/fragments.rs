//! Sentences without subject or verb, as entries have them: what they say is said of the thing that the entry is about.

use std::{collections::BTreeMap, ops::Range};

use graphwright_core::Value;
use graphwright_ontology::DataType;

use super::{
    clauses::Reader,
    collect::Status,
    context::Entity,
    grammar, inflect, modality,
    slots::Term,
    units::{Sentence, UnitKind},
    values,
    vocabulary::Vocabulary,
};

/// Whether a sentence has no finite verb with a subject of its own: `Built in 1901 by X, 12 m long.`
pub(super) fn is_fragment(sentence: &Sentence<'_>) -> bool {
    let mut relative = false;
    for unit in 0..sentence.units.len() {
        let word = sentence.word(unit);
        if sentence.units[unit].kind == UnitKind::Mark {
            relative &= !matches!(word, "," | ";" | ")");
            continue;
        }
        relative |= grammar::is_relative(word) && sentence.is_word(unit);
        if !relative && is_finite(sentence, unit) {
            return false;
        }
    }
    true
}

/// Whether a word is a verb with its subject before it, or its object behind it.
fn is_finite(sentence: &Sentence<'_>, unit: usize) -> bool {
    if !sentence.is_word(unit) || unit == 0 {
        return false;
    }
    let word = sentence.word(unit);
    if grammar::is_auxiliary(word) {
        return word != "'s";
    }
    if word == "crossed" && sentence.word(unit + 1) == "with" {
        return false;
    }
    let mut before = unit - 1;
    while before > 0 && sentence.is_word(before) && grammar::is_adverbial(sentence.word(before)) {
        before -= 1;
    }
    let after_noun =
        sentence.is_word(before) && sentence.tokens[sentence.units[before].tokens.start].singular.is_some();
    let subject =
        matches!(sentence.units[before].kind, UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun);
    let next = unit + 1;
    let object = sentence.name_at(next).is_some()
        || sentence.units.get(next).is_some_and(|unit| unit.kind == UnitKind::Pronoun)
        || sentence.is_word(next) && grammar::is_determiner(sentence.word(next));
    let past = grammar::is_past(word);
    let present = grammar::is_likely_verb(word) && !past;
    // `X, who came from Y, works at Z`
    let first = usize::from(sentence.is_word(0) && grammar::is_determiner(sentence.word(0)));
    let named = sentence.name_at(first).map(|name| &sentence.mentions[name]);
    let subject_in_front = named.is_some_and(|name| !name.is_unknown() || name.tokens.len() > 1);
    let after_insertion = matches!(sentence.word(before), "," | ")") && subject_in_front;
    present && word.ends_with('s') && after_insertion
        || past && (subject && sentence.word(next) != "by" || object)
        || present && (subject || after_noun || object && word.ends_with('s'))
}

/// The name in the noun phrase that a fragment opens with: `A seedling of X, raised by Y` tells of the seedling, not of X.
pub(super) fn complement(sentence: &Sentence<'_>) -> Option<usize> {
    let start = usize::from(matches!(sentence.word(0), "a" | "an" | "the" | "another"));
    let open = |unit: &usize| sentence.is_word(*unit) && !grammar::is_closed(sentence.word(*unit));
    let of = (start..sentence.units.len()).take(5).take_while(open).last()? + 1;
    let name = of + 1 + usize::from(sentence.word(of + 1) == "the");
    let found = sentence.name_at(name).filter(|_| sentence.word(of) == "of")?;
    is_fragment(sentence).then_some(found)
}

/// Whether the first name of a sentence, at a unit, is not its subject, since it has none: `Found by X in a hedge.`
pub(super) fn lacks_subject(sentence: &Sentence<'_>, first: usize) -> bool {
    let led = (0..first).any(|unit| sentence.is_word(unit) && grammar::is_preposition(sentence.word(unit)));
    let own_verb = sentence.is_word(0) && grammar::is_likely_verb(sentence.word(0));
    sentence.name_at(first).is_some() && (led || own_verb && first > 0) && is_fragment(sentence)
}

/// Whether what a name in a fragment cannot be meant by is said of the thing that the entry is about: `Built at X, owned by Y.`
pub(super) fn may_mean_topic(sentence: &Sentence<'_>, terms: &[Term]) -> bool {
    matches!(terms, [] | [Term::Name(_) | Term::First]) && is_fragment(sentence)
}

/// The parts of a sentence between its marks, as ranges of units.
fn segments(sentence: &Sentence<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for unit in 0..=sentence.units.len() {
        let ends = sentence.units.get(unit).is_none_or(|unit| unit.kind == UnitKind::Mark);
        if ends {
            if unit > start {
                found.push(start..unit);
            }
            start = unit + 1;
        }
    }
    found
}

/// A part of a fragment, and the thing that it tells of.
struct Part<'p> {
    sentence: &'p Sentence<'p>,
    topic: &'p Entity,
    /// Its units.
    segment: Range<usize>,
    status: Status,
}

impl Reader<'_, '_> {
    /// Reads what the parts of a fragment say of the thing that the entry, section or page is about.
    pub(super) fn read_fragment(&mut self, sentence: &Sentence<'_>) {
        self.read_crosses(sentence);
        let Some(topic) = self.context.topic().cloned().filter(|_| is_fragment(sentence)) else { return };
        for segment in segments(sentence) {
            let status =
                modality::surroundings(sentence, segment.start, segment.end - 1, false).max(self.base);
            let part = Part { sentence, topic: &topic, segment, status };
            self.read_bare_name(&part);
            self.read_bare_measure(&part);
            self.read_bare_state(&part);
            self.read_colour(&part);
            self.read_bare_agent(&part);
        }
    }

    /// `Silver Medal 1881.`; `Lund & Sons, 1926.`: a name alone, or with a year, where only one relationship may be meant.
    fn read_bare_name(&mut self, part: &Part<'_>) {
        let Part { sentence, topic, ref segment, status } = *part;
        let vocabulary = self.lexicon.vocabulary;
        let Some(mention) = sentence.name_at(segment.start) else { return };
        let year_at = |unit: usize| {
            let ends = sentence.units.get(unit + 1).is_none_or(|unit| unit.kind == UnitKind::Mark);
            let word = sentence.word(unit);
            (ends && modality::is_year(word)).then(|| word.parse::<i64>().ok()).flatten()
        };
        let year = match segment.len() {
            1 => year_at(segment.end + 1).filter(|_| matches!(sentence.word(segment.end), "," | "(")),
            2 => match year_at(segment.start + 1) {
                Some(year) => Some(year),
                None => return,
            },
            _ => return,
        };
        // Outside of lists a line without a full stop is a heading or an address.
        let closed = sentence.tokens.last().is_some_and(|token| token.punctuation)
            || year.is_some()
            || sentence.word(segment.start.saturating_sub(1)) == ":"
            || self.context.item.is_some();
        let Some(other) = self.known(&sentence.mentions[mention]).filter(|_| closed) else { return };
        // `Present: A, B and C.`: people in a list are not all the one who is meant.
        let listed = |unit: usize| {
            let name = sentence.name_at(unit).filter(|_| unit != segment.start);
            let known = name.and_then(|name| self.known(&sentence.mentions[name]));
            known.is_some_and(|known| known.kind == other.kind)
        };
        if vocabulary.types[other.kind].human && (0..sentence.units.len()).any(listed) {
            return;
        }
        let Some((relation, inverse)) = vocabulary.plain_relation(topic.kind, other.kind) else { return };
        let (from, to) = if inverse { (&other, topic) } else { (topic, &other) };
        self.collector.fact(relation, from, to, status, 0.8, self.span, BTreeMap::new());
        if let Some((year, property)) = year.zip(vocabulary.year_of(relation, topic.kind)) {
            self.collector.property(topic, property, Value::Integer(year), status, 0.8, self.span);
        }
    }

    /// `Oils, by X.`: somebody after `by`, where only one relationship may be meant and no participle says another.
    fn read_bare_agent(&mut self, part: &Part<'_>) {
        let Part { sentence, topic, ref segment, status } = *part;
        let Some(by) = segment.clone().find(|unit| sentence.is_word(*unit) && sentence.word(*unit) == "by")
        else {
            return;
        };
        let verb = (segment.start..by).any(|unit| {
            let word = sentence.word(unit);
            sentence.is_word(unit) && inflect::is_participle(word) && word != "crossed"
        });
        let Some(mention) = sentence.name_at(by + 1 + usize::from(sentence.word(by + 1) == "the")) else {
            return;
        };
        let vocabulary = self.lexicon.vocabulary;
        let Some(other) = self
            .known(&sentence.mentions[mention])
            .filter(|other| !verb && vocabulary.types[other.kind].human)
        else {
            return;
        };
        if let Some((relation, false)) = vocabulary.only_relation(topic.kind, other.kind) {
            self.collector.fact(relation, topic, &other, status, 0.8, self.span, BTreeMap::new());
        }
    }

    /// `To 180 cm.`; `steamer of 690 tons`: a measure that only one property of the thing may be.
    fn read_bare_measure(&mut self, part: &Part<'_>) {
        let Part { sentence, topic, ref segment, status } = *part;
        let vocabulary = self.lexicon.vocabulary;
        let tokens = sentence.units[segment.start].tokens.start..sentence.units[segment.end - 1].tokens.end;
        let numbers: Vec<usize> = tokens.clone().filter(|at| sentence.tokens[*at].is_number()).collect();
        let [number] = numbers.as_slice() else { return };
        let beside =
            |at: Option<usize>| at.and_then(|at| sentence.tokens.get(at)).map_or("", |token| &token.lower);
        let size = matches!(beside(number.checked_sub(1)), "×" | "x" | "by")
            || matches!(beside(Some(number + 2)), "×" | "x" | "by");
        let Some(unit) = sentence.tokens.get(number + 1).filter(|_| !size && number + 1 < tokens.end) else {
            return;
        };
        let named = vocabulary.property_words.find(sentence.tokens, number + 1).map(|(_, found)| found);
        let own = |property: &&usize| vocabulary.properties[**property].owner == topic.kind;
        let mut found: Vec<usize> =
            named.into_iter().flatten().filter(own).copied().filter(|at| self.is_numeric(*at)).collect();
        found.dedup();
        let distance = values::Measure::of_property(Some("m"), "").measures(&unit.lower)
            && is_from_elsewhere(beside(Some(number + 2)));
        if found.is_empty() && !distance {
            let measured = |property: &usize| vocabulary.properties[*property].measure.measures(&unit.lower);
            found = vocabulary.types[topic.kind].properties.iter().copied().filter(measured).collect();
        }
        let [property] = found.as_slice() else { return };
        if let Some((value, _)) = self.value_at(sentence, *number, *property, false) {
            self.collector.property(topic, *property, value, status, 0.8, self.span);
        }
    }

    /// `Heavily scented.`; `Uninhabited.`; `Schooner, launched in 1885.`: a word for a value at the start of a part.
    fn read_bare_state(&mut self, part: &Part<'_>) {
        let Part { sentence, topic, ref segment, status } = *part;
        let vocabulary = self.lexicon.vocabulary;
        let mut unit = segment.start;
        let mut negated = false;
        while sentence.is_word(unit)
            && unit < segment.end
            && grammar::is_closed_or_adverbial(sentence.word(unit))
        {
            if grammar::is_preposition(sentence.word(unit)) || grammar::is_subordinator(sentence.word(unit)) {
                return;
            }
            negated |= grammar::is_negation(sentence.word(unit));
            unit += 1;
        }
        if unit >= segment.end || !sentence.is_word(unit) {
            return;
        }
        let at = sentence.units[unit].tokens.start;
        let ends = |length: usize| {
            let next = sentence.unit_of.get(at + length).copied().unwrap_or(segment.end);
            next >= segment.end || sentence.is_word(next) && grammar::is_preposition(sentence.word(next))
        };
        if let Some((property, positive, length)) = self.boolean_at(sentence, at, topic.kind)
            && ends(length)
        {
            let value = Value::Boolean(positive != negated);
            self.collector.property(topic, property, value, status_of_state(status), 0.8, self.span);
        }
        let Some((length, found)) = vocabulary.allowed_values.find(sentence.tokens, at) else { return };
        let own: Vec<_> = found
            .into_iter()
            .filter(|allowed| vocabulary.properties[allowed.property].owner == topic.kind)
            .collect();
        if let [allowed] = own.as_slice()
            && ends(length)
            && !negated
            && self.is_written_as(sentence, at, length)
        {
            let definition = &vocabulary.properties[allowed.property].definition;
            let value = values::from_json(&definition.values[allowed.value]);
            self.collector.property(topic, allowed.property, value, status, 0.8, self.span);
        }
    }

    /// The boolean property of a type that a word says, whether it affirms it, and how many tokens say so: `inhabited`,
    /// `uninhabited`, `scent` of `scented`.
    fn boolean_at(&self, sentence: &Sentence<'_>, at: usize, kind: usize) -> Option<(usize, bool, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let boolean = |property: &usize| {
            let entry = &vocabulary.properties[*property];
            entry.owner == kind && entry.definition.kind == DataType::Boolean
        };
        if let Some((length, found)) = vocabulary.property_words.find(sentence.tokens, at) {
            let property = found.into_iter().copied().find(boolean)?;
            return Some((property, true, length));
        }
        let word = sentence.tokens[at].lower.as_str();
        let opposite = ["un", "non-", "in"].iter().find_map(|prefix| word.strip_prefix(prefix));
        let own = |wanted: &str| {
            vocabulary.types[kind].properties.iter().copied().filter(boolean).find(|property| {
                let phrases = &vocabulary.properties[*property].phrases;
                phrases.iter().any(|phrase| matches!(phrase.as_slice(), [only] if only == wanted))
            })
        };
        opposite
            .and_then(own)
            .map(|property| (property, false, 1))
            .or_else(|| own(&format!("{word}ed")).map(|property| (property, true, 1)))
    }

    /// `maroon shading to navy`; `a pink sport of X`: the colour of a thing that has one.
    fn read_colour(&mut self, part: &Part<'_>) {
        let Part { sentence, topic, ref segment, status } = *part;
        let Some(property) = self.text_property(topic, is_colour_word) else { return };
        let article = usize::from(matches!(sentence.word(segment.start), "a" | "an" | "the"));
        let start = segment.start + article;
        // One word at the start of a sentence may look like a name.
        let word = |unit: usize| {
            let alone = segment.len() == 1 && unit == 0;
            sentence.is_word(unit)
                || alone && sentence.name_at(unit).is_some_and(|name| sentence.mentions[name].is_unknown())
        };
        let plain = segment.len() <= 6
            && article == 0
            && segment.clone().all(|unit| {
                word(unit)
                    && !sentence.tokens[sentence.units[unit].tokens.start].is_number()
                    && !grammar::is_negation(sentence.word(unit))
                    && !grammar::is_subordinator(sentence.word(unit))
            });
        let coloured = segment.clone().any(|unit| is_colour(sentence.word(unit)));
        let range = if plain && coloured {
            segment.clone()
        } else if sentence.is_word(start) && is_colour(sentence.word(start)) && start < segment.end {
            start..start + 1
        } else {
            return;
        };
        let text =
            sentence.text(sentence.units[range.start].tokens.start..sentence.units[range.end - 1].tokens.end);
        let value = Value::String(text.to_lowercase());
        self.collector.property(topic, property, value, status, 0.7, self.span);
    }

    /// `X (A × B)`, `A × B.`: the parents of a hybrid, by the sign for one or `crossed with`.
    fn read_crosses(&mut self, sentence: &Sentence<'_>) {
        for sign in 1..sentence.units.len() {
            let length = match sentence.word(sign) {
                "×" => 1,
                "crossed" if sentence.word(sign + 1) == "with" => 2,
                _ => continue,
            };
            let (left, right) = (sign - 1, sign + length);
            let (Some(one), Some(other)) = (sentence.name_at(left), sentence.name_at(right)) else {
                continue;
            };
            let bracket = left > 1 && sentence.word(left - 1) == "(";
            let named = bracket.then(|| sentence.name_at(left - 2)).flatten();
            let child = named.and_then(|name| self.known(&sentence.mentions[name]));
            let Some(child) = child.or_else(|| self.context.topic().cloned()) else { continue };
            let Some(relation) = self.lexicon.vocabulary.relation_of_parents(child.kind) else { continue };
            let status = modality::surroundings(sentence, sign, right, false).max(self.base);
            if !is_fragment(sentence) {
                continue;
            }
            for parent in [one, other] {
                if let Some((parent, sure)) = self.named(&sentence.mentions[parent], &[child.kind]) {
                    self.collector.fact(relation, &child, &parent, status, sure, self.span, BTreeMap::new());
                }
            }
        }
    }
}

impl Vocabulary {
    /// The year of what a relationship tells of, where a type has a property for it: `introduced` for INTRODUCED_BY.
    pub(super) fn year_of(&self, relation: usize, kind: usize) -> Option<usize> {
        let verbs = self.event_verbs.iter().filter(|(surface, _)| {
            self.heads.get(*surface).is_some_and(|heads| {
                heads.iter().any(|(cue, _)| self.cues[*cue].relation == relation && !self.cues[*cue].general)
            })
        });
        let own = |property: &&usize| {
            let property = &self.properties[**property];
            property.owner == kind && property.definition.kind == DataType::Integer
        };
        verbs.flat_map(|(_, properties)| properties).find(own).copied()
    }

    /// The relationship from things of a type to their parents, by the ontology's words for it.
    fn relation_of_parents(&self, kind: usize) -> Option<usize> {
        let parents = self.nouns.all().find(|(words, noun)| {
            let relation = &self.relations[noun.relation];
            relation.from.contains(&kind)
                && relation.to.contains(&kind)
                && words.last().is_some_and(|word| is_parentage(word))
        });
        parents.map(|(_, noun)| noun.relation)
    }
}

/// A bare adjective in the negative is what it says, not a denied statement.
fn status_of_state(status: Status) -> Status {
    if status == Status::Negated { Status::Fact } else { status }
}

graphwright_english::word_class! {
    /// Words after a length by which it is a distance.
    pub(in crate::facts) is_from_elsewhere:
    "from" "away" "off" "apart" "north" "south" "east" "west" "inland" "upstream" "downstream" "below" "per" "across"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_parentage:
    "parent" "parentage" "cross" "crossing" "hybrid" "pedigree" "ancestry" "lineage"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_colour_word:
    "colour" "color"
}

graphwright_english::word_class! {
    /// Words for colours.
    pub(in crate::facts) is_colour:
    "white" "black" "red" "green" "blue" "yellow" "pink" "purple" "orange" "brown" "grey" "gray" "cream" "crimson" "scarlet"
    "apricot" "lavender" "maroon" "gold" "golden" "silver" "violet" "mauve" "turquoise" "navy" "beige" "ivory" "lilac"
    "salmon" "magenta" "indigo" "bronze" "copper" "buff" "russet" "ochre" "olive" "teal" "amber" "burgundy" "vermilion"
}
