//! Our portable format: one JSON object on each line, without any loss.

mod explain;
mod read;
mod write;

use std::borrow::Cow;

use graphwright_core::{
    Properties,
    schema::{Constraint, Index},
};
use serde::{Deserialize, Serialize};

pub(super) use read::read;
pub(super) use write::Writer;

/// Version of the format that we read and write.
const VERSION: u32 = 1;

/// A line of a file. The first line is a header, the last an end.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line<'a> {
    Node {
        /// Name by which other lines refer to the node.
        node: Cow<'a, str>,
        #[serde(default)]
        labels: Cow<'a, [String]>,
        #[serde(default)]
        properties: Cow<'a, Properties>,
    },
    Relationship {
        relationship: Cow<'a, str>,
        #[serde(rename = "type")]
        kind: Cow<'a, str>,
        from: Cow<'a, str>,
        to: Cow<'a, str>,
        #[serde(default)]
        properties: Cow<'a, Properties>,
    },
    Vector {
        vector: Cow<'a, str>,
        property: Cow<'a, str>,
        values: Cow<'a, [f32]>,
    },
    Constraint {
        constraint: Constraint,
    },
    Index {
        index: Index,
    },
    Header {
        graphwright: u32,
        graph: Cow<'a, str>,
    },
    End {
        end: Counts,
    },
}

/// Number of elements in a file. The end line holds it, so that a truncated file is detected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    nodes: u64,
    relationships: u64,
    vectors: u64,
}
