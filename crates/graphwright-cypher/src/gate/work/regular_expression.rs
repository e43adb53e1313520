//! Regular expressions that go back over their steps.

/// Whether a group that holds a quantifier or alternatives is itself repeated, as in `(a+)+` and `(a|a)*`: the time of
/// Java's engine then grows by a factor with each character.
pub(super) fn backtracks(pattern: &str) -> bool {
    let mut groups = vec![false];
    let mut closed = false;
    let mut in_class = false;
    let mut characters = pattern.chars();
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
            '(' => groups.push(false),
            ')' => closed = groups.pop().unwrap_or(false),
            '|' => mark(&mut groups),
            _ if repeats => mark(&mut groups),
            _ => {}
        }
        if closed {
            // A group around this one repeats it too.
            mark(&mut groups);
        }
    }
    false
}

fn mark(groups: &mut [bool]) {
    if let Some(innermost) = groups.last_mut() {
        *innermost = true;
    }
}

#[cfg(test)]
mod tests {
    use super::backtracks;

    #[test]
    fn only_repeated_repetition_is_found() {
        for harmful in ["(a+)+b", "(a|a)*b", "((a*))*", "(x(y|z))+", "(.*a){20}"] {
            assert!(backtracks(harmful), "{harmful}");
        }
        for harmless in ["(?i).*delete.*", "(a|b).*", "[(a+)]+", r"\(a+\)+", "(ab)+", "a{2,3}", "(a|b)?c"] {
            assert!(!backtracks(harmless), "{harmless}");
        }
    }
}
