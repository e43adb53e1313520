//! Formats the figures of a measure of search.

use std::collections::BTreeSet;

use graphwright_eval::retrieval::{Method, Report};

use super::Table;

pub(crate) fn retrieval_text(report: &Report) -> String {
    let hops: BTreeSet<usize> =
        report.methods.iter().flat_map(|method| method.hops.keys().copied()).collect();
    let header = ["mode", "R@2", "R@5", "R@10", "all@5", "R@5 odd", "R@5 even"].map(str::to_owned);
    let by_hops = hops.iter().map(|count| format!("R@5 of {count}"));
    let times = ["ms p50", "ms p95"].map(str::to_owned);
    let mut table = Table::new(header.into_iter().chain(by_hops).chain(times));
    for method in &report.methods {
        table.add_row(cells(method, &hops));
    }
    let memory = report.peak_mb.map_or_else(String::new, |peak| format!(", {peak:.0} MB at most"));
    let facts = if report.facts > 0 { format!(", {} facts", report.facts) } else { String::new() };
    let mut text = format!(
        "{table}\n{} passages{facts}, {} questions; index made in {:.0} ms{memory}\n",
        report.passages, report.questions, report.index_ms
    );
    if report.missing > 0 {
        text.push_str(&format!(
            "note: {} passages that answer questions are not in the corpus and count as not found\n",
            report.missing
        ));
    }
    text
}

fn cells(method: &Method, hops: &BTreeSet<usize>) -> Vec<String> {
    let percent = |share: Option<&f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
    let [odd, even] = method.halves.map(|half| half.recall);
    let mut cells = vec![method.name.clone()];
    cells.extend([2, 5, 10].map(|depth| percent(method.recall.get(&depth))));
    cells.extend([method.all.get(&5), Some(&odd), Some(&even)].map(percent));
    cells.extend(hops.iter().map(|count| percent(method.hops.get(count).map(|hops| &hops.recall))));
    cells.extend([method.p50_ms, method.p95_ms].map(|time| format!("{time:.2}")));
    cells
}
