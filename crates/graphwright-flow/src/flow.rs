//! What a flow is.

use serde::{Serialize, de::DeserializeOwned};

use crate::{check, draw::Drawing, event::Event, shape::FlowShape};

/// Steps that work together, made by [`#[flow]`](macro@crate::flow). A [`Runner`](crate::Runner) runs it.
pub trait Flow: Send + Sync + Sized + 'static {
    /// What a run starts with.
    type Start: Event;
    /// What a run ends with.
    type Stop: Event;
    /// What the steps of a run share.
    type State: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What steps tell to whoever listens.
    type Report: Send + 'static;

    /// The form of the flow.
    const SHAPE: FlowShape;

    /// Fails to compile if the steps do not fit together.
    #[doc(hidden)]
    const CHECKED: () = match check::fault(&Self::SHAPE) {
        None => (),
        Some(fault) => panic!("{}", fault.as_str()),
    };

    /// Draws the flow.
    ///
    /// ```
    /// use graphwright_flow::{Event, Flow, flow};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Serialize, Deserialize, Event)]
    /// struct Name(String);
    /// #[derive(Clone, Serialize, Deserialize, Event)]
    /// struct Greeting(String);
    ///
    /// struct Greeter;
    ///
    /// #[flow(start = Name, stop = Greeting)]
    /// impl Greeter {
    ///     #[step]
    ///     async fn greet(&self, name: Name) -> Greeting {
    ///         Greeting(format!("Hello, {}!", name.0))
    ///     }
    /// }
    ///
    /// let drawing = Greeter::draw();
    /// assert!(drawing.mermaid().starts_with("flowchart TD\n"));
    /// assert!(drawing.dot().starts_with("digraph Greeter {\n"));
    /// assert!(drawing.svg().starts_with("<svg "));
    /// ```
    fn draw() -> Drawing {
        Drawing::of(&Self::SHAPE)
    }
}
