//! The functions of Cypher.
//!
//! Source: the section "Functions" of the Neo4j 5 Cypher manual.

use super::types::Type;

/// The signature of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    name: &'static str,
    pub(super) least: usize,
    pub(super) most: usize,
    /// The types that the first argument may have.
    pub(super) argument: Type,
    pub(super) result: Type,
}

impl Function {
    /// Returns the function `name`, in any case.
    pub(super) fn from_name(name: &str) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase();
        FUNCTIONS
            .binary_search_by(|function| function.name.cmp(&name))
            .ok()
            .and_then(|found| FUNCTIONS.get(found))
    }
}

const fn f(name: &'static str, least: usize, most: usize, argument: Type, result: Type) -> Function {
    Function { name, least, most, argument, result }
}

const ANY: Type = Type::ANY;
const BOOLEAN: Type = Type::BOOLEAN;
const DURATION: Type = Type::DURATION;
const FLOAT: Type = Type::FLOAT;
const INTEGER: Type = Type::INTEGER;
const LIST: Type = Type::LIST;
const NUMBER: Type = Type::NUMBER;
const STRING: Type = Type::STRING;
const TEMPORAL: Type = Type::TEMPORAL;
const NODE: Type = Type::NODE;
const RELATIONSHIP: Type = Type::RELATIONSHIP;

/// The functions, sorted by their names in lower case.
#[rustfmt::skip]
const FUNCTIONS: [Function; 134] = [
    f("abs", 1, 1, NUMBER, NUMBER),
    f("acos", 1, 1, NUMBER, FLOAT),
    f("asin", 1, 1, NUMBER, FLOAT),
    f("atan", 1, 1, NUMBER, FLOAT),
    f("atan2", 2, 2, NUMBER, FLOAT),
    f("avg", 1, 1, Type::NUMBER_OR_DURATION, Type::NUMBER_OR_DURATION),
    f("btrim", 1, 2, STRING, STRING),
    f("ceil", 1, 1, NUMBER, FLOAT),
    f("char_length", 1, 1, STRING, INTEGER),
    f("character_length", 1, 1, STRING, INTEGER),
    f("coalesce", 1, usize::MAX, ANY, ANY),
    f("collect", 1, 1, ANY, LIST),
    f("cos", 1, 1, NUMBER, FLOAT),
    f("cosh", 1, 1, NUMBER, FLOAT),
    f("cot", 1, 1, NUMBER, FLOAT),
    f("coth", 1, 1, NUMBER, FLOAT),
    f("count", 1, 1, ANY, INTEGER),
    f("date", 0, 1, ANY, TEMPORAL),
    f("date.realtime", 0, 1, ANY, TEMPORAL),
    f("date.statement", 0, 1, ANY, TEMPORAL),
    f("date.transaction", 0, 1, ANY, TEMPORAL),
    f("date.truncate", 1, 3, STRING, TEMPORAL),
    f("datetime", 0, 1, ANY, TEMPORAL),
    f("datetime.fromepoch", 2, 2, NUMBER, TEMPORAL),
    f("datetime.fromepochmillis", 1, 1, NUMBER, TEMPORAL),
    f("datetime.realtime", 0, 1, ANY, TEMPORAL),
    f("datetime.statement", 0, 1, ANY, TEMPORAL),
    f("datetime.transaction", 0, 1, ANY, TEMPORAL),
    f("datetime.truncate", 1, 3, STRING, TEMPORAL),
    f("db.namefromelementid", 1, 1, STRING, STRING),
    f("degrees", 1, 1, NUMBER, FLOAT),
    f("duration", 1, 1, ANY, DURATION),
    f("duration.between", 2, 2, TEMPORAL, DURATION),
    f("duration.indays", 2, 2, TEMPORAL, DURATION),
    f("duration.inmonths", 2, 2, TEMPORAL, DURATION),
    f("duration.inseconds", 2, 2, TEMPORAL, DURATION),
    f("e", 0, 0, ANY, FLOAT),
    f("elementid", 1, 1, Type::ENTITY, ANY),
    f("endnode", 1, 1, RELATIONSHIP, NODE),
    f("exists", 1, 1, ANY, BOOLEAN),
    f("exp", 1, 1, NUMBER, FLOAT),
    f("file", 0, 0, ANY, ANY),
    f("floor", 1, 1, NUMBER, FLOAT),
    f("graph.byelementid", 1, 1, STRING, ANY),
    f("graph.byname", 1, 1, STRING, ANY),
    f("graph.names", 0, 0, ANY, LIST),
    f("graph.propertiesbyname", 1, 1, STRING, ANY),
    f("haversin", 1, 1, NUMBER, FLOAT),
    f("head", 1, 1, LIST, ANY),
    f("id", 1, 1, Type::ENTITY, ANY),
    f("isempty", 1, 1, Type::COLLECTION, BOOLEAN),
    f("isnan", 1, 1, NUMBER, BOOLEAN),
    f("keys", 1, 1, Type::CONTAINER, LIST),
    f("labels", 1, 1, NODE, LIST),
    f("last", 1, 1, LIST, ANY),
    f("left", 2, 2, STRING, STRING),
    f("length", 1, 1, Type::PATH, INTEGER),
    f("linenumber", 0, 0, ANY, ANY),
    f("localdatetime", 0, 1, ANY, TEMPORAL),
    f("localdatetime.realtime", 0, 1, ANY, TEMPORAL),
    f("localdatetime.statement", 0, 1, ANY, TEMPORAL),
    f("localdatetime.transaction", 0, 1, ANY, TEMPORAL),
    f("localdatetime.truncate", 1, 3, STRING, TEMPORAL),
    f("localtime", 0, 1, ANY, TEMPORAL),
    f("localtime.realtime", 0, 1, ANY, TEMPORAL),
    f("localtime.statement", 0, 1, ANY, TEMPORAL),
    f("localtime.transaction", 0, 1, ANY, TEMPORAL),
    f("localtime.truncate", 1, 3, STRING, TEMPORAL),
    f("log", 1, 1, NUMBER, FLOAT),
    f("log10", 1, 1, NUMBER, FLOAT),
    f("lower", 1, 1, STRING, STRING),
    f("ltrim", 1, 2, STRING, STRING),
    f("max", 1, 1, ANY, ANY),
    f("min", 1, 1, ANY, ANY),
    f("nodes", 1, 1, Type::PATH_OR_LIST, LIST),
    f("normalize", 1, 1, STRING, STRING),
    f("nullif", 2, 2, ANY, ANY),
    f("percentilecont", 2, 2, NUMBER, ANY),
    f("percentiledisc", 2, 2, NUMBER, ANY),
    f("pi", 0, 0, ANY, FLOAT),
    f("point", 1, 1, ANY, Type::POINT),
    f("point.distance", 2, 2, ANY, FLOAT),
    f("point.withinbbox", 3, 3, ANY, BOOLEAN),
    f("properties", 1, 1, Type::CONTAINER, Type::MAP),
    f("radians", 1, 1, NUMBER, FLOAT),
    f("rand", 0, 0, ANY, FLOAT),
    f("randomuuid", 0, 0, ANY, STRING),
    f("range", 2, 3, INTEGER, LIST),
    f("relationships", 1, 1, Type::PATH_OR_LIST, LIST),
    f("replace", 3, 4, STRING, STRING),
    f("reverse", 1, 1, Type::TEXT_OR_LIST, ANY),
    f("right", 2, 2, STRING, STRING),
    f("round", 1, 3, NUMBER, FLOAT),
    f("rtrim", 1, 2, STRING, STRING),
    f("sign", 1, 1, NUMBER, INTEGER),
    f("sin", 1, 1, NUMBER, FLOAT),
    f("sinh", 1, 1, NUMBER, FLOAT),
    f("size", 1, 1, Type::TEXT_OR_LIST, INTEGER),
    f("split", 2, 2, STRING, LIST),
    f("sqrt", 1, 1, NUMBER, FLOAT),
    f("startnode", 1, 1, RELATIONSHIP, NODE),
    f("stdev", 1, 1, NUMBER, FLOAT),
    f("stdevp", 1, 1, NUMBER, FLOAT),
    f("substring", 2, 3, STRING, STRING),
    f("sum", 1, 1, Type::NUMBER_OR_DURATION, Type::NUMBER_OR_DURATION),
    f("tail", 1, 1, LIST, LIST),
    f("tan", 1, 1, NUMBER, FLOAT),
    f("tanh", 1, 1, NUMBER, FLOAT),
    f("time", 0, 1, ANY, TEMPORAL),
    f("time.realtime", 0, 1, ANY, TEMPORAL),
    f("time.statement", 0, 1, ANY, TEMPORAL),
    f("time.transaction", 0, 1, ANY, TEMPORAL),
    f("time.truncate", 1, 3, STRING, TEMPORAL),
    f("timestamp", 0, 0, ANY, INTEGER),
    f("toboolean", 1, 1, Type::SCALAR, BOOLEAN),
    f("tobooleanlist", 1, 1, LIST, LIST),
    f("tobooleanornull", 1, 1, ANY, BOOLEAN),
    f("tofloat", 1, 1, Type::SCALAR, FLOAT),
    f("tofloatlist", 1, 1, LIST, LIST),
    f("tofloatornull", 1, 1, ANY, FLOAT),
    f("tointeger", 1, 1, Type::SCALAR, INTEGER),
    f("tointegerlist", 1, 1, LIST, LIST),
    f("tointegerornull", 1, 1, ANY, INTEGER),
    f("tolower", 1, 1, STRING, STRING),
    f("tostring", 1, 1, Type::PRINTABLE, STRING),
    f("tostringlist", 1, 1, LIST, LIST),
    f("tostringornull", 1, 1, ANY, STRING),
    f("toupper", 1, 1, STRING, STRING),
    f("trim", 1, 2, STRING, STRING),
    f("type", 1, 1, RELATIONSHIP, STRING),
    f("upper", 1, 1, STRING, STRING),
    f("valuetype", 1, 1, ANY, STRING),
    f("vector.similarity.cosine", 2, 2, ANY, FLOAT),
    f("vector.similarity.euclidean", 2, 2, ANY, FLOAT),
];

/// Returns the possible types of the elements of the list that function `name` returns.
pub(super) fn elements(name: &str) -> Type {
    match name.to_ascii_lowercase().as_str() {
        "keys" | "labels" | "split" | "tostringlist" => STRING,
        "nodes" => NODE,
        "range" | "tointegerlist" => INTEGER,
        "relationships" => RELATIONSHIP,
        "tobooleanlist" => BOOLEAN,
        "tofloatlist" => FLOAT,
        _ => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(FUNCTIONS.iter().map(|function| function.name).is_sorted());
        assert!(Function::from_name("toUpper").is_some() && Function::from_name("foo").is_none());
    }
}
