//! Which spans of a question point to what, and the best ways to cut a question into such spans.

mod codes;
mod compared;
mod forgive;
mod meant;
mod measures;
mod neighbours;
mod nouns;
mod origins;
mod partial;
mod pieces;
mod senses;
mod subjects;

use graphwright_english::{
    inflection,
    questions::{Token, word},
    thesaurus, words,
};
use graphwright_retrieve::NodeIndex;

use super::{form, plan::Order, voice::voice};
use crate::{
    called::Called,
    lexicon::{Lexicon, Meaning, PhraseMatch, Reading, Sense, Shape, Spot},
    schema::Schema,
};

pub(crate) use pieces::{Compare, Measure, Piece, Place, Segmentation, Span};

/// Finds spans.
#[derive(Debug)]
pub(crate) struct Annotator<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) schema: &'a Schema,
    pub(crate) tokens: &'a [Token],
    pub(crate) head: form::Head,
    /// The documents in which a search for the question finds passages, best first.
    near: &'a [NodeIndex],
    /// What the schema's items are called, where words that nothing explains are compared with it.
    called: Option<&'a Called>,
}

/// How much less likely than the best a sense of a word may be to be meant too: `cost` is what is called so, not `cost other`.
const CLOSE: f64 = 0.2;
/// How many ways of cutting a question are tried.
const SEGMENTATIONS: usize = 10;
/// From this weight on, words are all of a name.
pub(super) const WHOLE_NAME: f64 = 0.95;

impl<'a> Annotator<'a> {
    pub(crate) fn new(lexicon: &'a Lexicon, schema: &'a Schema, tokens: &'a [Token]) -> Self {
        Self { lexicon, schema, tokens, head: form::read(tokens), near: &[], called: None }
    }

    /// The same, with the documents in which a search for the question finds passages, best first.
    pub(crate) fn near(self, near: &'a [NodeIndex]) -> Self {
        Self { near, ..self }
    }

    /// The best ways to cut the question, best first.
    pub(crate) fn segment(&self) -> Vec<Segmentation> {
        let spans = self.spans();
        let mut best: Vec<Vec<Segmentation>> = vec![Vec::new(); self.tokens.len() + 1];
        best[0].push(Segmentation::default());
        for at in 0..self.tokens.len() {
            let here = std::mem::take(&mut best[at]);
            let skipped = f64::from(u8::from(self.carries_meaning(at))) * -0.6;
            for before in &here {
                let mut skip = before.clone();
                skip.score += skipped;
                if skipped < 0.0 {
                    skip.unexplained.push(at);
                }
                keep(&mut best[at + 1], skip);
                for span in spans.iter().filter(|span| span.first == at) {
                    let mut taken = before.clone();
                    taken.score += self.span_score(span);
                    taken.spans.push(span.clone());
                    keep(&mut best[span.end], taken);
                }
            }
        }
        let mut found = best.pop().unwrap_or_default();
        for segmentation in &mut found {
            self.forgive_measure(segmentation);
            self.pass_occasion(segmentation);
            self.pass_making(segmentation);
            self.pass_light_verbs(segmentation);
            segmentation.coverage = self.coverage(segmentation);
        }
        found
    }

    fn span_score(&self, span: &Span) -> f64 {
        let content = (span.first..span.end).filter(|&at| self.carries_meaning(at)).count() as f64;
        span.weight * content.max(0.4) + 0.08 * (span.end - span.first) as f64 - 0.05
    }

    fn coverage(&self, segmentation: &Segmentation) -> f64 {
        let mut explained = 0.0;
        for span in &segmentation.spans {
            let words = (span.first..span.end).map(|at| self.importance(at)).sum::<f64>();
            explained += words * span.weight.min(1.0);
        }
        let missing: f64 = segmentation.unexplained.iter().map(|&at| self.importance(at)).sum();
        if explained + missing == 0.0 { 0.0 } else { explained / (explained + missing) }
    }

    /// Names and numbers weigh more than other words: a question about an unknown name cannot be answered.
    pub(crate) fn importance(&self, at: usize) -> f64 {
        let token = &self.tokens[at];
        if !self.carries_meaning(at) {
            0.0
        } else if token.has_digit() || (at > 0 && token.is_capital()) {
            1.5
        } else {
            1.0
        }
    }

    pub(crate) fn carries_meaning(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let capital_inside = at > 0 && token.is_capital() && token.lower.len() > 1;
        (!self.is_filler(at)
            || (capital_inside
                && !words::is_sentence_word(&token.lower)
                && !words::is_courtesy(&token.lower)))
            && at >= self.head.lead
            && self.head.asker.is_none_or(|asker| at != asker)
            && self.head.date_word != Some(at)
            && !self.head.counts_levels(at)
            && self.head.aggregate.is_none_or(|(_, word)| at != word)
    }

    /// Whether a word says nothing to look up. `When did the voyage return`, `which records`: an empty word may be one of
    /// the graph.
    fn is_filler(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let of_graph = at > self.head.lead
            && matches!(
                token.lower.as_str(),
                "return" | "returned" | "find" | "show" | "records" | "documents"
            )
            && self.is_of_graph(at);
        // `What number does it have`, not `what kind of thing`.
        let is_asked = at > 0
            && self.head.asker == Some(at - 1)
            && matches!(word(self.tokens, at - 1), "what" | "which")
            && word(self.tokens, at + 1) != "of"
            && self.is_of_graph(at);
        // `After 2020` compares, `after whom` does not.
        let compares = words::is_comparing(&token.lower)
            && self.tokens.get(at + 1).is_some_and(|next| !words::is_relative(&next.lower));
        let says_nothing = words::is_harmless(&token.lower) || words::is_chain(&token.lower);
        // `Just one`, `only one` counts.
        let is_count = token.lower == "one"
            && matches!(word(self.tokens, at.wrapping_sub(1)), "just" | "only" | "exactly");
        // `Data languages`, where their type is `data`.
        let describes = || {
            let next = self.tokens.get(at + 1).is_some_and(|next| self.lexicon.has_type(next));
            next && !words::is_plain_determiner(&token.lower)
                && !self.lexicon.values(&self.tokens[at..=at]).is_empty()
        };
        let harmless = says_nothing && !self.is_of_graph(at) && !describes();
        // `As well as`, `not counting`.
        let before = word(self.tokens, at.wrapping_sub(1));
        let joins = token.lower == "well" && before == "as" && word(self.tokens, at + 1) == "as";
        let excepts = matches!(token.lower.as_str(), "counting" | "including") && before == "not";
        let together =
            matches!(token.lower.as_str(), "together" | "along") && word(self.tokens, at + 1) == "with";
        let times = self.head.times.is_some_and(|times| at == times);
        if joins || excepts || together || times {
            return true;
        }
        harmless
            || words::is_filler(&token.lower)
                && !of_graph
                && !is_asked
                && !compares
                && !is_count
                && !describes()
    }

    /// Whether the question wants any number of steps: `indirectly`, `the chain of ownership`.
    pub(crate) fn is_transitive(&self, segmentation: &Segmentation) -> bool {
        let is_free = |at: usize| !segmentation.spans.iter().any(|span| span.has(at));
        self.head.levels.is_some()
            || self.tokens.iter().enumerate().any(|(at, token)| {
                let others = ["somebody", "someone", "something", "others", "another", "other"];
                let through = token.lower == "through" && others.contains(&word(self.tokens, at + 1));
                through
                    || words::is_transitive(&token.lower)
                    || (words::is_chain(&token.lower) && is_free(at))
            })
    }

    /// Whether the graph has a word as one for a type, a property or a value.
    fn is_of_graph(&self, at: usize) -> bool {
        !self.lexicon.phrases(&self.tokens[at..=at]).is_empty()
    }

    /// The first word with a meaning after the one that asks.
    pub(crate) fn asked_word(&self) -> Option<usize> {
        let from = self.head.asker.map_or(self.head.lead, |asker| asker + 1);
        (from..self.tokens.len()).find(|&at| self.carries_meaning(at))
    }

    fn spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for first in self.head.lead..self.tokens.len() {
            self.exact_spans(first, &mut spans);
            self.relation_spans(first, &mut spans);
            self.measure_spans(first, &mut spans);
            self.unit_spans(first, &mut spans);
            self.compared_spans(first, &mut spans);
            if self.is_predicate(first) && self.comparative(&self.tokens[first + 1..]).is_some() {
                // `Run longer than ten minutes`: the comparative says what of them.
                spans.push(Span::new(first, first + 1, Piece::Silent, 0.95));
            }
            spans.extend(self.continued(first));
            spans.extend(self.something(first));
        }
        for first in self.head.lead..self.tokens.len() {
            self.partial_spans(first, &mut spans);
        }
        self.titled_spans(&mut spans);
        self.subject_spans(&mut spans);
        self.dated_verb_spans(&mut spans);
        for first in self.head.lead..self.tokens.len() {
            if self.carries_meaning(first) && !is_covered(&spans, first) {
                self.neighbour_spans(first, &mut spans);
            }
        }
        self.amount_spans(&mut spans);
        let is_open = |at: usize| self.carries_meaning(at) && !is_covered(&spans, at);
        let open: Vec<bool> = (0..self.tokens.len()).map(is_open).collect();
        for first in self.head.lead..self.tokens.len() {
            self.misspelled_spans(first, &open, &mut spans);
        }
        self.meant_spans(&open, &mut spans);
        self.apposed_spans(&mut spans);
        self.put_places(&mut spans);
        spans.retain(|span| !(span.first..span.end).any(|at| self.head.counts_levels(at)));
        self.keep_quotes_whole(&mut spans);
        spans
    }

    /// `California (CA)`, `Orlando (MCO)`: one name, written in two ways, of which the graph may have one.
    fn apposed_spans(&self, spans: &mut Vec<Span>) {
        let is_capital = |at: &usize| self.tokens[*at].is_capital() && self.tokens[*at].quote.is_none();
        let opens = |at: &usize| {
            let quote = self.tokens[*at].quote;
            quote.is_some() && self.tokens[at - 1].quote.is_none() && is_capital(&(at - 1))
        };
        let brackets: Vec<usize> = (self.head.lead + 1..self.tokens.len()).filter(opens).collect();
        for bracket in brackets {
            let end = (bracket..self.tokens.len())
                .find(|at| self.tokens[*at].quote != self.tokens[bracket].quote)
                .unwrap_or(self.tokens.len());
            let first = (self.head.lead..bracket).rev().take_while(is_capital).last().unwrap_or(bracket - 1);
            // What is only part of a name is as good as none.
            let is_known = |at: usize| {
                spans.iter().any(|span| span.has(at) && !(span.is_entity() && span.weight < WHOLE_NAME))
            };
            let is_open = |first: usize, end: usize| !(first..end).any(is_known);
            let silent = match (is_open(first, bracket), is_open(bracket, end)) {
                (true, false) => (first, bracket),
                (false, true) => (bracket, end),
                _ => continue,
            };
            spans.push(Span::new(silent.0, silent.1, Piece::Silent, 0.9));
        }
    }

    /// A name in brackets or quotation marks is one name.
    fn keep_quotes_whole(&self, spans: &mut Vec<Span>) {
        let quoted = |from: usize| self.tokens[from].quote;
        let mut whole: Vec<(usize, usize)> = Vec::new();
        for span in spans.iter().filter(|span| span.is_entity() && span.weight >= 1.0) {
            let quote = quoted(span.first);
            let same = quote.is_some() && (span.first..span.end).all(|at| quoted(at) == quote);
            let before = span.first > 0 && quoted(span.first - 1) == quote;
            let after = span.end < self.tokens.len() && quoted(span.end) == quote;
            if same && !before && !after {
                whole.push((span.first, span.end));
            }
        }
        spans.retain(|span| {
            whole.iter().all(|&(first, end)| {
                let apart = span.end <= first || span.first >= end;
                apart || (span.first <= first && span.end >= end && span.is_entity())
            })
        });
    }

    fn exact_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let longest = self.lexicon.longest.max(self.lexicon.names.longest + 2).min(self.tokens.len() - first);
        for end in first + 1..=first + longest {
            let words = &self.tokens[first..end];
            if words[0].is_possessive() || words[words.len() - 1].is_possessive() {
                continue;
            }
            let only_filler = (first..end).all(|at| self.is_filler(at));
            let names = self.lexicon.names.exact(words);
            let small = only_filler && !words.iter().any(Token::is_capital);
            if !names.is_empty() && !small && !self.only_asks(words, first) {
                let weight = if words.len() > 1 {
                    1.1
                } else {
                    self.single_name_weight(first, self.lexicon.names.is_small(names[0], words))
                };
                let entities = names.iter().map(|&node| (node, 1.0)).collect();
                spans.push(Span::new(first, end, Piece::Entity(entities), weight));
            }
            // A name beside another word, as in `Bochy born`, begins nothing.
            if !(first.max(1)..end).any(|at| self.tokens[at].is_capital()) {
                push_senses(spans, first, end, self.lexicon.properties_by_initials(words).as_slice());
            }
            if words.len() == 2 {
                push_senses(spans, first, end, &self.lexicon.properties_by_measure(words));
                let readings = self.lexicon.nouns_by_measure(words);
                if !readings.is_empty() {
                    let piece = Piece::Relation(Shape::Noun, readings);
                    spans.push(Span::new(first, end, piece, 0.9));
                }
            }
            // `Given name`: small words together may be what something is called.
            if only_filler && words.len() == 1 && !self.carries_meaning(first) {
                continue;
            }
            let verb =
                words.len() == 1 && inflection::is_participle(&words[0].lower) && !words[0].is_capital();
            let mut senses = self.lexicon.phrases(words);
            // `Designed` is not the type `designation`, though they have one stem.
            senses.retain(|sense| !(verb && self.is_other_noun(sense, &words[0])));
            self.keep_said(&mut senses);
            self.keep_types_asked(first, &mut senses);
            push_senses(spans, first, end, &senses);
            let mut values = self.lexicon.values(words);
            if values.is_empty() && names.is_empty() {
                values.extend(self.lexicon.values_by_initials(words));
                self.code_spans(words, (first, end), spans);
            }
            values.retain(|sense| self.is_said_before(sense, first) || !self.is_named_by(sense, &names));
            push_senses(spans, first, end, &values);
            self.origin_spans(first, end, spans);
        }
    }

    /// Whether the word asks, though something is called so: `Which` in `Which services use it`, not in `Which?` or
    /// `Tell me about Which`.
    fn only_asks(&self, words: &[Token], first: usize) -> bool {
        let alone = words.len() == self.tokens.len();
        matches!(words, [word] if word.quote.is_none()) && first == 0 && self.head.asker == Some(0) && !alone
    }

    /// The head of the question when it is cut so. A word in a name does not ask: `What Women Want was directed by whom`.
    pub(crate) fn head_of(&self, segmentation: &Segmentation) -> form::Head {
        let in_name = |at: usize| segmentation.spans.iter().any(|span| span.is_entity() && span.has(at));
        if !self.head.asker.is_some_and(in_name) {
            return self.head;
        }
        let mut others = self.tokens.to_vec();
        for (_, token) in others.iter_mut().enumerate().filter(|(at, _)| in_name(*at)) {
            token.lower.clear();
            token.stem.clear();
        }
        form::read(&others)
    }

    /// A single small word that is a name may also be just a word.
    fn single_name_weight(&self, at: usize, as_written: bool) -> f64 {
        let token = &self.tokens[at];
        if token.is_capital() || token.has_digit() {
            return 1.0;
        }
        let elsewhere = self.lexicon.frames.is_head(&token.stem)
            || self.is_of_graph(at)
            || !self.lexicon.types_by_thesaurus(token).is_empty();
        match (as_written, elsewhere) {
            (true, false) => 1.0,
            (true, true) => 0.7,
            (false, false) => 0.75,
            (false, true) => 0.45,
        }
    }

    fn relation_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let token = &self.tokens[first];
        if matches!(token.stem.as_str(), "share" | "common" | "mutual" | "same") {
            spans.push(Span::new(first, first + 1, Piece::Shared, 1.0));
        }
        let pair = || format!("{} {}", token.stem, self.tokens.get(first + 1).map_or("", |next| &next.stem));
        let meaningless = words::is_filler(&token.lower)
            && !self.lexicon.frames.is_head(&token.stem)
            && thesaurus::verb_neighbours(&pair()).is_empty();
        if meaningless || words::is_be(&token.lower) || words::is_relative(&token.lower) {
            return;
        }
        let is_noun = self.is_noun_by_place(first);
        // `The operator of X` is a noun even where the graph only has the verb.
        let article = is_noun
            && (self.is_behind_article(first) || self.is_behind_owner(first))
            && !inflection::is_participle(&token.lower);
        let (voice, fronted) = (voice(self.tokens, first), self.fronted_preposition(first));
        let counted = self.is_counted_by_place(first);
        let spot = Spot { tokens: self.tokens, at: first, voice, fronted, is_noun, counted };
        let mut all = self.lexicon.frames.find(spot);
        if self.head.form == form::Form::Truth {
            keep_likely_direction(&mut all);
        }
        for mut found in all {
            if article && found.shape == Shape::Verb {
                for reading in &mut found.readings {
                    reading.weight *= 0.8;
                }
            }
            let weight = found.readings.iter().map(|reading| reading.weight).fold(0.0, f64::max);
            let end = first + found.length;
            spans.push(Span::new(first, end, Piece::Relation(found.shape, found.readings), weight));
        }
        let said = spans
            .iter()
            .any(|span| span.first == first && matches!(span.piece, Piece::Relation(Shape::Verb, _)));
        // `Took part in`.
        let of_two = words::is_vague(&pair());
        // The `email address` of somebody is nothing that is done.
        let is_had = self.tokens[first.saturating_sub(2)..first].iter().any(Token::is_possessive);
        let is_vague = of_two || words::is_vague(&token.stem) || words::is_belonging(&token.stem);
        if is_vague && !said && !is_had {
            let end = first + 1 + usize::from(of_two);
            let by = matches!(word(self.tokens, end), "by" | "to" | "with" | "in");
            spans.push(Span::new(first, end + usize::from(by), Piece::Vague, 0.9));
        }
    }

    /// A preposition with which the verb before it says a further relationship: `played for Brazil at Atlanta`.
    fn continued(&self, at: usize) -> Option<Span> {
        let preposition = &self.tokens[at].lower;
        if !words::is_preposition(preposition) {
            return None;
        }
        let verbs = (self.head.lead..at).rev().filter(|&verb| !self.is_behind_article(verb));
        let said = verbs
            .map(|verb| (verb, self.lexicon.frames.with_preposition(&self.tokens[verb].stem, preposition)));
        let (verb, readings) = said.into_iter().find(|(_, readings)| !readings.is_empty())?;
        let apart = verb + 1 < at && !voice(self.tokens, verb).passive;
        apart.then(|| Span::new(at, at + 1, Piece::Continued(verb, readings), 0.95))
    }

    /// `The thing that uses auth-lib-v2`: a word for anything, where the graph has no other use for it.
    fn something(&self, first: usize) -> Option<Span> {
        let said_of = matches!(word(self.tokens, first + 1), "that" | "which" | "who" | "whose");
        let general = words::is_general(&self.tokens[first].lower) && !self.is_of_graph(first);
        (general && said_of).then(|| Span::new(first, first + 1, Piece::Something, 0.85))
    }

    /// Names that are nearly written so; one of the words must be open, that is without another meaning.
    fn misspelled_spans(&self, first: usize, open: &[bool], spans: &mut Vec<Span>) {
        for end in first + 1..=(first + 4).min(self.tokens.len()) {
            if self.tokens[end - 1].is_possessive() {
                break;
            }
            if !open[first..end].contains(&true) {
                continue;
            }
            let nodes = self.lexicon.names.misspelled(&self.tokens[first..end]);
            if !nodes.is_empty() {
                let weight = nodes[0].1;
                spans.push(Span::new(first, end, Piece::Entity(nodes), weight));
            }
        }
    }
}

/// Of a verb that may be read both ways, the likelier: `Did A write B` is not answered by B having written A.
fn keep_likely_direction(all: &mut Vec<PhraseMatch>) {
    let verbs = all.iter().filter(|found| found.shape == Shape::Verb);
    let said: Vec<Reading> = verbs.flat_map(|found| found.readings.iter().copied()).collect();
    for found in all.iter_mut().filter(|found| found.shape == Shape::Verb) {
        found.readings.retain(|reading| {
            !said.iter().any(|other| other.is_converse(reading) && other.weight > reading.weight)
        });
    }
    all.retain(|found| !found.readings.is_empty());
}

/// Whether a span explains the word; a small word that is also in some name is not explained by that.
fn is_covered(spans: &[Span], at: usize) -> bool {
    spans.iter().any(|span| span.has(at) && (span.weight >= 0.72 || !span.is_entity()))
}

fn push_senses(spans: &mut Vec<Span>, first: usize, end: usize, senses: &[Sense]) {
    let weight_of = |is_wanted: fn(&Meaning) -> bool| {
        let wanted = senses.iter().filter(|sense| is_wanted(&sense.meaning));
        wanted.map(|sense| sense.weight).fold(0.0, f64::max)
    };
    let type_weight = weight_of(|meaning| matches!(meaning, Meaning::Type(_)));
    let property_weight = weight_of(|meaning| matches!(meaning, Meaning::Property(_)));
    let (mut types, mut properties, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for sense in senses {
        match &sense.meaning {
            Meaning::Type(label) if sense.weight > type_weight - CLOSE => types.push(*label),
            Meaning::Property(property) if sense.weight > property_weight - CLOSE => {
                properties.push(*property);
            }
            Meaning::Type(_) | Meaning::Property(_) => {}
            Meaning::Value(property, value) => values.push((*property, value.clone())),
        }
    }
    let mut push = |piece, weight: f64| {
        if weight > 0.0 {
            spans.push(Span::new(first, end, piece, weight));
        }
    };
    push(Piece::Type(types), type_weight);
    push(Piece::Property(properties), property_weight);
    push(Piece::Value(values), weight_of(|meaning| matches!(meaning, Meaning::Value(..))));
}

fn keep(list: &mut Vec<Segmentation>, new: Segmentation) {
    let at = list.partition_point(|other| other.score >= new.score);
    if at < SEGMENTATIONS {
        list.insert(at, new);
        list.truncate(SEGMENTATIONS);
    }
}
