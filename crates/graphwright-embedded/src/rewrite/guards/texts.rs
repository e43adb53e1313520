//! Guards lengths, positions and delimiters of texts. The engine takes any.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall, Literal};

use super::{
    Guard, Kind,
    checks::{fails, number, refuses},
    cypher,
};

impl Guard<'_, '_> {
    /// Guards the arguments behind the text.
    pub(super) fn text_arguments(&mut self, name: &str, call: &mut FunctionCall, kinds: &[Kind]) {
        if !["left", "right", "substring"].contains(&name) || kinds.first() == Some(&Kind::Ours) {
            return;
        }
        // Of `substring` Neo4j takes numbers of 32 bits.
        let most = if name == "substring" { cypher!("2147483647") } else { cypher!("9223372036854775807") };
        for (argument, kind) in call.arguments.iter_mut().zip(kinds).skip(1) {
            if matches!(argument.kind, ExpressionKind::Literal(Literal::Integer(..=0x7fff_ffff)))
                || *kind == Kind::Null
            {
                continue;
            }
            self.change(argument, |argument| {
                cypher!(
                    "CASE WHEN $argument IS NULL OR ($number) AND $argument >= 0 AND $argument <= $most \
                     THEN toInteger($argument) ELSE $fail END",
                    number = number(argument),
                    argument = argument,
                    most = most.clone(),
                    fail = fails(&format!("{name}() wants numbers from 0")),
                )
            });
        }
    }

    /// Guards `split(text, delimiters)`. The engine knows only one delimiter.
    pub(super) fn split(&mut self, call: &mut FunctionCall, kinds: &[Kind]) -> Option<Expression> {
        let kind = kinds.get(1).copied()?;
        let [text, delimiter] = call.arguments.as_mut_slice() else { return None };
        if !matches!(kind, Kind::List | Kind::Unknown) {
            return None;
        }
        let values = [std::mem::take(text), std::mem::take(delimiter)];
        let (item, rest) = (self.context.fresh(), self.context.fresh());
        Some(self.bind(values, |[text, delimiter]| {
            let several = cypher!(
                "CASE WHEN $text IS NULL THEN null WHEN $text = '' OR size($list) = 0 THEN [$text] \
                 WHEN any(item IN $list WHERE item IS NULL) THEN null WHEN size($list) = 1 THEN split($text, $list[0]) \
                 WHEN all(item IN $list WHERE size(item) = 1) \
                 THEN split(reduce(rest = $text, item IN $list | replace(rest, item, $list[0])), $list[0]) \
                 ELSE $refusal END",
                text = text,
                list = delimiter,
                item = &item,
                rest = &rest,
                refusal = refuses("split() by several strings of more than a character"),
            );
            let fail = || fails("split() wants strings");
            let by_list = cypher!(
                "CASE WHEN $text IS :: STRING THEN $several ELSE $fail END",
                text = text,
                several = several,
                fail = fail(),
            );
            if kind == Kind::List {
                return by_list;
            }
            cypher!(
                "CASE WHEN $delimiter IS :: LIST<ANY> NOT NULL THEN $by_list \
                 WHEN $text IS :: STRING AND $delimiter IS :: STRING THEN split($text, $delimiter) ELSE $fail END",
                delimiter = delimiter,
                by_list = by_list,
                text = text,
                fail = fail(),
            )
        }))
    }
}
