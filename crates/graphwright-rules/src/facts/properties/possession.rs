//! What a thing has or lacks: `X has step-free access`, `Y has none`, `There is no lift at Z`.

use graphwright_core::Value;

use crate::facts::{
    clauses::Reader,
    collect::Status,
    grammar,
    inflect::Form,
    modality,
    slots::{self, Term},
    units::Sentence,
};

impl Reader<'_, '_> {
    /// Reads whether somebody has what a property of yes or no names, in the units from `first` to `last`.
    pub(super) fn read_possession(
        &mut self,
        sentence: &Sentence<'_>,
        first: usize,
        last: usize,
        property: usize,
    ) -> bool {
        // `step-free access` where the property is called `step_free`
        let noun = |unit: usize| {
            sentence.is_word(unit)
                && !grammar::is_closed(sentence.word(unit))
                && !grammar::is_likely_verb(sentence.word(unit))
        };
        let last = last + (last + 1..sentence.units.len()).take(2).take_while(|unit| noun(*unit)).count();
        let mut at = first;
        let mut denied = false;
        while at > 0 && first - at < 4 && sentence.is_word(at - 1) {
            let word = sentence.word(at - 1);
            let none = matches!(word, "no" | "any" | "neither");
            let passes = none
                || grammar::is_determiner(word)
                || !grammar::is_closed(word) && !grammar::is_likely_verb(word) && !is_lacking(word);
            if !passes {
                break;
            }
            denied |= word == "no";
            at -= 1;
        }
        let Some(verb) = at.checked_sub(1).filter(|verb| sentence.is_word(*verb)) else { return false };
        let Some((terms, status, denial)) = Self::possessor_of(sentence, verb, last) else { return false };
        if terms.is_empty() {
            return false;
        }
        let truth = denied == denial;
        let status = if status == Status::Negated { Status::Fact } else { status };
        self.give(sentence, &(terms, status, verb), property, &Value::Boolean(truth), last);
        self.read_have_nots(sentence, last + 1, property, status);
        true
    }

    /// Who has or lacks what follows a verb or preposition, and whether it is a denial.
    fn possessor_of(sentence: &Sentence<'_>, verb: usize, last: usize) -> Option<Possession> {
        let word = sentence.word(verb);
        match word {
            "with" | "without" => {
                let before = verb.checked_sub(1)?;
                let terms = match sentence.name_at(before) {
                    Some(name) => vec![Term::Name(name)],
                    None => slots::described_by(sentence, before),
                };
                Some((terms, Status::Fact, word == "without"))
            }
            _ if grammar::is_be(word) && verb > 0 && sentence.word(verb - 1) == "there" => {
                let place = matches!(sentence.word(last + 1), "in" | "at" | "on");
                let name = sentence.name_at(last + 2 + usize::from(sentence.is_word(last + 2)));
                let terms = name.filter(|_| place).map_or(Term::Topic, Term::Name);
                let status = if grammar::is_past_be(word) { Status::NotCurrent } else { Status::Fact };
                Some((vec![terms], status, false))
            }
            _ if grammar::is_have(word) || is_having(word) || is_lacking(word) => {
                let group = modality::group(sentence, verb);
                let form = if group.auxiliary.is_some() { Form::BASE } else { Form::THIRD | Form::BASE };
                let status = match word {
                    "had" => Status::NotCurrent,
                    _ => modality::read_verb(sentence, verb, form, &group, false)?.status,
                };
                let denial = is_lacking(word) != (status == Status::Negated);
                Some((slots::subjects(sentence, group.start, false), status, denial))
            }
            _ => None,
        }
    }

    /// `, Y has none`, `, and Z has one too`.
    fn read_have_nots(&mut self, sentence: &Sentence<'_>, start: usize, property: usize, status: Status) {
        let mut at = start;
        while matches!(sentence.word(at), "," | ";" | "and" | "but" | "while" | "whereas") {
            at += 1;
        }
        let Some(name) = sentence.name_at(at).filter(|_| at > start) else { return };
        let truth = match (sentence.word(at + 1), sentence.word(at + 2)) {
            ("has" | "have", "none") | ("does" | "do" | "has" | "have", "not") => false,
            ("has" | "have", "one" | "it") | ("does" | "do", "," | "." | "too") => true,
            _ => return,
        };
        let holder = (vec![Term::Name(name)], status, at);
        self.give(sentence, &holder, property, &Value::Boolean(truth), at + 2);
    }
}

/// Who has something, whether the text says so, and whether it says that they do not have it.
type Possession = (Vec<Term>, Status, bool);

graphwright_english::word_class! {
    pub(in crate::facts) is_having:
    "offers" "provides" "features" "possesses" "boasts" "offer" "provide"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_lacking:
    "lacks" "lack"
}
