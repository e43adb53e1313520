//! Answers by the graph alone, without a model.

use std::collections::HashSet;

use graphwright_core::{
    Value,
    text::{brief_name, shorten},
};
use graphwright_english::questions::Token;
use graphwright_retrieve::{Direction, Hit, HitKind, NodeIndex, Passage, SearchMode, SearchRequest, rerank};

use crate::{
    Answer, AnswerError, AnswerReading, AnswerStatus, AnswerWay, Answerer, AskOptions, Result,
    answer::json,
    evidence::{self, Wanted},
    interpret::{Interpretation, Outcome, has_unexplained, is_about, meant_by_subject, named_entities},
    lexicon,
    limits::Limits,
    question::{Form, plan::Projection},
    quote::{Found, RatedQuotation, quote, quote_connection, rated},
    respond,
    unused::quoted,
};

/// A description of a thing needs so much of its name: `what are the union types` names no page `Remove the union types from Ada`.
const LEAST_SAID: f64 = 0.4;
/// The longest value of an entity, in letters, that is shown when nobody asked for it.
const LONGEST_VALUE: usize = 200;

/// What the graph says of a question that it does not answer.
const UNSAID: &str = "The graph does not say.";

/// The most passages in which a quotation is looked for.
const FOUND_PASSAGES: usize = 10;
/// The most passages that are shown only because a search found them.
const SHOWN_PASSAGES: usize = 5;
/// The most characters of a line that says that an entity may be two.
const LONGEST_DOUBT: usize = 500;

/// The named entities that are most likely meant: several may bear the name that was asked for.
fn likeliest(named: &[(NodeIndex, f64)]) -> impl Iterator<Item = (NodeIndex, f64)> {
    let best = named.first().map_or(0.0, |(_, score)| *score);
    named.iter().copied().take_while(move |(_, score)| *score >= best - 0.01).take(5)
}

/// The passages that are shown of those that a search found.
pub(crate) fn shown(found: Vec<Found>) -> impl Iterator<Item = Passage> {
    found.into_iter().take(SHOWN_PASSAGES).map(|found| found.passage)
}

/// Adds passages of which none is there yet.
pub(crate) fn add_passages(passages: &mut Vec<Passage>, more: impl IntoIterator<Item = Passage>) {
    for passage in more {
        if !passages.iter().any(|known| known.chunk == passage.chunk) {
            passages.push(passage);
        }
    }
}

impl Answerer {
    pub(crate) async fn read_graph(
        &self,
        question: &str,
        read: &Interpretation,
        options: &AskOptions,
    ) -> Result<Answer> {
        let reads = options.reading.is_none() && !options.all_readings && !options.without_learned;
        if let Some((mut answer, wanted)) = reads.then(|| self.answer_as_learned(question)).flatten() {
            answer.passages = wanted.read(&self.topology, &*self.store).await?;
            return Ok(answer);
        }
        let mut answer = Answer { question: question.to_owned(), ..Answer::default() };
        let named = named_entities(&read.segmentations);
        let is_about = |segmentation| is_about(read.head, &read.tokens, segmentation);
        let about = read.segmentations.first().is_some_and(is_about);
        let limits = Limits::new(options);
        // Whoever chooses a reading wants that of the whole question.
        let chooses = options.reading.is_some() || options.all_readings;
        let by_parts = if chooses { None } else { self.answer_by_parts(&mut answer, read, limits) };
        let is_by_parts = by_parts.is_some();
        let mut is_by_meaning = false;
        let mut wanted = if let Some(wanted) = by_parts {
            wanted
        } else if let Some(reason) = &read.given_up {
            answer.status = AnswerStatus::NotInGraph;
            answer.answer.clone_from(reason);
            Wanted::default()
        } else if read.head.form == Form::Connection && named.len() >= 2 {
            self.connect(&mut answer, read, Limits::new(options))
        } else if read.head.form == Form::Reason
            || (read.head.form == Form::Connection && has_unexplained(read))
        {
            self.not_found(&mut answer, read, &named)
        } else if (about || read.head.form == Form::About && read.outcomes.is_empty()) && !named.is_empty() {
            // That it is such a thing is no answer to what it is.
            let is_said = read.head.form == Form::About || named[0].1 >= LEAST_SAID;
            if is_said && likeliest(&named).any(|(node, _)| respond::is_known(&self.topology, node)) {
                self.describe(&mut answer, &named)
            } else {
                self.not_found(&mut answer, read, &named)
            }
        } else if let Some(common) = self.common(&mut answer, read) {
            common
        } else if read.outcomes.is_empty() {
            let by_meaning = match self.tell_meant(&mut answer, read, options)? {
                None => self.tell_by_meaning(&mut answer, read, limits),
                meant => meant,
            };
            is_by_meaning = by_meaning.is_some();
            by_meaning.unwrap_or_else(|| self.not_found(&mut answer, read, &named))
        } else {
            self.take(&mut answer, read, options)?
        };
        if let (Form::About, [outcome]) = (read.head.form, read.outcomes.as_slice())
            && let [found] = outcome.matches.as_slice()
            && matches!(outcome.plan.projection, Projection::Entities)
        {
            answer.answer.push('\n');
            answer.answer.push_str(&respond::describe(&self.topology, found.node, LONGEST_VALUE));
        }
        self.tell_related(&mut answer, read, &mut wanted);
        answer.passages = wanted.read(&self.topology, &*self.store).await?;
        if is_by_parts {
            return Ok(answer);
        }
        if answer.status == AnswerStatus::Answered {
            self.tell_subjects(&mut answer, read);
        }
        if is_by_meaning {
            let found = self.find_passages(question, &mut answer.steps).await?;
            add_passages(&mut answer.passages, shown(found));
        }
        self.tell_unused(&mut answer, read);
        if matches!(answer.status, AnswerStatus::NotInGraph | AnswerStatus::NoPath) {
            self.let_documents_answer(&mut answer).await?;
        }
        self.tell_one_of_several(&mut answer, read).await?;
        Ok(answer)
    }

    /// `Whose order has the highest freight`: says of the order that was found who has to do with it. Of what has no name but a code, who
    /// asks for it is told what it has to do with.
    fn tell_related(&self, answer: &mut Answer, read: &Interpretation, wanted: &mut Wanted) {
        /// Of more, it is not said.
        const MOST: usize = 5;
        let asker = read.head.asker.map_or("", |asker| read.tokens[asker].lower.as_str());
        let [outcome] = read.outcomes.as_slice() else { return };
        let schema = &self.interpreter.schema;
        let acts =
            |node: NodeIndex| schema.label_of(node).is_some_and(|label| schema.actors.contains(&label));
        let is_owned = matches!(outcome.plan.projection, Projection::Entities)
            && outcome.matches.len() <= MOST
            && !outcome.matches.iter().any(|found| acts(found.node));
        let topology = &*self.topology;
        let is_code = |node: NodeIndex| {
            let name = topology.node(node).display_name();
            !name.contains(char::is_whitespace) && name.contains(|sign: char| sign.is_ascii_digit())
        };
        let are_codes = || outcome.matches.iter().all(|found| is_code(found.node));
        let asks = match asker {
            "whose" => true,
            "who" | "whom" => are_codes(),
            _ => false,
        };
        if !asks || !is_owned || answer.status != AnswerStatus::Answered {
            return;
        }
        let tells = |node: NodeIndex| acts(node) || asker != "whose" && !is_code(node);
        for found in &outcome.matches {
            let Some(facts) = respond::facts_with(topology, found.node, tells) else { continue };
            answer.answer.push_str(&format!("\n{facts}."));
            self.show_facts(answer, wanted, found.node, tells);
        }
    }

    /// Says which documents were taken for what the question says of them.
    fn tell_subjects(&self, answer: &mut Answer, read: &Interpretation) {
        for (said, node) in meant_by_subject(&answer.question, read) {
            let name = self.topology.node(node).display_name();
            let line = format!("Read as: “{said}” is {name}.");
            answer.add_remark(&line);
            answer.steps.push(line);
        }
    }

    /// Says which of the named entities may be two, of which one answer cannot tell.
    pub(crate) fn tell_doubts(&self, answer: &mut Answer, named: &[(NodeIndex, f64)]) {
        for (node, _) in likeliest(named) {
            let node = self.topology.node(node);
            let told = node.may_be_two();
            if !told.is_empty() {
                let line = format!("{} may be two: {}.", node.display_name(), told.join(", "));
                let line = shorten(&line, LONGEST_DOUBT);
                answer.add_remark(&line);
                answer.steps.push(line);
            }
        }
    }

    /// Lets the documents answer where the graph does not. The passages that were found come too: they
    /// prove nothing, but tell where to look.
    async fn let_documents_answer(&self, answer: &mut Answer) -> Result<()> {
        let found = self.find_passages(&answer.question, &mut answer.steps).await?;
        // A sentence about one of two things does not connect them.
        let choose = if answer.status == AnswerStatus::NoPath { quote_connection } else { quote };
        answer.quotes = choose(&answer.question, &found);
        for quote in &mut answer.quotes {
            quote.page = self.topology.page_of(quote);
        }
        if let Some(first) = answer.quotes.first() {
            answer.status = AnswerStatus::Quoted;
            answer.way = AnswerWay::Documents;
            let quoted = shorten(&first.text, usize::MAX);
            let said = std::mem::replace(&mut answer.answer, quoted);
            answer.notes.extend(said.lines().map(str::to_owned));
        } else if let (false, Some(rest)) = (found.is_empty(), answer.answer.strip_prefix(UNSAID)) {
            answer.answer = format!("The documents do not say.{rest}");
        }
        // What a search finds leads, as it does in a search.
        let told = std::mem::replace(&mut answer.passages, shown(found).collect());
        add_passages(&mut answer.passages, told);
        Ok(())
    }

    /// Rates all quotations that may be made of a question, best first, of the passages that are kept.
    pub async fn quotations(
        &self,
        question: &str,
        kept: impl Fn(&Passage) -> bool,
    ) -> Result<Vec<RatedQuotation>> {
        let mut found = self.find_passages(question, &mut Vec::new()).await?;
        found.retain(|found| kept(&found.passage));
        Ok(rated(question, &found))
    }

    pub(crate) async fn find_passages(&self, question: &str, steps: &mut Vec<String>) -> Result<Vec<Found>> {
        let request = SearchRequest {
            kind: Some(HitKind::Chunk),
            limit: FOUND_PASSAGES,
            ..SearchRequest::new(question)
        };
        let hits = self.search_hits(request, steps).await?;
        let found = hits.into_iter().filter_map(|hit| {
            let chunk = self.topology.node_by_id(&hit.id)?;
            let score = (hit.score * 1000.0).round() / 1000.0;
            Some(Found { heading: hit.name, passage: self.topology.whole_passage(chunk, &hit.text, score) })
        });
        Ok(found.collect())
    }

    /// The documents in which a search finds passages, where the question has a word for documents.
    pub(crate) async fn documents_near(&self, question: &str) -> Result<Vec<NodeIndex>> {
        if !self.interpreter.lexicon.speaks_of_pages(question) {
            return Ok(Vec::new());
        }
        let request = SearchRequest {
            kind: Some(HitKind::Chunk),
            limit: FOUND_PASSAGES,
            ..SearchRequest::new(question)
        };
        let hits = self.search_hits(request, &mut Vec::new()).await?;
        let documents =
            hits.iter().filter_map(|hit| self.topology.document_of(self.topology.node_by_id(&hit.id)?));
        let mut seen = HashSet::new();
        Ok(documents.filter(|document| seen.insert(*document)).collect())
    }

    /// Searches, by words alone where meaning cannot be compared. That is told.
    pub(crate) async fn search_hits(
        &self,
        request: SearchRequest,
        steps: &mut Vec<String>,
    ) -> Result<Vec<Hit>> {
        let Some(search) = &self.search else { return Ok(Vec::new()) };
        match search.search(&request).await {
            Ok(results) => Ok(results.hits),
            // An embedder elsewhere may fail, which words do not need.
            Err(error) => {
                let step = format!("Passages were found by words alone: {error}.");
                if !steps.contains(&step) {
                    steps.push(step);
                }
                Ok(search.search(&SearchRequest { mode: SearchMode::Text, ..request }).await?.hits)
            }
        }
    }

    /// Searches as [`search_hits`](Self::search_hits) does, and ranks anew if a reranker is set. Its failure is told.
    pub(crate) async fn reranked_hits(
        &self,
        request: SearchRequest,
        steps: &mut Vec<String>,
    ) -> Result<Vec<Hit>> {
        let Some(reranker) = &self.reranker else { return self.search_hits(request, steps).await };
        let mut hits = self.search_hits(request.candidates(), steps).await?;
        steps.extend(rerank(&**reranker, &request, &mut hits).await.err());
        Ok(hits)
    }

    fn take(&self, answer: &mut Answer, read: &Interpretation, options: &AskOptions) -> Result<Wanted> {
        let outcomes = &read.outcomes;
        let mut wanted = Wanted::default();
        if let Some(asked) = options.reading {
            let outcome = asked.checked_sub(1).and_then(|position| outcomes.get(position));
            let outcome = outcome.ok_or(AnswerError::NoSuchReading { asked, known: outcomes.len() })?;
            self.put(answer, outcome, &mut wanted);
            return Ok(wanted);
        }
        let merged = options.all_readings || outcomes.iter().all(is_loose);
        let same = outcomes.iter().skip(1).all(|other| self.says_the_same(&outcomes[0], other));
        if outcomes.len() == 1 || merged || same {
            // What one reading leaves out, another one must not bring back.
            let best =
                same || !options.all_readings && outcomes.iter().any(|outcome| outcome.plan.leaves_out());
            for outcome in outcomes.iter().take(if best { 1 } else { outcomes.len() }) {
                self.put(answer, outcome, &mut wanted);
            }
            return Ok(wanted);
        }
        answer.status = AnswerStatus::Ambiguous;
        let mut lines = vec![format!("The question can be read in {} ways:", outcomes.len())];
        for (position, outcome) in outcomes.iter().enumerate() {
            let mut one = Answer::default();
            self.put(&mut one, outcome, &mut wanted);
            let meaning = respond::meaning(&outcome.plan, &self.topology, &self.interpreter.schema);
            lines.push(format!("{}. {}", position + 1, one.answer));
            answer.readings.push(AnswerReading {
                number: position + 1,
                meaning,
                entities: one.entities,
                values: one.values,
            });
            answer.paths.extend(one.paths);
        }
        lines.push(Answer::CHOOSE_READING.to_owned());
        answer.answer = lines.join("\n");
        Ok(wanted)
    }

    /// Whether two readings come to one text: two things of one name have the same value.
    fn says_the_same(&self, one: &Outcome, other: &Outcome) -> bool {
        let text = |outcome| respond::text(outcome, &self.topology, &self.interpreter.schema);
        text(one) == text(other)
    }

    /// Adds the outcome of a reading to the answer.
    pub(crate) fn put(&self, answer: &mut Answer, outcome: &Outcome, wanted: &mut Wanted) {
        let topology = &*self.topology;
        answer.status = AnswerStatus::Answered;
        let text = respond::text(outcome, topology, &self.interpreter.schema);
        if !answer.answer.is_empty() {
            answer.answer.push('\n');
        }
        answer.answer.push_str(&text);
        let shown = match &outcome.plan.projection {
            Projection::Values(_) | Projection::Aggregate(..) => {
                outcome.values.iter().map(|(node, ..)| *node).collect()
            }
            // What denies a claim proves the answer.
            Projection::Truth if outcome.truth == Some(false) && !outcome.exceptions.is_empty() => {
                outcome.exceptions.clone()
            }
            _ => outcome.matches.iter().map(|found| found.node).collect::<Vec<NodeIndex>>(),
        };
        for node in shown {
            let entity = evidence::entity(topology, node, outcome.score.min(1.0));
            if !answer.entities.iter().any(|known| known.id == entity.id) {
                answer.entities.push(entity);
            }
        }
        match (&outcome.plan.projection, outcome.truth) {
            (_, Some(truth)) => answer.values.push(truth.into()),
            (
                Projection::Aggregate(..)
                | Projection::JoinAggregate(..)
                | Projection::Relationships(_)
                | Projection::AverageNumber(_),
                _,
            ) => answer.values.extend(outcome.aggregate.as_ref().map(json)),
            (Projection::Number, _) => answer.values.push(outcome.matches.len().into()),
            (Projection::NumberForEach(_) | Projection::NumberForEachValue(..), _) => {
                let groups = outcome.groups.iter();
                answer.values.extend(
                    groups.map(|(group, count)| serde_json::json!({ "group": json(group), "count": count })),
                );
            }
            _ => answer.values.extend(outcome.values.iter().flat_map(|(_, value, _)| match value {
                Value::List(items) => items.iter().map(json).collect(),
                single => vec![json(single)],
            })),
        }
        for found in &outcome.matches {
            for proof in &found.proofs {
                let path = evidence::path(topology, found.node, proof);
                if !answer.paths.contains(&path) {
                    answer.paths.push(path);
                }
                for step in proof {
                    wanted.relationship(topology, step.relationship);
                }
            }
        }
        self.want_properties(outcome, wanted);
    }

    fn want_properties(&self, outcome: &Outcome, wanted: &mut Wanted) {
        let schema = &self.interpreter.schema;
        let filtered =
            outcome.plan.variables[outcome.plan.answer].filters.iter().flat_map(|filter| &filter.properties);
        let asked = match &outcome.plan.projection {
            Projection::Values(properties) | Projection::Aggregate(_, properties) => properties.as_slice(),
            _ => &[],
        };
        for property in filtered.chain(asked) {
            let matches = outcome.matches.iter().map(|found| found.node);
            for node in matches.chain(outcome.exceptions.iter().copied()) {
                wanted.property(&self.topology, node, &schema.property(*property).name);
            }
        }
        for (_, _, relationship) in &outcome.values {
            if let Some(relationship) = relationship {
                wanted.relationship(&self.topology, *relationship);
            }
        }
    }

    /// Answers with what is likest in meaning for words that nothing explains.
    fn tell_meant(
        &self,
        answer: &mut Answer,
        read: &Interpretation,
        options: &AskOptions,
    ) -> Result<Option<Wanted>> {
        if read.nothing.as_ref().is_some_and(|outcome| outcome.closed) {
            return Ok(None);
        }
        let Some((meant, said)) = self.interpreter.meant(read, &self.topology, Limits::new(options)) else {
            return Ok(None);
        };
        let wanted = self.take(answer, &meant, options)?;
        self.tell_unused(answer, &meant);
        if answer.status == AnswerStatus::Answered {
            answer.status = AnswerStatus::Partial;
        }
        answer.answer = format!("{said}\n{}", answer.answer);
        Ok(Some(wanted))
    }

    /// Tells what is nearest in meaning to what is asked of the thing that the question names.
    fn tell_by_meaning(&self, answer: &mut Answer, read: &Interpretation, limits: Limits) -> Option<Wanted> {
        if read.nothing.as_ref().is_some_and(|outcome| outcome.closed) {
            return None;
        }
        let found = self.interpreter.by_meaning(read, &self.topology, limits)?;
        let mut wanted = Wanted::default();
        self.put(answer, &found.outcome, &mut wanted);
        answer.status = AnswerStatus::Partial;
        let words: Vec<&Token> = found.words.iter().map(|&at| &read.tokens[at]).collect();
        answer.answer =
            format!("Not used: {}. Nearest in meaning is {}:\n{}", quoted(&words), found.name, answer.answer);
        Some(wanted)
    }

    /// Describes what the graph knows of the named entities.
    fn describe(&self, answer: &mut Answer, named: &[(NodeIndex, f64)]) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        answer.status = AnswerStatus::Answered;
        let mut lines = Vec::new();
        for (node, score) in likeliest(named) {
            answer.entities.push(evidence::entity(topology, node, score));
            lines.push(respond::describe(topology, node, LONGEST_VALUE));
            wanted.mentions(topology, node, 3);
            self.show_facts(answer, &mut wanted, node, |_| true);
        }
        answer.answer = lines.join("\n");
        wanted
    }

    /// Adds what connects an entity with others that are wanted.
    fn show_facts(
        &self,
        answer: &mut Answer,
        wanted: &mut Wanted,
        node: NodeIndex,
        is_wanted: impl Fn(NodeIndex) -> bool,
    ) {
        let topology = &*self.topology;
        for step in topology.steps(node, Direction::Both) {
            if topology.is_fact(step.relationship) && is_wanted(step.node) {
                let path = evidence::path(topology, node, &[step]);
                if !answer.paths.contains(&path) {
                    answer.paths.push(path);
                }
                wanted.relationship(topology, step.relationship);
            }
        }
    }

    fn not_found(&self, answer: &mut Answer, read: &Interpretation, named: &[(NodeIndex, f64)]) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        answer.status = AnswerStatus::NotInGraph;
        let mut lines = Vec::new();
        let nothing = read.nothing.as_ref();
        if !nothing.is_some_and(|outcome| outcome.closed) {
            lines.push(UNSAID.to_owned());
        }
        lines.extend(nothing.map(|outcome| respond::nothing(outcome, topology, &self.interpreter.schema)));
        let unexplained: Vec<String> = read.segmentations.first().map_or_else(Vec::new, |segmentation| {
            segmentation
                .unexplained
                .iter()
                .map(|&at| format!("\"{}\"", brief_name(&read.tokens[at].text)))
                .collect()
        });
        if read.nothing.is_none() && !unexplained.is_empty() {
            lines.push(format!("Nothing in the graph explains {}.", respond::list(&unexplained)));
        }
        let mut near: Vec<String> = Vec::new();
        for &at in read.segmentations.first().map_or(&[][..], |segmentation| &segmentation.unexplained) {
            let token = &read.tokens[at];
            for node in self.interpreter.lexicon.names.nearest(&token.text, 3) {
                near.push(topology.node(node).display_name().to_owned());
            }
            near.extend(lexicon::words_like(&token.lower, &self.interpreter.schema));
        }
        let mut said = HashSet::new();
        near.retain(|name| said.insert(name.clone()));
        if !near.is_empty() {
            lines.push(format!("Nearest names: {}.", respond::list(&near)));
        }
        for &(node, _) in named.iter().take(3) {
            lines.push(format!("What it knows: {}", respond::describe(topology, node, LONGEST_VALUE)));
            wanted.mentions(topology, node, 2);
        }
        answer.answer = lines.join("\n");
        wanted
    }
}

/// Tells whether a reading is of a vague word. Such readings are not rivals: together they are what
/// the word means.
fn is_loose(outcome: &Outcome) -> bool {
    outcome.plan.guessed > 0 && matches!(outcome.plan.projection, Projection::Entities)
}
