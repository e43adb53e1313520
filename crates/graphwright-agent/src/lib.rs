//! Answers with evidence: questions linked to the graph, answered by it alone or by a model that cites it.
