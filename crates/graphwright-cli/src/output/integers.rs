//! Formats JSON for programs that store numbers as 64-bit floats, such as JavaScript.

use std::io::{Result, Write};

use serde_json::ser::{CompactFormatter, Formatter};

/// The greatest integer below which a 64-bit float represents every integer: 2⁵³ − 1.
///
/// It is JavaScript's `Number.MAX_SAFE_INTEGER`, and the limit of the safe range in Neo4j's driver
/// for JavaScript.
const GREATEST: i64 = (1 << 53) - 1;

/// A formatter that writes integers beyond the safe range as strings.
#[derive(Debug, Default)]
pub(super) struct SafeIntegers {
    /// Whether the number stands in quotes already, as a key of a map.
    quoted: bool,
}

impl SafeIntegers {
    fn write(
        &self,
        writer: &mut (impl Write + ?Sized),
        is_safe: bool,
        number: impl std::fmt::Display,
    ) -> Result<()> {
        if is_safe || self.quoted { write!(writer, "{number}") } else { write!(writer, "\"{number}\"") }
    }
}

impl Formatter for SafeIntegers {
    fn write_i64<W: ?Sized + Write>(&mut self, writer: &mut W, number: i64) -> Result<()> {
        self.write(writer, (-GREATEST..=GREATEST).contains(&number), number)
    }

    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, number: u64) -> Result<()> {
        self.write(writer, number <= GREATEST.unsigned_abs(), number)
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.quoted = true;
        CompactFormatter.begin_string(writer)
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.quoted = false;
        CompactFormatter.end_string(writer)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use graphwright::Value;
    use serde::Serialize;

    use super::*;

    fn written(value: &impl Serialize) -> String {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, SafeIntegers::default());
        value.serialize(&mut serializer).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn integers_beyond_the_safe_range_are_strings() {
        let list = |numbers: &[i64]| Value::List(numbers.iter().map(|&number| number.into()).collect());
        let safe = list(&[0, 9_007_199_254_740_991, -9_007_199_254_740_991]);
        assert_eq!(written(&safe), "[0,9007199254740991,-9007199254740991]");
        let unsafe_ones = list(&[9_007_199_254_740_992, -9_007_199_254_740_992, i64::MAX, i64::MIN]);
        assert_eq!(
            written(&unsafe_ones),
            r#"["9007199254740992","-9007199254740992","9223372036854775807","-9223372036854775808"]"#
        );
        assert_eq!(written(&u64::MAX), r#""18446744073709551615""#);
    }

    #[test]
    fn all_else_stays() {
        assert_eq!(written(&Value::Float(9_007_199_254_740_993.0)), "9007199254740992.0");
        assert_eq!(written(&Value::from("9007199254740993")), r#""9007199254740993""#);
        assert_eq!(written(&BTreeMap::from([(i64::MAX, 1)])), r#"{"9223372036854775807":1}"#);
        assert_eq!(written(&serde_json::json!({"rows": [i64::MAX]})), r#"{"rows":["9223372036854775807"]}"#);
    }
}
