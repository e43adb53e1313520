//! What kind of value an expression has, as far as its text, the clauses before it and the parameters show.

use std::collections::BTreeMap;

use graphwright_core::{Properties, Value};

use super::{
    ADDED,
    expression::{Expression, Operator, Shape, Through, parse},
    pattern::{ElementKind, Path, Place},
    projection::projection,
};
use crate::source::{Clause, Keyword, Source};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only the values show it.
    #[default]
    Unknown,
    /// Made by a rewrite, which knows what it does.
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
    /// Times of day, durations and points: the engine takes them for nothing else.
    Other,
    Duration,
    /// A node or relationship that was there.
    Deleted,
}

impl Kind {
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Float)
    }

    /// The engine's name of a temporal type that it mixes with others.
    pub(super) fn mixed(self) -> Option<&'static str> {
        match self {
            Self::Date => Some("DATE"),
            Self::LocalDateTime => Some("LOCAL DATETIME"),
            Self::DateTime => Some("ZONED DATETIME"),
            _ => None,
        }
    }

    pub(super) fn of_value(value: &Value) -> Self {
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
            Value::Time(_) | Value::LocalTime(_) | Value::Point(_) => Self::Other,
        }
    }
}

/// The variables that are known at a place, with their kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'a> {
    variables: BTreeMap<&'a str, Kind>,
    /// The kinds of the items of lists.
    items: BTreeMap<&'a str, Kind>,
}

impl<'a> Scope<'a> {
    pub(super) fn set(&mut self, name: &'a str, kind: Kind) {
        self.variables.insert(name, kind);
        self.items.remove(name);
    }

    pub(super) fn get(&self, name: &str) -> Option<Kind> {
        self.variables.get(name).copied()
    }

    /// What holds after a clause.
    pub(super) fn pass_clause(
        &mut self,
        source: &Source<'a>,
        clause: &Clause,
        paths: &[Path],
        parameters: &Properties,
    ) {
        match clause.keyword {
            Keyword::Match | Keyword::OptionalMatch | Keyword::Create | Keyword::Merge => {
                for path in paths.iter().filter(|path| stands_in(path, clause)) {
                    self.pass_path(source, path);
                }
            }
            Keyword::With => {
                let projection = projection(source, clause);
                let star = projection.items.iter().any(|item| item.is_star(source));
                let mut next = if star { self.clone() } else { Self::default() };
                for item in projection.items.iter().filter(|item| !item.is_star(source)) {
                    let name = source.text(item.alias.unwrap_or(item.expression.start));
                    let found = parse(source, item.expression.clone());
                    let known = |of: fn(&Source<'_>, &Expression, &Scope<'_>, &Properties) -> Kind| {
                        found.as_ref().map_or(Kind::Unknown, |found| of(source, found, self, parameters))
                    };
                    next.set(name, known(kind));
                    next.items.insert(name, known(items_kind));
                }
                *self = next;
            }
            Keyword::Unwind => {
                let name = source.text(clause.tokens.end - 1);
                let list = parse(source, clause.tokens.start + 1..clause.tokens.end.saturating_sub(2));
                let kind = list.map_or(Kind::Unknown, |list| items_kind(source, &list, self, parameters));
                self.set(name, kind);
            }
            Keyword::Union => *self = Self::default(),
            Keyword::Call => {
                // What a subquery or procedure gives hides what was known under its name.
                let yields = source.level(clause.tokens.clone()).any(|index| source.is_word(index, "YIELD"));
                if yields || source.is_symbol(clause.tokens.start + 1, "{") {
                    for index in clause.tokens.clone() {
                        let alias = source.before(index, |before| source.is_word(before, "AS"));
                        if alias && self.variables.contains_key(source.text(index)) {
                            self.set(source.text(index), Kind::Unknown);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn pass_path(&mut self, source: &Source<'a>, path: &Path) {
        for element in &path.elements {
            let Some(variable) = element.variable else { continue };
            let kind = match element.kind {
                ElementKind::Node => Kind::Node,
                ElementKind::Relationship if element.hops.is_some() => Kind::List,
                ElementKind::Relationship => Kind::Relationship,
                ElementKind::Group => continue,
            };
            self.set(source.text(variable), kind);
        }
        let mut at = path.tokens.start;
        if matches!(path.place, Place::Shortest(..)) {
            at = at.saturating_sub(2);
        }
        if at >= 2 && source.is_symbol(at - 1, "=") {
            self.set(source.text(at - 2), Kind::Path);
        }
    }
}

pub(super) fn stands_in(path: &Path, clause: &Clause) -> bool {
    matches!(&path.place, Place::Clause(_, tokens) | Place::Shortest(_, tokens) if *tokens == clause.tokens)
}

/// The kind of the items of a list.
pub(super) fn items_kind(
    source: &Source<'_>,
    list: &Expression,
    scope: &Scope<'_>,
    parameters: &Properties,
) -> Kind {
    let bare = list.bare();
    match &bare.shape {
        Shape::List(items) => common(items.iter().map(|item| kind(source, item, scope, parameters))),
        Shape::Variable => scope.items.get(source.text(bare.tokens.start)).copied().unwrap_or_default(),
        Shape::Slice(list, _) => items_kind(source, list, scope, parameters),
        Shape::Call(name, arguments) => match name.as_str() {
            "collect" => {
                arguments.first().map_or(Kind::Unknown, |value| kind(source, value, scope, parameters))
            }
            "range" => Kind::Integer,
            "nodes" => Kind::Node,
            "relationships" => Kind::Relationship,
            "keys" | "labels" | "split" => Kind::Text,
            _ => Kind::Unknown,
        },
        Shape::Parameter => match source.name(bare.tokens.start).and_then(|name| parameters.get(&*name)) {
            Some(Value::List(items)) => common(items.iter().map(Kind::of_value)),
            _ => Kind::Unknown,
        },
        _ => Kind::Unknown,
    }
}

/// The kind that all have, nulls aside.
fn common(kinds: impl Iterator<Item = Kind>) -> Kind {
    let mut kinds = kinds.filter(|kind| *kind != Kind::Null);
    let first = kinds.next().unwrap_or(Kind::Null);
    if kinds.all(|kind| kind == first) { first } else { Kind::Unknown }
}

/// The kind of an expression's value; of a value that may be null, the kind that it has otherwise.
pub(super) fn kind(
    source: &Source<'_>,
    expression: &Expression,
    scope: &Scope<'_>,
    parameters: &Properties,
) -> Kind {
    let of = |part: &Expression| kind(source, part, scope, parameters);
    match &expression.shape {
        Shape::Null => Kind::Null,
        Shape::Integer | Shape::Subquery(_) => Kind::Integer,
        Shape::Float => Kind::Float,
        Shape::Text => Kind::Text,
        Shape::Parameter => source
            .name(expression.tokens.start)
            .and_then(|name| parameters.get(&*name))
            .map_or(Kind::Unknown, Kind::of_value),
        Shape::Variable => {
            let name = source.text(expression.tokens.start);
            if name.starts_with(ADDED) { Kind::Ours } else { scope.get(name).unwrap_or_default() }
        }
        Shape::Parentheses(inner) | Shape::Sign(inner) => of(inner),
        Shape::Property(base) if of(base).mixed().is_some() || of(base) == Kind::Duration => Kind::Ours,
        Shape::Boolean
        | Shape::Not(_)
        | Shape::Test(_)
        | Shape::Labelled(_)
        | Shape::Each(Through::Quantifier, ..) => Kind::Boolean,
        Shape::List(_) | Shape::Slice(..) | Shape::Each(Through::Comprehension, ..) | Shape::Pattern(_) => {
            Kind::List
        }
        Shape::Map(_) | Shape::Projection(_) => Kind::Map,
        Shape::Call(name, arguments) => call(name, arguments, of),
        Shape::Binary(operator, left, right) => binary(*operator, of(left), of(right)),
        Shape::Case(_, branches, otherwise) => {
            let results = branches.iter().map(|(_, result)| result).chain(otherwise.as_deref());
            common(results.map(of))
        }
        _ => Kind::Unknown,
    }
}

fn call(name: &str, arguments: &[Expression], of: impl Fn(&Expression) -> Kind) -> Kind {
    match name {
        "count" | "size" | "length" | "id" | "tointeger" | "sign" | "timestamp" | "char_length" => {
            Kind::Integer
        }
        "tofloat" | "rand" | "pi" | "e" | "sqrt" | "exp" | "log" | "log10" | "ceil" | "floor" | "round"
        | "sin" | "cos" | "tan" | "cot" | "asin" | "acos" | "atan" | "atan2" | "degrees" | "radians"
        | "haversin" | "stdev" | "stdevp" | "percentilecont" | "point.distance" => Kind::Float,
        "tostring" | "tostringornull" | "toupper" | "tolower" | "upper" | "lower" | "trim" | "ltrim"
        | "rtrim" | "btrim" | "substring" | "left" | "right" | "replace" | "type" | "elementid"
        | "randomuuid" | "valuetype" => Kind::Text,
        "labels" | "keys" | "nodes" | "relationships" | "range" | "collect" | "split" | "tail"
        | "tostringlist" | "tointegerlist" | "tofloatlist" => Kind::List,
        "properties" => Kind::Map,
        "startnode" | "endnode" => Kind::Node,
        "date" | "date.truncate" | "date.realtime" | "date.statement" | "date.transaction" => Kind::Date,
        "localdatetime" | "localdatetime.truncate" => Kind::LocalDateTime,
        "datetime" | "datetime.truncate" | "datetime.fromepoch" | "datetime.fromepochmillis" => {
            Kind::DateTime
        }
        "time" | "localtime" | "time.truncate" | "localtime.truncate" | "point" => Kind::Other,
        "toboolean" | "exists" | "isempty" | "isnan" => Kind::Boolean,
        "coalesce" => common(arguments.iter().map(of)),
        "min" | "max" | "abs" => arguments.first().map_or(Kind::Unknown, of),
        "shortestpath" => Kind::Path,
        _ if name.starts_with("duration") => Kind::Duration,
        _ => Kind::Unknown,
    }
}

fn binary(operator: Operator, left: Kind, right: Kind) -> Kind {
    match operator {
        Operator::Or
        | Operator::Xor
        | Operator::And
        | Operator::Equal
        | Operator::Unequal
        | Operator::Order
        | Operator::In
        | Operator::TextTest => Kind::Boolean,
        Operator::Power => Kind::Float,
        Operator::Join if left == Kind::List || right == Kind::List => Kind::List,
        Operator::Join => Kind::Text,
        _ => match (left, right) {
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            (left, right) if left.is_number() && right.is_number() => Kind::Float,
            (Kind::List, _) | (_, Kind::List) if operator == Operator::Add => Kind::List,
            (Kind::Text, other) | (other, Kind::Text)
                if operator == Operator::Add && other != Kind::Unknown =>
            {
                Kind::Text
            }
            (Kind::Duration, Kind::Duration) => Kind::Duration,
            (Kind::Duration, number) | (number, Kind::Duration) if number.is_number() => Kind::Duration,
            (moment, Kind::Duration) | (Kind::Duration, moment) if moment.mixed().is_some() => moment,
            _ => Kind::Unknown,
        },
    }
}
