//! What does not compile, and what the compiler says then. `TRYBUILD=overwrite cargo test -p graphwright-flow --test ui` writes the messages anew.

#[test]
fn wrong_flows_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
