//! Sets of types that a value may have.

use std::{fmt, ops::BitOr};

/// A set of types that a value may have. Null has the empty set, because it fits everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type(u16);

impl Type {
    pub(super) const NULL: Self = Self(0);
    pub(super) const BOOLEAN: Self = Self(1);
    pub(super) const INTEGER: Self = Self(1 << 1);
    pub(super) const FLOAT: Self = Self(1 << 2);
    pub(super) const STRING: Self = Self(1 << 3);
    pub(super) const LIST: Self = Self(1 << 4);
    pub(super) const MAP: Self = Self(1 << 5);
    pub(super) const NODE: Self = Self(1 << 6);
    pub(super) const RELATIONSHIP: Self = Self(1 << 7);
    pub(super) const PATH: Self = Self(1 << 8);
    pub(super) const POINT: Self = Self(1 << 9);
    pub(super) const TEMPORAL: Self = Self(1 << 10);
    pub(super) const DURATION: Self = Self(1 << 11);
    pub(super) const ANY: Self = Self((1 << 12) - 1);

    pub(super) const NUMBER: Self = Self(Self::INTEGER.0 | Self::FLOAT.0);
    pub(super) const ENTITY: Self = Self(Self::NODE.0 | Self::RELATIONSHIP.0);
    /// The types with properties.
    pub(super) const HOLDER: Self =
        Self(Self::ENTITY.0 | Self::MAP.0 | Self::POINT.0 | Self::TEMPORAL.0 | Self::DURATION.0);
    /// The types of operands in arithmetic.
    pub(super) const CALCULABLE: Self = Self(Self::NUMBER.0 | Self::TEMPORAL.0 | Self::DURATION.0);

    /// The types that a property of a node or relationship can hold.
    pub(super) const PROPERTY: Self =
        Self(Self::ANY.0 & !(Self::MAP.0 | Self::NODE.0 | Self::RELATIONSHIP.0 | Self::PATH.0));
    pub(super) const NUMBER_OR_DURATION: Self = Self(Self::NUMBER.0 | Self::DURATION.0);
    pub(super) const TEXT_OR_LIST: Self = Self(Self::STRING.0 | Self::LIST.0);
    pub(super) const COLLECTION: Self = Self(Self::TEXT_OR_LIST.0 | Self::MAP.0);
    pub(super) const CONTAINER: Self = Self(Self::ENTITY.0 | Self::MAP.0);
    pub(super) const PATH_OR_LIST: Self = Self(Self::PATH.0 | Self::LIST.0);
    /// The types that `toBoolean`, `toInteger` and `toFloat` convert.
    pub(super) const SCALAR: Self = Self(Self::NUMBER.0 | Self::STRING.0 | Self::BOOLEAN.0);
    /// The types that `toString` converts.
    pub(super) const PRINTABLE: Self =
        Self(Self::SCALAR.0 | Self::POINT.0 | Self::TEMPORAL.0 | Self::DURATION.0);

    /// Returns whether every type of the set is in `expected`, and there is at least one.
    pub(super) fn is_only(self, expected: Self) -> bool {
        self != Self::NULL && self.0 & !expected.0 == 0
    }

    /// Returns whether a value of these types may be of one in `expected`.
    pub(super) fn may_be(self, expected: Self) -> bool {
        self == Self::NULL || self.0 & expected.0 != 0
    }
}

impl BitOr for Type {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] = [
            "a boolean",
            "an integer",
            "a float",
            "a string",
            "a list",
            "a map",
            "a node",
            "a relationship",
            "a path",
            "a point",
            "a time",
            "a duration",
        ];
        if *self == Self::ANY {
            return formatter.write_str("any value");
        }
        if *self == Self::PROPERTY {
            return formatter.write_str("the value of a property");
        }
        let names: Vec<_> = NAMES
            .iter()
            .enumerate()
            .filter(|(bit, _)| self.0 >> bit & 1 == 1)
            .map(|(_, name)| *name)
            .collect();
        match names.split_last() {
            None => formatter.write_str("null"),
            Some((last, [])) => formatter.write_str(last),
            Some((last, others)) => write!(formatter, "{} or {last}", others.join(", ")),
        }
    }
}
