//! What stands between Cypher as people write it and an engine that runs a part of it.

pub mod reserved;
