//! The public graphs, each in an embedded store of its own that the built command makes and reads.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::world_cup;
use crate::answers::run;

/// A graph in a temporary place.
pub(super) struct Graph<'p> {
    binary: &'p Path,
    place: &'p Path,
}

impl<'p> Graph<'p> {
    /// Makes the graph of a name from the public data, or that of a file.
    pub(super) fn load(name: &str, binary: &'p Path, data: &Path, place: &'p Path) -> Result<Self> {
        let graph = Self { binary, place };
        let graphs = data.join("graphs");
        match name {
            "movies" => graph.import(&graphs.join("movies/movies.cypher")),
            "northwind" => graph.import(&graphs.join("northwind/northwind-data-importer-mode-data.zip")),
            "stackoverflow" => graph.import(&graphs.join("stackoverflow/stackoverflow-data-importer.zip")),
            "wwc2019" => {
                let file = place.join("world-cup.jsonl");
                fs::write(&file, world_cup::lines(&graphs.join("wwc2019/import"))?)?;
                graph.import(&file)
            }
            "countries" => graph.ingest(&data.join("real/countries")),
            file if Path::new(file).is_file() => graph.import(Path::new(file)),
            _ => bail!("no public graph has this name"),
        }?;
        Ok(graph)
    }

    fn store(&self) -> PathBuf {
        self.place.join("store")
    }

    fn import(&self, file: &Path) -> Result<()> {
        run(self.binary, &self.store(), &[Path::new("import"), Path::new("--quiet"), file], None)?;
        Ok(())
    }

    fn ingest(&self, set: &Path) -> Result<()> {
        let (ontology, documents) = (set.join("ontology.yaml"), set.join("docs"));
        let ingest = ["ingest", "--extractor", "rules", "--quiet", "--ontology"].map(Path::new);
        run(self.binary, &self.store(), &[&ingest[..], &[&ontology, &documents]].concat(), None)?;
        Ok(())
    }

    /// Answers questions, in their order.
    pub(super) fn ask(&self, questions: &[&str]) -> Result<Vec<Value>> {
        self.batch(&["ask", "--batch", "--no-model", "--json"], "question", questions)
    }

    /// Returns the rows of each query. All of them are needed.
    pub(super) fn query(&self, queries: &[&str]) -> Result<Vec<Vec<Vec<Value>>>> {
        let results = self.batch(&["cypher", "--batch", "--json"], "query", queries)?;
        ensure!(results.len() == queries.len(), "{} of {} results", results.len(), queries.len());
        results
            .into_iter()
            .zip(queries)
            .map(|(result, query)| rows(&result).context((*query).to_owned()))
            .collect()
    }

    fn batch(&self, arguments: &[&str], member: &str, texts: &[&str]) -> Result<Vec<Value>> {
        let input = self.place.join("input.jsonl");
        let lines: Vec<String> =
            texts.iter().zip(1..).map(|(text, id)| json!({"id": id, member: text}).to_string()).collect();
        fs::write(&input, lines.join("\n"))?;
        let arguments: Vec<&Path> = arguments.iter().map(Path::new).collect();
        let output = run(self.binary, &self.store(), &arguments, Some(&input))?;
        output.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }
}

fn rows(result: &Value) -> Result<Vec<Vec<Value>>> {
    ensure!(result["truncated"].is_null(), "rows are missing: {}", result["truncated"]);
    Ok(serde_json::from_value(result["rows"].clone())?)
}
