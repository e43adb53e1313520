//! Facts from the verbs and predicates of a sentence.

mod find;
mod gaps;
mod places;
mod resolve;

pub(super) use places::relative_before;
pub(super) use resolve::{GUESSED, first_name};

use std::collections::BTreeMap;

use graphwright_core::{Span, Value};

use super::{
    collect::{Collector, Status},
    context::{Context, Entity},
    cues::Cue,
    fragments, grammar,
    inflect::Form,
    mentions::Lexicon,
    modality::{self, Reading},
    slots::{self, Objects, Term},
    survey,
    units::Sentence,
    vocabulary::Vocabulary,
};

/// Reads facts out of sentences.
#[derive(Debug)]
pub(super) struct Reader<'a, 'b> {
    pub(super) lexicon: Lexicon<'a>,
    pub(super) context: &'b Context,
    pub(super) collector: &'b mut Collector<'a>,
    /// Where facts of this sentence stand.
    pub(super) span: Span,
    /// What the section says of all its sentences.
    pub(super) base: Status,
}

/// A cue found in a sentence.
#[derive(Clone, Copy, Debug)]
struct Found {
    cue: usize,
    /// The unit of its first word.
    head: usize,
    /// One past its last word.
    end: usize,
    /// The first unit of its verb group.
    start: usize,
    reading: Reading,
    now: bool,
    /// The verb's own object stands before the preposition: `teaches Latin at X`.
    over_object: bool,
    /// A place takes the part of the doer: `X is permitted in Y` where Y permits X.
    at_place: bool,
    /// Where the right end stands when not after the cue.
    place: Option<Place>,
}

/// The right end of a cue at another place than after it.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In front, and the left end after the verb: `In Rome stands X`.
    Front(usize),
    /// Before the clause: `Rome, where X stands`, `the store in which X keeps its data`.
    Before(usize),
}

/// The relationship that a phrase states between what stands left and right of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) relation: usize,
    /// It starts at the right.
    pub(super) turned: bool,
    pub(super) trust: Trust,
}

/// How much a phrase says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// A phrase of the ontology.
    Own,
    /// A phrase of general English.
    General,
    /// A preposition.
    Weak,
}

impl Link {
    /// The types left and right.
    fn sides(self, vocabulary: &Vocabulary) -> (&[usize], &[usize]) {
        let relation = &vocabulary.relations[self.relation];
        if self.turned { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) }
    }

    /// Whether the phrase says too little for names of which only their place says the type.
    fn is_doubtful(self, sure: [f64; 2]) -> bool {
        let guessed = sure.iter().filter(|sure| (**sure - GUESSED).abs() < f64::EPSILON).count();
        match self.trust {
            Trust::Own => false,
            Trust::General => guessed > 1,
            Trust::Weak => guessed > 0,
        }
    }
}

impl Cue {
    /// What the cue states where its sides may be turned by a passive.
    pub(super) fn link(&self, passive: bool) -> Link {
        let trust = if self.is_weak() || self.contested {
            Trust::Weak
        } else if self.general && self.tail.len() < 2 {
            Trust::General
        } else {
            Trust::Own
        };
        Link { relation: self.relation, turned: self.inverse != passive, trust }
    }
}

impl Reader<'_, '_> {
    /// Reads all facts that verbs and predicates state.
    pub(super) fn read(&mut self, sentence: &Sentence<'_>) {
        let mut found = self.verbs(sentence);
        found.extend(self.predicates(sentence));
        found.sort_by_key(|found| (found.head, std::cmp::Reverse(found.end)));
        let longest: Vec<Found> = found
            .iter()
            .filter(|one| {
                !found.iter().any(|other| {
                    other.head <= one.head
                        && other.end >= one.end
                        && !other.over_object
                        && (other.end - other.head) > (one.end - one.head)
                        && self.lexicon.vocabulary.cues[other.cue].relation != usize::MAX
                        && self.beats(other, one)
                })
            })
            .copied()
            .collect();
        for one in &longest {
            self.relate(sentence, one);
        }
        self.read_brackets(sentence);
    }

    /// Whether a longer cue takes the place of a shorter one of another relationship: `is used to treat` over `uses`.
    fn beats(&self, longer: &Found, shorter: &Found) -> bool {
        let cues = &self.lexicon.vocabulary.cues;
        // `written and directed by X`: both end with the same agent.
        if longer.end == shorter.end && longer.reading.passive && shorter.reading.passive {
            return false;
        }
        cues[longer.cue].relation != cues[shorter.cue].relation
            || longer.reading.passive == shorter.reading.passive
    }

    fn relate(&mut self, sentence: &Sentence<'_>, found: &Found) {
        let vocabulary = self.lexicon.vocabulary;
        let cue = &vocabulary.cues[found.cue];
        let objects = slots::objects(self.lexicon, sentence, found.end);
        if let Some(place) = found.place {
            self.relate_placed(sentence, found, place, &objects);
            return;
        }
        if objects.terms.is_empty() {
            self.relate_relative(sentence, found);
            return;
        }
        let mut status = found.reading.status;
        let apposed = found.reading.reduced || found.reading.gerund;
        let mut subjects = slots::subjects(sentence, found.start, apposed);
        let examples = self.examples(sentence, found, objects.last);
        if found.reading.gerund {
            match modality::gerund(sentence, found.start) {
                Some(governed) => {
                    status = status.max(governed);
                    subjects = vec![Term::First];
                }
                None if found.start == 0 && after_fronted(sentence, objects.last + 1).is_none() => return,
                None => {}
            }
        }
        if let Some(examples) = examples {
            subjects = examples;
        } else if subjects == [Term::First] && found.reading.bare {
            status = status.max(inherited(sentence, found.head));
        } else if found.reading.bare && !is_plural_subject(sentence, &subjects, found.start) {
            return;
        } else if subjects == [Term::First] && !found.reading.bare && found.reading.reduced {
            status = status.max(inherited(sentence, found.head));
        }
        let fronted = found.reading.reduced || found.reading.gerund || sentence.word(0) == "having";
        if found.start == 0 && fronted && subjects == [Term::Topic] {
            // `Developed by X, Y …`: what follows the comma is meant.
            if let Some(name) = after_fronted(sentence, objects.last + 1) {
                subjects = vec![Term::Name(name)];
            }
        } else if found.reading.reduced
            && let [Term::Stand(_)] = subjects.as_slice()
            && sentence.word(objects.last + 1) == ","
            && let Some(name) = sentence.name_at(objects.last + 2)
            && matches!(sentence.word(objects.last + 3), "," | "." | "")
        {
            // `The bridge designed by X, Y, …`.
            subjects = vec![Term::Name(name)];
        }
        if subjects.len() > 1 && (0..found.start).any(|unit| sentence.word(unit) == "or") {
            status = status.max(Status::NotCurrent);
        }
        status =
            status.max(modality::surroundings(sentence, found.head, objects.last, found.now)).max(self.base);
        // `X is a study of Y in patients with Z`: what the phrase stands behind is not what it tells of.
        let (left, _) = cue.link(found.reading.passive).sides(vocabulary);
        let behind = cue.shape == super::cues::Shape::Predicate
            && !cue.is_weak()
            && found.reading.reduced
            && found.start > 1;
        if behind && subjects.iter().all(|term| self.resolve(sentence, term, left, found.start).is_empty()) {
            subjects = vec![Term::First];
        }
        let mut link = cue.link(found.reading.passive);
        if found.at_place {
            link.trust = Trust::Weak;
        }
        if fragments::may_mean_topic(sentence, &subjects) {
            let (left, _) = link.sides(vocabulary);
            let resolved = |term: &Term| self.resolve(sentence, term, left, found.start);
            if subjects.iter().all(|term| resolved(term).is_empty()) {
                subjects = vec![Term::Topic];
            }
        }
        self.emit(sentence, link, &subjects, &objects, status, found.start);
        self.read_gaps(sentence, found, objects.last + 1, status);
    }

    /// States the relationship between all subjects and all objects, or pairwise for `respectively`.
    pub(super) fn emit(
        &mut self,
        sentence: &Sentence<'_>,
        link: Link,
        subjects: &[Term],
        objects: &Objects,
        status: Status,
        verb: usize,
    ) {
        let relation = link.relation;
        let (left, right) = link.sides(self.lexicon.vocabulary);
        let mut lefts = Vec::new();
        for term in subjects {
            lefts.extend(self.resolve(sentence, term, left, verb));
        }
        let rights: Vec<Vec<(Entity, f64)>> =
            objects.terms.iter().map(|(term, _)| self.resolve(sentence, term, right, verb)).collect();
        let paired = sentence.tokens.iter().any(|token| token.lower == "respectively");
        if paired && (lefts.len() != rights.len() || rights.iter().any(|right| right.len() != 1)) {
            return;
        }
        let properties = self.validity(sentence, relation, objects.last);
        for (position, (from, sure)) in lefts.iter().enumerate() {
            for (place, (candidates, (_, own))) in rights.iter().zip(&objects.terms).enumerate() {
                if paired && place != position {
                    continue;
                }
                for (to, certain) in candidates {
                    let mut status = status.max(*own);
                    if objects.alternatives && status == Status::Fact && rights.len() > 1 {
                        status = Status::NotCurrent;
                    }
                    if link.is_doubtful([*sure, *certain]) || survey::is_short_for(&from.name, &to.name) {
                        continue;
                    }
                    let (start, end) = if link.turned { (to, from) } else { (from, to) };
                    self.collector.fact(
                        relation,
                        start,
                        end,
                        status,
                        sure.min(*certain),
                        self.span,
                        properties.clone(),
                    );
                }
            }
        }
    }

    /// `since 2021-03-01` and `until …` after the objects, as properties of the fact.
    fn validity(&self, sentence: &Sentence<'_>, relation: usize, last: usize) -> BTreeMap<String, Value> {
        let mut properties = BTreeMap::new();
        let definition = &self.lexicon.vocabulary.relations[relation];
        for unit in last + 1..sentence.units.len() {
            let word = sentence.word(unit);
            if !matches!(word, "since" | "from") {
                continue;
            }
            let start = sentence.units[unit].tokens.end;
            let text = sentence.text(start..(start + 4).min(sentence.tokens.len()));
            let Some(date) = super::values::date(text)
                .or_else(|| super::values::date(text.split(',').next().unwrap_or("")))
            else {
                continue;
            };
            let declared = definition.properties.iter().find(|(name, property)| {
                property.kind == graphwright_ontology::DataType::Date
                    && (name == "since"
                        || name.contains("start")
                        || name.contains("from")
                        || name.contains("since"))
            });
            let name = declared.map_or(graphwright_core::names::VALID_FROM, |(name, _)| name.as_str());
            properties.insert(name.to_owned(), Value::Date(date));
        }
        properties
    }
}

/// Whether subjects may go with a verb without ending.
fn is_plural_subject(sentence: &Sentence<'_>, subjects: &[Term], start: usize) -> bool {
    match subjects {
        [Term::Stand(unit)] => {
            matches!(sentence.word(*unit), "they" | "we" | "these" | "those" | "both" | "i" | "you")
        }
        [Term::Name(_)] => {
            start > 0 && matches!(sentence.word(start - 1), "which" | "that" | "who" | "all" | "both")
        }
        // `Use X` alone is an order, not what the topic does.
        [] | [_] => false,
        _ => true,
    }
}

/// What the verb group before `and` says of a bare verb or participle after it.
fn inherited(sentence: &Sentence<'_>, head: usize) -> Status {
    for unit in (0..head).rev() {
        let word = sentence.word(unit);
        if matches!(word, ";" | "while" | "whereas") {
            return Status::Fact;
        }
        if sentence.is_word(unit) && grammar::is_auxiliary(word) && word != "'s"
            || (word == "to" && grammar::is_likely_verb(sentence.word(unit + 1)))
        {
            let group = modality::group(sentence, unit + 1);
            let form = if grammar::is_be(word) { Form::PARTICIPLE } else { Form::BASE | Form::PARTICIPLE };
            let Some(reading) = modality::read_verb(sentence, unit + 1, form, &group, true) else {
                return Status::Fact;
            };
            let negated = (unit..head).any(|unit| matches!(sentence.word(unit), "not" | "never"));
            return if negated { Status::Negated } else { reading.status };
        }
        if sentence.is_word(unit) && unit + 1 < head && grammar::is_likely_verb(word) && word.ends_with('s') {
            return Status::Fact;
        }
    }
    Status::Fact
}

/// The name directly after the comma that ends a fronted participle.
fn after_fronted(sentence: &Sentence<'_>, from: usize) -> Option<usize> {
    let comma = (from..sentence.units.len()).find(|unit| sentence.word(*unit) == ",")?;
    let mut at = comma + 1;
    while sentence.is_word(at) && grammar::is_determiner(sentence.word(at)) {
        at += 1;
    }
    sentence.name_at(at)
}
