//! The player: it stands for a model that makes the faults of recorded replies at their rates.
//!
//! It knows the gold queries. For each question it draws whether its first query has a fault, and of which class, at the rates of
//! [`Rates`]; it mends the fault with a probability when it is told that something is wrong, and judges rows rightly with another.
//! All draws depend on the seed, the question and the trial alone, so every flow meets the same faults. It shows what flows make
//! of faults, and nothing of any model.

mod draw;
mod mutate;
mod part;
mod rates;

pub use self::rates::{Counted, Rates};
use self::{draw::Draw, mutate::mutations, part::Part};
use super::{
    dataset::Expected,
    fault::{Fault, classify},
    gold::Opened,
};
use crate::Result;

/// The player that makes faults at the rates of recorded replies.
const NAME: &str = "player";
/// The player that always makes a fault, of each class as often as of the others.
const EVEN: &str = "player-even";
/// How often a player mends a fault that it is told of, unless its name says it.
const MENDS: f64 = 0.5;
/// How often it judges rows rightly.
const JUDGES: f64 = 0.9;

/// A player.
#[derive(Clone, Debug)]
pub struct Player {
    name: String,
    mends: f64,
    judges: f64,
    seed: u64,
    rates: Rates,
}

impl Player {
    /// Makes the player of a name: `player`, `player@0.5` (how often it mends a fault that it is told of) or `player@0.5:0.9` (how
    /// often it judges rightly, too); `player-even` always makes a fault, of each class as often as of the others. Returns `None` for
    /// the name of a model.
    ///
    /// # Errors
    /// Says what is wrong with the name of a player.
    ///
    /// ```
    /// use graphwright_eval::text2cypher::Player;
    ///
    /// assert!(Player::named("player@0.25:0.8", 1).is_ok_and(|player| player.is_some()));
    /// assert!(Player::named("openai/gpt-4o-mini", 1).is_ok_and(|player| player.is_none()));
    /// assert!(Player::named("player@7", 1).unwrap_err().contains("from 0 to 1"));
    /// ```
    pub fn named(name: &str, seed: u64) -> Result<Option<Self>, String> {
        let (rest, skills) = name.split_once('@').unwrap_or((name, ""));
        let rates = match rest {
            NAME => Rates::shipped(),
            EVEN => Rates::even(),
            _ => return Ok(None),
        };
        let (mends, judges) = skills.split_once(':').unwrap_or((skills, ""));
        let share = |text: &str, usual: f64| match text.parse() {
            _ if text.is_empty() => Ok(usual),
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
            _ => Err(format!("{text:?} in {name} is no probability from 0 to 1")),
        };
        let (mends, judges) = (share(mends, MENDS)?, share(judges, JUDGES)?);
        Ok(Some(Self { name: name.to_owned(), mends, judges, seed, rates }))
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Prepares what it says about one question, the `trial`th time that it is asked.
    pub(super) async fn part(&self, opened: &Opened, number: usize, trial: u32) -> Result<Part> {
        let asked = &opened.set.questions[number];
        let draw = Draw::new(self.seed, &[&opened.set.name, &asked.id, &trial.to_string()]);
        let fault = match asked.expects {
            Expected::Answer => self.faulty(opened, number, draw).await?,
            Expected::Refusal => {
                let fails = self.rates.fault(draw.share("class"), &[]).is_some();
                asked.tempting.clone().filter(|_| fails).map(|query| (Fault::MadeUp, query))
            }
        };
        Ok(Part::new(self, opened.clone(), number, draw, fault))
    }

    /// Draws a fault for a question, and makes it in its gold query. A class of which the query can have no fault gives way to the
    /// others.
    async fn faulty(&self, opened: &Opened, number: usize, draw: Draw) -> Result<Option<(Fault, String)>> {
        let asked = &opened.set.questions[number];
        let Some(gold) = asked.cypher.as_deref() else { return Ok(None) };
        let mut impossible = Vec::new();
        while let Some(fault) = self.rates.fault(draw.share("class"), &impossible) {
            for reply in rotated(mutations(fault, gold, asked, &opened.types), draw) {
                let is_meant = classify(&reply, gold, Some(&opened.lint), Some(false)) == Some(fault);
                // A fault that leaves the rows as they are is none.
                if is_meant && opened.judge(number, &reply).await? != Some(true) {
                    return Ok(Some((fault, reply)));
                }
            }
            impossible.push(fault);
        }
        Ok(None)
    }
}

/// Begins with another one of several ways to make a fault.
fn rotated(mut replies: Vec<String>, draw: Draw) -> Vec<String> {
    if !replies.is_empty() {
        let ways = replies.len();
        let first = (draw.share("way") * ways as f64) as usize;
        replies.rotate_left(first.min(ways - 1));
    }
    replies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text2cypher::{Dataset, films};

    const MANY: usize = 12;

    #[test]
    fn a_name_says_how_able_a_player_is() {
        let skills = |name: &str| {
            Player::named(name, 1).map(|player| player.map(|player| (player.mends, player.judges)))
        };
        assert_eq!(skills("player"), Ok(Some((0.5, 0.9))));
        assert_eq!(skills("player@0.25"), Ok(Some((0.25, 0.9))));
        assert_eq!(skills("player@:1"), Ok(Some((0.5, 1.0))));
        assert_eq!(skills("player-even@1"), Ok(Some((1.0, 0.9))));
        assert_eq!(skills("players"), Ok(None));
        assert!(skills("player@x").unwrap_err().contains("\"x\" in player@x"));
    }

    #[tokio::test]
    async fn each_class_of_faults_can_be_made_in_many_questions() {
        let opened = Opened::open(Dataset::shipped().unwrap(), films::store().await).await.unwrap();
        for fault in Fault::OF_QUERIES {
            let mut made = 0;
            for (number, asked) in opened.set.questions.iter().enumerate() {
                let Some(gold) = asked.cypher.as_deref().filter(|_| made < MANY) else { continue };
                for reply in mutations(fault, gold, asked, &opened.types) {
                    let is_meant = classify(&reply, gold, Some(&opened.lint), Some(false)) == Some(fault);
                    if is_meant && opened.judge(number, &reply).await.unwrap() != Some(true) {
                        made += 1;
                        break;
                    }
                }
            }
            assert_eq!(made, MANY, "{fault:?}");
        }
    }
}
