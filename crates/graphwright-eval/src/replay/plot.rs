//! The figures of a replay as a picture (SVG). It is only a column of bars, so it needs no library.

use std::path::Path;

use super::{Part, Summary};
use crate::svg::{BAR, LABELS, axis, bar, page, text};

const GAP: usize = 14;
const TOP: usize = 46;
const BEFORE: &str = "#9db7d5";
const AFTER: &str = "#1f5a94";

/// Draws bars for each graph in each file: what runs and what is right, before and after repair. If
/// nothing ran, the bars show how well broken queries were found.
pub fn plot(summary: &Summary) -> String {
    let mut bars = String::new();
    let mut y = TOP;
    for part in &summary.parts {
        for (name, values) in rows(part) {
            bars.push_str(&text(LABELS - 8, y + BAR, "end", &format!("{} {name}", title(part))));
            for (value, colour) in values {
                bars.push_str(&bar(y, value, colour));
                y += BAR;
            }
            y += GAP;
        }
    }
    let legend = format!(
        "<rect x=\"8\" y=\"10\" width=\"12\" height=\"12\" fill=\"{BEFORE}\"/>\n{}\
         <rect x=\"98\" y=\"10\" width=\"12\" height=\"12\" fill=\"{AFTER}\"/>\n{}",
        text(26, 20, "start", "before"),
        text(116, 20, "start", "after repair"),
    );
    page(y + 10, &format!("{legend}{}{bars}", axis(TOP, y)))
}

/// Returns the bars of a part: a name, and percentages with their colours.
fn rows(part: &Part) -> Vec<(&'static str, Vec<(f64, &'static str)>)> {
    let pair = |(before, after)| vec![(before, BEFORE), (after, AFTER)];
    let one = |share: f64| vec![(100.0 * share, AFTER)];
    let ran = [("runs", part.executable.percentages()), ("right", part.right.percentages())];
    if part.executable.of > 0 {
        return ran.into_iter().filter_map(|(name, share)| Some((name, pair(share?)))).collect();
    }
    let found = [
        ("broken found: precision", part.detection.precision()),
        ("broken found: recall", part.detection.recall()),
    ];
    found.into_iter().filter_map(|(name, share)| Some((name, one(share?)))).collect()
}

fn title(part: &Part) -> String {
    let file = part.file.as_deref().unwrap_or_default();
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem} {}", part.graph.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Share;

    #[test]
    fn each_part_has_its_bars() {
        let part = Part {
            file: Some("runs/a<b.jsonl".to_owned()),
            graph: Some("shop".to_owned()),
            executable: Share { before: 1, after: 3, of: 4 },
            ..Part::default()
        };
        let drawn = plot(&Summary { parts: vec![part], ..Summary::default() });
        assert!(drawn.contains(">a&lt;b shop runs</text>"), "{drawn}");
        assert!(drawn.contains("width=\"125.0\"") && drawn.contains("width=\"375.0\""), "{drawn}");
        assert!(!drawn.contains("right"), "what was not measured is not drawn");
    }
}
