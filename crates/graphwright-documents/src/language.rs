//! The language of a document.

use std::fmt;

use graphwright_core::Value;
use whatlang::{Detector, Lang};

use crate::{
    blocks::{
        Block,
        text::{BlockText, MarkKind},
    },
    layout::Layout,
};

/// The languages that are told apart, with their codes.
const LANGUAGES: [(Lang, &str); 38] = [
    (Lang::Eng, "en"),
    (Lang::Ara, "ar"),
    (Lang::Bul, "bg"),
    (Lang::Cat, "ca"),
    (Lang::Ces, "cs"),
    (Lang::Cmn, "zh"),
    (Lang::Dan, "da"),
    (Lang::Deu, "de"),
    (Lang::Ell, "el"),
    (Lang::Est, "et"),
    (Lang::Fin, "fi"),
    (Lang::Fra, "fr"),
    (Lang::Heb, "he"),
    (Lang::Hin, "hi"),
    (Lang::Hrv, "hr"),
    (Lang::Hun, "hu"),
    (Lang::Ind, "id"),
    (Lang::Ita, "it"),
    (Lang::Jpn, "ja"),
    (Lang::Kor, "ko"),
    (Lang::Lav, "lv"),
    (Lang::Lit, "lt"),
    (Lang::Nld, "nl"),
    (Lang::Nob, "no"),
    (Lang::Pes, "fa"),
    (Lang::Pol, "pl"),
    (Lang::Por, "pt"),
    (Lang::Ron, "ro"),
    (Lang::Rus, "ru"),
    (Lang::Slk, "sk"),
    (Lang::Slv, "sl"),
    (Lang::Spa, "es"),
    (Lang::Srp, "sr"),
    (Lang::Swe, "sv"),
    (Lang::Tha, "th"),
    (Lang::Tur, "tr"),
    (Lang::Ukr, "uk"),
    (Lang::Vie, "vi"),
];
/// So many letters of sentences show the language; fewer may not.
const LEAST_LETTERS: usize = 80;
/// So many bytes of sentences are looked at.
const MOST_BYTES: usize = 4_000;

/// A language, such as English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(&'static str);

impl Language {
    /// English, the language whose sentences are read.
    pub const ENGLISH: Self = Self("en");

    /// Returns its code of two letters (ISO 639-1).
    pub fn code(self) -> &'static str {
        self.0
    }

    /// Returns the language with a code of two letters, whatever region follows (`pt-BR`).
    pub fn of_code(code: &str) -> Option<Self> {
        let code = code.trim().split(['-', '_']).next().unwrap_or_default().to_lowercase();
        LANGUAGES.iter().find(|(_, own)| *own == code).map(|(_, own)| Self(own))
    }

    /// Finds the language of a document: the one that its front matter names, else the one of its sentences.
    pub(crate) fn of(layout: &Layout, stated: Option<&Value>) -> Option<Self> {
        let stated = stated.and_then(Value::as_str).and_then(Self::of_code);
        stated.or_else(|| Self::of_text(&sentences(layout.blocks())))
    }

    /// `None` where a text is too short, or may be in several languages.
    fn of_text(text: &str) -> Option<Self> {
        if text.chars().filter(|letter| letter.is_alphabetic()).count() < LEAST_LETTERS {
            return None;
        }
        let detector = Detector::with_allowlist(LANGUAGES.map(|(lang, _)| lang).to_vec());
        let found = detector.detect(text).filter(whatlang::Info::is_reliable)?;
        LANGUAGES.iter().find(|(lang, _)| *lang == found.lang()).map(|(_, code)| Self(code))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

/// The first paragraphs and list items, without code.
fn sentences(blocks: &[Block]) -> String {
    let mut found = String::new();
    for block in blocks {
        let (Block::Paragraph(text) | Block::Item { text }) = block else { continue };
        push_without_code(text, &mut found);
        found.push('\n');
        if found.len() >= MOST_BYTES {
            break;
        }
    }
    found.truncate(found.floor_char_boundary(MOST_BYTES));
    found
}

fn push_without_code(text: &BlockText, found: &mut String) {
    let mut at = 0;
    for mark in text.marks.iter().filter(|mark| mark.kind == MarkKind::Code) {
        found.push_str(text.text.get(at..mark.range.start).unwrap_or_default());
        at = at.max(mark.range.end);
    }
    found.push_str(text.text.get(at..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use graphwright_core::document::TextFormat;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "en",
        "The gate is opened by the harbour master each morning, and it is closed again when the last boat is in."
    )]
    #[case(
        "de",
        "Das Tor wird jeden Morgen vom Hafenmeister geöffnet und abends wieder geschlossen, wenn das letzte Boot da ist."
    )]
    #[case(
        "fr",
        "La porte est ouverte chaque matin par le maître du port, et elle est fermée quand le dernier bateau est rentré."
    )]
    #[case(
        "es",
        "El encargado del puerto abre la puerta cada mañana y la cierra otra vez cuando ha entrado el último barco."
    )]
    #[case(
        "ru",
        "Каждое утро начальник порта открывает ворота, а вечером, когда приходит последняя лодка, закрывает их снова."
    )]
    #[case(
        "ja",
        "港長は毎朝門を開け、最後の船が入ると門を閉めます。港には古い灯台があり、夜になると光ります。港の人々は朝早くから働き、魚を市場に運びます。町には小さな店もたくさんあります。漁師たちは夕方に戻ります。"
    )]
    fn the_language_of_sentences_is_found(#[case] code: &str, #[case] text: &str) {
        let layout = Layout::read(text, TextFormat::Markdown);
        assert_eq!(Language::of(&layout, None).map(Language::code), Some(code));
    }

    #[test]
    fn code_and_short_texts_say_nothing_and_front_matter_says_it() {
        let layout =
            Layout::read("Das Tor.\n\n```\nDas Tor wird jeden Morgen geöffnet.\n```\n", TextFormat::Markdown);
        assert_eq!(Language::of(&layout, None), None);
        assert_eq!(Language::of(&layout, Some(&Value::from("de-AT"))), Language::of_code("de"));
        assert_eq!(Language::of_code("klingon"), None);
    }
}
