//! Recall of search on questions whose passages are known.
//!
//! [`Collection::read`] reads passages and questions in the forms of HippoRAG
//! (<https://github.com/OSU-NLP-Group/HippoRAG>), in which MuSiQue, HotpotQA, 2WikiMultihopQA and others are published.
//! [`measure`] indexes the passages, asks each way of searching every question, and reports what was found.
//!
//! Recall at k is the share of a question's passages among the first k found, averaged over the questions; a passage is
//! found if its title and text are those of the gold passage.

mod collection;
mod memory;
mod plot;
mod report;
mod run;

pub use collection::{Collection, Fact, Passage, Question};
pub use plot::plot;
pub use report::{Half, Hops, Method, Report};
pub use run::measure;
