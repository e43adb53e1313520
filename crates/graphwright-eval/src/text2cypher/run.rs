//! Asks the questions of sets through flows of models, or plays again what was recorded.

use std::sync::Arc;

use futures::{StreamExt, stream};
use graphwright::{FlowLimits, FlowName};
use graphwright_llm::{ChatModel, Embedder};

use super::{
    ask::Job,
    entry::{Entry, Key, Results},
    gold::Opened,
    player::Player,
    relevancy::Judge,
    tape::Tape,
};
use crate::Result;

/// Who is asked.
#[derive(Clone, Debug)]
pub enum Contender {
    /// A model.
    Model(Arc<dyn ChatModel>),
    /// The player in its place.
    Player(Box<Player>),
}

impl Contender {
    /// Returns the name of the model.
    pub fn name(&self) -> &str {
        match self {
            Self::Model(model) => model.name(),
            Self::Player(player) => player.name(),
        }
    }
}

/// What is asked, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The flows.
    pub flows: Vec<FlowName>,
    /// How often each question is asked.
    pub trials: u32,
    /// How many questions are worked on at a time.
    pub jobs: usize,
    /// How far a flow may go.
    pub limits: FlowLimits,
    /// Who says how relevant answers are; without one, that is not measured.
    pub judge: Option<Judge>,
}

impl Default for Options {
    /// All flows, each question once, four at a time.
    fn default() -> Self {
        Self { flows: FlowName::ALL.to_vec(), trials: 1, jobs: 4, limits: FlowLimits::default(), judge: None }
    }
}

/// Asks every question of each set through each flow of each model, unless `results` has it, and keeps each answer as soon as it is
/// there. Calls `progress` after each. Calling it again goes on where it was ended.
///
/// What fails at a question is told in its entry.
///
/// # Errors
/// Fails if results cannot be kept, or if a store fails before a question is asked.
pub async fn run(
    sets: &[Opened],
    contenders: &[Contender],
    options: &Options,
    results: &mut Results,
    progress: impl Fn(),
) -> Result<()> {
    let mut jobs = Vec::new();
    for key in keys(sets, contenders, options) {
        if results.has(&key) {
            progress();
            continue;
        }
        let Some((opened, question)) = place(sets, &key) else { continue };
        let Some(contender) = contenders.iter().find(|contender| contender.name() == key.model) else {
            continue;
        };
        jobs.push(live(opened, question, contender, options, key));
    }
    let mut entries = stream::iter(jobs).buffer_unordered(options.jobs.max(1));
    while let Some(entry) = entries.next().await {
        results.keep(entry?)?;
        progress();
    }
    Ok(())
}

/// Returns all that is asked, in order: the number of calls of `progress`, too.
pub fn keys(sets: &[Opened], contenders: &[Contender], options: &Options) -> Vec<Key> {
    let mut keys = Vec::new();
    for trial in 1..=options.trials {
        for opened in sets {
            for question in &opened.set.questions {
                for flow in &options.flows {
                    keys.extend(contenders.iter().map(|contender| Key {
                        set: opened.set.name.clone(),
                        question: question.id.clone(),
                        flow: *flow,
                        model: contender.name().to_owned(),
                        trial,
                    }));
                }
            }
        }
    }
    keys
}

async fn live(
    opened: &Opened,
    question: usize,
    contender: &Contender,
    options: &Options,
    key: Key,
) -> Result<Entry> {
    let (model, fault): (Arc<dyn ChatModel>, _) = match contender {
        Contender::Model(model) => (Arc::clone(model), None),
        Contender::Player(player) => {
            let part = player.part(opened, question, key.trial).await?;
            let fault = part.fault();
            (Arc::new(part), fault)
        }
    };
    let judge = options.judge.clone().map(|judge| (judge.model, judge.embedder));
    let job = Job { key, opened, question, model, fault, judge, limits: options.limits };
    Ok(job.ask().await)
}

/// Plays again what was recorded, without a model; of the options, the judge and the number of trials do not count. Times are those of
/// the recording, and entries that failed are taken over as they are. A request that was not recorded fails.
///
/// # Errors
/// As [`run`].
pub async fn replay(
    sets: &[Opened],
    recorded: &[Entry],
    embedder: &Arc<dyn Embedder>,
    options: &Options,
    results: &mut Results,
    progress: impl Fn(),
) -> Result<()> {
    let is_wanted = |entry: &&Entry| options.flows.contains(&entry.key.flow);
    let mut jobs = Vec::new();
    for entry in recorded.iter().filter(is_wanted) {
        if results.has(&entry.key) {
            progress();
            continue;
        }
        let Some((opened, question)) = place(sets, &entry.key) else { continue };
        jobs.push(played(opened, question, entry, embedder, options));
    }
    let mut entries = stream::iter(jobs).buffer_unordered(options.jobs.max(1));
    while let Some(entry) = entries.next().await {
        results.keep(entry)?;
        progress();
    }
    Ok(())
}

async fn played(
    opened: &Opened,
    question: usize,
    recorded: &Entry,
    embedder: &Arc<dyn Embedder>,
    options: &Options,
) -> Entry {
    if recorded.error.is_some() {
        return recorded.clone();
    }
    let key = recorded.key.clone();
    let model: Arc<dyn ChatModel> = Arc::new(Tape::new(&key.model, &recorded.exchanges));
    let judge = (!recorded.judged.is_empty()).then(|| {
        let tape: Arc<dyn ChatModel> = Arc::new(Tape::new("the judge", &recorded.judged));
        (tape, Arc::clone(embedder))
    });
    let job = Job { key, opened, question, model, fault: recorded.fault, judge, limits: options.limits };
    Entry { elapsed_ms: recorded.elapsed_ms, ..job.ask().await }
}

/// Finds a question.
fn place<'a>(sets: &'a [Opened], key: &Key) -> Option<(&'a Opened, usize)> {
    let opened = sets.iter().find(|opened| opened.set.name == key.set)?;
    let question = opened.set.questions.iter().position(|question| question.id == key.question)?;
    Some((opened, question))
}
