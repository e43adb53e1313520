//! The steps that flows share.

mod again;
mod describe;
mod examples;
mod fault;
mod generate;
mod guard;
mod judge;
mod link;
mod mend;
mod plan;
mod prove;
mod rewrite;
mod run;
mod summarise;

pub(crate) use self::{
    again::{again_or_end, again_or_kept, check, doubtful, ended},
    describe::describe,
    examples::{examples, in_background, verify},
    fault::Fault,
    generate::generate,
    guard::{Guarded, guard},
    judge::{Verdict, judge},
    link::link,
    mend::mend,
    plan::{SubQuestion, plan},
    prove::prove,
    rewrite::rewrite,
    run::{rows, run, scalar},
    summarise::{Source, conclude, summarise},
};
