//! Slots of a question, and texts in which they stand: what was said for one question becomes what is said for another of its kind.

use graphwright_cypher::syntax::{
    parse_query, print_query,
    tree::{Expression, ExpressionKind, Literal, Name},
    visit::{VisitMut, walk_expression_mut},
};
use serde::{Deserialize, Serialize};

/// What begins the name of a parameter that stands for a slot.
const PARAMETER: &str = "__slot_";

/// A part of a question that differs from question to question of its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSlot {
    /// What the kind has in its place, such as `<Service>`.
    pub name: String,
    /// What the question says.
    pub phrase: String,
    /// What the graph stores: the name of the entity or the value; what the question says where the graph does not know it.
    pub value: String,
    /// The identifier of the entity, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A form in which a slot stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Value,
    Phrase,
    Id,
    LowerValue,
    LowerPhrase,
}

impl Form {
    const ALL: [(Self, &str); 5] = [
        (Self::Value, "value"),
        (Self::Phrase, "phrase"),
        (Self::Id, "id"),
        (Self::LowerValue, "lower_value"),
        (Self::LowerPhrase, "lower_phrase"),
    ];

    fn of(self, slot: &QuestionSlot) -> Option<String> {
        let text = match self {
            Self::Value => slot.value.clone(),
            Self::Phrase => slot.phrase.clone(),
            Self::Id => slot.id.clone()?,
            Self::LowerValue => slot.value.to_lowercase(),
            Self::LowerPhrase => slot.phrase.to_lowercase(),
        };
        (!text.is_empty()).then_some(text)
    }
}

/// A slot, by its place in the question, in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Filling {
    slot: usize,
    form: Form,
}

impl Filling {
    /// Finds the slot whose text this is, as a whole.
    fn find(text: &str, slots: &[QuestionSlot]) -> Option<Self> {
        let places = slots.iter().enumerate();
        let fillings =
            places.flat_map(|(at, slot)| Form::ALL.map(|(form, _)| (Self { slot: at, form }, form.of(slot))));
        fillings.into_iter().find(|(_, said)| said.as_deref() == Some(text)).map(|(filling, _)| filling)
    }

    fn text(self, slots: &[QuestionSlot]) -> Option<String> {
        self.form.of(slots.get(self.slot)?)
    }
}

/// A text in which slots of a question stand where its words did.
///
/// ```
/// use graphwright_answer::{QuestionSlot, TextTemplate};
///
/// let slot = |value: &str| [QuestionSlot { value: value.into(), phrase: value.into(), ..Default::default() }];
/// let template = TextTemplate::new("libraries of ledger", &slot("ledger"));
/// assert_eq!(template.fill(&slot("gateway")).as_deref(), Some("libraries of gateway"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextTemplate(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Text(String),
    Slot(Filling),
}

impl TextTemplate {
    /// Puts the slots of a question in place of their words in a text, longer words first. Only whole words count.
    pub fn new(text: &str, slots: &[QuestionSlot]) -> Self {
        let places = slots.iter().enumerate();
        let fillings = places
            .flat_map(|(at, slot)| Form::ALL.map(|(form, _)| (form.of(slot), Filling { slot: at, form })));
        let mut said: Vec<(String, Filling)> =
            fillings.filter_map(|(text, filling)| Some((text?, filling))).collect();
        said.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        let mut parts = vec![Part::Text(text.to_owned())];
        for (words, filling) in said {
            let split = parts.into_iter().flat_map(|part| match part {
                Part::Text(text) => split(&text, &words, filling),
                slot @ Part::Slot(_) => vec![slot],
            });
            parts = split.collect();
        }
        Self(parts)
    }

    /// Writes the text for another question. Returns `None` if that lacks what a slot needs.
    pub fn fill(&self, slots: &[QuestionSlot]) -> Option<String> {
        let texts = self.0.iter().map(|part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Slot(filling) => filling.text(slots),
        });
        texts.collect()
    }
}

/// Splits a text at the places where words stand on their own.
fn split(text: &str, words: &str, filling: Filling) -> Vec<Part> {
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(words) {
        let end = at + words.len();
        let stands_alone = !is_word(text[..at].chars().next_back()) && !is_word(text[end..].chars().next());
        if at < start || !stands_alone {
            continue;
        }
        if at > start {
            parts.push(Part::Text(text[start..at].to_owned()));
        }
        parts.push(Part::Slot(filling));
        start = end;
    }
    if start < text.len() || parts.is_empty() {
        parts.push(Part::Text(text[start..].to_owned()));
    }
    parts
}

/// A Cypher query in which slots of a question stand where its values did.
///
/// Only whole literals are taken for values, so that what fills a slot is a value again, whatever stands in it.
///
/// ```
/// use graphwright_answer::{QuestionSlot, QueryTemplate};
///
/// let slot = |value: &str| [QuestionSlot { value: value.into(), phrase: value.into(), ..Default::default() }];
/// let template = QueryTemplate::new("MATCH (p {name: 'Ada'}) RETURN p.born", &slot("Ada")).unwrap();
/// assert_eq!(
///     template.fill(&slot("O'Hara")).as_deref(),
///     Some("MATCH (p {name: 'O\\'Hara'})\nRETURN p.born")
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueryTemplate(String);

impl QueryTemplate {
    /// Puts the slots of a question in place of their values in a query. Returns `None` for what is not one query.
    pub fn new(text: &str, slots: &[QuestionSlot]) -> Option<Self> {
        let mut query = parse_query(text)?;
        if text.contains(PARAMETER) {
            return None;
        }
        Emptied { slots }.visit_query(&mut query);
        Some(Self(print_query(query)))
    }

    /// Writes the query for another question. Returns `None` if that lacks what a slot needs.
    pub fn fill(&self, slots: &[QuestionSlot]) -> Option<String> {
        let mut query = parse_query(&self.0)?;
        let mut filled = Filled { slots, is_lacking: false };
        filled.visit_query(&mut query);
        (!filled.is_lacking).then(|| print_query(query))
    }
}

/// Puts parameters in place of the values of slots.
struct Emptied<'a> {
    slots: &'a [QuestionSlot],
}

impl VisitMut for Emptied<'_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        let found = match &expression.kind {
            ExpressionKind::Literal(Literal::String(text)) => {
                Filling::find(text, self.slots).zip(Some("text"))
            }
            ExpressionKind::Literal(Literal::Integer(number)) => {
                Filling::find(&number.to_string(), self.slots).zip(Some("number"))
            }
            _ => None,
        };
        if let Some((Filling { slot, form }, kind)) = found {
            let form = Form::ALL.iter().find(|(known, _)| *known == form).map_or("", |(_, name)| name);
            let name = Name::new(format!("{PARAMETER}{slot}_{kind}_{form}"));
            expression.kind = ExpressionKind::Parameter(name);
        }
        walk_expression_mut(self, expression);
    }
}

/// Puts the values of slots in place of parameters.
struct Filled<'a> {
    slots: &'a [QuestionSlot],
    is_lacking: bool,
}

impl Filled<'_> {
    /// Returns the value that a parameter stands for, if it stands for a slot.
    fn value(&mut self, parameter: &Name) -> Option<Literal> {
        let mut parts = parameter.text.strip_prefix(PARAMETER)?.splitn(3, '_');
        let slot = parts.next()?.parse().ok()?;
        let kind = parts.next()?;
        let name = parts.next()?;
        let (form, _) = Form::ALL.into_iter().find(|(_, known)| *known == name)?;
        let text = Filling { slot, form }.text(self.slots);
        let literal = match (text, kind) {
            (Some(text), "text") => Some(Literal::String(text.into())),
            (Some(text), _) => text.parse().ok().map(Literal::Integer),
            (None, _) => None,
        };
        self.is_lacking |= literal.is_none();
        literal
    }
}

impl VisitMut for Filled<'_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        if let ExpressionKind::Parameter(name) = &expression.kind
            && let Some(literal) = self.value(&name.clone())
        {
            expression.kind = ExpressionKind::Literal(literal);
        }
        walk_expression_mut(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(values: &[(&str, &str)]) -> Vec<QuestionSlot> {
        let slot = |(at, (phrase, value)): (usize, &(&str, &str))| QuestionSlot {
            name: "<Service>".into(),
            phrase: (*phrase).to_owned(),
            value: (*value).to_owned(),
            id: Some(format!("s{at}")),
        };
        values.iter().enumerate().map(slot).collect()
    }

    #[test]
    fn words_are_filled_in_the_form_in_which_they_stood() {
        let before = slots(&[("Edge Gateway", "edge-gateway"), ("ledger", "ledger")]);
        let after = slots(&[("Mail", "mail-courier"), ("the books", "books")]);
        let filled = |text: &str| TextTemplate::new(text, &before).fill(&after);
        assert_eq!(
            filled("Edge Gateway (edge-gateway, s0) and ledger, not ledgers").as_deref(),
            Some("Mail (mail-courier, s0) and books, not ledgers")
        );
        assert_eq!(filled("").as_deref(), Some(""));
        assert_eq!(TextTemplate::new("ledger", &before).fill(&after[..1]), None);
    }

    #[test]
    fn only_whole_literals_of_a_query_are_values() {
        let before = slots(&[("ledger", "ledger"), ("3", "3")]);
        let text = "MATCH (ledger:Service {name: 'ledger'}) WHERE ledger.tier > 3 AND ledger.note <> 'the ledger' RETURN ledger.name LIMIT 5";
        let template = QueryTemplate::new(text, &before).unwrap();
        let filled = template.fill(&slots(&[("O'Neil \\\"x", "O'Neil \\\"x"), ("12", "12")])).unwrap();
        assert!(filled.contains("ledger.tier > 12 AND ledger.note <> 'the ledger'"), "{filled}");
        let again =
            QueryTemplate::new(&filled, &slots(&[("O'Neil \\\"x", "O'Neil \\\"x"), ("12", "12")])).unwrap();
        assert_eq!(again, template);
        // A number is filled by a number alone.
        assert_eq!(template.fill(&slots(&[("a", "a"), ("many", "many")])), None);
        assert_eq!(QueryTemplate::new("MATCH (n", &before), None);
    }

    #[test]
    fn queries_that_differ_in_their_values_alone_have_one_template() {
        let of = |name: &str| {
            let text = format!("MATCH (s {{name: '{name}'}}) RETURN s.tier LIMIT 1");
            QueryTemplate::new(&text, &slots(&[(name, name)])).unwrap()
        };
        assert_eq!(of("ledger"), of("gateway"));
        let constant = QueryTemplate::new(
            "MATCH (s {name: 'x'}) RETURN s.tier LIMIT 1",
            &slots(&[("ledger", "ledger")]),
        );
        assert_ne!(Some(of("ledger")), constant);
    }
}
