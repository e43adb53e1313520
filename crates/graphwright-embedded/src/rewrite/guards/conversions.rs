//! Guards `toString`, `toInteger`, `toFloat` and `toBoolean`, their forms that give null, and those
//! for lists.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall, Literal, Name};

use super::{
    Guard, Kind, Part,
    arithmetic::readable,
    checks::{fails, is, number},
    cypher,
    temporal::{is_written_otherwise, moment_text},
};
use crate::rewrite::make::property;

/// What a value is converted to.
#[derive(Clone, Copy)]
enum Target {
    Text,
    Integer,
    Float,
    Boolean,
}

/// What becomes of a value that cannot be converted.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Error,
    Null,
    /// Null for each item of a list.
    List,
}

fn conversion(name: &str) -> Option<(Target, Form)> {
    let (function, form) = match name {
        _ if name.ends_with("ornull") => (name.trim_end_matches("ornull"), Form::Null),
        _ if name.ends_with("list") => (name.trim_end_matches("list"), Form::List),
        _ => (name, Form::Error),
    };
    let target = match function {
        "tostring" => Target::Text,
        "tointeger" => Target::Integer,
        "tofloat" => Target::Float,
        "toboolean" => Target::Boolean,
        _ => return None,
    };
    Some((target, form))
}

impl Target {
    /// Tells whether the engine converts values of a kind as Cypher does.
    fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Text => matches!(kind, Kind::Text | Kind::Integer | Kind::Boolean | Kind::Date),
            Self::Integer => kind == Kind::Integer,
            Self::Float => kind.is_number(),
            Self::Boolean => kind == Kind::Boolean,
        }
    }

    fn function(self) -> &'static str {
        match self {
            Self::Text => "toString",
            Self::Integer => "toInteger",
            Self::Float => "toFloat",
            Self::Boolean => "toBoolean",
        }
    }

    fn wants(self) -> &'static str {
        match self {
            Self::Text => "a simple value",
            Self::Integer => "a number, a string or a boolean",
            Self::Float => "a number or a string",
            Self::Boolean => "a boolean, a string or an integer",
        }
    }

    fn of(self, value: &Expression, otherwise: &Expression) -> Expression {
        match self {
            Self::Text => text(value, otherwise),
            Self::Integer => integer(value, otherwise),
            Self::Float => cypher!(
                "CASE WHEN $number THEN toFloat($value) WHEN $value IS :: STRING THEN $read ELSE $otherwise END",
                number = number(value),
                value = value,
                read = float(value),
                otherwise = otherwise,
            ),
            Self::Boolean => cypher!(
                "CASE WHEN $value IS :: BOOLEAN THEN $value WHEN $value IS :: STRING THEN toBoolean(trim($value)) \
                 WHEN $value IS :: INTEGER THEN $value <> 0 ELSE $otherwise END",
                value = value,
                otherwise = otherwise,
            ),
        }
    }
}

impl Guard<'_, '_> {
    /// Builds a conversion as Cypher defines it. Returns `None` for other functions, and if the
    /// engine is right.
    pub(super) fn converted(
        &mut self,
        name: &str,
        call: &mut FunctionCall,
        kind: Kind,
    ) -> Option<Expression> {
        let (target, form) = conversion(name)?;
        let fails = || fails(&format!("{}() wants {}", target.function(), target.wants()));
        let [value] = call.arguments.as_mut_slice() else { return None };
        if form == Form::Error && (target.takes(kind) || matches!(kind, Kind::Null | Kind::Ours)) {
            return None;
        }
        let value = std::mem::take(value);
        let null = || Expression::new(ExpressionKind::Literal(Literal::Null));
        Some(match form {
            Form::Error => self.bind([value], |[value]| target.of(value, &fails())),
            Form::Null => self.bind([value], |[value]| target.of(value, &null())),
            Form::List => {
                let item = self.context.fresh();
                let converted = target.of(&(&item).part(), &null());
                self.bind([value], |[list]| {
                    cypher!(
                        "CASE WHEN $list IS :: LIST<ANY> THEN [item IN $list | $converted] ELSE $fail END",
                        list = list,
                        item = &item,
                        converted = converted,
                        fail = super::fails(&format!("{name}() wants a list")),
                    )
                })
            }
        })
    }
}

fn text(value: &Expression, otherwise: &Expression) -> Expression {
    let coordinate = |key: &str| {
        let coordinate = property(value, &Name::new(key));
        cypher!("toString($number)", number = readable(&coordinate))
    };
    cypher!(
        "CASE WHEN $value IS :: STRING THEN $value WHEN $others THEN $otherwise \
         WHEN $is_point THEN 'point({x: ' + $x + ', y: ' + $y + ', crs: \\'wgs-84\\'})' \
         WHEN $is_moment THEN $moment ELSE toString($text) END",
        value = value,
        others = is(value, &["LIST<ANY>", "MAP", "NODE", "RELATIONSHIP", "PATH"]),
        otherwise = otherwise,
        is_point = is(value, &["POINT"]),
        x = coordinate("x"),
        y = coordinate("y"),
        is_moment = is_written_otherwise(value),
        moment = moment_text(value),
        text = readable(value),
    )
}

/// Converts to an integer. The engine makes null of floats beyond the integers, and of texts of
/// them.
fn integer(value: &Expression, otherwise: &Expression) -> Expression {
    let is_null = matches!(otherwise.kind, ExpressionKind::Literal(Literal::Null));
    let large = if is_null { otherwise.clone() } else { fails("the integer is too large") };
    cypher!(
        "CASE WHEN $value IS :: INTEGER THEN $value WHEN $value IS :: STRING THEN coalesce(toInteger($value), \
         CASE WHEN abs(toFloat(trim($value))) >= 9223372036854775808.0 AND $value =~ '\\\\s*[+-]?[0-9.].*' \
         THEN $large END) \
         WHEN $value IS :: FLOAT THEN CASE WHEN $value >= 9223372036854775808.0 THEN 9223372036854775807 \
         WHEN $value <= -9223372036854775808.0 THEN -9223372036854775807 - 1 \
         ELSE coalesce(toInteger($value), 0) END \
         WHEN $value IS :: BOOLEAN THEN toInteger($value) ELSE $otherwise END",
        value = value,
        large = large,
        otherwise = otherwise,
    )
}

/// Converts a text to a float. Neo4j reads what Java reads, also with blanks around it and a type's
/// letter behind it. Of words, it reads only `NaN` and `Infinity`.
fn float(text: &Expression) -> Expression {
    cypher!(
        "head([_gw_t IN [trim($text)] | head([_gw_f IN [toFloat(_gw_t)] | \
         CASE WHEN _gw_f IS NULL AND _gw_t =~ '.*[0-9.][fFdD]' THEN toFloat(left(_gw_t, size(_gw_t) - 1)) \
         WHEN NOT abs(_gw_f) < 1e308 AND NOT _gw_t =~ '[+-]?(NaN|Infinity|[0-9.].*)' THEN null ELSE _gw_f END])])",
        text = text,
    )
}
