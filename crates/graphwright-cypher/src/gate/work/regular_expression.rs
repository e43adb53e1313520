//! Regular expressions that backtrack.

/// The assumed length of a text that is not in the query, in characters.
pub(super) const USUAL_LENGTH: u64 = 30;

/// The most steps of Java's regular expression engine.
///
/// Measured on Neo4j 5.26: five `.*` before a letter that does not come need 1.3 s on 100
/// characters, which is 96 million steps.
const MOST_STEPS: f64 = 50e6;

/// Returns whether the time of Java's engine may grow beyond use on a text of `length` characters.
///
/// It may if a group with a quantifier or alternatives is itself repeated, as in `(a+)+` and
/// `(a|a)*`, or if there are too many quantifiers. An optional part has two ways to match, which
/// is enough inside a repetition: `(a?a)*`.
pub(super) fn backtracks(pattern: &str, length: u64) -> bool {
    let mut groups = vec![false];
    let mut closed = false;
    let mut in_class = false;
    let (mut quantifiers, mut options) = (0_u32, 0_i32);
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        let repeats = matches!(character, '*' | '+' | '{') && !in_class;
        if repeats && closed {
            return true;
        }
        closed = false;
        match character {
            '\\' => {
                characters.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            '(' => {
                // `(?:`, `(?i)`, `(?=`: no quantifier.
                characters.next_if_eq(&'?');
                groups.push(false);
            }
            ')' => closed = groups.pop().unwrap_or(false),
            '|' => mark(&mut groups),
            _ if repeats => {
                quantifiers += 1;
                mark(&mut groups);
                // `+?` and `++` are each one quantifier.
                characters.next_if(|next| matches!(next, '?' | '+'));
            }
            '?' => {
                options += 1;
                mark(&mut groups);
                characters.next_if(|next| matches!(next, '?' | '+'));
            }
            _ => {}
        }
        if closed {
            // A group around this one repeats it too.
            mark(&mut groups);
        }
    }
    ways(length, quantifiers) * 2_f64.powi(options) > MOST_STEPS
}

/// Returns the number of ways in which quantifiers can share a text among them.
fn ways(length: u64, quantifiers: u32) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let length = length as f64;
    (1..=quantifiers).map(f64::from).fold(1.0, |ways, place| ways * (length + place) / place)
}

fn mark(groups: &mut [bool]) {
    if let Some(innermost) = groups.last_mut() {
        *innermost = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{USUAL_LENGTH, backtracks};

    #[test]
    fn only_repeated_repetition_is_found() {
        for harmful in ["(a+)+b", "(a|a)*b", "((a*))*", "(x(y|z))+", "(.*a){20}", ".*.*.*.*.*.*.*.*.*b"]
            .into_iter()
            .chain(["(a?a)*b", "(?:a?a?)*b", &"a?".repeat(26)])
        {
            assert!(backtracks(harmful, USUAL_LENGTH), "{harmful}");
        }
        for harmless in [
            "(?i).*delete.*",
            "(a|b).*",
            "[(a+)]+",
            r"\(a+\)+",
            "(ab)+",
            "a{2,3}",
            "(a|b)?c",
            "(?:colou?r) +grey?",
            "(?:ab)+",
            r"^[A-Z]{2,3}-\d+\s*\(.*\).*$",
        ] {
            assert!(!backtracks(harmless, USUAL_LENGTH), "{harmless}");
        }
        assert!(backtracks(".*.*.*.*b", 10_000));
    }
}
