//! Lets a model propose an ontology from a sample of the documents, or extend one.

use std::{collections::BTreeSet, fmt::Write, sync::Arc};

use graphwright_core::{names, text::quotable};
use graphwright_documents::{ParsedDocument, split::Splitter};
use graphwright_llm::{ChatModel, ChatRequest, LlmError, Message, OutputFormat, Usage};
use graphwright_ontology::{DataType, NodeType, Ontology, PropertyType, RelationshipType, Severity};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::type_names::{may_be_label, may_be_relationship, pascal_case, snake_case, upper_snake_case};

const PROMPT: &str = include_str!("propose/prompt.txt");

/// Number of passages that the model sees.
const PASSAGES: usize = 16;
/// Bytes of each of them.
const PASSAGE_BYTES: usize = 1_200;
/// Limits on what is taken of a proposal.
const MOST_TYPES: usize = 12;
const MOST_RELATIONSHIPS: usize = 20;
const MOST_PROPERTIES: usize = 6;
/// Limits on what is added to an ontology that there is.
pub(crate) const MOST_NEW_TYPES: usize = 5;
pub(crate) const MOST_NEW_RELATIONSHIPS: usize = 8;

/// Proposes ontologies by a chat model.
#[derive(Clone, Debug)]
pub struct Proposer {
    model: Arc<dyn ChatModel>,
}

/// What a model proposed, and what that took.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The ontology; it has no error.
    pub ontology: Ontology,
    /// Usage of the model.
    pub usage: Usage,
}

impl Proposer {
    /// Creates a proposer that asks a model.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model }
    }

    /// Proposes an ontology for documents, with one call over a sample of their passages. A reply that cannot be used is
    /// asked for once more, with what is wrong with it.
    ///
    /// With `given`, its types stay as they are, and some are added for what the passages tell of besides.
    ///
    /// # Errors
    /// If the model fails, or proposes nothing that can be used.
    pub async fn propose(
        &self,
        documents: &[Arc<ParsedDocument>],
        given: Option<&Ontology>,
    ) -> Result<Proposal, LlmError> {
        let mut request = request(documents, given);
        let mut usage = Usage::default();
        let mut wrong = String::new();
        for _ in 0..2 {
            let reply = self.model.chat(request.clone()).await?;
            usage += reply.usage;
            let said = reply.text();
            match read(&said, given) {
                Ok(ontology) => return Ok(Proposal { ontology, usage }),
                Err(faults) => {
                    let said = if said.trim().is_empty() { "{}".to_owned() } else { said };
                    request.messages.push(Message::assistant(said));
                    request.messages.push(Message::user(format!(
                        "This cannot be used: {faults}\nWrite the whole JSON object again, without these faults."
                    )));
                    wrong = faults;
                }
            }
        }
        Err(LlmError::BadReply {
            model: self.model.name().to_owned(),
            message: format!("it proposes no ontology: {wrong}"),
        })
    }
}

fn request(documents: &[Arc<ParsedDocument>], given: Option<&Ontology>) -> ChatRequest {
    let mut text = String::new();
    if let Some(given) = given {
        text.push_str("There is an ontology already. Write only types and relationships to add, for what it lacks; none if it lacks nothing. Relationships may use its types:\n");
        for (label, node) in &given.nodes {
            let _ = writeln!(text, "- {label}: {}", quotable(&node.description).replace('\n', " "));
        }
        for kind in given.relationships.keys() {
            let _ = writeln!(text, "- {kind}");
        }
    }
    for (title, passage) in sample(documents) {
        let line = |text: &str| quotable(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "Passage of \"{}\": {}", line(&title), line(&passage));
    }
    let output = OutputFormat::LenientJsonSchema { name: "ontology".to_owned(), schema: schema() };
    ChatRequest { output, temperature: Some(0.0), max_tokens: Some(8_192), ..ChatRequest::new(PROMPT, text) }
}

/// Returns passages from all over the documents, in their order, with the titles.
fn sample(documents: &[Arc<ParsedDocument>]) -> Vec<(String, String)> {
    let step = documents.len().div_ceil(PASSAGES).max(1);
    let chosen: Vec<_> = documents.iter().step_by(step).collect();
    let each = (PASSAGES / chosen.len().max(1)).max(1);
    let of_document = |document: &&Arc<ParsedDocument>| {
        let chunks = Splitter { size: PASSAGE_BYTES }.split(document);
        let step = chunks.len().div_ceil(each).max(1);
        let passages = chunks.into_iter().step_by(step).map(|chunk| (document.title.clone(), chunk.text));
        passages.collect::<Vec<_>>()
    };
    chosen.iter().flat_map(of_document).collect()
}

fn schema() -> Json {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    let object = |properties: Json| {
        let required: Vec<String> =
            properties.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let list = |items: Json| json!({"type": "array", "items": items});
    let kinds =
        json!({"type": "string", "enum": ["string", "integer", "float", "boolean", "date", "datetime"]});
    let property = object(json!({"name": text, "type": kinds, "description": text}));
    object(json!({
        "types": list(object(json!({
            "label": text, "description": text, "synonyms": texts, "properties": list(property),
        }))),
        "relationships": list(object(json!({
            "type": text, "description": text, "from": texts, "to": texts, "phrases": texts,
        }))),
    }))
}

#[derive(Debug, Deserialize)]
struct Type {
    #[serde(alias = "name", alias = "type")]
    label: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    synonyms: Option<Vec<String>>,
    #[serde(default)]
    properties: Option<Vec<Json>>,
}

#[derive(Debug, Deserialize)]
struct Property {
    name: String,
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    description: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Relationship {
    #[serde(rename = "type", alias = "name", alias = "label")]
    kind: String,
    #[serde(default)]
    description: Option<String>,
    from: Json,
    to: Json,
    #[serde(default)]
    phrases: Option<Vec<String>>,
}

/// Reads a proposal, and leaves out what would be an error. Fails with what is wrong if nothing is left.
fn read(reply: &str, given: Option<&Ontology>) -> Result<Ontology, String> {
    let found = graphwright_llm::read_json(reply).into_iter().map(|parsed| parsed.value);
    let Some(proposed) = found.max_by_key(|value| value.get("types").map_or(0, |_| 1)) else {
        return Err("it is not JSON".to_owned());
    };
    let list = |name: &str| proposed.get(name).and_then(Json::as_array).cloned().unwrap_or_default();
    let mut taken = given.cloned().unwrap_or_default();
    let (types, relationships) = match given {
        Some(_) => (MOST_NEW_TYPES, MOST_NEW_RELATIONSHIPS),
        None => (MOST_TYPES, MOST_RELATIONSHIPS),
    };
    let (types, relationships) = (types + taken.nodes.len(), relationships + taken.relationships.len());
    let proposed: Vec<Type> = list("types").iter().filter_map(|item| Type::deserialize(item).ok()).collect();
    let labels: BTreeSet<String> =
        proposed.iter().map(|proposed| pascal_case(&proposed.label).to_lowercase()).collect();
    for proposed in proposed {
        if taken.nodes.len() < types {
            add_type(&mut taken, proposed, &labels);
        }
    }
    for proposed in list("relationships").iter().filter_map(|item| Relationship::deserialize(item).ok()) {
        if taken.relationships.len() < relationships {
            add_relationship(&mut taken, proposed);
        }
    }
    let findings = taken.check();
    let errors: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    if given.is_none() && taken.relationships.is_empty() {
        return Err("it has no relationship between its types".to_owned());
    }
    Ok(taken)
}

/// Adds a type. `labels` are those of all proposed types, which are no synonyms of others.
fn add_type(taken: &mut Ontology, proposed: Type, labels: &BTreeSet<String>) {
    let label = pascal_case(&proposed.label);
    let words: BTreeSet<String> = taken
        .nodes
        .iter()
        .flat_map(|(label, node)| node.synonyms.iter().chain([label]))
        .map(|word| word.to_lowercase())
        .collect();
    if label.is_empty() || !may_be_label(&label) || words.contains(&label.to_lowercase()) {
        return;
    }
    let mut node = NodeType { description: line(proposed.description), ..NodeType::default() };
    let mut own = BTreeSet::from([label.to_lowercase()]);
    for synonym in proposed.synonyms.into_iter().flatten().take(4) {
        let folded = synonym.trim().to_lowercase();
        if !folded.is_empty() && !words.contains(&folded) && !labels.contains(&folded) && own.insert(folded) {
            node.synonyms.push(synonym.trim().to_owned());
        }
    }
    let properties = proposed.properties.into_iter().flatten();
    for property in properties.filter_map(|item| Property::deserialize(&item).ok()).take(MOST_PROPERTIES) {
        let name = snake_case(&property.name);
        // The name is known without being told.
        let taken = [names::NAME, names::ALIASES, names::ID, names::EMBEDDING].contains(&name.as_str());
        if !name.is_empty() && !taken && !names::is_reserved(&name) {
            let kind = property.kind.and_then(|kind| kind.parse().ok()).unwrap_or(DataType::String);
            let description = line(property.description);
            node.properties.insert(name, PropertyType { kind, description, ..PropertyType::default() });
        }
    }
    taken.nodes.insert(label, node);
}

fn add_relationship(taken: &mut Ontology, proposed: Relationship) {
    let kind = upper_snake_case(&proposed.kind);
    let ends = |ends: &Json| -> Vec<String> {
        let all = match ends {
            Json::Array(all) => all.iter().filter_map(Json::as_str).collect(),
            end => end.as_str().into_iter().collect::<Vec<_>>(),
        };
        let known = all.into_iter().map(pascal_case).filter(|label| taken.nodes.contains_key(label));
        let known: BTreeSet<String> = known.collect();
        known.into_iter().collect()
    };
    let (from, to) = (ends(&proposed.from), ends(&proposed.to));
    if !may_be_relationship(&kind)
        || from.is_empty()
        || to.is_empty()
        || taken.relationships.contains_key(&kind)
    {
        return;
    }
    let phrases = proposed.phrases.into_iter().flatten().map(|phrase| phrase.trim().to_lowercase());
    let cues: BTreeSet<String> = phrases.filter(|phrase| !phrase.is_empty()).take(5).collect();
    let description = line(proposed.description);
    let cues = cues.into_iter().collect();
    taken
        .relationships
        .insert(kind, RelationshipType { description, from, to, cues, ..RelationshipType::default() });
}

fn line(text: Option<String>) -> String {
    let text = text.unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    graphwright_core::text::shorten(&line, 200)
}

#[cfg(test)]
mod tests {
    use graphwright_core::{Document, Properties, document::TextFormat};
    use graphwright_llm::ScriptedModel;

    use super::*;

    const GOOD: &str = r#"Here it is: {"types": [
        {"label": "service", "description": "A program.", "synonyms": ["microservice", "Team"], "properties": [{"name": "Tier", "type": "integer", "description": ""}, {"name": "name", "type": "string"}]},
        {"label": "Team", "description": "People."}, {"label": "Document"}, {"label": "Team"}],
        "relationships": [{"type": "owned by", "from": ["Service"], "to": "Team", "phrases": ["is owned by"]},
        {"type": "EATS", "from": ["Service"], "to": ["Cake"]}, {"type": "FROM_CHUNK", "from": ["Team"], "to": ["Team"]}],}"#;

    fn documents(number: usize) -> Vec<Arc<ParsedDocument>> {
        let document = |index: usize| {
            Arc::new(ParsedDocument::from(Document {
                id: format!("{index}"),
                source: format!("{index}.md"),
                title: format!("Note {index}"),
                text: format!("The ledger is owned by Payments. {}", "It runs. ".repeat(400)),
                format: TextFormat::Markdown,
                hash: String::new(),
                metadata: Properties::default(),
            }))
        };
        (0..number).map(document).collect()
    }

    #[tokio::test]
    async fn a_proposal_is_taken_as_far_as_it_is_valid() {
        let model = ScriptedModel::replies([GOOD]);
        let proposal = Proposer::new(Arc::new(model.clone())).propose(&documents(3), None).await.unwrap();
        assert!(proposal.ontology.check().iter().all(|finding| finding.severity != Severity::Error));
        insta::assert_snapshot!(proposal.ontology.to_yaml().unwrap());
        let passages =
            |model: &ScriptedModel| model.requests()[0].messages[1].text().matches("Passage of").count();
        assert!((3..=PASSAGES).contains(&passages(&model)));
        let model = ScriptedModel::replies([GOOD]);
        Proposer::new(Arc::new(model.clone())).propose(&documents(100), None).await.unwrap();
        assert!((10..=PASSAGES).contains(&passages(&model)));
    }

    #[tokio::test]
    async fn a_faulty_proposal_is_asked_for_once_more() {
        let model = ScriptedModel::replies(["I would not know.", GOOD]);
        let proposal = Proposer::new(Arc::new(model.clone())).propose(&documents(1), None).await.unwrap();
        assert_eq!(proposal.usage.requests, 2);
        assert!(model.requests()[1].messages[3].text().starts_with("This cannot be used: it is not JSON"));
        let model = ScriptedModel::replies(["no", r#"{"types": [{"label": "Team"}]}"#]);
        let failed = Proposer::new(Arc::new(model)).propose(&documents(1), None).await;
        assert!(failed.unwrap_err().to_string().contains("no relationship between its types"));
    }

    #[tokio::test]
    async fn what_is_given_stays_and_is_added_to() {
        let given =
            Ontology::parse("nodes: {Team: {description: Ours.}}", std::path::Path::new("o.yaml")).unwrap();
        let model = ScriptedModel::replies([GOOD]);
        let extended =
            Proposer::new(Arc::new(model)).propose(&documents(1), Some(&given)).await.unwrap().ontology;
        assert_eq!(extended.nodes["Team"].description, "Ours.");
        assert_eq!(extended.nodes.keys().collect::<Vec<_>>(), ["Team", "Service"]);
        assert!(extended.relationships.contains_key("OWNED_BY"));
        let none = ScriptedModel::replies([r#"{"types": [], "relationships": []}"#]);
        let same = Proposer::new(Arc::new(none)).propose(&documents(1), Some(&given)).await.unwrap().ontology;
        assert_eq!(same, given);
    }
}
