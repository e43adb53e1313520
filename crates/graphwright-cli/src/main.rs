//! The graphwright command.
fn main() {}
