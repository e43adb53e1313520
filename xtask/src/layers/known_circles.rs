//! The circles of modules that stand today. The list only shrinks: a circle that is no more, or that is smaller, has to
//! be taken out or made smaller here too.

/// Modules under one parent that reach each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownCircle {
    /// The crate with the path of the parent.
    pub(super) inside: &'static str,
    /// Sorted.
    pub(super) modules: &'static [&'static str],
    /// Why it stands.
    pub(super) reason: &'static str,
}

/// By crate and parent.
pub(super) const KNOWN_CIRCLES: &[KnownCircle] = &[
    KnownCircle {
        inside: "graphwright-answer::question",
        modules: &["annotate", "form", "plan"],
        reason: "the plan borrows small types of the steps before it, which borrow `Aggregate` of the plan",
    },
    KnownCircle {
        inside: "graphwright-core",
        modules: &["element", "value"],
        reason: "the types hold each other: a value may be a node, and a node's properties are values; neither can do without",
    },
    KnownCircle {
        inside: "graphwright-rules::facts",
        modules: &["reader", "survey", "walk"],
        reason: "the survey reads a document as the walk does, and the reader takes abbreviations from the survey",
    },
    KnownCircle {
        inside: "graphwright-rules::facts",
        modules: &["context", "references"],
        reason: "the context holds what references point at",
    },
    KnownCircle {
        inside: "graphwright-rules::facts",
        modules: &[
            "cues",
            "definitions",
            "keys",
            "kinds",
            "mentions",
            "names",
            "people",
            "proper",
            "values",
            "vocabulary",
        ],
        reason: "the vocabulary is made of all lists of words, and each list is read with it",
    },
];
