//! Lists the functions of Cypher and those of libraries that only compute. All entries are sorted and in lower case.

/// The functions that aggregate rows.
pub(crate) const AGGREGATES: &[&str] =
    &["avg", "collect", "count", "max", "min", "percentilecont", "percentiledisc", "stdev", "stdevp", "sum"];

/// The functions that read nothing but their arguments and the graph.
const FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "all",
    "allshortestpaths",
    "any",
    "asin",
    "atan",
    "atan2",
    "btrim",
    "ceil",
    "char_length",
    "character_length",
    "coalesce",
    "cos",
    "cosh",
    "cot",
    "coth",
    "date",
    "date.realtime",
    "date.statement",
    "date.transaction",
    "date.truncate",
    "datetime",
    "datetime.fromepoch",
    "datetime.fromepochmillis",
    "datetime.realtime",
    "datetime.statement",
    "datetime.transaction",
    "datetime.truncate",
    "degrees",
    "distance",
    "duration",
    "duration.between",
    "duration.indays",
    "duration.inmonths",
    "duration.inseconds",
    "e",
    "elementid",
    "endnode",
    "exists",
    "exp",
    "floor",
    "haversin",
    "head",
    "id",
    "isempty",
    "isnan",
    "keys",
    "labels",
    "last",
    "left",
    "length",
    "localdatetime",
    "localdatetime.realtime",
    "localdatetime.statement",
    "localdatetime.transaction",
    "localdatetime.truncate",
    "localtime",
    "localtime.realtime",
    "localtime.statement",
    "localtime.transaction",
    "localtime.truncate",
    "log",
    "log10",
    "lower",
    "ltrim",
    "nodes",
    "none",
    "normalize",
    "nullif",
    "pi",
    "point",
    "point.distance",
    "point.withinbbox",
    "properties",
    "radians",
    "rand",
    "randomuuid",
    "range",
    "reduce",
    "relationships",
    "replace",
    "reverse",
    "right",
    "round",
    "rtrim",
    "shortestpath",
    "sign",
    "sin",
    "single",
    "sinh",
    "size",
    "split",
    "sqrt",
    "startnode",
    "substring",
    "tail",
    "tan",
    "tanh",
    "time",
    "time.realtime",
    "time.statement",
    "time.transaction",
    "time.truncate",
    "timestamp",
    "toboolean",
    "tobooleanlist",
    "tobooleanornull",
    "tofloat",
    "tofloatlist",
    "tofloatornull",
    "tointeger",
    "tointegerlist",
    "tointegerornull",
    "tolower",
    "tostring",
    "tostringlist",
    "tostringornull",
    "toupper",
    "trim",
    "type",
    "upper",
    "valuetype",
    "vector.similarity.cosine",
    "vector.similarity.euclidean",
];

/// The families of APOC functions that only compute.
const FUNCTION_FAMILIES: [&str; 9] = [
    "apoc.agg.",
    "apoc.coll.",
    "apoc.convert.",
    "apoc.date.",
    "apoc.map.",
    "apoc.math.",
    "apoc.number.",
    "apoc.temporal.",
    "apoc.text.",
];

/// The functions of these families that are denied: they make values of any size, or as many values
/// as there are combinations.
const BEYOND_MEASURE: &[&str] = &[
    "apoc.coll.combinations",
    "apoc.coll.fill",
    "apoc.coll.randomitems",
    "apoc.text.format",
    "apoc.text.lpad",
    "apoc.text.random",
    "apoc.text.repeat",
    "apoc.text.rpad",
];

fn contains(list: &[&str], name: &str) -> bool {
    list.binary_search(&name).is_ok()
}

/// Returns whether a function aggregates rows.
pub(crate) fn is_aggregate(name: &str) -> bool {
    contains(AGGREGATES, &name.to_lowercase())
}

/// Whether Cypher has a function of that name, or one of the libraries that the gate lets pass, in any case.
///
/// ```
/// use graphwright_cypher::syntax::is_function;
///
/// assert!(is_function("toUpper") && is_function("date.truncate") && !is_function("toCapitals"));
/// ```
pub fn is_function(name: &str) -> bool {
    let name = name.to_lowercase();
    contains(FUNCTIONS, &name)
        || contains(AGGREGATES, &name)
        || FUNCTION_FAMILIES.iter().any(|family| name.starts_with(family)) && !contains(BEYOND_MEASURE, &name)
}

/// Returns whether a function of the language returns the same for the same arguments.
pub(crate) fn is_repeatable(name: &str) -> bool {
    let of_the_clock = [".realtime", ".statement", ".transaction"].iter().any(|clock| name.ends_with(clock));
    let is_known = contains(FUNCTIONS, name) || contains(AGGREGATES, name);
    is_known && !of_the_clock && !matches!(name, "rand" | "randomuuid" | "timestamp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [AGGREGATES, FUNCTIONS, BEYOND_MEASURE] {
            assert!(list.is_sorted(), "{:?}", list.windows(2).find(|pair| pair[0] > pair[1]));
        }
    }
}
