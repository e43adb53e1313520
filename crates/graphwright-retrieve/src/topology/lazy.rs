//! Values that are made when they are first asked for.

use std::{fmt, sync::OnceLock};

/// Values that are made together with room for their neighbours.
const PAGE: usize = 256;

type Page<T> = Box<[OnceLock<Box<T>>]>;

/// A list whose values are made when they are first asked for, and then stay. A value that nobody asked for takes no room.
pub(super) struct Lazy<T> {
    pages: Box<[OnceLock<Page<T>>]>,
}

impl<T> Lazy<T> {
    pub(super) fn new(length: usize) -> Self {
        Self { pages: empty(length.div_ceil(PAGE)) }
    }

    /// Returns the value at a position, or makes it.
    ///
    /// # Panics
    /// If the position is not below the length.
    pub(super) fn get_or_make(&self, position: usize, make: impl FnOnce() -> T) -> &T {
        let page = self.pages[position / PAGE].get_or_init(|| empty(PAGE));
        page[position % PAGE].get_or_init(|| Box::new(make()))
    }
}

fn empty<T>(length: usize) -> Box<[OnceLock<T>]> {
    (0..length).map(|_| OnceLock::new()).collect()
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lazy").finish_non_exhaustive()
    }
}
