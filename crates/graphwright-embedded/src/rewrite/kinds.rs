//! Infers what kind of value an expression has, from its text, the clauses before it and the
//! parameters.

use std::collections::BTreeMap;

use graphwright_core::Value;
use graphwright_cypher::syntax::{
    tree::{BinaryOperator, Expression, Imports, Name, NodePattern, Pattern, RelationshipPattern},
    visit::{Visit, walk_node, walk_pattern, walk_relationship},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only the values show the kind.
    #[default]
    Unknown,
    /// Made by a rewrite, which needs no guard.
    Ours,
    Null,
    Boolean,
    Integer,
    Float,
    Text,
    List,
    Map,
    Node,
    Relationship,
    Path,
    Date,
    LocalDateTime,
    DateTime,
    LocalTime,
    Time,
    Duration,
    Point,
    /// A node or relationship that was deleted.
    Deleted,
}

impl Kind {
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Float)
    }

    /// Returns the name of a temporal type that the engine mixes with others.
    pub(super) fn mixed(self) -> Option<&'static str> {
        match self {
            Self::Date | Self::LocalDateTime | Self::DateTime => self.type_name(),
            _ => None,
        }
    }

    /// Returns the name of a temporal or spatial type.
    pub(super) fn type_name(self) -> Option<&'static str> {
        match self {
            Self::Date => Some("DATE"),
            Self::LocalTime => Some("LOCAL TIME"),
            Self::Time => Some("ZONED TIME"),
            Self::LocalDateTime => Some("LOCAL DATETIME"),
            Self::DateTime => Some("ZONED DATETIME"),
            Self::Duration => Some("DURATION"),
            Self::Point => Some("POINT"),
            _ => None,
        }
    }

    fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Boolean(_) => Self::Boolean,
            Value::Integer(_) => Self::Integer,
            Value::Float(_) => Self::Float,
            Value::String(_) => Self::Text,
            Value::List(_) => Self::List,
            Value::Map(_) => Self::Map,
            Value::Node(_) => Self::Node,
            Value::Relationship(_) => Self::Relationship,
            Value::Path(_) => Self::Path,
            Value::Date(_) => Self::Date,
            Value::LocalDateTime(_) => Self::LocalDateTime,
            Value::DateTime(_) => Self::DateTime,
            Value::Duration(_) => Self::Duration,
            Value::Time(_) => Self::Time,
            Value::LocalTime(_) => Self::LocalTime,
            Value::Point(_) => Self::Point,
        }
    }
}

/// The kind of a value, and of its items if it is a list. For a value that may be null, it is the
/// kind otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    pub(super) own: Kind,
    pub(super) items: Kind,
}

impl From<Kind> for Kinds {
    fn from(own: Kind) -> Self {
        Self { own, items: Kind::Unknown }
    }
}

impl Kinds {
    pub(super) fn list_of(items: Kind) -> Self {
        Self { own: Kind::List, items }
    }

    pub(super) fn from_value(value: &Value) -> Self {
        match value {
            Value::List(items) => Self::list_of(common(items.iter().map(Kind::from_value))),
            other => Kind::from_value(other).into(),
        }
    }
}

/// Returns the kind that all have, leaving out nulls.
pub(super) fn common(kinds: impl Iterator<Item = Kind>) -> Kind {
    let mut kinds = kinds.filter(|kind| *kind != Kind::Null);
    let first = kinds.next().unwrap_or(Kind::Null);
    if kinds.all(|kind| kind == first) { first } else { Kind::Unknown }
}

/// The variables that are known at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope(BTreeMap<Box<str>, Kinds>);

impl Scope {
    pub(super) fn set(&mut self, name: &Name, kinds: impl Into<Kinds>) {
        self.0.insert(name.text.clone(), kinds.into());
    }

    pub(super) fn get(&self, name: &Name) -> Option<Kinds> {
        self.0.get(&name.text).copied()
    }

    /// Returns what a subquery sees at its beginning. A `WITH` there names what it takes.
    pub(super) fn imported(&self, imports: Option<&Imports>) -> Self {
        match imports {
            None | Some(Imports::All) => self.clone(),
            Some(Imports::Variables(variables)) => {
                let known = variables.iter().filter_map(|name| Some((name.text.clone(), self.get(name)?)));
                Self(known.collect())
            }
        }
    }
}

impl Visit for Scope {
    fn visit_pattern(&mut self, path: &Pattern) {
        path.variable.iter().for_each(|name| self.set(name, Kind::Path));
        walk_pattern(self, path);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        node.variable.iter().for_each(|name| self.set(name, Kind::Node));
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        let kinds = match relationship.hops {
            Some(_) => Kinds::list_of(Kind::Relationship),
            None => Kind::Relationship.into(),
        };
        relationship.variable.iter().for_each(|name| self.set(name, kinds));
        walk_relationship(self, relationship);
    }

    /// Skips expressions: variables within them are known only there.
    fn visit_expression(&mut self, _: &Expression) {}
}

/// Returns the kind of a function's result, by its name in lower case.
pub(super) fn called(name: &str, arguments: &[Kinds]) -> Kinds {
    let first = arguments.first().copied().unwrap_or_default();
    let items = match name {
        "collect" => first.own,
        "range" => Kind::Integer,
        "nodes" => Kind::Node,
        "relationships" => Kind::Relationship,
        "keys" | "labels" | "split" => Kind::Text,
        "tail" | "reverse" => first.items,
        _ => Kind::Unknown,
    };
    Kinds { own: result(name, first.own, arguments), items }
}

fn result(name: &str, first: Kind, arguments: &[Kinds]) -> Kind {
    match name {
        "count" | "size" | "length" | "id" | "tointeger" | "tointegerornull" | "sign" | "timestamp"
        | "char_length" => Kind::Integer,
        "tofloat" | "tofloatornull" | "rand" | "pi" | "e" | "sqrt" | "exp" | "log" | "log10" | "ceil"
        | "floor" | "round" | "sin" | "cos" | "tan" | "cot" | "asin" | "acos" | "atan" | "atan2"
        | "degrees" | "radians" | "haversin" | "stdev" | "stdevp" | "point.distance" => Kind::Float,
        "tostring" | "tostringornull" | "toupper" | "tolower" | "upper" | "lower" | "trim" | "ltrim"
        | "rtrim" | "btrim" | "substring" | "left" | "right" | "replace" | "type" | "elementid"
        | "randomuuid" | "valuetype" => Kind::Text,
        "labels" | "keys" | "nodes" | "relationships" | "range" | "collect" | "split" | "tail"
        | "tostringlist" | "tointegerlist" | "tofloatlist" | "tobooleanlist" => Kind::List,
        "properties" => Kind::Map,
        "startnode" | "endnode" => Kind::Node,
        "date" | "date.truncate" | "date.realtime" | "date.statement" | "date.transaction" => Kind::Date,
        "localdatetime" | "localdatetime.truncate" => Kind::LocalDateTime,
        "datetime" | "datetime.truncate" | "datetime.fromepoch" | "datetime.fromepochmillis" => {
            Kind::DateTime
        }
        "time" | "time.truncate" => Kind::Time,
        "localtime" | "localtime.truncate" => Kind::LocalTime,
        "point" => Kind::Point,
        "toboolean" | "tobooleanornull" | "exists" | "isempty" | "isnan" => Kind::Boolean,
        "head" | "last" => arguments.first().map_or(Kind::Unknown, |list| list.items),
        "coalesce" => common(arguments.iter().map(|argument| argument.own)),
        "min" | "max" | "abs" => first,
        _ if name.starts_with("duration") => Kind::Duration,
        _ => Kind::Unknown,
    }
}

pub(super) fn binary(operator: BinaryOperator, left: Kind, right: Kind) -> Kind {
    use BinaryOperator::{Add, Concatenate, Contains, EndsWith, In, Matches, Power, StartsWith};
    match operator {
        In | StartsWith | EndsWith | Contains | Matches => Kind::Boolean,
        Power => Kind::Float,
        Concatenate if left == Kind::List || right == Kind::List => Kind::List,
        Concatenate if left == Kind::Text || right == Kind::Text => Kind::Text,
        Concatenate => Kind::Unknown,
        _ => match (left, right) {
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            (left, right) if left.is_number() && right.is_number() => Kind::Float,
            (Kind::List, _) | (_, Kind::List) if operator == Add => Kind::List,
            (Kind::Text, other) | (other, Kind::Text) if operator == Add && other != Kind::Unknown => {
                Kind::Text
            }
            (Kind::Duration, Kind::Duration) => Kind::Duration,
            (Kind::Duration, number) | (number, Kind::Duration) if number.is_number() => Kind::Duration,
            (moment, Kind::Duration) | (Kind::Duration, moment) if moment.mixed().is_some() => moment,
            _ => Kind::Unknown,
        },
    }
}
