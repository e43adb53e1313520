//! Lists the procedures that may pass. All entries are sorted and in lower case.

/// The procedures that only read the graph.
const PROCEDURES: &[&str] = &[
    "apoc.meta.data",
    "apoc.meta.nodetypeproperties",
    "apoc.meta.reltypeproperties",
    "apoc.meta.schema",
    "apoc.meta.stats",
    "db.index.fulltext.querynodes",
    "db.index.fulltext.queryrelationships",
    "db.index.vector.querynodes",
    "db.index.vector.queryrelationships",
    "db.info",
    "db.labels",
    "db.propertykeys",
    "db.relationshiptypes",
    "db.schema.nodetypeproperties",
    "db.schema.reltypeproperties",
    "db.schema.visualization",
];

pub(super) fn is_procedure(name: &str) -> bool {
    PROCEDURES.binary_search(&name.to_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(PROCEDURES.is_sorted(), "{:?}", PROCEDURES.windows(2).find(|pair| pair[0] > pair[1]));
    }
}
