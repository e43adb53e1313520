//! What can be written on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Builds knowledge graphs from documents and answers questions from them, with the path that proves each answer.
#[derive(Debug, Parser)]
#[command(name = "graphwright", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Settings: flags over environment over graphwright.toml over defaults. \
    Try `graphwright demo` first.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// Where the graph is: a folder [default: .graphwright] [env: GRAPHWRIGHT_STORE]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) store: Option<String>,
    /// The model as provider/model; without one the graph alone answers [env: GRAPHWRIGHT_MODEL]
    #[arg(long, global = true, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<String>,
    /// What makes the vectors: builtin, a sentence-transformers folder, or provider/model
    /// [default: builtin] [env: GRAPHWRIGHT_EMBEDDER]
    #[arg(long, global = true, value_name = "EMBEDDER")]
    pub(crate) embedder: Option<String>,
    /// Settings file [default: graphwright.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Prints one JSON object for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress bar and no notes
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Shows what is being done; twice for more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Builds the sample graph and asks it four questions, showing the evidence
    Demo(DemoArguments),
    /// Reads documents into the graph
    Ingest(IngestArguments),
    /// Checks, infers or shows an ontology
    #[command(subcommand)]
    Ontology(OntologyCommand),
    /// Answers a question with the paths and passages that prove the answer
    Ask(AskArguments),
    /// Finds nodes and passages by words and meaning
    Search(SearchArguments),
    /// Shows an entity: its properties and what it is connected to
    Lookup(LookupArguments),
    /// Finds what connects two entities
    Path(PathArguments),
    /// Shows what is in the graph: labels, relationship types, properties, patterns
    Schema(SchemaArguments),
    /// Runs a Cypher query; it only reads, unless --write is given
    Cypher(CypherArguments),
    /// Reviews entities that may be the same, merges them, or takes a merge back
    #[command(subcommand)]
    Duplicates(DuplicatesCommand),
    /// Reads a graph from JSON Lines, CSV, a Neo4j Data Importer zip or a Cypher script
    Import(ImportArguments),
    /// Writes the graph as JSON Lines (lossless) or CSV
    Export(ExportArguments),
    /// Checks the store, the embedder and the model, and says what to do
    Doctor,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Keeps the graph in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct IngestArguments {
    /// Files, folders or patterns; `-` reads one document from standard input
    #[arg(required = true, value_name = "DOCUMENTS")]
    pub(crate) sources: Vec<String>,
    /// The ontology file (YAML or JSON); the graph's own, or an inferred one, without it
    #[arg(long, value_name = "FILE")]
    pub(crate) ontology: Option<PathBuf>,
    /// What reads the facts [default: model when one is set, else rules]
    #[arg(long, value_enum)]
    pub(crate) extractor: Option<ExtractorChoice>,
    /// Removes documents of these sources that are no longer there, with the facts only they state
    #[arg(long)]
    pub(crate) prune: bool,
    /// Keeps what breaks the ontology aside, as nodes labelled __Invalid__, instead of only counting it
    #[arg(long)]
    pub(crate) keep_invalid: bool,
    /// Makes all vectors anew, as after a change of embedder
    #[arg(long)]
    pub(crate) re_embed: bool,
    /// Prints what a model would cost, and writes nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The least confidence of a fact, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.7)]
    pub(crate) threshold: f64,
    /// The format of standard input
    #[arg(long, value_name = "FORMAT", default_value = "md")]
    pub(crate) format: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractorChoice {
    /// Grammar and the ontology's words; needs no model
    Rules,
    /// The model that is set
    Model,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OntologyCommand {
    /// Reads an ontology file and lists everything that is wrong with it
    Check {
        /// The file
        file: PathBuf,
    },
    /// Proposes an ontology for documents, as YAML
    Infer {
        /// Files, folders or patterns
        #[arg(required = true)]
        documents: Vec<String>,
    },
    /// Prints the JSON Schema of the ontology file
    Schema,
    /// Prints the graph's ontology as YAML
    Show,
}

#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// The question
    #[arg(required_unless_present = "batch", value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// Reads questions as JSON Lines from standard input and prints one answer a line
    #[arg(long, conflicts_with = "question")]
    pub(crate) batch: bool,
    /// Answers all readings of an ambiguous question, merged
    #[arg(long)]
    pub(crate) all_readings: bool,
    /// Takes this reading of an ambiguous question, from 1
    #[arg(long, value_name = "NUMBER", conflicts_with = "all_readings")]
    pub(crate) reading: Option<usize>,
    /// Prints every step as JSON Lines before the answer
    #[arg(long)]
    pub(crate) events: bool,
    /// Lets the graph alone answer, even if a model is set
    #[arg(long)]
    pub(crate) no_model: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Words; `"a phrase"` and `prefix*` work
    #[arg(required_unless_present = "batch", value_name = "WORDS")]
    pub(crate) query: Vec<String>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "query")]
    pub(crate) batch: bool,
    /// How to search
    #[arg(long, value_enum, default_value_t = SearchMode::Hybrid)]
    pub(crate) mode: SearchMode,
    /// Only entities, or only passages
    #[arg(long, value_enum)]
    pub(crate) kind: Option<HitKind>,
    /// Only entities of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) entity_type: Option<String>,
    /// The most hits
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchMode {
    /// Words and meaning together
    Hybrid,
    /// Words
    Fulltext,
    /// Meaning
    Vector,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HitKind {
    /// Entities and other nodes
    Node,
    /// Passages of documents
    Chunk,
}

#[derive(Debug, Args)]
pub(crate) struct LookupArguments {
    /// The name; near spellings are found as well
    #[arg(required = true, value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// Only entities of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) entity_type: Option<String>,
    /// How far to walk from the entity
    #[arg(long, value_name = "HOPS", default_value_t = 1)]
    pub(crate) depth: usize,
    /// The most connections shown
    #[arg(long, value_name = "NUMBER", default_value_t = 25)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct PathArguments {
    /// Where to start
    pub(crate) from: String,
    /// Where to arrive
    pub(crate) to: String,
    /// The most relationships on a path
    #[arg(long, value_name = "HOPS", default_value_t = 5)]
    pub(crate) max_hops: usize,
    /// Only along relationships of these types, separated by commas
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// Only along the direction of relationships
    #[arg(long)]
    pub(crate) directed: bool,
    /// Best paths by weight instead of shortest
    #[arg(long)]
    pub(crate) best: bool,
    /// The most paths
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {
    /// Only these labels and types, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) include: Vec<String>,
    /// All but these labels and types, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "include")]
    pub(crate) exclude: Vec<String>,
    /// Prints the text that models know as a schema
    #[arg(long, conflicts_with = "json")]
    pub(crate) prompt: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CypherArguments {
    /// The query
    #[arg(required_unless_present = "batch", value_name = "QUERY")]
    pub(crate) query: Option<String>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "query")]
    pub(crate) batch: bool,
    /// A parameter as name=value; the value is JSON, or else text
    #[arg(long = "param", short = 'p', value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Lets the query write
    #[arg(long)]
    pub(crate) write: bool,
    /// The most rows
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    pub(crate) limit: usize,
    /// The longest it may run, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) time_limit: f64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DuplicatesCommand {
    /// Looks for entities that may be the same and lists them with the evidence
    List,
    /// Makes one entity of two: the first stays
    Merge {
        /// Identifier of the entity that stays
        keep: String,
        /// Identifier of the entity that goes into it
        drop: String,
    },
    /// Takes a merge back
    Undo {
        /// The merge's identifier, as `merge` printed it
        merge: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// Files: *.jsonl, *.csv, *.zip, *.cypher
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// The format, where the file's name does not tell
    #[arg(long, value_enum)]
    pub(crate) format: Option<ImportFormat>,
    /// Delimiter of CSV columns
    #[arg(long, value_name = "CHARACTER", default_value_t = ',')]
    pub(crate) delimiter: char,
    /// Delimiter of list elements inside a CSV cell
    #[arg(long, value_name = "CHARACTER", default_value_t = ';')]
    pub(crate) array_delimiter: char,
    /// Label of the nodes of a CSV file without a :LABEL column, else the file's name
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,
    /// Leaves out what cannot be imported, and counts it, instead of stopping before anything is written
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// Type of the relationships of a CSV file without a :TYPE column, else the file's name
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) relationship_type: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    /// Graphwright's own lossless form
    Jsonl,
    /// Headers as Neo4j's importer has them
    Csv,
    /// A Neo4j Data Importer zip
    Zip,
    /// Cypher statements
    Cypher,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A file for JSON Lines, a folder for CSV; standard output when absent
    pub(crate) target: Option<PathBuf>,
    /// The form
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub(crate) format: ExportFormat,
    /// Leaves vectors out
    #[arg(long)]
    pub(crate) no_vectors: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Graphwright's own lossless form
    Jsonl,
    /// Headers as Neo4j's importer has them
    Csv,
}
