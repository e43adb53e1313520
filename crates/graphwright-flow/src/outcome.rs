//! What a step may take and return.

use std::sync::Arc;

use crate::{
    error::StepError,
    event::{Event, EventType, Payload},
    shape::Shape,
};

/// One event of one of several types: an [`Event`], or an enum of them.
///
/// ```
/// use graphwright_flow::{Event, OneOf};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize, Event)]
/// struct Accepted(u32);
///
/// #[derive(Clone, Serialize, Deserialize, Event)]
/// struct Rejected(String);
///
/// #[derive(OneOf)]
/// enum Verdict {
///     Accepted(Accepted),
///     Rejected(Rejected),
/// }
///
/// let verdict: Verdict = Accepted(3).into();
/// ```
#[diagnostic::on_unimplemented(
    message = "a step cannot take or send `{Self}`",
    note = "an event: `#[derive(Clone, Serialize, Deserialize, Event)]`",
    note = "one of several: an enum of events with `#[derive(OneOf)]`"
)]
pub trait OneOf: Send + Sized + 'static {
    /// The types.
    const SHAPE: Shape;

    #[doc(hidden)]
    fn into_sent(self) -> (EventType, Payload);

    #[doc(hidden)]
    fn from_payload(payload: Payload) -> Result<Self, Payload>;
}

impl<E: Event> OneOf for E {
    const SHAPE: Shape = Shape::One(EventType::of::<E>());

    fn into_sent(self) -> (EventType, Payload) {
        (EventType::of::<E>(), Arc::new(self))
    }

    fn from_payload(payload: Payload) -> Result<Self, Payload> {
        payload.downcast::<E>().map(Arc::unwrap_or_clone)
    }
}

/// Several events that belong together, made by [`Context::send_all`](crate::Context::send_all). Each goes to the steps that
/// take it on its own; [`Context::collect`](crate::Context::collect) brings them together again.
#[derive(Debug)]
#[must_use = "a batch is sent when the step returns it"]
pub struct Batch<T>(pub(crate) Vec<T>);

/// What a step returns: an event, an enum of events, a [`Batch`], a tuple of these (all are sent), an `Option` of these
/// (or nothing is), `()` (nothing is), or a `Result` of any.
#[diagnostic::on_unimplemented(
    message = "a step cannot return `{Self}`",
    note = "an event: `#[derive(Clone, Serialize, Deserialize, Event)]`; one of several: an enum with `#[derive(OneOf)]`",
    note = "several at once: `Batch<…>` from `ctx.send_all(…)`, or a tuple; perhaps none: `Option<…>`; none: `()`",
    note = "an error beside them: `Result<…, E>`, where `E` is an error"
)]
pub trait Outcome: Send + Sized {
    /// The events that may be sent.
    const SHAPE: Shape;

    #[doc(hidden)]
    fn settle(self, outbox: &mut Outbox) -> Result<(), StepError>;
}

impl<T: OneOf> Outcome for T {
    const SHAPE: Shape = T::SHAPE;

    fn settle(self, outbox: &mut Outbox) -> Result<(), StepError> {
        let (event, payload) = self.into_sent();
        outbox.events.push(Outgoing { event, payload, member: None });
        Ok(())
    }
}

impl<T: OneOf> Outcome for Batch<T> {
    const SHAPE: Shape = Shape::Many(&T::SHAPE);

    fn settle(self, outbox: &mut Outbox) -> Result<(), StepError> {
        let batch = outbox.batches;
        outbox.batches += 1;
        let size = self.0.len() as u32;
        outbox.events.extend(self.0.into_iter().zip(0..).map(|(event, index)| {
            let (event, payload) = event.into_sent();
            Outgoing { event, payload, member: Some(OutgoingMember { batch, index, size }) }
        }));
        Ok(())
    }
}

impl Outcome for () {
    const SHAPE: Shape = Shape::Nothing;

    fn settle(self, _: &mut Outbox) -> Result<(), StepError> {
        Ok(())
    }
}

impl<T: Outcome> Outcome for Option<T> {
    const SHAPE: Shape = Shape::Optional(&T::SHAPE);

    fn settle(self, outbox: &mut Outbox) -> Result<(), StepError> {
        self.map_or(Ok(()), |outcome| outcome.settle(outbox))
    }
}

impl<T: Outcome, E: Into<StepError> + Send> Outcome for Result<T, E> {
    const SHAPE: Shape = T::SHAPE;

    fn settle(self, outbox: &mut Outbox) -> Result<(), StepError> {
        self.map_err(Into::into)?.settle(outbox)
    }
}

macro_rules! all_of {
    ($($part:ident),+) => {
        impl<$($part: Outcome),+> Outcome for ($($part,)+) {
            const SHAPE: Shape = Shape::AllOf(&[$($part::SHAPE),+]);

            #[expect(non_snake_case, reason = "each part is named for its type")]
            fn settle(self, outbox: &mut Outbox) -> Result<(), StepError> {
                let ($($part,)+) = self;
                $($part.settle(outbox)?;)+
                Ok(())
            }
        }
    };
}

all_of!(A, B);
all_of!(A, B, C);
all_of!(A, B, C, D);

/// The events that a step has returned.
#[derive(Debug, Default)]
pub struct Outbox {
    pub(crate) events: Vec<Outgoing>,
    pub(crate) batches: u32,
}

/// An event that a step has returned.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) event: EventType,
    pub(crate) payload: Payload,
    pub(crate) member: Option<OutgoingMember>,
}

/// The place of an event in a batch; batches are counted within the outbox.
#[derive(Debug)]
pub(crate) struct OutgoingMember {
    pub(crate) batch: u32,
    pub(crate) index: u32,
    pub(crate) size: u32,
}
