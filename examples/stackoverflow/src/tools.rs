//! The tools of the agent. Each method is a tool, and its doc comment is what the model reads.

use std::{collections::HashSet, sync::Arc};

use graphwright::{
    Event, GraphSnapshot, SearchRequest, ToolContext, ToolError, ToolOutput, llm::estimate_tokens,
    search::Topology, toolbox,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    names::{ANSWER, QUESTION, USER},
    post::Item,
};

/// Approximate maximum tokens of one result. What does not fit is counted, or can be asked for.
const TOKENS: u64 = 1_500;
/// Maximum bytes of a post in a list.
const EXCERPT: usize = 400;
/// Maximum number of names shown if one is unknown or ambiguous.
const MOST_NAMES: usize = 6;

/// The posts of a site at one moment, over which one run of the agent works.
#[derive(Debug)]
pub struct Posts {
    graph: Arc<GraphSnapshot>,
}

/// Questions or answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Question,
    Answer,
}

impl Posts {
    /// Creates the tools over a snapshot of the graph.
    pub fn new(graph: GraphSnapshot) -> Self {
        Self { graph: Arc::new(graph) }
    }

    fn topology(&self) -> &Topology {
        self.graph.topology()
    }

    fn find_post(&self, id: &str) -> Result<Item<'_>, ToolError> {
        Item::post(self.topology(), id).ok_or_else(|| {
            ToolError::bad_arguments(format!("there is no post {id:?}"))
                .with_hint("give an id that a tool returned, as Question:12; search_posts_by_similarity finds posts by words")
        })
    }

    /// Finds a question. An answer stands for the question that it answers.
    fn find_question(&self, id: &str) -> Result<Item<'_>, ToolError> {
        let post = self.find_post(id)?;
        if post.is_question() {
            return Ok(post);
        }
        post.question().ok_or_else(|| {
            ToolError::new(format!("{} is an answer to a question that is not in the graph", post.id()))
        })
    }

    /// Finds the only user with this name or id.
    fn find_user(&self, name: &str) -> Result<Item<'_>, ToolError> {
        let found = self.graph.find(name, Some(USER), MOST_NAMES);
        let users = found.iter().map(|(node, found)| (Item::new(self.topology(), *node), found));
        let same = |found: &str| found.to_lowercase() == name.trim().to_lowercase();
        let (exact, near): (Vec<_>, Vec<_>) =
            users.partition(|(user, found)| same(&found.name) || user.id() == name.trim());
        let list = |users: &[(Item<'_>, _)]| {
            users.iter().map(|(user, _)| user.user_line()).collect::<Vec<_>>().join("; ")
        };
        match exact.as_slice() {
            [(user, _)] => Ok(*user),
            [] if near.is_empty() => Err(ToolError::bad_arguments(format!("there is no user {name:?}"))
                .with_hint("give the name as the posts have it, or search without the user")),
            [] => Err(ToolError::bad_arguments(format!("there is no user {name:?}"))
                .with_hint(format!("near names: {}", list(&near)))),
            _ => Err(ToolError::bad_arguments(format!("several users are called {name:?}"))
                .with_hint(format!("give the id of one: {}", list(&exact)))),
        }
    }
}

#[toolbox(read_only)]
impl Posts {
    /// Finds questions and answers by the words and the meaning of their titles and texts, nearest first. With an author it answers
    /// "what did somebody say about something".
    #[tool]
    async fn search_posts_by_similarity(
        &self,
        /// What the posts are about, in a few words.
        query: String,
        /// Only posts of this user, by name or id.
        author: Option<String>,
        /// Only questions or only answers.
        kind: Option<Kind>,
        /// How many at most.
        #[default(6)]
        #[range(1..=20)]
        limit: usize,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if query.trim().is_empty() {
            return Err(
                ToolError::bad_arguments("the query is empty").with_hint("say what the posts are about")
            );
        }
        let labels = match kind {
            None => vec![QUESTION, ANSWER],
            Some(Kind::Question) => vec![QUESTION],
            Some(Kind::Answer) => vec![ANSWER],
        };
        let author = author.map(|name| self.find_user(&name)).transpose()?;
        let among: Option<HashSet<String>> =
            author.map(|author| author.posts().into_iter().map(|post| post.id().to_owned()).collect());
        let labels = labels.into_iter().map(str::to_owned).collect();
        let request = SearchRequest { labels, among, limit, ..SearchRequest::new(&query) };
        let index = self.graph.search().map_err(|reason| {
            ToolError::new(format!("posts cannot be searched: {reason}")).with_hint("use get_posts_by_user")
        })?;
        let results = index.search(&request).await?;
        let stale = results.stale.then(|| "the search index is older than the graph".to_owned());
        let notes: Vec<String> = results.notices.into_iter().chain(stale).collect();
        for note in &notes {
            context.emit(Event::Step { what: note.clone() });
        }
        // The index may hold posts that are no longer in the graph.
        let hits = results.hits.into_iter().filter_map(|hit| {
            Some((Item::new(self.topology(), self.topology().node_by_id(&hit.id)?), hit.score))
        });
        let of = author.map_or_else(String::new, |author| format!(" of {}", author.name()));
        Ok(list(&format!("Posts{of} nearest to {query:?}"), hits.collect(), &notes))
    }

    /// Reads a question or an answer: who wrote it, when, its score, tags, text and comments. A long text comes in parts.
    #[tool]
    fn get_post(
        &self,
        /// The id, as Question:12 or Answer:34, its number on the site, or its address.
        id: String,
        /// From which byte of the text on.
        #[default(0)]
        start: usize,
    ) -> Result<ToolOutput, ToolError> {
        Ok(whole(self.find_post(&id)?, start))
    }

    /// Lists the answers to a question with the beginning of each: the accepted one first, then by score.
    #[tool]
    fn get_answers_for_post(
        &self,
        /// The id of the question.
        id: String,
    ) -> Result<ToolOutput, ToolError> {
        let question = self.find_question(&id)?;
        let answers: Vec<_> = question.answers().into_iter().map(|answer| (answer, 1.0)).collect();
        let title = format!("Answers to {} {:?}", question.id(), question.title());
        Ok(list(&title, answers, &[]))
    }

    /// Reads the answer to a question that who asked it accepted; that there is none is an answer too.
    #[tool]
    fn get_accepted_answer(
        &self,
        /// The id of the question.
        id: String,
    ) -> Result<ToolOutput, ToolError> {
        let question = self.find_question(&id)?;
        let answers = question.answers();
        if let Some(accepted) = answers.iter().find(|answer| answer.is_accepted()) {
            return Ok(whole(*accepted, 0));
        }
        let why = match question.number("accepted_answer_id") {
            Some(number) => format!("its accepted answer has the number {number} and is not in the graph"),
            None => "no answer was accepted".to_owned(),
        };
        let text = format!(
            "{} {:?}: {why}. It has {} answers in the graph.",
            question.id(),
            question.title(),
            answers.len()
        );
        let structured = json!({"entities": [question.entity(1.0)]});
        Ok(ToolOutput { text, structured: Some(structured) })
    }

    /// Lists the questions and answers of a user with the beginning of each, those with the highest score first.
    #[tool]
    fn get_posts_by_user(
        &self,
        /// The name or id of the user.
        user: String,
        /// Only questions or only answers.
        kind: Option<Kind>,
        /// How many at most.
        #[default(10)]
        #[range(1..=50)]
        limit: usize,
    ) -> Result<ToolOutput, ToolError> {
        let user = self.find_user(&user)?;
        let mut posts = user.posts();
        let questions = posts.iter().filter(|post| post.is_question()).count();
        let title = format!(
            "{} (id {}) wrote {questions} questions and {} answers",
            user.name(),
            user.id(),
            posts.len() - questions
        );
        posts.retain(|post| match kind {
            None => true,
            Some(Kind::Question) => post.is_question(),
            Some(Kind::Answer) => post.is_answer(),
        });
        posts.truncate(limit);
        let mut output = list(&title, posts.into_iter().map(|post| (post, 1.0)).collect(), &[]);
        if let Some(entities) = output.structured.as_mut().and_then(|value| value["entities"].as_array_mut())
        {
            entities.insert(0, user.entity(1.0));
        }
        Ok(output)
    }
}

/// Lists posts with the beginning of each, as many as fit, with id and source.
fn list(title: &str, posts: Vec<(Item<'_>, f64)>, notes: &[String]) -> ToolOutput {
    let mut text = if posts.is_empty() { format!("{title}: none.\n") } else { format!("{title}:\n") };
    let (mut shown, all) = (Vec::new(), posts.len());
    for (post, score) in posts {
        let end = cut(post.body(), 0, EXCERPT);
        let more = if end < post.body().len() { " …" } else { "" };
        let quoted = post.body()[..end].trim().replace('\n', "\n  > ");
        let source = post.source();
        let piece = format!("- {}\n  Source: {source}\n  > {quoted}{more}\n", post.heading());
        if !shown.is_empty() && estimate_tokens(&text) + estimate_tokens(&piece) > TOKENS {
            break;
        }
        text.push_str(&piece);
        shown.push((post, post.passage(0, end, score)));
    }
    if shown.len() < all {
        text.push_str(&format!("({} more are left out for length)\n", all - shown.len()));
    }
    for note in notes {
        text.push_str(&format!("Note: {note}.\n"));
    }
    let entities: Vec<Value> = shown.iter().map(|(post, passage)| post.entity(passage.score)).collect();
    let passages: Vec<_> = shown.into_iter().map(|(_, passage)| passage).collect();
    ToolOutput { text, structured: Some(json!({"entities": entities, "passages": passages, "notes": notes})) }
}

/// Returns a post from byte `start` of its text on, as much as fits. Adds comments if the whole
/// text fits.
fn whole(post: Item<'_>, start: usize) -> ToolOutput {
    let body = post.body();
    let start = body.floor_char_boundary(start.min(body.len()));
    let heading = post.heading();
    let room = TOKENS.saturating_sub(estimate_tokens(&heading)) * 4;
    let end = cut(body, start, usize::try_from(room).unwrap_or(usize::MAX));
    let mut text = format!("{heading}\nSource: {}\n\n{}\n", post.source(), &body[start..end]);
    if end < body.len() {
        text.push_str(&format!(
            "[bytes {start} to {end} of {}; get_post with start {end} goes on]\n",
            body.len()
        ));
    }
    let comments = post.comments();
    let mut told = 0;
    for comment in &comments {
        let line = format!("Comment by {} ({}): {}\n", comment.author_name(), comment.id(), comment.body());
        if end < body.len() || estimate_tokens(&text) + estimate_tokens(&line) > TOKENS {
            break;
        }
        text.push_str(&line);
        told += 1;
    }
    if told < comments.len() {
        text.push_str(&format!("({} comments are left out for length)\n", comments.len() - told));
    }
    let structured = json!({"entities": [post.entity(1.0)], "passages": [post.passage(start, end, 1.0)]});
    ToolOutput { text, structured: Some(structured) }
}

/// Returns where a piece of at most `bytes` bytes ends: after a word, if one ends in its second
/// half.
fn cut(text: &str, start: usize, bytes: usize) -> usize {
    let most = text.floor_char_boundary(start.saturating_add(bytes).min(text.len()));
    if most == text.len() {
        return most;
    }
    let piece = &text[start..most];
    piece.rfind(char::is_whitespace).filter(|end| end * 2 > piece.len()).map_or(most, |end| start + end)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn pieces_end_behind_words_and_between_letters() {
        assert_eq!(cut("short", 0, 10), 5);
        assert_eq!(cut("some words here", 0, 12), 10);
        assert_eq!(cut(&"ä".repeat(9), 0, 5), 4);
        assert_eq!(cut("some words here", 11, 2), 13);
    }
}
