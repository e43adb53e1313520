//! The state that the models of one address share: its places, its rate and its circuit breaker.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use graphwright_core::text::public_address;

use super::{
    lane::{Breaker, Lane, Places},
    rate::Pace,
    slow::Slowness,
};
use crate::{ModelName, RateLimits};

static PROCESS: LazyLock<Traffic> = LazyLock::new(Traffic::new);

/// The addresses that models call, each with its calls at the same time, its rate and its circuit
/// breaker.
///
/// Models with a clone of one `Traffic` share them for each address.
///
/// ```
/// use graphwright_llm::{ModelSettings, Traffic};
///
/// let mut settings = ModelSettings::new("ollama/qwen3".parse()?);
/// assert!(settings.traffic.is(&Traffic::shared()));
/// settings.traffic = Traffic::new(); // this model alone
/// assert!(!settings.traffic.is(&Traffic::shared()));
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    lanes: Arc<Mutex<HashMap<String, Arc<Lane>>>>,
}

impl Traffic {
    /// Creates a traffic that no other model shares yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the traffic that all models of the process share unless told otherwise.
    pub fn shared() -> Self {
        PROCESS.clone()
    }

    /// Returns whether both are clones of one.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lanes, &other.lanes)
    }

    /// Returns the lane to an address, the provider's public one without one. Limits that are given
    /// replace the ones it has.
    pub(super) fn lane(
        &self,
        name: &ModelName,
        address: Option<&str>,
        rate: RateLimits,
        places: usize,
    ) -> Arc<Lane> {
        let provider = name.provider;
        let address = address.or(provider.default_address()).unwrap_or_default();
        let address = address.trim().trim_end_matches('/');
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        // Two of our providers may stand for one address, as OpenAI's two interfaces do.
        let lane = lanes.entry(address.to_owned()).or_insert_with(|| {
            Arc::new(Lane {
                provider: provider.to_string(),
                address: public_address(address).into_owned(),
                breaker: Breaker::default(),
                pace: Pace::default(),
                slowness: Slowness::default(),
                places: Places::default(),
            })
        });
        lane.pace.limit(rate);
        lane.places.limit(places);
        Arc::clone(lane)
    }
}
