//! The embedded graph store of Graphwright: durable, on one machine, nothing to install.
