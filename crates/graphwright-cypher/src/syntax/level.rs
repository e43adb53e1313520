//! The precedence of operators, from the loosest, on which the parser and the printer agree.
//!
//! Source: the Cypher grammar of Neo4j 5, `expression` to `expression1`.

use super::tree::{BinaryOperator, LogicalOperator};

const OR: u8 = 1;
const XOR: u8 = 2;
const AND: u8 = 3;
pub(super) const NOT: u8 = 4;
pub(super) const COMPARISON: u8 = 5;
pub(super) const PREDICATE: u8 = 6;
pub(super) const ADD: u8 = 7;
const MULTIPLY: u8 = 8;
const POWER: u8 = 9;
pub(super) const SIGN: u8 = 10;
pub(super) const LABELS: u8 = 11;
pub(super) const POSTFIX: u8 = 12;
pub(super) const VALUE: u8 = 13;

impl LogicalOperator {
    pub(super) fn level(self) -> u8 {
        match self {
            Self::Or => OR,
            Self::Xor => XOR,
            Self::And => AND,
        }
    }
}

impl BinaryOperator {
    pub(super) fn level(self) -> u8 {
        match self {
            Self::In | Self::StartsWith | Self::EndsWith | Self::Contains | Self::Matches => PREDICATE,
            Self::Add | Self::Subtract | Self::Concatenate => ADD,
            Self::Multiply | Self::Divide | Self::Modulo => MULTIPLY,
            Self::Power => POWER,
        }
    }
}
