//! Questions asked of whole graphs.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop, and shows its figures")]

mod affirmed;
mod any_names;
mod by_meaning;
mod check;
mod codes;
mod comparing;
mod corpora;
mod everyday;
mod fields;
mod meaning;
mod metaqa;
mod model;
mod phrasings;
mod relationships;
mod search;
mod sharing;
mod support;
mod tables;
mod wording;
