//! Whether a graph is opened for writing.

/// Whether a graph is opened for writing. One process at a time may write; any number may read
/// beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Read,
    /// Reads and writes. The store is created if there is none.
    Write,
}
