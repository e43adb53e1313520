//! Joins placed letters to lines of text.

/// Minimum width of a space, relative to the size of the letters.
const SPACE: f64 = 0.15;
/// Minimum gap between two columns of a table, relative to the size of the letters. Spaces in
/// justified text nearly always stay below it.
const COLUMN: f64 = 0.9;
/// Maximum shift of a letter above or below its line, such as an exponent or index, relative to the
/// size of the letters.
const SHIFT: f64 = 0.5;
/// Fewer gaps do not show how far apart the letters of a line are set.
const LEAST_GAPS: usize = 8;
/// The part of a page at its head and at its foot where running titles stand.
const MARGIN: f64 = 0.15;

/// The hyphen of a word that was parted at the end of a line.
pub(super) const SOFT_HYPHEN: &str = "\u{ad}";

/// Letters at one height, in cells that are separated by wide gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) page: u32,
    /// Height above the foot of the page, in points, in the direction of the text.
    pub(super) y: f64,
    /// Size of the letters, in points.
    pub(super) size: f64,
    /// Whether it stands near the head or the foot of its page.
    pub(super) in_margin: bool,
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

/// A letter on a page, or what is drawn as one.
#[derive(Debug)]
pub(super) struct Letter {
    /// Where it begins.
    pub(super) at: (f64, f64),
    pub(super) width: f64,
    pub(super) size: f64,
    /// Where the next one stands: cosine and sine.
    pub(super) direction: (f64, f64),
    pub(super) text: String,
}

/// A letter on a line, with its start and end along it.
#[derive(Debug)]
struct Placed {
    start: f64,
    end: f64,
    text: String,
    /// Whether white space was drawn before it.
    after_space: bool,
}

/// A collector of the lines of a page.
#[derive(Debug)]
pub(super) struct Lines {
    done: Vec<Line>,
    line: Line,
    letters: Vec<Placed>,
    height: f64,
    direction: (f64, f64),
    /// Whether white space was drawn since the last letter.
    space: bool,
}

impl Lines {
    /// Begins a page of a height in points.
    pub(super) fn new(page: u32, height: f64) -> Self {
        let line = Line { page, ..Line::default() };
        Self { done: Vec::new(), line, letters: Vec::new(), height, direction: (1.0, 0.0), space: false }
    }

    pub(super) fn finish(mut self) -> Vec<Line> {
        self.end_line();
        self.done
    }

    pub(super) fn add(&mut self, letter: Letter) {
        if letter.text.trim().is_empty() {
            self.space = true;
            return;
        }
        let Letter { at: (x, y), width, size, direction: (cosine, sine), text } = letter;
        // Along and across the line, for text in any direction.
        let (start, across) = (x * cosine + y * sine, y * cosine - x * sine);
        let turned = (cosine - self.direction.0).abs() + (sine - self.direction.1).abs() > 0.1;
        let end = self.letters.last().map_or(start, |last| last.end);
        let shifted = (across - self.line.y).abs() > SHIFT * self.line.size.max(size);
        if turned || shifted || start - end < -size {
            self.end_line();
        }
        if self.letters.is_empty() {
            self.direction = (cosine, sine);
            let in_margin = y < MARGIN * self.height || y > (1.0 - MARGIN) * self.height;
            self.line = Line { y: across, size, in_margin, page: self.line.page, cells: Vec::new() };
        }
        let after_space = self.space || text.starts_with(' ');
        self.space = text.ends_with(' ');
        self.letters.push(Placed { start, end: start + width, text: text.trim().to_owned(), after_space });
    }

    fn end_line(&mut self) {
        self.space = false;
        if !self.letters.is_empty() {
            let mut letters = std::mem::take(&mut self.letters);
            // A soft hyphen that is drawn within a line is seen as a hyphen.
            let (_, before) = letters.split_last_mut().unzip();
            for letter in before.into_iter().flatten().filter(|letter| letter.text == SOFT_HYPHEN) {
                "-".clone_into(&mut letter.text);
            }
            self.done.push(Line { cells: cells(&letters, self.line.size), ..self.line.clone() });
        }
    }
}

/// Joins letters to words, and words to cells.
fn cells(letters: &[Placed], size: f64) -> Vec<Cell> {
    let spacing = spacing(letters, size);
    let mut cells: Vec<Cell> = Vec::new();
    for letter in letters {
        let end = cells.last().map_or(letter.start, |cell| cell.end);
        let gap = letter.start - end - spacing;
        match cells.last_mut().filter(|_| gap <= COLUMN * size) {
            Some(cell) => {
                if letter.after_space || gap > SPACE * size {
                    cell.text.push(' ');
                }
                cell.text.push_str(&letter.text);
                cell.end = letter.end;
            }
            None => {
                cells.push(Cell { start: letter.start, end: letter.end, text: letter.text.clone() });
            }
        }
    }
    cells
}

/// How far apart the letters of words are set. Three quarters of the gaps are wider only in a line whose letters are spaced
/// out: words of text have more letters than that.
fn spacing(letters: &[Placed], size: f64) -> f64 {
    let mut gaps: Vec<f64> = letters
        .windows(2)
        .filter(|pair| !pair[1].after_space)
        .map(|pair| pair[1].start - pair[0].end)
        .filter(|gap| gap.abs() <= COLUMN * size)
        .collect();
    if gaps.len() < LEAST_GAPS {
        return 0.0;
    }
    gaps.sort_by(f64::total_cmp);
    gaps[gaps.len() / 4]
}
