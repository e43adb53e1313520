//! Every fault that tokens show is told, with what to change.

use syn::{File, Item, ItemMacro};

use super::*;
use crate::event;

fn messages(expansion: TokenStream) -> String {
    let file: File = parse2(expansion).unwrap();
    let errors = file.items.iter().filter_map(|item| match item {
        Item::Macro(ItemMacro { mac, .. }) => Some(mac),
        _ => None,
    });
    let messages = errors.map(|error| error.parse_body::<syn::LitStr>().unwrap().value());
    messages.collect::<Vec<_>>().join(" | ")
}

fn flow_error(marks: &str, block: &str) -> String {
    messages(flow(marks.parse().unwrap(), block.parse().unwrap()))
}

fn step_error(method: &str) -> String {
    flow_error("start = A, stop = B", &format!("impl Shop {{ {method} }}"))
}

#[test]
fn methods_that_are_no_steps_are_refused() {
    for (method, part) in [
        ("#[step] async fn f(&self) {}", "a step takes an event"),
        ("#[step] async fn f(&self, a: A, b: B) {}", "a step takes one event"),
        ("#[step] async fn f(&mut self, a: A) {}", "take `&self`"),
        ("#[step] async fn f(self, a: A) {}", "take `&self`"),
        ("#[step] async fn f<T>(&self, a: T) {}", "a step has no generics"),
        ("#[step] async fn f(&self, a: &A) {}", "take the event by value"),
        ("#[step] async fn f(&self, a: impl Copy) {}", "the flow has to know what the step takes"),
        ("#[step] async fn f(&self, a: A) -> impl Copy {}", "the flow has to know what the step sends"),
        ("#[step] async fn f(&self, a: A, ctx: Context<Self>) {}", "take `&Context<Self>`"),
        ("#[step] async fn f(&self, a: A, ctx: &mut Context<Self>) {}", "it is changed by its methods"),
        ("#[step] async unsafe fn f(&self, a: A) {}", "a step is not `unsafe`"),
        ("#[step(works = 3)] async fn f(&self, a: A) {}", "there are `workers = …`, `at_most = …`"),
        ("#[step(workers)] async fn f(&self, a: A) {}", "give the value: `workers = 8`"),
        ("#[step(workers = 0)] async fn f(&self, a: A) {}", "the step would never run"),
        ("#[step(at_most = 0)] async fn f(&self, a: A) {}", "the step would never run"),
        ("#[step(at_most = 1, at_most = 2)] async fn f(&self, a: A) {}", "there twice"),
        ("#[step(time_limit = \"long\")] async fn f(&self, a: A) {}", "give the seconds"),
        ("#[step(time_limit = 0)] async fn f(&self, a: A) {}", "give the seconds"),
        ("#[step] async fn f(&self, a: A) {} #[step] async fn f(&self, b: B) {}", "two steps are named `f`"),
        ("async fn f(&self, a: A) {}", "mark its methods with `#[step]`"),
    ] {
        let error = step_error(method);
        assert!(error.contains(part), "{method}: {error}");
    }
    let right = "#[step(workers = 2, at_most = 3, time_limit = 0.5, retry = policy())] fn f(a: A, ctx: &Context<Self>) -> B {}";
    assert_eq!(step_error(right), "");
}

#[test]
fn marks_of_a_flow_are_read() {
    let block = "impl Shop { #[step] async fn f(&self, a: A) -> B {} }";
    for (marks, part) in [
        ("", "say what a run starts with"),
        ("start = A", "say what a run stops with"),
        ("start, stop = B", "give the value: `start = Order`"),
        ("start = A, stop = B, stop = C", "there twice"),
        ("begin = A", "there are `start = …`, `stop = …`"),
        ("start = A, stop = B, asks(C)", "expected `=>`"),
    ] {
        let error = flow_error(marks, block);
        assert!(error.contains(part), "{marks}: {error}");
    }
    assert_eq!(
        flow_error(
            "start = A, stop = B, state = S, reports = R, asks(C => D, E => F,), crate = crate",
            block
        ),
        ""
    );
    assert!(flow_error("start = A, stop = B", "impl Clone for Shop {}").contains("not of a trait"));
    assert!(flow_error("start = A, stop = B", "struct Shop;").contains("stands on an impl block"));
    assert!(flow_error("start = A, stop = B", "impl (A, B) {}").contains("a type with a name"));
}

#[test]
fn all_faults_are_told_at_once() {
    let error = step_error("#[step] async fn f(&mut self) {} #[step(work = 1)] fn g(&self, a: &A) {}");
    assert_eq!(error.matches(" | ").count(), 2, "{error}");
}

#[test]
fn derives_say_what_they_are_for() {
    for (item, part) in [
        ("struct Order<T>(T);", "an event has no generics"),
        ("#[event(nme = \"order\")] struct Order;", "there are `name = \"…\"`"),
    ] {
        let error = messages(event::event(item.parse().unwrap()));
        assert!(error.contains(part), "{item}: {error}");
    }
    for (item, part) in [
        ("struct Next(Order);", "one event: `#[derive(Event)]`"),
        ("enum Next {}", "add one for each event"),
        ("enum Next { Order }", "a variant has one event: `Order(Order)`"),
        ("enum Next { Order { order: Order }, Two(A, B) }", "`Two(Two)`"),
        ("#[one_of(name = \"next\")] enum Next { Order(Order) }", "goes by the names of its events"),
    ] {
        let error = messages(event::one_of(item.parse().unwrap()));
        assert!(error.contains(part), "{item}: {error}");
    }
}
