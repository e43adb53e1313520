//! Which step takes which event.

use std::{any::TypeId, collections::HashMap};

use crate::{
    error::{FlowError, Result},
    event::EventType,
    flow::Flow,
    step::{Step, Steps},
};

/// A flow made ready to run.
pub(crate) struct Plan<F: Flow> {
    pub(crate) flow: F,
    pub(crate) steps: Vec<Step<F>>,
    routes: HashMap<TypeId, Route>,
}

/// Where the events of a type go.
pub(crate) struct Route {
    pub(crate) event: EventType,
    pub(crate) to: Destination,
}

pub(crate) enum Destination {
    Steps(Vec<usize>),
    /// The end of the run.
    Stop,
    Person {
        answered_by: EventType,
    },
}

impl<F: Steps> Plan<F> {
    pub(crate) fn new(flow: F) -> Self {
        Self { flow, steps: F::steps(), routes: routes::<F>() }
    }

    /// # Errors
    /// Fails if two types have one name: a checkpoint could mean either.
    pub(crate) fn check_names(&self) -> Result<()> {
        let mut names: HashMap<&str, EventType> = HashMap::new();
        for route in self.routes.values() {
            if let Some(other) = names.insert(route.event.name(), route.event) {
                let mut types = [other.rust_name(), route.event.rust_name()];
                types.sort_unstable();
                let [first, second] = types;
                let (flow, name) = (F::SHAPE.name, route.event.name());
                return Err(FlowError::SameName { flow, name, first, second });
            }
        }
        Ok(())
    }
}

impl<F: Flow> Plan<F> {
    pub(crate) fn route(&self, event: TypeId) -> Option<&Route> {
        self.routes.get(&event)
    }

    pub(crate) fn event(&self, name: &str) -> Option<EventType> {
        self.routes.values().map(|route| route.event).find(|event| event.name() == name)
    }
}

/// The place of a step in its flow.
pub(crate) fn step_named<F: Flow>(name: &str) -> Option<usize> {
    F::SHAPE.steps.iter().position(|step| step.name == name)
}

fn routes<F: Flow>() -> HashMap<TypeId, Route> {
    let mut routes = HashMap::new();
    let shape = F::SHAPE;
    for (index, step) in shape.steps.iter().enumerate() {
        for event in step.takes.types() {
            let route = routes
                .entry(event.id())
                .or_insert_with(|| Route { event, to: Destination::Steps(Vec::new()) });
            if let Destination::Steps(steps) = &mut route.to {
                steps.push(index);
            }
        }
    }
    for ask in shape.asks {
        let to = Destination::Person { answered_by: ask.answer };
        routes.insert(ask.question.id(), Route { event: ask.question, to });
    }
    routes.insert(shape.stop.id(), Route { event: shape.stop, to: Destination::Stop });
    routes
}
