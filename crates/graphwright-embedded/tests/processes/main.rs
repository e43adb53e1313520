//! Several processes on one store: a writer that is killed, a second writer, readers beside a
//! writer.
//!
//! This test has no harness, because it also is the program that it starts and kills.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "this is a test"
)]

mod batches;
mod busy;
mod child;
mod confined;
mod crash;
mod full_disk;
#[cfg(unix)]
mod permission;
mod sharing;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [role, path] = arguments.as_slice()
        && let Some(role) = role.strip_prefix("child-")
    {
        return child::run(role, path);
    }
    if arguments == [graphwright_worker::ARGUMENT] {
        return confined::serve();
    }
    check("workers_see_each_commit", confined::workers_see_each_commit);
    check("values_come_back_as_they_are", confined::values_come_back_as_they_are);
    check("bombs_end_with_an_error_and_others_go_on", confined::bombs_end_with_an_error_and_others_go_on);
    check("a_read_that_nobody_waits_for_ends", confined::a_read_that_nobody_waits_for_ends);
    check("a_killed_writer_leaves_whole_batches", crash::a_killed_writer_leaves_whole_batches);
    check("a_second_writer_is_told_who_writes", sharing::a_second_writer_is_told_who_writes);
    check("a_full_disk_is_an_error_and_harms_nothing", full_disk::a_full_disk_is_an_error_and_harms_nothing);
    check("readers_see_the_last_commit", sharing::readers_see_the_last_commit);
    #[cfg(unix)]
    check("what_may_not_be_used_is_named", permission::what_may_not_be_used_is_named);
    check(
        "readers_of_a_busy_store_never_see_damage_or_the_past",
        busy::readers_of_a_busy_store_never_see_damage_or_the_past,
    );
}

fn check(name: &str, test: impl FnOnce() -> String) {
    let said = test();
    println!("test {name} ... ok{said}");
}
