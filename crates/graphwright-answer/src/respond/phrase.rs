//! Words plans and relationships as English phrases: `service whose language is Go and that depends
//! on auth-lib-v2`.

use graphwright_core::text::identifier_words;
use graphwright_english::{dates::Days, inflection, words};
use graphwright_retrieve::Topology;

use super::{any_of, list, names, spoken};
use crate::{
    answer::display,
    question::{
        Compare,
        plan::{Aggregate, Filter, Holder, Join, Order, Plan, Quantifier, Ranking, Test},
    },
    schema::{Content, Label, Schema},
};

/// Participles that say a state without `by`.
const STATES: [&str; 8] =
    ["located", "based", "situated", "related", "connected", "linked", "associated", "affiliated"];

/// Words a relationship type as a verb in the third person: `depends on`, `is led by`, `is a part
/// of`.
pub(crate) fn verb(kind: &str) -> String {
    let words = identifier_words(kind);
    let spoken = words.join(" ");
    let (Some(first), last) = (words.first(), words.last()) else { return spoken };
    let last = last.map_or("", String::as_str);
    let passive = inflection::is_participle(first)
        && (matches!(last, "by" | "from" | "as" | "of")
            || STATES.contains(&first.as_str())
            || (!inflection::is_past(first) && words.len() > 1));
    let noun = last == "of" && !inflection::is_participle(first) && !first.ends_with('s');
    if passive || words::is_preposition(first) {
        format!("is {spoken}")
    } else if noun {
        format!("is {}", with_article(&spoken))
    } else {
        spoken
    }
}

/// Turns a verb from the third person singular into the plural: `depend on`, `are led by`.
pub(crate) fn plural_verb(verb: &str) -> String {
    let (first, rest) = verb.split_once(' ').map_or((verb, ""), |(first, rest)| (first, rest));
    let bases = inflection::bases(first);
    let plural = match first {
        "is" => "are",
        "was" => "were",
        // `bases` gives at least one.
        _ if first.ends_with('s') => &bases[0],
        _ => first,
    };
    format!("{plural} {rest}").trim_end().to_owned()
}

/// Adds an indefinite article: `a service`, `an incident`.
pub(crate) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// The phrase for what a plan looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase<'a> {
    pub(super) plan: &'a Plan,
    pub(super) topology: &'a Topology,
    pub(super) schema: &'a Schema,
}

impl Phrase<'_> {
    /// Words the answer's variable with all that is asked of it, without an article.
    pub(super) fn answer(self) -> String {
        let answer = self.plan.answer;
        let mut joins = vec![false; self.plan.joins.len()];
        let noun = self.bare(answer);
        self.with_clauses(answer, noun, &mut joins)
    }

    /// Words the type of the answer, in the plural unless `count` is one.
    pub(super) fn noun(self, count: usize) -> String {
        self.noun_of_variable(self.plan.answer, count)
    }

    /// Words the type of a variable, in the plural unless `count` is one.
    pub(super) fn noun_of_variable(self, variable: usize, count: usize) -> String {
        let name = type_name(self.plan.variables[variable].labels.as_deref(), self.schema);
        if count == 1 { name } else { plural(&name) }
    }

    /// Words the plan as a statement that may hold: `ledger depends on auth-lib-v2`.
    pub(super) fn statement(self) -> String {
        let answer = self.plan.answer;
        let mut said = vec![false; self.plan.joins.len()];
        let subject = self.noun_of(answer);
        let mut parts = self.filters(answer, "its");
        for (number, join) in self.plan.joins.iter().enumerate() {
            if said[number] || (join.left != answer && join.right != answer) {
                continue;
            }
            said[number] = true;
            let other = if join.left == answer { join.right } else { join.left };
            let object = self.whole(other, &mut said);
            let verb = self.verb(join);
            let subject_first = (join.left == answer) == join.forward;
            let amount = self.quantity(other, &object);
            parts.push(if subject_first {
                format!("{subject} {verb} {amount}")
            } else {
                format!("{amount} {verb} {subject}")
            });
        }
        parts.extend(self.ranking(answer));
        if self.plan.joins.is_empty() {
            let label = with_article(&type_name(self.plan.variables[answer].labels.as_deref(), self.schema));
            if self.plan.variables[answer].entities.is_none() {
                return format!("there is {}", with_article(&self.answer()));
            }
            parts.insert(0, format!("{subject} is {label}"));
        }
        parts.join(" and ")
    }

    fn bare(self, variable: usize) -> String {
        let own = &self.plan.variables[variable];
        match &own.entities {
            Some(nodes) if variable == self.plan.answer && nodes.len() > 1 && own.ranking.is_some() => {
                let kind = type_name(own.labels.as_deref(), self.schema);
                format!("{kind} out of {}", list(&names(self.topology, nodes)))
            }
            Some(nodes) => any_of(self.topology, nodes),
            None => type_name(own.labels.as_deref(), self.schema),
        }
    }

    /// Words a variable with its clauses. A name stands alone, a type has an article.
    fn whole(self, variable: usize, said: &mut [bool]) -> String {
        self.with_clauses(variable, self.noun_of(variable), said)
    }

    fn noun_of(self, variable: usize) -> String {
        let bare = self.bare(variable);
        if self.plan.variables[variable].entities.is_some() { bare } else { with_article(&bare) }
    }

    fn with_clauses(self, variable: usize, noun: String, said: &mut [bool]) -> String {
        let mut clauses = self.filters(variable, "whose");
        for (number, join) in self.plan.joins.iter().enumerate() {
            if said[number] || (join.left != variable && join.right != variable) {
                continue;
            }
            said[number] = true;
            clauses.push(self.clause(variable, join, said));
        }
        let mut text = noun;
        if self.plan.variables[variable].entities.is_some() && !clauses.is_empty() {
            // What is said of a named thing does not tell it from others, hence `which`.
            text = format!("{text}, {}", clauses.join(" and ").replacen("that ", "which ", 1));
        } else if !clauses.is_empty() {
            text = format!("{text} {}", clauses.join(" and "));
        }
        if let Some(ranking) = self.ranking(variable) {
            let comma = if clauses.is_empty() { "" } else { "," };
            text = format!("{text}{comma} {ranking}");
        }
        let excluded = &self.plan.variables[variable].excluded;
        if !excluded.is_empty() {
            text = format!("{text}, other than {}", list(&names(self.topology, excluded)));
        }
        text
    }

    /// Words a join as a clause: `that depends on X`, `that X depends on`.
    fn clause(self, variable: usize, join: &Join, said: &mut [bool]) -> String {
        let subject = (join.left == variable) == join.forward;
        let other = if join.left == variable { join.right } else { join.left };
        let ranked = match self.plan.variables[variable].ranking {
            Some(Ranking::Number(counted, order)) if counted == other => {
                let what = self.with_clauses(other, plural(&self.bare(other)), said);
                Some(format!("the {} {what}", ranked(order, "most", "fewest")))
            }
            _ => None,
        };
        let quantifier = self.plan.variables[other].quantifier;
        let object = ranked.unwrap_or_else(|| self.quantity(other, &self.whole(other, said)));
        let verb = self.verb(join);
        match (join.negated || quantifier == Some(Quantifier::No), subject) {
            (true, true) => format!("of which nothing says that it {verb} {object}"),
            (true, false) => format!("of which nothing says that {object} {verb} it"),
            (false, true) => format!("that {verb} {object}"),
            (false, false) if object.contains(", which ") => format!("that {object}, {verb}"),
            (false, false) => format!("that {object} {verb}"),
        }
    }

    /// Words how many of an object are meant, where that is said.
    fn quantity(self, variable: usize, object: &str) -> String {
        let own = &self.plan.variables[variable];
        if own.quantifier == Some(Quantifier::Only) && own.entities.is_some() {
            return format!("only {object}");
        }
        let Some(Quantifier::Than(compare)) = own.quantifier else { return quantity(own.quantifier, object) };
        let (more, than) = match compare {
            Compare::Is => ("as many", "as"),
            Compare::Below | Compare::AtMost => ("fewer", "than"),
            Compare::Above | Compare::AtLeast => ("more", "than"),
        };
        let others = list(&names(self.topology, &own.compared));
        format!("{more} {} {than} {others}", plural_of_first(without_article(object)))
    }

    fn verb(self, join: &Join) -> String {
        let verbs: Vec<String> = join.kinds().map(|(kind, _)| verb(self.schema.kind(kind))).collect();
        let verb = verbs.join(" or ");
        let any = if join.hops > 1 { "directly or indirectly " } else { "" };
        let test = join.test.as_ref().map_or_else(String::new, |own| {
            let names: Vec<String> = own.names.iter().take(3).map(|name| spoken(name)).collect();
            format!(" ({} {})", names.join(" or "), test(&own.test, self.topology))
        });
        format!("{any}{verb}{test}")
    }

    fn filters(self, variable: usize, whose: &str) -> Vec<String> {
        let filters = self.plan.variables[variable].filters.iter();
        let phrase = filters.map(|filter| {
            let labels = self.plan.variables[variable].labels.as_deref().unwrap_or_default();
            let own = filter.properties.iter().map(|&property| self.schema.property(property));
            let own = own.filter(|property| {
                labels.is_empty() || labels.iter().any(|label| property.labels.contains(label))
            });
            let mut properties: Vec<String> = own.map(|property| spoken(&property.name)).collect();
            properties.dedup();
            properties.truncate(3);
            format!("{whose} {} is {}", properties.join(" or "), self.passes(filter))
        });
        let called = self.plan.variables[variable].called.iter();
        let called = called.map(|called| format!("{whose} name has “{}”", called.words));
        called.chain(phrase).collect()
    }

    /// What a filter says of a value.
    fn passes(self, filter: &Filter) -> String {
        let content = filter.properties.first().map(|&property| self.schema.property(property).content);
        let said = match (&filter.test, content) {
            (Test::Present, Some(Content::Truth)) if !filter.negated => return "true".to_owned(),
            (Test::Present, Some(Content::Truth)) => return "false or not given".to_owned(),
            (Test::Present, Some(Content::Number)) if filter.negated => return "0 or not given".to_owned(),
            (Test::Than(compare, others), content) => {
                let is_date = filter.properties.iter().all(|&property| self.schema.is_date_like(property));
                let content = if is_date { Some(Content::Date) } else { content };
                format!("{} that of {}", compared(*compare, content), any_of(self.topology, others))
            }
            (given, _) => test(given, self.topology),
        };
        if filter.negated { format!("not {said}") } else { said }
    }

    fn ranking(self, variable: usize) -> Option<String> {
        match self.plan.variables[variable].ranking.as_ref()? {
            Ranking::Number(counted, order) => {
                let beside = self.plan.joins.iter().any(|join| {
                    (join.left, join.right) == (variable, *counted)
                        || (join.right, join.left) == (variable, *counted)
                });
                if beside {
                    return None;
                }
                let what = plural(&self.bare(*counted));
                Some(format!("with the {} {what}", ranked(*order, "most", "fewest")))
            }
            Ranking::Property(properties, order) => {
                let property = self.schema.property(*properties.first()?);
                let size = if self.schema.is_date_like(*properties.first()?) {
                    ranked(*order, "latest", "earliest")
                } else {
                    ranked(*order, "greatest", "least")
                };
                Some(format!("with the {size} {}", spoken(&property.name)))
            }
            Ranking::Held(holder, how, order) => {
                let name = match holder {
                    Holder::Variable(_, properties) => &self.schema.property(*properties.first()?).name,
                    Holder::Join(_, names) => names.first()?,
                };
                let made = match how {
                    Aggregate::Sum => "total ",
                    Aggregate::Average => "average ",
                    Aggregate::Greatest | Aggregate::Least | Aggregate::Length => "",
                };
                let size = ranked(*order, "greatest", "least");
                Some(format!("with the {size} {made}{}", spoken(name)))
            }
        }
    }
}

/// `Most`, `second most`, `11th most`.
fn ranked(order: Order, most: &str, least: &str) -> String {
    let size = if order.most { most } else { least };
    if order.count > 1 {
        return format!("{size} (the first {})", order.count);
    }
    match order.place {
        1 => size.to_owned(),
        place => {
            words::ordinal_word(place).map_or(format!("{place}th {size}"), |word| format!("{word} {size}"))
        }
    }
}

/// Turns an object into `more than 3 services`, `every service` or `only services`, from `a service`.
fn quantity(quantifier: Option<Quantifier>, object: &str) -> String {
    let noun = without_article(object);
    let (compare, amount) = match quantifier {
        Some(Quantifier::Count(compare, amount)) => (compare, amount),
        Some(Quantifier::Range(low, high)) => {
            return format!("between {low} and {high} {}", plural_of_first(noun));
        }
        Some(Quantifier::All) => return format!("every {noun}"),
        Some(Quantifier::Only) => return format!("only {}", plural_of_first(noun)),
        Some(Quantifier::No | Quantifier::Than(_)) | None => return object.to_owned(),
    };
    let one = (amount - 1.0).abs() < f64::EPSILON;
    let amount = match compare {
        Compare::Is => format!("exactly {amount}"),
        Compare::Below => format!("fewer than {amount}"),
        Compare::AtMost => format!("at most {amount}"),
        Compare::Above => format!("more than {amount}"),
        Compare::AtLeast => format!("at least {amount}"),
    };
    format!("{amount} {}", if one { noun.to_owned() } else { plural_of_first(noun) })
}

fn without_article(object: &str) -> &str {
    object.strip_prefix("a ").or_else(|| object.strip_prefix("an ")).unwrap_or(object)
}

/// `Services that use Go`, from `service that uses Go`.
fn plural_of_first(noun: &str) -> String {
    match noun.split_once(" that ") {
        Some((head, clause)) => format!("{} that {clause}", inflection::plural(head)),
        None => inflection::plural(noun),
    }
}

/// Turns the types into the plural: `services or libraries`.
fn plural(types: &str) -> String {
    types.split(" or ").map(inflection::plural).collect::<Vec<_>>().join(" or ")
}

fn type_name(labels: Option<&[Label]>, schema: &Schema) -> String {
    match labels {
        Some([]) | None => "thing".to_owned(),
        Some(labels) => {
            let names: Vec<String> =
                labels.iter().take(3).map(|&label| spoken(schema.label(label))).collect();
            names.join(" or ")
        }
    }
}

/// How a value is compared, of dates and numbers in words of their own.
fn compared(compare: Compare, content: Option<Content>) -> &'static str {
    match (compare, content) {
        (Compare::Is, _) => "the same as",
        (Compare::Below, Some(Content::Date)) => "before",
        (Compare::Below, Some(Content::Number)) => "below",
        (Compare::Below, _) => "before or below",
        (Compare::AtMost, Some(Content::Date)) => "not after",
        (Compare::AtMost, _) => "not above",
        (Compare::Above, Some(Content::Date)) => "after",
        (Compare::Above, Some(Content::Number)) => "above",
        (Compare::Above, _) => "after or above",
        (Compare::AtLeast, Some(Content::Date)) => "not before",
        (Compare::AtLeast, _) => "not below",
    }
}

fn test(test: &Test, topology: &Topology) -> String {
    match test {
        Test::Than(compare, others) => {
            format!("{} that of {}", compared(*compare, None), any_of(topology, others))
        }
        Test::OneOf(values) => {
            let mut values: Vec<String> = values.iter().map(display).collect();
            values.dedup();
            values.join(" or ")
        }
        Test::Time(compare, days) => {
            let (first, last) = shown(*days);
            match compare {
                Compare::Is if days.first == days.last => first,
                Compare::Is if first == last => format!("in {first}"),
                Compare::Is => format!("between {first} and {last}"),
                Compare::Below => format!("before {first}"),
                Compare::AtMost => format!("at the latest {last}"),
                Compare::Above => format!("after {last}"),
                Compare::AtLeast => format!("at the earliest {first}"),
            }
        }
        Test::Number(compare, amount) => match compare {
            Compare::Is => amount.to_string(),
            Compare::Below => format!("less than {amount}"),
            Compare::AtMost => format!("at most {amount}"),
            Compare::Above => format!("more than {amount}"),
            Compare::AtLeast => format!("at least {amount}"),
        },
        Test::Month(month) => {
            let date = jiff::civil::Date::new(2000, *month, 1).ok();
            date.map_or_else(String::new, |date| format!("in {}", date.strftime("%B")))
        }
        Test::SameYear(others) => format!("in the year of {}", list(&names(topology, others))),
        Test::Between(low, high) => format!("between {low} and {high}"),
        Test::Present => "given".to_owned(),
    }
}

/// The ends of a span, as years where it is of whole ones.
fn shown(Days { first, last }: Days) -> (String, String) {
    let is_whole = (first.month(), first.day()) == (1, 1) && (last.month(), last.day()) == (12, 31);
    if is_whole {
        return (first.year().to_string(), last.year().to_string());
    }
    (first.to_string(), last.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("DEPENDS_ON", "depends on")]
    #[case("LED_BY", "is led by")]
    #[case("PART_OF", "is a part of")]
    #[case("APPROVED", "approved")]
    #[case("OBJECTED_TO", "objected to")]
    #[case("LOCATED_IN", "is located in")]
    #[case("SHOWN_IN", "is shown in")]
    #[case("ON_CALL_FOR", "is on call for")]
    #[case("ABOUT", "is about")]
    #[case("WROTE", "wrote")]
    #[case("HAS_GENRE", "has genre")]
    fn relationship_types_are_said_as_verbs(#[case] kind: &str, #[case] said: &str) {
        assert_eq!(verb(kind), said);
    }
}
