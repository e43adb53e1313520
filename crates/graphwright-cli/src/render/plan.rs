//! Formats a plan as a tree: what each step did, and what was found in it.

use std::fmt::Write;

use graphwright::{Finding, FindingKind, MissingIndex, Plan, schema::Target};

use super::{Table, line, shorten};

/// Maximum length of an operator's details, in characters.
const DETAILS: usize = 60;

/// A column: its title, and the figure of an operator.
type Column = (&'static str, fn(&Plan) -> Option<String>);

const COLUMNS: [Column; 4] = [
    ("Estimated rows", |operator| operator.estimated_rows.map(|rows| format!("{rows:.0}"))),
    ("Rows", |operator| operator.rows.map(|rows| rows.to_string())),
    ("DB hits", |operator| operator.db_hits.map(|hits| hits.to_string())),
    ("Time (ms)", |operator| operator.time_ms.map(|time| format!("{time:.1}"))),
];

/// Formats a plan for people: the last step first, below it the steps that feed it.
pub(crate) fn plan_text(plan: &Plan, findings: &[Finding]) -> String {
    let operators = plan.operators();
    let is_known = |(_, figure): &Column| operators.iter().any(|(_, operator)| figure(operator).is_some());
    let (known, unknown): (Vec<Column>, Vec<Column>) = COLUMNS.into_iter().partition(is_known);
    let titles = ["", "Operator", "Details"].into_iter().chain(known.iter().map(|(title, _)| *title));
    let mut table = Table::new(titles);
    for (number, (depth, operator)) in (1..).zip(&operators) {
        let marks = findings
            .iter()
            .filter(|found| found.operator == Some(number))
            .filter_map(|found| mark(found.kind));
        let mut marks: Vec<_> = marks.collect();
        marks.dedup();
        let mark = if marks.is_empty() { String::new() } else { format!("  <- {}", marks.join(", ")) };
        let details = shorten(operator.details.as_deref().unwrap_or_default(), DETAILS);
        let mut row =
            vec![number.to_string(), format!("{}{}{mark}", "| ".repeat(*depth), operator.operator), details];
        row.extend(known.iter().map(|(_, figure)| figure(operator).unwrap_or_default()));
        table.add_row(row);
    }
    let mut text = format!("{table}\n");
    if !unknown.is_empty() {
        let titles = unknown.iter().map(|(title, _)| title.trim_end_matches(" (ms)").to_lowercase());
        let titles: Vec<_> = titles.collect();
        let _ = writeln!(text, "not known: {}", titles.join(", "));
    }
    for found in findings.iter().filter(|found| found.kind != FindingKind::ManyHits) {
        let place = found.operator.and_then(|number| Some((number, operators.get(number - 1)?.1)));
        match place {
            Some((number, operator)) => {
                text.push_str(&line(&format!("{number} {} {}", operator.operator, found.message)));
            }
            None => text.push_str(&line(&found.message)),
        }
        if let Some(index) = &found.index {
            text.push_str(&line(&format!("  {}", index_command(index))));
        }
    }
    text
}

/// The command that makes an index.
pub(crate) fn index_command(index: &MissingIndex) -> String {
    let (name, option) = match &index.target {
        Target::Label(label) => (label, ""),
        Target::RelationshipType(kind) => (kind, " --relationships"),
    };
    format!("graphwright index create {} {}{option}", word(name), word(&index.property))
}

/// A name as a shell takes it.
fn word(name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    if !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

/// The word beside an operator; what the plan does not show has none.
fn mark(kind: FindingKind) -> Option<&'static str> {
    match kind {
        FindingKind::Scan => Some("scan"),
        FindingKind::CartesianProduct => Some("cartesian product"),
        FindingKind::Eager => Some("eager"),
        FindingKind::ManyHits => Some("most db hits"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operator(name: &str, details: &str, figures: (f64, u64, u64), children: Vec<Plan>) -> Plan {
        Plan {
            operator: name.to_owned(),
            details: Some(details.to_owned()),
            estimated_rows: Some(figures.0),
            rows: Some(figures.1),
            db_hits: Some(figures.2),
            time_ms: None,
            children,
        }
    }

    #[test]
    fn a_plan_is_a_tree_with_marks_and_hints() {
        let left = operator("NodeByLabelScan", "s:Service", (10.0, 10, 11), Vec::new());
        let filter = operator("Filter", "s.name = $autostring_0", (0.5, 1, 20), vec![left]);
        let right = operator("AllNodesScan", "n", (107.0, 107, 108), Vec::new());
        let join = operator("CartesianProduct", "", (53.5, 107, 0), vec![filter, right]);
        let plan = operator("ProduceResults", "s.name, n", (53.5, 107, 214), vec![join]);
        let index = MissingIndex { target: Target::Label("Service".to_owned()), property: "name".to_owned() };
        let finding = |kind, operator, message: &str, index| Finding {
            kind,
            operator: Some(operator),
            message: message.to_owned(),
            index,
        };
        let findings = [
            finding(FindingKind::ManyHits, 1, "has 61 % of the database hits", None),
            finding(FindingKind::CartesianProduct, 2, "puts each row with each", None),
            finding(
                FindingKind::Scan,
                4,
                "reads all nodes labelled Service; an index on name would serve",
                Some(index),
            ),
            finding(FindingKind::Scan, 5, "reads all nodes", None),
            finding(FindingKind::ManyHits, 5, "has 31 % of the database hits", None),
        ];
        insta::assert_snapshot!(plan_text(&plan, &findings));
    }

    #[test]
    fn the_command_of_an_index_is_one_that_a_shell_takes() {
        let index = MissingIndex {
            target: Target::RelationshipType("OWNS IT".to_owned()),
            property: "since".to_owned(),
        };
        assert_eq!(index_command(&index), "graphwright index create 'OWNS IT' since --relationships");
    }

    #[test]
    fn what_is_not_known_is_said() {
        let plan = Plan { operator: "Match".to_owned(), ..Plan::default() };
        let text = plan_text(&plan, &[]);
        assert!(text.ends_with("not known: estimated rows, rows, db hits, time\n"), "{text}");
    }
}
