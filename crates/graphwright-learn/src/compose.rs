//! Questions made of others: longer ones of shorter ones, so that what was learned of short ones holds for long ones too.
//!
//! `people who know Mary` and `people who live at 5 Mill Lane` give `people who know people who live at 5 Mill Lane`: where the
//! last thing of one question stands, the phrase of another one is put whose answers are such things. Where the phrases stand
//! comes from the alignment of what was learned so far (recombination of data, Jia and Liang 2016).

mod asks;

use self::asks::Wordings;
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

/// Beginning or end of a phrase in a lesson.
struct Place {
    lesson: usize,
    label: Label,
    at: usize,
}

/// Where the phrases of lessons stand.
#[derive(Default)]
struct Places {
    /// Where the last thing begins, if nothing else stands behind it.
    openings: Vec<Place>,
    /// Where the phrase for what is asked for begins.
    phrases: Vec<Place>,
    /// Where that begins in questions for the first, if all words for that stand before it.
    firsts: Vec<Place>,
    /// Where what is said of the things that are asked for begins.
    tails: Vec<Place>,
    wordings: Wordings,
}

/// Makes lessons of others: up to `times` as many as there are by joining, and as many by each of the other ways.
pub(crate) fn lessons(model: &Model, lessons: &[Lesson], graph: &Graph, times: usize) -> Vec<Lesson> {
    let mut places = Places::default();
    for (number, lesson) in lessons.iter().enumerate() {
        places.add(model, number, lesson, graph);
    }
    places.wordings.choose();
    let mut made = join_all(model, lessons, &places, times);
    made.extend(fork_all(model, lessons, &places.tails));
    for (number, phrase) in places.phrases.iter().enumerate() {
        let lesson = &lessons[phrase.lesson];
        made.extend(asks::value(model, lesson, phrase, number, &places.wordings, graph));
        made.extend(asks::first(model, lessons, phrase, number, &places.firsts, graph));
    }
    made
}

impl Places {
    fn add(&mut self, model: &Model, number: usize, lesson: &Lesson, graph: &Graph) {
        let [reading] = lesson.right.as_slice() else { return };
        let rated = model.rate(&lesson.sentence, graph, &lesson.right);
        let Some(best) = rated.iter().find(|one| one.reading == *reading) else { return };
        let place = |thing: usize, at| Place { lesson: number, label: reading.things[thing].label, at };
        let last = reading.things.len() - 1;
        if last > 0
            && let Some((at, rest)) = best.layout.extent(&best.aligned, last as u8)
            && rest.is_some_and(|rest| rest < at)
        {
            self.openings.push(place(last, at));
        }
        if last > 0
            && reading.things[0].conditions.is_empty()
            && let Some(at) = best.layout.tail(&best.aligned)
        {
            self.tails.push(place(0, at));
        }
        if let Some((at, rest)) = best.layout.extent(&best.aligned, 0) {
            if reading.rank.is_some() {
                if rest.is_some_and(|rest| rest < at) {
                    self.firsts.push(place(0, at));
                }
            } else if !matches!(reading.asked, Asked::Values(_)) {
                self.phrases.push(place(0, at));
                self.wordings.add_lead(&lesson.sentence, at);
            }
        }
        for &condition in reading.things.iter().flat_map(|thing| &thing.conditions) {
            let link = lesson.sentence.link(condition);
            let words = best.layout.called(&best.aligned, &lesson.sentence, condition.0);
            self.wordings.add_name((link.label, link.property), &lesson.sentence.words[words]);
        }
    }
}

/// The reading of a phrase that follows other words: its spans have other numbers there.
fn moved(reading: &Reading, by: isize) -> Option<Reading> {
    let mut reading = reading.clone();
    for (span, _) in reading.things.iter_mut().flat_map(|thing| &mut thing.conditions) {
        *span = u8::try_from(isize::from(i16::from(*span)) + by).ok()?;
    }
    Some(reading)
}

/// Joins each opening to phrases for such things, as long as what comes of it is no longer than usual.
fn join_all(model: &Model, lessons: &[Lesson], places: &Places, times: usize) -> Vec<Lesson> {
    let steps = |place: &Place| lessons[place.lesson].right[0].things.len() - 1;
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut order: Vec<usize> = (0..places.phrases.len()).collect();
    let mut made = Vec::new();
    for opening in (0..times).flat_map(|_| &places.openings) {
        shuffle(&mut order, &mut seed);
        let fits = |phrase: &&Place| {
            phrase.label == opening.label
                && phrase.lesson != opening.lesson
                && (2..=model.limits.usual()).contains(&(steps(opening) + steps(phrase)))
        };
        if let Some(phrase) = order.iter().map(|at| &places.phrases[*at]).find(fits) {
            made.extend(join(model, &lessons[opening.lesson], opening, &lessons[phrase.lesson], phrase));
        }
    }
    made
}

fn join(model: &Model, first: &Lesson, opening: &Place, second: &Lesson, phrase: &Place) -> Option<Lesson> {
    let (sentence, by) = first.sentence.joined(opening.at, &second.sentence, phrase.at, &model.known);
    let mut reading = first.right[0].clone();
    let last = reading.things.pop()?;
    let base = reading.things.len() as u8;
    for thing in moved(&second.right[0], by)?.things {
        let before = thing.before.map_or(last.before, |(before, step)| Some((before + base, step)));
        reading.things.push(ReadThing { before, ..thing });
    }
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

/// `who lives in Leeds and knows Mary`, of two questions for people.
fn fork_all(model: &Model, lessons: &[Lesson], tails: &[Place]) -> Vec<Lesson> {
    const JOINTS: &[&str] = &["and", "and also", "and who", "who also"];
    if !model.limits.forks {
        return Vec::new();
    }
    let steps = |place: &Place| lessons[place.lesson].right[0].things.len() - 1;
    let first_step = |place: &Place| lessons[place.lesson].right[0].things[1].before;
    let mut seed = 0x5851_f42d_4c95_7f2d_u64;
    let mut order: Vec<usize> = (0..tails.len()).collect();
    let mut made = Vec::new();
    for (number, first) in tails.iter().enumerate() {
        shuffle(&mut order, &mut seed);
        let fits = |tail: &&Place| {
            tail.label == first.label
                && first_step(tail) != first_step(first)
                && steps(tail) + steps(first) <= model.limits.usual()
        };
        if let Some(tail) = order.iter().map(|at| &tails[*at]).find(fits) {
            let joint = JOINTS[number % JOINTS.len()];
            made.extend(fork(model, &lessons[first.lesson], &lessons[tail.lesson], tail.at, joint));
        }
    }
    made
}

fn fork(model: &Model, first: &Lesson, second: &Lesson, tail: usize, joint: &str) -> Option<Lesson> {
    let joint = Sentence::with(split(joint), Vec::new(), &model.known);
    let words = first.sentence.words.len();
    let (opening, _) = first.sentence.joined(words, &joint, 0, &model.known);
    let (sentence, by) = opening.joined(opening.words.len(), &second.sentence, tail, &model.known);
    let mut reading = first.right[0].clone();
    let base = reading.things.len() as u8 - 1;
    for thing in moved(&second.right[0], by)?.things.into_iter().skip(1) {
        let before = thing.before.map(|(before, step)| (if before == 0 { 0 } else { before + base }, step));
        reading.things.push(ReadThing { before, ..thing });
    }
    is_sound(&reading, &sentence).then(|| Lesson { sentence, right: vec![reading] })
}
