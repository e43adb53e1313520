//! The parts of a question: things, relationships between them, and conditions.

mod called;
mod choice;
mod class_nouns;
mod comparison;
mod counts;
mod held;
mod merging;
mod negation;
mod operators;
mod reference;
mod values;

use std::collections::BTreeSet;

use graphwright_english::{
    inflection,
    questions::{Token, word},
    words,
};
use graphwright_retrieve::NodeIndex;

use super::parts::{Condition, HeldProperty, Link, Thing};
use crate::{
    lexicon::{Frames, Reading, Shape},
    limits::Limits,
    question::{Annotator, Form, Head, Piece, Segmentation, Span, annotate::Place, plan::Order},
    schema::{Content, Label, Property, Schema},
};

/// The parts of a question.
#[derive(Debug)]
pub(crate) struct Items<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) schema: &'a Schema,
    frames: &'a Frames,
    pub(super) head: Head,
    /// In the order of their words, of which no two share one.
    pub(super) things: Vec<Thing>,
    pub(super) links: Vec<Link>,
    pub(super) conditions: Vec<Condition>,
    /// Words for properties of relationships.
    pub(super) held: Vec<HeldProperty>,
    /// The thing that is asked for, if it is one.
    pub(super) answer: Option<usize>,
    /// The most steps along a relationship, where any number is wanted.
    pub(super) hops: Option<usize>,
    /// The most steps from a thing to what is part of a part of it.
    pub(super) nested_hops: usize,
    /// For each of what something is counted.
    pub(super) group: Option<Group>,
    /// Words that change what is meant, of which none of the parts makes anything.
    pub(super) unread: Vec<usize>,
}

/// For each of what something is counted.
#[derive(Clone, Debug)]
pub(super) enum Group {
    Thing(usize),
    /// The values of properties, all or those by this order.
    Property(Vec<Property>, Option<Order>),
}

impl<'a> Items<'a> {
    pub(super) fn read(
        annotator: &Annotator<'a>,
        segmentation: &Segmentation,
        schema: &'a Schema,
        limits: Limits,
    ) -> Self {
        let tokens = annotator.tokens;
        let walk_hops = annotator.head.levels_or(limits.walk_hops());
        let mut items = Self {
            tokens,
            schema,
            frames: &annotator.lexicon.frames,
            head: annotator.head_of(segmentation),
            things: Vec::new(),
            links: Vec::new(),
            conditions: Vec::new(),
            held: Vec::new(),
            answer: None,
            hops: annotator.is_transitive(segmentation).then_some(walk_hops),
            nested_hops: walk_hops,
            group: None,
            unread: Vec::new(),
        };
        for span in &segmentation.spans {
            items.add_span(span, annotator);
        }
        items.call_things(segmentation);
        items.add_class_nouns(annotator.lexicon);
        items.add_asker();
        items.drop_counted_people();
        items.join_values();
        items.name_by_values();
        items.join_verbs();
        items.take_comparisons();
        items.refer_back();
        let denied = items.apply_negations();
        let choice = items.take_choice();
        items.merge_last_asker();
        items.merge_neighbours();
        items.group_names();
        items.choose_answer();
        items.offer(choice);
        items.attach_counts();
        items.attach_times();
        items.check_askers();
        items.add_owners();
        items.apply_operators(segmentation, &denied);
        items.average_of_each();
        items.count_for_each_value();
        items.held = items.held_properties();
        items
    }

    fn add_span(&mut self, span: &Span, annotator: &Annotator<'_>) {
        let thing = Thing::new(span.first, span.end);
        let link = Link { first: span.first, end: span.end, ..Link::default() };
        match &span.piece {
            Piece::Type(labels) => {
                self.things.push(Thing {
                    labels: Some(labels.clone()),
                    quality: span.weight.min(1.0),
                    ..thing
                });
            }
            Piece::Entity(nodes) => {
                let best = nodes.iter().map(|node| node.1).fold(0.0, f64::max);
                let nodes: Vec<NodeIndex> =
                    nodes.iter().filter(|node| node.1 > best - 0.15).map(|node| node.0).collect();
                let labels = nodes.iter().filter_map(|&node| self.schema.label_of(node));
                let labels = Some(distinct(labels));
                let quality = span.weight.min(1.0) * if nodes.len() > 1 { 0.97 } else { 1.0 };
                self.things.push(Thing { labels, members: vec![nodes], quality, ..thing });
            }
            Piece::Relation(Shape::Noun, readings) => {
                let ends = |reading: &Reading| self.schema.ends(reading.kind, reading.subject_is_start);
                let mut labels = distinct(readings.iter().flat_map(ends).copied());
                // Where it is the word for a type too, it stands for such a thing.
                let types = annotator.lexicon.types(&self.tokens[span.first..span.end]);
                if labels.iter().any(|label| types.contains(label)) {
                    labels.retain(|label| types.contains(label));
                }
                let own = Some(self.things.len());
                self.things.push(Thing { labels: Some(labels).filter(|labels| !labels.is_empty()), ..thing });
                let stem = &self.tokens[span.first].stem;
                let is_act = readings.iter().any(|reading| self.frames.has_verb(reading.kind, stem));
                self.links.push(Link { readings: readings.clone(), own, is_act, ..link });
            }
            Piece::Relation(Shape::Verb, readings) => {
                self.links.push(Link {
                    readings: readings.clone(),
                    vague: words::is_vague(&self.tokens[span.first].stem),
                    ..link
                });
            }
            Piece::Having(readings) => {
                self.links.push(Link { readings: readings.clone(), having: true, ..link });
            }
            Piece::Continued(verb, readings) => {
                self.links.push(Link { readings: readings.clone(), verb: Some(*verb), ..link });
            }
            Piece::Silent | Piece::Called(_) => {}
            Piece::Vague => self.links.push(Link { vague: true, ..link }),
            Piece::Someone(place) => self.things.push(Thing { who: Some(*place), quality: 0.9, ..thing }),
            Piece::Something => self.things.push(Thing { quality: 0.9, ..thing }),
            Piece::Shared => self.links.push(Link { shared: true, vague: true, ..link }),
            _ => self.conditions.push(Condition { span: span.clone(), negated: false }),
        }
    }

    /// A word that asks and stands for the answer itself (`who owns it`), not before its type (`which team`).
    fn add_asker(&mut self) {
        let Some(at) = self.head.asker else { return };
        if self.head.date_word.is_some() || self.thing_at(at).is_some() {
            return;
        }
        let who = match self.tokens[at].lower.as_str() {
            "who" | "whom" | "whos" | "whose" => Some(Place::Who),
            "where" => Some(Place::Where),
            "what" | "which" | "whats" => None,
            _ => return,
        };
        if self.asks_among(at) {
            return;
        }
        let next = self.next_thing(at + 1);
        let follows = next.is_some_and(|next| {
            let thing = &self.things[next];
            thing.members.is_empty()
                && who != Some(Place::Where)
                && !self.is_done_by_who(at, thing)
                && self.only_small_words(at + 1, thing.first)
                && !self.is_left_alone(thing)
        });
        // `What is the Rain Tower made of`; but `which beverages cost 10` asks for something of them.
        let of_kind = self.things.iter().any(|thing| thing.first == at + 1 && !thing.members.is_empty());
        let only_property = self.links.is_empty()
            && !of_kind
            && !self.things.iter().any(|thing| thing.members.is_empty())
            && self.conditions.iter().any(|condition| matches!(condition.span.piece, Piece::Property(_)));
        let property = self.next_is_property(at + 1) || self.owned_property(at + 1) || only_property;
        let is_asked = match who {
            None => property,
            Some(Place::Where) => only_property,
            Some(Place::Who | Place::People) => only_property && self.is_name_of_somebody(at + 1),
        };
        if follows || is_asked {
            return;
        }
        let thing = Thing { asker: true, who, ..Thing::new(at, at + 1) };
        let position = self.things.partition_point(|other| other.first < at);
        self.insert_thing(position, thing);
    }

    /// `Who orders it`, where there are orders: the type of nobody is what is done.
    fn is_done_by_who(&self, asker: usize, thing: &Thing) -> bool {
        let verbs = inflection::bases(&self.tokens[thing.first].lower);
        let is_done = |label: &Label| {
            !self.schema.actors.contains(label) && verbs.contains(&self.schema.label(*label).to_lowercase())
        };
        self.tokens[asker].lower == "who"
            && thing.first == asker + 1
            && thing.labels.as_ref().is_some_and(|labels| labels.iter().all(is_done))
    }

    /// `Who is the composer of it`, where that is a text. `from` is where the verb stands.
    fn is_name_of_somebody(&self, from: usize) -> bool {
        let is_text = |property: &Property| self.schema.property(*property).content == Content::Text;
        let is_the = |word: &str| words::is_article(word) || words::is_possessive(word);
        let the = (from + 1..self.tokens.len()).find(|at| is_the(word(self.tokens, *at)));
        words::is_be(word(self.tokens, from))
            && the.is_some_and(|the| self.next_is_property(the + 1) && self.only_small_words(from + 1, the))
            && self.conditions.iter().filter_map(Condition::properties).flatten().all(is_text)
    }

    /// `Which of A's films`, `who are A's followers`: what A has is asked for.
    fn asks_among(&mut self, at: usize) -> bool {
        let next = self
            .things
            .iter()
            .position(|thing| thing.first > at)
            .filter(|_| matches!(word(self.tokens, at + 1), "of" | "is" | "are" | "was" | "were"));
        let Some(group) = next.map(|next| self.possessed(next)) else { return false };
        let thing = &mut self.things[group];
        let is_open = thing.members.is_empty() && Some(group) != next;
        thing.asker |= is_open;
        is_open
    }

    /// Whether a thing is what `who` asks for.
    pub(super) fn is_who(&self, thing: usize) -> bool {
        self.things.get(thing).is_some_and(|thing| thing.asker && thing.who == Some(Place::Who))
    }

    /// Whether somebody is asked for.
    pub(super) fn asks_who(&self) -> bool {
        self.head.asks_who(self.tokens)
    }

    /// `Who is the service owned by`: the thing after the verb is not the one asked for.
    fn is_left_alone(&self, thing: &Thing) -> bool {
        let last = self.tokens.last().map_or("", |token| token.lower.as_str());
        let between = self.head.asker.map_or(0, |asker| thing.first.saturating_sub(asker));
        let stranded = words::is_preposition(last);
        let be = self.tokens[..thing.first].iter().any(|token| words::is_be(&token.lower));
        stranded && be && between > 1 && self.tokens[thing.first - 1].lower == "the"
    }

    fn next_thing(&self, from: usize) -> Option<usize> {
        let next = self.things.iter().position(|thing| thing.first >= from)?;
        let link_before = self
            .links
            .iter()
            .any(|link| link.own.is_none() && link.first >= from && link.first < self.things[next].first);
        // `which drama movies`: a name may stand before the type as an adjective.
        let adjective = !self.things[next].members.is_empty()
            && self.things.get(next + 1).is_some_and(|type_after| {
                type_after.first == self.things[next].end && type_after.members.is_empty()
            });
        (!link_before).then_some(if adjective { next + 1 } else { next })
    }

    /// Whether a property is asked for: `which language …`, but not `which tier 1 services`.
    pub(super) fn next_is_property(&self, from: usize) -> bool {
        self.conditions.iter().any(|condition| {
            let end = condition.span.end;
            matches!(condition.span.piece, Piece::Property(_))
                && condition.span.first >= from
                && self.only_small_words(from, condition.span.first)
                && !self.conditions.iter().any(|other| {
                    other.span.first == end
                        && !matches!(other.span.piece, Piece::Property(_) | Piece::Extreme(..))
                })
                && !self.things.iter().any(|thing| thing.first == end && thing.members.is_empty())
                && !self.things.iter().any(|thing| thing.first >= from && thing.first < condition.span.first)
        })
    }

    /// `What is Ada's salary`.
    fn owned_property(&self, from: usize) -> bool {
        self.conditions.iter().any(|condition| {
            let first = condition.span.first;
            matches!(condition.span.piece, Piece::Property(_))
                && first > from
                && self.tokens[first - 1].is_possessive()
                && self
                    .things
                    .iter()
                    .any(|thing| thing.end + 1 == first && self.only_small_words(from, thing.first))
        })
    }

    /// Whether all words in between are helping verbs, articles, adjectives of rank, values or nothing of weight; a verb that is
    /// `do` shows that the thing behind it is the subject.
    pub(super) fn only_small_words(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| {
            let word = self.tokens[at].lower.as_str();
            let in_condition = self.conditions.iter().any(|condition| condition.span.has(at));
            let in_name = self.thing_at(at).is_some_and(|thing| !self.things[thing].members.is_empty());
            let aggregate = self.head.aggregate.is_some_and(|(_, said)| said == at);
            in_condition || aggregate || in_name || words::is_passed_over(word)
        })
    }

    /// Whether nothing follows, or only conditions and what leads to them: `asked in 2021`.
    pub(super) fn is_in_conditions(&self, from: usize) -> bool {
        let says = |at: usize| self.conditions.iter().any(|condition| condition.span.has(at));
        let is_small = |at: usize| {
            words::is_preposition(word(self.tokens, at)) || words::is_article(word(self.tokens, at))
        };
        let end = self.tokens.len();
        from == end || says(end - 1) && (from..end).all(|at| says(at) || is_small(at))
    }

    fn choose_answer(&mut self) {
        let asker = self.things.iter().position(|thing| thing.asker);
        self.answer = asker.or_else(|| match (self.head.form, self.head.asker) {
            (Form::Truth | Form::Connection | Form::When, _) => None,
            (_, Some(at)) => {
                let next = self.next_thing(at + 1);
                let next = next.filter(|&next| self.only_small_words(at + 1, self.things[next].first));
                // `How many of the Central line's stations`.
                let next = next.map(|next| {
                    let had = self.possessed(next);
                    if self.things[had].first == self.things[next].end + 1 { had } else { next }
                });
                let next = next.filter(|&next| self.things[next].members.is_empty());
                if self.next_is_property(at + 1) && self.head.form != Form::Count { None } else { next }
            }
            // `Give me the length of the films`.
            (_, None) if self.begins_with_property() => None,
            (_, None) => self.things.iter().position(|thing| thing.members.is_empty()),
        });
    }

    /// Whether a command is for a property of what follows.
    fn begins_with_property(&self) -> bool {
        let is_first =
            |first: usize| (self.head.lead..first).all(|at| words::is_article(word(self.tokens, at)));
        self.conditions.iter().any(|condition| {
            condition.properties().is_some()
                && is_first(condition.span.first)
                && matches!(word(self.tokens, condition.span.end), "of" | "for")
        })
    }

    /// `How many people are enrolled in X` asks for a number that X has, where it has one.
    fn drop_counted_people(&mut self) {
        let mut named = self.conditions.iter().filter_map(Condition::properties).flatten();
        let numeric = named.any(|property| self.schema.property(*property).content == Content::Number);
        if self.head.form != Form::Count || !numeric {
            return;
        }
        let asked = self.head.asker.map_or(0, |asker| asker + 1);
        let people = self.things.iter().position(|thing| {
            matches!(thing.who, Some(Place::Who | Place::People))
                && !thing.asker
                && thing.labels.is_none()
                && thing.first <= asked + 1
        });
        if let Some(people) = people {
            self.remove_thing(people);
        }
    }

    /// `The deadline for auth-lib-v2`: a property that nothing named can have belongs to a thing of its own.
    fn add_owners(&mut self) {
        for number in 0..self.conditions.len() {
            let span = &self.conditions[number].span;
            let properties: Vec<Property> = match &span.piece {
                Piece::Property(properties) => properties.clone(),
                Piece::Value(values) => values.iter().map(|(property, _)| *property).collect(),
                _ => continue,
            };
            let owners = properties.iter().flat_map(|property| &self.schema.property(*property).labels);
            let owners = distinct(owners.copied());
            let owned = self.things.iter().any(|thing| {
                let labels = thing.labels.as_ref();
                !thing.excluded
                    && labels.is_none_or(|labels| labels.iter().any(|label| owners.contains(label)))
            });
            // When somebody was born, nobody else tells.
            let is_of_life = |property: &Property| self.schema.is_of_life(*property);
            let of_life = matches!(span.piece, Piece::Property(_)) && properties.iter().all(is_of_life);
            if owned || owners.is_empty() || of_life && !self.things.is_empty() {
                continue;
            }
            // Trips are `on Saturdays` as their services are. A value is surer evidence than a property.
            let is_held = self.things.iter().any(|thing| {
                let labels = thing.labels.as_deref().unwrap_or_default();
                self.may_hold(thing)
                    && labels.iter().any(|label| self.schema.determines_one_of(*label, &owners))
            });
            let thing = Thing { implied: true, ..Thing::new(span.first, span.first) };
            let thing = Thing { labels: Some(owners), ..thing };
            let quality = match span.piece {
                _ if is_held || self.happens_with_named(&thing) => 0.95,
                Piece::Value(_) => 0.92,
                _ => 0.8,
            };
            let is_asked = self.answer.is_none() && self.is_asked_value(number);
            let position = self.things.partition_point(|other| other.first < span.first);
            self.insert_thing(position, Thing { quality, ..thing });
            self.answer = self.answer.map(|answer| answer + usize::from(answer >= position));
            self.answer = self.answer.or(is_asked.then_some(position));
        }
    }

    /// `Which Republicans were born in May`: whether a value stands for those that have it, who are asked for.
    fn is_asked_value(&self, condition: usize) -> bool {
        let span = &self.conditions[condition].span;
        let from = self.head.asker.map_or(self.head.lead, |asker| asker + 1);
        matches!(span.piece, Piece::Value(_))
            && matches!(self.head.form, Form::Which | Form::Count)
            && inflection::is_plural(&self.tokens[span.end - 1].lower)
            && from <= span.first
            && self.only_small_words(from, span.first)
    }

    /// Whether what another thing has may be said of a thing: nothing need be said of what is named, unless that is asked.
    pub(super) fn may_hold(&self, thing: &Thing) -> bool {
        thing.members.is_empty() || self.head.form == Form::Truth
    }

    /// Whether a thing of which only a property is spoken happens with all that is named, several things: the points of a driver
    /// in a race are those of the result that is of both.
    pub(super) fn happens_with_named(&self, thing: &Thing) -> bool {
        let happens_with = |named: &&Thing| {
            let others = named.labels.as_deref().unwrap_or_default();
            let own = thing.labels.as_deref().unwrap_or_default();
            !own.is_empty() && own.iter().all(|label| self.schema.determines_one_of(*label, others))
        };
        let is_named = |other: &&Thing| !other.members.is_empty() && !other.excluded;
        let named: Vec<&Thing> = self.things.iter().filter(is_named).collect();
        thing.implied && named.len() > 1 && named.iter().all(happens_with)
    }

    /// Nobody and no place is asked for where the graph has none.
    fn check_askers(&mut self) {
        for thing in self.things.iter_mut().filter(|thing| thing.labels.is_none()) {
            thing.who = thing.who.filter(|place| !place.labels(self.schema).is_empty());
        }
    }

    /// Whether a word says that the thing is the one that is meant beside it.
    pub(super) fn is_own(&self, thing: usize) -> bool {
        self.things.get(thing).is_some_and(|thing| thing.own.is_some())
    }

    /// Takes a thing out. A noun that stood for it then stands for the thing before it, into which it is merged.
    fn remove_thing(&mut self, position: usize) -> Thing {
        for own in self.links.iter_mut().filter_map(|link| link.own.as_mut()) {
            *own = own.saturating_sub(usize::from(*own >= position));
        }
        self.things.remove(position)
    }

    fn insert_thing(&mut self, position: usize, thing: Thing) {
        for own in self.links.iter_mut().filter_map(|link| link.own.as_mut()) {
            *own += usize::from(*own >= position);
        }
        self.things.insert(position, thing);
    }

    /// The thing that the words between two positions belong to.
    pub(super) fn thing_at(&self, at: usize) -> Option<usize> {
        self.things.iter().position(|thing| thing.first <= at && at < thing.end)
    }
}

/// In order, each once.
pub(super) fn distinct(labels: impl Iterator<Item = Label>) -> Vec<Label> {
    labels.collect::<BTreeSet<_>>().into_iter().collect()
}
