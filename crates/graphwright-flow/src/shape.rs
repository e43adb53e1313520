//! The form of a flow, known when it is compiled: which step takes and sends which events.

use crate::event::EventType;

/// The events that a step takes or sends.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// No event.
    Nothing,
    /// One event of this type.
    One(EventType),
    /// One event of one of these types.
    AnyOf(&'static [Shape]),
    /// All of these.
    AllOf(&'static [Shape]),
    /// This, or nothing.
    Optional(&'static Shape),
    /// Any number of these.
    Many(&'static Shape),
}

impl Shape {
    /// The types of events, each as often as it stands in the shape.
    pub(crate) fn types(&self) -> Vec<EventType> {
        match self {
            Self::Nothing => Vec::new(),
            Self::One(event) => vec![*event],
            Self::AnyOf(parts) | Self::AllOf(parts) => parts.iter().flat_map(Self::types).collect(),
            Self::Optional(inner) | Self::Many(inner) => inner.types(),
        }
    }
}

/// A step as it is drawn and checked.
#[derive(Clone, Copy, Debug)]
pub struct StepShape {
    /// The name of the method.
    pub name: &'static str,
    /// What its doc comment says.
    pub description: &'static str,
    /// The events that it takes.
    pub takes: Shape,
    /// The events that it sends.
    pub sends: Shape,
    /// How often it may run on one way from the start.
    pub at_most: Option<u32>,
}

/// A question to a person: the event that asks, and the event that answers.
#[derive(Clone, Copy, Debug)]
pub struct AskShape {
    /// Sent by a step.
    pub question: EventType,
    /// Sent by the person.
    pub answer: EventType,
}

/// A flow as it is drawn and checked.
#[derive(Clone, Copy, Debug)]
pub struct FlowShape {
    /// The name of the type.
    pub name: &'static str,
    /// The event that a run starts with.
    pub start: EventType,
    /// The event that ends a run.
    pub stop: EventType,
    /// The questions to people.
    pub asks: &'static [AskShape],
    /// The steps.
    pub steps: &'static [StepShape],
}
