//! The report as Markdown, for people.

use graphwright::FlowName;

use super::report::{Cell, Recovery, Report};

/// Writes a report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("Questions: {}.", report.sets.join(", "));
    if let Some(judge) = &report.judge {
        text.push_str(&format!(" Judge of relevancy: {judge}."));
    }
    text.push_str("\n\n");
    text.push_str(&figures(&report.cells, false));
    if !report.by_set.is_empty() {
        text.push_str("\n## By set\n\n");
        text.push_str(&figures(&report.by_set, true));
    }
    text.push_str("\n## Right % by kind of question\n\n");
    text.push_str(&kinds(&report.cells));
    if report.flows.len() > 1 {
        text.push_str("\n## What a flow gains over another one\n\n");
        text.push_str("Percentage points of right answers; questions that only the one, and only the other has right.\n\n");
        text.push_str(&uplifts(report));
    }
    for model in &report.models {
        let faults: Vec<&Recovery> = report.faults.iter().filter(|fault| fault.model == *model).collect();
        if !faults.is_empty() {
            text.push_str(&format!(
                "\n## Faults of {model}, and the share of them that is right all the same\n\n"
            ));
            text.push_str(&recoveries(&report.flows, &faults));
        }
    }
    text
}

/// Writes a table. Cells of the first columns stand left, numbers right.
fn table(header: &[&str], left: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let ruler = (0..header.len()).map(|at| if at < left { "---" } else { "---:" }.to_owned());
    let mut text = line(header.iter().map(|name| cell(name)).collect()) + &line(ruler.collect());
    for row in rows {
        text.push_str(&line(row.iter().map(|text| cell(text)).collect()));
    }
    text
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"))
}

fn figures(cells: &[Cell], with_set: bool) -> String {
    let mut header = vec![
        "model",
        "flow",
        "asked",
        "failed",
        "as written %",
        "runs %",
        "right %",
        "exact %",
        "GLEU",
        "relevancy",
        "s",
        "calls",
        "tokens",
        "US $",
    ];
    if with_set {
        header.insert(0, "set");
    }
    let rows = cells.iter().map(|cell| {
        let figures = &cell.figures;
        let mut row = vec![
            cell.model.clone(),
            cell.flow.to_string(),
            figures.asked.to_string(),
            figures.failed.to_string(),
            shown(figures.as_written),
            shown(figures.executable),
            shown(Some(figures.right)),
            shown(figures.exact),
            shown(figures.gleu),
            figures.relevancy.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}")),
            format!("{:.2}", figures.seconds),
            shown(Some(figures.calls)),
            format!("{:.0}", figures.tokens),
            figures.cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.4}")),
        ];
        if with_set {
            row.insert(0, cell.set.clone().unwrap_or_default());
        }
        row
    });
    table(&header, 2 + usize::from(with_set), rows)
}

fn kinds(cells: &[Cell]) -> String {
    let names: std::collections::BTreeSet<&str> =
        cells.iter().flat_map(|cell| cell.kinds.keys().map(String::as_str)).collect();
    let words: Vec<String> = names.iter().map(|name| name.replace('_', " ")).collect();
    let mut header = vec!["model", "flow"];
    header.extend(words.iter().map(String::as_str));
    let rows = cells.iter().map(|cell| {
        let of = |name: &&str| shown(cell.kinds.get(*name).and_then(|count| count.percent()));
        [cell.model.clone(), cell.flow.to_string()].into_iter().chain(names.iter().map(of)).collect()
    });
    table(&header, 2, rows)
}

fn uplifts(report: &Report) -> String {
    let header = ["model", "flow", "over", "points", "gained", "lost", "asked"];
    // The other way round says the same.
    let rank = |flow| report.flows.iter().position(|known| *known == flow);
    let onward = report.uplifts.iter().filter(|uplift| rank(uplift.from) < rank(uplift.to));
    let rows = onward.map(|uplift| {
        vec![
            uplift.model.clone(),
            uplift.to.to_string(),
            uplift.from.to_string(),
            format!("{:+.1}", uplift.points),
            uplift.gained.to_string(),
            uplift.lost.to_string(),
            uplift.asked.to_string(),
        ]
    });
    table(&header, 3, rows)
}

fn recoveries(flows: &[FlowName], faults: &[&Recovery]) -> String {
    let mut header = vec!["fault", "made"];
    header.extend(flows.iter().map(|flow| flow.as_str()));
    let rows = faults.iter().map(|recovery| {
        let name = recovery.fault.map_or_else(|| "(none)".to_owned(), super::fault::Fault::words);
        let of = |flow: &FlowName| {
            recovery.flows.get(&super::report::FlowLabel(*flow)).copied().unwrap_or_default()
        };
        let made = flows.iter().map(of).map(|count| count.asked).max().unwrap_or_default();
        let shares = flows.iter().map(|flow| shown(of(flow).percent()));
        [name, made.to_string()].into_iter().chain(shares).collect()
    });
    table(&header, 1, rows)
}
