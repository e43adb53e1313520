//! Reads passages, questions and facts.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    path::Path,
};

use serde::Deserialize;
use serde_json::Value as Json;

use crate::{Error, Result};

/// Passages, and questions about them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Collection {
    /// The passages.
    pub passages: Vec<Passage>,
    /// The questions.
    pub questions: Vec<Question>,
    /// Facts that were extracted from the passages; empty where none are given.
    pub facts: Vec<Fact>,
}

/// A passage.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Passage {
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// A question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// The question.
    pub text: String,
    /// Positions of the passages that answer it, in order.
    pub gold: BTreeSet<usize>,
    /// Number of gold passages that the corpus does not have. They count as not found.
    pub missing: usize,
}

/// A fact that a passage states.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fact {
    /// Position of the passage.
    pub passage: usize,
    /// Subject and object.
    pub entities: [String; 2],
}

impl Collection {
    /// Reads files in the forms of HippoRAG.
    ///
    /// - `corpus`: a list of `{title, text}`, or an object from titles to lists of sentences.
    /// - `questions`: a list of objects with `question` and either `paragraphs` or `contexts`
    ///   (`{title, text or paragraph_text, is_supporting}`), or `supporting_facts` (titles with numbers of sentences)
    ///   and `context` (titles with sentences).
    /// - `facts`: an object with `docs`, a list of `{passage, extracted_triples}`.
    ///
    /// # Errors
    /// If a file cannot be read or is of another form; the error says where.
    pub fn read(corpus: &Path, questions: &Path, facts: Option<&Path>) -> Result<Self> {
        let passages = read_corpus(corpus)?;
        let by_text: HashMap<String, usize> =
            passages.iter().enumerate().map(|(at, passage)| (passage.key(), at)).collect();
        let list = read_json(questions)?;
        let list =
            list.as_array().ok_or_else(|| Error::form(questions, "a list of questions is expected"))?;
        let gold = Gold { passages: &passages, by_text: &by_text };
        let read = |(number, question): (usize, &Json)| {
            gold.question(question)
                .map_err(|message| Error::form(questions, &format!("question {}: {message}", number + 1)))
        };
        let questions = list.iter().enumerate().map(read).collect::<Result<_>>()?;
        let facts = facts.map_or_else(|| Ok(Vec::new()), |facts| read_facts(facts, &by_text))?;
        Ok(Self { passages, questions, facts })
    }
}

impl Passage {
    fn key(&self) -> String {
        key(&self.title, &self.text)
    }
}

/// Passages are compared without regard to white space.
fn key(title: &str, text: &str) -> String {
    title.split_whitespace().chain(["\n"]).chain(text.split_whitespace()).collect()
}

fn read_json(path: &Path) -> Result<Json> {
    let text = crate::read_text(path).map_err(|error| Error::cannot_read(path, error))?;
    serde_json::from_str(&without_nan(&text)).map_err(|error| Error::form(path, &error.to_string()))
}

/// Replaces `NaN`, which Python writes for the mean of nothing and JSON does not know, by `null`.
fn without_nan(text: &str) -> Cow<'_, str> {
    const NAN: &str = "NaN";
    let (mut in_string, mut escaped) = (false, false);
    let mut places = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => in_string = !in_string,
            b'N' if !in_string && text[at..].starts_with(NAN) => places.push(at),
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
    }
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut whole, mut start) = (String::with_capacity(text.len() + places.len()), 0);
    for at in places {
        whole.push_str(&text[start..at]);
        whole.push_str("null");
        start = at + NAN.len();
    }
    whole.push_str(&text[start..]);
    Cow::Owned(whole)
}

fn read_corpus(path: &Path) -> Result<Vec<Passage>> {
    let passages = match read_json(path)? {
        Json::Object(by_title) => by_title
            .into_iter()
            .map(|(title, sentences)| {
                let text = sentences_of(&sentences).ok_or_else(|| {
                    Error::form(path, &format!("{title:?}: a list of sentences is expected"))
                })?;
                Ok(Passage { title, text })
            })
            .collect::<Result<Vec<_>>>()?,
        list => serde_json::from_value(list)
            .map_err(|error| Error::form(path, &format!("a list of {{title, text}} is expected: {error}")))?,
    };
    if passages.is_empty() {
        return Err(Error::form(path, "it has no passages"));
    }
    Ok(passages)
}

fn sentences_of(sentences: &Json) -> Option<String> {
    sentences.as_array()?.iter().map(Json::as_str).collect()
}

/// Finds the passages of questions.
struct Gold<'a> {
    passages: &'a [Passage],
    by_text: &'a HashMap<String, usize>,
}

impl Gold<'_> {
    fn question(&self, question: &Json) -> Result<Question, String> {
        let text = question["question"].as_str().ok_or("`question` is missing")?.to_owned();
        let given = ["paragraphs", "contexts"].into_iter().find_map(|form| question[form].as_array());
        let found: Vec<Option<usize>> = match (given, question["supporting_facts"].as_array()) {
            (Some(paragraphs), _) => {
                let is_gold = |paragraph: &&Json| paragraph["is_supporting"].as_bool() != Some(false);
                paragraphs
                    .iter()
                    .filter(is_gold)
                    .map(|paragraph| self.paragraph(paragraph))
                    .collect::<Result<_, _>>()?
            }
            (None, Some(facts)) => {
                let titles =
                    facts.iter().map(|fact| fact[0].as_str().ok_or("a supporting fact has no title"));
                let titles: BTreeSet<&str> = titles.collect::<Result<_, _>>()?;
                titles.into_iter().map(|title| self.titled(title, &question["context"])).collect()
            }
            (None, None) => {
                return Err("`paragraphs`, `contexts` and `supporting_facts` are missing".to_owned());
            }
        };
        if found.is_empty() {
            return Err("no passage of it is marked as gold".to_owned());
        }
        let missing = found.iter().filter(|place| place.is_none()).count();
        Ok(Question { text, gold: found.into_iter().flatten().collect(), missing })
    }

    fn paragraph(&self, paragraph: &Json) -> Result<Option<usize>, String> {
        let title = paragraph["title"].as_str().ok_or("a paragraph has no `title`")?;
        let text = ["paragraph_text", "text"].into_iter().find_map(|form| paragraph[form].as_str());
        Ok(self.by_text.get(&key(title, text.ok_or("a paragraph has no `text`")?)).copied())
    }

    /// Finds a passage by its title, and by the sentences of the question's context where several have that title.
    fn titled(&self, title: &str, context: &Json) -> Option<usize> {
        let mut context = context.as_array().into_iter().flatten();
        let sentences = context.find(|entry| entry[0].as_str() == Some(title)).map(|entry| &entry[1]);
        let text = sentences.and_then(sentences_of);
        let exact = text.and_then(|text| self.by_text.get(&key(title, &text)).copied());
        exact.or_else(|| self.passages.iter().position(|passage| passage.title == title))
    }
}

#[derive(Deserialize)]
struct Extracted {
    docs: Vec<ExtractedFrom>,
}

#[derive(Deserialize)]
struct ExtractedFrom {
    passage: String,
    extracted_triples: Vec<Vec<Json>>,
}

fn read_facts(path: &Path, by_text: &HashMap<String, usize>) -> Result<Vec<Fact>> {
    let read: Extracted = serde_json::from_value(read_json(path)?).map_err(|error| {
        Error::form(path, &format!("`docs` with `passage` and `extracted_triples` is expected: {error}"))
    })?;
    let mut facts = Vec::new();
    for from in read.docs {
        let (title, text) = from.passage.split_once('\n').unwrap_or(("", &from.passage));
        let Some(&passage) = by_text.get(&key(title, text)) else {
            let start: String = from.passage.chars().take(60).collect();
            return Err(Error::form(path, &format!("the corpus has no passage {start:?}")));
        };
        for triple in from.extracted_triples {
            // Models leave out parts of a triple; such a one says nothing.
            if let [subject, _, object] = triple.as_slice()
                && let (Some(subject), Some(object)) = (subject.as_str(), object.as_str())
            {
                facts.push(Fact { passage, entities: [subject.to_owned(), object.to_owned()] });
            }
        }
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(corpus: &str, questions: &str, facts: Option<&str>) -> Result<Collection> {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let facts = facts.map(|facts| file("facts.json", facts));
        Collection::read(&file("corpus.json", corpus), &file("questions.json", questions), facts.as_deref())
    }

    const CORPUS: &str = r#"[{"title": "A", "text": "One."}, {"title": "A", "text": "Two.  More."}, {"title": "B", "text": "3"}]"#;

    #[test]
    fn the_forms_of_the_published_sets_are_read() {
        let musique = r#"[{"question": "Q?", "paragraphs": [
            {"title": "A", "paragraph_text": "Two. More.", "is_supporting": true},
            {"title": "B", "paragraph_text": "3", "is_supporting": false}]}]"#;
        let facts = r#"{"docs": [{"passage": "A\nOne.", "extracted_triples": [["x", "is", "NaN \" NaN"], ["x", "is"]]}],
            "mean": NaN}"#;
        let read_all = read(CORPUS, musique, Some(facts)).unwrap();
        assert_eq!(read_all.questions[0].gold, [1].into());
        assert_eq!((read_all.facts.len(), read_all.facts[0].passage), (1, 0));
        assert_eq!(read_all.facts[0].entities[1], "NaN \" NaN");
        let hotpot = r#"[{"question": "Q?", "supporting_facts": [["A", 0], ["A", 1], ["B", 0], ["C", 0]],
            "context": [["A", ["Two. ", "More."]]]}]"#;
        let question = read(CORPUS, hotpot, None).unwrap().questions.remove(0);
        assert_eq!((question.gold, question.missing), ([1, 2].into(), 1));
        let contexts = r#"[{"question": "Q?", "contexts": [{"title": "B", "text": "3"}]}]"#;
        let by_title = read(r#"{"B": ["3"]}"#, contexts, None).unwrap();
        assert_eq!(by_title.questions[0].gold, [0].into());
    }

    #[test]
    fn what_is_malformed_is_told_with_its_place() {
        let message = |corpus, questions, facts| read(corpus, questions, facts).unwrap_err().to_string();
        assert!(message("[]", "[]", None).ends_with("corpus.json: it has no passages"));
        assert!(message(r#"{"A": 3}"#, "[]", None).contains("\"A\": a list of sentences is expected"));
        assert!(message(CORPUS, r#"[{"question": "Q?"}]"#, None).contains("question 1: `paragraphs`"));
        assert!(message(CORPUS, "{}", None).contains("a list of questions is expected"));
        assert!(message(CORPUS, "[", None).contains("questions.json"));
        let elsewhere = r#"{"docs": [{"passage": "Z\nz", "extracted_triples": []}]}"#;
        assert!(message(CORPUS, "[]", Some(elsewhere)).contains("the corpus has no passage"));
    }
}
