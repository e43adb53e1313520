//! Limits on what a client is given.

use std::time::Duration;

/// Limits on one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpLimits {
    /// Maximum tokens in the text of a result; 8,000 by default.
    pub text_tokens: u64,
    /// Maximum bytes of a result's structured content; 512 KiB by default. Content that is longer
    /// is left out, and the text says so.
    ///
    /// With the text, the default stays below the 1 MiB that the protocol's own Python client
    /// accepts as one event over HTTP.
    pub structured_bytes: usize,
    /// Maximum bytes of a text that is read by address; 512 KiB by default, for the reason above. A
    /// longer text is cut and says so.
    pub resource_bytes: usize,
    /// Maximum time of a call, or of reading a text; 60 seconds by default.
    pub time: Duration,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            text_tokens: 8_000,
            structured_bytes: 1 << 19,
            resource_bytes: 1 << 19,
            time: Duration::from_mins(1),
        }
    }
}
