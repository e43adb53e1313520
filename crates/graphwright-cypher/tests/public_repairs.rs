//! Repairs what models wrote in public collections.
//!
//! `GRAPHWRIGHT_DATA=… cargo test -p graphwright-cypher --test public_repairs -- --include-ignored
//! --nocapture` prints the figures of `docs/repair.md`. `REPAIRS` names a file for the result of
//! each text that failed or has errors.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that prints figures")]

use std::{fs, path::PathBuf};

use graphwright_cypher::{
    repair::{ChangeCode, Repair, Repaired},
    syntax::{
        parse,
        tree::{BinaryOperator, ClauseKind, Expression, ExpressionKind, NodePattern, RelationshipPattern},
        visit::{Visit, walk_clause, walk_expression, walk_node, walk_relationship},
    },
};
use serde_json::{Value, json};

struct Prediction {
    text: String,
    executable: bool,
}

/// Returns the answers of the models on a benchmark, by file.
fn predictions(benchmark: &str) -> Vec<(String, Vec<Prediction>)> {
    let data = std::env::var("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    let folder = PathBuf::from(data).join("cypher_replay").join(benchmark);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let name = format!("{benchmark}/{}", path.file_stem().unwrap().to_string_lossy());
        let text = fs::read_to_string(path).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let predictions = rows.filter_map(|row| {
            Some(Prediction {
                text: row["pred_cypher"].as_str()?.to_owned(),
                executable: row["metrics"]["executable"].as_f64()? > 0.5,
            })
        });
        (name, predictions.collect::<Vec<_>>())
    };
    files.iter().map(read).filter(|(_, predictions)| !predictions.is_empty()).collect()
}

/// Counts for each file: of the predictions that failed, those with an error, those mended and
/// those refused; of the others, those with an error and those changed.
#[test]
#[ignore = "needs public data"]
fn failed_predictions_are_mended() {
    let repair = Repair::default();
    let mut rest = String::new();
    println!("| file | failed | with errors | mended | refused | ran | with errors | changed |");
    for (name, predictions) in ["mind_the_query", "cypherbench"].into_iter().flat_map(predictions) {
        let mut failed = [0; 4];
        let mut ran = [0; 3];
        for prediction in &predictions {
            let repaired = repair.repair(&prediction.text);
            let had_errors = !repaired.changes.is_empty() || !repaired.is_clean();
            let changed = repaired.text != prediction.text;
            if prediction.executable {
                for (count, found) in ran.iter_mut().zip([true, had_errors, changed]) {
                    *count += usize::from(found);
                }
            } else {
                let mended = changed && repaired.is_clean();
                for (count, found) in
                    failed.iter_mut().zip([true, had_errors, mended, repaired.refused.is_some()])
                {
                    *count += usize::from(found);
                }
            }
            if !prediction.executable || had_errors {
                let row = json!({"file": name, "ran": prediction.executable, "text": prediction.text, "repaired": repaired});
                rest.push_str(&format!("{row}\n"));
            }
        }
        let cells = failed.iter().chain(&ran).map(ToString::to_string).collect::<Vec<_>>().join(" | ");
        println!("| {name} | {cells} |");
        assert!(failed[0] < 100 || failed[2] * 4 > failed[0], "{name}: {failed:?}");
        assert_eq!(ran[2].min(ran[1]), ran[2], "a text without errors was changed");
    }
    if let Ok(path) = std::env::var("REPAIRS") {
        fs::write(path, rest).unwrap();
    }
}

/// The numbers of conditions, elements of patterns and columns in a query.
#[derive(Debug, Default)]
struct Asked([usize; 3]);

impl Asked {
    fn from_text(text: &str) -> Self {
        let mut asked = Self::default();
        asked.visit_tree(&parse(text).tree);
        asked
    }

    fn map(&mut self, properties: Option<&Expression>) {
        if let Some(ExpressionKind::Map(entries)) = properties.map(|properties| &properties.kind) {
            self.0[0] += entries.len();
        }
    }
}

impl Visit for Asked {
    fn visit_expression(&mut self, expression: &Expression) {
        use BinaryOperator::{Contains, EndsWith, In, Matches, StartsWith};
        self.0[0] += match &expression.kind {
            ExpressionKind::Comparison { rest, .. } => rest.len(),
            ExpressionKind::Test { .. }
            | ExpressionKind::Labels { .. }
            | ExpressionKind::Binary { operator: In | StartsWith | EndsWith | Contains | Matches, .. } => 1,
            _ => 0,
        };
        walk_expression(self, expression);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        self.0[1] += 1;
        self.map(node.properties.as_deref());
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        self.0[1] += 1;
        self.map(relationship.properties.as_deref());
        walk_relationship(self, relationship);
    }

    fn visit_clause(&mut self, clause: &graphwright_cypher::syntax::tree::Clause) {
        if let ClauseKind::With(columns) | ClauseKind::Return(columns) = &clause.kind {
            self.0[2] += columns.items.len();
        }
        walk_clause(self, clause);
    }
}

/// Returns whether a repair may have left a column out because it stood twice.
fn leaves_out_repetition(repaired: &Repaired) -> bool {
    repaired
        .changes
        .iter()
        .any(|change| matches!(change.code, ChangeCode::RepetitionRemoved | ChangeCode::Extracted))
}

#[test]
#[ignore = "needs public data"]
fn repairs_of_predictions_lose_nothing() {
    let repair = Repair::default();
    let files = ["mind_the_query", "cypherbench"].into_iter().flat_map(predictions);
    let mut changed = 0;
    for prediction in files.flat_map(|(_, predictions)| predictions) {
        let repaired = repair.repair(&prediction.text);
        if repaired.changes.is_empty() || leaves_out_repetition(&repaired) {
            continue;
        }
        changed += 1;
        let (before, after) = (Asked::from_text(&prediction.text), Asked::from_text(&repaired.text));
        let lost = before.0.iter().zip(after.0).any(|(before, after)| *before > after);
        assert!(!lost, "{before:?} {after:?}\n{}\n{}", prediction.text, repaired.text);
    }
    println!("{changed} predictions changed, nothing lost");
    assert!(changed > 2_000);
}
