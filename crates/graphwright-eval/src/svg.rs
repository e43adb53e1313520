//! Parts of pictures (SVG) with bars of percentages. They are so simple that they need no library.

/// Room for the names of bars.
pub(crate) const LABELS: usize = 330;
/// Height of a bar.
pub(crate) const BAR: usize = 11;
/// Width of one per cent.
const SCALE: usize = 5;

/// Wraps what was drawn.
pub(crate) fn page(height: usize, drawn: &str) -> String {
    let width = LABELS + 100 * SCALE + 60;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{drawn}</svg>\n"
    )
}

/// Draws a line at each quarter.
pub(crate) fn axis(top: usize, bottom: usize) -> String {
    let line = |quarter: usize| {
        let x = LABELS + quarter * 25 * SCALE;
        format!("<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\n")
            + &text(x, top - 6, "middle", &format!("{} %", quarter * 25))
    };
    (0..=4).map(line).collect()
}

/// Draws a bar of so many per cent.
pub(crate) fn bar(y: usize, percent: f64, colour: &str) -> String {
    let width = percent * SCALE as f64;
    let rectangle = format!(
        "<rect x=\"{LABELS}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\" fill=\"{colour}\"/>\n",
        BAR - 1
    );
    rectangle + &text(LABELS + width as usize + 4, y + BAR - 2, "start", &format!("{percent:.1}"))
}

/// Writes words; `anchor` is `start`, `middle` or `end`.
pub(crate) fn text(x: usize, y: usize, anchor: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>\n")
}
