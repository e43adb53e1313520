//! What flows between steps.

use std::{
    any::{Any, TypeId},
    fmt,
    sync::Arc,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A message from one step to others: it goes to every step that takes its type.
///
/// An event is data: it is cloned when several steps take it or an attempt is repeated, and written to the
/// [checkpoints](crate::CheckpointStore) as JSON. What a step works with (clients, models, files) stands in
/// the flow itself.
///
/// ```
/// use graphwright_flow::Event;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize, Event)]
/// struct Order {
///     lines: Vec<String>,
/// }
///
/// assert_eq!(Order::NAME, "Order");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    note = "derive it: `#[derive(Clone, Serialize, Deserialize, Event)]`"
)]
pub trait Event: Clone + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// The name of the type, in drawings and checkpoints. No two events of a flow have the same.
    const NAME: &'static str;
}

/// An event on its way.
pub(crate) type Payload = Arc<dyn Any + Send + Sync>;

/// A type of event: its name, and how to write and read it.
#[derive(Clone, Copy)]
pub struct EventType {
    name: &'static str,
    id: fn() -> TypeId,
    rust_name: fn() -> &'static str,
    encode: fn(&Payload) -> serde_json::Result<Value>,
    decode: fn(Value) -> serde_json::Result<Payload>,
}

impl EventType {
    /// Describes an event.
    pub const fn of<E: Event>() -> Self {
        Self {
            name: E::NAME,
            id: TypeId::of::<E>,
            rust_name: std::any::type_name::<E>,
            encode: |payload| match payload.downcast_ref::<E>() {
                Some(event) => serde_json::to_value(event),
                None => Err(serde::ser::Error::custom("another type of event")),
            },
            decode: |value| Ok(Arc::new(serde_json::from_value::<E>(value)?)),
        }
    }

    /// Returns the name of the type.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn id(&self) -> TypeId {
        (self.id)()
    }

    pub(crate) fn rust_name(&self) -> &'static str {
        (self.rust_name)()
    }

    pub(crate) fn encode(&self, payload: &Payload) -> serde_json::Result<Value> {
        (self.encode)(payload)
    }

    pub(crate) fn decode(&self, value: Value) -> serde_json::Result<Payload> {
        (self.decode)(value)
    }
}

impl fmt::Debug for EventType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}
