//! Printing of patterns.

use super::Printer;
use crate::syntax::tree::{
    Direction, Expression, Hops, LabelExpression, LabelKind, Name, NodePattern, Pattern, PatternElement,
    PatternGroup, Quantifier, RelationshipPattern, Selector, ShortestFunction,
};

impl Printer<'_> {
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        if let Some(variable) = &pattern.variable {
            self.variable(variable);
            self.push(" = ");
        }
        if let Some(selector) = &pattern.selector {
            self.selector(selector);
        }
        self.push(match pattern.shortest {
            Some(ShortestFunction::Single) => "shortestPath(",
            Some(ShortestFunction::All) => "allShortestPaths(",
            None => "",
        });
        for element in &pattern.elements {
            match element {
                PatternElement::Node(node) => self.node(node),
                PatternElement::Relationship(relationship) => self.relationship(relationship),
                PatternElement::Group(group) => self.group(group),
            }
        }
        self.push(if pattern.shortest.is_some() { ")" } else { "" });
    }

    fn selector(&mut self, selector: &Selector) {
        let (word, count, groups) = match selector {
            Selector::All => ("ALL ", None, ""),
            Selector::Any(count) => ("ANY ", count.as_ref(), ""),
            Selector::AnyShortest => ("ANY SHORTEST ", None, ""),
            Selector::AllShortest => ("ALL SHORTEST ", None, ""),
            Selector::Shortest(count) => ("SHORTEST ", Some(count), ""),
            Selector::ShortestGroups(count) => ("SHORTEST ", count.as_ref(), "GROUPS "),
        };
        self.push(word);
        if let Some(count) = count {
            self.expression(count);
            self.push(" ");
        }
        self.push(groups);
    }

    fn node(&mut self, node: &NodePattern) {
        self.note(node.span);
        self.push("(");
        let start = self.text.len();
        self.element_name(node.variable.as_ref(), node.labels.as_ref());
        self.element_limits(start, node.properties.as_deref(), node.condition.as_deref());
        self.push(")");
    }

    /// Writes the variable of a node or relationship and its labels or types.
    fn element_name(&mut self, variable: Option<&Name>, labels: Option<&LabelExpression>) {
        if let Some(variable) = variable {
            self.variable(variable);
        }
        if let Some(labels) = labels {
            self.push(":");
            self.labels(labels);
        }
    }

    /// Writes the properties and the condition of a node or relationship whose text begins at
    /// `start`.
    fn element_limits(
        &mut self,
        start: usize,
        properties: Option<&Expression>,
        condition: Option<&Expression>,
    ) {
        if let Some(properties) = properties {
            self.space_since(start);
            self.expression(properties);
        }
        if let Some(condition) = condition {
            self.space_since(start);
            self.element_condition(condition);
        }
    }

    /// Writes the condition of a node or relationship. A condition that begins with a brace gets
    /// brackets, or it would be read as the properties of `where`.
    fn element_condition(&mut self, condition: &Expression) {
        self.push("WHERE ");
        let start = self.text.len();
        self.expression(condition);
        if self.text.get(start..).is_some_and(|text| text.starts_with('{')) {
            self.text.insert(start, '(');
            self.push(")");
        }
    }

    /// Writes a space, if anything was written since `start`.
    fn space_since(&mut self, start: usize) {
        self.push(if self.text.len() > start { " " } else { "" });
    }

    fn relationship(&mut self, relationship: &RelationshipPattern) {
        self.note(relationship.span);
        self.push(if relationship.direction == Direction::Left { "<-" } else { "-" });
        self.push("[");
        let start = self.text.len();
        self.element_name(relationship.variable.as_ref(), relationship.types.as_ref());
        if let Some(hops) = &relationship.hops {
            self.hops(hops);
        }
        self.element_limits(start, relationship.properties.as_deref(), relationship.condition.as_deref());
        if self.text.len() == start {
            // An arrow without anything needs no brackets.
            self.text.pop();
        } else {
            self.push("]");
        }
        self.push(if relationship.direction == Direction::Right { "->" } else { "-" });
        if let Some(quantifier) = &relationship.quantifier {
            self.quantifier(quantifier);
        }
    }

    fn hops(&mut self, hops: &Hops) {
        self.push("*");
        // `*2` and `*2..2` are one bound.
        let (least, most) =
            (hops.least.map(|least| least.to_string()), hops.most.map(|most| most.to_string()));
        if least == most {
            self.push(&least.unwrap_or_default());
        } else {
            self.push(&format!("{}..{}", least.unwrap_or_default(), most.unwrap_or_default()));
        }
    }

    fn quantifier(&mut self, quantifier: &Quantifier) {
        let text = match (quantifier.least, quantifier.most) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (least, None) => format!("{{{least},}}"),
            (least, Some(most)) if least == most => format!("{{{least}}}"),
            (least, Some(most)) => format!("{{{least},{most}}}"),
        };
        self.push(&text);
    }

    fn group(&mut self, group: &PatternGroup) {
        self.push("(");
        self.pattern(&group.pattern);
        if let Some(condition) = &group.condition {
            self.push(" WHERE ");
            self.expression(condition);
        }
        self.push(")");
        if let Some(quantifier) = &group.quantifier {
            self.quantifier(quantifier);
        }
    }

    pub(super) fn labels(&mut self, labels: &LabelExpression) {
        match &labels.kind {
            LabelKind::Name(name) => self.name(name),
            LabelKind::Wildcard => self.push("%"),
            LabelKind::Dynamic { any, expression } => {
                self.push(if *any { "$any(" } else { "$(" });
                self.expression(expression);
                self.push(")");
            }
            LabelKind::Not(operand) => {
                self.push("!");
                self.label_operand(operand, matches!(operand.kind, LabelKind::Not(_)));
            }
            LabelKind::Or(operands) => self.separated(operands, "|", |printer, operand| {
                printer.label_operand(operand, !matches!(operand.kind, LabelKind::Or(_)));
            }),
            LabelKind::And(operands) => self.separated(operands, "&", |printer, operand| {
                printer.label_operand(operand, matches!(operand.kind, LabelKind::Not(_)));
            }),
            LabelKind::Colons(operands) => self.separated(operands, ":", |printer, operand| {
                printer.label_operand(operand, matches!(operand.kind, LabelKind::Not(_)));
            }),
            LabelKind::Invalid => {}
        }
    }

    fn label_operand(&mut self, operand: &LabelExpression, binds: bool) {
        let single =
            matches!(operand.kind, LabelKind::Name(_) | LabelKind::Wildcard | LabelKind::Dynamic { .. });
        if binds || single {
            self.labels(operand);
        } else {
            self.push("(");
            self.labels(operand);
            self.push(")");
        }
    }
}
