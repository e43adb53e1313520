//! Claims of model answers that experts judged by their evidence (ExpertQA, Malaviya et al. 2023, arXiv 2309.07852).

use std::{collections::BTreeMap, fs, ops::AddAssign, path::Path};

use anyhow::{Context, Result};
use futures::{StreamExt, stream};
use graphwright_answer::{AnswerCheck, CheckedText, Citable, Fault, Judged};
use graphwright_llm::Usage;
use serde::Deserialize;

use super::judge::Judge;

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

/// A claim with what there is to check it by.
struct Case {
    claim: Claim,
    basis: Basis,
    /// 0 for odd lines, 1 for even ones.
    half: usize,
    check: AnswerCheck<'static>,
}

/// What the experts say of a claim.
fn support(claim: &Claim) -> &str {
    claim.support.as_deref().unwrap_or("not judged")
}

/// What the experts say of a claim that its evidence bears out.
const SUPPORTED: &str = "Complete";
/// The most claims that wait for a judge. How many it looks at at once is for the settings of its provider.
const AT_ONCE: usize = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: usize,
    by_check: usize,
    /// By the check and the judge behind it.
    by_judge: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.by_check += other.by_check;
        self.by_judge += other.by_judge;
    }
}

/// Prints the share of claims that are kept by what the experts said of them, for the two halves of the questions (odd lines
/// first) and for all; with a judge also what is kept of them with it.
pub(super) async fn score(file: &Path, show_errors: bool, mut judge: Option<Judge>) -> Result<()> {
    let cases = read(file, judge.as_mut())?;
    let look = cases.iter().map(|case| case.check.judge(&case.claim.text));
    let judged: Vec<Judged> = stream::iter(look).buffered(AT_ONCE).collect().await;
    let mut counts: BTreeMap<(Basis, &str), [Count; 2]> = BTreeMap::new();
    for (case, judged) in cases.iter().zip(&judged) {
        let faults = || judged.checked.faults();
        let by_judge = faults().next().is_none();
        let by_check = !faults().any(|(_, fault)| !matches!(fault, Fault::Unsupported { .. }));
        if show_errors
            && case.basis == Basis::Text
            && by_judge != (support(&case.claim) == SUPPORTED)
            && case.half == 0
        {
            print_error(support(&case.claim), &case.claim, &judged.checked);
        }
        let count = Count { all: 1, by_check: usize::from(by_check), by_judge: usize::from(by_judge) };
        counts.entry((case.basis, support(&case.claim))).or_default()[case.half] += count;
    }
    println!("{}: kept by the check, odd and even lines, all", file.display());
    print_tables(&counts, judge.is_some());
    if let Some(judge) = judge {
        print_judge(&judge.name(), &judged);
    }
    Ok(())
}

fn read(file: &Path, mut judge: Option<&mut Judge>) -> Result<Vec<Case>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let Question { question, answers } =
            serde_json::from_str(line).with_context(|| format!("{}, line {}", file.display(), number + 1))?;
        for claim in answers.into_values().flat_map(|answer| answer.claims) {
            let mut check = check(&question, &claim);
            let (basis, half) = (basis(&claim), number % 2);
            if let Some(judge) = judge.as_mut().filter(|_| basis == Basis::Text) {
                check = check.with_judge(judge.of_claim(support(&claim) == SUPPORTED));
            }
            cases.push(Case { claim, basis, half, check });
        }
    }
    Ok(cases)
}

fn print_tables(counts: &BTreeMap<(Basis, &str), [Count; 2]>, with_judge: bool) {
    for basis in [Basis::Uncited, Basis::Address, Basis::Text] {
        let judged = with_judge && basis == Basis::Text;
        println!(
            "{}{}",
            match basis {
                Basis::Uncited => "claims that cite nothing",
                Basis::Address => "claims whose evidence is a bare address (not checkable)",
                Basis::Text => "claims with the text of their evidence",
            },
            if judged { "; behind them with the judge, odd and even lines, all" } else { "" }
        );
        let of_basis = || counts.iter().filter(|((other, _), _)| *other == basis);
        for ((_, support), halves) in of_basis() {
            print_counts(support, [halves], judged);
        }
        if basis == Basis::Text {
            let others = of_basis().filter(|((_, support), _)| *support != SUPPORTED);
            print_counts("all but Complete", others.map(|(_, halves)| halves), judged);
        }
    }
}

fn print_counts<'a>(name: &str, counts: impl IntoIterator<Item = &'a [Count; 2]>, with_judge: bool) {
    let [mut odd, mut even, mut total] = [Count::default(); 3];
    for [first, second] in counts {
        odd += *first;
        even += *second;
    }
    total += odd;
    total += even;
    let columns = [odd, even, total];
    let mut kept: Vec<(usize, usize)> = columns.map(|count| (count.by_check, count.all)).to_vec();
    if with_judge {
        kept.extend(columns.map(|count| (count.by_judge, count.all)));
    }
    let shares: Vec<String> =
        kept.into_iter().map(|(kept, all)| format!("{:>20}", share(kept, all))).collect();
    println!("    {name:<18} {}", shares.join(" "));
}

fn share(kept: usize, all: usize) -> String {
    let percent = if all == 0 { 0.0 } else { 100.0 * kept as f64 / all as f64 };
    format!("{percent:>5.1} % ({kept}/{all})")
}

/// Prints what the judge was asked, left open and used.
fn print_judge(name: &str, judged: &[Judged]) {
    let mut usage = Usage::default();
    for judged in judged {
        usage += judged.usage;
    }
    let sum = |of: fn(&Judged) -> usize| judged.iter().map(of).sum::<usize>();
    let (asked, open) = (sum(|judged| judged.asked), sum(|judged| judged.without_verdict));
    println!("judge: {name}: {asked} statements, {open} without a verdict, of which the check decides");
    let failures: Vec<_> = judged.iter().filter_map(|judged| judged.failure.as_ref()).collect();
    if let Some(first) = failures.first() {
        println!("    {} calls failed, the first: {first}", failures.len());
    }
    let cost = usage.cost.map(|dollars| format!(", ${dollars:.2}")).unwrap_or_default();
    println!(
        "    {} calls ({} remembered), {} tokens sent, {} received{cost}",
        usage.requests, usage.cached_replies, usage.input_tokens, usage.output_tokens
    );
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

fn check(question: &str, claim: &Claim) -> AnswerCheck<'static> {
    let mut evidence: Vec<Citable> = Vec::new();
    for piece in &claim.evidence {
        let (number, text) = split(piece);
        let at = number.unwrap_or(evidence.len() + 1).clamp(1, 999);
        evidence.resize_with(evidence.len().max(at), Citable::default);
        evidence[at - 1] = Citable::from(text);
    }
    AnswerCheck::new(question, evidence)
}
