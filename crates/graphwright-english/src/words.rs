//! Classes of words: closed ones such as prepositions, and the few open ones whose meaning decides what a text says or a
//! question asks. `data/words.txt` lists them and says what each is for. All words are in lower case.
//!
//! ```
//! use graphwright_english::words;
//!
//! assert!(words::is_preposition("with") && !words::is_preposition("width"));
//! assert_eq!(words::number("twelve"), Some(12.0));
//! ```

use std::{collections::HashMap, sync::LazyLock};

use crate::{data, inflection};

/// Defines the functions that tell whether a word is of a class, and numbers them.
macro_rules! classes {
    ($($is:ident)+) => {
        #[expect(non_camel_case_types, reason = "named as the functions are")]
        enum Class { $($is),+ }

        /// The names of the classes as the file has them, in the order of their bits.
        const NAMES: &[&str] = &[$(stringify!($is)),+];

        $(
            #[doc = concat!("See `", stringify!($is), "`, less `is_`, in `data/words.txt`.")]
            pub fn $is(word: &str) -> bool {
                WORDS.classes.get(word).is_some_and(|bits| bits >> Class::$is as u32 & 1 == 1)
            }
        )+
    };
}

classes! {
    is_abbreviation is_about_asking is_act_of_telling is_actor_noun is_adverb is_against is_amount is_amounting is_article is_asking is_auxiliary is_be is_belonging is_birth is_calling is_chain
    is_claim is_class_noun is_closed is_command is_common_verb is_comparing is_conditional is_contracting is_coordinator is_courtesy is_counted_unit is_date_word is_death is_definite is_denial
    is_determiner is_do is_enactment is_ended is_event is_face is_factive is_filler is_former_adjective is_former_adverb is_function_word is_general
    is_generic_noun is_harmless is_have is_having is_hedge is_honorific is_human is_inner_abbreviation is_indirect is_joined_by_one is_joined_by_two is_joined_pair is_kin
    is_lacking is_lasting_noun is_level is_light is_light_verb is_locating is_magnitude is_modal is_money is_month is_negation is_no_value is_number is_number_word is_of_age is_of_whole is_open_mark is_operator is_ordinal
    is_organisation is_origin is_over is_passed_over is_past_be is_path_word is_pending is_place_noun is_plain_determiner is_plan is_pointing_ahead is_pointing_back is_possessive is_post_nominal is_prefix
    is_preposition is_preposition_of_place is_pronoun is_quantity is_question_word is_rank is_reciprocal is_relative is_sentence_word is_somebody is_somewhere is_source is_state is_subordinator is_transitive
    is_unit is_unit_of_name is_unreal is_vague is_vague_verb is_weekday is_word_too is_work denies keeps_fact may_end_sentence
}

#[derive(Default)]
struct Words {
    /// The classes of each word, a bit each.
    classes: HashMap<String, u128>,
    /// The words of each class in the order of the file.
    lists: HashMap<&'static str, Vec<&'static str>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    for (class, line) in data::lines(include_str!("../data/words.txt")) {
        for word in line.split(' ') {
            let included = word.strip_prefix('@').and_then(|name| words.lists.get(name).cloned());
            for word in included.unwrap_or_else(|| vec![word]) {
                words.add(class, word);
            }
        }
    }
    words
});

impl Words {
    fn add(&mut self, class: &'static str, word: &'static str) {
        self.lists.entry(class).or_default().push(word);
        let bit = NAMES.iter().position(|name| name.trim_start_matches("is_") == class);
        let bits = bit.map_or(0, |bit| 1 << bit);
        let spaced =
            if word.starts_with(char::is_alphabetic) { word.replace('_', " ") } else { word.to_owned() };
        if spaced.find('\'').is_some_and(|at| at > 0) {
            *self.classes.entry(spaced.replace('\'', "")).or_default() |= bits;
        }
        *self.classes.entry(spaced).or_default() |= bits;
    }
}

/// Returns the words of a class in the order of the file.
pub(crate) fn list(class: &str) -> &'static [&'static str] {
    WORDS.lists.get(class).map_or(&[], Vec::as_slice)
}

/// Reads a number up to twenty that is written as a word.
pub fn number(word: &str) -> Option<f64> {
    let numbers = is_number(word).then(|| list("number"))?;
    numbers.iter().position(|number| *number == word).map(|number| number as f64)
}

/// Reads a place up to tenth that is written as a word or as figures (`2nd`).
pub fn ordinal(word: &str) -> Option<usize> {
    let figures =
        || ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)?.parse().ok());
    list("ordinal").iter().position(|ordinal| *ordinal == word).map(|at| at + 1).or_else(figures)
}

/// Returns the word for a place, where it has one of its own.
pub fn ordinal_word(place: usize) -> Option<&'static str> {
    list("ordinal").get(place.checked_sub(1)?).copied()
}

/// Tells whether a word is an adverb, by list or by ending.
pub fn is_adverbial(word: &str) -> bool {
    is_adverb(word) || is_former_adverb(word) || is_hedge(word) || (word.len() > 4 && word.ends_with("ly"))
}

/// Tells whether a word is an adjective for where somebody or something is from, by list or by ending: `welsh`, `parisian`.
pub fn is_adjective_of_origin(word: &str) -> bool {
    is_origin(word)
        || word.len() > 5 && ["ian", "ese", "ish", "ean"].iter().any(|ending| word.ends_with(ending))
}

/// Tells whether a word, as it stands after a noun, is likely a verb.
pub fn is_likely_verb(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
        && inflection::bases(word).iter().any(|base| is_common_verb(base))
}

/// Tells whether a noun is one for people, by list or by ending.
pub fn is_person_noun(word: &str) -> bool {
    is_human(word)
        || is_calling(word)
        || word.len() > 6
            && ["ologist", "ician", "woman", "master"].iter().any(|ending| word.ends_with(ending))
        || word.len() > 5 && word.ends_with("ist")
        || word.ends_with("man") && word.len() > 5 && !matches!(word, "german" | "norman" | "ottoman")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_sections_are_the_same() {
        let mut functions: Vec<&str> = NAMES.iter().map(|name| name.trim_start_matches("is_")).collect();
        let mut sections: Vec<&str> = WORDS.lists.keys().copied().collect();
        functions.sort_unstable();
        sections.sort_unstable();
        assert_eq!(functions, sections);
        assert!(
            !WORDS.classes.keys().any(|word| word.starts_with('@')),
            "a class is included before it is listed"
        );
    }

    #[test]
    fn classes_include_others_and_spellings() {
        assert!(is_closed("isn't") && is_closed("isnt") && is_be("isnt") && !is_have("isnt"));
        assert!(is_no_value("not applicable") && is_face("^_^"));
        assert!(!is_closed("") && !is_closed("word"));
    }

    #[test]
    fn numbers_are_read_in_their_order() {
        assert_eq!(["zero", "one", "twenty", "thirty"].map(number), [Some(0.0), Some(1.0), Some(20.0), None]);
    }
}
