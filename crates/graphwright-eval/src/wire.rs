//! Recorded exchanges with providers, read through our client.
//!
//! Each recording is a YAML document with the request (`when`) and the answer (`then`). A local
//! server gives the answer, whole or streamed, the client reads it, and what it read is compared
//! with what stands in the recording. Streams are also cut in the middle, which the client must
//! tell.

mod ask;
mod compare;
mod exchange;
mod expected;
mod reading;
mod report;
mod server;

use std::{path::Path, sync::Arc};

use futures::{StreamExt, stream};

use self::exchange::Exchange;
pub use self::report::{Fault, Outcome, Report, Row};
use crate::Result;

/// The exchanges that are replayed at the same time.
const AT_ONCE: usize = 8;

/// Replays all recordings below a folder. Those directly below one folder belong to one provider.
///
/// # Errors
///
/// Fails if the folder or a file of it cannot be read, or the local server cannot be started.
pub async fn replay(folder: &Path) -> Result<Report> {
    let server = Arc::new(server::Server::start().await?);
    let exchanges = exchange::read(folder)?;
    let outcomes = stream::iter(exchanges.into_iter().map(|exchange| {
        let server = Arc::clone(&server);
        async move { examine(&exchange, &server).await }
    }));
    Ok(Report::new(outcomes.buffered(AT_ONCE).collect().await))
}

/// Replays one exchange, and once more with its stream cut.
async fn examine(exchange: &Exchange, server: &server::Server) -> Outcome {
    let mut outcome = Outcome::new(exchange);
    let form = match exchange.form() {
        Ok(form) => form,
        Err(reason) => {
            outcome.left_out = Some(reason);
            return outcome;
        }
    };
    let Some(expected) = expected::read(form, exchange) else {
        outcome.left_out = Some("the recording holds no whole reply".to_owned());
        return outcome;
    };
    let read = ask::ask(exchange, form, exchange.body.as_bytes(), server).await;
    outcome.faults = compare::compare(&expected, &read);
    if let Some(cut) = exchange.cut(form) {
        outcome.cut = Some(ask::ask(exchange, form, cut.as_bytes(), server).await.broke_off());
    }
    outcome
}
