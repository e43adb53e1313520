//! Graphwright: build knowledge graphs from documents and answer questions with the graph path that proves each answer.
