//! Which English words a parser wants in parts, and which keep their full stop.

use crate::word_class;

word_class! {
    /// Matches words that end in a word of two letters, written without an apostrophe.
    pub(super) is_joined_by_two:
    "dont" "doesnt" "didnt" "cant" "wont" "isnt" "arent" "wasnt" "werent" "havent" "hasnt" "couldnt" "wouldnt" "shouldnt"
    "ive" "youre" "theyre" "weve" "youve" "theyve" "itll"
}

word_class! {
    /// Matches words that end in a word of one letter, written without an apostrophe.
    pub(super) is_joined_by_one:
    "im" "thats" "whats" "theres" "lets" "wheres" "hes" "shes"
}

word_class! {
    /// Matches words of two words that part after the third letter.
    pub(super) is_joined_pair:
    "cannot" "gonna" "wanna" "gotta"
}

word_class! {
    /// Matches units that stand at a number without a space.
    pub(super) is_unit:
    "am" "pm" "m" "k" "b" "bn" "mm" "cm" "km" "ft" "kg" "mg" "g" "mb" "gb" "tb" "kb" "ms" "h" "hrs" "hr" "mins" "min" "sec"
    "x" "f" "c" "gal" "lb" "lbs" "oz" "mph" "kw" "mw" "mhz" "ghz" "yrs" "yr" "yo"
}

word_class! {
    /// Matches abbreviations that keep their full stop, beside those that prose knows.
    pub(super) is_abbreviation:
    "ft" "wed" "sat" "fri" "mon" "thur" "thurs" "tue" "tues" "attn" "gov" "sen" "rep" "reps" "esp" "arrv" "lb" "lbs" "oz"
    "blvd" "rd" "yrs" "ext" "va" "la" "conf" "rec" "ph" "mob" "bldg" "pres" "assoc" "misc" "encl"
}

word_class! {
    /// Matches abbreviations that are as often a word at the end of a sentence.
    pub(super) is_word_too:
    "no" "art" "para" "sun" "sat" "may" "mar" "min" "max" "col" "gen" "fig" "rep" "la" "rec" "wed" "ch" "mob" "ext" "al" "p" "v" "am" "pm"
}

word_class! {
    /// Matches what stands before a hyphen and is no word by itself.
    pub(super) is_prefix:
    "e" "co" "pre" "post" "non" "mid" "anti" "semi" "ex" "re" "multi" "sub" "over" "pro" "micro" "intra" "inter" "un" "de" "psycho"
    "ultra" "mini" "bi" "tri" "cyber" "mega" "counter" "cross" "mis" "u" "x" "neo" "pan" "quasi" "trans"
}

word_class! {
    /// Matches faces.
    pub(super) is_face:
    ":)" ":(" ";)" ":-)" ":-(" ";-)" "=)" "=(" ":d" ":p" ":/" "(:" ":-d" ":))" "^_^" "<3"
}
