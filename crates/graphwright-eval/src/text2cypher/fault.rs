//! What can be wrong with a reply where a query was asked for, by class.

use std::collections::BTreeSet;

use graphwright_cypher::{
    Code, Severity, diagnose,
    lexer::{TokenKind, tokenize},
    lint::Lint,
    repair::{ChangeCode, ReasonCode, Repair},
    syntax::parse,
};
use serde::{Deserialize, Serialize};

/// A class of faults of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// There is no query in it.
    Nothing,
    /// The query stands within something else: prose, JSON, a program.
    Envelope,
    /// There are several queries.
    Several,
    /// A computed column of `WITH` has no name.
    MissingAlias,
    /// A variable is used that nothing before defines.
    UndefinedVariable,
    /// It is no Cypher for another reason.
    Syntax,
    /// No node has the label.
    UnknownLabel,
    /// No relationship has the type.
    UnknownRelationshipType,
    /// What is asked for the property does not have it.
    UnknownProperty,
    /// An arrow points the wrong way.
    WrongDirection,
    /// The graph does not connect these labels so.
    Unconnected,
    /// A property is compared with, or used as, a value of another type.
    WrongType,
    /// It compares with another text than the right query.
    WrongValue,
    /// It asks for something else.
    OtherMeaning,
    /// It asks the graph for what that does not hold, where the right reply says so.
    MadeUp,
}

impl Fault {
    /// The classes of replies to questions that the graph answers.
    pub const OF_QUERIES: [Self; 14] = [
        Self::Nothing,
        Self::Envelope,
        Self::Several,
        Self::MissingAlias,
        Self::UndefinedVariable,
        Self::Syntax,
        Self::UnknownLabel,
        Self::UnknownRelationshipType,
        Self::UnknownProperty,
        Self::WrongDirection,
        Self::Unconnected,
        Self::WrongType,
        Self::WrongValue,
        Self::OtherMeaning,
    ];

    /// Returns the name for people, such as `wrong direction`.
    pub fn words(self) -> String {
        let name = serde_json::to_value(self).unwrap_or_default();
        name.as_str().unwrap_or_default().replace('_', " ")
    }
}

/// Finds the class of the first fault of a reply. `right` says whether it gives the right rows, where that is known; of one
/// of which it is not known, only what can be found by reading is a fault.
pub fn classify(reply: &str, gold: &str, lint: Option<&Lint>, right: Option<bool>) -> Option<Fault> {
    if reply.trim().is_empty() {
        return Some(Fault::Nothing);
    }
    if right == Some(true) {
        return None;
    }
    by_form(reply).or_else(|| by_reading(reply, lint)).or_else(|| match right {
        Some(false) if compares_otherwise(reply, gold) => Some(Fault::WrongValue),
        Some(false) => Some(Fault::OtherMeaning),
        _ => None,
    })
}

/// What is wrong with the form of a reply.
fn by_form(reply: &str) -> Option<Fault> {
    let parsed = parse(reply);
    if parsed.diagnostics.is_empty() {
        return (parsed.tree.statements.len() > 1).then_some(Fault::Several);
    }
    let repaired = Repair::default().repair(reply);
    if repaired.refused.is_some_and(|reason| reason.code == ReasonCode::NoQuery) {
        return Some(Fault::Nothing);
    }
    let is_extracted = repaired.changes.iter().any(|change| change.code == ChangeCode::Extracted);
    is_extracted.then_some(Fault::Envelope)
}

/// The first fault that is found by reading. Where nothing is counted, or the schema may be incomplete, the lint only warns of it.
fn by_reading(reply: &str, lint: Option<&Lint>) -> Option<Fault> {
    let found = diagnose(reply, lint);
    let grave = found.iter().filter(|found| found.severity != Severity::Hint);
    grave.map(|found| (found.severity, of_code(found.code))).find_map(|(severity, fault)| match fault {
        // These run, if not as they are meant.
        Some(Fault::Syntax) if severity == Severity::Warning => None,
        fault => fault,
    })
}

fn of_code(code: Code) -> Option<Fault> {
    Some(match code {
        Code::NoExpressionAlias => Fault::MissingAlias,
        Code::UndefinedVariable => Fault::UndefinedVariable,
        Code::UnknownLabel => Fault::UnknownLabel,
        Code::UnknownRelationshipType => Fault::UnknownRelationshipType,
        Code::UnknownProperty | Code::MisplacedProperty => Fault::UnknownProperty,
        Code::WrongDirection => Fault::WrongDirection,
        Code::UnconnectedLabels => Fault::Unconnected,
        Code::ValueTypeMismatch | Code::MissingPart | Code::AggregateOfText => Fault::WrongType,
        Code::ComparisonWithNull | Code::RelationshipUniquenessViolation => return None,
        _ => Fault::Syntax,
    })
}

/// Tells whether a reply has a text that the right query lacks, in place of one that that has.
fn compares_otherwise(reply: &str, gold: &str) -> bool {
    let (reply, gold) = (texts(reply), texts(gold));
    !reply.is_subset(&gold) && !gold.is_subset(&reply)
}

/// The texts in a query, without their quotes.
fn texts(query: &str) -> BTreeSet<&str> {
    let tokens = tokenize(query).unwrap_or_default().tokens;
    let strings = tokens.iter().filter(|token| token.kind == TokenKind::String);
    strings.map(|token| token.text(query).trim_matches(['\'', '"'])).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::text2cypher::films;

    const GOLD: &str = "MATCH (p:Person)-[:DIRECTED]->(f:Film {title: 'Salt and Iron'}) RETURN p.name";

    #[rstest]
    #[case("", Fault::Nothing)]
    #[case("I do not know.", Fault::Nothing)]
    #[case("{\"cypher\": \"MATCH (p:Person) RETURN p.name\"}", Fault::Envelope)]
    #[case("MATCH (p:Person) RETURN p; MATCH (f:Film) RETURN f", Fault::Several)]
    #[case("MATCH (f:Film) WITH f.language, count(f) RETURN *", Fault::MissingAlias)]
    #[case("MATCH (f:Film) RETURN g.title", Fault::UndefinedVariable)]
    #[case("MATCH (f:Film RETURN f.title", Fault::Syntax)]
    #[case("MATCH (f:Movie) RETURN f.title", Fault::UnknownLabel)]
    #[case("MATCH (p:Person)-[:MADE]->(f:Film) RETURN f.title", Fault::UnknownRelationshipType)]
    #[case("MATCH (f:Film) RETURN f.director", Fault::UnknownProperty)]
    #[case("MATCH (p:Person)<-[:DIRECTED]-(f:Film) RETURN f.title", Fault::WrongDirection)]
    #[case("MATCH (s:Studio)-[:DIRECTED]->(f:Film) RETURN f.title", Fault::Unconnected)]
    #[case("MATCH (f:Film) WHERE f.minutes = 'long' RETURN f.title", Fault::WrongType)]
    #[case("MATCH (p:Person)-[:DIRECTED]->(f:Film {title: 'Salt'}) RETURN p.name", Fault::WrongValue)]
    #[case("MATCH (p:Person)-[:DIRECTED]->(f:Film) RETURN p.name", Fault::OtherMeaning)]
    #[tokio::test]
    async fn faults_are_told_apart(#[case] reply: &str, #[case] expected: Fault) {
        let lint = films::lint().await;
        assert_eq!(classify(reply, GOLD, Some(&lint), Some(false)), Some(expected));
    }

    #[tokio::test]
    async fn what_is_right_or_cannot_be_known_is_no_fault() {
        let lint = films::lint().await;
        assert_eq!(classify(GOLD, GOLD, Some(&lint), Some(true)), None);
        assert_eq!(classify("MATCH (p:Person) RETURN p.name", GOLD, Some(&lint), None), None);
        assert_eq!(
            classify("MATCH (f:Movie) RETURN f.title", GOLD, Some(&lint), None),
            Some(Fault::UnknownLabel)
        );
    }
}
