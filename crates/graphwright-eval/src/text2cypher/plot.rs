//! Heat maps (SVG): right answers of flows × models, and what a flow gains over another one.

use graphwright::FlowName;

use super::Report;
use crate::svg::{Tile, canvas, text, tile};

const LEFT: usize = 190;
const WIDTH: usize = 92;
const HEIGHT: usize = 26;
const TOP: usize = 50;
const GAP: usize = 60;
/// The colours of 0 and 100 %, and of a loss.
const NONE: [u8; 3] = [0xf4, 0xf7, 0xfb];
const ALL: [u8; 3] = [0x1f, 0x5a, 0x94];
const LOSS: [u8; 3] = [0xb5, 0x3b, 0x2e];
/// The difference in percentage points that has the full colour.
const MOST_POINTS: f64 = 50.0;

/// Draws two heat maps: the share of right answers of each flow of each model, and how many percentage points the flow of a column
/// gains over that of a row, as the mean over the models.
pub fn plot(report: &Report) -> String {
    let flows: Vec<&str> = report.flows.iter().map(|flow| flow.as_str()).collect();
    let right = |row: usize, column: usize| {
        let cell = report.cell(report.flows[column], &report.models[row])?;
        let right = cell.figures.right;
        Some((format!("{right:.1}"), blend(ALL, right / 100.0)))
    };
    let models: Vec<&str> = report.models.iter().map(String::as_str).collect();
    let mut drawn = map("Right answers, %", TOP, &models, &flows, right);
    let mut bottom = TOP + models.len() * HEIGHT;
    if flows.len() > 1 {
        let uplift = |row: usize, column: usize| {
            let (from, to): (FlowName, FlowName) = (report.flows[row], report.flows[column]);
            let points = report.uplift(from, to)?;
            let colour = if points < 0.0 { LOSS } else { ALL };
            Some((format!("{points:+.1}"), blend(colour, points.abs() / MOST_POINTS)))
        };
        let rows: Vec<String> = flows.iter().map(|flow| format!("over {flow}")).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        drawn.push_str(&map("Gain of a flow, percentage points", bottom + GAP, &rows, &flows, uplift));
        bottom += GAP + flows.len() * HEIGHT;
    }
    canvas(LEFT + flows.len().max(3) * WIDTH + 20, bottom + 20, &drawn)
}

/// Draws a heat map whose cells begin at `top`.
fn map(
    title: &str,
    top: usize,
    rows: &[&str],
    columns: &[&str],
    cell: impl Fn(usize, usize) -> Option<(String, [u8; 3])>,
) -> String {
    let mut drawn = text(8, top - 28, "start", title);
    for (column, name) in columns.iter().enumerate() {
        drawn.push_str(&text(LEFT + column * WIDTH + WIDTH / 2, top - 8, "middle", name));
    }
    for (row, name) in rows.iter().enumerate() {
        let y = top + row * HEIGHT;
        drawn.push_str(&text(LEFT - 8, y + HEIGHT / 2 + 4, "end", name));
        for column in 0..columns.len() {
            let Some((words, colour)) = cell(row, column) else { continue };
            let x = LEFT + column * WIDTH;
            drawn.push_str(&tile(&Tile { x, y, width: WIDTH - 2, height: HEIGHT - 2, colour, words }));
        }
    }
    drawn
}

/// A colour between that of nothing and another one.
fn blend(colour: [u8; 3], share: f64) -> [u8; 3] {
    let share = share.clamp(0.0, 1.0);
    std::array::from_fn(|part| {
        let (from, to) = (f64::from(NONE[part]), f64::from(colour[part]));
        (from + (to - from) * share).round() as u8
    })
}
