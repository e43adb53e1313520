//! Reads a question by meaning where its words do not say what it asks of the one thing that it names: `how high above sea level does
//! Telluride lie` is likest the altitude, of all that is known of airports.

use std::collections::HashSet;

use graphwright_core::Value;
use graphwright_english::{
    questions::{Token, tokenize},
    words,
};
use graphwright_llm::BuiltinEmbedder;
use graphwright_retrieve::{NodeIndex, Topology};

use crate::{
    called::{LEAST_LIKE, LEAST_MARGIN, is_name},
    evaluate,
    interpret::{Interpretation, Interpreter, Outcome, has_unexplained},
    lexicon::Shape,
    limits::Limits,
    question::{
        Annotator, Form, Measure, Piece, Span,
        plan::{Join, Plan, Projection, Test, Variable, changes_meaning},
    },
    respond,
    schema::{Content, Hop, Kind, Label, Property},
    unused::names_of,
};

/// What may be asked of a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Property(Property),
    Hop(Hop),
}

/// What was read by meaning.
pub(crate) struct ByMeaning {
    pub(crate) outcome: Outcome,
    /// What the property or the relationship is called.
    pub(crate) name: String,
    /// The words of the question that stand for it.
    pub(crate) words: Vec<usize>,
}

impl Interpreter {
    /// Reads a question that has no other reading, with what is likest in meaning for the words that nothing explains. With what is
    /// said of that. `None` where it still cannot be read, or where what was so read is not so: that may be due to the meaning.
    pub(crate) fn meant(
        &self,
        read: &Interpretation,
        topology: &Topology,
        limits: Limits,
    ) -> Option<(Interpretation, String)> {
        let open = &read.segmentations.first()?.unexplained;
        if open.is_empty() {
            return None;
        }
        let annotator = Annotator::new(&self.lexicon, &self.schema, &read.tokens).by_meaning(&self.called);
        let meant = self.read(&annotator, topology, limits);
        let is_denied = |outcome: &Outcome| outcome.truth == Some(false);
        if meant.outcomes.iter().any(|outcome| is_denied(outcome) || self.says_nothing(&outcome.plan)) {
            return None;
        }
        let used = names_of(&meant.outcomes.first()?.plan, &self.schema);
        let spans = meant.segmentations.first()?.spans.iter();
        let said = spans.filter(|span| open.iter().any(|at| span.has(*at))).filter_map(|span| {
            let words: Vec<&str> =
                read.tokens[span.first..span.end].iter().map(|token| token.text.as_str()).collect();
            Some(format!("“{}” as {}", words.join(" "), self.names_meant(&span.piece, &used)?))
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| (meant, format!("Read by meaning: {}.", respond::list(&said))))
    }

    /// Whether a reading asks only that something has a value: `women` are not all that have a `gender`.
    fn says_nothing(&self, plan: &Plan) -> bool {
        let is_truth = |property: &Property| self.schema.property(*property).content == Content::Truth;
        let mut filters = plan.variables.iter().flat_map(|variable| &variable.filters);
        filters.any(|filter| filter.test == Test::Present && !filter.properties.iter().all(is_truth))
    }

    /// What of the schema words mean, of what a reading uses, by the stems of its names.
    fn names_meant(&self, piece: &Piece, used: &HashSet<String>) -> Option<String> {
        let schema = &self.schema;
        let of_properties = |properties: &[Property]| -> Vec<String> {
            properties.iter().map(|property| schema.property(*property).name.clone()).collect()
        };
        let mut names = match piece {
            Piece::Property(properties)
            | Piece::Quantity(_, _, properties)
            | Piece::Than(_, _, properties)
            | Piece::Extreme(_, Measure::Properties(properties)) => of_properties(properties),
            Piece::Type(labels) => labels.iter().map(|label| schema.label(*label).to_owned()).collect(),
            Piece::Relation(_, readings) => {
                readings.iter().map(|reading| schema.kind(reading.kind).to_owned()).collect()
            }
            _ => return None,
        };
        names.dedup();
        let mut names: Vec<String> = names.iter().map(|name| respond::spoken(name)).collect();
        names.retain(|name| tokenize(name).iter().all(|token| used.contains(&token.stem)));
        (!names.is_empty()).then(|| names.join(" or "))
    }

    /// Reads a question that has no other reading. `None` where it does not name one thing, or where nothing that is known of that
    /// is like what the question says besides.
    pub(crate) fn by_meaning(
        &self,
        read: &Interpretation,
        topology: &Topology,
        limits: Limits,
    ) -> Option<ByMeaning> {
        let (node, words) = self.one_thing(read)?;
        if words.iter().any(|&at| changes_meaning(&read.tokens[at].lower)) {
            return None;
        }
        let asked = self.likest(read, node, &words, topology)?;
        let outcome = self.run(&plan(read, node, asked), topology, limits);
        let name = match asked {
            Asked::Property(property) => &self.schema.property(property).name,
            Asked::Hop(hop) => self.schema.kind(hop.kind),
        };
        let says = |at: &usize| !words::is_function_word(&read.tokens[*at].lower);
        let words: Vec<usize> = words.into_iter().filter(says).collect();
        (!words.is_empty() && !outcome.is_empty()).then(|| ByMeaning {
            outcome,
            name: respond::spoken(name),
            words,
        })
    }

    /// The only thing that a question names, and the places of the words that say neither what it is called nor what it is.
    fn one_thing(&self, read: &Interpretation) -> Option<(NodeIndex, Vec<usize>)> {
        let best = read.segmentations.first()?;
        let mut named = best.spans.iter().filter(|span| span.is_entity());
        let (Some(Span { piece: Piece::Entity(nodes), .. }), None) = (named.next(), named.next()) else {
            return None;
        };
        let [(node, _)] = nodes.as_slice() else { return None };
        let own = self.schema.label_of(*node)?;
        let says_thing = |span: &&Span| match &span.piece {
            Piece::Entity(_) => true,
            Piece::Type(labels) => labels.contains(&own),
            _ => false,
        };
        let said: Vec<&Span> = best.spans.iter().filter(says_thing).collect();
        let rest = (0..read.tokens.len()).filter(|at| said.iter().all(|span| !span.has(*at)));
        Some((*node, rest.collect()))
    }

    /// What is known of a thing and likest what a question says.
    fn likest(
        &self,
        read: &Interpretation,
        node: NodeIndex,
        words: &[usize],
        topology: &Topology,
    ) -> Option<Asked> {
        let words: Vec<&str> = words.iter().map(|&at| read.tokens[at].lower.as_str()).collect();
        let question = BuiltinEmbedder::new().embed_text(&words.join(" ")).ok()?;
        let label = self.schema.label_of(node)?;
        let thing = topology.node(node);
        let held = thing.properties.keys().filter(|name| !is_name(name));
        let properties = held.filter_map(|name| self.schema.property_called(name)).map(Asked::Property);
        // Where the graph has all words, what they ask for is not there.
        let is_open = has_unexplained(read);
        let hops = self.schema.hops(label).iter().filter(|hop| is_open && !is_said(read, hop.kind));
        let hops = hops.copied().map(Asked::Hop);
        let like = |asked: &Asked| match asked {
            Asked::Property(property) => self.called.property_like(*property, &question),
            Asked::Hop(hop) => self.called.hop_like(*hop, &question),
        };
        let mut rated: Vec<(f64, Asked)> =
            properties.chain(hops).map(|asked| (like(&asked), asked)).collect();
        rated.sort_by(|left, right| right.0.total_cmp(&left.0));
        let &(best, asked) = rated.first()?;
        let next = rated.get(1).map_or(0.0, |(like, _)| *like);
        let suits = match asked {
            Asked::Property(property) => self.suits_value(read, property, topology, node),
            Asked::Hop(hop) => self.suits_thing(read, hop.to),
        };
        let is_likest = best >= LEAST_LIKE && best - next >= LEAST_MARGIN;
        (is_likest && suits).then_some(asked)
    }

    /// Whether the value of a property is of the kind that a question asks for, and nothing that it says itself.
    fn suits_value(
        &self,
        read: &Interpretation,
        property: Property,
        topology: &Topology,
        node: NodeIndex,
    ) -> bool {
        let info = self.schema.property(property);
        let Some(value) = topology.node(node).properties.get(&info.name) else { return false };
        let is_said = |token: &Token| value.as_str().is_some_and(|own| own.eq_ignore_ascii_case(&token.text));
        match read.head.form {
            Form::Truth => info.content == Content::Truth,
            Form::Count => evaluate::number(value).is_some(),
            Form::When => self.schema.is_date_like(property) || self.schema.is_time_without_date(property),
            _ if read.head.asks_who(&read.tokens) => {
                matches!(value, Value::String(_)) && !read.tokens.iter().any(is_said)
            }
            Form::Which => !read.tokens.iter().any(is_said),
            Form::Connection | Form::About | Form::Reason => false,
        }
    }

    fn suits_thing(&self, read: &Interpretation, label: Label) -> bool {
        match read.head.form {
            Form::Count => true,
            Form::Which => !read.head.asks_who(&read.tokens) || self.schema.actors.contains(&label),
            _ => false,
        }
    }
}

/// Whether a question says a relationship by a verb: it then asks for the other direction, of which nothing is known.
fn is_said(read: &Interpretation, kind: Kind) -> bool {
    let spans = read.segmentations.iter().flat_map(|segmentation| &segmentation.spans);
    let mut readings = spans.filter_map(|span| match &span.piece {
        Piece::Relation(Shape::Verb, readings) => Some(readings),
        _ => None,
    });
    readings.any(|readings| readings.iter().any(|reading| reading.kind == kind))
}

fn plan(read: &Interpretation, node: NodeIndex, asked: Asked) -> Plan {
    let thing = Variable { entities: Some(vec![node]), ..Variable::default() };
    let plan = Plan {
        variables: vec![thing],
        joins: Vec::new(),
        answer: 0,
        projection: Projection::Entities,
        score: 1.0,
        unused: Vec::new(),
        guessed: 0,
        claim: None,
        different: Vec::new(),
    };
    match asked {
        Asked::Property(property) => Plan { projection: Projection::Values(vec![property]), ..plan },
        Asked::Hop(hop) => {
            let others = Variable { labels: Some(vec![hop.to]), ..Variable::default() };
            let join = Join { forward: !hop.forward, ..Join::new(1, hop.kind, 0) };
            let counts = read.head.form == Form::Count;
            let projection = if counts { Projection::Number } else { Projection::Entities };
            let variables = plan.variables.into_iter().chain([others]).collect();
            Plan { variables, joins: vec![join], answer: 1, projection, ..plan }
        }
    }
}
