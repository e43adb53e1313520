//! Questions for values and for firsts, made of questions for things: every property may be asked for, in the words that pairs have
//! for it, and the first of things by what the first of others is told.

use std::collections::BTreeMap;

use graphwright_core::text::identifier_words;
use graphwright_english::inflection::{is_participle, plural};

use super::{Place, is_sound, moved};
use crate::{
    graph::Graph,
    lesson::Lesson,
    meaning::{Asked, Rank},
    model::Model,
    scale::Scale,
    schema::{Label, Property, Schema},
    sentence::Sentence,
    words::{Word, join, split},
};

/// How questions begin that ask for a property.
const LEADS: &[&str] = &["what are the", "what is the", "can you list the", "give me the"];
/// How often words must stand so, not to be taken for a slip.
const OFTEN: usize = 2;

/// The words of pairs with which properties are asked for.
#[derive(Default)]
pub(super) struct Wordings {
    leads: BTreeMap<String, usize>,
    names: BTreeMap<(Label, Property), BTreeMap<String, usize>>,
}

impl Wordings {
    /// Takes in the words before what is asked for: a lead, if they end with an article.
    pub(super) fn add_lead(&mut self, sentence: &Sentence, at: usize) {
        let words = &sentence.words[..at];
        let has_value = sentence.spans.iter().any(|span| span.from < at);
        if words.last().is_some_and(|last| last.lower == "the") && !has_value {
            *self.leads.entry(written(words)).or_default() += 1;
        }
    }

    /// Takes in what a property is called.
    pub(super) fn add_name(&mut self, of: (Label, Property), words: &[Word]) {
        if words.last().is_some_and(|last| !is_participle(&last.lower)) {
            *self.names.entry(of).or_default().entry(written(words)).or_default() += 1;
        }
    }

    /// Leaves out what is rare.
    pub(super) fn choose(&mut self) {
        self.leads.retain(|_, count| *count >= OFTEN);
        self.leads.extend(LEADS.iter().map(|lead| ((*lead).to_owned(), OFTEN)));
        for names in self.names.values_mut() {
            names.retain(|_, count| *count >= OFTEN);
        }
    }

    fn lead(&self, number: usize) -> &str {
        self.leads.keys().nth(number % self.leads.len()).map_or("", String::as_str)
    }

    /// What a property is called, each time another of its names.
    fn name(&self, of: (Label, Property), number: usize, schema: &Schema) -> String {
        let own = identifier_words(&schema.properties[usize::from(of.1)]).join(" ");
        let learned = self.names.get(&of);
        let count = learned.map_or(0, BTreeMap::len) + 1;
        learned.and_then(|names| names.keys().nth(number % count)).cloned().unwrap_or(own)
    }
}

fn written(words: &[Word]) -> String {
    join(words.iter().map(|word| word.lower.as_str()))
}

/// `what are the ages of people who know Mary`, of a question for the people.
pub(super) fn value(
    model: &Model,
    lesson: &Lesson,
    phrase: &Place,
    number: usize,
    wordings: &Wordings,
    graph: &Graph,
) -> Option<Lesson> {
    let properties: Vec<(Asked, Property)> = model.asked.of[usize::from(phrase.label)]
        .iter()
        .filter_map(|(asked, rank)| match asked {
            Asked::Values(property) if rank.is_none() => Some((*asked, *property)),
            _ => None,
        })
        .collect();
    let &(asked, property) = properties.get(number % properties.len().max(1))?;
    let turn = number / properties.len();
    let name = wordings.name((phrase.label, property), turn, graph.schema());
    let several = if number.is_multiple_of(2) { plural(&name) } else { name };
    let opening = split(&format!("{} {several} of", wordings.lead(turn)));
    let opening = Sentence::with(opening, Vec::new(), &model.known);
    let (sentence, by) = opening.joined(opening.words.len(), &lesson.sentence, phrase.at, &model.known);
    let mut reading = moved(&lesson.right[0], by)?;
    reading.asked = asked;
    is_sound(&reading, &sentence).then(|| Lesson { sentence, right: vec![reading] })
}

/// `what is the latest call to 1-555`, of a question for the calls and one for the latest crime, if just one property of calls is
/// measured by what crimes are sorted by.
pub(super) fn first(
    model: &Model,
    lessons: &[Lesson],
    phrase: &Place,
    number: usize,
    firsts: &[Place],
    graph: &Graph,
) -> Option<Lesson> {
    let opening = firsts.get(number % firsts.len().max(1))?;
    let (first, lesson) = (&lessons[opening.lesson], &lessons[phrase.lesson]);
    let rank = first.right[0].rank?;
    let property = alike(graph.schema(), (opening.label, rank.property), phrase.label)?;
    let (sentence, by) = first.sentence.joined(opening.at, &lesson.sentence, phrase.at, &model.known);
    let mut reading = moved(&lesson.right[0], by)?;
    reading.rank = Some(Rank { property, descending: rank.descending });
    reading.asked = match first.right[0].asked {
        Asked::Values(own) if own == rank.property => Asked::Values(property),
        Asked::Entities => Asked::Entities,
        _ => return None,
    };
    is_sound(&reading, &sentence).then(|| Lesson { sentence, right: vec![reading] })
}

/// The only property of a type that is measured by the same as one of another type.
fn alike(schema: &Schema, of: (Label, Property), label: Label) -> Option<Property> {
    let scale = Some(schema.scale(of.0, of.1)).filter(|scale| *scale != Scale::None)?;
    let mut found = schema.has[usize::from(label)].iter().filter(|one| schema.scale(label, **one) == scale);
    let first = found.next()?;
    found.next().is_none().then_some(*first)
}
