//! Handles Ctrl-C while something is written.

use graphwright::CancellationToken;

use crate::output::Output;

/// Cancels the work on Ctrl-C.
///
/// The first Ctrl-C stops the work where everything written is consistent. The second ends the
/// command at once, which the store survives as it survives a kill.
pub(crate) fn cancel_on_request(stop: CancellationToken, output: &Output) {
    let output = output.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_err() {
            return;
        }
        output.note("stopping when the current piece of work is done; Ctrl-C again ends at once");
        stop.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            end();
        }
    });
}

#[expect(clippy::exit, reason = "a person insists")]
fn end() -> ! {
    std::process::exit(1)
}
