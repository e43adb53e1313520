//! A cache for results of reading a store.

use std::{
    any::Any,
    fmt::{self, Debug, Formatter},
    sync::Arc,
    time::Duration,
};

use graphwright_core::GraphStore;
use moka::sync::Cache;
use serde::Serialize;
use tokio::time::Instant;

/// The bytes that an entry takes in addition to its result.
const OVERHEAD: usize = 128;

/// A cache for results of queries and tools that read one store. Clones share the entries.
///
/// The key of a result has to cover everything that the result depends on, above all the version of
/// the store ([`GraphStore::version`]). Store a result only if the version did not change while it
/// was read.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use graphwright_agent::ResultCache;
/// use graphwright_core::GraphStore;
/// use graphwright_embedded::EmbeddedStore;
///
/// let store: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
/// let cache = ResultCache::new(store, 1_000_000, Duration::from_mins(10));
/// let key = ResultCache::key(&("count", "version 7"));
/// cache.put(key, &42_u64, 8);
/// assert_eq!(cache.get(key), Some(42_u64));
/// assert_eq!(cache.get::<u64>(ResultCache::key(&("count", "version 8"))), None);
/// ```
#[derive(Clone)]
pub struct ResultCache {
    store: Arc<dyn GraphStore>,
    kept: Cache<ResultKey, Kept>,
    max_age: Duration,
}

/// The key of a result: a hash of everything that the result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultKey(blake3::Hash);

#[derive(Clone)]
struct Kept {
    made: Instant,
    bytes: u32,
    result: Arc<dyn Any + Send + Sync>,
}

impl ResultCache {
    /// Creates a cache for results of a store.
    ///
    /// It holds about `max_bytes` bytes, dropping the least used results first. Results older than
    /// `max_age` are not returned.
    pub fn new(store: Arc<dyn GraphStore>, max_bytes: u64, max_age: Duration) -> Self {
        let kept =
            Cache::builder().max_capacity(max_bytes).weigher(|_: &ResultKey, kept: &Kept| kept.bytes).build();
        Self { store, kept, max_age }
    }

    /// Tells whether the cache holds results of this store.
    pub fn is_of(&self, store: &Arc<dyn GraphStore>) -> bool {
        Arc::ptr_eq(&self.store, store)
    }

    /// Computes the key of a result from what it depends on. Keys are equal only if the
    /// dependencies are equal as JSON.
    pub fn key(dependencies: &impl Serialize) -> ResultKey {
        let mut hasher = blake3::Hasher::new();
        // Writing to a hasher cannot fail, so only a value that is not JSON does; what was written
        // of it up to there still makes the key.
        let _ = serde_json::to_writer(&mut hasher, dependencies);
        ResultKey(hasher.finalize())
    }

    /// Returns the result for a key, unless it is too old.
    pub fn get<T: Clone + 'static>(&self, key: ResultKey) -> Option<T> {
        let kept = self.kept.get(&key).filter(|kept| kept.made.elapsed() < self.max_age)?;
        kept.result.downcast_ref().cloned()
    }

    /// Stores a result of about `bytes` bytes.
    pub fn put<T: Clone + Send + Sync + 'static>(&self, key: ResultKey, result: &T, bytes: usize) {
        let bytes = u32::try_from(bytes.saturating_add(OVERHEAD)).unwrap_or(u32::MAX);
        self.kept.insert(key, Kept { made: Instant::now(), bytes, result: Arc::new(result.clone()) });
    }
}

impl Debug for ResultCache {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("ResultCache");
        fields.field("results", &self.kept.entry_count()).field("max_age", &self.max_age);
        fields.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use graphwright_embedded::EmbeddedStore;

    use super::*;

    fn store() -> Arc<dyn GraphStore> {
        Arc::new(EmbeddedStore::in_memory())
    }

    fn key(number: usize) -> ResultKey {
        ResultCache::key(&number)
    }

    #[tokio::test(start_paused = true)]
    async fn old_results_are_not_given() {
        let cache = ResultCache::new(store(), 10_000, Duration::from_mins(1));
        cache.put(key(1), &"one", 3);
        tokio::time::advance(Duration::from_secs(59)).await;
        assert_eq!(cache.get(key(1)), Some("one"));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(cache.get::<&str>(key(1)), None);
    }

    #[test]
    fn results_take_no_more_than_they_may() {
        let cache = ResultCache::new(store(), 10 * (1_000 + OVERHEAD as u64), Duration::from_mins(1));
        for number in 0..100 {
            cache.put(key(number), &number, 1_000);
        }
        cache.put(key(100), &100_usize, 20_000);
        cache.kept.run_pending_tasks();
        let kept = (0..=100).filter(|number| cache.get::<usize>(key(*number)).is_some()).count();
        assert!((1..=10).contains(&kept), "{kept}");
        assert_eq!(cache.get::<usize>(key(100)), None);
    }

    #[test]
    fn a_cache_is_of_one_store() {
        let (one, other) = (store(), store());
        let cache = ResultCache::new(Arc::clone(&one), 1_000, Duration::from_mins(1));
        assert!(cache.is_of(&one) && !cache.is_of(&other));
    }
}
