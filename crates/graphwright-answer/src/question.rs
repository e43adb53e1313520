//! From the words of a question to plans that a graph can answer.

mod annotate;
mod arrange;
mod assemble;
mod form;
pub(crate) mod plan;
mod sides;
mod voice;

pub(crate) use annotate::{Annotator, Compare, Measure, Piece, Segmentation, Span};
pub(crate) use arrange::arranged;
pub(crate) use assemble::assemble;
pub(crate) use form::{Form, Head, read};
pub(crate) use sides::{Sides, sides};
