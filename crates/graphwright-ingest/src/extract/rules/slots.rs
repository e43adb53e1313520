//! Who does it, and to whom: the names left and right of a cue.

use super::{
    collect::Status,
    grammar,
    units::{Sentence, UnitKind},
};

/// What stands in a place of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// A name of the sentence.
    Name(usize),
    /// A description or pronoun at a unit.
    Stand(usize),
    /// Words in small letters that may be a name: their tokens.
    Phrase(usize, usize),
    /// Nothing: the topic of the item, section or page is meant.
    Topic,
    /// The first subject of the sentence, whose verb phrase goes on.
    First,
}

/// The names in the place after a cue.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Objects {
    /// Each with what is said of it alone.
    pub(super) terms: Vec<(Term, Status)>,
    /// The last unit that belongs to them.
    pub(super) last: usize,
    /// They are alternatives (`a or b`).
    pub(super) alternatives: bool,
}

/// Finds the subjects whose verb group starts at a unit; `apposed` when there is no finite verb, so that the name
/// before a comma is meant.
pub(super) fn subjects(sentence: &Sentence<'_>, start: usize, apposed: bool) -> Vec<Term> {
    let mut at = start;
    while at > 0
        && sentence.is_word(at - 1)
        && (grammar::is_adverbial(sentence.word(at - 1))
            || matches!(sentence.word(at - 1), "each" | "both" | "all"))
    {
        at -= 1;
    }
    if at == 0 {
        return vec![Term::Topic];
    }
    let left = at - 1;
    match &sentence.units[left].kind {
        UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun => noun_phrase_ending(sentence, left),
        UnitKind::Mark => match sentence.word(left) {
            "(" if apposed && left > 0 && sentence.name_at(left - 1).is_some() => {
                sentence.name_at(left - 1).map(Term::Name).into_iter().collect()
            }
            "," if apposed && open_bracket(sentence, left).is_some() => open_bracket(sentence, left)
                .and_then(|open| sentence.name_at(open.checked_sub(1)?))
                .map(Term::Name)
                .into_iter()
                .collect(),
            "," if apposed
                && left > 0
                && sentence.name_at(left - 1).is_some()
                && enclosing(sentence, left).is_empty() =>
            {
                sentence.name_at(left - 1).map(Term::Name).into_iter().collect()
            }
            "," if apposed && left > 0 && sentence.word(left - 1) == ")" => {
                before_bracket(sentence, left - 1)
            }
            "," => before_comma(sentence, left),
            ")" => before_bracket(sentence, left),
            "—" | "–" | "-" | ":" => {
                if left > 0 && sentence.name_at(left - 1).is_some() {
                    noun_phrase_ending(sentence, left - 1)
                } else {
                    Vec::new()
                }
            }
            ";" | "•" => vec![Term::First],
            "\"" | "”" if left > 0 && sentence.name_at(left - 1).is_some() => {
                noun_phrase_ending(sentence, left - 1)
            }
            _ => Vec::new(),
        },
        UnitKind::Word => {
            let word = sentence.word(left);
            if grammar::is_relative(word) {
                return antecedent(sentence, left);
            }
            if matches!(word, "and" | "but" | "then" | "or" | "&") {
                return vec![Term::First];
            }
            if apposed && !grammar::is_closed(word) {
                return described_by(sentence, left);
            }
            let start = small_phrase_start(sentence, left);
            start
                .map(|start| {
                    Term::Phrase(sentence.units[start].tokens.start, sentence.units[left].tokens.end)
                })
                .into_iter()
                .collect()
        }
    }
}

/// What `which`, `that` or `who` at a unit stands for.
fn antecedent(sentence: &Sentence<'_>, relative: usize) -> Vec<Term> {
    let Some(mut at) = relative.checked_sub(1) else { return Vec::new() };
    let comma = sentence.word(at) == ",";
    if comma {
        match at.checked_sub(1) {
            Some(before) => at = before,
            None => return Vec::new(),
        }
    }
    if sentence.word(at) == "and" && at > 0 {
        return vec![Term::First];
    }
    if sentence.word(at) == ")" {
        return before_bracket(sentence, at);
    }
    match sentence.units[at].kind {
        // Only the nearest of a list: `a, b and c, which …` may mean c alone.
        UnitKind::Name(mention) => {
            let listed = at > 0 && matches!(sentence.word(at - 1), "and" | "or");
            if listed && !comma { Vec::new() } else { vec![Term::Name(mention)] }
        }
        UnitKind::Word | UnitKind::Described(_) => described_by(sentence, at),
        _ => Vec::new(),
    }
}

/// What a noun phrase that ends at a unit describes: `X is a service` and `X, a service`.
fn described_by(sentence: &Sentence<'_>, at: usize) -> Vec<Term> {
    {
        {
            let copula = (0..at)
                .rev()
                .take(12)
                .find(|unit| sentence.is_word(*unit) && grammar::is_be(sentence.word(*unit)));
            let names_between =
                copula.is_none_or(|copula| (copula..at).any(|unit| sentence.name_at(unit).is_some()));
            let commas_between = copula
                .is_none_or(|copula| (copula..at).any(|unit| sentence.units[unit].kind == UnitKind::Mark));
            if let Some(copula) = copula
                && !names_between
                && !commas_between
                && sentence.is_word(copula + 1)
                && matches!(sentence.word(copula + 1), "a" | "an" | "the" | "one" | "our")
                && !grammar::is_preposition(sentence.word(at))
            {
                let group = super::modality::group(sentence, copula + 1);
                return subjects(sentence, group.start, false);
            }
            if let Some(name) = apposition_head(sentence, at) {
                return vec![Term::Name(name)];
            }
            Vec::new()
        }
    }
}

/// Where a phrase of at most four words in small letters starts that may be a name: at the start of the sentence or of
/// a clause, without an article.
fn small_phrase_start(sentence: &Sentence<'_>, last: usize) -> Option<usize> {
    let mut at = last;
    for _ in 0..4 {
        let word = sentence.word(at);
        if !sentence.is_word(at)
            || grammar::is_closed(word)
            || grammar::is_likely_verb(word) && word.ends_with('s')
            || grammar::is_generic_noun(word)
        {
            return None;
        }
        if at == 0 || matches!(sentence.word(at - 1), "," | ";" | "that" | "both") {
            return Some(at);
        }
        at -= 1;
    }
    None
}

/// The name that an apposition ending at a unit explains: `X, a Go service that …`.
fn apposition_head(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let comma = (0..=at)
        .rev()
        .take(10)
        .take_while(|unit| sentence.name_at(*unit).is_none())
        .find(|unit| matches!(sentence.word(*unit), "," | "—" | "–" | "-" | ":"))?;
    let article = matches!(sentence.word(comma + 1), "a" | "an" | "the" | "one" | "our");
    if !article || comma == 0 {
        return None;
    }
    sentence.name_at(comma - 1)
}

/// The names of the noun phrase that ends at a unit: one, or all of a list.
fn noun_phrase_ending(sentence: &Sentence<'_>, last: usize) -> Vec<Term> {
    let Some(term) = term_at(sentence, last) else { return Vec::new() };
    let mut terms = vec![term];
    let mut at = last;
    while let Some(before) = skip_modifiers_left(sentence, at) {
        let word = sentence.word(before);
        if matches!(word, "and" | "&" | "," | "or" | "nor" | "plus") {
            let mut previous = before;
            while previous > 0
                && matches!(sentence.word(previous - 1), "," | "and" | "also")
                && sentence.name_at(previous - 1).is_none()
            {
                previous -= 1;
            }
            let Some(unit) = previous.checked_sub(1) else { break };
            let Some(term) = term_at(sentence, unit).filter(|term| matches!(term, Term::Name(_))) else {
                break;
            };
            if word == "," && terms.len() == 1 && !list_has_and(sentence, unit, last) {
                // `In A, B uses …`: the comma ends something in front.
                break;
            }
            // `X uses A and B depends on C`: A is the object of another verb.
            if before_is_verb(sentence, unit) {
                break;
            }
            terms.push(term);
            at = unit;
            continue;
        }
        if matches!(word, "as" | "including")
            && (word == "including" || before > 0 && sentence.word(before - 1) == "such")
        {
            break;
        }
        if sentence.is_word(before) && grammar::is_preposition(word) && before > 0 {
            // A name within a prepositional phrase is not the head.
            return head_before(sentence, before);
        }
        if sentence.word(before) == "'s" {
            return Vec::new();
        }
        break;
    }
    terms.reverse();
    terms
}

fn list_has_and(sentence: &Sentence<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|unit| matches!(sentence.word(unit), "and" | "&" | "or"))
}

fn before_is_verb(sentence: &Sentence<'_>, unit: usize) -> bool {
    let Some(before) = skip_modifiers_left(sentence, unit) else { return false };
    sentence.is_word(before)
        && (grammar::is_likely_verb(sentence.word(before))
            || (before > 0
                && grammar::is_preposition(sentence.word(before))
                && grammar::is_likely_verb(sentence.word(before - 1))))
}

/// The unit left of a noun phrase's determiner and adjectives; `None` at the start of the sentence.
fn skip_modifiers_left(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    let mut at = unit.checked_sub(1)?;
    let mut steps = 0;
    loop {
        if !sentence.is_word(at) {
            return Some(at);
        }
        let word = sentence.word(at);
        if grammar::is_determiner(word) && !grammar::is_relative(word) {
            return at.checked_sub(1);
        }
        let modifier = !grammar::is_closed(word)
            && !grammar::is_likely_verb(word)
            && steps < 3
            && word != "'s"
            && word != "&";
        if !modifier {
            return Some(at);
        }
        steps += 1;
        at = at.checked_sub(1)?;
    }
}

/// The head of `X of Y`, `X in Y`, when a name; nothing when it is another noun.
fn head_before(sentence: &Sentence<'_>, preposition: usize) -> Vec<Term> {
    let Some(before) = preposition.checked_sub(1) else { return Vec::new() };
    match sentence.word(preposition) {
        "in" | "at" | "from" | "of" | "on" | "with" | "near" | "for" | "by" => {
            match sentence.units[before].kind {
                UnitKind::Name(_) => noun_phrase_ending(sentence, before),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The subject before a comma that ends an apposition or clause; else the subject of the verb phrase before.
fn before_comma(sentence: &Sentence<'_>, comma: usize) -> Vec<Term> {
    let found = enclosing(sentence, comma);
    if found.is_empty() { vec![Term::First] } else { found }
}

/// The subject before the inserted part that a comma ends.
fn enclosing(sentence: &Sentence<'_>, comma: usize) -> Vec<Term> {
    // The nearest earlier comma after a name encloses an inserted part.
    let mut at = comma;
    while at > 0 {
        at -= 1;
        if sentence.word(at) == ","
            && at > 0
            && (sentence.name_at(at - 1).is_some() || matches!(sentence.word(at - 1), ")"))
            && is_inserted(sentence, at + 1, comma)
        {
            return if sentence.word(at - 1) == ")" {
                before_bracket(sentence, at - 1)
            } else {
                noun_phrase_ending(sentence, at - 1)
            };
        }
    }
    Vec::new()
}

/// The bracket that is open at a unit.
fn open_bracket(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    (0..unit).rev().take(15).take_while(|at| sentence.word(*at) != ")").find(|at| sentence.word(*at) == "(")
}

/// Whether a stretch between commas is an apposition, a clause or a participle, not an item of a list.
fn is_inserted(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    if start >= end {
        return false;
    }
    if sentence.units[start].kind != UnitKind::Word {
        return false;
    }
    let word = sentence.word(start);
    matches!(
        word,
        "a" | "an"
            | "the"
            | "one"
            | "our"
            | "its"
            | "their"
            | "which"
            | "who"
            | "whose"
            | "formerly"
            | "also"
            | "known"
            | "like"
            | "unlike"
            | "together"
            | "along"
            | "alongside"
            | "aged"
            | "now"
            | "then"
            | "although"
            | "though"
            | "while"
            | "when"
            | "where"
            | "however"
            | "too"
            | "for"
            | "in"
            | "at"
            | "with"
            | "as"
            | "previously"
            | "originally"
            | "part"
            | "under"
            | "on"
            | "not"
    ) || word.ends_with("ed")
        || word.ends_with("ing")
        || grammar::is_adverbial(word)
        || super::inflect::is_participle(word)
}

fn before_bracket(sentence: &Sentence<'_>, close: usize) -> Vec<Term> {
    let open = (0..close).rev().find(|unit| sentence.word(*unit) == "(");
    match open {
        Some(open) if open > 0 => match sentence.units[open - 1].kind {
            UnitKind::Name(_) | UnitKind::Described(_) => noun_phrase_ending(sentence, open - 1),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn term_at(sentence: &Sentence<'_>, unit: usize) -> Option<Term> {
    match sentence.units.get(unit)?.kind {
        UnitKind::Name(mention) => Some(Term::Name(mention)),
        UnitKind::Described(_) | UnitKind::Pronoun => Some(Term::Stand(unit)),
        _ => None,
    }
}

/// Finds the names that follow a cue, from the unit after it.
pub(super) fn objects(
    sentence: &Sentence<'_>,
    start: usize,
    is_verb_ahead: &dyn Fn(usize) -> bool,
) -> Objects {
    let mut found = Objects { last: start.saturating_sub(1), ..Objects::default() };
    let mut at = start;
    let mut coordinated = false;
    loop {
        if coordinated && matches!(sentence.word(at), "a" | "an") && sentence.word(at - 1) == "," {
            break;
        }
        let Some(unit) = head_ahead(sentence, at, coordinated) else {
            let Some((start, end)) = small_phrase_ahead(sentence, at) else { break };
            if coordinated && is_verb_ahead(end) {
                break;
            }
            found.last = end - 1;
            found.terms.push((
                Term::Phrase(sentence.units[start].tokens.start, sentence.units[end - 1].tokens.end),
                Status::Fact,
            ));
            let Some(after) = conjunction(sentence, end, &mut found) else { break };
            at = after;
            coordinated = true;
            continue;
        };
        let Some(term) = term_at(sentence, unit) else { break };
        if let Term::Stand(stand) = term
            && coordinated
            && sentence.units[stand].kind == UnitKind::Pronoun
        {
            break;
        }
        // `… uses A and B depends on C`: B starts a new clause.
        if coordinated && is_verb_ahead(unit + 1) {
            break;
        }
        if is_modifier(sentence, unit) {
            break;
        }
        let mut status = modified_status(sentence, at, unit);
        found.last = unit;
        let mut next = unit + 1;
        if sentence.word(next) == "(" {
            let close = (next..sentence.units.len()).find(|unit| sentence.word(*unit) == ")");
            let close = close.unwrap_or(sentence.units.len() - 1);
            status = status.max(bracket_status(sentence, next + 1, close));
            next = close + 1;
        }
        found.terms.push((term, status));
        // An apposition to the object: `, a fast cache, and …`.
        if sentence.word(next) == "," && matches!(sentence.word(next + 1), "a" | "an") {
            let close = (next + 1..sentence.units.len()).find(|unit| sentence.word(*unit) == ",");
            if let Some(close) = close.filter(|close| !(next + 1..*close).any(is_verb_ahead))
                && matches!(sentence.word(close + 1), "and" | "or")
            {
                next = close;
            }
        }
        let Some(after) = conjunction(sentence, next, &mut found) else { break };
        at = after;
        coordinated = true;
    }
    found
}

/// The unit after `,`, `and`, `as well as` and the like; `None` when the list ends.
fn conjunction(sentence: &Sentence<'_>, start: usize, found: &mut Objects) -> Option<usize> {
    let mut at = start;
    let mut any = false;
    loop {
        match sentence.word(at) {
            "," | "and" | "&" | "plus" | "also" if sentence.name_at(at).is_none() => {
                any = true;
                at += 1;
            }
            "or" => {
                found.alternatives = true;
                any = true;
                at += 1;
            }
            "but" if sentence.word(at + 1) == "also" => {
                any = true;
                at += 2;
            }
            "as" if sentence.word(at + 1) == "well" && sentence.word(at + 2) == "as" => {
                any = true;
                at += 3;
            }
            "together" | "along" if sentence.word(at + 1) == "with" => {
                any = true;
                at += 2;
            }
            "not" | "except" | "rather" | "instead" => return None,
            "on" | "to" | "in" | "by" | "with" | "from" | "of" | "for"
                if any && sentence.name_at(at + 1).is_some() && start > 1 =>
            {
                // `on A and on B`: the preposition may be repeated.
                return Some(at + 1);
            }
            _ => return any.then_some(at),
        }
    }
}

/// The head of the noun phrase ahead: past determiners, adjectives and nouns that stand before a name.
fn head_ahead(sentence: &Sentence<'_>, start: usize, coordinated: bool) -> Option<usize> {
    let mut at = start;
    let mut steps = 0;
    let mut of = false;
    while at < sentence.units.len() {
        match sentence.units[at].kind {
            UnitKind::Name(_) => {
                // The possessor of another thing is not the object.
                return (sentence.word(at + 1) != "'s" && sentence.word(at + 1) != "'").then_some(at);
            }
            UnitKind::Described(_) | UnitKind::Pronoun => return (steps == 0).then_some(at),
            UnitKind::Mark => {
                let opens = matches!(sentence.word(at), "\"" | "“" | "«") && steps < 4;
                let introduces = sentence.word(at) == ":" && !coordinated && steps < 4;
                if !(opens || introduces) {
                    return None;
                }
            }
            UnitKind::Word => {
                let word = sentence.word(at);
                let fine = grammar::is_determiner(word) && !grammar::is_relative(word) && word != "no"
                    || grammar::is_number_word(word)
                    || matches!(word, "both" | "only" | "mainly" | "primarily" | "namely" | "two" | "following" | "either" | "not" if word != "not")
                    || sentence.tokens[sentence.units[at].tokens.start].is_number()
                    || (word == "not" && sentence.word(at + 1) == "only");
                let modifier = !grammar::is_closed(word) && !grammar::is_auxiliary(word);
                let partitive =
                    !of && word == "of" && steps > 0 && !coordinated && is_partitive(sentence.word(at - 1));
                of |= partitive;
                if !(fine || modifier || partitive) || steps > 5 {
                    return None;
                }
            }
        }
        steps += 1;
        at += 1;
    }
    None
}

/// A phrase of at most four words in small letters that may be a name, from its first to one past its last unit.
fn small_phrase_ahead(sentence: &Sentence<'_>, start: usize) -> Option<(usize, usize)> {
    let mut start = start;
    if matches!(sentence.word(start), "a" | "an" | "the") {
        start += 1;
    }
    let mut end = start;
    if sentence.units.get(start).is_some_and(|unit| sentence.tokens[unit.tokens.start].is_number()) {
        return None;
    }
    while sentence.is_word(end)
        && !grammar::is_closed(sentence.word(end))
        && sentence.word(end) != "'s"
        && !grammar::is_auxiliary(sentence.word(end))
    {
        end += 1;
    }
    let stops = end >= sentence.units.len()
        || sentence.units[end].kind == UnitKind::Mark
        || sentence.is_word(end) && sentence.word(end) != "of" && sentence.word(end) != "'s";
    let generic = end > start
        && (grammar::is_generic_noun(sentence.word(end - 1))
            || grammar::is_likely_verb(sentence.word(start)) && start + 1 == end);
    (end > start && end - start <= 4 && stops && !generic).then_some((start, end))
}

/// `version 2 of X`, `parts of X`, `the services of X`: the object is X still.
fn is_partitive(word: &str) -> bool {
    matches!(
        word,
        "version"
            | "versions"
            | "release"
            | "services"
            | "part"
            | "parts"
            | "all"
            | "use"
            | "most"
            | "help"
            | "group"
            | "city"
            | "town"
            | "instance"
            | "instances"
            | "copy"
            | "copies"
            | "form"
            | "forms"
            | "care"
            | "patients"
            | "cases"
            | "treatment"
            | "village"
            | "port"
            | "availability"
            | "team"
    ) || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether a name is only the first part of a compound: `Kafka topics`.
fn is_modifier(sentence: &Sentence<'_>, unit: usize) -> bool {
    let next = unit + 1;
    if !sentence.is_word(next) {
        return false;
    }
    let word = sentence.word(next);
    let token = &sentence.tokens[sentence.units[next].tokens.start];
    !(grammar::is_closed(word)
        || grammar::is_adverbial(word)
        || grammar::is_class_noun(word)
        || token.is_number()
        || !token.spaced
        || token.capital
        || word.starts_with('v') && word[1..].starts_with(|letter: char| letter.is_ascii_digit())
        || grammar::is_likely_verb(word)
        || word.ends_with("ing")
        || word.ends_with("ed")
        || word.ends_with('s')
            && sentence.is_word(next + 1)
            && grammar::is_determiner(sentence.word(next + 1)))
}

/// What the words before an object say of it: `a planned X`, `the former Y`.
fn modified_status(sentence: &Sentence<'_>, start: usize, unit: usize) -> Status {
    let mut status = Status::Fact;
    for at in start..unit {
        let word = sentence.word(at);
        if grammar::is_former_adjective(word) && !matches!(word, "old" | "late" | "then" | "past")
            || matches!(
                word,
                "planned"
                    | "proposed"
                    | "future"
                    | "upcoming"
                    | "forthcoming"
                    | "potential"
                    | "possible"
                    | "prospective"
                    | "hypothetical"
            )
        {
            status = Status::NotCurrent;
        }
        if word == "no" {
            status = Status::Negated;
        }
    }
    status
}

/// What a bracket after a name says of it: `(planned)`, `(until 2021)`, `(formerly X)` says nothing.
pub(super) fn bracket_status(sentence: &Sentence<'_>, start: usize, end: usize) -> Status {
    text_status((start..end).map(|unit| sentence.word(unit)))
}

/// The same for the words of a note.
pub(super) fn text_status<'a>(words: impl Iterator<Item = &'a str>) -> Status {
    let words: Vec<&str> = words.collect();
    let first = words.first().copied().unwrap_or("");
    let ended = matches!(
        first,
        "until"
            | "till"
            | "former"
            | "ended"
            | "retired"
            | "discontinued"
            | "removed"
            | "historical"
            | "past"
            | "previously"
            | "ex"
            | "expired"
            | "terminated"
            | "cancelled"
            | "canceled"
            | "withdrawn"
            | "rejected"
            | "dropped"
            | "closed"
            | "inactive"
    ) || (first == "formerly" && words.len() == 1);
    let coming =
        matches!(
            first,
            "planned"
                | "proposed"
                | "future"
                | "from"
                | "tbc"
                | "tentative"
                | "expected"
                | "pending"
                | "upcoming"
                | "provisional"
                | "under"
                | "candidate"
                | "optional"
                | "possibly"
                | "not"
        ) && !(first == "from" && words.len() > 1 && words[1].starts_with(['1', '2']) && words.len() == 2);
    let range = words.len() >= 3
        && super::modality::is_year(words[0])
        && matches!(words[1], "–" | "-" | "—" | "to")
        && super::modality::is_year(words[2]);
    if ended || coming || range { Status::NotCurrent } else { Status::Fact }
}
