//! A cache that is bounded by bytes and by age.

use std::{
    fmt::{self, Debug, Display, Formatter},
    time::{Duration, Instant},
};

use moka::{Expiry, sync::Cache};
use serde::Serialize;

/// The bytes that an entry takes in addition to its value.
const OVERHEAD: usize = 128;

/// The key of an entry: a hash of everything that the value depends on. Displayed as 64
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey(blake3::Hash);

impl CacheKey {
    /// Computes the key of a value from what it depends on. Keys are equal only if the dependencies
    /// are equal as JSON.
    pub fn new(dependencies: &impl Serialize) -> Self {
        let mut hasher = blake3::Hasher::new();
        // Writing to a hasher cannot fail, so only a value that is not JSON does; what was written
        // of it up to there still makes the key.
        let _ = serde_json::to_writer(&mut hasher, dependencies);
        Self(hasher.finalize())
    }
}

impl Display for CacheKey {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.to_hex())
    }
}

/// A cache that holds about a number of bytes, each entry for a limited time. Clones share the
/// entries.
///
/// ```
/// use std::time::Duration;
/// use graphwright_core::cache::{BoundedCache, CacheKey};
///
/// let cache = BoundedCache::new(1_000_000, Duration::from_mins(10));
/// let key = CacheKey::new(&("count", "version 7"));
/// cache.insert(key, 42_u64, 8);
/// assert_eq!(cache.get(key), Some(42));
/// assert_eq!(cache.get(CacheKey::new(&("count", "version 8"))), None);
/// ```
#[derive(Clone)]
pub struct BoundedCache<V> {
    entries: Cache<CacheKey, Entry<V>>,
    max_age: Duration,
}

#[derive(Clone)]
struct Entry<V> {
    value: V,
    bytes: u32,
    /// How long it may still be given when it is inserted.
    life: Duration,
}

impl<V: Clone + Send + Sync + 'static> BoundedCache<V> {
    /// Creates a cache of about `max_bytes` bytes, which drops the least used entries first and
    /// gives none that is as old as `max_age`.
    pub fn new(max_bytes: u64, max_age: Duration) -> Self {
        let entries = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(|_: &CacheKey, entry: &Entry<V>| entry.bytes)
            .expire_after(OfEntry)
            .build();
        Self { entries, max_age }
    }

    /// Returns the value for a key, unless it is too old.
    pub fn get(&self, key: CacheKey) -> Option<V> {
        self.entries.get(&key).map(|entry| entry.value)
    }

    /// Stores a value of about `bytes` bytes.
    pub fn insert(&self, key: CacheKey, value: V, bytes: usize) {
        self.insert_aged(key, value, bytes, Duration::ZERO);
    }

    /// Stores a value of about `bytes` bytes that has an age already. Returns whether it is young
    /// enough to be given.
    pub fn insert_aged(&self, key: CacheKey, value: V, bytes: usize, age: Duration) -> bool {
        let life = self.max_age.saturating_sub(age);
        if life.is_zero() {
            return false;
        }
        let bytes = u32::try_from(bytes.saturating_add(OVERHEAD)).unwrap_or(u32::MAX);
        self.entries.insert(key, Entry { value, bytes, life });
        true
    }
}

/// Lets each entry end with its own life.
struct OfEntry;

impl<V> Expiry<CacheKey, Entry<V>> for OfEntry {
    fn expire_after_create(&self, _: &CacheKey, entry: &Entry<V>, _: Instant) -> Option<Duration> {
        Some(entry.life)
    }

    fn expire_after_update(
        &self,
        _: &CacheKey,
        entry: &Entry<V>,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        Some(entry.life)
    }
}

impl<V: Clone + Send + Sync + 'static> Debug for BoundedCache<V> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("BoundedCache");
        fields.field("entries", &self.entries.entry_count()).field("max_age", &self.max_age);
        fields.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> CacheKey {
        CacheKey::new(&number)
    }

    #[test]
    fn old_values_are_not_given() {
        let cache = BoundedCache::new(10_000, Duration::from_mins(1));
        assert!(cache.insert_aged(key(1), "new", 3, Duration::from_secs(30)));
        assert!(!cache.insert_aged(key(2), "old", 3, Duration::from_mins(1)));
        assert!(cache.insert_aged(key(3), "almost old", 3, Duration::from_millis(59_990)));
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!([1, 2, 3].map(|number| cache.get(key(number))), [Some("new"), None, None]);
        cache.insert(key(3), "new again", 3);
        assert_eq!(cache.get(key(3)), Some("new again"));
    }

    #[test]
    fn values_take_no_more_than_they_may() {
        let cache = BoundedCache::new(10 * (1_000 + OVERHEAD as u64), Duration::from_mins(1));
        for number in 0..100 {
            cache.insert(key(number), number, 1_000);
        }
        cache.insert(key(100), 100, 20_000);
        cache.entries.run_pending_tasks();
        let kept = (0..=100).filter(|number| cache.get(key(*number)).is_some()).count();
        assert!((1..=10).contains(&kept), "{kept}");
        assert_eq!(cache.get(key(100)), None);
    }
}
