//! The relationships of one node.

use super::{
    NodeIndex, RelationshipIndex, Step,
    form::{ARRIVAL, EDGE, NUMBER, TIMED, number},
};

/// A relationship in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) step: Step,
    kind: u32,
}

impl Slot {
    pub(super) fn kind(self) -> u32 {
        self.kind & !TIMED
    }

    pub(super) fn is_timed(self) -> bool {
        self.kind & TIMED != 0
    }
}

/// The relationships that leave a node, or those that arrive: sorted by type, then by the node at the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    bytes: &'a [u8],
    width: usize,
    /// The number of the first relationship of a row that leaves.
    first: Option<u32>,
}

impl<'a> Row<'a> {
    pub(super) const EMPTY: Row<'static> = Row { bytes: &[], width: EDGE, first: Some(0) };

    pub(super) fn leaving(bytes: &'a [u8], first: u32) -> Self {
        Self { bytes, width: EDGE, first: Some(first) }
    }

    pub(super) fn arriving(bytes: &'a [u8]) -> Self {
        Self { bytes, width: ARRIVAL, first: None }
    }

    pub(super) fn len(self) -> usize {
        self.bytes.len() / self.width
    }

    #[inline]
    pub(super) fn slot(self, place: usize) -> Option<Slot> {
        let bytes = self.bytes.get(place * self.width..)?;
        let node = NodeIndex(number(bytes)?);
        let relationship = match self.first {
            Some(first) => first + place as u32,
            None => number(bytes.get(NUMBER..)?)?,
        };
        let kind = number(bytes.get(2 * NUMBER..)?)?;
        let step =
            Step { relationship: RelationshipIndex(relationship), node, forward: self.first.is_some() };
        Some(Slot { step, kind })
    }

    pub(super) fn slots(self) -> impl Iterator<Item = Slot> + Clone + use<'a> {
        (0..self.len()).map_while(move |place| self.slot(place))
    }

    /// Returns the part of the row with one type.
    pub(super) fn of_kind(self, kind: u32) -> Self {
        let first = self.partition_point(|slot| slot.kind() < kind);
        let last = self.partition_point(|slot| slot.kind() <= kind);
        self.part(first, last)
    }

    /// Returns the part of a row of one type with one node at the other end.
    pub(super) fn with_neighbour(self, node: NodeIndex) -> Self {
        let first = self.partition_point(|slot| slot.step.node < node);
        let last = self.partition_point(|slot| slot.step.node <= node);
        self.part(first, last)
    }

    /// Returns the parts of the row that have one type each.
    pub(super) fn kinds(self) -> impl Iterator<Item = Self> + use<'a> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let kind = rest.slot(0)?.kind();
            let length = rest.partition_point(|slot| slot.kind() <= kind);
            let part = rest.part(0, length);
            rest = rest.part(length, rest.len());
            Some(part)
        })
    }

    fn part(self, start: usize, end: usize) -> Self {
        let bytes = self.bytes.get(start * self.width..end * self.width).unwrap_or_default();
        Self { bytes, width: self.width, first: self.first.map(|first| first + start as u32) }
    }

    fn partition_point(self, is_before: impl Fn(Slot) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.slot(middle).is_some_and(&is_before) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
