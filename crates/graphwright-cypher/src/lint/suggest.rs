//! What only the store knows: which values there are, and which names are near in meaning.

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_core::{Span, schema::Target};

use super::{Checker, Lint, index::ElementKind, scope::Holder};
use crate::{
    builder::quote,
    diagnostic::{Code, Diagnostic},
    syntax::{
        print_expression,
        tree::{Expression, ExpressionKind, Literal, Tree},
        visit::Visit,
    },
};

/// How many suggestions a message names.
const SHOWN: usize = 3;

/// Who can be asked for names and stored values.
#[async_trait]
pub trait Suggest: Debug + Send + Sync {
    /// The stored values that are nearest to a text, the nearest first. The text itself comes first where it is one.
    async fn values(&self, wanted: &WantedValue, limit: usize) -> Result<Vec<Suggestion>, SuggestError>;

    /// The names that are nearest in meaning, the nearest first; none where none is near.
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
    /// What has the property: one of these.
    pub targets: Vec<Target>,
    /// The property.
    pub property: String,
    /// The text.
    pub text: String,
    /// Whether the property holds lists, and the text is looked for among their elements.
    pub in_list: bool,
}

/// Something that may have been meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The value or name.
    pub text: String,
    /// How near it is, from 0 to 1.
    pub score: f64,
}

/// Why there are no suggestions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("values and names cannot be looked up: {message}")]
pub struct SuggestError {
    /// What the store or the embedder said.
    pub message: String,
}

/// What a query leaves open, to be asked later.
#[derive(Debug, Default)]
pub(super) struct Open {
    values: Vec<(Span, WantedValue)>,
    names: Vec<OpenName>,
}

#[derive(Debug)]
struct OpenName {
    span: Span,
    wanted: String,
    among: Vec<String>,
}

impl Lint {
    /// The same as [`check`](Self::check), with what the store knows: a hint where a text is none of the stored values of a property
    /// and others are near ([`Code::DistantValue`]), the nearest of few values ([`Code::UnknownValue`]), and names that are near in
    /// meaning where none is near in spelling. None of these fixes is safe.
    ///
    /// # Errors
    ///
    /// What [`Suggest`] cannot look up.
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
        for (span, wanted) in open.values {
            let told = diagnostics.iter().position(|found| found.span == span);
            let is_open = |place: usize| {
                diagnostics
                    .get(place)
                    .is_some_and(|found| found.code == Code::UnknownValue && found.fix.is_none())
            };
            if !told.is_none_or(is_open) {
                continue;
            }
            let found = suggest.values(&wanted, SHOWN).await?;
            let Some(distant) = distant(span, &wanted, &found) else { continue };
            match told.and_then(|place| diagnostics.get_mut(place)) {
                // One of the values that the schema lists.
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

/// A text that is not stored, where others are near.
fn distant(span: Span, wanted: &WantedValue, found: &[Suggestion]) -> Option<Diagnostic> {
    let first = found.first().filter(|first| first.text != wanted.text)?;
    let literal = |text: &str| {
        print_expression(&Expression::new(ExpressionKind::Literal(Literal::String(text.into()))))
    };
    let values: Vec<String> = found.iter().map(|found| literal(&found.text)).collect();
    let message = format!("no stored `{}` is {}", wanted.property, literal(&wanted.text));
    let diagnostic = Diagnostic::new(Code::DistantValue, span, message)
        .with_help(format!("near to it: {}", values.join(", ")))
        .with_fix(span, literal(&first.text), false)
        .with_candidates(found.iter().map(|found| found.text.clone()));
    Some(diagnostic)
}

impl Checker<'_> {
    /// A text of which the schema does not tell whether it is stored.
    pub(super) fn ask_value(&mut self, holder: &Holder, key: &str, value: &Expression, in_list: bool) {
        let ExpressionKind::Literal(Literal::String(text)) = &value.kind else { return };
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
            in_list,
        };
        open.values.push((value.span, wanted));
    }

    /// A name to which none is near in spelling.
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
        GraphSchema,
        schema::{ElementSchema, PropertySchema},
    };

    use super::*;
    use crate::syntax::parse;

    /// A store with one genre.
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
        let name =
            PropertySchema { name: "name".into(), types: vec!["STRING".into()], ..PropertySchema::default() };
        let labels =
            vec![ElementSchema { name: "Genre".into(), properties: vec![name], ..ElementSchema::default() }];
        let lint = Lint::new(&GraphSchema { labels, ..GraphSchema::default() });
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
