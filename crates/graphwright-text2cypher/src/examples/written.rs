//! Examples that people write, edit and import.

use graphwright_cypher::Gate;

use super::{Example, ExampleBook, ExampleOrigin, ExampleStatus};
use crate::error::{Result, Text2CypherError};

impl Example {
    /// Lets models be shown it, as a person decides.
    pub fn approve(&mut self) {
        self.status = ExampleStatus::Kept;
        self.reason = None;
        self.is_reviewed = true;
        self.contradicted = 0;
    }

    /// Replaces its question or its query, as a person decides. It is verified again when it is next chosen.
    pub fn edit(&mut self, question: Option<String>, cypher: Option<String>) {
        self.question = question.unwrap_or_else(|| self.question.clone());
        self.cypher = cypher.unwrap_or_else(|| self.cypher.clone());
        // Both belong to the question and the query as they were.
        (self.kind, self.slots, self.schema) = (String::new(), Vec::new(), String::new());
        self.approve();
    }

    /// Checks that it has a question, and one query that only reads. The graph is not asked.
    ///
    /// # Errors
    /// Fails with [`BadExample`](Text2CypherError::BadExample) if not.
    pub fn check(&self) -> Result<()> {
        let bad = |message: String| Text2CypherError::BadExample { line: None, message };
        if !self.question.contains(char::is_alphanumeric) {
            return Err(bad("it has no question".to_owned()));
        }
        Gate::default().check(&self.cypher).map_err(|refusal| bad(refusal.message))?;
        Ok(())
    }
}

impl ExampleBook {
    /// Imports examples from JSON Lines, as they are exported, or with `question` and `cypher` alone. All of them or, if one is bad, none
    /// are added. Returns how many.
    ///
    /// # Errors
    /// Fails with [`BadExample`](Text2CypherError::BadExample) if a line is none, and if the file cannot be read or written.
    pub fn import(&self, text: &str) -> Result<usize> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let examples: Vec<Example> = lines.map(|(at, line)| read(at + 1, line)).collect::<Result<_>>()?;
        let count = examples.len();
        self.add(examples)?;
        Ok(count)
    }
}

fn read(line: usize, text: &str) -> Result<Example> {
    let bad = |message: String| Text2CypherError::BadExample { line: Some(line), message };
    let example: Example = serde_json::from_str(text).map_err(|error| {
        // The parser counts lines within this one line, which would mislead.
        bad(error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
    })?;
    example.check().map_err(|error| match error {
        Text2CypherError::BadExample { message, .. } => bad(message),
        other => other,
    })?;
    // Who imports a kept example wants it; only what was learned elsewhere may age.
    let is_reviewed = example.is_reviewed || example.kind.is_empty();
    Ok(Example { origin: ExampleOrigin::Imported, is_reviewed, ..example })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_imported_all_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let book = ExampleBook::at(folder.path().join("examples.jsonl"));
        let plain = r#"{"question": "Who owns ledger?", "cypher": "MATCH (t)-[:OWNS]->(s) RETURN t.name"}"#;
        let full =
            serde_json::to_string(&Example::by_person("How many?", "MATCH (n) RETURN count(n)")).unwrap();
        assert_eq!(book.import(&format!("{plain}\n\n{full}\n")).unwrap(), 2);
        let read = book.read().unwrap().examples;
        assert!(read.iter().all(|example| example.origin == ExampleOrigin::Imported && example.is_reviewed));
        assert_eq!(read[0].status, ExampleStatus::Kept);

        for (bad, why) in [
            (r#"{"question": "Who?"}"#, "line 2: missing field `cypher`"),
            (r#"{"question": "?", "cypher": "RETURN 1"}"#, "line 2: it has no question"),
            (r#"{"question": "Who?", "cypher": "MATCH (n) DELETE n"}"#, "line 2: "),
        ] {
            let new = plain.replace("ledger", "mail");
            let error = book.import(&format!("{new}\n{bad}")).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
            assert_eq!(book.read().unwrap().examples.len(), 2);
        }
    }

    #[test]
    fn what_a_person_edits_is_kept_and_verified_anew() {
        let mut example =
            Example { schema: "ab".into(), kind: "k".into(), ..Example::by_person("q", "RETURN 1") };
        example.doubt("it contradicts example 0a");
        example.edit(None, Some("RETURN 2".into()));
        assert_eq!((example.question.as_str(), example.cypher.as_str()), ("q", "RETURN 2"));
        assert_eq!(
            (example.status, example.reason, example.schema.as_str()),
            (ExampleStatus::Kept, None, "")
        );
    }
}
