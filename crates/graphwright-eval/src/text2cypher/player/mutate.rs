//! Makes faults in right queries, as models make them.
//!
//! Each function returns replies in several ways; whether a reply has the fault that is meant, and is wrong, is tried by the caller.

use graphwright_core::Span;
use graphwright_cypher::lexer::{Token, TokenKind, tokenize};

use crate::text2cypher::{dataset::Question, fault::Fault};

/// Returns replies with a fault of a class, made from the right query of a question. `types` are the relationship types of the graph.
pub(super) fn mutations(fault: Fault, gold: &str, asked: &Question, types: &[String]) -> Vec<String> {
    let query = Query::new(gold);
    match fault {
        Fault::Nothing => vec![String::new(), "I cannot tell from this schema.".to_owned()],
        Fault::Envelope => query.enveloped(),
        Fault::Several => vec![
            format!("{gold};\nMATCH (n) RETURN count(n)"),
            format!("MATCH (n) RETURN n LIMIT 5;\n{gold}"),
        ],
        Fault::MissingAlias => query.without_alias(),
        Fault::UndefinedVariable => query.losing_a_variable(),
        Fault::Syntax => query.broken(),
        Fault::UnknownLabel => query.renamed(Place::Label, &invented(asked, capitalised)),
        Fault::UnknownRelationshipType => {
            query.renamed(Place::Type, &invented(asked, |word| format!("HAS_{}", word.to_uppercase())))
        }
        Fault::UnknownProperty => query.renamed(Place::Property, &invented(asked, str::to_owned)),
        Fault::WrongDirection => query.turned(),
        Fault::Unconnected => query.swapped(types),
        Fault::WrongType => query.mistyped(),
        Fault::WrongValue => query.respelled(asked),
        Fault::OtherMeaning => query.asking_otherwise(),
        Fault::MadeUp => asked.tempting.clone().into_iter().collect(),
    }
}

/// Names made of the words of a question, as models invent them: the longest words first.
fn invented(asked: &Question, form: impl Fn(&str) -> String) -> Vec<String> {
    let letters = |letter: char| !letter.is_ascii_alphabetic();
    let mut words: Vec<String> = asked.question.split(letters).map(str::to_lowercase).collect();
    words.retain(|word| word.len() > 4);
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.dedup();
    words.iter().take(3).map(|word| form(word)).collect()
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

/// What a name in a query is the name of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Label,
    Type,
    Property,
}

/// A query and its tokens.
struct Query<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Query<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, tokens: tokenize(text).unwrap_or_default().tokens }
    }

    fn replaced(&self, span: Span, by: &str) -> String {
        let mut text = self.text.to_owned();
        text.replace_range(span.range(), by);
        text
    }

    fn word(&self, token: &Token) -> &'a str {
        token.text(self.text)
    }

    /// Tokens with the one before and the one behind them.
    fn around(&self) -> impl Iterator<Item = (Option<&Token>, &Token, Option<&Token>)> {
        let at = |index: usize| self.tokens.get(index);
        (0..self.tokens.len())
            .map(move |index| (index.checked_sub(1).and_then(at), &self.tokens[index], at(index + 1)))
    }

    /// The tokens of clauses of a name.
    fn words<'b>(&'b self, name: &'b str) -> impl DoubleEndedIterator<Item = &'b Token> {
        self.tokens.iter().filter(move |token| token.is_word(self.text, name))
    }

    fn enveloped(&self) -> Vec<String> {
        let Self { text, .. } = self;
        vec![
            format!("{{\n  \"cypher\": {}\n}}", serde_json::Value::from(*text)),
            format!("Here is the query that answers the question:\n\n{text}\n\nIt follows the schema."),
            format!("import json\n\nquery = {{\"cypher\": \"{text}\"}}\nprint(json.dumps(query))"),
        ]
    }

    /// `WITH n, count(m) AS num` without the name.
    fn without_alias(&self) -> Vec<String> {
        let mut replies = Vec::new();
        for token in self.words("AS") {
            let name = self.tokens.iter().find(|other| other.span.start >= token.span.end);
            if let Some(name) = name {
                replies.push(self.replaced(Span { start: token.span.start, end: name.span.end }, ""));
            }
        }
        // Where nothing is named, the count goes through a `WITH` of its own.
        replies.extend(self.words("RETURN").next_back().map(|last| {
            self.replaced(Span { start: last.span.start, end: last.span.start }, "WITH *, count(*) ")
        }));
        replies
    }

    /// A `WITH` in front of the last `RETURN` that drops what that uses, or a variable that was never there.
    fn losing_a_variable(&self) -> Vec<String> {
        let Some(last) = self.words("RETURN").next_back() else { return Vec::new() };
        let at = Span { start: last.span.start, end: last.span.start };
        let mut replies = Vec::new();
        for variable in self.variables() {
            replies.push(self.replaced(at, &format!("WITH DISTINCT {variable} ")));
        }
        for (_, token, next) in self.around() {
            let is_owner = next.is_some_and(|next| next.is_symbol("."));
            if is_owner && token.span.start > last.span.end {
                replies.push(self.replaced(token.span, &format!("{}0", self.word(token))));
            }
        }
        replies
    }

    /// The variables of nodes and relationships, each once.
    fn variables(&self) -> Vec<&'a str> {
        let mut variables = Vec::new();
        for (before, token, _) in self.around() {
            let opens = before.is_some_and(|before| before.is_symbol("(") || before.is_symbol("["));
            let word = self.word(token);
            if opens
                && token.kind == TokenKind::Word
                && self.names(token).is_none()
                && !variables.contains(&word)
            {
                variables.push(word);
            }
        }
        variables
    }

    /// Clauses of SQL, placeholders, brackets that are not closed.
    fn broken(&self) -> Vec<String> {
        let Self { text, .. } = self;
        let mut replies = vec![format!("{text} GROUP BY {}", self.variables().first().unwrap_or(&"n"))];
        let brackets = self.tokens.iter().filter(|token| token.is_symbol(")")).map(|token| token.span);
        replies.extend(brackets.map(|span| self.replaced(span, "")));
        let values =
            self.tokens.iter().filter(|token| token.kind == TokenKind::String).map(|token| token.span);
        replies.extend(values.map(|span| self.replaced(span, "{value}")));
        replies
    }

    /// What a name is the name of, by what stands before it.
    fn names(&self, token: &Token) -> Option<Place> {
        if !matches!(token.kind, TokenKind::Word | TokenKind::QuotedName) {
            return None;
        }
        let index = self.tokens.iter().position(|other| other.span == token.span)?;
        let before = self.tokens.get(index.checked_sub(1)?)?;
        if before.is_symbol(".") {
            return Some(Place::Property);
        }
        if !before.is_symbol(":") {
            let opens = before.is_symbol("{") || before.is_symbol(",");
            let is_key = self.tokens.get(index + 1).is_some_and(|next| next.is_symbol(":"));
            return (opens && is_key).then_some(Place::Property);
        }
        let opening =
            self.tokens[..index].iter().rev().find(|token| token.is_symbol("(") || token.is_symbol("["));
        opening.map(|opening| if opening.is_symbol("(") { Place::Label } else { Place::Type })
    }

    fn renamed(&self, place: Place, names: &[String]) -> Vec<String> {
        let places = self.tokens.iter().filter(|token| self.names(token) == Some(place));
        let near = |word: &str| format!("{word}s");
        places
            .flat_map(|token| {
                let word = self.word(token);
                names.iter().cloned().chain([near(word)]).map(|name| self.replaced(token.span, &name))
            })
            .collect()
    }

    /// One arrow turned round.
    fn turned(&self) -> Vec<String> {
        let mut replies = Vec::new();
        for (start, end) in self.relationships() {
            let inside = &self.text[start.end..end.start];
            let turned = match (self.at(start), self.at(end)) {
                ("<-", "-") => format!("-{inside}->"),
                ("-", "->") => format!("<-{inside}-"),
                _ => continue,
            };
            replies.push(self.replaced(Span { start: start.start, end: end.end }, &turned));
        }
        replies
    }

    fn at(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The two ends of each relationship with brackets: `-` and `->`, or `<-` and `-`.
    fn relationships(&self) -> Vec<(Span, Span)> {
        let mut found = Vec::new();
        let mut opening = None;
        for (before, token, next) in self.around() {
            if token.is_symbol("[") {
                opening = self.dash_before(before);
            }
            if token.is_symbol("]")
                && let (Some(start), Some(next)) = (opening.take(), next)
            {
                found.push((start, self.dash_from(next)));
            }
        }
        found
    }

    /// The arrow that ends with a token: `<` and `-` may be two tokens.
    fn dash_before(&self, token: Option<&Token>) -> Option<Span> {
        let end = token?.span.end;
        let text = &self.text[..end];
        let length = if text.ends_with("<-") { 2 } else { usize::from(text.ends_with('-')) };
        (length > 0).then_some(Span { start: end - length, end })
    }

    /// The arrow that begins with a token.
    fn dash_from(&self, token: &Token) -> Span {
        let start = token.span.start;
        let length = if self.text[start..].starts_with("->") { 2 } else { 1 };
        Span { start, end: start + length }
    }

    /// A relationship of the query in the place of another one.
    fn swapped(&self, known: &[String]) -> Vec<String> {
        let of = |place| self.tokens.iter().filter(move |token| self.names(token) == Some(place));
        let (types, labels): (Vec<_>, Vec<_>) = (of(Place::Type).collect(), of(Place::Label).collect());
        let mut replies = Vec::new();
        for (tokens, others) in [(&types, &types), (&labels, &labels)] {
            for token in tokens {
                let others =
                    others.iter().map(|other| self.word(other)).filter(|word| *word != self.word(token));
                replies.extend(others.map(|other| self.replaced(token.span, other)));
            }
        }
        // A query of one relationship takes one that this graph has elsewhere.
        for token in types {
            replies.extend(known.iter().map(|other| self.replaced(token.span, other)));
        }
        replies
    }

    /// A number compared with a text, a text with a number.
    fn mistyped(&self) -> Vec<String> {
        let mut replies = Vec::new();
        for (_, token, _) in self.around() {
            match token.kind {
                TokenKind::String => replies.push(self.replaced(token.span, "1")),
                TokenKind::Integer => {
                    replies.push(self.replaced(token.span, &format!("'{}'", self.word(token))));
                }
                _ if self.names(token) == Some(Place::Property) => {
                    let span = Span { start: token.span.end, end: token.span.end };
                    replies.push(self.replaced(span, ".year"));
                }
                _ => {}
            }
        }
        replies
    }

    /// A value as the question says it, in lower case, cut short, or with a letter missing.
    fn respelled(&self, asked: &Question) -> Vec<String> {
        let mut replies = Vec::new();
        for token in self.tokens.iter().filter(|token| token.kind == TokenKind::String) {
            let quoted = self.word(token);
            let (quote, value) = (&quoted[..1], &quoted[1..quoted.len().max(2) - 1]);
            let last_word = value.split(' ').next_back().unwrap_or(value);
            let mut letters: Vec<char> = value.chars().collect();
            if letters.len() > 3 {
                letters.remove(letters.len() / 2);
            }
            let spellings = [value.to_lowercase(), last_word.to_owned(), letters.iter().collect()];
            let said = asked.said.iter().cloned();
            replies.extend(
                said.chain(spellings)
                    .map(|other| self.replaced(token.span, &format!("{quote}{other}{quote}"))),
            );
        }
        replies
    }

    /// Without a condition, with more rows than the first, with equal rows counted or dropped.
    fn asking_otherwise(&self) -> Vec<String> {
        let mut replies = Vec::new();
        let opening = self.tokens.iter().filter(|token| token.is_symbol("{"));
        for start in opening {
            let end =
                self.tokens.iter().find(|token| token.is_symbol("}") && token.span.start > start.span.start);
            replies.extend(
                end.map(|end| self.replaced(Span { start: start.span.start, end: end.span.end }, "")),
            );
        }
        for start in self.words("WHERE") {
            let ends = ["WITH", "RETURN", "MATCH", "OPTIONAL", "}"];
            let end = self.tokens.iter().find(|token| {
                token.span.start > start.span.start
                    && ends.iter().any(|end| self.word(token).eq_ignore_ascii_case(end))
            });
            replies.extend(
                end.map(|end| self.replaced(Span { start: start.span.start, end: end.span.start }, "")),
            );
        }
        let swaps = [
            ("LIMIT 1", "LIMIT 2"),
            (" DESC", ""),
            ("count(", "max("),
            ("sum(", "count("),
            ("avg(", "max("),
            ("max(", "min("),
        ];
        let swapped = swaps.iter().filter(|(one, _)| self.text.contains(one));
        replies.extend(swapped.map(|(one, other)| self.text.replacen(one, other, 1)));
        replies.extend(
            self.words("RETURN")
                .next_back()
                .map(|last| format!("{}RETURN count(*)", &self.text[..last.span.start])),
        );
        replies
    }
}
