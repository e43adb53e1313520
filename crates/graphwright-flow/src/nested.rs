//! Flows that steps run.

use std::sync::{Arc, atomic::Ordering};

use crate::{
    context::Context, control::Status, error::Result, flow::Flow, notice::Notice, runner::Runner,
    shared::Shared, step::Steps,
};

impl<F: Flow> Context<F> {
    /// Runs another flow to its end, as part of this step.
    ///
    /// It is cancelled with this run, its notices are told as [`Notice::Nested`], and its questions are answered by the handle of
    /// this run. It keeps its checkpoints where this run does, unless its runner has a place of its own: when this step is repeated, it goes on
    /// where it was, or gives the result that it had. So the flows that a step runs must be the same ones in the same order each time.
    ///
    /// # Errors
    /// Fails as the other flow does.
    pub async fn run<G: Steps>(&self, runner: &Runner<G>, start: G::Start) -> Result<G::Stop>
    where
        G::Report: Into<F::Report>,
    {
        let number = {
            let mut draft = self.draft();
            draft.nested += 1;
            draft.nested - 1
        };
        let shared = Arc::clone(&self.shared);
        let run = shared.run().nested(self.delivery, number)?;
        let on_waiting = Box::new({
            let shared = Arc::clone(&shared);
            move |waits| step_waits(&shared, waits)
        });
        let mut start = runner.run(start).with_id(run).within(&shared, on_waiting);
        if let Some(listener) = shared.listener.clone() {
            let step = self.step();
            start = start.listen(move |notice| {
                let notice = Box::new(notice.into_reports_of());
                listener(Notice::Nested { step, flow: G::SHAPE.name, notice });
            });
        }
        start.await
    }
}

/// A step waits for people, or no longer does, which matters to whether its run does.
fn step_waits<F: Flow>(shared: &Shared<F>, waits: bool) {
    if waits {
        shared.waiting_steps.fetch_add(1, Ordering::AcqRel);
    } else {
        shared.waiting_steps.fetch_sub(1, Ordering::AcqRel);
        shared.control.set_status(Status::Working);
    }
    shared.control.look();
}
