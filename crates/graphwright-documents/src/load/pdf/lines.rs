//! Joins placed letters to lines of text.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// Minimum width of a space, relative to the size of the letters.
const SPACE: f64 = 0.15;
/// Minimum gap between two columns of a table, relative to the size of the letters. Spaces in
/// justified text nearly always stay below it.
const COLUMN: f64 = 0.9;
/// Maximum shift of a letter above or below its line, such as an exponent or index, relative to the
/// size of the letters.
const SHIFT: f64 = 0.5;

/// Letters at one height, in cells that are separated by wide gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) page: u32,
    /// Height above the foot of the page, in points, in the direction of the text.
    pub(super) y: f64,
    /// Size of the letters, in points.
    pub(super) size: f64,
    pub(super) cells: Vec<Cell>,
}

/// A part of a line, with its start and end in points.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) text: String,
}

impl Line {
    pub(super) fn start(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.start)
    }

    pub(super) fn end(&self) -> f64 {
        self.cells.last().map_or(0.0, |cell| cell.end)
    }

    pub(super) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A collector of a document's letters, in the order in which the document draws them.
///
/// In nearly all files this is the reading order, and it keeps columns of text apart.
#[derive(Debug, Default)]
pub(super) struct Lines {
    done: Vec<Line>,
    line: Line,
    page: u32,
    /// Direction of the line: cosine and sine.
    direction: (f64, f64),
    /// Whether white space was drawn since the last letter.
    space: bool,
}

impl Lines {
    pub(super) fn finish(mut self) -> Vec<Line> {
        self.end_line();
        self.done
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.cells.is_empty() {
            self.done.push(line);
        }
        self.space = false;
    }

    fn add(&mut self, (x, y): (f64, f64), width: f64, size: f64, direction: (f64, f64), letters: &str) {
        let turned = (direction.0 - self.direction.0).abs() + (direction.1 - self.direction.1).abs() > 0.1;
        let gap = x - self.line.end();
        if turned || (y - self.line.y).abs() > SHIFT * self.line.size.max(size) || gap < -size {
            self.end_line();
            self.direction = direction;
        }
        if self.line.cells.is_empty() {
            self.line = Line { page: self.page, y, size, cells: Vec::new() };
        }
        let is_apart = gap > COLUMN * size;
        match self.line.cells.last_mut().filter(|_| !is_apart) {
            Some(cell) => {
                if self.space || gap > SPACE * size {
                    cell.text.push(' ');
                }
                cell.text.push_str(letters);
                cell.end = x + width;
            }
            None => self.line.cells.push(Cell { start: x, end: x + width, text: letters.to_owned() }),
        }
        self.space = false;
    }
}

impl OutputDev for Lines {
    fn begin_page(
        &mut self,
        page: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.page = page;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.end_line();
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        letters: &str,
    ) -> Result<(), OutputError> {
        if letters.trim().is_empty() {
            self.space = true;
            return Ok(());
        }
        let length = place.m11.hypot(place.m12);
        let area = (place.m11 * place.m22 - place.m12 * place.m21).abs();
        if length == 0.0 || area == 0.0 {
            return Ok(());
        }
        let size = area.sqrt() * font_size;
        let (cosine, sine) = (place.m11 / length, place.m12 / length);
        // Coordinates along and across the line, for text in any direction.
        let along = place.m31 * cosine + place.m32 * sine;
        let across = place.m32 * cosine - place.m31 * sine;
        self.add((along, across), width * size, size, (cosine, sine), letters);
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}
