//! What a caller may choose: how a question is answered, and what evidence is gathered for it.

use std::time::Duration;

use graphwright_retrieve::ContextFormat;

/// Options for answering a question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AskOptions {
    /// The reading to take when the question is ambiguous, counted from 1.
    pub reading: Option<usize>,
    /// Whether all readings of an ambiguous question are answered and merged.
    pub all_readings: bool,
    /// Whether the model is left out, even if there is one.
    pub without_model: bool,
    /// Whether what pairs have taught is left out, even if there is something.
    pub without_learned: bool,
    /// Whether what a model writes and the evidence does not bear out is left out. Otherwise it is marked.
    pub strict: bool,
    /// What evidence is gathered for the model.
    pub evidence: EvidenceOptions,
    /// The most relationships on a path that is looked for between two things (5 by default), and the most steps along one
    /// relationship type where the question wants any number (10 by default).
    pub hops: Option<usize>,
    /// How long the question may be read; 10 s by default. What takes longer is answered with passages alone.
    pub reading_time: Duration,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self {
            reading: None,
            all_readings: false,
            without_model: false,
            without_learned: false,
            strict: false,
            evidence: EvidenceOptions::default(),
            hops: None,
            reading_time: Duration::from_secs(10),
        }
    }
}

impl AskOptions {
    /// Chooses a reading of an ambiguous question, counted from 1.
    #[must_use]
    pub fn reading(mut self, number: usize) -> Self {
        self.reading = Some(number);
        self
    }

    /// Answers all readings of an ambiguous question and merges the answers.
    #[must_use]
    pub fn all_readings(mut self) -> Self {
        self.all_readings = true;
        self
    }

    /// Leaves the model out, even if there is one.
    #[must_use]
    pub fn without_model(mut self) -> Self {
        self.without_model = true;
        self
    }

    /// Leaves out what pairs have taught, even if there is something.
    #[must_use]
    pub fn without_learned(mut self) -> Self {
        self.without_learned = true;
        self
    }

    /// Leaves out what a model writes and the evidence does not bear out, rather than to mark it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Sets what evidence is gathered for the model.
    #[must_use]
    pub fn evidence(mut self, options: EvidenceOptions) -> Self {
        self.evidence = options;
        self
    }

    /// Sets the most relationships that are followed.
    #[must_use]
    pub fn hops(mut self, number: usize) -> Self {
        self.hops = Some(number);
        self
    }

    /// Sets how long the question may be read. What takes longer is answered with passages alone.
    #[must_use]
    pub fn reading_time(mut self, time: Duration) -> Self {
        self.reading_time = time;
        self
    }
}

/// Options for gathering evidence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvidenceOptions {
    /// How many of the best passages, entities and facts the graph is walked from. Defaults to 5.
    pub k: usize,
    /// The most steps of a walk. Defaults to 5.
    pub depth: usize,
    /// The least product of weights on the way to what a walk reaches, from 0 to 1. Defaults to 0.5.
    pub minimum: f64,
    /// Labels of which entities must have one, and facts at one of their ends. Empty means all.
    pub labels: Vec<String>,
    /// The most tokens of the text. Defaults to 6,000.
    pub tokens: u64,
    /// The form of the text.
    pub format: ContextFormat,
}

impl Default for EvidenceOptions {
    fn default() -> Self {
        Self {
            k: 5,
            depth: 5,
            minimum: 0.5,
            labels: Vec::new(),
            tokens: 6_000,
            format: ContextFormat::Markdown,
        }
    }
}

impl EvidenceOptions {
    /// Sets how many of the best passages, entities and facts the graph is walked from.
    #[must_use]
    pub fn k(mut self, number: usize) -> Self {
        self.k = number;
        self
    }

    /// Sets the most steps of a walk.
    #[must_use]
    pub fn depth(mut self, steps: usize) -> Self {
        self.depth = steps;
        self
    }

    /// Sets the least product of weights on the way to what a walk reaches.
    #[must_use]
    pub fn minimum(mut self, product: f64) -> Self {
        self.minimum = product;
        self
    }

    /// Sets labels of which entities must have one, and facts at one of their ends.
    #[must_use]
    pub fn labels(mut self, labels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.labels = labels.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the most tokens of the text.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// Sets the form of the text.
    #[must_use]
    pub fn format(mut self, format: ContextFormat) -> Self {
        self.format = format;
        self
    }
}
