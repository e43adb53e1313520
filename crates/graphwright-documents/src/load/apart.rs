//! Runs parsers of others on threads of their own: on damaged files they may panic or run long.

use std::{
    panic::{UnwindSafe, catch_unwind},
    sync::mpsc,
    time::Duration,
};

/// Runs a parser on bytes of a file of this kind, for at most this time.
///
/// # Errors
/// Says what happened if the parser panics, or does not end in time.
pub(super) fn apart<T: Send + 'static>(
    kind: &str,
    bytes: &[u8],
    limit: Duration,
    parse: impl FnOnce(&[u8]) -> T + UnwindSafe + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = mpsc::channel();
    let bytes = bytes.to_vec();
    let worker = std::thread::Builder::new().name("graphwright-parser".to_owned()).spawn(move || {
        // The receiver is gone if the time limit has passed.
        let _ = sender.send(catch_unwind(|| parse(&bytes)));
    });
    worker.map_err(|error| format!("cannot be read: no thread to read it in ({error})"))?;
    match receiver.recv_timeout(limit) {
        Ok(Ok(parsed)) => Ok(parsed),
        Ok(Err(_)) => Err(format!("cannot be read as {kind} (it is damaged)")),
        // A thread cannot be stopped: it ends by itself, and what it reads is dropped.
        Err(_) => Err(format!("cannot be read as {kind} within {} s", limit.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_panics_or_does_not_end_is_an_error() {
        let limit = Duration::from_millis(50);
        assert_eq!(apart("X", b"abc", Duration::from_mins(1), <[u8]>::len), Ok(3));
        let panics = apart("X", b"", Duration::from_mins(1), |_| panic!("of a parser"));
        assert_eq!(panics, Err::<(), _>("cannot be read as X (it is damaged)".to_owned()));
        let sleeps = apart("X", b"", limit, |_| std::thread::sleep(Duration::from_mins(1)));
        assert_eq!(sleeps, Err("cannot be read as X within 0 s".to_owned()));
    }
}
