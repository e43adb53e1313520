//! Claims of model answers that experts judged by their evidence (ExpertQA, Malaviya et al. 2023, arXiv 2309.07852).

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};
use graphwright_answer::{AnswerCheck, CheckedText, Citable};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Question {
    question: String,
    answers: BTreeMap<String, Answer>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    claims: Vec<Claim>,
}

#[derive(Debug, Deserialize)]
struct Claim {
    #[serde(rename = "claim_string")]
    text: String,
    #[serde(default)]
    evidence: Vec<String>,
    support: Option<String>,
}

/// What there is to check a claim by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Basis {
    Uncited,
    /// Addresses alone, which are not looked up.
    Address,
    Text,
}

#[derive(Debug, Default)]
struct Count {
    kept: usize,
    all: usize,
}

/// Prints the share of claims that are kept by what the experts said of them, for the two halves of the questions (odd lines
/// first) and for all.
pub(crate) fn score(file: &Path, show_errors: bool) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut counts: BTreeMap<(Basis, String), [Count; 2]> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let question: Question =
            serde_json::from_str(line).with_context(|| format!("{}, line {}", file.display(), number + 1))?;
        for claim in question.answers.values().flat_map(|answer| &answer.claims) {
            let support = claim.support.clone().unwrap_or_else(|| "not judged".to_owned());
            let basis = basis(claim);
            let checked = check(&question.question, claim);
            let kept = checked.faults().next().is_none();
            if show_errors && basis == Basis::Text && kept != (support == "Complete") && number % 2 == 0 {
                print_error(&support, claim, &checked);
            }
            let count = &mut counts.entry((basis, support)).or_default()[number % 2];
            count.all += 1;
            count.kept += usize::from(kept);
        }
    }
    println!("{}: kept by the check, odd and even lines, all", file.display());
    for basis in [Basis::Uncited, Basis::Address, Basis::Text] {
        println!(
            "{}",
            match basis {
                Basis::Uncited => "claims that cite nothing",
                Basis::Address => "claims whose evidence is a bare address (not checkable)",
                Basis::Text => "claims with the text of their evidence",
            }
        );
        let of_basis = || counts.iter().filter(|((other, _), _)| *other == basis);
        for ((_, support), halves) in of_basis() {
            print_counts(support, [halves]);
        }
        if basis == Basis::Text {
            print_counts(
                "all but Complete",
                of_basis().filter(|((_, support), _)| support != "Complete").map(|(_, halves)| halves),
            );
        }
    }
    Ok(())
}

fn print_counts<'a>(name: &str, counts: impl IntoIterator<Item = &'a [Count; 2]>) {
    let (mut kept, mut all) = ([0, 0], [0, 0]);
    for halves in counts {
        for (at, half) in halves.iter().enumerate() {
            kept[at] += half.kept;
            all[at] += half.all;
        }
    }
    let share = |kept: usize, all: usize| {
        let percent = if all == 0 { 0.0 } else { 100.0 * kept as f64 / all as f64 };
        format!("{percent:>5.1} % ({kept}/{all})")
    };
    let total = share(kept[0] + kept[1], all[0] + all[1]);
    println!("    {name:<18} {:>20} {:>20} {total:>20}", share(kept[0], all[0]), share(kept[1], all[1]));
}

fn print_error(support: &str, claim: &Claim, checked: &CheckedText) {
    let reasons: Vec<String> = checked.faults().map(|(_, fault)| fault.to_string()).collect();
    println!("{support}: {:?} {}", claim.text, reasons.join("; "));
}

fn basis(claim: &Claim) -> Basis {
    let is_address = |evidence: &String| split(evidence).1.split_whitespace().count() < 2;
    match claim.evidence.as_slice() {
        [] => Basis::Uncited,
        evidence if evidence.iter().all(is_address) => Basis::Address,
        _ => Basis::Text,
    }
}

/// The number before a piece of evidence, and the rest.
fn split(evidence: &str) -> (Option<usize>, &str) {
    let numbered = evidence.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    numbered.map_or((None, evidence), |(number, rest)| (number.parse().ok(), rest))
}

fn check(question: &str, claim: &Claim) -> CheckedText {
    let mut evidence: Vec<Citable> = Vec::new();
    for piece in &claim.evidence {
        let (number, text) = split(piece);
        let at = number.unwrap_or(evidence.len() + 1).clamp(1, 999);
        evidence.resize_with(evidence.len().max(at), Citable::default);
        evidence[at - 1] = Citable::from(text);
    }
    AnswerCheck::new(question, evidence).check(&claim.text)
}
