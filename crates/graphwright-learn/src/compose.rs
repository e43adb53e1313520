//! Longer questions made of shorter ones, so that what was learned of short ones holds for long ones too.
//!
//! `people who know Mary` and `people who live at 5 Mill Lane` give `people who know people who live at 5 Mill Lane`: where the
//! last thing of one question stands, the phrase of another one is put whose answers are such things. Where the phrases stand
//! comes from the alignment of what was learned so far (recombination of data, Jia and Liang 2016).

use graphwright_core::text::identifier_words;
use graphwright_english::inflection::plural;

use crate::{
    graph::Graph,
    lesson::{Lesson, shuffle},
    meaning::Asked,
    model::Model,
    reading::{ReadThing, Reading},
    schema::Label,
    sentence::Sentence,
    words::split,
};

/// The fewest things to which questions are joined, if all that are learned from are shorter.
const LEAST_MADE: usize = 3;

/// Beginning or end of a phrase in a lesson.
struct Place {
    lesson: usize,
    label: Label,
    at: usize,
}

/// Makes up to `times` as many lessons as there are.
pub(crate) fn lessons(model: &Model, lessons: &[Lesson], graph: &Graph, times: usize) -> Vec<Lesson> {
    let (mut openings, mut phrases) = (Vec::new(), Vec::new());
    for (lesson, own) in lessons.iter().enumerate() {
        let [reading] = own.right.as_slice() else { continue };
        let rated = model.rate(&own.sentence, graph, &own.right);
        let Some(best) = rated.iter().find(|one| one.reading == *reading) else { continue };
        let last = reading.things.len() - 1;
        if last > 0
            && let Some((at, rest)) = best.layout.extent(&best.aligned, last as u8)
            && rest.is_some_and(|rest| rest < at)
        {
            openings.push(Place { lesson, label: reading.things[last].label, at });
        }
        let is_phrase = reading.rank.is_none() && reading.asked != Asked::Count || reading.rank.is_none();
        if is_phrase
            && let Some((at, _)) = best.layout.extent(&best.aligned, 0)
            && !matches!(reading.asked, Asked::Values(_))
        {
            phrases.push(Place { lesson, label: reading.things[0].label, at });
        }
    }
    let mut made = join_all(model, lessons, &openings, &phrases, times);
    made.extend(
        phrases
            .iter()
            .enumerate()
            .filter_map(|(at, phrase)| ask_value(model, &lessons[phrase.lesson], phrase, at, graph)),
    );
    made
}

/// `what are the ages of people who know Mary`, of a question for the people: what every property may be asked by.
fn ask_value(model: &Model, lesson: &Lesson, phrase: &Place, number: usize, graph: &Graph) -> Option<Lesson> {
    const OPENINGS: &[&str] = &["what are the", "what is the", "can you list the", "give me the"];
    let properties: Vec<Asked> = model.asked.of[usize::from(phrase.label)]
        .iter()
        .filter(|(asked, rank)| rank.is_none() && matches!(asked, Asked::Values(_)))
        .map(|(asked, _)| *asked)
        .collect();
    let asked = *properties.get(number % properties.len().max(1))?;
    let Asked::Values(property) = asked else { return None };
    let name = identifier_words(&graph.schema().properties[usize::from(property)]).join(" ");
    let several = if number.is_multiple_of(2) { plural(&name) } else { name };
    let opening = Sentence::with(
        split(&format!("{} {several} of", OPENINGS[number % OPENINGS.len()])),
        Vec::new(),
        &model.known,
    );
    let (sentence, moved) = opening.joined(opening.words.len(), &lesson.sentence, phrase.at, &model.known);
    let mut reading = lesson.right[0].clone();
    for (span, _) in reading.things.iter_mut().flat_map(|thing| &mut thing.conditions) {
        *span = u8::try_from(isize::from(i16::from(*span)) + moved).ok()?;
    }
    reading.asked = asked;
    is_sound(&reading, &sentence).then(|| Lesson { sentence, right: vec![reading] })
}

fn join_all(
    model: &Model,
    lessons: &[Lesson],
    openings: &[Place],
    phrases: &[Place],
    times: usize,
) -> Vec<Lesson> {
    let longest = (model.limits.steps + 1).max(LEAST_MADE);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut made = Vec::new();
    for _ in 0..times {
        for opening in openings {
            let mut order: Vec<usize> = (0..phrases.len()).collect();
            shuffle(&mut order, &mut seed);
            let fits = |at: &&usize| {
                let phrase = &phrases[**at];
                let things = lessons[opening.lesson].right[0].things.len()
                    + lessons[phrase.lesson].right[0].things.len()
                    - 1;
                phrase.label == opening.label
                    && phrase.lesson != opening.lesson
                    && things > 2
                    && things <= longest
            };
            if let Some(&at) = order.iter().find(fits) {
                made.extend(join(
                    model,
                    &lessons[opening.lesson],
                    opening,
                    &lessons[phrases[at].lesson],
                    &phrases[at],
                ));
            }
        }
    }
    made
}

fn join(model: &Model, first: &Lesson, opening: &Place, second: &Lesson, phrase: &Place) -> Option<Lesson> {
    let (sentence, moved) = first.sentence.joined(opening.at, &second.sentence, phrase.at, &model.known);
    let mut things: Vec<ReadThing> = first.right[0].things.clone();
    let last = things.pop()?;
    let base = things.len() as u8;
    for (at, thing) in second.right[0].things.iter().enumerate() {
        let before =
            if at == 0 { last.before } else { thing.before.map(|(before, step)| (before + base, step)) };
        let moved_span = |(span, link): &(u8, u8)| {
            Some((u8::try_from(isize::from(i16::from(*span)) + moved).ok()?, *link))
        };
        let conditions: Option<Vec<(u8, u8)>> = thing.conditions.iter().map(moved_span).collect();
        things.push(ReadThing { label: thing.label, before, conditions: conditions? });
    }
    let reading = Reading { things, asked: first.right[0].asked, rank: first.right[0].rank };
    is_sound(&reading, &sentence).then(|| Lesson { sentence, right: vec![reading] })
}

/// Whether all conditions stand for values of the sentence, and the tree is one that is looked for.
fn is_sound(reading: &Reading, sentence: &Sentence) -> bool {
    let forked = |at: usize| {
        at > 0
            && reading
                .things
                .iter()
                .filter(|thing| thing.before.is_some_and(|(before, _)| usize::from(before) == at))
                .count()
                > 1
    };
    let linked = |thing: &ReadThing| {
        thing.conditions.iter().all(|(span, link)| {
            let span = sentence.spans.get(usize::from(*span));
            span.and_then(|span| span.links.get(usize::from(*link)))
                .is_some_and(|link| link.label == thing.label)
        })
    };
    reading.things.iter().all(linked) && !(0..reading.things.len()).any(forked)
}
