//! The check as a whole.

use super::*;
use crate::answer::{PathNode, PathRelationship};

fn fact(from: &str, kind: &str, to: &str) -> Citable {
    let node = |name: &str| PathNode { id: name.into(), name: name.into(), kind: "Thing".into() };
    let relationship =
        PathRelationship { kind: kind.into(), from: from.into(), to: to.into(), confidence: 1.0 };
    let path = AnswerPath { nodes: vec![node(from), node(to)], relationships: vec![relationship] };
    Citable { text: format!("{from} -{kind}-> {to}"), paths: vec![path], ..Citable::default() }
}

fn faults(question: &str, evidence: Vec<Citable>, text: &str) -> Vec<Fault> {
    AnswerCheck::new(question, evidence).check(text).faults().map(|(_, fault)| fault.clone()).collect()
}

#[test]
fn names_numbers_and_dates_must_stand_in_what_is_cited() {
    let evidence =
        || vec![fact("Ada", "OWNS", "ledger"), Citable::from("ledger began on 2019-04-08 with 1,200 users.")];
    let found = |text: &str| faults("Who owns ledger?", evidence(), text);
    for text in [
        "Ada owns ledger [1].",
        "Overall, Ada owns ledger [1].",
        "Nevertheless Ada owns ledger [1][9].",
        "It began on April 8, 2019 [2].",
        "It began in April 2019 with 1200 users [2].",
        "One team owns ledger: Ada [1].",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    assert_eq!(found("Ada owns ledger."), [Fault::Uncited]);
    assert_eq!(found("Ada owns ledger [7]."), [Fault::NoSuchEvidence { numbers: vec![7] }]);
    let missing = |what: &str| vec![Fault::Missing { what: vec![what.to_owned()] }];
    assert_eq!(found("Bob owns it too [1]."), missing("Bob"));
    assert_eq!(found("It began on May 8, 2019 [2]."), missing("May 8, 2019"));
    assert_eq!(found("It has 1300 users [2]."), missing("1300"));
}

#[test]
fn a_failed_call_bears_out_nothing() {
    let failed = Citable { text: "Error: no Ada owns ledger".into(), failed: true, ..Citable::default() };
    assert_eq!(faults("?", vec![failed], "Ada owns ledger [1]."), [Fault::FailedCall]);
}

#[test]
fn layout_stays() {
    let check = AnswerCheck::new("?", vec![fact("Ada", "OWNS", "ledger")]);
    let text = "## Owners\n\nThere are these [1]:\n\n- **Ada** owns ledger\n- Zoe owns ledger\n\n| Who | What |\n|---|---|\n| Ada | ledger [1] |\n| Zoe | ledger [1] |";
    let checked = check.check(text);
    assert_eq!(
        checked.marked(),
        "## Owners\n\nThere are these [1]:\n\n- **Ada** owns ledger\n- Zoe owns ledger [unverified]\n\n| Who | What |\n|---|---|\n| Ada | ledger [1] |\n| Zoe | ledger [1] [unverified] |"
    );
    assert_eq!(
        checked.supported(),
        "## Owners\n\nThere are these [1]:\n\n- **Ada** owns ledger\n\n| Who | What |\n|---|---|\n| Ada | ledger [1] |"
    );
}

#[test]
fn refusals_and_talk_state_nothing() {
    let check = AnswerCheck::new("?", vec![fact("Ada", "OWNS", "ledger")]);
    assert!(check.check("The evidence does not say who owns it [1].").is_refusal);
    let partly =
        check.check("Ada owns ledger [1]. The graph does not say since when. Let me know if I can help.");
    assert!(!partly.is_refusal && partly.has_support() && partly.faults().count() == 0);
}
