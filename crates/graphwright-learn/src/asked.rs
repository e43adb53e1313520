//! What may be asked for.

use crate::{
    meaning::{Asked, Rank},
    schema::Schema,
};

/// What may be asked for of things with a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedFor {
    pub(crate) of: Vec<Vec<(Asked, Option<Rank>)>>,
}

impl AskedFor {
    /// Everything, as far as `ranks` allow: whether firsts are asked for at all.
    pub(crate) fn of(schema: &Schema, ranks: bool, counts: bool, values: bool) -> Self {
        let label = |has: &std::collections::BTreeSet<u16>| {
            let mut all = vec![(Asked::Entities, None)];
            if counts {
                all.push((Asked::Count, None));
            }
            for &property in has {
                if values {
                    all.push((Asked::Values(property), None));
                }
                for descending in [true, false] {
                    let rank = Some(Rank { property, descending });
                    if ranks {
                        all.push((Asked::Entities, rank));
                        all.push((Asked::Values(property), rank));
                    }
                }
            }
            all
        };
        Self { of: schema.has.iter().map(label).collect() }
    }
}
