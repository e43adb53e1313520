//! Whether what the graph lacks is not so.
//!
//! A graph read from documents knows some of what is true, so that it lacks a fact says nothing (the open world). It is
//! closed (Reiter 1978) where the ontology declares `complete`, and where all that it holds of a kind stands in tables
//! that were read whole: a record that does not say it denies it.

use graphwright_core::Value;
use graphwright_retrieve::{NodeIndex, Support, Topology};

use crate::{
    question::{
        Compare,
        plan::{Filter, Join, Plan, Quantifier, Test, Variable},
    },
    schema::{Label, Property, Schema},
};

/// Tells whether the graph holds all that a plan looks for, so that no match means that there is none.
pub(crate) fn is_closed(plan: &Plan, topology: &Topology, schema: &Schema) -> bool {
    let world = World { topology, schema };
    let alone = plan.joins.is_empty();
    plan.joins.iter().flat_map(Join::kinds).all(|(kind, _)| world.holds_all_facts(kind))
        && plan.variables.iter().all(|variable| world.holds_all_of(variable, alone))
}

/// Tells whether a plan matches by what the graph lacks: `not`, `only`, `fewer than`, `exactly`.
pub(crate) fn rests_on_lack(plan: &Plan) -> bool {
    let by_lack = |variable: &Variable| match variable.quantifier {
        Some(Quantifier::Count(compare, _)) => !matches!(compare, Compare::Above | Compare::AtLeast),
        Some(Quantifier::No | Quantifier::Only | Quantifier::Range(..)) => true,
        // As a superlative, it compares what the graph knows.
        Some(Quantifier::All | Quantifier::Than(_)) | None => false,
    };
    plan.joins.iter().any(|join| join.negated)
        || plan.variables.iter().any(by_lack)
        || plan.variables.iter().flat_map(|variable| &variable.filters).any(|filter| filter.negated)
}

/// Tells whether a plan compares numbers that the graph has.
pub(crate) fn compares_numbers(plan: &Plan) -> bool {
    plan.variables.iter().any(|variable| matches!(variable.quantifier, Some(Quantifier::Than(_))))
}

/// What a graph is known to hold all of.
struct World<'a> {
    topology: &'a Topology,
    schema: &'a Schema,
}

impl World<'_> {
    /// Whether nothing that a variable may stand for is missing. With relationships, these say what there is.
    fn holds_all_of(&self, variable: &Variable, alone: bool) -> bool {
        let labels = variable.labels.as_deref().unwrap_or_default();
        let is_of_type = |node: &NodeIndex| labels.is_empty() || self.schema.is_of(*node, labels);
        let things = match &variable.entities {
            Some(nodes) => nodes.iter().all(is_of_type) || self.holds_all_things(labels),
            None => !alone || self.holds_all_things(labels),
        };
        things && variable.filters.iter().all(|filter| self.holds_all_values(variable, filter))
    }

    fn holds_all_things(&self, labels: &[Label]) -> bool {
        let from_records = |label: &Label| {
            let mut nodes = self.topology.nodes_with_label(self.schema.label(*label));
            nodes.len() > 0 && nodes.all(|node| self.are_records(&self.topology.mentions(node)))
        };
        let whole = |label: &Label| self.schema.complete.labels.contains(label) || from_records(label);
        !labels.is_empty() && labels.iter().all(whole)
    }

    fn holds_all_facts(&self, kind: u16) -> bool {
        let mut facts = self.topology.relationships_of_type(self.schema.kind(kind)).peekable();
        let from_records = |fact| self.are_records(&self.topology.supports(fact));
        self.schema.complete.kinds.contains(&kind) || (facts.peek().is_some() && facts.all(from_records))
    }

    /// Whether all that a condition is put to have a value, or no value is missing.
    fn holds_all_values(&self, variable: &Variable, filter: &Filter) -> bool {
        let labels = variable.labels.as_deref().unwrap_or_default();
        let declared = labels.iter().all(|&label| {
            let complete =
                |&property: &Property| self.schema.complete.properties.contains(&(label, property));
            filter.properties.iter().any(complete)
        });
        let names: Vec<&str> =
            filter.properties.iter().map(|&property| self.schema.property(property).name.as_str()).collect();
        let is_given = |node: &NodeIndex| {
            names.iter().any(|name| self.topology.node(*node).properties.contains_key(*name))
        };
        // What is not known is neither earlier nor more than something else.
        let compared = match &filter.test {
            Test::Than(compare, others) if *compare != Compare::Is => Some(others.as_slice()),
            Test::Time(..) | Test::Number(..) | Test::Between(..) => Some([].as_slice()),
            _ => None,
        };
        if let (Some(others), Some(nodes)) = (compared, &variable.entities) {
            return nodes.iter().chain(others).all(is_given);
        }
        let has_value = |node: &NodeIndex| is_given(node) || self.are_records(&self.topology.mentions(*node));
        let of_labels = || {
            labels
                .iter()
                .flat_map(|label| self.topology.nodes_with_label(self.schema.label(*label)))
                .all(|node| has_value(&node))
        };
        (declared && !labels.is_empty())
            || variable.entities.as_ref().map_or_else(of_labels, |nodes| nodes.iter().all(has_value))
    }

    /// Whether something is said in tables alone.
    fn are_records(&self, supports: &[Support]) -> bool {
        !supports.is_empty() && supports.iter().all(|support| self.is_record(support.chunk))
    }

    fn is_record(&self, chunk: NodeIndex) -> bool {
        let document = self.topology.document_of(chunk);
        let format = document.and_then(|document| self.topology.node(document).properties.get("format"));
        matches!(format.and_then(Value::as_str), Some("csv" | "json" | "json_lines"))
    }
}
