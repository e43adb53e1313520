//! Collects the letters of a page.

use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask,
    font::{Glyph, GlyphRun},
    hayro_cmap::{BfString, WritingMode},
    kurbo::{Affine, BezPath},
};
use unicode_normalization::UnicodeNormalization;

use super::lines::{Letter, Line, Lines};

/// Units of a font in the size of its letters.
const UNITS: f64 = 1_000.0;

/// A collector of a page's letters, in the order in which the page draws them.
///
/// In nearly all files this is the reading order, and it keeps columns of text apart.
#[derive(Debug)]
pub(super) struct Letters {
    lines: Lines,
    known: usize,
    unknown: usize,
    last: Drawn,
}

/// What was drawn last, and where.
#[derive(Debug, Default)]
struct Drawn {
    texts: Vec<Option<String>>,
    at: (f64, f64),
}

/// What a page holds.
pub(super) struct Read {
    pub(super) lines: Vec<Line>,
    pub(super) known: usize,
    pub(super) unknown: usize,
}

impl Letters {
    /// Begins a page of a height in points.
    pub(super) fn new(page: u32, height: f64) -> Self {
        Self { lines: Lines::new(page, height), known: 0, unknown: 0, last: Drawn::default() }
    }

    pub(super) fn finish(self) -> Read {
        Read { lines: self.lines.finish(), known: self.known, unknown: self.unknown }
    }

    /// Whether the same was just drawn in the same place: some make letters bold by drawing them twice.
    fn is_drawn_again(&mut self, texts: &[Option<String>], place: Affine) -> bool {
        let (x, y) = place.translation().into();
        let near = vertical_scale(place) * UNITS / 10.0;
        let Drawn { texts: last, at } = &self.last;
        let again = last == texts && (at.0 - x).abs() < near && (at.1 - y).abs() < near;
        self.last = Drawn { texts: texts.to_vec(), at: (x, y) };
        again
    }

    fn letter(&mut self, glyph: &Glyph<'_>, place: Affine, mode: WritingMode, text: Option<String>) {
        let Some(text) = text else {
            self.unknown += 1;
            return;
        };
        self.known += usize::from(!text.trim().is_empty());
        let [right, up, ..] = place.as_coeffs();
        let scale = right.hypot(up);
        let size = vertical_scale(place) * UNITS;
        // A letter without width or height is not seen.
        if !(scale > 0.0 && size > 0.0) {
            return;
        }
        let (cosine, sine, width) = match mode {
            WritingMode::Horizontal => (right / scale, up / scale, advance(glyph) * scale),
            WritingMode::Vertical => (up / scale, -right / scale, size),
        };
        self.lines.add(Letter {
            at: place.translation().into(),
            width,
            size,
            direction: (cosine, sine),
            text,
        });
    }
}

fn advance(glyph: &Glyph<'_>) -> f64 {
    let width = match glyph {
        Glyph::Outline(glyph) => glyph.advance_width(),
        Glyph::Type3(glyph) => glyph.advance_width(),
    };
    width.map_or(UNITS / 2.0, f64::from)
}

fn vertical_scale(place: Affine) -> f64 {
    let [a, b, c, d, ..] = place.as_coeffs();
    let length = a.hypot(b);
    if length > 0.0 { (a * d - b * c).abs() / length } else { 0.0 }
}

/// Returns the text of a glyph as it is written elsewhere, or `None` if the file does not say what it is.
fn text_of(glyph: &Glyph<'_>) -> Option<String> {
    let text = match glyph.as_unicode()? {
        BfString::Char(letter) => letter.to_string(),
        BfString::String(text) => text,
    };
    let text: String = text.chars().flat_map(plain).collect();
    let unknown = |letter: char| {
        letter == '\u{fffd}' || letter.is_control() && !letter.is_whitespace() || is_private(letter)
    };
    (!text.contains(unknown)).then_some(text)
}

/// Takes ligatures and the forms of Arabic letters apart.
fn plain(letter: char) -> impl Iterator<Item = char> {
    let letter = match letter {
        // The marks of lists in the fonts Symbol and Wingdings.
        '\u{f0b7}' | '\u{f0a7}' => '•',
        space if space.is_whitespace() => ' ',
        '\u{2010}' | '\u{2011}' => '-',
        letter => letter,
    };
    let is_form = matches!(letter, '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    let taken_apart = is_form.then(|| std::iter::once(letter).nfkc());
    let whole = (!is_form).then_some(letter);
    taken_apart.into_iter().flatten().chain(whole)
}

fn is_private(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

impl<'a> Device<'a> for Letters {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let texts: Vec<_> = run.glyphs().iter().map(|glyph| text_of(glyph)).collect();
        let Some(first) = run.glyphs().first() else { return };
        if self.is_drawn_again(&texts, props.transform * first.transform()) {
            return;
        }
        for (glyph, text) in run.glyphs().iter().zip(texts) {
            self.letter(glyph, props.transform * glyph.transform(), run.writing_mode(), text);
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
