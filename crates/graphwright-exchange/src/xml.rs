//! Writes XML. Characters that XML 1.0 cannot hold become U+FFFD.

use std::{borrow::Cow, io::Write};

use quick_xml::{
    Writer,
    escape::escape,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

/// A writer of elements.
pub(crate) struct Xml<W> {
    writer: Writer<W>,
    /// Number of characters that XML cannot hold.
    pub(crate) replaced: u64,
}

impl<W: Write> Xml<W> {
    pub(crate) fn begin(target: W) -> std::io::Result<Self> {
        let mut writer = Writer::new_with_indent(target, b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        Ok(Self { writer, replaced: 0 })
    }

    pub(crate) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) -> std::io::Result<()> {
        let start = self.start(name, attributes);
        self.writer.write_event(Event::Start(start))
    }

    pub(crate) fn close(&mut self, name: &str) -> std::io::Result<()> {
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes an element without content.
    pub(crate) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> std::io::Result<()> {
        let start = self.start(name, attributes);
        self.writer.write_event(Event::Empty(start))
    }

    /// Writes an element that holds text.
    pub(crate) fn text(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        text: &str,
    ) -> std::io::Result<()> {
        self.open(name, attributes)?;
        let held = self.held(text);
        // A reader makes line feeds of carriage returns that are not escaped.
        let escaped = escape(held.as_ref()).replace('\r', "&#13;");
        self.writer.write_event(Event::Text(BytesText::from_escaped(escaped)))?;
        self.close(name)
    }

    pub(crate) fn finish(self) -> std::io::Result<()> {
        let mut target = self.writer.into_inner();
        target.write_all(b"\n")?;
        target.flush()
    }

    fn start<'n>(&mut self, name: &'n str, attributes: &[(&str, &str)]) -> BytesStart<'n> {
        let mut start = BytesStart::new(name);
        for (name, value) in attributes {
            start.push_attribute((*name, self.held(value).as_ref()));
        }
        start
    }

    /// Replaces what XML cannot hold.
    fn held<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let strange = text.chars().filter(|letter| !is_allowed(*letter)).count();
        if strange == 0 {
            return Cow::Borrowed(text);
        }
        self.replaced += strange as u64;
        Cow::Owned(text.replace(|letter| !is_allowed(letter), "\u{fffd}"))
    }
}

/// Tells whether XML 1.0 can hold a character.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_xml::{Reader, XmlVersion};

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_held(text: String) {
            let mut bytes = Vec::new();
            let mut xml = Xml::begin(&mut bytes).unwrap();
            xml.empty("a", &[("b", &text)]).unwrap();
            xml.text("c", &[], &text).unwrap();
            xml.finish().unwrap();
            let written = String::from_utf8(bytes).unwrap();
            prop_assert!(written.chars().all(is_allowed));

            let held = text.replace(|letter| !is_allowed(letter), "\u{fffd}");
            let mut reader = Reader::from_str(&written);
            let mut found = None;
            loop {
                match reader.read_event().unwrap() {
                    Event::Eof => break,
                    Event::Empty(element) => {
                        let attribute = element.attributes().next().unwrap().unwrap();
                        found = Some(attribute.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned());
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(found, Some(held));
        }
    }
}
