//! Guard: is the question about this graph?

use graphwright_flow::OneOf;
use graphwright_llm::ChatRequest;

use crate::{
    error::Result,
    event::{Accepted, Asked, Outcome},
    session::Session,
};

/// The most tokens of what the model is told of the graph.
const OUTLINE_TOKENS: u64 = 600;

/// Whether a question is about this graph. If not, the answer says what can be asked.
#[derive(OneOf)]
pub(crate) enum Guarded {
    Accepted(Accepted),
    Ended(Outcome),
}

/// Lets pass what may be about this graph.
///
/// The model is asked only where no word of the question names anything in the graph.
pub(crate) async fn guard(session: &Session, asked: Asked) -> Result<Guarded> {
    if asked.is_accepted {
        return Ok(Accepted(asked).into());
    }
    if let Some(talk) = session.answerer.answer_to_talk(&asked.question).await? {
        return Ok(Outcome::without_rows(talk).into());
    }
    // A question that refers back may name nothing itself.
    let is_known = !asked.conversation.is_empty()
        || !session.answerer.question_terms(&asked.question).is_empty()
        || may_be_about(session, &asked.question).await?;
    if is_known {
        return Ok(Accepted(Asked { is_accepted: true, ..asked }).into());
    }
    let mut answer = session.answerer.answer_beside_the_graph(&asked.question).await?;
    answer.model = Some(session.model.name().to_owned());
    Ok(Outcome::without_rows(answer).into())
}

/// Asks the model. Only a plain no counts: a question that passes wrongly still ends in an answer that names what is missing.
async fn may_be_about(session: &Session, question: &str) -> Result<bool> {
    let outline = session.answerer.outline(OUTLINE_TOKENS);
    let request = ChatRequest::new(
        include_str!("../../prompts/guard.md"),
        format!("{outline}\nQuestion: {question}\n"),
    );
    let reply = session.chat("whether the question is about this graph", request).await?;
    let first = reply.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty());
    Ok(!first.is_some_and(|word| word.eq_ignore_ascii_case("no")))
}
