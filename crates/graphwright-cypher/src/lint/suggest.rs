//! Suggestions that need the store: stored values, and names near in meaning.

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_core::{Span, Value, schema::Target};

use super::{Checker, Lint, index::ElementKind, scope::Holder};
use crate::{
    builder::quote,
    case::Case,
    diagnostic::{Code, Diagnostic},
    syntax::{
        print_expression,
        tree::{Expression, ExpressionKind, Literal, Tree},
        visit::Visit,
    },
};

/// The most suggestions that a message names.
const SHOWN: usize = 3;

/// A source of stored values and of names near in meaning.
#[async_trait]
pub trait Suggest: Debug + Send + Sync {
    /// Returns the stored values nearest to a text, nearest first. If a value matches as wanted,
    /// the text itself comes first.
    async fn values(&self, wanted: &WantedValue, limit: usize) -> Result<Vec<Suggestion>, SuggestError>;

    /// Returns the names of `among` that are nearest in meaning, nearest first. Returns none if
    /// none is near.
    async fn names(
        &self,
        wanted: &str,
        among: &[String],
        limit: usize,
    ) -> Result<Vec<Suggestion>, SuggestError>;
}

/// A text that a query compares with a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedValue {
    /// The labels or types that may have the property.
    pub targets: Vec<Target>,
    /// The property.
    pub property: String,
    /// The text.
    pub text: String,
    /// The way of comparison.
    pub matching: Matching,
    /// Whether the comparison ignores case.
    pub ignores_case: bool,
}

/// The ways to compare a text with a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// The value is the text.
    #[default]
    Equals,
    /// The value is a list, and the text one of its elements.
    Element,
    /// The value begins with the text.
    StartsWith,
    /// The value ends with the text.
    EndsWith,
    /// The text is a part of the value.
    Contains,
}

impl Matching {
    /// Returns whether the text may be a part of a value.
    pub fn is_part(self) -> bool {
        matches!(self, Self::StartsWith | Self::EndsWith | Self::Contains)
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Equals | Self::Element => "is",
            Self::StartsWith => "begins with",
            Self::EndsWith => "ends with",
            Self::Contains => "contains",
        }
    }
}

/// A value or name that may have been meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The value or name.
    pub text: String,
    /// The similarity, from 0 to 1.
    pub score: f64,
}

/// The error of a source that cannot answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("values and names cannot be looked up: {message}")]
pub struct SuggestError {
    /// The message of the store or the embedder.
    pub message: String,
}

/// The questions that a query leaves open for the store.
#[derive(Debug, Default)]
pub(super) struct Open {
    values: Vec<OpenValue>,
    names: Vec<OpenName>,
}

#[derive(Debug)]
struct OpenValue {
    span: Span,
    wanted: WantedValue,
    /// The case in which the query must write the text, if it compares with one.
    case: Option<Case>,
    /// Whether the text is the value of a parameter, so that the query itself need not change.
    is_parameter: bool,
}

#[derive(Debug)]
struct OpenName {
    span: Span,
    wanted: String,
    among: Vec<String>,
}

impl Lint {
    /// Returns the findings of [`check`](Self::check), with suggestions from the store.
    ///
    /// - [`Code::DistantValue`]: a text is none of the stored values of a property, and others are
    ///   near.
    /// - [`Code::UnknownValue`]: gets the nearest of the few values that the schema lists.
    /// - Names without one near in spelling get those near in meaning.
    ///
    /// None of these fixes is safe. The text of a parameter gets no fix, only what is near.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Suggest`] if a value or name cannot be looked up.
    pub async fn suggest(
        &self,
        tree: &Tree,
        text: &str,
        suggest: &dyn Suggest,
    ) -> Result<Vec<Diagnostic>, SuggestError> {
        let (mut diagnostics, open) = {
            let mut checker = self.checker(text);
            checker.open = Some(Open::default());
            checker.visit_tree(tree);
            (checker.diagnostics, checker.open.unwrap_or_default())
        };
        for name in open.names {
            let Some(diagnostic) =
                diagnostics.iter_mut().find(|found| found.span == name.span && found.fix.is_none())
            else {
                continue;
            };
            let found = suggest.names(&name.wanted, &name.among, SHOWN).await?;
            let Some(first) = found.first().and_then(|first| quote(&first.text).ok()) else { continue };
            let names: Vec<String> = found.iter().map(|found| format!("`{}`", found.text)).collect();
            *diagnostic = diagnostic
                .clone()
                .with_help(format!("near in meaning: {}", names.join(", ")))
                .with_fix(name.span, first, false)
                .with_candidates(found.into_iter().map(|found| found.text));
        }
        for value in open.values {
            let told = diagnostics.iter().position(|found| found.span == value.span);
            let is_open = |place: usize| {
                diagnostics
                    .get(place)
                    .is_some_and(|found| found.code == Code::UnknownValue && found.fix.is_none())
            };
            // A place with another finding needs no second one.
            if !told.is_none_or(is_open) {
                continue;
            }
            let found = suggest.values(&value.wanted, SHOWN).await?;
            let Some(distant) = value.distant(&found) else { continue };
            match told.and_then(|place| diagnostics.get_mut(place)) {
                // The diagnostic lists the values of the schema; the nearest ones are more useful.
                Some(unknown) => {
                    *unknown = Diagnostic {
                        help: distant.help,
                        fix: distant.fix,
                        candidates: distant.candidates,
                        ..unknown.clone()
                    };
                }
                None => diagnostics.push(distant),
            }
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Ok(diagnostics)
    }
}

impl OpenValue {
    /// Returns a diagnostic if no value matches as wanted and others are near.
    fn distant(&self, found: &[Suggestion]) -> Option<Diagnostic> {
        let WantedValue { property, text, matching, .. } = &self.wanted;
        let written = |text: &str| self.case.map_or_else(|| text.to_owned(), |case| case.write(text));
        let candidates: Vec<String> = found.iter().map(|found| written(&found.text)).collect();
        let first = candidates.first().filter(|first| *first != text)?;
        let literal = |text: &str| {
            print_expression(&Expression::new(ExpressionKind::Literal(Literal::String(text.into()))))
        };
        let case = match self.case {
            Some(case) => format!(" in {}", case.as_str()),
            None if self.wanted.ignores_case => " in any case".to_owned(),
            None => String::new(),
        };
        let message = format!("no stored `{property}`{case} {} {}", matching.verb(), literal(text));
        let near: Vec<String> = candidates.iter().map(|candidate| literal(candidate)).collect();
        let diagnostic = Diagnostic::new(Code::DistantValue, self.span, message)
            .with_help(format!("near to it: {}", near.join(", ")));
        let diagnostic = if self.is_parameter {
            diagnostic
        } else {
            diagnostic.with_fix(self.span, literal(first), false)
        };
        Some(diagnostic.with_candidates(candidates.into_iter()))
    }
}

impl Checker<'_> {
    /// Adds the question whether a text is stored, if the schema does not tell. `case` is the case
    /// that a function gives the property.
    pub(super) fn ask_value(
        &mut self,
        holder: &Holder,
        key: &str,
        value: &Expression,
        matching: Matching,
        case: Option<Case>,
    ) {
        // With the same function around it, the text may be written as it is stored.
        let (case_written, literal) = match Case::from_expression(value).filter(|_| case.is_some()) {
            Some((_, inner)) => (None, inner),
            None => (case, value),
        };
        let (text, is_parameter) = match &literal.kind {
            ExpressionKind::Literal(Literal::String(text)) => (&**text, false),
            ExpressionKind::Parameter(name) => match self.parameters.get(&*name.text) {
                Some(Value::String(text)) => (text.as_str(), true),
                _ => return,
            },
            _ => return,
        };
        let (Some(open), Some(_)) = (&mut self.open, holder.names.known()) else { return };
        let target = |name: &str| match holder.kind {
            ElementKind::Node => Target::Label(name.to_owned()),
            ElementKind::Relationship => Target::RelationshipType(name.to_owned()),
        };
        let owners = self.schema.elements(holder.kind).of(&holder.names);
        let owners = owners.filter(|element| element.properties.contains_key(key));
        let wanted = WantedValue {
            targets: owners.map(|element| target(&element.name)).collect(),
            property: key.to_owned(),
            text: text.to_string(),
            matching,
            ignores_case: case.is_some(),
        };
        open.values.push(OpenValue { span: literal.span, wanted, case: case_written, is_parameter });
    }

    /// Adds the question for a name without one near in spelling.
    pub(super) fn ask_name<'n>(&mut self, span: Span, wanted: &str, among: impl Iterator<Item = &'n str>) {
        if let Some(open) = &mut self.open {
            let among = among.map(str::to_owned).collect();
            open.names.push(OpenName { span, wanted: wanted.to_owned(), among });
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use graphwright_core::{
        GraphSchema, Properties,
        schema::{ElementSchema, PropertySchema},
    };

    use super::*;
    use crate::syntax::parse;

    /// A source with one genre.
    #[derive(Debug)]
    struct OneGenre;

    #[async_trait]
    impl Suggest for OneGenre {
        async fn values(&self, wanted: &WantedValue, _limit: usize) -> Result<Vec<Suggestion>, SuggestError> {
            assert_eq!(wanted.targets, [Target::Label("Genre".into())]);
            Ok(vec![Suggestion { text: "Sci-Fi".into(), score: 0.9 }])
        }

        async fn names(
            &self,
            wanted: &str,
            among: &[String],
            _limit: usize,
        ) -> Result<Vec<Suggestion>, SuggestError> {
            match wanted {
                "Broken" => Err(SuggestError { message: "the store is closed".into() }),
                "Category" => Ok(vec![Suggestion { text: among[0].clone(), score: 0.8 }]),
                _ => Ok(Vec::new()),
            }
        }
    }

    fn suggested(text: &str) -> Result<Vec<Diagnostic>, SuggestError> {
        suggested_with(text, Properties::new())
    }

    fn suggested_with(text: &str, parameters: Properties) -> Result<Vec<Diagnostic>, SuggestError> {
        let name =
            PropertySchema { name: "name".into(), types: vec!["STRING".into()], ..PropertySchema::default() };
        let labels =
            vec![ElementSchema { name: "Genre".into(), properties: vec![name], ..ElementSchema::default() }];
        let lint = Lint::new(&GraphSchema { labels, ..GraphSchema::default() }).with_parameters(parameters);
        block_on(lint.suggest(&parse(text).tree, text, &OneGenre))
    }

    #[test]
    fn values_that_are_not_stored_are_told() {
        let found = suggested("MATCH (g:Genre {name: 'Science Fiction'}) RETURN g.name").unwrap();
        let [found] = found.as_slice() else { panic!("{found:#?}") };
        assert_eq!(
            (found.code, found.message.as_str()),
            (Code::DistantValue, "no stored `name` is 'Science Fiction'")
        );
        assert_eq!(found.fix.as_ref().map(|fix| (fix.text.as_str(), fix.safe)), Some(("'Sci-Fi'", false)));
        assert_eq!(found.candidates, ["Sci-Fi"]);
    }

    #[test]
    fn parts_of_values_and_values_without_their_case_are_asked_for() {
        let told = |condition: &str| {
            let text = format!("MATCH (g:Genre) WHERE {condition} RETURN g.name");
            let found = suggested(&text).unwrap();
            let [found] = found.as_slice() else { panic!("{text}: {found:#?}") };
            format!("{}: {}", found.message, found.fix.as_ref().unwrap().text)
        };
        insta::assert_snapshot!(
            [
                "g.name CONTAINS 'Science'",
                "g.name STARTS WITH 'Science'",
                "g.name ENDS WITH 'Fiction'",
                "toLower(g.name) = 'science fiction'",
                "'SCIENCE' = toUpper(g.name)",
                "toLower(g.name) CONTAINS toLower('Science')",
            ]
            .map(told)
            .join("\n"),
            @r"
        no stored `name` contains 'Science': 'Sci-Fi'
        no stored `name` begins with 'Science': 'Sci-Fi'
        no stored `name` ends with 'Fiction': 'Sci-Fi'
        no stored `name` in lower case is 'science fiction': 'sci-fi'
        no stored `name` in upper case is 'SCIENCE': 'SCI-FI'
        no stored `name` in any case contains 'Science': 'Sci-Fi'
        "
        );
    }

    #[test]
    fn texts_of_parameters_are_asked_for() {
        let parameters =
            Properties::from([("genre".into(), "Science Fiction".into()), ("n".into(), 1.into())]);
        let text = "MATCH (g:Genre {name: $genre}) WHERE g.name <> $n AND g.name <> $missing RETURN g.name";
        let found = suggested_with(text, parameters).unwrap();
        let values: Vec<_> = found.iter().filter(|found| found.code == Code::DistantValue).collect();
        let [found] = values.as_slice() else { panic!("{found:#?}") };
        assert_eq!(found.message, "no stored `name` is 'Science Fiction'");
        assert_eq!((found.help.as_deref(), &found.fix), (Some("near to it: 'Sci-Fi'"), &None));
    }

    #[test]
    fn values_that_are_stored_are_left_alone() {
        assert!(suggested("MATCH (g:Genre) WHERE g.name IN ['Sci-Fi'] RETURN g.name").unwrap().is_empty());
    }

    #[test]
    fn names_are_found_by_meaning() {
        let found = suggested("MATCH (c:Category) RETURN c.name").unwrap();
        assert_eq!(found[0].help.as_deref(), Some("near in meaning: `Genre`"));
        assert_eq!(found[0].fix.as_ref().map(|fix| fix.text.as_str()), Some("Genre"));
        assert!(suggested("MATCH (c:Painter) RETURN c.name").unwrap()[0].fix.is_none());
    }

    #[test]
    fn a_store_that_fails_is_told() {
        let error = suggested("MATCH (c:Broken) RETURN c.name").unwrap_err();
        assert_eq!(error.to_string(), "values and names cannot be looked up: the store is closed");
    }
}
