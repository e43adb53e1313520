//! Rows as an answer that no model has put into words.

use serde_json::Value;

/// How many rows an answer lists.
const MOST_LISTED: usize = 20;

/// Writes rows: of one column its values, of several one row a line.
pub(super) fn text(columns: &[String], rows: &[Vec<Value>]) -> String {
    if columns.len() == 1 && rows.len() <= MOST_LISTED {
        return rows.iter().flatten().map(shown).collect::<Vec<_>>().join(", ");
    }
    let line = |row: &Vec<Value>| {
        let cells = columns.iter().zip(row).map(|(column, value)| format!("{column}: {}", shown(value)));
        format!("- {}", cells.collect::<Vec<_>>().join("; "))
    };
    let mut lines: Vec<String> = rows.iter().take(MOST_LISTED).map(line).collect();
    if rows.len() > MOST_LISTED {
        lines.push(format!("({} more rows)", rows.len() - MOST_LISTED));
    }
    lines.join("\n")
}

/// The values of rows: of one column each value, of several each row as a list; things are entities, and no values.
pub(super) fn values(rows: &[Vec<Value>]) -> Vec<Value> {
    let is_value = |row: &&Vec<Value>| !row.iter().all(|value| name(value).is_some());
    let rows = rows.iter().filter(is_value);
    rows.map(|row| match row.as_slice() {
        [value] => value.clone(),
        row => row.to_vec().into(),
    })
    .collect()
}

/// Writes a value: a thing by its name, a text without quotes.
fn shown(value: &Value) -> String {
    match (value, name(value)) {
        (_, Some(name)) => name.to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Null, _) => "(none)".to_owned(),
        (value, _) => value.to_string(),
    }
}

/// Returns the name of what has an identifier, a name and a type.
fn name(value: &Value) -> Option<&str> {
    value.get("id").and(value.get("type"))?;
    value.get("name")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_listed_by_their_values_and_names() {
        let thing = json!({"id": "s", "name": "ledger", "type": "Service", "properties": {}});
        let one = [vec![thing.clone()], vec![json!("mail")], vec![Value::Null], vec![json!(3)]];
        assert_eq!(text(&["s".into()], &one), "ledger, mail, (none), 3");
        let columns = ["s".to_owned(), "tier".to_owned()];
        assert_eq!(text(&columns, &[vec![thing.clone(), json!(1)]]), "- s: ledger; tier: 1");
        assert_eq!(values(&[vec![thing.clone()], vec![json!(3)]]), [json!(3)]);
        assert_eq!(values(&[vec![thing.clone(), json!(1)]]), [json!([thing, 1])]);
        let many: Vec<Vec<Value>> = (0..25).map(|number| vec![json!(number)]).collect();
        assert!(text(&["n".into()], &many).ends_with("(5 more rows)"));
    }
}
