//! Finds nodes by the store's identifiers while a snapshot is made.

use graphwright_core::ElementId;
use rustc_hash::FxHashMap;

/// How many numbers are kept room for, for each node: more than that lie too far apart.
const ROOM: usize = 4;
/// Room that is there from the beginning.
const FIRST_ROOM: usize = 1024;
/// What stands where there is no node.
const NONE: u32 = u32::MAX;

/// Positions of nodes by the store's identifiers. Where these count the nodes, as the embedded store's do, they are places in a list.
#[derive(Debug, Default)]
pub(super) struct Elements {
    by_number: Vec<u32>,
    others: FxHashMap<ElementId, u32>,
}

impl Elements {
    pub(super) fn insert(&mut self, id: &ElementId, position: u32) {
        let most = FIRST_ROOM + ROOM * position as usize;
        let Some(number) = number(id).filter(|number| *number < most) else {
            self.others.insert(id.clone(), position);
            return;
        };
        if number >= self.by_number.len() {
            self.by_number.resize(number + 1, NONE);
        }
        if let Some(place) = self.by_number.get_mut(number) {
            *place = position;
        }
    }

    pub(super) fn get(&self, id: &ElementId) -> Option<u32> {
        let counted = number(id).and_then(|number| self.by_number.get(number));
        let counted = counted.copied().filter(|position| *position != NONE);
        counted.or_else(|| self.others.get(id).copied())
    }
}

/// Returns the number that an identifier is, if it is written as numbers are.
fn number(id: &ElementId) -> Option<usize> {
    let text = id.as_str();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_other_identifiers_are_told_apart() {
        let ids = ["0", "7", "07", "", "+7", "4:a:7", "1023", "1100", "999999999", "99999999999999999999"];
        let mut elements = Elements::default();
        for (id, position) in ids.iter().zip(0..) {
            elements.insert(&ElementId::new(*id), position);
        }
        for (id, position) in ids.iter().zip(0..) {
            assert_eq!(elements.get(&ElementId::new(*id)), Some(position), "{id}");
        }
        for id in ["1", "00", "8", "1024", "-7", "5000000000"] {
            assert_eq!(elements.get(&ElementId::new(id)), None, "{id}");
        }
        assert!(elements.by_number.len() < 2_000, "one large number takes no room");
        elements.insert(&ElementId::new("7"), 30);
        assert_eq!(elements.get(&ElementId::new("7")), Some(30), "the last counts");
    }
}
