//! Reads the meaning of a Cypher query, where it has one of the kind that is learned.

use graphwright_core::Value;
use graphwright_cypher::syntax::{
    parse,
    tree::{
        BinaryOperator, Clause, ClauseKind, ComparisonOperator, Direction, Expression, ExpressionKind,
        LabelExpression, LabelKind, Literal, LogicalOperator, Match, NodePattern, PatternElement, Projection,
        RelationshipPattern, StatementBody,
    },
};

use crate::{
    graph::Graph,
    meaning::{Asked, Condition, Meaning, Rank, Thing},
    schema::{Label, Property, Schema, Step, StepId, Way},
};

type Told<T> = Result<T, String>;

/// A node of the query, by its variable.
#[derive(Debug)]
struct Node {
    variable: String,
    label: Option<Label>,
    conditions: Vec<(Property, Value)>,
}

/// A relationship of the query.
#[derive(Clone, Copy, Debug)]
struct Edge {
    left: usize,
    right: usize,
    kind: u16,
    way: Way,
}

struct Reader<'a> {
    schema: &'a Schema,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Reads a query.
///
/// # Errors
/// Says what in it is of another kind.
pub(crate) fn meaning(cypher: &str, graph: &Graph) -> Told<Meaning> {
    let parsed = parse(cypher);
    if let Some(found) = parsed.diagnostics.first() {
        return Err(format!("its Cypher has a fault: {}", found.message));
    }
    let [statement] = parsed.tree.statements.as_slice() else {
        return Err("it has several statements".into());
    };
    let StatementBody::Query(query) = &statement.body else { return Err("it is a command".into()) };
    if !query.unions.is_empty() {
        return Err("it has a UNION".into());
    }
    let mut reader = Reader { schema: &graph.schema, nodes: Vec::new(), edges: Vec::new() };
    let Some((last, matches)) = query.first.clauses.split_last() else { return Err("it is empty".into()) };
    for clause in matches {
        reader.read_clause(clause)?;
    }
    let ClauseKind::Return(projection) = &last.kind else { return Err("it does not end with RETURN".into()) };
    reader.meaning(projection, graph)
}

impl Reader<'_> {
    fn read_clause(&mut self, clause: &Clause) -> Told<()> {
        let ClauseKind::Match(found) = &clause.kind else {
            return Err("it has other clauses than MATCH and RETURN".into());
        };
        if found.optional || found.mode.is_some() {
            return Err("it has an OPTIONAL MATCH or a mode".into());
        }
        self.read_match(found)
    }

    fn read_match(&mut self, found: &Match) -> Told<()> {
        for pattern in &found.patterns {
            if pattern.selector.is_some() || pattern.shortest.is_some() {
                return Err("it looks for shortest paths".into());
            }
            let mut last: Option<usize> = None;
            let mut between: Option<&RelationshipPattern> = None;
            for element in &pattern.elements {
                match element {
                    PatternElement::Node(node) => {
                        let at = self.read_node(node)?;
                        if let (Some(left), Some(relationship)) = (last, between.take()) {
                            self.read_relationship(left, at, relationship)?;
                        }
                        last = Some(at);
                    }
                    PatternElement::Relationship(relationship) => between = Some(relationship),
                    PatternElement::Group(_) => return Err("it repeats a pattern".into()),
                }
            }
        }
        found.condition.iter().try_for_each(|condition| self.read_condition(condition))
    }

    fn read_node(&mut self, node: &NodePattern) -> Told<usize> {
        let variable = node
            .variable
            .as_ref()
            .map_or_else(|| format!(" {}", self.nodes.len()), |name| name.text.to_string());
        let label = node.labels.as_ref().map(|labels| self.label(labels)).transpose()?;
        let known = self.nodes.iter().position(|known| known.variable == variable);
        let at = known.unwrap_or(self.nodes.len());
        if known.is_none() {
            self.nodes.push(Node { variable: variable.clone(), label: None, conditions: Vec::new() });
        }
        self.nodes[at].label = self.nodes[at].label.or(label);
        if let Some(properties) = &node.properties {
            let ExpressionKind::Map(entries) = &properties.kind else {
                return Err("it has a map as parameter".into());
            };
            for (name, value) in entries {
                self.add_condition(at, &name.text, value)?;
            }
        }
        if let Some(condition) = &node.condition {
            self.read_condition(condition)?;
        }
        Ok(at)
    }

    fn label(&self, labels: &LabelExpression) -> Told<Label> {
        let name = single(labels)?;
        self.schema.label(name).ok_or_else(|| format!("the graph has no label `{name}`"))
    }

    fn read_relationship(&mut self, left: usize, right: usize, found: &RelationshipPattern) -> Told<()> {
        if found.hops.is_some()
            || found.quantifier.is_some()
            || found.properties.is_some()
            || found.condition.is_some()
        {
            return Err("it has a relationship with conditions or of any length".into());
        }
        let types = found.types.as_ref().ok_or("it has a relationship without a type")?;
        let name = single(types)?;
        let kind =
            self.schema.kind(name).ok_or_else(|| format!("the graph has no relationship type `{name}`"))?;
        let way = match found.direction {
            Direction::Right => Way::Out,
            Direction::Left => Way::In,
            Direction::Either => Way::Both,
        };
        self.edges.push(Edge { left, right, kind, way });
        Ok(())
    }

    fn read_condition(&mut self, condition: &Expression) -> Told<()> {
        match &condition.kind {
            ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
                operands.iter().try_for_each(|operand| self.read_condition(operand))
            }
            ExpressionKind::Comparison { first, rest } => {
                let [(ComparisonOperator::Equal, second)] = rest.as_slice() else {
                    return Err("it compares otherwise than for equality".into());
                };
                let (property, value) = if matches!(first.kind, ExpressionKind::Property { .. }) {
                    (&**first, second)
                } else {
                    (second, &**first)
                };
                let (at, name) = self.property_of(property)?;
                self.add_condition(at, &name, value)
            }
            ExpressionKind::Binary { operator: BinaryOperator::In, .. } => Err("it has IN".into()),
            _ => Err("it has another condition than property = value".into()),
        }
    }

    fn property_of(&self, expression: &Expression) -> Told<(usize, String)> {
        if let ExpressionKind::Property { base, key } = &expression.kind
            && let ExpressionKind::Variable(name) = &base.kind
        {
            return Ok((self.known(&name.text)?, key.text.to_string()));
        }
        Err("it has an expression other than a property".into())
    }

    fn known(&self, variable: &str) -> Told<usize> {
        let at = self.nodes.iter().position(|node| node.variable == variable);
        at.ok_or_else(|| format!("`{variable}` is no node of it"))
    }

    fn add_condition(&mut self, at: usize, property: &str, value: &Expression) -> Told<()> {
        let property = self.property(property)?;
        let value = literal(value)
            .ok_or("it compares with something other than a text, a number or a truth value")?;
        self.nodes[at].conditions.push((property, value));
        Ok(())
    }

    fn property(&self, name: &str) -> Told<Property> {
        self.schema.property(name).ok_or_else(|| format!("the graph has no property `{name}`"))
    }

    fn meaning(&mut self, projection: &Projection, graph: &Graph) -> Told<Meaning> {
        let [item] = projection.items.as_slice() else { return Err("it returns several columns".into()) };
        let (target, asked) = self.asked(&item.expression)?;
        let rank = self.rank(projection, target)?;
        let things = self.tree(target, graph)?;
        Ok(Meaning { things, asked, rank, others: false })
    }

    fn asked(&self, expression: &Expression) -> Told<(usize, Asked)> {
        match &expression.kind {
            ExpressionKind::Variable(name) => Ok((self.known(&name.text)?, Asked::Entities)),
            ExpressionKind::Property { .. } => {
                let (at, name) = self.property_of(expression)?;
                Ok((at, Asked::Values(self.property(&name)?)))
            }
            ExpressionKind::Call(call) if call.lower_name() == "count" && call.arguments.len() == 1 => {
                let (at, _) = self.asked(&call.arguments[0])?;
                Ok((at, Asked::Count))
            }
            _ => Err("it returns something other than a node, a property or a count".into()),
        }
    }

    fn rank(&self, projection: &Projection, target: usize) -> Told<Option<Rank>> {
        let page = &projection.page;
        if page.order.is_empty() && page.limit.is_none() && page.skip.is_none() {
            return Ok(None);
        }
        let limit = page.limit.as_ref().and_then(literal);
        let [order] = page.order.as_slice() else {
            return Err("it has LIMIT without ORDER BY, or several keys".into());
        };
        if limit != Some(Value::Integer(1)) || page.skip.is_some() {
            return Err("it wants other than the first (LIMIT 1)".into());
        }
        let (at, name) = self.property_of(&order.expression)?;
        if at != target {
            return Err("it sorts by something other than what it returns".into());
        }
        Ok(Some(Rank { property: self.property(&name)?, descending: order.descending }))
    }

    /// Hangs the nodes up at the one that is asked for.
    fn tree(&mut self, target: usize, graph: &Graph) -> Told<Vec<Thing>> {
        self.infer_labels()?;
        let mut things: Vec<Thing> = Vec::new();
        let mut order = vec![(target, None)];
        let mut used = vec![false; self.edges.len()];
        let mut at = 0;
        while let Some(&(node, before)) = order.get(at) {
            things.push(self.thing(node, before, graph)?);
            for (edge, is_used) in used.iter_mut().enumerate().filter(|(_, used)| !**used) {
                let own = self.edges[edge];
                let other = if own.left == node {
                    own.right
                } else if own.right == node {
                    own.left
                } else {
                    continue;
                };
                *is_used = true;
                if order.iter().any(|(known, _)| *known == other) {
                    return Err("its pattern has a circle".into());
                }
                order.push((other, Some((at, self.step(own, node, other)?))));
            }
            at += 1;
        }
        if things.len() < self.nodes.len() {
            return Err("its patterns are not connected".into());
        }
        let forked = |at: usize| {
            at > 0
                && things.iter().filter(|thing| thing.before.is_some_and(|(before, _)| before == at)).count()
                    > 1
        };
        if (0..things.len()).any(forked) {
            return Err("it forks behind what it returns".into());
        }
        Ok(things)
    }

    fn thing(&self, node: usize, before: Option<(usize, StepId)>, graph: &Graph) -> Told<Thing> {
        let own = &self.nodes[node];
        let label = own.label.ok_or("it has a node whose label is not clear")?;
        let conditions = own.conditions.iter().map(|(property, value)| {
            // Numbers may be stored as texts, and the other way round.
            let value = graph.values.stored(label, *property, value).unwrap_or(value).clone();
            Condition { property: *property, value }
        });
        Ok(Thing { label, before, conditions: conditions.collect() })
    }

    /// The step along an edge. Where the graph has the relationship one way only, that is the way.
    fn step(&self, edge: Edge, from: usize, to: usize) -> Told<StepId> {
        let label = |at: usize| self.nodes[at].label.ok_or("it has a node whose label is not clear");
        let way = match (edge.way, edge.left == from) {
            (Way::Both, _) => Way::Both,
            (way, true) => way,
            (Way::Out, false) => Way::In,
            (_, false) => Way::Out,
        };
        let ways = if way == Way::Both { &[Way::Both, Way::Out, Way::In][..] } else { &[way][..] };
        let (from, to) = (label(from)?, label(to)?);
        let mut steps = ways.iter().map(|way| Step { from, kind: edge.kind, way: *way, to });
        steps.find_map(|step| self.schema.step(step)).ok_or_else(|| {
            let [from, to] = [from, to].map(|label| &self.schema.labels[usize::from(label)]);
            format!("the graph has no `{}` from {from} to {to}", self.schema.kinds[usize::from(edge.kind)])
        })
    }

    /// Gives nodes without a label the only one that their relationships allow.
    fn infer_labels(&mut self) -> Told<()> {
        for at in 0..self.nodes.len() {
            if self.nodes[at].label.is_some() {
                continue;
            }
            let mut allowed: Option<Vec<Label>> = None;
            for edge in self.edges.iter().filter(|edge| edge.left == at || edge.right == at) {
                let way = if edge.left == at {
                    edge.way
                } else {
                    Step { from: 0, kind: 0, way: edge.way, to: 0 }.reversed().way
                };
                let steps = self
                    .schema
                    .steps
                    .iter()
                    .filter(|step| step.kind == edge.kind && (way == Way::Both || step.way == way));
                let labels: Vec<Label> = steps.map(|step| step.from).collect();
                allowed = Some(allowed.map_or(labels.clone(), |known| {
                    known.into_iter().filter(|one| labels.contains(one)).collect()
                }));
            }
            let mut allowed = allowed.unwrap_or_default();
            allowed.sort_unstable();
            allowed.dedup();
            let [label] = allowed[..] else { return Err("it has a node whose label is not clear".into()) };
            self.nodes[at].label = Some(label);
        }
        Ok(())
    }
}

fn single(labels: &LabelExpression) -> Told<&str> {
    match &labels.kind {
        LabelKind::Name(name) => Ok(&name.text),
        LabelKind::Colons(parts) if parts.len() == 1 => single(&parts[0]),
        _ => Err("it has a choice of labels or types".into()),
    }
}

fn literal(expression: &Expression) -> Option<Value> {
    match &expression.kind {
        ExpressionKind::Literal(Literal::String(text)) => Some(Value::from(&**text)),
        ExpressionKind::Literal(Literal::Integer(number)) => i64::try_from(*number).ok().map(Value::Integer),
        ExpressionKind::Literal(Literal::Float(number)) => Some(Value::Float(*number)),
        ExpressionKind::Literal(Literal::Boolean(truth)) => Some(Value::Boolean(*truth)),
        _ => None,
    }
}
