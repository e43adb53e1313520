//! What is wrong with a flow is drawn.

use serde::{Deserialize, Serialize};

use super::*;
use crate::{
    event::{Event, EventType},
    shape::AskShape,
};

macro_rules! events {
    ($($name:ident),*) => {$(
        #[derive(Clone, Serialize, Deserialize)]
        struct $name;

        impl Event for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

events!(Order, Line, Priced, Receipt, Confirm, Approval);

const fn one<E: Event>() -> Shape {
    Shape::One(EventType::of::<E>())
}

const fn step(name: &'static str, takes: Shape, sends: Shape) -> StepShape {
    StepShape { name, description: "", takes, sends, at_most: None }
}

const SPLIT: StepShape = step("split", one::<Order>(), Shape::Many(&one::<Line>()));
const PRICE: StepShape = step("price", one::<Line>(), one::<Priced>());
const TOTAL: StepShape = step("total", one::<Priced>(), Shape::Optional(&one::<Receipt>()));
const ASK: AskShape = AskShape { question: EventType::of::<Confirm>(), answer: EventType::of::<Approval>() };

fn told(steps: &'static [StepShape], asks: &'static [AskShape]) -> String {
    let (start, stop) = (EventType::of::<Order>(), EventType::of::<Receipt>());
    let fault = fault(&FlowShape { name: "Shop", start, stop, asks, steps });
    fault.map(|fault| fault.as_str().to_owned()).unwrap_or_default()
}

#[test]
fn a_flow_whose_steps_fit_together_is_right() {
    const STEPS: &[StepShape] = &[SPLIT, PRICE, TOTAL];
    assert_eq!(told(STEPS, &[]), "");
}

#[test]
fn an_event_that_nobody_takes() {
    const STEPS: &[StepShape] = &[SPLIT, TOTAL];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has a hole

        split ── Line ──▶ ?

    `split` sends `Line`, and no step takes it: add a step that does, or send another event
    ");
}

#[test]
fn a_start_that_nobody_takes() {
    const STEPS: &[StepShape] = &[PRICE, TOTAL];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has no first step

        start ── Order ──▶ ?

    a run starts with `Order`, and no step takes it: add one
    ");
}

#[test]
fn a_stop_that_nobody_sends() {
    const STEPS: &[StepShape] = &[SPLIT, step("price", one::<Line>(), Shape::Nothing)];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has no last step

        ? ── Receipt ──▶ stop

    a run ends with `Receipt`, and no step sends it: add one
    ");
}

#[test]
fn a_stop_that_somebody_takes() {
    const STEPS: &[StepShape] = &[SPLIT, PRICE, TOTAL, step("file", one::<Receipt>(), Shape::Nothing)];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` goes on after its stop

        Receipt ──▶ file

    `file` takes `Receipt`, which ends the run: let it take another event
    ");
}

#[test]
fn a_step_out_of_reach() {
    const STEPS: &[StepShape] = &[SPLIT, PRICE, TOTAL, step("greet", one::<Confirm>(), Shape::Nothing)];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has a step out of reach

        ? ──▶ greet

    no way leads from `Order` to `greet`: let a step send what it takes, or leave it out
    ");
}

#[test]
fn a_way_without_end() {
    const BOUND: StepShape =
        StepShape { at_most: Some(3), ..step("turn", one::<Confirm>(), one::<Approval>()) };
    const STEPS: &[StepShape] = &[
        step("split", one::<Order>(), Shape::AllOf(&[one::<Line>(), one::<Confirm>()])),
        PRICE,
        TOTAL,
        BOUND,
        step("back", one::<Approval>(), one::<Confirm>()),
    ];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has a way without end

        turn ──▶ … ──▶ ?

    no way leads from `turn` to the stop `Receipt`: let a step on it send that
    ");
}

#[test]
fn a_loop_has_a_bound() {
    const AGAIN: Shape = Shape::AnyOf(&[one::<Line>(), one::<Receipt>()]);
    const BOUND: &[StepShape] =
        &[SPLIT, PRICE, StepShape { at_most: Some(3), ..step("check", one::<Priced>(), AGAIN) }];
    const STEPS: &[StepShape] = &[SPLIT, PRICE, step("check", one::<Priced>(), AGAIN)];
    insta::assert_snapshot!(told(STEPS, &[]), @r"
    the flow `Shop` has a loop without a bound

        ╭─▶ price ── check ─╮
        ╰──────◀──────╯

    give a step of it the most rounds: `#[step(at_most = 3)]`
    ");
    assert_eq!(told(BOUND, &[]), "");
}

#[test]
fn a_loop_within_a_bounded_one_needs_a_bound_too() {
    const AGAIN: Shape = Shape::AnyOf(&[one::<Line>(), one::<Receipt>()]);
    const STEPS: &[StepShape] = &[
        SPLIT,
        step("price", one::<Line>(), Shape::AnyOf(&[one::<Priced>(), one::<Line>()])),
        StepShape { at_most: Some(3), ..step("check", one::<Priced>(), AGAIN) },
    ];
    assert!(told(STEPS, &[]).contains("╭─▶ price ─╮"), "{}", told(STEPS, &[]));
}

const ASKING: StepShape = step("price", one::<Line>(), one::<Confirm>());
const LISTENING: StepShape = step("total", one::<Approval>(), one::<Receipt>());

#[test]
fn questions_go_to_people_and_answers_to_steps() {
    const STEPS: &[StepShape] = &[SPLIT, ASKING, LISTENING];
    assert_eq!(told(STEPS, &[ASK]), "");
}

#[test]
fn a_person_may_be_asked_again_and_again() {
    const AGAIN: Shape = Shape::AnyOf(&[one::<Line>(), one::<Receipt>()]);
    const STEPS: &[StepShape] = &[SPLIT, ASKING, step("total", one::<Approval>(), AGAIN)];
    assert_eq!(told(STEPS, &[ASK]), "");
}

#[test]
fn a_question_that_nobody_asks() {
    const STEPS: &[StepShape] = &[SPLIT, PRICE, TOTAL];
    insta::assert_snapshot!(told(STEPS, &[ASK]), @r"
    the flow `Shop` asks nobody

        ? ── Confirm ──▶ person

    no step sends the question `Confirm`: add one, or leave it out of `asks`
    ");
}

#[test]
fn an_answer_that_nobody_takes() {
    const STEPS: &[StepShape] = &[SPLIT, ASKING, TOTAL];
    insta::assert_snapshot!(told(STEPS, &[ASK]), @r"
    the flow `Shop` does not listen

        person ── Approval ──▶ ?

    no step takes the answer `Approval`: add one
    ");
}

#[test]
fn a_question_that_a_step_takes() {
    const STEPS: &[StepShape] = &[SPLIT, ASKING, LISTENING, step("yes", one::<Confirm>(), one::<Approval>())];
    insta::assert_snapshot!(told(STEPS, &[ASK]), @r"
    the flow `Shop` answers itself

        Confirm ──▶ person and step

    a step takes the question `Confirm`, which goes to a person
    ");
}

#[test]
fn a_long_message_is_cut_between_characters() {
    let mut text = Text::new();
    for _ in 0..400 {
        text = text.say("──▶");
    }
    assert_eq!(text.as_str().chars().count(), 1024 / 9 * 3);
}
