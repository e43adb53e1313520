//! Slows an address down that asks to wait.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// The wait where the provider names none.
const USUAL_WAIT: Duration = Duration::from_secs(1);
/// The longest wait that is kept. Calls that are asked to wait longer are given up.
const LONGEST_WAIT: Duration = Duration::from_secs(90);
/// The least and the longest time between two requests while an address is slowed down.
const GAPS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// How slowly an address is called.
///
/// When one call is asked to wait, all to that address do, and then go one after the other, the
/// slower the more often it happens. Each success makes them faster again.
#[derive(Debug, Default)]
pub(super) struct Slowness {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The time before which no request goes.
    until: Option<Instant>,
    /// The time between two requests. Zero when nothing is slowed down.
    gap: Duration,
    /// The time at which the next request may go.
    next: Option<Instant>,
}

impl Slowness {
    /// Waits until a request may go.
    pub(super) async fn wait(&self) {
        // Another call may be asked to wait while this one does.
        while let Some(at) = self.turn() {
            tokio::time::sleep_until(at).await;
            if !self.is_held() {
                return;
            }
        }
    }

    /// Takes the next turn. None if it is now.
    fn turn(&self) -> Option<Instant> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.gap.is_zero() && state.until.is_none() {
            return None;
        }
        let now = Instant::now();
        let at = state.until.into_iter().chain(state.next).fold(now, Instant::max);
        state.next = Some(at + state.gap);
        (at > now).then_some(at)
    }

    fn is_held(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.until.is_some_and(|until| until > Instant::now())
    }

    /// Slows down, since a call was asked to wait so long.
    pub(super) fn slow_down(&self, asked: Option<Duration>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let wait = asked.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT);
        // Calls that were under way together are asked together, which counts once.
        if state.until.is_none_or(|until| until <= now) {
            state.gap = (state.gap * 2).clamp(GAPS.0, GAPS.1);
            tracing::info!(?wait, gap = ?state.gap, "the address asks to wait, so all its calls do");
        }
        state.until = Some(state.until.map_or(now + wait, |until| until.max(now + wait)));
        state.next = None;
    }

    /// Goes faster again, since a call succeeded.
    pub(super) fn speed_up(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.gap.is_zero() || state.until.is_some_and(|until| until > Instant::now()) {
            return;
        }
        state.gap = state.gap * 7 / 8;
        if state.gap < GAPS.0 / 4 {
            *state = State::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::future::join_all;

    use super::*;
    use crate::{ChatModel, ChatReply, ChatRequest, LlmError, ModelSettings, ScriptedModel, Traffic, stack};

    #[tokio::test(start_paused = true)]
    async fn one_call_that_is_asked_to_wait_slows_all_and_success_speeds_them_up() {
        let start = Instant::now();
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&times);
        let model = ScriptedModel::answering(move |_| {
            let mut seen = seen.lock().unwrap();
            seen.push(start.elapsed());
            if seen.len() == 1 {
                let retry_after = Some(Duration::from_secs(20));
                return Err(LlmError::RateLimited { provider: "openai".into(), retry_after });
            }
            Ok(ChatReply::from("Paris"))
        });
        let mut settings = ModelSettings::new("openai/gpt-4o".parse().unwrap());
        settings.traffic = Traffic::new();
        settings.concurrency = 1;
        let model = stack(model, &settings).unwrap();
        let replies = join_all((0..30).map(|_| model.chat(ChatRequest::new("", "Where?")))).await;
        assert!(replies.iter().all(Result::is_ok));
        let times = times.lock().unwrap().clone();
        assert!(times[1..].iter().all(|time| *time >= Duration::from_secs(20)), "{times:?}");
        let gaps: Vec<Duration> = times[1..].windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        assert!(gaps[0] >= Duration::from_millis(40), "{gaps:?}");
        assert_eq!(gaps[25], Duration::ZERO, "it goes as fast as before: {gaps:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn calls_that_are_asked_together_count_once() {
        let slowness = Slowness::default();
        slowness.slow_down(None);
        slowness.slow_down(Some(Duration::from_secs(3)));
        assert_eq!(slowness.state.lock().unwrap().gap, GAPS.0);
        let start = Instant::now();
        slowness.wait().await;
        assert_eq!(start.elapsed(), Duration::from_secs(3));
        slowness.slow_down(Some(Duration::from_secs(500)));
        slowness.wait().await;
        assert_eq!(start.elapsed(), Duration::from_secs(93), "no longer than a call waits");
    }
}
