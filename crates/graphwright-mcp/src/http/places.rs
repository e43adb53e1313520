//! The places for connections.
//!
//! Connections that only wait, as those whose request is not complete or not admitted, give way to
//! new ones. So whoever holds many of them open keeps nobody out.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use graphwright::CancellationToken;
use tokio::sync::Notify;

/// The places of a service.
#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    state: Mutex<State>,
    /// Told when a place is left or its last call ends.
    change: Notify,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// The oldest first.
    taken: Vec<Taken>,
}

#[derive(Debug)]
struct Taken {
    number: u64,
    peer: IpAddr,
    calls: usize,
    leave: CancellationToken,
}

impl Places {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), state: Mutex::default(), change: Notify::new() })
    }

    /// Takes a place, from a connection that waits if there is no other. Waits while all connections
    /// have calls.
    pub(super) async fn take(self: &Arc<Self>, peer: IpAddr) -> Place {
        loop {
            // Before the look, so that no change in between is missed.
            let change = self.change.notified();
            if let Some(place) = self.try_take(peer) {
                return place;
            }
            change.await;
        }
    }

    fn try_take(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let mut state = self.state();
        if state.taken.len() >= self.most {
            let waiting = longest_waiting(&state.taken)?;
            state.taken.remove(waiting).leave.cancel();
        }
        let (number, leave) = (state.next, CancellationToken::new());
        state.next += 1;
        state.taken.push(Taken { number, peer, calls: 0, leave: leave.clone() });
        Some(Place { places: Arc::clone(self), number, leave })
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Taken)) {
        if let Some(taken) = self.state().taken.iter_mut().find(|taken| taken.number == number) {
            change(taken);
        }
        self.change.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Finds the connection that has waited longest, of the address with the most that wait.
fn longest_waiting(taken: &[Taken]) -> Option<usize> {
    let waits = |taken: &&Taken| taken.calls == 0;
    let of_peer = |peer| taken.iter().filter(waits).filter(|taken| taken.peer == peer).count();
    let most = taken.iter().filter(waits).map(|taken| of_peer(taken.peer)).max()?;
    taken.iter().position(|taken| taken.calls == 0 && of_peer(taken.peer) == most)
}

/// A place of a connection, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    leave: CancellationToken,
}

impl Place {
    /// Keeps the place for as long as the call lives.
    pub(super) fn call(self: &Arc<Self>) -> Call {
        self.places.change(self.number, |taken| taken.calls += 1);
        Call(Arc::clone(self))
    }

    /// Waits until the place is given to another connection.
    pub(super) async fn lost(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.state().taken.retain(|taken| taken.number != self.number);
        self.places.change.notify_waiters();
    }
}

/// A call that is being answered.
#[derive(Debug)]
pub(super) struct Call(Arc<Place>);

impl Drop for Call {
    fn drop(&mut self) {
        self.0.places.change(self.0.number, |taken| taken.calls -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_longest_waiting_of_the_greediest_gives_way_and_no_call_does() {
        let places = Places::new(4);
        let peer = |last: u8| IpAddr::from([127, 0, 0, last]);
        let busy = Arc::new(places.take(peer(1)).await);
        let call = busy.call();
        let lone = places.take(peer(2)).await;
        let (first, second) = (places.take(peer(1)).await, places.take(peer(1)).await);
        let new = places.take(peer(3)).await;
        assert!(first.leave.is_cancelled(), "of two that wait, the older");
        let others = [&busy.leave, &lone.leave, &second.leave, &new.leave];
        assert!(others.iter().all(|leave| !leave.is_cancelled()));
        let calls: Vec<_> = [lone, second, new]
            .map(|place| {
                let place = Arc::new(place);
                (place.call(), place)
            })
            .into();
        assert!(places.try_take(peer(4)).is_none(), "all have calls");
        drop(calls);
        assert!(places.try_take(peer(4)).is_some());
        drop(call);
    }

    #[tokio::test]
    async fn who_waits_for_a_place_gets_the_first_that_is_free() {
        let places = Places::new(1);
        let place = Arc::new(places.take(IpAddr::from([127, 0, 0, 1])).await);
        let call = place.call();
        let next = tokio::spawn({
            let places = Arc::clone(&places);
            async move { places.take(IpAddr::from([127, 0, 0, 2])).await.number }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        drop(call);
        assert_eq!(next.await.unwrap(), 1);
        place.lost().await;
    }
}
