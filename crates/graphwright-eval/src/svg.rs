//! Parts of pictures (SVG): bars of percentages, tiles of heat maps. They are so simple that they need no library.

/// Room for the names of bars.
pub(crate) const LABELS: usize = 330;
/// Height of a bar.
pub(crate) const BAR: usize = 11;
/// Width of one per cent.
const SCALE: usize = 5;

/// Wraps bars.
pub(crate) fn page(height: usize, drawn: &str) -> String {
    canvas(LABELS + 100 * SCALE + 60, height, drawn)
}

/// Wraps what was drawn.
pub(crate) fn canvas(width: usize, height: usize, drawn: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{drawn}</svg>\n"
    )
}

/// A rectangle with words in it.
pub(crate) struct Tile {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colour: [u8; 3],
    pub(crate) words: String,
}

/// Draws a rectangle with words that stand out from its colour.
pub(crate) fn tile(tile: &Tile) -> String {
    let Tile { x, y, width, height, colour: [red, green, blue], words } = tile;
    let rectangle = format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>\n"
    );
    // The eye takes green for the brightest (ITU-R BT.601).
    let brightness = (u32::from(*red) * 299 + u32::from(*green) * 587 + u32::from(*blue) * 114) / 1_000;
    let ink = if brightness > 140 { "#222" } else { "white" };
    let said = text(x + width / 2, y + height / 2 + 4, "middle", words);
    format!("{rectangle}<g fill=\"{ink}\">{}</g>\n", said.trim_end())
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
