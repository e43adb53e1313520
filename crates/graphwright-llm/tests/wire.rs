//! Tests of what goes over the wire to each provider, and what comes back, against a local server.

#[cfg(test)]
mod wire {
    mod clouds;
    mod embeddings;
    mod failures;
    mod harness;
    mod providers;
    mod rerankers;
    mod takes;
    mod thoughts;
}
