//! The walk through the tree, written once as a macro for reading and for changing.

macro_rules! visitor {
    ($visitor:ident, $suffix:literal, [$($mutable:ident)?], {
        $tree:ident $statement:ident $query:ident $single_query:ident $clause:ident $projection:ident $page:ident
        $set_item:ident $pattern:ident $node:ident $relationship:ident $group:ident $labels:ident $expression:ident
    }) => {
        use graphwright_core::Span;

        use crate::syntax::tree::*;

        #[doc = concat!("A pass over the tree", $suffix, ".")]
        #[expect(missing_docs, reason = "one method for each kind of node, named after it")]
        pub trait $visitor {
            fn visit_tree(&mut self, tree: &$($mutable)? Tree) {
                $tree(self, tree);
            }
            fn visit_statement(&mut self, statement: &$($mutable)? Statement) {
                $statement(self, statement);
            }
            fn visit_query(&mut self, query: &$($mutable)? Query) {
                $query(self, query);
            }
            fn visit_single_query(&mut self, query: &$($mutable)? SingleQuery) {
                $single_query(self, query);
            }
            fn visit_clause(&mut self, clause: &$($mutable)? Clause) {
                $clause(self, clause);
            }
            fn visit_projection(&mut self, projection: &$($mutable)? Projection) {
                $projection(self, projection);
            }
            fn visit_page(&mut self, page: &$($mutable)? Page) {
                $page(self, page);
            }
            fn visit_set_item(&mut self, item: &$($mutable)? SetItem) {
                $set_item(self, item);
            }
            fn visit_pattern(&mut self, pattern: &$($mutable)? Pattern) {
                $pattern(self, pattern);
            }
            fn visit_node(&mut self, node: &$($mutable)? NodePattern) {
                $node(self, node);
            }
            fn visit_relationship(&mut self, relationship: &$($mutable)? RelationshipPattern) {
                $relationship(self, relationship);
            }
            fn visit_group(&mut self, group: &$($mutable)? PatternGroup) {
                $group(self, group);
            }
            fn visit_labels(&mut self, labels: &$($mutable)? LabelExpression) {
                $labels(self, labels);
            }
            fn visit_expression(&mut self, expression: &$($mutable)? Expression) {
                $expression(self, expression);
            }
            fn visit_name(&mut self, name: &$($mutable)? Name) {
                self.visit_span(&$($mutable)? name.span);
            }
            fn visit_span(&mut self, _span: &$($mutable)? Span) {}
        }

        /// Visits the statements of a tree.
        pub fn $tree<V: $visitor + ?Sized>(visitor: &mut V, tree: &$($mutable)? Tree) {
            for statement in &$($mutable)? tree.statements {
                visitor.visit_statement(statement);
            }
        }

        /// Visits the prefixes and the body of a statement.
        pub fn $statement<V: $visitor + ?Sized>(visitor: &mut V, statement: &$($mutable)? Statement) {
            visitor.visit_span(&$($mutable)? statement.span);
            for prefix in &$($mutable)? statement.prefixes {
                visitor.visit_span(&$($mutable)? prefix.span);
                if let PrefixKind::Options { settings, .. } = &$($mutable)? prefix.kind {
                    for (name, value) in settings {
                        visitor.visit_name(name);
                        visitor.visit_name(value);
                    }
                }
            }
            match &$($mutable)? statement.body {
                StatementBody::Query(query) => visitor.visit_query(query),
                StatementBody::Command(command) => visitor.visit_span(&$($mutable)? command.span),
            }
        }

        /// Visits the parts of a query.
        pub fn $query<V: $visitor + ?Sized>(visitor: &mut V, query: &$($mutable)? Query) {
            visitor.visit_span(&$($mutable)? query.span);
            visitor.visit_single_query(&$($mutable)? query.first);
            for union in &$($mutable)? query.unions {
                visitor.visit_span(&$($mutable)? union.span);
                visitor.visit_single_query(&$($mutable)? union.query);
            }
        }

        /// Visits the clauses of a query.
        pub fn $single_query<V: $visitor + ?Sized>(visitor: &mut V, query: &$($mutable)? SingleQuery) {
            visitor.visit_span(&$($mutable)? query.span);
            for clause in &$($mutable)? query.clauses {
                visitor.visit_clause(clause);
            }
        }

        /// Visits the children of a clause.
        pub fn $clause<V: $visitor + ?Sized>(visitor: &mut V, clause: &$($mutable)? Clause) {
            visitor.visit_span(&$($mutable)? clause.span);
            match &$($mutable)? clause.kind {
                ClauseKind::Match(found) => walk_match(visitor, found),
                ClauseKind::Unwind(unwind) => {
                    visitor.visit_expression(&$($mutable)? unwind.list);
                    visitor.visit_name(&$($mutable)? unwind.variable);
                }
                ClauseKind::With(projection) | ClauseKind::Return(projection) => {
                    visitor.visit_projection(projection);
                }
                ClauseKind::Page(page) => visitor.visit_page(page),
                ClauseKind::Create(patterns) | ClauseKind::Insert(patterns) => {
                    for pattern in patterns {
                        visitor.visit_pattern(pattern);
                    }
                }
                ClauseKind::Merge(merge) => {
                    visitor.visit_pattern(&$($mutable)? merge.pattern);
                    for action in &$($mutable)? merge.actions {
                        visitor.visit_span(&$($mutable)? action.span);
                        for item in &$($mutable)? action.items {
                            visitor.visit_set_item(item);
                        }
                    }
                }
                ClauseKind::Set(items) => {
                    for item in items {
                        visitor.visit_set_item(item);
                    }
                }
                ClauseKind::Remove(items) => {
                    for item in items {
                        visitor.visit_span(&$($mutable)? item.span);
                        match &$($mutable)? item.kind {
                            RemoveKind::Property(target) => visitor.visit_expression(target),
                            RemoveKind::Labels { variable, labels } => {
                                visitor.visit_name(variable);
                                visitor.visit_labels(labels);
                            }
                        }
                    }
                }
                ClauseKind::Delete(delete) => {
                    for expression in &$($mutable)? delete.expressions {
                        visitor.visit_expression(expression);
                    }
                }
                ClauseKind::ForEach(each) => {
                    visitor.visit_name(&$($mutable)? each.variable);
                    visitor.visit_expression(&$($mutable)? each.list);
                    for clause in &$($mutable)? each.clauses {
                        visitor.visit_clause(clause);
                    }
                }
                ClauseKind::Call(call) => walk_call(visitor, call),
                ClauseKind::Subquery(subquery) => walk_subquery(visitor, subquery),
                ClauseKind::LoadCsv(load) => {
                    visitor.visit_expression(&$($mutable)? load.source);
                    visitor.visit_name(&$($mutable)? load.variable);
                    if let Some(separator) = &$($mutable)? load.separator {
                        visitor.visit_expression(separator);
                    }
                }
                ClauseKind::Use(graph) => visitor.visit_expression(graph),
                ClauseKind::Finish | ClauseKind::Invalid => {}
            }
        }

        fn walk_match<V: $visitor + ?Sized>(visitor: &mut V, found: &$($mutable)? Match) {
            for pattern in &$($mutable)? found.patterns {
                visitor.visit_pattern(pattern);
            }
            for hint in &$($mutable)? found.hints {
                visitor.visit_span(&$($mutable)? hint.span);
                match &$($mutable)? hint.kind {
                    HintKind::Index { kind, variable, label, properties, .. } => {
                        if let Some(kind) = kind {
                            visitor.visit_name(kind);
                        }
                        visitor.visit_name(variable);
                        visitor.visit_name(label);
                        for property in properties {
                            visitor.visit_name(property);
                        }
                    }
                    HintKind::Scan { variable, label } => {
                        visitor.visit_name(variable);
                        visitor.visit_name(label);
                    }
                    HintKind::Join(variables) => {
                        for variable in variables {
                            visitor.visit_name(variable);
                        }
                    }
                }
            }
            if let Some(condition) = &$($mutable)? found.condition {
                visitor.visit_expression(condition);
            }
        }

        fn walk_call<V: $visitor + ?Sized>(visitor: &mut V, call: &$($mutable)? ProcedureCall) {
            for part in &$($mutable)? call.name {
                visitor.visit_name(part);
            }
            for argument in (&$($mutable)? call.arguments).into_iter().flatten() {
                visitor.visit_expression(argument);
            }
            if let Some(results) = &$($mutable)? call.results {
                visitor.visit_span(&$($mutable)? results.span);
                for item in &$($mutable)? results.items {
                    visitor.visit_span(&$($mutable)? item.span);
                    visitor.visit_name(&$($mutable)? item.column);
                    if let Some(alias) = &$($mutable)? item.alias {
                        visitor.visit_name(alias);
                    }
                }
                if let Some(condition) = &$($mutable)? results.condition {
                    visitor.visit_expression(condition);
                }
            }
        }

        fn walk_subquery<V: $visitor + ?Sized>(visitor: &mut V, subquery: &$($mutable)? CallSubquery) {
            if let Some(Imports::Variables(variables)) = &$($mutable)? subquery.imports {
                for variable in variables {
                    visitor.visit_name(variable);
                }
            }
            visitor.visit_query(&$($mutable)? subquery.query);
            if let Some(transactions) = &$($mutable)? subquery.transactions {
                visitor.visit_span(&$($mutable)? transactions.span);
                if let Some(Some(count)) = &$($mutable)? transactions.concurrent {
                    visitor.visit_expression(count);
                }
                if let Some(rows) = &$($mutable)? transactions.rows {
                    visitor.visit_expression(rows);
                }
                if let Some(status) = &$($mutable)? transactions.status {
                    visitor.visit_name(status);
                }
            }
        }

        /// Visits the columns, the page and the condition of `WITH` or `RETURN`.
        pub fn $projection<V: $visitor + ?Sized>(visitor: &mut V, projection: &$($mutable)? Projection) {
            for item in &$($mutable)? projection.items {
                visitor.visit_span(&$($mutable)? item.span);
                visitor.visit_expression(&$($mutable)? item.expression);
                if let Some(alias) = &$($mutable)? item.alias {
                    visitor.visit_name(alias);
                }
            }
            visitor.visit_page(&$($mutable)? projection.page);
            if let Some(condition) = &$($mutable)? projection.condition {
                visitor.visit_expression(condition);
            }
        }

        /// Visits the order, the offset and the limit of rows.
        pub fn $page<V: $visitor + ?Sized>(visitor: &mut V, page: &$($mutable)? Page) {
            for item in &$($mutable)? page.order {
                visitor.visit_span(&$($mutable)? item.span);
                visitor.visit_expression(&$($mutable)? item.expression);
            }
            if let Some(skip) = &$($mutable)? page.skip {
                visitor.visit_expression(skip);
            }
            if let Some(limit) = &$($mutable)? page.limit {
                visitor.visit_expression(limit);
            }
        }

        /// Visits the target and the value of a change.
        pub fn $set_item<V: $visitor + ?Sized>(visitor: &mut V, item: &$($mutable)? SetItem) {
            visitor.visit_span(&$($mutable)? item.span);
            match &$($mutable)? item.kind {
                SetKind::Property { target, value } => {
                    visitor.visit_expression(target);
                    visitor.visit_expression(value);
                }
                SetKind::Replace { variable, value } | SetKind::Merge { variable, value } => {
                    visitor.visit_name(variable);
                    visitor.visit_expression(value);
                }
                SetKind::Labels { variable, labels } => {
                    visitor.visit_name(variable);
                    visitor.visit_labels(labels);
                }
            }
        }

        /// Visits the elements of a path.
        pub fn $pattern<V: $visitor + ?Sized>(visitor: &mut V, pattern: &$($mutable)? Pattern) {
            visitor.visit_span(&$($mutable)? pattern.span);
            if let Some(variable) = &$($mutable)? pattern.variable {
                visitor.visit_name(variable);
            }
            match &$($mutable)? pattern.selector {
                Some(
                    Selector::Any(Some(count)) | Selector::Shortest(count) | Selector::ShortestGroups(Some(count)),
                ) => visitor.visit_expression(count),
                _ => {}
            }
            for element in &$($mutable)? pattern.elements {
                match element {
                    PatternElement::Node(node) => visitor.visit_node(node),
                    PatternElement::Relationship(relationship) => visitor.visit_relationship(relationship),
                    PatternElement::Group(group) => visitor.visit_group(group),
                }
            }
        }

        /// Visits the variable, labels, properties and condition of a node.
        pub fn $node<V: $visitor + ?Sized>(visitor: &mut V, node: &$($mutable)? NodePattern) {
            visitor.visit_span(&$($mutable)? node.span);
            if let Some(variable) = &$($mutable)? node.variable {
                visitor.visit_name(variable);
            }
            if let Some(labels) = &$($mutable)? node.labels {
                visitor.visit_labels(labels);
            }
            if let Some(properties) = &$($mutable)? node.properties {
                visitor.visit_expression(properties);
            }
            if let Some(condition) = &$($mutable)? node.condition {
                visitor.visit_expression(condition);
            }
        }

        /// Visits the variable, types, properties, condition and bounds of a relationship.
        pub fn $relationship<V: $visitor + ?Sized>(visitor: &mut V, relationship: &$($mutable)? RelationshipPattern) {
            visitor.visit_span(&$($mutable)? relationship.span);
            if let Some(variable) = &$($mutable)? relationship.variable {
                visitor.visit_name(variable);
            }
            if let Some(types) = &$($mutable)? relationship.types {
                visitor.visit_labels(types);
            }
            if let Some(hops) = &$($mutable)? relationship.hops {
                visitor.visit_span(&$($mutable)? hops.span);
            }
            if let Some(properties) = &$($mutable)? relationship.properties {
                visitor.visit_expression(properties);
            }
            if let Some(condition) = &$($mutable)? relationship.condition {
                visitor.visit_expression(condition);
            }
            if let Some(quantifier) = &$($mutable)? relationship.quantifier {
                visitor.visit_span(&$($mutable)? quantifier.span);
            }
        }

        /// Visits the path and the condition of a group.
        pub fn $group<V: $visitor + ?Sized>(visitor: &mut V, group: &$($mutable)? PatternGroup) {
            visitor.visit_span(&$($mutable)? group.span);
            visitor.visit_pattern(&$($mutable)? group.pattern);
            if let Some(condition) = &$($mutable)? group.condition {
                visitor.visit_expression(condition);
            }
            if let Some(quantifier) = &$($mutable)? group.quantifier {
                visitor.visit_span(&$($mutable)? quantifier.span);
            }
        }

        /// Visits the operands of a label expression.
        pub fn $labels<V: $visitor + ?Sized>(visitor: &mut V, labels: &$($mutable)? LabelExpression) {
            visitor.visit_span(&$($mutable)? labels.span);
            match &$($mutable)? labels.kind {
                LabelKind::Name(name) => visitor.visit_name(name),
                LabelKind::Dynamic { expression, .. } => visitor.visit_expression(expression),
                LabelKind::Not(operand) => visitor.visit_labels(operand),
                LabelKind::And(operands) | LabelKind::Or(operands) | LabelKind::Colons(operands) => {
                    for operand in operands {
                        visitor.visit_labels(operand);
                    }
                }
                LabelKind::Wildcard | LabelKind::Invalid => {}
            }
        }

        /// Visits the operands and other children of an expression.
        pub fn $expression<V: $visitor + ?Sized>(visitor: &mut V, expression: &$($mutable)? Expression) {
            visitor.visit_span(&$($mutable)? expression.span);
            match &$($mutable)? expression.kind {
                ExpressionKind::Literal(_) | ExpressionKind::CountStar | ExpressionKind::Invalid => {}
                ExpressionKind::Parameter(name) | ExpressionKind::Variable(name) => visitor.visit_name(name),
                ExpressionKind::Property { base, key } => {
                    visitor.visit_expression(base);
                    visitor.visit_name(key);
                }
                ExpressionKind::Index { base, index } => {
                    visitor.visit_expression(base);
                    visitor.visit_expression(index);
                }
                ExpressionKind::Slice { base, from, to } => {
                    visitor.visit_expression(base);
                    for bound in from.into_iter().chain(to) {
                        visitor.visit_expression(bound);
                    }
                }
                ExpressionKind::Labels { base, labels } => {
                    visitor.visit_expression(base);
                    visitor.visit_labels(labels);
                }
                ExpressionKind::Unary { operand, .. } => visitor.visit_expression(operand),
                ExpressionKind::Test { operand, test, .. } => {
                    visitor.visit_expression(operand);
                    walk_test(visitor, test);
                }
                ExpressionKind::Binary { left, right, .. } => {
                    visitor.visit_expression(left);
                    visitor.visit_expression(right);
                }
                ExpressionKind::Logical { operands, .. } | ExpressionKind::List(operands) => {
                    for operand in operands {
                        visitor.visit_expression(operand);
                    }
                }
                ExpressionKind::Comparison { first, rest } => {
                    visitor.visit_expression(first);
                    for (_, operand) in rest {
                        visitor.visit_expression(operand);
                    }
                }
                ExpressionKind::Map(entries) => {
                    for (key, value) in entries {
                        visitor.visit_name(key);
                        visitor.visit_expression(value);
                    }
                }
                ExpressionKind::MapProjection { base, items } => {
                    visitor.visit_name(base);
                    for item in items {
                        match item {
                            ProjectedEntry::Property(name) | ProjectedEntry::Variable(name) => visitor.visit_name(name),
                            ProjectedEntry::Entry(key, value) => {
                                visitor.visit_name(key);
                                visitor.visit_expression(value);
                            }
                            ProjectedEntry::All => {}
                        }
                    }
                }
                ExpressionKind::Case(case) => walk_case(visitor, case),
                ExpressionKind::Call(call) => {
                    for part in &$($mutable)? call.name {
                        visitor.visit_name(part);
                    }
                    for argument in &$($mutable)? call.arguments {
                        visitor.visit_expression(argument);
                    }
                }
                ExpressionKind::ListComprehension(comprehension) => {
                    visitor.visit_name(&$($mutable)? comprehension.variable);
                    visitor.visit_expression(&$($mutable)? comprehension.list);
                    if let Some(condition) = &$($mutable)? comprehension.condition {
                        visitor.visit_expression(condition);
                    }
                    if let Some(value) = &$($mutable)? comprehension.value {
                        visitor.visit_expression(value);
                    }
                }
                ExpressionKind::PatternComprehension(comprehension) => {
                    visitor.visit_pattern(&$($mutable)? comprehension.pattern);
                    if let Some(condition) = &$($mutable)? comprehension.condition {
                        visitor.visit_expression(condition);
                    }
                    visitor.visit_expression(&$($mutable)? comprehension.value);
                }
                ExpressionKind::Quantified(quantified) => {
                    visitor.visit_name(&$($mutable)? quantified.variable);
                    visitor.visit_expression(&$($mutable)? quantified.list);
                    if let Some(condition) = &$($mutable)? quantified.condition {
                        visitor.visit_expression(condition);
                    }
                }
                ExpressionKind::Reduce(reduce) => {
                    visitor.visit_name(&$($mutable)? reduce.accumulator);
                    visitor.visit_expression(&$($mutable)? reduce.initial);
                    visitor.visit_name(&$($mutable)? reduce.variable);
                    visitor.visit_expression(&$($mutable)? reduce.list);
                    visitor.visit_expression(&$($mutable)? reduce.value);
                }
                ExpressionKind::Subquery(subquery) => match &$($mutable)? subquery.body {
                    SubqueryBody::Patterns { patterns, condition } => {
                        for pattern in patterns {
                            visitor.visit_pattern(pattern);
                        }
                        if let Some(condition) = condition {
                            visitor.visit_expression(condition);
                        }
                    }
                    SubqueryBody::Query(query) => visitor.visit_query(query),
                },
                ExpressionKind::Pattern(pattern) => visitor.visit_pattern(pattern),
            }
        }

        fn walk_case<V: $visitor + ?Sized>(visitor: &mut V, case: &$($mutable)? Case) {
            if let Some(subject) = &$($mutable)? case.subject {
                visitor.visit_expression(subject);
            }
            for alternative in &$($mutable)? case.alternatives {
                visitor.visit_span(&$($mutable)? alternative.span);
                for condition in &$($mutable)? alternative.conditions {
                    match condition {
                        CaseCondition::Value(value)
                        | CaseCondition::Comparison(_, value)
                        | CaseCondition::Binary(_, value) => visitor.visit_expression(value),
                        CaseCondition::Test { test, .. } => walk_test(visitor, test),
                    }
                }
                visitor.visit_expression(&$($mutable)? alternative.value);
            }
            if let Some(otherwise) = &$($mutable)? case.otherwise {
                visitor.visit_expression(otherwise);
            }
        }

        fn walk_test<V: $visitor + ?Sized>(visitor: &mut V, test: &$($mutable)? Test) {
            if let Test::Type(value_type) = test {
                walk_type(visitor, value_type);
            }
        }

        fn walk_type<V: $visitor + ?Sized>(visitor: &mut V, value_type: &$($mutable)? ValueType) {
            visitor.visit_span(&$($mutable)? value_type.span);
            match &$($mutable)? value_type.kind {
                TypeKind::Named(_) => {}
                TypeKind::List(inner) => walk_type(visitor, inner),
                TypeKind::Union(parts) => {
                    for part in parts {
                        walk_type(visitor, part);
                    }
                }
            }
        }
    };
}

pub(super) mod shared {
    visitor!(Visit, " that reads it", [], {
        walk_tree walk_statement walk_query walk_single_query walk_clause walk_projection walk_page
        walk_set_item walk_pattern walk_node walk_relationship walk_group walk_labels walk_expression
    });
}

pub(super) mod mutable {
    visitor!(VisitMut, " that changes it", [mut], {
        walk_tree_mut walk_statement_mut walk_query_mut walk_single_query_mut walk_clause_mut walk_projection_mut
        walk_page_mut walk_set_item_mut walk_pattern_mut walk_node_mut walk_relationship_mut walk_group_mut
        walk_labels_mut walk_expression_mut
    });
}
