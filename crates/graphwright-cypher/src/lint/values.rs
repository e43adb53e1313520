//! Values that a property cannot have or does not have.

use graphwright_core::{Span, Value};

use super::{
    Checker,
    index::Property,
    iso::{is_date, is_moment},
    names::nearest,
    scope::{Holder, Shape},
    suggest::Matching,
};
use crate::{
    case::Case,
    diagnostic::{Code, Diagnostic},
    syntax::{
        print_expression,
        tree::{
            BinaryOperator, ComparisonOperator, Expression, ExpressionKind, Literal, Name, UnaryOperator,
        },
    },
};

/// The kinds of values that can be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Number,
    Text,
    List,
    Date,
    ZonedDateTime,
    LocalDateTime,
    ZonedTime,
    LocalTime,
    Duration,
    Point,
}

impl Kind {
    /// Returns the kind of a type by its name in stores or in the schemas of prompts.
    fn from_type_name(name: &str) -> Option<Self> {
        Some(match name {
            "BOOLEAN" => Self::Boolean,
            "INTEGER" | "FLOAT" => Self::Number,
            "STRING" => Self::Text,
            "DATE" => Self::Date,
            "ZONED DATETIME" | "DATE_TIME" => Self::ZonedDateTime,
            "LOCAL DATETIME" | "LOCAL_DATE_TIME" => Self::LocalDateTime,
            "ZONED TIME" => Self::ZonedTime,
            "LOCAL TIME" => Self::LocalTime,
            "DURATION" => Self::Duration,
            "POINT" => Self::Point,
            name if name.starts_with("LIST") => Self::List,
            _ => return None,
        })
    }

    /// Returns the kind of a value that the query writes out.
    fn from_expression(expression: &Expression) -> Option<Self> {
        Some(match &expression.kind {
            ExpressionKind::Literal(literal) => match literal {
                Literal::Boolean(_) => Self::Boolean,
                Literal::String(_) => Self::Text,
                Literal::Null => return None,
                _ => Self::Number,
            },
            ExpressionKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, operand } => {
                Self::from_expression(operand)?
            }
            ExpressionKind::List(_) => Self::List,
            ExpressionKind::Call(call) => {
                let [name] = call.name.as_slice() else { return None };
                match name.text.to_ascii_lowercase().as_str() {
                    "date" => Self::Date,
                    "datetime" => Self::ZonedDateTime,
                    "localdatetime" => Self::LocalDateTime,
                    "time" => Self::ZonedTime,
                    "localtime" => Self::LocalTime,
                    "duration" => Self::Duration,
                    "point" => Self::Point,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Number => "a number",
            Self::Text => "text",
            Self::List => "a list",
            Self::Date => "a date",
            Self::ZonedDateTime => "a date-time",
            Self::LocalDateTime => "a local date-time",
            Self::ZonedTime => "a time",
            Self::LocalTime => "a local time",
            Self::Duration => "a duration",
            Self::Point => "a point",
        }
    }

    /// Returns the function that reads this kind from text.
    fn function(self) -> Option<&'static str> {
        match self {
            Self::Date => Some("date"),
            Self::ZonedDateTime => Some("datetime"),
            Self::LocalDateTime => Some("localdatetime"),
            _ => None,
        }
    }
}

/// The ways to compare a value with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparing {
    Equal,
    NotEqual,
    Order,
    /// The beginning, the end or a part of a text.
    Text(Matching),
    /// A regular expression: `=~`.
    Expression,
}

impl Comparing {
    /// Returns how a text is matched. Returns `None` if any other text will do.
    fn matching(self) -> Option<Matching> {
        match self {
            Self::Equal => Some(Matching::Equals),
            Self::Text(matching) => Some(matching),
            Self::NotEqual | Self::Order | Self::Expression => None,
        }
    }
}

/// A property, its place and its possible values.
pub(super) struct Place<'p> {
    key: &'p str,
    /// The span of the property as an expression; `None` in a map.
    span: Option<Span>,
    pub(super) kinds: Vec<Kind>,
    pub(super) properties: Vec<&'p Property>,
    /// Whether no element has a value of another kind.
    pub(super) certain: bool,
}

impl<'a> Checker<'a> {
    /// Checks `left operator right`, where one side may be a property and the other a value.
    pub(super) fn comparison(&mut self, left: &Expression, operator: ComparisonOperator, right: &Expression) {
        let whole = Span::new(left.span.start, right.span.end);
        let comparing = match operator {
            ComparisonOperator::Equal => Comparing::Equal,
            ComparisonOperator::NotEqual => Comparing::NotEqual,
            _ => Comparing::Order,
        };
        self.properties_compared(left, comparing, right);
        for (property, value) in [(left, right), (right, left)] {
            if comparing == Comparing::Equal {
                self.cased_value(property, Matching::Equals, value);
            }
            if matches!(value.kind, ExpressionKind::Literal(Literal::Null)) {
                self.compared_with_null(property, operator, whole);
                return;
            }
            if let Shape::Value { holder, key } = self.shape(property) {
                if comparing == Comparing::NotEqual {
                    self.null_is_dropped(&holder, &key, property.span);
                }
                self.not_null(&key);
                self.value(&holder, &key, Some((property.span, whole)), comparing, value);
            }
        }
    }

    /// Checks `property IN [values]`, `property CONTAINS text` and the other text operators.
    pub(super) fn membership(&mut self, left: &Expression, operator: BinaryOperator, right: &Expression) {
        let whole = Span::new(left.span.start, right.span.end);
        if operator == BinaryOperator::In {
            self.element_of_list(left, right);
        }
        let comparing = match operator {
            BinaryOperator::StartsWith => Comparing::Text(Matching::StartsWith),
            BinaryOperator::EndsWith => Comparing::Text(Matching::EndsWith),
            BinaryOperator::Contains => Comparing::Text(Matching::Contains),
            BinaryOperator::Matches => Comparing::Expression,
            BinaryOperator::In => Comparing::Equal,
            _ => return,
        };
        if let Comparing::Text(matching) = comparing {
            self.cased_value(left, matching, right);
        }
        let Shape::Value { holder, key } = self.shape(left) else { return };
        self.not_null(&key);
        if operator != BinaryOperator::In {
            self.value(&holder, &key, Some((left.span, whole)), comparing, right);
        } else if let ExpressionKind::List(items) = &right.kind {
            for item in items {
                self.value(&holder, &key, Some((left.span, item.span)), comparing, item);
            }
        }
    }

    /// Asks for the text of `toLower(property) = text` and the other text operators.
    fn cased_value(&mut self, property: &Expression, matching: Matching, value: &Expression) {
        let Some((case, property)) = Case::from_expression(property) else { return };
        let Shape::Value { holder, key } = self.shape(property) else { return };
        let is_text = self.place(&holder, &key, None).is_some_and(|place| place.kinds.contains(&Kind::Text));
        if is_text && !self.creating {
            self.ask_value(&holder, &key, value, matching, Some(case));
        }
    }

    /// Asks for the text of `text IN property`.
    fn element_of_list(&mut self, element: &Expression, list: &Expression) {
        let Shape::Value { holder, key } = self.shape(list) else { return };
        let is_list = self.place(&holder, &key, None).is_some_and(|place| place.kinds == [Kind::List]);
        if is_list && !self.creating {
            self.ask_value(&holder, &key, element, Matching::Element, None);
        }
    }

    /// Checks `{key: value}`.
    pub(super) fn entry(&mut self, holder: &Holder, key: &Name, value: &Expression) {
        self.not_null(&key.text);
        self.value(holder, &key.text, None, Comparing::Equal, value);
    }

    /// Checks a value that a property is compared with. `places` are the spans of the property and
    /// of the comparison, if it is one.
    fn value(
        &mut self,
        holder: &Holder,
        key: &str,
        places: Option<(Span, Span)>,
        comparing: Comparing,
        value: &Expression,
    ) {
        let Some(place) = self.place(holder, key, places.map(|(property, _)| property)) else { return };
        if let (ExpressionKind::Parameter(_), Some(matching)) = (&value.kind, comparing.matching())
            && place.kinds.contains(&Kind::Text)
            && !self.creating
        {
            self.ask_value(holder, key, value, matching, None);
        }
        let (Some(found), false) = (Kind::from_expression(value), self.creating) else { return };
        let fits = match comparing {
            Comparing::Text(_) | Comparing::Expression => {
                place.kinds.contains(&Kind::Text) || found != Kind::Text
            }
            _ => place.kinds.contains(&found),
        };
        if fits {
            if comparing == Comparing::Equal {
                self.stored_value(&place, value);
            }
            if let Some(matching) = comparing.matching() {
                self.ask_value(holder, key, value, matching, None);
            }
            return;
        }
        self.mismatch(&place, places.map(|(_, whole)| whole), comparing, found, value);
    }

    /// Returns what is known of a property. Returns `None` if the type of any value is unknown.
    pub(super) fn place<'p>(&self, holder: &Holder, key: &'p str, span: Option<Span>) -> Option<Place<'p>>
    where
        'a: 'p,
    {
        let elements = self.schema.elements(holder.kind);
        let possible = elements.of(&holder.names);
        let properties: Vec<&Property> =
            possible.clone().filter_map(|element| element.properties.get(key)).collect();
        let mut kinds = Vec::new();
        for name in properties.iter().flat_map(|property| &property.types) {
            let kind = Kind::from_type_name(name)?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() || properties.iter().any(|property| property.types.is_empty()) {
            return None;
        }
        let certain = elements.complete && possible.clone().all(|element| element.complete);
        Some(Place { key, span, kinds, properties, certain })
    }

    /// Reports two properties without a common kind of value that are compared.
    fn properties_compared(&mut self, left: &Expression, comparing: Comparing, right: &Expression) {
        let (Shape::Value { holder, key }, Shape::Value { holder: other, key: other_key }) =
            (self.shape(left), self.shape(right))
        else {
            return;
        };
        let (Some(one), Some(two)) = (self.place(&holder, &key, None), self.place(&other, &other_key, None))
        else {
            return;
        };
        if one.kinds.iter().any(|kind| two.kinds.contains(kind)) {
            return;
        }
        let kinds =
            |place: &Place<'_>| place.kinds.iter().map(|kind| kind.text()).collect::<Vec<_>>().join(" or ");
        let message = format!(
            "`{key}` is {}, and is compared with `{other_key}`, which is {}",
            kinds(&one),
            kinds(&two)
        );
        let certain = one.certain && two.certain && comparing != Comparing::NotEqual;
        self.report(
            Diagnostic::new(Code::ValueTypeMismatch, Span::new(left.span.start, right.span.end), message),
            certain,
        );
    }

    fn mismatch(
        &mut self,
        place: &Place<'_>,
        whole: Option<Span>,
        comparing: Comparing,
        found: Kind,
        value: &Expression,
    ) {
        let kinds: Vec<&str> = place.kinds.iter().map(|kind| kind.text()).collect();
        let kinds = kinds.join(" or ");
        let message = match comparing {
            Comparing::Text(_) | Comparing::Expression => {
                format!("`{}` is {kinds}, which has no letters to compare", place.key)
            }
            _ => format!("`{}` is {kinds}, and is compared with {}", place.key, found.text()),
        };
        let mut diagnostic = Diagnostic::new(Code::ValueTypeMismatch, value.span, message);
        let text = |span: Span| self.text.get(span.range()).unwrap_or_default();
        let [kind] = place.kinds.as_slice() else {
            self.report(diagnostic, false);
            return;
        };
        if *kind == Kind::List && found != Kind::List {
            let member = place.span.map(|property| format!("{} IN {}", text(value.span), text(property)));
            diagnostic = match (whole, member, comparing) {
                (
                    Some(whole),
                    Some(member),
                    Comparing::Equal | Comparing::Text(_) | Comparing::Expression,
                ) if whole != value.span => {
                    diagnostic.with_help(format!("write {member}")).with_fix(whole, member, true)
                }
                _ => {
                    let help = format!("write WHERE {} IN n.{} for a node n", text(value.span), place.key);
                    diagnostic.with_help(help)
                }
            };
        } else if let (Comparing::Text(_) | Comparing::Expression, Some(property)) = (comparing, place.span) {
            let fixed = format!("toString({})", text(property));
            diagnostic = diagnostic.with_help(format!("write {fixed}")).with_fix(property, fixed, true);
        } else if let Some(fixed) = converted(value, *kind) {
            diagnostic = diagnostic.with_help(format!("write {fixed}")).with_fix(value.span, fixed, true);
        } else if let (Some(span), Kind::Date | Kind::ZonedDateTime | Kind::LocalDateTime, Some(_)) =
            (place.span, kind, year(value))
        {
            let fixed = format!("{}.year", text(span));
            diagnostic = diagnostic.with_help(format!("write {fixed}")).with_fix(span, fixed, true);
        } else if let Some(function) = kind.function() {
            diagnostic = diagnostic.with_help(format!("write {function}('…') with text as ISO 8601 has it"));
        }
        // Values of two types are not equal, and that is what <> asks for.
        let certain = place.certain && comparing != Comparing::NotEqual;
        self.report(diagnostic, certain);
    }

    /// Reports a text that is none of the few values of a property.
    fn stored_value(&mut self, place: &Place<'_>, value: &Expression) {
        let ExpressionKind::Literal(Literal::String(wanted)) = &value.kind else { return };
        let mut known: Vec<&str> = Vec::new();
        for property in &place.properties {
            let Some(values) = &property.values else { return };
            known.extend(values.iter().filter_map(Value::as_str));
        }
        known.sort_unstable();
        known.dedup();
        if known.is_empty() || known.contains(&&**wanted) {
            return;
        }
        let message = format!("no `{}` is {}", place.key, print_expression(value));
        let diagnostic = Diagnostic::new(Code::UnknownValue, value.span, message);
        let literal = |text: &str| {
            print_expression(&Expression::new(ExpressionKind::Literal(Literal::String(text.into()))))
        };
        let diagnostic = if let Some(near) = nearest(wanted, known.iter().copied()) {
            let safe = near.alone && near.same && place.certain;
            let text = literal(near.name);
            diagnostic.with_help(format!("did you mean {text}?")).with_fix(value.span, text, safe)
        } else {
            let known: Vec<String> = known.iter().map(|known| literal(known)).collect();
            diagnostic.with_help(format!("the values are {}", known.join(", ")))
        };
        self.report(diagnostic, false);
    }
}

/// Returns the value as another kind, if it can be read as one.
fn converted(value: &Expression, kind: Kind) -> Option<String> {
    match (&value.kind, kind) {
        (ExpressionKind::Literal(Literal::String(text)), Kind::Number) => {
            let text = text.trim();
            let is_number = text.parse::<i64>().is_ok() || text.parse::<f64>().is_ok_and(f64::is_finite);
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
            (is_number && plain && text.starts_with(|first: char| first.is_ascii_digit() || first == '-'))
                .then(|| text.to_owned())
        }
        (ExpressionKind::Literal(Literal::String(text)), Kind::Boolean) => {
            let text = text.to_ascii_lowercase();
            matches!(text.as_str(), "true" | "false").then_some(text)
        }
        (ExpressionKind::Literal(Literal::Integer(number)), Kind::Text) => Some(format!("'{number}'")),
        (ExpressionKind::Literal(Literal::String(text)), Kind::Date) if is_date(text) => {
            Some(format!("date({})", print_expression(value)))
        }
        (ExpressionKind::Literal(Literal::String(text)), Kind::ZonedDateTime | Kind::LocalDateTime) => {
            is_moment(text)
                .then(|| format!("{}({})", kind.function().unwrap_or_default(), print_expression(value)))
        }
        // Handles date('2020-01-01') for a date-time, and the other way round.
        (ExpressionKind::Call(call), Kind::Date | Kind::ZonedDateTime | Kind::LocalDateTime) => {
            let [argument] = call.arguments.as_slice() else { return None };
            let ExpressionKind::Literal(Literal::String(text)) = &argument.kind else { return None };
            let function = kind.function()?;
            is_date(text).then(|| format!("{function}({})", print_expression(argument)))
        }
        _ => None,
    }
}

/// Returns a number that can only be a year.
fn year(value: &Expression) -> Option<u64> {
    match value.kind {
        ExpressionKind::Literal(Literal::Integer(number)) if (1000..=2200).contains(&number) => Some(number),
        _ => None,
    }
}
