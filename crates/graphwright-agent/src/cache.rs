//! A cache for results of reading a store.

use std::{any::Any, sync::Arc, time::Duration};

use graphwright_core::{
    GraphStore,
    cache::{BoundedCache, CacheKey},
};

/// A cache for results of queries and tools that read one store. Clones share the entries.
///
/// The key of a result has to cover everything that the result depends on, above all the version of
/// the store ([`GraphStore::version`]). Store a result only if the version did not change while it
/// was read.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use graphwright_agent::ResultCache;
/// use graphwright_core::{GraphStore, cache::CacheKey};
/// use graphwright_embedded::EmbeddedStore;
///
/// let store: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
/// let cache = ResultCache::new(store, 1_000_000, Duration::from_mins(10));
/// let key = CacheKey::new(&("count", "version 7"));
/// cache.put(key, &42_u64, 8);
/// assert_eq!(cache.get(key), Some(42_u64));
/// ```
#[derive(Clone, Debug)]
pub struct ResultCache {
    store: Arc<dyn GraphStore>,
    results: BoundedCache<Arc<dyn Any + Send + Sync>>,
}

impl ResultCache {
    /// Creates a cache for results of a store.
    ///
    /// It holds about `max_bytes` bytes, dropping the least used results first. Results older than
    /// `max_age` are not returned.
    pub fn new(store: Arc<dyn GraphStore>, max_bytes: u64, max_age: Duration) -> Self {
        Self { store, results: BoundedCache::new(max_bytes, max_age) }
    }

    /// Tells whether the cache holds results of this store.
    pub fn is_of(&self, store: &Arc<dyn GraphStore>) -> bool {
        Arc::ptr_eq(&self.store, store)
    }

    /// Returns the result for a key, unless it is too old.
    pub fn get<T: Clone + 'static>(&self, key: CacheKey) -> Option<T> {
        self.results.get(key)?.downcast_ref().cloned()
    }

    /// Stores a result of about `bytes` bytes.
    pub fn put<T: Clone + Send + Sync + 'static>(&self, key: CacheKey, result: &T, bytes: usize) {
        self.results.insert(key, Arc::new(result.clone()), bytes);
    }
}

#[cfg(test)]
mod tests {
    use graphwright_embedded::EmbeddedStore;

    use super::*;

    #[test]
    fn a_cache_is_of_one_store() {
        let store = || -> Arc<dyn GraphStore> { Arc::new(EmbeddedStore::in_memory()) };
        let (one, other) = (store(), store());
        let cache = ResultCache::new(Arc::clone(&one), 1_000, Duration::from_mins(1));
        assert!(cache.is_of(&one) && !cache.is_of(&other));
    }
}
