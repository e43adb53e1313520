//! Every fault is told, with what to change.

use syn::{File, Item, ItemMacro};

use super::*;

/// Returns the messages of the compile errors in an expansion.
fn messages(expansion: TokenStream) -> Vec<String> {
    let file: File = parse2(expansion).unwrap();
    let errors = file.items.iter().filter_map(|item| match item {
        Item::Macro(ItemMacro { mac, .. }) => Some(mac),
        _ => None,
    });
    errors.map(|error| error.parse_body::<syn::LitStr>().unwrap().value()).collect()
}

fn tool_error(marks: &str, function: &str) -> String {
    messages(tool(marks.parse().unwrap(), function.parse().unwrap())).join(" | ")
}

fn toolbox_error(marks: &str, block: &str) -> String {
    messages(toolbox(marks.parse().unwrap(), block.parse().unwrap())).join(" | ")
}

#[test]
fn signatures_that_a_model_cannot_call_are_refused() {
    for (function, part) in [
        ("fn sum(a: f64) -> f64 { a }", "write a doc comment"),
        ("/// Doc\nfn f<T>(a: T) {}", "a tool has no generics"),
        ("/// Doc\nfn f(a: &str) {}", "take `String`"),
        ("/// Doc\nfn f(a: &[u8]) {}", "take a `Vec`"),
        ("/// Doc\nfn f(a: &Place) {}", "take it by value"),
        ("/// Doc\nfn f(a: impl Copy) {}", "name a type"),
        ("/// Doc\nfn f((a, b): (f64, f64)) {}", "take it apart in the body"),
        ("/// Doc\nfn f(context: ToolContext) {}", "take `&ToolContext`"),
        ("/// Doc\nfn f(context: &mut ToolContext) {}", "take `&ToolContext`: calls share it"),
        ("/// Doc\nfn f(a: &ToolContext, b: &ToolContext) {}", "there is one context"),
        ("/// Doc\nfn f(#[default(1)] a: &ToolContext) {}", "the model does not give the context"),
        ("/// Doc\nfn f(#[default] a: f64) {}", "give the value: `#[default(…)]`"),
        ("/// Doc\nfn f(#[range(1..)] a: f64) {}", "give both ends"),
        ("/// Doc\nfn f(#[range(1..5)] a: f64) {}", "give both ends"),
        ("/// Doc\nunsafe fn f() {}", "a tool is not `unsafe`"),
        ("/// Doc\nfn f(&self) {}", "needs `#[toolbox]` on its impl block"),
        ("/// Doc\nstruct Tool;", "`#[tool]` stands on a function"),
    ] {
        let error = tool_error("", function);
        assert!(error.contains(part), "{function}: {error}");
    }
}

#[test]
fn marks_that_make_no_sense_are_refused() {
    for (marks, part) in [
        ("readonly", "there are `read_only`, `destructive`"),
        ("read_only, destructive", "leave one out"),
        ("read_only, read_only", "there twice"),
        ("name", "give the name"),
        ("time_limit", "give the seconds"),
        ("time_limit = \"long\"", "expected integer literal"),
        ("name = \"is a name\"", "providers refuse this name"),
        ("name = \"\"", "providers refuse this name"),
        ("blocking", "`blocking` is for functions that are not `async`"),
    ] {
        let error = tool_error(marks, "/// Doc\nasync fn f() {}");
        assert!(error.contains(part), "{marks}: {error}");
    }
    assert_eq!(tool_error("read_only = false, destructive, name = \"a-1\"", "/// Doc\nfn f() {}"), "");
}

#[test]
fn blocks_without_tools_are_refused() {
    let method = "/// Doc\n#[tool] fn f(&self) {}";
    for (marks, block, part) in [
        ("", "impl Calculator { fn f(&self) {} }".to_owned(), "mark those that a model may call"),
        ("", format!("impl Clone for Calculator {{ {method} }}"), "not of a trait"),
        ("", "impl Calculator { /// Doc\n#[tool] fn f(&mut self) {} }".to_owned(), "take `&self`"),
        ("", "impl Calculator { /// Doc\n#[tool] fn f(self) {} }".to_owned(), "take `&self`"),
        (
            "",
            format!("impl Calculator {{ {method} /// Doc\n#[tool(name = \"f\")] fn g(&self) {{}} }}"),
            "two tools",
        ),
        ("name = \"a\"", format!("impl Calculator {{ {method} }}"), "a toolbox has no name"),
        ("", "struct Calculator;".to_owned(), "stands on an impl block"),
    ] {
        let error = toolbox_error(marks, &block);
        assert!(error.contains(part), "{block}: {error}");
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let block =
        "impl Calculator { #[tool] fn f(&mut self, a: &str) {} /// Doc\n#[tool(nme = 1)] fn g(&self) {} }";
    let error = toolbox_error("", block);
    assert_eq!(error.matches(" | ").count(), 3, "{error}");
}
