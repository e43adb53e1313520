//! The JSON form of values.
