//! Whether the steps of a flow fit together. All of it is computed when the flow is compiled, so that a wrong flow does not compile.

mod text;

use crate::shape::{FlowShape, Shape, StepShape};

pub(crate) use self::text::Text;

/// The most steps of a flow: sets of them are the bits of one number.
const MOST_STEPS: usize = 128;

/// Finds what is wrong with a flow, and draws it. Returns `None` if every event is taken, every step can be reached and comes to an
/// end, and every loop has a bound.
pub(crate) const fn fault(flow: &FlowShape) -> Option<Text> {
    if flow.steps.len() > MOST_STEPS {
        return Some(about(flow).say("has more than 128 steps: put some of them into a flow of their own"));
    }
    if let Some(fault) = misplaced_event(flow) {
        return Some(fault);
    }
    if let Some(fault) = event_that_nobody_takes(flow) {
        return Some(fault);
    }
    if let Some(fault) = step_out_of_reach(flow) {
        return Some(fault);
    }
    if let Some(fault) = step_without_end(flow) {
        return Some(fault);
    }
    loop_without_bound(flow)
}

const fn about(flow: &FlowShape) -> Text {
    Text::new().say("the flow `").say(flow.name).say("` ")
}

/// The beginning of a message: what the flow has, and the drawing of it.
const fn drawing(flow: &FlowShape, what: &str) -> Text {
    about(flow).say(what).say("\n\n    ")
}

/// The start that nobody takes, the stop that nobody sends or somebody takes, and the questions that do not meet the steps.
const fn misplaced_event(flow: &FlowShape) -> Option<Text> {
    let start = flow.start.name();
    let stop = flow.stop.name();
    if !is_taken(flow, start) {
        let text = drawing(flow, "has no first step").say("start ── ").say(start).say(" ──▶ ?\n\n");
        return Some(text.say("a run starts with `").say(start).say("`, and no step takes it: add one"));
    }
    if !is_sent(flow, stop) {
        let text = drawing(flow, "has no last step").say("? ── ").say(stop).say(" ──▶ stop\n\n");
        return Some(text.say("a run ends with `").say(stop).say("`, and no step sends it: add one"));
    }
    let mut index = 0;
    while index < flow.steps.len() {
        let step = &flow.steps[index];
        if has(&step.takes, stop) {
            let text =
                drawing(flow, "goes on after its stop").say(stop).say(" ──▶ ").say(step.name).say("\n\n");
            let text = text.say("`").say(step.name).say("` takes `").say(stop);
            return Some(text.say("`, which ends the run: let it take another event"));
        }
        index += 1;
    }
    let mut index = 0;
    while index < flow.asks.len() {
        let (question, answer) = (flow.asks[index].question.name(), flow.asks[index].answer.name());
        if !is_sent(flow, question) {
            let text = drawing(flow, "asks nobody").say("? ── ").say(question).say(" ──▶ person\n\n");
            return Some(
                text.say("no step sends the question `")
                    .say(question)
                    .say("`: add one, or leave it out of `asks`"),
            );
        }
        if is_taken(flow, question) {
            let text = drawing(flow, "answers itself").say(question).say(" ──▶ person and step\n\n");
            return Some(
                text.say("a step takes the question `").say(question).say("`, which goes to a person"),
            );
        }
        if !is_taken(flow, answer) {
            let text = drawing(flow, "does not listen").say("person ── ").say(answer).say(" ──▶ ?\n\n");
            return Some(text.say("no step takes the answer `").say(answer).say("`: add one"));
        }
        index += 1;
    }
    None
}

const fn event_that_nobody_takes(flow: &FlowShape) -> Option<Text> {
    let mut index = 0;
    while index < flow.steps.len() {
        let step = &flow.steps[index];
        if let Some(event) = untaken(flow, &step.sends) {
            let text = drawing(flow, "has a hole").say(step.name).say(" ── ").say(event).say(" ──▶ ?\n\n");
            let text = text.say("`").say(step.name).say("` sends `").say(event);
            return Some(text.say("`, and no step takes it: add a step that does, or send another event"));
        }
        index += 1;
    }
    None
}

/// The first event of a shape that no step, no person and no stop takes.
const fn untaken(flow: &FlowShape, shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Nothing => None,
        Shape::One(event) => {
            let name = event.name();
            let arrives = same(name, flow.stop.name()) || is_question(flow, name) || is_taken(flow, name);
            if arrives { None } else { Some(name) }
        }
        Shape::AnyOf(parts) | Shape::AllOf(parts) => {
            let mut index = 0;
            while index < parts.len() {
                if let Some(name) = untaken(flow, &parts[index]) {
                    return Some(name);
                }
                index += 1;
            }
            None
        }
        Shape::Optional(inner) | Shape::Many(inner) => untaken(flow, inner),
    }
}

const fn step_out_of_reach(flow: &FlowShape) -> Option<Text> {
    let mut reached: u128 = 0;
    let mut index = 0;
    while index < flow.steps.len() {
        if has(&flow.steps[index].takes, flow.start.name()) {
            reached |= 1 << index;
        }
        index += 1;
    }
    let reached = closure(flow, reached, &Ways::ONWARDS);
    let mut index = 0;
    while index < flow.steps.len() {
        if reached & (1 << index) == 0 {
            let step = &flow.steps[index];
            let text = drawing(flow, "has a step out of reach").say("? ──▶ ").say(step.name).say("\n\n");
            let text = text.say("no way leads from `").say(flow.start.name()).say("` to `").say(step.name);
            return Some(text.say("`: let a step send what it takes, or leave it out"));
        }
        index += 1;
    }
    None
}

/// A step from which there is no way to the stop, to a person or to a step that may send nothing.
const fn step_without_end(flow: &FlowShape) -> Option<Text> {
    let mut ends: u128 = 0;
    let mut index = 0;
    while index < flow.steps.len() {
        let sends = &flow.steps[index].sends;
        if has(sends, flow.stop.name()) || may_send_nothing(sends) || sends_question(flow, sends) {
            ends |= 1 << index;
        }
        index += 1;
    }
    let ends = closure(flow, ends, &Ways::BACK);
    let mut index = 0;
    while index < flow.steps.len() {
        if ends & (1 << index) == 0 {
            let step = &flow.steps[index];
            let text = drawing(flow, "has a way without end").say(step.name).say(" ──▶ … ──▶ ?\n\n");
            let text =
                text.say("no way leads from `").say(step.name).say("` to the stop `").say(flow.stop.name());
            return Some(text.say("`: let a step on it send that"));
        }
        index += 1;
    }
    None
}

/// A loop in which no step has `at_most`. A loop through a person needs none, since each round waits for one.
const fn loop_without_bound(flow: &FlowShape) -> Option<Text> {
    let mut unbounded: u128 = 0;
    let mut index = 0;
    while index < flow.steps.len() {
        if flow.steps[index].at_most.is_none() {
            unbounded |= 1 << index;
        }
        index += 1;
    }
    let mut index = 0;
    while index < flow.steps.len() {
        if unbounded & (1 << index) != 0 {
            let onwards = Ways { backwards: false, through_people: false, within: unbounded };
            let back = Ways { backwards: true, ..onwards };
            let after = closure(flow, successors(flow, index, unbounded), &onwards);
            if after & (1 << index) != 0 {
                let circle = after & closure(flow, 1 << index, &back);
                let text =
                    drawing(flow, "has a loop without a bound").say("╭─▶ ").say(flow.steps[index].name);
                let text =
                    name_others(flow, circle & !(1 << index), text).say(" ─╮\n    ╰──────◀──────╯\n\n");
                return Some(text.say("give a step of it the most rounds: `#[step(at_most = 3)]`"));
            }
        }
        index += 1;
    }
    None
}

const fn name_others(flow: &FlowShape, steps: u128, mut text: Text) -> Text {
    let mut index = 0;
    while index < flow.steps.len() {
        if steps & (1 << index) != 0 {
            text = text.say(" ── ").say(flow.steps[index].name);
        }
        index += 1;
    }
    text
}

/// Which ways from step to step count.
#[derive(Clone, Copy)]
struct Ways {
    backwards: bool,
    /// A question to a person leads to the steps that take the answer.
    through_people: bool,
    /// The steps that the ways may go through.
    within: u128,
}

impl Ways {
    const ONWARDS: Self = Self { backwards: false, through_people: true, within: u128::MAX };
    const BACK: Self = Self { backwards: true, ..Self::ONWARDS };
}

/// A set of steps, with all that the ways lead to.
const fn closure(flow: &FlowShape, mut steps: u128, ways: &Ways) -> u128 {
    loop {
        let before = steps;
        let mut from = 0;
        while from < flow.steps.len() {
            let mut to = 0;
            while to < flow.steps.len() {
                let (known, new) = if ways.backwards { (to, from) } else { (from, to) };
                let is_new =
                    steps & (1 << known) != 0 && steps & (1 << new) == 0 && ways.within & (1 << new) != 0;
                if is_new && leads(flow, &flow.steps[from], &flow.steps[to], ways.through_people) {
                    steps |= 1 << new;
                }
                to += 1;
            }
            from += 1;
        }
        if steps == before {
            return steps;
        }
    }
}

const fn successors(flow: &FlowShape, from: usize, within: u128) -> u128 {
    let mut steps = 0;
    let mut to = 0;
    while to < flow.steps.len() {
        if within & (1 << to) != 0 && leads(flow, &flow.steps[from], &flow.steps[to], false) {
            steps |= 1 << to;
        }
        to += 1;
    }
    steps
}

const fn leads(flow: &FlowShape, from: &StepShape, to: &StepShape, through_people: bool) -> bool {
    if meet(&from.sends, &to.takes) {
        return true;
    }
    let mut index = 0;
    while through_people && index < flow.asks.len() {
        let ask = &flow.asks[index];
        if has(&from.sends, ask.question.name()) && has(&to.takes, ask.answer.name()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn meet(sends: &Shape, takes: &Shape) -> bool {
    match sends {
        Shape::Nothing => false,
        Shape::One(event) => has(takes, event.name()),
        Shape::AnyOf(parts) | Shape::AllOf(parts) => {
            let mut index = 0;
            while index < parts.len() {
                if meet(&parts[index], takes) {
                    return true;
                }
                index += 1;
            }
            false
        }
        Shape::Optional(inner) | Shape::Many(inner) => meet(inner, takes),
    }
}

/// Whether an event of that name is in a shape.
const fn has(shape: &Shape, name: &str) -> bool {
    match shape {
        Shape::Nothing => false,
        Shape::One(event) => same(event.name(), name),
        Shape::AnyOf(parts) | Shape::AllOf(parts) => {
            let mut index = 0;
            while index < parts.len() {
                if has(&parts[index], name) {
                    return true;
                }
                index += 1;
            }
            false
        }
        Shape::Optional(inner) | Shape::Many(inner) => has(inner, name),
    }
}

const fn may_send_nothing(shape: &Shape) -> bool {
    match shape {
        Shape::Nothing | Shape::Optional(_) => true,
        Shape::One(_) => false,
        Shape::AnyOf(parts) => {
            let mut index = 0;
            while index < parts.len() {
                if may_send_nothing(&parts[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
        Shape::AllOf(parts) => {
            let mut index = 0;
            while index < parts.len() {
                if !may_send_nothing(&parts[index]) {
                    return false;
                }
                index += 1;
            }
            true
        }
        Shape::Many(inner) => may_send_nothing(inner),
    }
}

const fn sends_question(flow: &FlowShape, sends: &Shape) -> bool {
    let mut index = 0;
    while index < flow.asks.len() {
        if has(sends, flow.asks[index].question.name()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_question(flow: &FlowShape, name: &str) -> bool {
    let mut index = 0;
    while index < flow.asks.len() {
        if same(flow.asks[index].question.name(), name) {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_taken(flow: &FlowShape, name: &str) -> bool {
    let mut index = 0;
    while index < flow.steps.len() {
        if has(&flow.steps[index].takes, name) {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_sent(flow: &FlowShape, name: &str) -> bool {
    let mut index = 0;
    while index < flow.steps.len() {
        if has(&flow.steps[index].sends, name) {
            return true;
        }
        index += 1;
    }
    false
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests;
