//! Parts of values that have none.

use graphwright_core::Span;

use super::{
    Checker,
    scope::{Holder, Shape},
    values::Kind,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{Expression, Name},
};

/// The parts of a date, in any case.
///
/// Source: the answers of Neo4j 5.26 for `date().year` and the others.
const DATE_PARTS: [&str; 11] = [
    "year",
    "quarter",
    "month",
    "week",
    "weekYear",
    "dayOfQuarter",
    "quarterDay",
    "dayOfWeek",
    "weekDay",
    "day",
    "ordinalDay",
];

fn is_date_part(name: &str) -> bool {
    DATE_PARTS.iter().any(|part| part.eq_ignore_ascii_case(name))
}

impl Checker<'_> {
    /// Reports `n.key.part` where `n.key` is text, a number, a list, or a date without that part.
    /// The query fails as soon as there is a row.
    pub(super) fn part(&mut self, base: &Expression, part: &Name) {
        let Shape::Value { holder, key } = self.shape(base) else { return };
        let Some((kind, certain, function)) = self.whole_value(&holder, &key, &part.text) else { return };
        let message = format!("`{key}` is {}, which has no `{}`", kind.text(), part.text);
        let diagnostic = Diagnostic::new(Code::MissingPart, part.span, message);
        let text = self.text.get(base.span.range()).unwrap_or_default();
        let is_date_part = is_date_part(&part.text);
        let whole = Span::new(base.span.start, part.span.end);
        let counts = matches!(&*part.text, "length" | "size") && matches!(kind, Kind::Text | Kind::List);
        let diagnostic = match function {
            _ if counts => {
                let read = format!("size({text})");
                diagnostic.with_help(format!("write {read}")).with_fix(whole, read, true)
            }
            Some(function) if is_date_part => {
                let read = format!("{function}({text})");
                let help = format!("write {read}.{}", part.text);
                diagnostic.with_help(help).with_fix(base.span, read, true)
            }
            _ if kind == Kind::Text && is_date_part => {
                diagnostic.with_help(format!("date({text}) reads text that is written as 2020-12-31"))
            }
            _ => diagnostic,
        };
        let required = std::mem::replace(&mut self.required, true);
        self.report(diagnostic, certain);
        self.required = required;
    }

    /// Returns the kind of a property whose values all lack the part, whether that is certain, and
    /// the function that reads its texts.
    fn whole_value(
        &self,
        holder: &Holder,
        key: &str,
        part: &str,
    ) -> Option<(Kind, bool, Option<&'static str>)> {
        let place = self.place(holder, key, None)?;
        let lacks_it = |kind: &Kind| match kind {
            Kind::Boolean | Kind::Number | Kind::Text | Kind::List => true,
            Kind::Date => !is_date_part(part),
            _ => false,
        };
        let kind = *place.kinds.first().filter(|_| place.kinds.iter().all(lacks_it))?;
        let mut functions = place.properties.iter().map(|property| property.read_by);
        let function =
            functions.next().flatten().filter(|function| functions.all(|other| other == Some(*function)));
        Some((kind, place.certain, function))
    }
}
