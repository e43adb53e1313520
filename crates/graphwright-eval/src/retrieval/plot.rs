//! Draws recall as a picture (SVG).

use super::Report;
use crate::svg::{BAR, LABELS, axis, bar, page, text};

const GAP: usize = 14;
const TOP: usize = 30;
const COLOURS: [&str; 3] = ["#c8d6e8", "#6f97c4", "#1f5a94"];

/// Draws bars for each way of searching: its recall at each depth.
pub fn plot(report: &Report) -> String {
    let (mut bars, mut y) = (String::new(), TOP);
    for method in &report.methods {
        for ((depth, recall), colour) in method.recall.iter().zip(COLOURS.iter().cycle()) {
            bars.push_str(&text(LABELS - 8, y + BAR, "end", &format!("{} R@{depth}", method.name)));
            bars.push_str(&bar(y, *recall, colour));
            y += BAR + 2;
        }
        y += GAP;
    }
    page(y + 10, &format!("{}{bars}", axis(TOP, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::Method;

    #[test]
    fn each_way_of_searching_has_a_bar_for_each_depth() {
        let method =
            Method { name: "graph".into(), recall: [(2, 50.0), (5, 78.4)].into(), ..Method::default() };
        let drawn = plot(&Report { methods: vec![method], ..Report::default() });
        assert!(drawn.contains(">graph R@5</text>") && drawn.contains(">78.4</text>"), "{drawn}");
        assert!(drawn.contains("width=\"250.0\""), "{drawn}");
    }
}
