//! Judges that look at claims behind the check: models, and a player that stands for one.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use graphwright::Settings;
use graphwright_llm::{ChatModel, ChatRequest, LlmError, ScriptedModel, probe};
use serde_json::json;

/// The player's name.
const PLAYER: &str = "player";
/// How often the player is right, unless its name says it.
const RIGHT: f64 = 0.9;
/// How often it says nothing that can be read, and how often it fails.
const UNREADABLE: f64 = 0.02;
const FAILS: f64 = 0.01;

pub(super) enum Judge {
    Model(Arc<dyn ChatModel>),
    /// Plays verdicts that are right by what the experts said, this often. It shows the path, and nothing of any model.
    Player {
        right: f64,
        random: Rng,
    },
}

impl Judge {
    /// Makes the judge of a name: `player`, `player@0.8` (how often it is right) or `provider/model`, with its key from the
    /// environment.
    ///
    /// # Errors
    /// Fails if there is no such judge, or if the model does not answer.
    pub(super) async fn named(name: &str, seed: u64) -> Result<Self> {
        let (first, right) = name.split_once('@').unwrap_or((name, ""));
        if first == PLAYER {
            let right = if right.is_empty() { RIGHT } else { right.parse().unwrap_or(f64::NAN) };
            ensure!((0.0..=1.0).contains(&right), "{name} is no player: write {PLAYER}@0.8, from 0 to 1");
            return Ok(Self::Player { right, random: Rng::with_seed(seed) });
        }
        let settings = Settings::from_env()?.model(name);
        let model = graphwright::chat_model(&settings)?.context("no judge is named")?;
        probe(&*model).await?;
        Ok(Self::Model(model))
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Model(model) => model.name().to_owned(),
            Self::Player { right, .. } => format!("{PLAYER}@{right}, which says nothing of any model"),
        }
    }

    /// The model that judges a claim. Only the player looks at what the experts said.
    pub(super) fn of_claim(&mut self, is_supported: bool) -> Arc<dyn ChatModel> {
        match self {
            Self::Model(model) => Arc::clone(model),
            Self::Player { right, random } => {
                let says_supported = (random.f64() < *right) == is_supported;
                let (fate, dress) = (random.f64(), random.usize(..3));
                let play = move |request: &ChatRequest| played(request, says_supported, fate, dress);
                Arc::new(ScriptedModel::answering(play))
            }
        }
    }
}

fn played(
    request: &ChatRequest,
    says_supported: bool,
    fate: f64,
    dress: usize,
) -> Result<graphwright_llm::ChatReply, LlmError> {
    if fate < FAILS {
        return Err(LlmError::Unavailable { provider: PLAYER.to_owned(), message: "played".to_owned() });
    }
    if fate < FAILS + UNREADABLE {
        return Ok("That is hard to say.".into());
    }
    let prompt = request.messages.last().map(graphwright_llm::Message::text).unwrap_or_default();
    let statements = prompt.rsplit("\nStatements:\n").next().unwrap_or_default().lines();
    let numbered =
        statements.filter(|line| line.split(':').next().is_some_and(|part| part.parse::<usize>().is_ok()));
    let last = numbered.count();
    // Of what is not supported, it finds one statement.
    let verdicts: Vec<(usize, bool)> =
        (1..=last).map(|number| (number, says_supported || number < last)).collect();
    let as_json = || {
        let entries = verdicts.iter().map(|(number, supported)| {
            let missing = if *supported { "" } else { "played" };
            json!({"statement": number, "missing": missing, "supported": supported})
        });
        json!({"verdicts": entries.collect::<Vec<_>>()}).to_string()
    };
    let as_lines = || {
        let word = |supported: bool| if supported { "yes" } else { "no, played" };
        let lines = verdicts.iter().map(|(number, supported)| format!("{number}: {}", word(*supported)));
        lines.collect::<Vec<_>>().join("\n")
    };
    Ok(match dress {
        0 => as_json(),
        1 => format!("<think>Is it so?</think>\nHere:\n```json\n{}\n```", as_json().replace('"', "'")),
        _ => as_lines(),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use graphwright_answer::{AnswerCheck, Citable};

    use super::*;

    #[tokio::test]
    async fn the_player_is_as_often_right_as_its_name_says() {
        let mut judge = Judge::named("player@0.8", 1).await.unwrap();
        let (mut kept, mut open) = ([0, 0], 0);
        for number in 0..1_000 {
            let is_supported = number % 2 == 0;
            let check = AnswerCheck::new("", vec![Citable::from("Ada owns ledger and reports")]);
            let judged = check
                .with_judge(judge.of_claim(is_supported))
                .judge("Ada owns ledger [1]. Ada owns reports [1].")
                .await;
            kept[usize::from(is_supported)] += usize::from(judged.checked.faults().next().is_none());
            open += usize::from(judged.without_verdict == judged.asked);
        }
        assert!((380..440).contains(&kept[1]) && (90..140).contains(&kept[0]), "{kept:?}");
        assert!((15..50).contains(&open), "{open}");
    }

    #[tokio::test]
    async fn what_is_no_judge_is_refused() {
        for name in ["player@2", "player@x", "nobody"] {
            assert!(Judge::named(name, 1).await.is_err(), "{name}");
        }
    }
}
