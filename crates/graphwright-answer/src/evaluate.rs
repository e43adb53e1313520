//! Runs a plan over the topology.
//!
//! Evaluation computes sets of nodes from the leaves of the plan up to its answer, then finds the
//! path that proves each match.

mod held;
mod values;

use std::collections::{HashMap, HashSet, VecDeque};

use graphwright_core::Value;
use graphwright_english::dates::Days;
use graphwright_retrieve::{Direction, NodeIndex, RelationshipIndex, Step, Topology};

pub(crate) use self::values::{aggregated, number};
use self::values::{are_of_one_year, compares, dated, days_since_epoch, holds, ranks};
use crate::{
    duration::seconds,
    limits::Limits,
    question::plan::{Filter, Join, JoinTest, Order, Plan, Quantifier, Ranking, Test},
    schema::Schema,
};

/// The nodes that a variable may be. `None` means all that the variable's own conditions allow.
type Domain = Option<HashSet<NodeIndex>>;

/// A match with the relationships that prove it, one list for each branch of the plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    pub(crate) node: NodeIndex,
    pub(crate) proofs: Vec<Vec<Step>>,
}

/// The run of one plan.
#[derive(Debug)]
pub(crate) struct Evaluation<'a> {
    plan: &'a Plan,
    topology: &'a Topology,
    schema: &'a Schema,
    /// The joins of each variable, seen from the answer: the join, the variable behind it, and
    /// whether the join is walked from left to right.
    children: Vec<Vec<(usize, usize, bool)>>,
    /// For each variable, further joins with the variable before it, and whether they are walked from left to right.
    beside: Vec<Vec<(usize, bool)>>,
    domains: HashMap<usize, Domain>,
    limits: Limits,
}

impl<'a> Evaluation<'a> {
    /// Finds the matches of the plan's answer variable, in the order of the store or of the
    /// ranking. Some are missing when the time is over.
    pub(crate) fn run(
        plan: &'a Plan,
        topology: &'a Topology,
        schema: &'a Schema,
        limits: Limits,
    ) -> (Self, Vec<NodeIndex>) {
        let (children, domains) = (tree(plan), HashMap::new());
        let beside = joins_beside(plan, &children);
        let mut evaluation = Self { plan, topology, schema, children, beside, domains, limits };
        let domain = evaluation.domain(plan.answer);
        let mut found: Vec<NodeIndex> = match domain {
            Some(set) => set.into_iter().collect(),
            None => evaluation.all(plan.answer),
        };
        found.retain(|&node| evaluation.differs(node));
        // Sets have no order; the numbers of nodes have that of the store.
        found.sort_unstable();
        (evaluation, found)
    }

    /// Tells whether the node differs from what the plan wants it to differ from.
    fn differs(&self, node: NodeIndex) -> bool {
        let answer = self.plan.answer;
        self.plan.different.iter().all(|&(left, right)| {
            let other = if left == answer { right } else { left };
            if (left != answer && right != answer) || !leads_to(&self.children, answer, other) {
                return true;
            }
            let mut reached = HashSet::new();
            self.collect(answer, node, other, &mut reached);
            reached.iter().any(|&reached| reached != node)
        })
    }

    fn all(&self, variable: usize) -> Vec<NodeIndex> {
        let own = &self.plan.variables[variable];
        let named = own.entities.as_ref().or(own.called.as_ref().map(|called| &called.nodes));
        let nodes: Vec<NodeIndex> = match (named, &own.labels) {
            (Some(nodes), _) => nodes.clone(),
            (None, Some(labels)) => labels
                .iter()
                .flat_map(|label| self.topology.nodes_with_label(self.schema.label(*label)))
                .collect(),
            (None, None) => self.topology.entities().collect(),
        };
        nodes.into_iter().filter(|&node| self.accepts(variable, node)).collect()
    }

    /// Tells whether the variable's own conditions allow the node.
    fn accepts(&self, variable: usize, node: NodeIndex) -> bool {
        let own = &self.plan.variables[variable];
        let is_entity = || self.schema.label_of(node).is_some();
        own.labels.as_ref().map_or_else(is_entity, |labels| self.schema.is_of(node, labels))
            && own.entities.as_ref().is_none_or(|nodes| nodes.contains(&node))
            && own.called.as_ref().is_none_or(|called| called.nodes.binary_search(&node).is_ok())
            && !own.excluded.contains(&node)
            && own.filters.iter().all(|filter| self.passes(filter, node))
    }

    fn passes(&self, filter: &Filter, node: NodeIndex) -> bool {
        passes(filter, node, self.topology, self.schema)
    }

    fn domain(&mut self, variable: usize) -> Domain {
        if let Some(known) = self.domains.get(&variable) {
            return known.clone();
        }
        let own = &self.plan.variables[variable];
        let mut domain: Domain = (own.entities.is_some() || own.called.is_some())
            .then(|| self.all(variable).into_iter().collect());
        let children = self.children[variable].clone();
        let mut behind: Vec<((usize, usize, bool), Domain)> =
            children.into_iter().map(|child| (child, self.domain(child.1))).collect();
        // The fewest targets first: while nothing is known of the variable, it is reached from
        // them. Absence and counts come last, since they only test candidates.
        behind.sort_by_key(|(join, domain)| {
            let only_tests = self.plan.joins[join.0].negated || self.quantifier(join.1).is_some();
            (only_tests, domain.as_ref().map_or(usize::MAX, HashSet::len))
        });
        for (branch, child_domain) in behind {
            // What is counted behind this variable is counted from before it.
            if self.plan.variables[variable].between && self.is_counted(branch.1) {
                continue;
            }
            domain = Some(self.restrict(variable, domain, branch, child_domain.as_ref()));
        }
        if let Some(ranking) = self.plan.variables[variable].ranking.clone() {
            self.domains.insert(variable, domain.clone());
            domain = Some(self.first_by(variable, domain, &ranking));
        }
        self.domains.insert(variable, domain.clone());
        domain
    }

    fn quantifier(&self, variable: usize) -> Option<Quantifier> {
        self.plan.variables[variable].quantifier
    }

    /// Whether it is told how many of a variable's matches there must be, in all.
    fn is_counted(&self, variable: usize) -> bool {
        let counted = |quantifier| !matches!(quantifier, Quantifier::Only);
        self.quantifier(variable).is_some_and(counted) || self.counted_behind(variable).is_some()
    }

    /// The variable that is counted behind one that only stands between: `customers who ordered no fish`, whatever the order.
    fn counted_behind(&self, between: usize) -> Option<usize> {
        if !self.plan.variables[between].between {
            return None;
        }
        let mut children = self.children[between].iter().map(|(_, child, _)| *child);
        children.find_map(|child| match self.counted_behind(child) {
            None if self.is_counted(child) => Some(child),
            counted => counted,
        })
    }

    fn restrict(
        &self,
        variable: usize,
        domain: Domain,
        (join, child, rightward): (usize, usize, bool),
        child_domain: Option<&HashSet<NodeIndex>>,
    ) -> HashSet<NodeIndex> {
        let counted = self.counted_behind(child);
        let (plan, quantifier) = (&self.plan.joins[join], self.quantifier(counted.unwrap_or(child)));
        let plain = !plan.negated && quantifier.is_none();
        if let (true, None, Some(targets)) = (plain, &domain, child_domain) {
            let mut reached = HashSet::new();
            for &target in targets {
                for step in self.steps(plan, target, !rightward) {
                    if self.accepts(variable, step.node) && self.agrees(step.node, child, target) {
                        reached.insert(step.node);
                    }
                }
            }
            return reached;
        }
        let candidates: Vec<NodeIndex> = match domain {
            Some(nodes) => nodes.into_iter().collect(),
            None => self.all(variable),
        };
        let counted_domain = match counted {
            Some(counted) => self.domains.get(&counted).and_then(Option::as_ref),
            None => child_domain,
        };
        let targets = match (quantifier, counted_domain) {
            (Some(Quantifier::All), Some(nodes)) => nodes.len(),
            (Some(Quantifier::All), None) => self.all(counted.unwrap_or(child)).len(),
            _ => 0,
        };
        let numbers = self.numbers_compared(variable, counted.unwrap_or(child));
        let keeps = |&node: &NodeIndex| {
            if let Some(Quantifier::Than(compare)) = quantifier {
                let number = self.count(variable, node, counted.unwrap_or(child)) as f64;
                let mut others = numbers.iter().filter(|(other, _)| *other != node);
                return others.any(|(_, other)| compares(compare, number, *other as f64)) != plan.negated;
            }
            if let Some(counted) = counted {
                let number = self.count(variable, node, counted);
                let holds = match quantifier {
                    Some(Quantifier::All) => targets > 0 && number == targets,
                    Some(Quantifier::Count(compare, amount)) => compares(compare, number as f64, amount),
                    Some(Quantifier::Range(low, high)) => (low..=high).contains(&(number as f64)),
                    _ => number == 0,
                };
                return holds != plan.negated;
            }
            let reached = self.steps(plan, node, rightward);
            let is_met = |step: &&Step| {
                self.may_be(child, step.node, child_domain) && self.agrees(node, child, step.node)
            };
            let distinct = || {
                let met = reached.iter().filter(is_met).map(|step| step.node);
                met.collect::<HashSet<NodeIndex>>().len()
            };
            let holds = match quantifier {
                None => reached.iter().any(|step| is_met(&step)),
                Some(Quantifier::No) => !reached.iter().any(|step| is_met(&step)),
                Some(Quantifier::Only) => !reached.is_empty() && reached.iter().all(|step| is_met(&step)),
                Some(Quantifier::All) => targets > 0 && distinct() == targets,
                Some(Quantifier::Count(compare, amount)) => compares(compare, distinct() as f64, amount),
                Some(Quantifier::Range(low, high)) => (low..=high).contains(&(distinct() as f64)),
                Some(Quantifier::Than(_)) => false,
            };
            holds != plan.negated
        };
        candidates.into_iter().filter(keeps).collect()
    }

    /// Those with whose number of a variable's matches that of another variable is compared, each with its own number.
    pub(crate) fn numbers_compared(&self, variable: usize, counted: usize) -> Vec<(NodeIndex, usize)> {
        let labels = self.plan.variables[variable].labels.as_deref();
        let fits = |node: &NodeIndex| labels.is_none_or(|labels| self.schema.is_of(*node, labels));
        let others = self.plan.variables[counted].compared.iter().copied().filter(fits);
        others.map(|other| (other, self.count(variable, other, counted))).collect()
    }

    /// Tells whether the further joins between a match and one of the variable behind it hold too.
    fn agrees(&self, node: NodeIndex, child: usize, other: NodeIndex) -> bool {
        self.beside[child].iter().all(|&(join, rightward)| {
            let plan = &self.plan.joins[join];
            self.steps(plan, node, rightward).iter().any(|step| step.node == other) != plan.negated
        })
    }

    fn may_be(&self, variable: usize, node: NodeIndex, domain: Option<&HashSet<NodeIndex>>) -> bool {
        match domain {
            Some(nodes) => nodes.contains(&node),
            None => self.accepts(variable, node),
        }
    }

    /// Lists the steps along a join from one of its ends; none when the time is over.
    fn steps(&self, join: &Join, from: NodeIndex, rightward: bool) -> Vec<Step> {
        if self.limits.is_over() {
            return Vec::new();
        }
        if join.hops <= 1 {
            return self.next_steps(join, from, rightward).collect();
        }
        let mut reached: Vec<Step> = Vec::new();
        let mut seen = HashSet::from([from]);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            if depth == join.hops {
                continue;
            }
            for step in self.next_steps(join, node, rightward) {
                if seen.insert(step.node) {
                    reached.push(step);
                    queue.push_back((step.node, depth + 1));
                }
            }
        }
        reached
    }

    /// The relationships of a node that are those of a join.
    fn next_steps<'j>(
        &'j self,
        join: &'j Join,
        from: NodeIndex,
        rightward: bool,
    ) -> impl Iterator<Item = Step> + 'j {
        let along = move |(kind, forward)| {
            let direction = match forward == rightward {
                _ if self.schema.is_reciprocal(kind) => Direction::Both,
                true => Direction::Outgoing,
                false => Direction::Incoming,
            };
            self.topology.steps_along(from, direction, self.schema.kind(kind))
        };
        let passes =
            |step: &Step| join.test.as_ref().is_none_or(|test| self.edge_passes(test, step.relationship));
        join.kinds().flat_map(along).filter(passes)
    }

    fn edge_passes(&self, condition: &JoinTest, relationship: RelationshipIndex) -> bool {
        let properties = &self.topology.edge(relationship).properties;
        let mut values = condition.names.iter().filter_map(|name| properties.get(name));
        values.any(|value| holds(&condition.test, value))
    }

    /// Keeps the nodes of the domain that rank first, or at the place that is meant. Nodes of equal rank stay together.
    fn first_by(&mut self, variable: usize, domain: Domain, ranking: &Ranking) -> HashSet<NodeIndex> {
        let nodes: Vec<NodeIndex> = match domain {
            Some(nodes) => nodes.into_iter().collect(),
            None => self.all(variable),
        };
        let (order, scored): (Order, Vec<(NodeIndex, f64)>) = match ranking {
            Ranking::Property(properties, order) => {
                let scored =
                    nodes.into_iter().filter_map(|node| Some((node, self.measure(node, properties)?)));
                (*order, scored.collect())
            }
            Ranking::Number(counted, order) => {
                let scored =
                    nodes.into_iter().map(|node| (node, self.count(variable, node, *counted) as f64));
                (*order, scored.collect())
            }
            Ranking::Held(holder, how, order) => {
                let scored = nodes.into_iter().filter_map(|node| {
                    let made = aggregated(*how, &self.values_held(variable, node, holder))?;
                    Some((node, number(&made)?))
                });
                (*order, scored.collect())
            }
        };
        let Some((low, high)) = order.bounds(scored.iter().map(|(_, score)| *score)) else {
            return HashSet::new();
        };
        scored.into_iter().filter(|(_, score)| (low..=high).contains(score)).map(|(node, _)| node).collect()
    }

    fn measure(&self, node: NodeIndex, properties: &[u16]) -> Option<f64> {
        let own = &self.topology.node(node).properties;
        properties.iter().find_map(|&property| {
            let value = own.get(&self.schema.property(property).name)?;
            let days = || Days::from_value(value).map(|days| f64::from(days_since_epoch(days)));
            // A date in a text begins with the number of its year, and a duration with one of some unit.
            let whole = |text: &String| text.trim().parse().ok().or_else(days).or_else(|| seconds(text));
            if let Value::String(text) = value {
                whole(text).or(number(value))
            } else {
                number(value).or_else(days)
            }
        })
    }

    /// Counts the different matches of variable `counted` for one match of another.
    pub(crate) fn count(&self, variable: usize, node: NodeIndex, counted: usize) -> usize {
        let mut reached = HashSet::new();
        self.collect(variable, node, counted, &mut reached);
        reached.len()
    }

    fn collect(&self, variable: usize, node: NodeIndex, counted: usize, reached: &mut HashSet<NodeIndex>) {
        if variable == counted {
            reached.insert(node);
            return;
        }
        for &(join, child, rightward) in &self.children[variable] {
            if !leads_to(&self.children, child, counted) {
                continue;
            }
            let domain = self.domains.get(&child).and_then(Option::as_ref);
            for step in self.steps(&self.plan.joins[join], node, rightward) {
                if self.may_be(child, step.node, domain) && self.agrees(node, child, step.node) {
                    self.collect(child, step.node, counted, reached);
                }
            }
        }
    }

    /// Finds the relationships that prove a match: for each branch of the plan that must hold, one
    /// walk from the match to its leaf.
    pub(crate) fn prove(&self, node: NodeIndex) -> Match {
        let mut proofs = Vec::new();
        self.walk(self.plan.answer, node, &mut Vec::new(), &mut proofs);
        proofs.retain(|proof| !proof.is_empty());
        Match { node, proofs }
    }

    fn walk(&self, variable: usize, node: NodeIndex, trail: &mut Vec<Step>, proofs: &mut Vec<Vec<Step>>) {
        let mut leaf = true;
        for &(join, child, rightward) in &self.children[variable] {
            let plan = &self.plan.joins[join];
            let counted = self.counted_behind(child).unwrap_or(child);
            if plan.negated || self.quantifier(counted) == Some(Quantifier::No) {
                continue;
            }
            let domain = self.domains.get(&child).and_then(Option::as_ref);
            let several = self.quantifier(child).is_some()
                || matches!(self.plan.variables[variable].ranking, Some(Ranking::Number(..)));
            let mut taken = 0;
            for steps in self.ways(plan, node, rightward) {
                let Some(last) = steps.last().copied() else { continue };
                if !self.may_be(child, last.node, domain) || !self.agrees(node, child, last.node) {
                    continue;
                }
                leaf = false;
                proofs.extend(self.steps_beside(node, child, last.node).map(|step| vec![step]));
                let before = trail.len();
                trail.extend(steps);
                self.walk(child, last.node, trail, proofs);
                trail.truncate(before);
                taken += 1;
                if !several || taken == 20 {
                    break;
                }
            }
        }
        if leaf {
            proofs.push(trail.clone());
        }
    }

    /// The steps of the further joins between a match and one of the variable behind it.
    fn steps_beside(
        &self,
        node: NodeIndex,
        child: usize,
        other: NodeIndex,
    ) -> impl Iterator<Item = Step> + '_ {
        let joins = self.beside[child].iter();
        joins.filter_map(move |&(join, rightward)| {
            let steps = self.steps(&self.plan.joins[join], node, rightward);
            steps.into_iter().find(|step| step.node == other)
        })
    }

    /// Lists the steps of one join with what lies between, shortest first.
    fn ways(&self, join: &Join, from: NodeIndex, rightward: bool) -> Vec<Vec<Step>> {
        if join.hops <= 1 {
            return self.steps(join, from, rightward).into_iter().map(|step| vec![step]).collect();
        }
        let steps = self.steps(join, from, rightward);
        let mut to: HashMap<NodeIndex, Vec<Step>> = HashMap::from([(from, Vec::new())]);
        let mut ways = Vec::new();
        for step in steps {
            let edge = self.topology.edge(step.relationship);
            // Steps come nearest first, so the way to the node before is known.
            let before = if edge.end == step.node { edge.start } else { edge.end };
            let mut way = to.get(&before).cloned().unwrap_or_default();
            way.push(step);
            to.insert(step.node, way.clone());
            ways.push(way);
        }
        ways
    }
}

/// Whether a thing meets a condition.
fn passes(filter: &Filter, node: NodeIndex, topology: &Topology, schema: &Schema) -> bool {
    let properties = &topology.node(node).properties;
    let found = filter.properties.iter().any(|&property| {
        let name = &schema.property(property).name;
        properties.get(name).map(|value| dated(name, value)).is_some_and(|value| {
            let of_another = |others: &[NodeIndex], holds: &dyn Fn(&Value) -> bool| {
                others.iter().any(|&other| {
                    let properties = &topology.node(other).properties;
                    other != node && properties.get(name).is_some_and(|value| holds(&dated(name, value)))
                })
            };
            match &filter.test {
                Test::Than(compare, others) => of_another(others, &|other| ranks(*compare, &value, other)),
                Test::SameYear(others) => of_another(others, &|other| are_of_one_year(&value, other)),
                test => holds(test, &value),
            }
        })
    });
    found != filter.negated
}

/// Whether a condition of a plan is for a value that nothing of its kind has, or denies one: then the words mean something else.
pub(crate) fn has_value_of_others(plan: &Plan, negated: bool, topology: &Topology, schema: &Schema) -> bool {
    plan.variables.iter().any(|variable| {
        let is_value = |filter: &&Filter| filter.negated == negated && matches!(filter.test, Test::OneOf(_));
        let labels = variable.labels.as_deref().unwrap_or_default();
        variable.filters.iter().filter(is_value).any(|filter| {
            let mut nodes = labels.iter().flat_map(|label| topology.nodes_with_label(schema.label(*label)));
            !labels.is_empty() && nodes.all(|node| passes(filter, node, topology, schema) == negated)
        })
    })
}

fn leads_to(children: &[Vec<(usize, usize, bool)>], from: usize, to: usize) -> bool {
    from == to || children[from].iter().any(|&(_, child, _)| leads_to(children, child, to))
}

/// Arranges the plan as a tree under its answer. A join that would close a circle belongs where it
/// is first used.
fn tree(plan: &Plan) -> Vec<Vec<(usize, usize, bool)>> {
    let mut children = vec![Vec::new(); plan.variables.len()];
    let mut seen = HashSet::from([plan.answer]);
    let mut queue = VecDeque::from([plan.answer]);
    while let Some(variable) = queue.pop_front() {
        for (number, join) in plan.joins.iter().enumerate() {
            let other = if join.left == variable {
                (join.right, true)
            } else if join.right == variable {
                (join.left, false)
            } else {
                continue;
            };
            if seen.insert(other.0) {
                children[variable].push((number, other.0, other.1));
                queue.push_back(other.0);
            }
        }
    }
    children
}

/// Lists the joins that run beside those of the tree, between the same two variables: `directed` beside `acted in` where one
/// film is meant.
fn joins_beside(plan: &Plan, children: &[Vec<(usize, usize, bool)>]) -> Vec<Vec<(usize, bool)>> {
    let mut beside = vec![Vec::new(); plan.variables.len()];
    for (parent, children) in children.iter().enumerate() {
        for &(taken, child, _) in children {
            let others = plan.joins.iter().enumerate().filter(|(number, _)| *number != taken);
            beside[child].extend(others.filter_map(|(number, join)| match (join.left, join.right) {
                ends if ends == (parent, child) => Some((number, true)),
                ends if ends == (child, parent) => Some((number, false)),
                _ => None,
            }));
        }
    }
    beside
}
