//! What the engine does with values otherwise than Cypher, put right where only the values show it.
//!
//! The engine takes `'["x"]'` for equal to `'x'` and texts for dates, divides by zero to null, gives null (or the value
//! itself) where types do not fit. A guard is written around an expression whose kinds are not known to be harmless.
//! Where no value of the engine's is right, the guard calls [`REFUSES`] or [`FAILS`].

mod arithmetic;
mod durations;
mod equality;
mod functions;
mod temporal;
mod variables;

use graphwright_core::Properties;

use super::{
    ADDED, FAILS, Pass, REFUSES, Result, RewriteError,
    expression::{Expression, Operator, Shape, Through, parse},
    kinds::{Kind, Scope, items_kind, kind, stands_in},
    pattern::{Path, Place, paths},
    projection::{Projection, projection, split},
};
use crate::{
    edit::Edits,
    source::{Block, BlockKind, Clause, Keyword, Source},
};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let parameters = pass.rewritten.parameters.clone();
    let mut guard = Guard {
        source,
        blocks: pass.blocks,
        paths: paths(source, pass.blocks),
        parameters: &parameters,
        added: pass.added,
        problem: None,
        deleted: Vec::new(),
        returns: false,
        hides: true,
    };
    let mut edits = Edits::default();
    for block in pass.blocks {
        if matches!(block.kind, BlockKind::Query | BlockKind::Call | BlockKind::Foreach) {
            for (span, text) in guard.block(block, Scope::default()) {
                edits.replace(span, text);
            }
        }
    }
    match guard.problem {
        Some(problem) => Err(problem),
        None => Ok(edits),
    }
}

type Changes = Vec<(graphwright_core::Span, String)>;

struct Guard<'a, 'b> {
    source: &'a Source<'b>,
    blocks: &'a [Block],
    paths: Vec<Path>,
    parameters: &'a Properties,
    added: &'a mut usize,
    /// The first thing that cannot be right whatever the values are.
    problem: Option<RewriteError>,
    /// Variables of what the clauses before have deleted, with what it was.
    deleted: Vec<(&'b str, Kind)>,
    /// Whether the next expression is an item of `RETURN`.
    returns: bool,
    /// Whether properties that serve the store must not be seen in the expression at hand.
    hides: bool,
}

/// An expression as it will be written, and what is known of it.
struct Operand<'e> {
    expression: &'e Expression,
    text: String,
    kind: Kind,
}

impl<'b> Guard<'_, 'b> {
    /// The changes within a block, without those of blocks that are guarded on their own.
    fn block(&mut self, block: &Block, mut scope: Scope<'b>) -> Changes {
        let mut changes = Changes::new();
        if block.clauses.is_empty() {
            let bare: Vec<Path> = self.paths.clone();
            for path in bare
                .iter()
                .filter(|path| matches!(&path.place, Place::Bare(tokens) if *tokens == block.tokens))
            {
                scope.pass_path(self.source, path);
            }
            self.filter(block.tokens.clone(), &scope, &mut changes);
        }
        for clause in &block.clauses {
            let before = scope.clone();
            self.variables(clause, &before);
            scope.pass_clause(self.source, clause, &self.paths, self.parameters);
            self.clause(clause, &before, &scope, &mut changes);
            if clause.keyword == Keyword::Delete {
                self.deletes(clause, &mut scope);
            }
        }
        changes
    }

    fn clause(&mut self, clause: &Clause, before: &Scope<'b>, after: &Scope<'b>, changes: &mut Changes) {
        let source = self.source;
        let tokens = clause.tokens.clone();
        match clause.keyword {
            Keyword::Match | Keyword::OptionalMatch => self.filter(tokens, after, changes),
            Keyword::With | Keyword::Return => {
                let projection = projection(source, clause);
                if clause.keyword == Keyword::With && self.groups(clause, &projection, before, changes) {
                    return self.filter(projection.rest, after, changes);
                }
                for item in projection.items.iter().filter(|item| !item.is_star(source)) {
                    self.returns = clause.keyword == Keyword::Return;
                    self.whole(item.expression.clone(), before, changes);
                }
                self.filter(projection.rest, after, changes);
            }
            Keyword::Unwind if tokens.len() > 3 => {
                let list = tokens.start + 1..tokens.end - 2;
                let Some(expression) = parse(source, list.clone()) else { return };
                let operand = self.operand(&expression, before);
                let text = if matches!(operand.kind, Kind::Unknown | Kind::Text) {
                    self.bind([&operand], |[list]| {
                        format!("CASE WHEN {list} IS :: STRING NOT NULL THEN [{list}] ELSE {list} END")
                    })
                } else {
                    operand.text
                };
                changes.push((source.span_of(&list), text));
            }
            Keyword::Set => self.assignments(tokens.start + 1..tokens.end, before, changes),
            Keyword::Delete => {
                let first = if source.is_word(tokens.start + 1, "DELETE") { 2 } else { 1 };
                for item in split(source, tokens.start + first..tokens.end) {
                    let found = parse(source, item.clone());
                    let what = found.as_ref().map(|found| kind(source, found, before, self.parameters));
                    if let Some(found) = &found
                        && !matches!(
                            what,
                            Some(Kind::Node | Kind::Relationship | Kind::Path | Kind::Unknown | Kind::Null)
                        )
                    {
                        self.wrong("only nodes, relationships and paths are deleted", found);
                    }
                    if item.len() > 1 {
                        let (name, text) = (self.fresh(), source.text_of(&item).to_owned());
                        let start = source.span(tokens.start).start;
                        let place = graphwright_core::Span::new(start, start);
                        changes.push((place, format!("WITH *, {text} AS {name} ")));
                        changes.push((source.span_of(&item), name));
                    }
                }
            }
            Keyword::Create | Keyword::Merge => {
                let maps: Vec<_> =
                    self.paths.iter().filter(|path| stands_in(path, clause)).cloned().collect();
                for element in maps.iter().flat_map(|path| &path.elements) {
                    let Some(map) = element.properties.clone() else { continue };
                    for part in split(source, map.start + 1..map.end - 1) {
                        self.whole(part.start + 2..part.end, before, changes);
                    }
                }
                for assignments in self.on_merge(tokens) {
                    self.assignments(assignments, after, changes);
                }
            }
            _ => {}
        }
    }

    /// What follows `ON CREATE SET` and `ON MATCH SET`.
    fn on_merge(&self, tokens: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
        let source = self.source;
        let ons: Vec<usize> = source
            .level(tokens.clone())
            .filter(|&index| {
                source.is_word(index, "ON")
                    && source.is_any_word(index + 1, &["CREATE", "MATCH"])
                    && source.is_word(index + 2, "SET")
            })
            .collect();
        let ends = ons.iter().skip(1).copied().chain([tokens.end]);
        ons.iter().zip(ends).map(|(on, end)| on + 3..end).collect()
    }

    /// `x.name = value`, `x = map`, `x += map`: the engine takes no node for a map.
    fn assignments(&mut self, tokens: std::ops::Range<usize>, scope: &Scope<'b>, changes: &mut Changes) {
        let source = self.source;
        for item in split(source, tokens) {
            let equals = source.level(item.clone()).find(|&index| source.is_any_symbol(index, &["=", "+="]));
            let Some(equals) = equals else { continue };
            let tokens = equals + 1..item.end;
            let is_property = (item.start..equals).any(|index| source.is_symbol(index, "."));
            let Some(value) = parse(source, tokens.clone()) else { continue };
            let has_properties =
                matches!(kind(source, &value, scope, self.parameters), Kind::Node | Kind::Relationship);
            if is_property {
                self.storable(&value, scope);
            } else if has_properties {
                let text = self.text(&value, scope);
                changes.push((source.span_of(&tokens), format!("properties({text})")));
                continue;
            }
            self.whole(tokens, scope, changes);
        }
    }

    /// Groups of `WITH`, where a key may be `1` in one row and `1.0` in another: they are grouped by one form of the
    /// number, and one of the values stands for all.
    fn groups(
        &mut self,
        clause: &Clause,
        projection: &Projection,
        scope: &Scope<'b>,
        changes: &mut Changes,
    ) -> bool {
        let source = self.source;
        let grouped = projection.distinct || projection.items.iter().any(|item| item.aggregates(source));
        if !grouped || projection.items.iter().any(|item| item.is_star(source)) {
            return false;
        }
        let mut parts = Vec::new();
        let mut names = Vec::new();
        let mut mixed = false;
        for item in &projection.items {
            let Some(expression) = parse(source, item.expression.clone()) else { return false };
            let operand = self.operand(&expression, scope);
            let name = source.text(item.alias.unwrap_or(item.expression.start));
            if operand.kind == Kind::Unknown && !item.aggregates(source) {
                mixed = true;
                let key = self.fresh();
                let form = self.bind([&operand], |[value]| functions::one_number(value));
                parts.push(format!("{form} AS {key}, head(collect({})) AS {name}", operand.text));
            } else if operand.text == name {
                parts.push(name.to_owned());
            } else {
                parts.push(format!("{} AS {name}", operand.text));
            }
            names.push(name);
        }
        if mixed {
            let head = clause.tokens.start..projection.list.end;
            let text = format!("WITH {} WITH {}", parts.join(", "), names.join(", "));
            changes.push((source.span_of(&head), text));
        }
        mixed
    }

    /// The condition after `WHERE`.
    fn filter(&mut self, tokens: std::ops::Range<usize>, scope: &Scope<'b>, changes: &mut Changes) {
        let source = self.source;
        let word = |index: usize, words: &[&str]| {
            source.is_any_word(index, words) && !source.is_name_position(index)
        };
        let Some(start) = source.level(tokens.clone()).find(|&index| word(index, &["WHERE"])) else { return };
        let condition = start + 1..tokens.end;
        let Some(expression) = parse(source, condition.clone()) else { return };
        if matches!(
            kind(source, &expression, scope, self.parameters),
            Kind::Boolean | Kind::Null | Kind::Ours
        ) {
            return self.whole(condition, scope, changes);
        }
        self.hides = true;
        let text = self.truth(&expression, scope);
        changes.push((source.span_of(&expression.tokens), text));
    }

    fn whole(&mut self, range: std::ops::Range<usize>, scope: &Scope<'b>, changes: &mut Changes) {
        let Some(expression) = parse(self.source, range) else { return };
        // Of what is returned whole, the adapter takes the hidden properties away.
        let is_properties = matches!(&expression.shape, Shape::Call(name, _) if name == "properties");
        self.hides = !(std::mem::take(&mut self.returns) && is_properties);
        let text = self.text(&expression, scope);
        if text != self.source.text_of(&expression.tokens) {
            changes.push((self.source.span_of(&expression.tokens), text));
        }
    }

    fn operand<'e>(&mut self, expression: &'e Expression, scope: &Scope<'b>) -> Operand<'e> {
        let kind = kind(self.source, expression, scope, self.parameters);
        Operand { expression, text: self.text(expression, scope), kind }
    }

    /// The expression with its guards.
    fn text(&mut self, expression: &Expression, scope: &Scope<'b>) -> String {
        match &expression.shape {
            Shape::Binary(operator, left, right) => self.binary(expression, *operator, (left, right), scope),
            Shape::Sign(inner) => self.sign(expression, inner, scope),
            Shape::Call(name, arguments) => self.call(expression, name, arguments, scope),
            Shape::Case(Some(operand), branches, otherwise) => {
                self.case(expression, operand, branches, otherwise.as_deref(), scope)
            }
            Shape::Property(base) => self.property(expression, base, scope),
            Shape::Not(inner) => {
                let inner = self.truth(inner, scope);
                format!("NOT {inner}")
            }
            Shape::Each(..) => self.each(expression, scope),
            Shape::Pattern(_) => {
                let mut inner = scope.clone();
                let within = |path: &&Path| expression.tokens.contains(&path.tokens.start);
                for path in self.paths.iter().filter(within) {
                    inner.pass_path(self.source, path);
                }
                self.spliced(expression, &inner, &[])
            }
            Shape::Slice(list, bounds) => self.slice(expression, list, bounds, scope),
            Shape::Subscript(container, _) => {
                let operand = self.operand(container, scope);
                let text =
                    if operand.kind == Kind::Unknown { self.list(container, scope) } else { operand.text };
                self.spliced(expression, scope, &[text])
            }
            Shape::Subquery(brace) => self.subquery(expression, *brace, scope),
            _ => self.spliced(expression, scope, &[]),
        }
    }

    /// The text of an expression with its parts changed; of the first parts the given texts.
    fn spliced(&mut self, expression: &Expression, scope: &Scope<'b>, first: &[String]) -> String {
        let base = self.source.span_of(&expression.tokens).start;
        let mut edits = Edits::default();
        for (number, part) in expression.parts().into_iter().enumerate() {
            let text = first.get(number).cloned().unwrap_or_else(|| self.text(part, scope));
            if text != self.source.text_of(&part.tokens) {
                let span = self.source.span_of(&part.tokens);
                edits.replace(graphwright_core::Span::new(span.start - base, span.end - base), text);
            }
        }
        edits.apply(self.source.text_of(&expression.tokens)).0
    }

    /// Writes `body` over operands that may be written several times: what costs more than a look is computed once.
    fn bind<const N: usize>(
        &mut self,
        operands: [&Operand<'_>; N],
        body: impl FnOnce([&str; N]) -> String,
    ) -> String {
        let mut names: [String; N] = std::array::from_fn(|_| String::new());
        let mut before = String::new();
        let mut after = String::new();
        for (name, operand) in names.iter_mut().zip(operands) {
            if is_simple(operand.expression) && !operand.text.contains(' ') {
                name.clone_from(&operand.text);
            } else {
                *name = self.fresh();
                before.push_str(&format!("head([{name} IN [{}] | ", operand.text));
                after.push_str("])");
            }
        }
        let body = body(names.each_ref().map(String::as_str));
        if before.is_empty() { format!("({body})") } else { format!("{before}({body}){after}") }
    }

    /// A variable that the text does not have.
    fn fresh(&mut self) -> String {
        *self.added += 1;
        format!("{ADDED}{}", self.added)
    }

    fn binary(
        &mut self,
        expression: &Expression,
        operator: Operator,
        (left, right): (&Expression, &Expression),
        scope: &Scope<'b>,
    ) -> String {
        if matches!(operator, Operator::And | Operator::Or | Operator::Xor) {
            let parts = [self.truth(left, scope), self.truth(right, scope)];
            return self.spliced(expression, scope, &parts);
        }
        let (mut left, mut right) = (self.operand(left, scope), self.operand(right, scope));
        if matches!(operator, Operator::Equal | Operator::Unequal | Operator::Order) {
            for operand in [&mut left, &mut right] {
                if matches!(operand.expression.shape, Shape::Binary(..) | Shape::Test(_)) {
                    operand.text = format!("({})", operand.text);
                }
            }
        }
        if operator == Operator::In
            && !matches!(right.expression.shape, Shape::List(_))
            && !is_simple(right.expression)
        {
            right.text = format!("({})", right.text);
        }
        let guarded = match operator {
            Operator::Equal => self.equal(&left, &right),
            Operator::Unequal => self.equal(&left, &right).map(|text| format!("(NOT {text})")),
            Operator::Order => self.order(expression, &left, &right),
            Operator::In => self.within(&left, &right),
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                self.arithmetic(operator, &left, &right)
            }
            Operator::Divide | Operator::Modulo | Operator::Power => self.arithmetic(operator, &left, &right),
            _ => None,
        };
        guarded.unwrap_or_else(|| self.spliced(expression, scope, &[left.text, right.text]))
    }

    /// An operand of `AND`, `OR`, `XOR` or `NOT`, or a whole condition. A list is true unless it is empty, as in Neo4j.
    fn truth(&mut self, expression: &Expression, scope: &Scope<'b>) -> String {
        let operand = self.operand(expression, scope);
        match operand.kind {
            Kind::Boolean | Kind::Null | Kind::Ours => operand.text,
            Kind::Unknown => self.bind([&operand], |[value]| {
                let fail = fails("a condition must be a boolean");
                format!(
                    "CASE WHEN {value} IS :: BOOLEAN THEN {value} WHEN {value} IS :: LIST<ANY> THEN size({value}) > 0 \
                     ELSE {fail} END"
                )
            }),
            Kind::List => format!("(size({}) > 0)", operand.text),
            _ => self.wrong("a condition must be a boolean", expression),
        }
    }

    /// A property holds no map, alone or in a list.
    fn storable(&mut self, value: &Expression, scope: &Scope<'b>) {
        let items = items_kind(self.source, value, scope, self.parameters);
        if items == Kind::Map || kind(self.source, value, scope, self.parameters) == Kind::Map {
            self.wrong("a property cannot hold a map", value);
        }
    }

    /// Notes what is wrong by the text alone.
    fn wrong(&mut self, message: &str, expression: &Expression) -> String {
        let span = self.source.span_of(&expression.tokens);
        self.problem.get_or_insert_with(|| RewriteError::syntax(message, span));
        "null".to_owned()
    }

    /// A value that is read as a list: the engine reads texts in brackets as lists.
    fn list(&mut self, expression: &Expression, scope: &Scope<'b>) -> String {
        let operand = self.operand(expression, scope);
        match operand.kind {
            Kind::Unknown => self.bind([&operand], |[value]| {
                let text = fails("a list is wanted, not a string");
                format!("CASE WHEN {value} IS :: STRING NOT NULL THEN {text} ELSE {value} END")
            }),
            Kind::Text => fails("a list is wanted, not a string"),
            _ => operand.text,
        }
    }

    /// `list[from..to]`, which is null where a bound is.
    fn slice(
        &mut self,
        expression: &Expression,
        list: &Expression,
        bounds: &[Expression],
        scope: &Scope<'b>,
    ) -> String {
        let list = self.list(list, scope);
        let text = self.spliced(expression, scope, &[list]);
        let mut nulls = Vec::new();
        for bound in bounds {
            let bound = self.operand(bound, scope);
            match bound.kind {
                Kind::Null => return "null".to_owned(),
                Kind::Unknown => nulls.push(format!("{} IS NULL", bound.text)),
                _ => {}
            }
        }
        if nulls.is_empty() {
            return text;
        }
        format!("(CASE WHEN {} THEN null ELSE {text} END)", nulls.join(" OR "))
    }

    /// `x.name`: of what has no properties the engine gives the value itself.
    fn property(&mut self, expression: &Expression, base: &Expression, scope: &Scope<'b>) -> String {
        let text = self.spliced(expression, scope, &[]);
        let operand = self.operand(base, scope);
        let message = "only nodes, relationships, maps, points and temporal values have properties";
        match operand.kind {
            Kind::Boolean | Kind::Integer | Kind::Float | Kind::Text | Kind::List | Kind::Path => {
                fails(message)
            }
            Kind::Deleted => self.wrong("what was deleted has no properties", expression),
            Kind::Unknown if base.shape == Shape::Variable => {
                let value = operand.text;
                let types = ["STRING", "INTEGER", "FLOAT", "BOOLEAN", "LIST<ANY>"]
                    .map(|kind| format!("{value} IS :: {kind} NOT NULL"))
                    .join(" OR ");
                format!("(CASE WHEN {types} THEN {} ELSE {text} END)", fails(message))
            }
            _ => text,
        }
    }

    fn each(&mut self, expression: &Expression, scope: &Scope<'b>) -> String {
        let Shape::Each(through, variables, parts) = &expression.shape else { return String::new() };
        let list = usize::from(*through == Through::Reduce);
        let mut inner = scope.clone();
        for (number, &variable) in variables.iter().enumerate() {
            let items = number + 1 == variables.len();
            let kind = match parts.get(list).filter(|_| items) {
                Some(list) => items_kind(self.source, list, scope, self.parameters),
                None => Kind::Unknown,
            };
            inner.set(self.source.text(variable), kind);
        }
        let mut texts = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            texts.push(match number {
                _ if number < list => self.text(part, scope),
                _ if number == list => self.list(part, scope),
                _ => self.text(part, &inner),
            });
        }
        self.spliced(expression, &inner, &texts)
    }

    fn subquery(&mut self, expression: &Expression, brace: usize, scope: &Scope<'b>) -> String {
        let blocks = self.blocks;
        let Some(block) = blocks.iter().find(|block| block.tokens.start == brace + 1) else {
            return self.source.text_of(&expression.tokens).to_owned();
        };
        let base = self.source.span_of(&expression.tokens).start;
        let mut edits = Edits::default();
        for (span, text) in self.block(block, scope.clone()) {
            edits.replace(graphwright_core::Span::new(span.start - base, span.end - base), text);
        }
        edits.apply(self.source.text_of(&expression.tokens)).0
    }

    /// The text of a string that is written or given as a parameter.
    fn known_text(&self, expression: &Expression) -> Option<String> {
        let bare = expression.bare();
        match bare.shape {
            Shape::Text => {
                let text = self.source.text(bare.tokens.start);
                Some(text.get(1..text.len().saturating_sub(1))?.to_owned())
            }
            Shape::Parameter => {
                let name = self.source.name(bare.tokens.start)?;
                self.parameters.get(&*name)?.as_str().map(str::to_owned)
            }
            _ => None,
        }
    }
}

/// What may be written twice without harm.
fn is_simple(expression: &Expression) -> bool {
    match &expression.shape {
        Shape::Variable
        | Shape::Parameter
        | Shape::Integer
        | Shape::Float
        | Shape::Text
        | Shape::Null
        | Shape::Boolean => true,
        Shape::Property(base) | Shape::Parentheses(base) | Shape::Sign(base) => is_simple(base),
        _ => false,
    }
}

/// An expression of the engine that fails with our message.
fn fails(message: &str) -> String {
    format!("date('{FAILS}{message}')")
}

/// An expression of the engine whose error says that the construct is not supported.
fn refuses(construct: &str) -> String {
    format!("date('{REFUSES}{construct}')")
}

/// Whether a value is a number (or null).
fn number(value: &str) -> String {
    format!("({value} IS :: INTEGER OR {value} IS :: FLOAT)")
}
