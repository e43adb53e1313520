//! Values that relationships have, and numbers made of the values of several things.

use std::collections::HashSet;

use graphwright_core::Value;
use graphwright_retrieve::{NodeIndex, RelationshipIndex};

use super::{Evaluation, aggregated, leads_to, number};
use crate::question::plan::{Aggregate, Holder};

impl Evaluation<'_> {
    /// Collects values of a join's relationships, each with the end where it was found: that of the answer, where it is one.
    pub(crate) fn join_values(
        &self,
        join: usize,
        names: &[String],
    ) -> Vec<(NodeIndex, RelationshipIndex, Value)> {
        let found = self.relationships(join).into_iter().filter_map(|(node, relationship)| {
            let edge = self.topology.edge(relationship);
            let value = names.iter().find_map(|name| edge.properties.get(name))?;
            Some((node, relationship, value.clone()))
        });
        found.collect()
    }

    /// Lists a join's relationships, each once, with the end where it was found.
    pub(crate) fn relationships(&self, join: usize) -> Vec<(NodeIndex, RelationshipIndex)> {
        let plan = &self.plan.joins[join];
        let (from, to) =
            if plan.right == self.plan.answer { (plan.right, plan.left) } else { (plan.left, plan.right) };
        let own = self.domains.get(&from).and_then(Clone::clone);
        let mut nodes: Vec<NodeIndex> =
            own.map_or_else(|| self.all(from), |nodes| nodes.into_iter().collect());
        nodes.sort_unstable();
        let domain = self.domains.get(&to).and_then(Option::as_ref);
        let both_ways = self.schema.is_reciprocal(plan.kind);
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for node in nodes {
            for step in self.steps(plan, node, from == plan.left) {
                // What holds both ways may be told twice.
                let pair = (node.min(step.node), node.max(step.node));
                let is_new = !both_ways || seen.insert(pair);
                if is_new && self.may_be(to, step.node, domain) {
                    found.push((node, step.relationship));
                }
            }
        }
        found
    }

    /// The numbers that a match is ranked by.
    pub(super) fn values_held(&self, variable: usize, node: NodeIndex, holder: &Holder) -> Vec<f64> {
        let mut reached = HashSet::new();
        match holder {
            Holder::Variable(other, properties) => {
                self.collect(variable, node, *other, &mut reached);
                reached.into_iter().filter_map(|node| self.measure(node, properties)).collect()
            }
            Holder::Join(join, names) => {
                let parents = 0..self.children.len();
                let found = parents.into_iter().find_map(|parent| {
                    let child = self.children[parent].iter().find(|(number, ..)| number == join)?;
                    Some((parent, *child))
                });
                let Some((parent, (_, child, rightward))) = found else { return Vec::new() };
                if !leads_to(&self.children, variable, parent) {
                    return Vec::new();
                }
                self.collect(variable, node, parent, &mut reached);
                let domain = self.domains.get(&child).and_then(Option::as_ref);
                let steps = reached.into_iter().flat_map(|from| {
                    let steps = self.steps(&self.plan.joins[*join], from, rightward);
                    steps.into_iter().filter(move |step| self.may_be(child, step.node, domain))
                });
                steps
                    .filter_map(|step| {
                        let edge = self.topology.edge(step.relationship);
                        number(names.iter().find_map(|name| edge.properties.get(name))?)
                    })
                    .collect()
            }
        }
    }

    /// How many of a variable there are on average for one of the answer: for all of its kind, where nothing else is said of it.
    pub(crate) fn average_number(&self, found: &[NodeIndex], counted: usize) -> Option<Value> {
        let answer = self.plan.answer;
        let spoken = self.plan.variables.iter().enumerate().filter(|(_, variable)| !variable.between);
        let alone = spoken.into_iter().all(|(number, _)| number == answer || number == counted);
        let nodes = if alone { self.all(answer) } else { found.to_vec() };
        let numbers: Vec<f64> = nodes.iter().map(|&node| self.count(answer, node, counted) as f64).collect();
        aggregated(Aggregate::Average, &numbers)
    }
}
