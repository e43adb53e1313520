//! The one turn in which a model writes again what the evidence does not bear out.

use super::{AnswerCheck, CheckedText};

const INSTRUCTIONS: &str = include_str!("../../prompts/repair.md");
/// What stands in a reply for a statement that is to go.
const NOTHING: [&str; 5] = ["-", "–", "—", "none", "(none)"];

impl CheckedText {
    /// Returns the message that asks a model to write again what is not borne out, each statement with the reason; `None` if
    /// there is nothing to repair.
    pub fn repair_prompt(&self) -> Option<String> {
        let faults: Vec<String> = self
            .faults()
            .enumerate()
            .map(|(number, (text, fault))| {
                format!("{}: {} ({fault})", number + 1, text.split_whitespace().collect::<Vec<_>>().join(" "))
            })
            .collect();
        (!faults.is_empty()).then(|| INSTRUCTIONS.trim_end().replace("{faults}", &faults.join("\n")))
    }

    /// Takes over what a model wrote to [`repair_prompt`](Self::repair_prompt): its statements in place of those with the same
    /// numbers, or its whole text if it numbers none. What is no better than before is not taken.
    #[must_use]
    pub fn repaired(self, reply: &str, check: &AnswerCheck<'_>) -> Self {
        let faulty: Vec<usize> =
            (0..self.statements.len()).filter(|at| self.statements[*at].fault.is_some()).collect();
        let numbered: Vec<(usize, Option<String>)> = reply
            .lines()
            .filter_map(numbered)
            .filter_map(|(number, text)| Some((*faulty.get(number.checked_sub(1)?)?, text)))
            .collect();
        let text = if numbered.is_empty() { reply.trim().to_owned() } else { self.with_statements(numbered) };
        let after = check.check(&text);
        let faults = |checked: &Self| checked.faults().count();
        let better = after.has_support() && (faults(&after) < faults(&self) || !self.has_support());
        if better { after } else { self }
    }

    /// The text with other words for some statements, by their positions; without those that have none.
    fn with_statements(&self, mut others: Vec<(usize, Option<String>)>) -> String {
        others.sort_by_key(|(at, _)| *at);
        others.dedup_by_key(|(at, _)| *at);
        let mut text = self.text.clone();
        for (at, other) in others.into_iter().rev() {
            let range = self.statements[at].range.clone();
            match other {
                Some(other) => text.replace_range(range, &other),
                None => super::remove(&mut text, range),
            }
        }
        text
    }
}

/// Reads `1: the statement [2]` and `**1.** -`.
fn numbered(line: &str) -> Option<(usize, Option<String>)> {
    let line = line.trim_start_matches([' ', '*', '-', '>']);
    let digits = line.find(|letter: char| !letter.is_ascii_digit())?;
    let number: usize = line[..digits].parse().ok()?;
    let rest = line[digits..].trim_start_matches('*').strip_prefix([':', '.', ')'])?;
    let text = rest.trim_start_matches('*').trim();
    let is_nothing = text.is_empty() || NOTHING.contains(&text.to_lowercase().trim_matches('`'));
    Some((number, (!is_nothing).then(|| text.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Citable;

    fn check() -> AnswerCheck<'static> {
        let facts = ["Ada OWNS ledger", "Ada OWNS reports"];
        let evidence = facts.map(|text| Citable { text: text.into(), ..Citable::default() });
        AnswerCheck::new("Who owns what?", evidence.to_vec())
    }

    const TEXT: &str = "- Ada owns ledger [1]\n- Zoe owns reports [2]\n- Kim sings [2]";

    #[test]
    fn numbered_statements_take_the_place_of_faulty_ones() {
        let check = check();
        let checked = check.check(TEXT);
        let prompt = checked.repair_prompt().unwrap();
        assert!(
            prompt.contains("1: Zoe owns reports [2] (the cited evidence does not have Zoe)"),
            "{prompt}"
        );
        let repaired = checked.repaired("1: Ada owns reports [2]\n2: -", &check);
        assert_eq!(repaired.text, "- Ada owns ledger [1]\n- Ada owns reports [2]\n");
        assert_eq!(repaired.faults().count(), 0);
    }

    #[test]
    fn a_whole_text_is_taken_if_it_is_better() {
        let check = check();
        let better = check.check(TEXT).repaired("Ada owns ledger [1] and reports [2].", &check);
        assert_eq!(better.text, "Ada owns ledger [1] and reports [2].");
        for worse in ["Sorry about that.", "NOT IN THE GRAPH", "1: Kim owns reports [2]\n2: Kim sings [2]"] {
            assert_eq!(check.check(TEXT).repaired(worse, &check).text, TEXT, "{worse}");
        }
    }
}
