//! Missing and superfluous brackets and quotes.

use graphwright_core::Span;

use super::{
    ChangeCode, ReasonCode,
    draft::Draft,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind},
};

/// Refuses a text that ends before the query does: the rest is not guessed.
pub(super) fn truncated(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let is_syntax = matches!(fault.code, Code::UnexpectedSyntax | Code::Unclosed);
    let at_end = is_syntax && fault.message.ends_with("the end of the text");
    let open_string = fault.code == Code::Unclosed && fault.span.end >= draft.text.trim_end().len();
    let without_result =
        fault.code == Code::InvalidClauseComposition && fault.message.starts_with("expected RETURN");
    let is_empty = draft.tokens.is_empty();
    (at_end || open_string || without_result).then(|| {
        let code = if is_empty { ReasonCode::NoQuery } else { ReasonCode::Truncated };
        Outcome::refuse(code, fault.span, format!("the query is not complete: {}", fault.message))
    })
}

/// Closes a bracket, if one is open.
///
/// `(n:Person {name: 'x'} RETURN n` → `(n:Person {name: 'x'}) RETURN n`
pub(super) fn missing_bracket(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let wanted =
        [")", "]", "}"].into_iter().find(|sign| fault.message.starts_with(&format!("expected `{sign}`")))?;
    let at = draft.token_at(fault.span.start);
    let keyword = draft.tokens.get(at)?.keyword;
    let ends = keyword.is_some_and(|keyword| keyword.begins_clause() || keyword == Keyword::Where)
        || ["-", "<", ","].iter().any(|sign| draft.is(at, sign));
    let is_open = at > 0 && draft.opening(at).is_some_and(|open| draft.closing(open).is_none());
    let step = Step::new(ChangeCode::BracketAdded, format!("`{wanted}` closes what was open"));
    (fault.code == Code::UnexpectedSyntax && ends && is_open)
        .then(|| Outcome::Step(step.insert(draft.end_before(at), wanted)))
}

/// Removes a bracket that closes nothing.
pub(super) fn extra_bracket(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let closes = matches!(draft.token(at), ")" | "]" | "}") && draft.opening(at).is_none();
    let step = Step::new(
        ChangeCode::RepetitionRemoved,
        format!("`{}` closes nothing and is left out", draft.token(at)),
    );
    (fault.code == Code::UnexpectedSyntax && closes).then(|| Outcome::Step(step.remove(draft.span_of(at))))
}

/// Escapes a quote within a string: `'King's Landing'` → `'King\'s Landing'`.
pub(super) fn unescaped_quote(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let before = at.checked_sub(1)?;
    let string = draft.tokens.get(before).filter(|token| token.kind == TokenKind::String)?;
    let adjacent = draft.is_name(at) && draft.start_of(at) == string.span.end;
    let quote = string.span.end - 1;
    let step = Step::new(ChangeCode::Characters, "a quote within a string is escaped");
    (fault.code == Code::UnexpectedSyntax && adjacent).then(|| Outcome::Step(step.insert(quote, "\\")))
}

/// Quotes a name with blanks: `n.full name` → `` n.`full name` ``, `(n:Big City)` → `` (n:`Big
/// City`) ``.
pub(super) fn name_with_blanks(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    const MOST_WORDS: usize = 6;
    let at = draft.token_at(fault.span.start);
    let first = (0..at).rev().find(|&index| !is_plain_word(draft, index)).map(|index| index + 1)?;
    let is_name = first.checked_sub(1).is_some_and(|before| draft.is(before, ".") || draft.is(before, ":"));
    let mut end = at;
    while is_plain_word(draft, end) && !draft.is(end + 1, "(") && !draft.is(end + 1, ".") {
        end += 1;
    }
    if fault.code != Code::UnexpectedSyntax
        || !is_name
        || first == at
        || end <= at
        || end - first > MOST_WORDS
    {
        return None;
    }
    let span = Span::new(draft.start_of(first), draft.end_before(end));
    let name = draft.text.get(span.range())?;
    let message = format!("the name `{name}` stands in back-ticks, because it holds blanks");
    Some(Outcome::Step(Step::new(ChangeCode::NameMended, message).replace(span, format!("`{name}`"))))
}

/// Returns whether a token is a word that can be part of a name: no keyword, unless it is one in
/// small letters that names may contain.
fn is_plain_word(draft: &Draft<'_>, index: usize) -> bool {
    use Keyword::{And, As, Asc, Desc, In, Is, Not, Or, Return, Then, Where};
    let Some(token) = draft.tokens.get(index).filter(|token| token.kind == TokenKind::Word) else {
        return false;
    };
    let is_small = token.text(&draft.text).bytes().all(|byte| byte.is_ascii_lowercase());
    token.keyword.is_none_or(|keyword| {
        is_small && !matches!(keyword, And | As | Asc | Desc | In | Is | Not | Or | Return | Then | Where)
    })
}

/// Quotes a date: `n.born > 1970-01-01` → `n.born > '1970-01-01'`.
pub(super) fn date_without_quotes(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidNumberLiteral {
        return None;
    }
    let at = draft.token_at(fault.span.start);
    let is_date = |first: usize| {
        let digits = |index: usize, count: usize| {
            draft.token(index).len() == count
                && draft.token(index).bytes().all(|digit| digit.is_ascii_digit())
        };
        let adjacent = (first..first + 4).all(|index| draft.end_of(index) == draft.start_of(index + 1));
        let signs = draft.is(first + 1, "-") && draft.is(first + 3, "-");
        signs && adjacent && digits(first, 4) && digits(first + 2, 2) && digits(first + 4, 2)
    };
    // The faulty number may be the month or the day, as each may begin with 0.
    let first = [2, 4].into_iter().filter_map(|back| at.checked_sub(back)).find(|&first| is_date(first))?;
    let step = Step::new(ChangeCode::Characters, "a date stands in quotes");
    Some(Outcome::Step(step.insert(draft.start_of(first), "'").insert(draft.end_of(first + 4), "'")))
}

/// Adds the colon of an entry: `{name 'x'}` → `{name: 'x'}`.
pub(super) fn missing_colon(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let is_value = draft.tokens.get(at).is_some_and(|token| {
        matches!(token.kind, TokenKind::String | TokenKind::Integer | TokenKind::Float | TokenKind::Parameter)
    });
    let is_entry = fault.code == Code::UnexpectedSyntax && fault.message.starts_with("expected `:`");
    let step = Step::new(ChangeCode::BracketAdded, "a colon stands between a key and its value");
    (is_value && is_entry).then(|| Outcome::Step(step.insert(draft.end_before(at), ":")))
}

/// Removes a comma with nothing behind it: `MATCH (n), RETURN n` → `MATCH (n) RETURN n`.
pub(super) fn extra_comma(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let before = at.checked_sub(1).filter(|&before| draft.is(before, ","))?;
    let ends = draft
        .tokens
        .get(at)?
        .keyword
        .is_some_and(|keyword| keyword.begins_clause() || keyword == Keyword::Where)
        || matches!(draft.token(at), ")" | "]" | "}");
    let step = Step::new(ChangeCode::RepetitionRemoved, "a comma with nothing behind it is left out");
    (fault.code == Code::UnexpectedSyntax && ends).then(|| Outcome::Step(step.remove(draft.span_of(before))))
}
