//! The command line. Documentation of commands and arguments here is the text of `--help`.

mod agent;
mod ask;
mod cypher;
mod eval;
mod examples;
mod learn;
mod routes;

use std::path::PathBuf;

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use graphwright::FlowName;

pub(crate) use agent::{AgentArguments, ChatArguments, HttpArguments, McpArguments};
pub(crate) use ask::{AskArguments, ContextArguments, ContextForm, EvidenceArguments, SuggestArguments};
pub(crate) use cypher::{
    CheckArguments, CypherArguments, CypherCommand, FixArguments, FormatArguments, SchemaSource,
};
pub(crate) use eval::{
    EvalCommand, LiveArguments, ReplayArguments, RetrievalArguments, Text2CypherArguments,
};
pub(crate) use examples::{ExampleListArguments, ExamplesArguments, ExamplesCommand, ForgetArguments};
pub(crate) use learn::LearnArguments;
pub(crate) use routes::{DeleteArguments, ListArguments, RoutesArguments, RoutesCommand};

/// Builds knowledge graphs from documents and answers questions from them, with the path that proves each answer.
#[derive(Debug, Parser)]
#[command(name = "graphwright", version, arg_required_else_help = true)]
#[command(
    after_help = "Settings come from flags, else from environment variables, else from graphwright.toml.

First steps:
  graphwright demo                     shows what it does, on a sample
  graphwright ingest docs/             makes a graph of your documents, in .graphwright
  graphwright ask \"Who owns ledger?\"   answers, with the paths and passages that prove it"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct Global {
    /// The folder that holds the graph, or the address of a Neo4j server, as bolt://localhost:7687 [default: .graphwright]
    /// [env: GRAPHWRIGHT_STORE, NEO4J_URI]
    #[arg(long, global = true, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// The model that reads documents and writes answers, as openai/gpt-4o-mini; none is needed [env:
    /// GRAPHWRIGHT_MODEL]
    #[arg(long, global = true, value_name = "PROVIDER/MODEL")]
    pub(crate) model: Option<String>,
    /// What makes the vectors for search by meaning: builtin, a sentence-transformers folder or name, or provider/model
    /// [default: builtin] [env: GRAPHWRIGHT_EMBEDDER]
    #[arg(long, global = true, value_name = "EMBEDDER")]
    pub(crate) embedder: Option<String>,
    /// What ranks anew the hits of searches: none, a cross-encoder's folder or name, provider/model as cohere/rerank-v3.5,
    /// or model or judge for that chat model [default: none] [env: GRAPHWRIGHT_RERANKER]
    #[arg(long, global = true, value_name = "RERANKER")]
    pub(crate) reranker: Option<String>,
    /// Where a graph on a Neo4j server is indexed for searches: store, in its own indexes, which machines share, or local,
    /// in files of this machine [default: store] [env: GRAPHWRIGHT_SEARCH_INDEX]
    #[arg(long, global = true, value_enum, value_name = "PLACE", hide_possible_values = true)]
    pub(crate) search_index: Option<SearchPlace>,
    /// Where replies of the model are remembered, so that the same question is not paid twice: memory, off, or a folder
    /// [default: memory] [env: GRAPHWRIGHT_CACHE]
    #[arg(long, global = true, value_name = "CACHE")]
    pub(crate) cache: Option<String>,
    /// The settings file [default: graphwright.toml, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Trusts the graphwright.toml found here, from now on and until it changes, with addresses to which keys go and programs
    /// that are started
    #[arg(long, global = true)]
    pub(crate) trust_settings: bool,
    /// Prints one JSON object, for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Prints integers beyond ±9007199254740991 as strings in JSON, for programs that would round them
    #[arg(long, global = true)]
    pub(crate) safe_integers: bool,
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
    ///
    /// Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, DOCX, PPTX, XLSX, mails, JSON, JSON Lines, YAML, TOML and CSV are read. A file that cannot be read is
    /// reported and the others go in. Doing it again changes nothing; a changed document replaces what it said before.
    Ingest(IngestArguments),
    /// Answers a question with the paths and passages that prove the answer
    Ask(AskArguments),
    /// Answers question after question in a conversation, with an agent that looks for itself in the graph
    Chat(ChatArguments),
    /// Shows which tools of the agent answered which kind of question, at what cost; lists, judges, exports and deletes its runs
    ///
    /// `ask --agent` and `chat` record each answer of the agent on this machine, beside the search index of the graph, and follow the best route for
    /// a question of a known kind. --no-routes, or routes = false in the settings, records and follows none.
    Routes(RoutesArguments),
    /// Shows questions with the queries that answered them, which `ask --flow` learns and shows the model; reviews, edits, exports and forgets them
    ///
    /// A flow whose first query was wrong and whose last one was right leaves an example on this machine, beside the search index of the graph, if
    /// nothing speaks against it. --no-examples shows and learns none; learn = "off" in the settings learns none.
    Examples(ExamplesArguments),
    /// Learns from pairs of question and Cypher, or of question and answers, how questions about this graph are asked
    ///
    /// `ask` then tries first what was learned, without a model, and answers so where it is sure enough. How sure that must be comes from questions
    /// that are kept apart while it learns.
    Learn(LearnArguments),
    /// Finds entities and passages by words and meaning
    Search(SearchArguments),
    /// Gathers what the graph and the documents hold for a question, within a budget of tokens; no model is asked
    Context(ContextArguments),
    /// Shows questions that this graph answers, made of its own things and tried
    Suggest(SuggestArguments),
    /// Shows an entity: its properties and what it is connected to
    Lookup(LookupArguments),
    /// Finds what connects two entities
    Path(PathArguments),
    /// Shows what the graph is about: labels, relationship types, properties, patterns
    Schema(SchemaArguments),
    /// Runs a Cypher query, or checks, fixes or formats one; a query only reads, unless --write is given
    Cypher(CypherArguments),
    /// Makes, lists or removes indexes on properties
    #[command(subcommand)]
    Index(IndexCommand),
    /// Checks, proposes or shows an ontology: the types of things and relationships that a graph holds
    #[command(subcommand)]
    Ontology(OntologyCommand),
    /// Reviews entities that may be the same, merges them, or takes a merge back
    #[command(subcommand)]
    Duplicates(DuplicatesCommand),
    /// Reads a graph from JSON Lines, CSV, a Neo4j Data Importer zip or a Cypher script
    Import(ImportArguments),
    /// Writes the graph as JSON Lines (nothing is lost), CSV, GraphML, GEXF or Turtle
    Export(ExportArguments),
    /// Fetches embedders and rerankers that run on this machine
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Serves the graph's tools, texts and prompts to an assistant that speaks the Model Context Protocol, over standard input and output, or over HTTP
    Mcp(McpArguments),
    /// Checks the settings, the store and the models, and says what to do
    Doctor(DoctorArguments),
    /// Prints a script that lets a shell complete commands and options
    ///
    /// `graphwright completions bash > ~/.local/share/bash-completion/completions/graphwright`; docs/building.md has the other shells.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Measures on data that others recorded
    #[command(subcommand)]
    Eval(EvalCommand),
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Goes on with what is whole of a store whose log is damaged; a copy of the log is kept
    #[arg(long)]
    pub(crate) repair: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Keeps the graph in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright ingest docs/
  graphwright ingest 'docs/**/*.md' owners.csv --ontology ontology.yaml
  curl -s https://example.org/page.html | graphwright ingest - --format html")]
pub(crate) struct IngestArguments {
    /// Files, folders or patterns; `-` reads one document from standard input
    #[arg(required = true, value_name = "DOCUMENTS")]
    pub(crate) sources: Vec<String>,
    /// The ontology file; without it the graph's own ontology, and for a new graph one that the model proposes, or that is inferred where none is set
    #[arg(long, value_name = "FILE")]
    pub(crate) ontology: Option<PathBuf>,
    /// What reads the facts [default: model where one is set, else rules]
    #[arg(long, value_enum)]
    pub(crate) extractor: Option<ExtractorChoice>,
    /// Removes what was ingested from these folders and is no longer there, with the facts that only it states
    #[arg(long)]
    pub(crate) prune: bool,
    /// Keeps what breaks the ontology as nodes labelled __Invalid__, instead of only counting it
    #[arg(long)]
    pub(crate) keep_invalid: bool,
    /// Lists what the ontology does not allow, with its place; what the extractor itself drops is only counted
    #[arg(long)]
    pub(crate) show_dropped: bool,
    /// Makes all vectors anew, as after a change of embedder
    #[arg(long)]
    pub(crate) re_embed: bool,
    /// Lets the model add types and relationships to the ontology file, for what it lacks
    #[arg(long, requires = "ontology")]
    pub(crate) open: bool,
    /// How often the model reads every text; from the second time on it looks for what was missed
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) passes: u8,
    /// Lets the model describe entities and facts in a sentence
    #[arg(long)]
    pub(crate) describe: bool,
    /// Prints what the model would cost, and sends and writes nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The least confidence of a fact, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.7, value_parser = parse_confidence, allow_negative_numbers = true)]
    pub(crate) threshold: f64,
    /// Follows links that lead out of the folders, and links to folders
    #[arg(long)]
    pub(crate) follow_links: bool,
    /// The longest file that is read, in megabytes
    #[arg(long, value_name = "MEGABYTES", default_value_t = 50)]
    pub(crate) max_file_size: u32,
    /// The format of standard input, as a file's extension
    #[arg(long, value_name = "EXTENSION", default_value = "md")]
    pub(crate) format: String,
}

fn flow_parser() -> impl TypedValueParser<Value = FlowName> {
    PossibleValuesParser::new(FlowName::ALL.map(FlowName::as_str)).try_map(|name| name.parse::<FlowName>())
}

fn parse_confidence(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("it is not a number from 0 to 1".to_owned()),
    }
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
        /// The ontology file (YAML or JSON)
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Proposes an ontology for documents, as YAML, to edit and give to `ingest`
    Infer {
        /// Files, folders or patterns
        #[arg(required = true, value_name = "DOCUMENTS")]
        documents: Vec<String>,
    },
    /// Prints the JSON Schema of ontology files, for editors that complete and check
    Schema,
    /// Prints the graph's ontology as YAML
    Show,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// What to look for; `"a phrase"`, `prefix*` and `mispelt~` work
    #[arg(required_unless_present = "batch", value_name = "WORDS")]
    pub(crate) query: Vec<String>,
    /// Reads queries as JSON Lines from standard input and prints one result a line
    #[arg(long, conflicts_with = "query")]
    pub(crate) batch: bool,
    /// How to search
    #[arg(long, value_enum, default_value_t = SearchMode::Graph)]
    pub(crate) mode: SearchMode,
    /// Tells which passages and names led to a passage, and what a reranker made of it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Gives long passages whole, rather than the 2,000 bytes of them that have most of the query
    #[arg(long)]
    pub(crate) whole: bool,
    /// Only entities, only passages, or facts; without it, entities and passages
    #[arg(long, value_enum)]
    pub(crate) kind: Option<HitKind>,
    /// Only entities or facts of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) entity_type: Option<String>,
    /// Only passages of this document, by its identifier, and the facts that it states
    #[arg(long, value_name = "ID")]
    pub(crate) document: Option<String>,
    /// Only what has this value of a property; each one that is given must hold
    #[arg(long = "where", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(crate) properties: Vec<(String, String)>,
    /// Only what is so on this day, by `valid_from` and `valid_to`
    #[arg(long, value_name = "DATE")]
    pub(crate) on: Option<jiff::civil::Date>,
    /// The most hits
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) retriever: RetrieverArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RetrieverArguments {
    /// Finds with this retriever, and shows its paths, rows and steps (docs/search.md)
    #[arg(long, value_enum, value_name = "NAME", ignore_case = true, conflicts_with = "mode")]
    pub(crate) retriever: Option<RetrieverName>,
    /// With VectorCypherRetriever, the query that goes on after `WITH node, score`
    #[arg(long, value_name = "QUERY", requires = "retriever")]
    pub(crate) cypher: Option<String>,
    /// A vector index that the store has by this name, in place of the search index
    #[arg(long, value_name = "NAME", requires = "retriever")]
    pub(crate) vector_index: Option<String>,
    /// A full-text index that the server has by this name, in place of the search index
    #[arg(long, value_name = "NAME", requires = "retriever")]
    pub(crate) text_index: Option<String>,
    /// The most tokens of what is shown
    #[arg(long, value_name = "TOKENS", requires = "retriever")]
    pub(crate) budget: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
#[expect(clippy::enum_variant_names, reason = "these are the names that the field uses")]
pub(crate) enum RetrieverName {
    /// What is nearest in meaning
    VectorRetriever,
    /// What has the words
    FullTextRetriever,
    /// Words and meaning together
    HybridRetriever,
    /// A query of your own for each hit by meaning
    VectorCypherRetriever,
    /// What is around the hits in the graph
    NeighborhoodRetriever,
    /// The best paths between the hits
    PathRetriever,
}

/// A place of the search index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SearchPlace {
    /// In the store
    Store,
    /// On this machine
    Local,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchMode {
    /// Words, meaning, and what passages say together along the names that connect them
    Graph,
    /// Words and meaning together
    Hybrid,
    /// Words
    Fulltext,
    /// Meaning
    Vector,
    /// Passages by personalised PageRank from what words and meaning find
    Pagerank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HitKind {
    /// Entities, documents and what else is a node
    Node,
    /// Passages of documents
    Chunk,
    /// Relationships between entities, as sentences
    Fact,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE, such as language=Go".to_owned()),
    }
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
    /// The name of the entity to start from
    pub(crate) from: String,
    /// The name of the entity to arrive at
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
    /// The best paths by the weights of relationships instead of the shortest
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
    /// Also what is kept beside the domain: documents, passages, where facts are stated, and names in double underscores
    #[arg(long)]
    pub(crate) all: bool,
    /// Prints the schema as the text that models know
    #[arg(long, conflicts_with = "json")]
    pub(crate) prompt: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Lists the indexes and uniqueness constraints
    List,
    /// Makes an index or a uniqueness constraint, unless there is an equal one, and waits until it can be used
    #[command(after_help = "Examples:
  graphwright index create Service name
  graphwright index create Person first last --unique
  graphwright index create DEPENDS_ON since --relationships")]
    Create {
        /// The label of the nodes
        #[arg(value_name = "LABEL")]
        label: String,
        /// The property, or several that are looked up together
        #[arg(required = true, value_name = "PROPERTY")]
        properties: Vec<String>,
        /// The name is a relationship type
        #[arg(long)]
        relationships: bool,
        /// No two nodes of the label have the same value, or the same values together: the store refuses what breaks that
        #[arg(long, conflicts_with = "relationships")]
        unique: bool,
    },
    /// Removes an index or a uniqueness constraint
    Drop {
        /// Its name, as `list` prints it
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DuplicatesCommand {
    /// Lists entities that may be the same, with the evidence
    List,
    /// Makes one entity of two: the first stays
    Merge {
        /// Identifier of the entity that stays, as `list` prints it
        keep: String,
        /// Identifier of the entity that goes into it
        drop: String,
    },
    /// Decides that two entities are not the same; they are not proposed again
    Reject {
        /// Identifier of one, as `list` prints it
        first: String,
        /// Identifier of the other
        second: String,
    },
    /// Takes a merge back
    Undo {
        /// Identifier of the entity that was merged, as `merge` prints it
        merged: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// Files (*.jsonl, *.csv, *.zip, *.cypher) or folders of them
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// The format, where the file's name does not tell
    #[arg(long, value_enum)]
    pub(crate) format: Option<ImportFormat>,
    /// What stands between the columns of CSV files
    #[arg(long, value_name = "CHARACTER", default_value_t = ',')]
    pub(crate) delimiter: char,
    /// What stands between the items of a list in a CSV cell
    #[arg(long, value_name = "CHARACTER", default_value_t = ';')]
    pub(crate) array_delimiter: char,
    /// The label of nodes in CSV files without a :LABEL column [default: the file's name]
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,
    /// Leaves out what cannot be imported, and counts it; else a mistake ends the import before anything is written
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// The type of relationships in CSV files without a :TYPE column [default: the file's name]
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

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Fetches a sentence-transformers model from a hub, once, and says how to use it
    Pull(PullArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PullArguments {
    /// The model's name on the hub
    #[arg(default_value = "sentence-transformers/all-MiniLM-L6-v2")]
    pub(crate) model: String,
    /// Where it comes from
    #[arg(long, value_name = "ADDRESS", default_value = "https://huggingface.co")]
    pub(crate) hub: String,
    /// Lists what would be fetched, how much it is and where it goes, and fetches nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A file (.jsonl, .graphml, .gexf, .ttl), or a folder for CSV, which is there or ends in /; without it, JSON Lines on standard output
    pub(crate) target: Option<PathBuf>,
    /// The form, where the name does not tell it
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,
    /// Leaves vectors out
    #[arg(long)]
    pub(crate) no_vectors: bool,
    /// Puts an apostrophe before each text of CSV that a spreadsheet would take for a formula
    #[arg(long)]
    pub(crate) guard_formulas: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Graphwright's own lossless form
    Jsonl,
    /// Headers as Neo4j's importer has them
    Csv,
    /// For programs that analyse and draw graphs, as networkx, yEd and Gephi
    Graphml,
    /// GEXF 1.3, the form of Gephi
    Gexf,
    /// RDF
    Turtle,
}
