//! Rewrite: a question that refers back to the conversation is made to stand alone, visibly.

use graphwright_answer::{Event, stand_alone};

use crate::{
    event::{Accepted, Asked, Clear},
    session::Session,
};

/// Rewrites a question that refers back. If the model fails, the question stays as it is.
pub(crate) async fn rewrite(session: &Session, Accepted(mut asked): Accepted) -> Clear {
    if asked.conversation.is_empty() {
        return Clear(asked);
    }
    // From here on the question is on its own, also in the flows that it is handed to.
    let conversation = std::mem::take(&mut asked.conversation);
    let told: String = conversation
        .iter()
        .map(|turn| format!("User: {}\nAssistant: {}\n", turn.question, turn.answer))
        .collect();
    match stand_alone(&*session.model, &told, &asked.question).await {
        Ok((rewritten, usage)) => {
            session.spend(usage);
            let Some(rewritten) = rewritten else { return Clear(asked) };
            let question = asked.question.clone();
            session.tell(Event::Rewritten { question, rewritten: rewritten.clone() });
            session.note(format!("Asked as: {rewritten}"));
            Clear(Asked { question: rewritten, ..asked })
        }
        Err(error) => {
            session.note(format!("The question is taken as it is, without what was said before: {error}."));
            Clear(asked)
        }
    }
}
